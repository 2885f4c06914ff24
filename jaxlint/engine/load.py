"""One file from disk to its intermediate representation; only what it imports where JAX is not named."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.engine.cache import digest_of
from jaxlint.files.discovery import read_bytes
from jaxlint.syntax.imported_names import imported_names

if TYPE_CHECKING:
    from jaxlint.syntax.source import SourceFile


class LoadTask(NamedTuple):
    """One file to load. `data` stands in for its content; `whole` skips the cheap way.

    `triage` lets CPython's parser read what it can; the rest, or without it everything, is read by libcst.
    Of one that is `brief` only what it imports is wanted: its source is put off.
    """

    path: str
    name: str
    is_package: bool
    data: bytes | None = None
    whole: bool = False
    triage: bool = False
    brief: bool = False


class LoadFailure(NamedTuple):
    """Why a file cannot be analysed: the slug of an engine rule, a line of text and the place, from 1."""

    rule: str
    message: str
    line: int = 1
    column: int = 1


class Loaded(NamedTuple):
    """A file as loaded. `source` and `failure` are both None for a valid file that does not name JAX.

    `language` is that of a notebook which is skipped because it is not Python. Of one that `is_put_off` the imports are
    known, from an earlier run or a brief task; it is read when its source is asked for.
    """

    path: str
    digest: bytes
    source: SourceFile | None
    failure: LoadFailure | None
    imports: tuple[str, ...]
    language: str = ""
    is_put_off: bool = False

    def put_off(self) -> Loaded:
        """The same without its source, which is read when it is asked for."""
        return self if self.source is None else self._replace(source=None, is_put_off=True)


def load(task: LoadTask) -> Loaded:
    """Read, check and, where it may concern JAX, parse one file. Never raises: a failure is part of the answer.

    A file that mentions nothing of JAX holds no finding, unless a file imports it which does, or is imported by it.
    """
    try:
        data = read_bytes(task.path) if task.data is None else task.data
    except OSError as error:
        reason = error.strerror.lower() if error.strerror else str(error)  # ours are as they are to be read
        return Loaded(task.path, b"", None, LoadFailure("unreadable-file", f"cannot be read: {reason}"), ())
    digest = digest_of(data)
    imports = None if task.whole or _mentions_jax(data) else _imports(task, data)
    if imports is not None:
        return Loaded(task.path, digest, None, None, imports)
    try:
        loaded = _parse(task, data, digest)
        return loaded.put_off() if task.brief else loaded
    except Exception as error:
        message = f"jaxlint failed to read this file: {type(error).__name__}: {error}"
        return Loaded(task.path, digest, None, LoadFailure("analysis-failed", message), ())


def _parse(task: LoadTask, data: bytes, digest: bytes) -> Loaded:
    from jaxlint.syntax.source import OTHER_LANGUAGE, Failure, read

    source = read(task.path, data, task.name, task.is_package, triage=task.triage)
    if isinstance(source, Failure) and source.code == OTHER_LANGUAGE:
        return Loaded(task.path, digest, None, None, (), source.message)
    if isinstance(source, Failure):
        failure = LoadFailure(source.code, source.message, source.line, source.column)
        return Loaded(task.path, digest, None, failure, ())
    return Loaded(task.path, digest, source, None, source.module.imports)


def _mentions_jax(data: bytes) -> bool:
    from jaxlint.jaxapi.libraries import mention

    return mention().search(data) is not None


def _imports(task: LoadTask, data: bytes) -> tuple[str, ...] | None:
    """What a file imports, if this interpreter accepts it; else the parser for all versions has the last word."""
    if task.path.endswith(".py"):
        return imported_names(data, task.name, is_package=task.is_package)
    from jaxlint.syntax.documents import open_document

    try:
        text = open_document(task.path, data).text
    except ValueError:  # the front end will say what is wrong
        return None
    return imported_names(text, task.name, is_package=task.is_package, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
