"""One file from disk to its intermediate representation; a cheap check where JAX is not named."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.engine.cache import digest_of
from jaxlint.files.discovery import read_bytes
from jaxlint.syntax.decode import is_compiled

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
    """A file as loaded. `source` and `failure` are both None for a valid file that does not concern JAX.

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

    A file that mentions nothing of JAX, and that no file imports which does, can hold no finding.
    """
    try:
        data = read_bytes(task.path) if task.data is None else task.data
    except OSError as error:
        reason = error.strerror.lower() if error.strerror else str(error)  # ours are as they are to be read
        return Loaded(task.path, b"", None, LoadFailure("unreadable-file", f"cannot be read: {reason}"), ())
    digest = digest_of(data)
    if not task.whole and not _mentions_jax(data) and _compiles(task.path, data):
        return Loaded(task.path, digest, None, None, ())
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


def _compiles(path: str, data: bytes) -> bool:
    """Whether this interpreter accepts the file; where it does not, the parser for all versions has the last word."""
    if path.endswith(".py"):
        return is_compiled(data, ast.PyCF_ONLY_AST)
    from jaxlint.syntax.documents import open_document

    try:
        document = open_document(path, data)
    except ValueError:  # the front end will say what is wrong
        return False
    return is_compiled(document.text, ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
