"""Results of whole runs kept on disk: found again while every file, setting and rule is the same, else never.

Content decides; the stamp of a file only saves reading it, and is not trusted for files changed just before the entry
was written. Entries are JSON below a checksum, never pickles: a cache folder comes with the project and is not trusted.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Final

from jaxlint.config import Configuration
from jaxlint.diagnostics import Applicability, Category, Confidence, Diagnostic, Edit, Fix, Note, Severity, Span
from jaxlint.engine.result import Result, Statistics
from jaxlint.engine.x64 import is_mentioned_beside
from jaxlint.files.discovery import FileStamp, FoundFile, read_bytes, stamp_of
from jaxlint.files.module_index import ModuleIndex, module_index
from jaxlint.version import VERSION

FOLDER: Final = ".jaxlint_cache"
_TAG: Final = (
    "Signature: 8a477f597d28d172789f06886806bc55\n# This folder holds results of jaxlint and may be deleted.\n"
)
_MAX_ENTRY: Final = 256 * 1024 * 1024
_KEPT: Final = 16
#: Clocks of file systems tick coarsely: a file changed this shortly before may change again under the same stamp.
_RACY_NS: Final = 2_000_000_000


def digest_of(data: bytes) -> bytes:
    """What tells one content from another."""
    return blake2b(data, digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a result rests on: the digest of each file that was read, and where each project's imports led to."""

    digests: Mapping[str, bytes]
    modules: Mapping[str, Mapping[str, str | None]]


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """The place of one run's result in the cache. `started_ns` is a time before any of its files is read."""

    folder: str
    key: str
    files: Sequence[FoundFile]
    indices: Mapping[str, ModuleIndex]
    started_ns: int

    @property
    def path(self) -> str:
        """The file that holds the entry."""
        return os.path.join(self.folder, VERSION, f"{self.key}.json")

    def load(self) -> Result | None:
        """The kept result, if it still holds; whatever is wrong with the entry, it is then a miss."""
        try:
            stored = json.loads(read_entry(self.path))
            fresh = self._fresh_stamps(stored)
            if fresh is None or not self._same_modules(stored["modules"]):
                return None
            result = _result(stored["result"])
        except Exception:  # an entry may hold anything
            return None
        if fresh != stored["files"]:
            stored["files"] = fresh
            with contextlib.suppress(OSError):
                write_entry(self.path, json.dumps(stored))
        return result

    def store(self, result: Result, evidence: Evidence) -> str | None:
        """Keep a result. The answer is None, or one line of why it could not be kept."""
        stamps = {file.path: file.stamp for file in self.files}
        files: dict[str, list[Any]] = {}
        for path, digest in evidence.digests.items():
            stamp = stamps.get(path) or _stamp(path)
            if not digest or stamp is None:
                return None  # not read to its end: there is nothing that a later run could compare
            files[path] = [*stamp, digest.hex(), self.started_ns]
        stored = {"files": files, "modules": evidence.modules, "result": _plain(result)}
        try:
            _prepare(self.folder)
            write_entry(self.path, json.dumps(stored))
            forget_old(os.path.dirname(self.path), _KEPT)
        except OSError as error:
            return f"the cache {self.folder} cannot be written: {(error.strerror or str(error)).lower()}"
        return None

    def _fresh_stamps(self, stored: Mapping[str, Any]) -> dict[str, list[Any]] | None:
        """The files of the entry with their stamps as they are now; None when the content of one differs."""
        now = {file.path: file.stamp for file in self.files}
        fresh: dict[str, list[Any]] = {}
        for path, entry in stored["files"].items():
            size, modified, inode, digest, seen = entry
            stamp = now.get(path) or _stamp(path)
            if stamp == (size, modified, inode) and seen - modified > _RACY_NS:
                fresh[path] = entry
            elif stamp is None or stamp.size != size or digest_of(read_bytes(path)).hex() != digest:
                return None
            else:
                fresh[path] = [*stamp, digest, self.started_ns]
        return fresh if fresh.keys() >= now.keys() else None

    def _same_modules(self, stored: Mapping[str, Mapping[str, str | None]]) -> bool:
        """Whether each import still leads where it led."""
        return all(
            self.indices[root].find(name) == path for root, answers in stored.items() for name, path in answers.items()
        )


def cache_entry(
    files: Sequence[FoundFile], configuration: Configuration, folder: str, plugins: Iterable[str] = ()
) -> CacheEntry:
    """The entry for checking `files` under these settings; what a file holds is no part of its key."""
    by_root: dict[str, list[str]] = {}
    for file in files:
        by_root.setdefault(file.root, []).append(file.path)
    indices = {}
    for root, paths in by_root.items():
        indices[root] = module_index(root, configuration.analysis(root).src, paths)
    folders = sorted({os.path.dirname(file.path) for file in files})
    parts = (
        VERSION,
        sys.version_info[:3],
        package_stamp(),
        sorted(plugins),
        configuration.signature([*folders, *sorted(by_root)]),
        [
            (root, is_mentioned_beside(root), index.roots, index.scripts, index.boundary)
            for root, index in sorted(indices.items())
        ],
        [(file.path, file.root) for file in files],
    )
    key = blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return CacheEntry(folder, key, files, indices, time.time_ns())


def package_stamp() -> list[tuple[str, int, int]]:
    """The stamps of jaxlint's own files: a rule that was edited a moment ago must not find yesterday's results."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = []
    for directory, folders, names in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            status = os.stat(os.path.join(directory, name))
            found.append((os.path.join(directory, name), status.st_size, status.st_mtime_ns))
    return sorted(found)


def _stamp(path: str) -> FileStamp | None:
    try:
        return stamp_of(os.stat(path))
    except OSError:
        return None


# --- the files of the cache


def read_entry(path: str) -> bytes:
    """What stands in an entry. Raises OSError, and ValueError where it is damaged."""
    checksum, _, body = read_bytes(path, _MAX_ENTRY).partition(b"\n")
    if checksum.decode("ascii") != digest_of(body).hex():
        raise ValueError("the entry is damaged")
    return body


def write_entry(path: str, text: str) -> None:
    """Write an entry beside its place and move it there: a reader sees the old one or the new one."""
    from tempfile import mkstemp

    body = text.encode("ascii")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    descriptor, temporary = mkstemp(dir=os.path.dirname(path), prefix=".new-")
    try:
        with open(descriptor, "wb") as file:
            file.write(digest_of(body).hex().encode("ascii") + b"\n" + body)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _prepare(folder: str) -> None:
    """Make the folder, kept out of version control and of backups."""
    os.makedirs(folder, exist_ok=True)
    for name, content in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            with contextlib.suppress(FileExistsError), open(path, "x", encoding="ascii") as file:
                file.write(content)


def remove_cache(folder: str) -> bool:
    """Remove the cache; False where there is none. Raises OSError, and ValueError for a folder that is no cache."""
    import shutil

    if not os.path.lexists(folder):
        return False
    tag = os.path.join(folder, "CACHEDIR.TAG")
    if os.path.islink(folder) or not os.path.isfile(tag) or read_bytes(tag, len(_TAG)) != _TAG.encode("ascii"):
        raise ValueError("it is no folder of this program")
    shutil.rmtree(folder)
    return True


def forget_old(folder: str, kept: int) -> None:
    """Keep the newest entries; what another run removes meanwhile is gone all the same."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.is_file():
                    found.append((entry.stat().st_mtime_ns, entry.path))
    for _, path in sorted(found, reverse=True)[kept:]:
        with contextlib.suppress(OSError):
            os.unlink(path)


# --- results as plain data


def _plain(result: Result) -> dict[str, Any]:
    statistics = result.statistics
    return {
        "diagnostics": [plain_diagnostic(d) for d in result.diagnostics],
        "files_checked": result.files_checked,
        "suppressed": result.suppressed,
        "statistics": asdict(statistics),
        "warnings": list(result.warnings),
    }


def _result(plain: Mapping[str, Any]) -> Result:
    return Result(
        tuple(read_diagnostic(entry) for entry in plain["diagnostics"]),
        plain["files_checked"],
        plain["suppressed"],
        Statistics(**plain["statistics"]),
        tuple(plain["warnings"]),
    )


def plain_diagnostic(d: Diagnostic) -> list[Any]:
    """A diagnostic as plain data."""
    identity = [d.path, _plain_span(d.span), d.rule, d.code, d.family]
    levels = [d.category.value, d.severity.value, d.confidence.value]
    notes = [[note.message, note.path, _plain_span(note.span)] for note in d.notes]
    fix = None
    if d.fix is not None:
        edits = [[edit.path, _plain_span(edit.span), edit.text] for edit in d.fix.edits]
        fix = [d.fix.title, d.fix.applicability.value, edits, d.fix.reason]
    return [*identity, *levels, d.message, notes, fix, d.fingerprint, d.former, d.cause, d.url]


def read_diagnostic(plain: Sequence[Any]) -> Diagnostic:
    """A diagnostic that was plain data."""
    path, span, rule, code, family, category, severity, confidence, message, notes, fix, *names, url = plain
    fingerprint, former, cause = names
    return Diagnostic(
        path=path,
        span=Span(*span),
        rule=rule,
        code=code,
        family=family,
        category=Category(category),
        severity=Severity(severity),
        confidence=Confidence(confidence),
        message=message,
        notes=tuple(Note(text, where, None if place is None else Span(*place)) for text, where, place in notes),
        fix=None if fix is None else _fix(*fix),
        fingerprint=fingerprint,
        former=former,
        cause=cause,
        url=url,
    )


def _fix(title: str, applicability: str, edits: Iterable[Sequence[Any]], reason: str) -> Fix:
    made = tuple(Edit(path, Span(*span), text) for path, span, text in edits)
    return Fix(title, Applicability(applicability), made, reason)


def _plain_span(span: Span | None) -> list[int] | None:
    return None if span is None else [span.line, span.column, span.end_line, span.end_column]
