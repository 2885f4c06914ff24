"""Reports of shards as JSON: with paths from the working directory, so that another machine may read them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.cache import digest_of
from jaxlint.engine.part_outcome import Piece, plain_outcome, read_outcome
from jaxlint.engine.shards import Shard, ShardReport
from jaxlint.files.discovery import FoundFile, read_bytes
from jaxlint.version import VERSION

_FORMAT: Final = 1
_LARGEST: Final = 1024 * 1024 * 1024
#: From one path to another.
_Move = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class StoredReport:
    """The report of a shard with the files of its run, and the folder whose settings say how the run is done."""

    report: ShardReport
    files: list[FoundFile]
    anchor: str


def report_text(stored: StoredReport, directory: str) -> str:
    """The report as it is written in a working directory."""

    def move(path: str) -> str:
        return os.path.relpath(path, directory).replace(os.sep, "/")

    report = stored.report
    roots = {file.root: move(file.root) for file in stored.files}
    files = [[move(file.path), roots[file.root], report.digests[file.path].hex()] for file in stored.files]
    document = {
        "jaxlint-shard": _FORMAT,
        "version": VERSION,
        "shard": list(report.shard),
        "plan": report.plan,
        "anchor": move(stored.anchor),
        "imported": report.imported,
        "warnings": report.warnings,
        "files": files,
        "pieces": [_plain(piece, move) for piece in report.pieces],
    }
    return json.dumps(document)


def _plain(piece: Piece, move: _Move) -> dict[str, Any]:
    outcome = replace(piece.outcome, diagnostics=[_moved(each, move) for each in piece.outcome.diagnostics], asked={})
    return {
        "root": move(piece.root),
        "is_rest": piece.is_rest,
        "files": [move(path) for path in piece.files],
        "readings": outcome.readings,
        **plain_outcome(outcome),
    }


def read_report(path: str, directory: str) -> StoredReport:
    """The report in a file, as seen from a working directory. Raises ConfigError."""
    document = _document(path, directory)
    if document["version"] != VERSION:
        raise ConfigError(f"was written by jaxlint {document['version']}; this is {VERSION}", path)

    def move(relative: str) -> str:
        return os.path.normpath(os.path.join(directory, relative))

    try:
        files = [FoundFile(move(file), move(root), None) for file, root, _ in document["files"]]
        digests = {move(file): bytes.fromhex(digest) for file, _, digest in document["files"]}
        number, count = document["shard"]
        report = ShardReport(
            Shard(int(number), int(count)),
            str(document["plan"]),
            digests,
            [str(name) for name in document["imported"]],
            [str(warning) for warning in document["warnings"]],
            [_piece(piece, move) for piece in document["pieces"]],
        )
        return StoredReport(report, files, move(document["anchor"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ConfigError("is damaged", path) from None


def _document(path: str, directory: str) -> Mapping[str, Any]:
    try:
        document = json.loads(read_bytes(os.path.join(directory, path), _LARGEST))
    except OSError as error:
        raise ConfigError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("jaxlint-shard") != _FORMAT or "version" not in document:
        raise ConfigError("is no report of `jaxlint check --shard`", path)
    return document


def _piece(plain: Mapping[str, Any], move: _Move) -> Piece:
    outcome = read_outcome(plain, {}, {str(reader): int(files) for reader, files in plain["readings"].items()})
    outcome.diagnostics = [_moved(each, move) for each in outcome.diagnostics]
    return Piece(move(plain["root"]), bool(plain["is_rest"]), tuple(map(move, plain["files"])), outcome)


def _moved(diagnostic: Diagnostic, move: _Move) -> Diagnostic:
    """A diagnostic whose paths are others."""
    notes = tuple(note if note.path is None else replace(note, path=move(note.path)) for note in diagnostic.notes)
    fix = diagnostic.fix
    if fix is not None:
        fix = replace(fix, edits=tuple(replace(edit, path=move(edit.path)) for edit in fix.edits))
    return replace(diagnostic, path=move(diagnostic.path), notes=notes, fix=fix)


def refuse_changed(report: ShardReport) -> None:
    """Raise ConfigError where a file that findings are shown of is not the one that was checked."""
    shown = {each.path for piece in report.pieces for each in piece.outcome.diagnostics}
    for path in sorted(shown & report.digests.keys()):
        try:
            digest = digest_of(read_bytes(path))
        except OSError:
            digest = b""
        if digest != report.digests[path]:
            raise ConfigError("is not the file that was checked; merge where the checked files are", path)
