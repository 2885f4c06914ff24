"""Verdicts kept in a file: each with what it holds for, so that `check --verdicts` knows when it no longer does."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from jaxlint.config.errors import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.verify.model import JudgedFinding, Verdict
from jaxlint.verify.notebooks import module_lines

SCHEMA_VERSION: Final = 1
#: What a run shows of these holds for that run's shapes and values alone.
_OF_ONE_RUN: Final = frozenset({"recompilation"})
#: What one run shows is not undone by another that shows less; what was seen once is not refuted elsewhere.
_SUREST: Final = (
    Verdict.CONFIRMED,
    Verdict.REFUTED,
    Verdict.NOT_REPRODUCED,
    Verdict.INCONCLUSIVE,
    Verdict.NOT_REACHED,
)
_DEF: Final = re.compile(r"\s*(?:async\s+def|def|class)\s+(\w+)")


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """One verdict. `digests` are of the functions on the finding's chain, by `path:name`, when it was given."""

    verdict: Verdict
    digests: Mapping[str, str]
    evidence: str
    jax: str | None


def store_lines(findings: Iterable[JudgedFinding], command: Sequence[str], jax: str | None, root: str) -> list[str]:
    """The file's lines. Paths in it are relative to `root`, the folder of the file."""
    verdicts = [
        {
            "fingerprint": judged.diagnostic.fingerprint,
            "rule": judged.diagnostic.rule,
            "path": _relative(judged.diagnostic.path, root),
            "line": judged.diagnostic.span.line,
            "verdict": judged.verdict.value,
            "evidence": judged.evidence,
            "inputs": list(command),
            "jax": jax,
            "digests": chain_digests(judged.diagnostic, root),
        }
        for judged in findings
    ]
    return [json.dumps({"schema_version": SCHEMA_VERSION, "verdicts": verdicts}, indent=2)]


def read_store(path: str) -> dict[str, StoredVerdict]:
    """The verdicts by fingerprint. Raises ConfigError for a file that cannot be read or holds something else."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        if document["schema_version"] != SCHEMA_VERSION:
            raise ConfigError(f"has schema version {document['schema_version']}, not {SCHEMA_VERSION}", path)
        return {row["fingerprint"]: _stored(row) for row in document["verdicts"]}
    except OSError as error:
        raise ConfigError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    except RecursionError:
        raise ConfigError("is nested too deep for a file of verdicts", path) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigError("is no file of verdicts: make one with `jaxlint verify --verdicts FILE`", path) from None


def _stored(row: Mapping[str, Any]) -> StoredVerdict:
    return StoredVerdict(Verdict(row["verdict"]), dict(row["digests"]), str(row["evidence"]), row.get("jax"))


def apply_stores(
    diagnostics: Sequence[Diagnostic], stores: Sequence[tuple[str, Mapping[str, StoredVerdict]]], *, hide_refuted: bool
) -> tuple[list[Diagnostic], int]:
    """The diagnostics with their verdicts, and how many refuted ones are hidden. `stores` are files by their folders.

    A verdict is shown and believed only while every function on its chain is as it was; of several, the surest is.
    """
    shown: list[Diagnostic] = []
    hidden = 0
    for diagnostic in diagnostics:
        verdict = min(_valid(diagnostic, stores), key=_SUREST.index, default=None)
        if verdict is None:
            shown.append(diagnostic)
        elif hide_refuted and verdict is Verdict.REFUTED and diagnostic.family not in _OF_ONE_RUN:
            hidden += 1
        else:
            shown.append(replace(diagnostic, verdict=verdict.value))
    return shown, hidden


def _valid(diagnostic: Diagnostic, stores: Sequence[tuple[str, Mapping[str, StoredVerdict]]]) -> Iterator[Verdict]:
    for root, stored in stores:
        known = stored.get(diagnostic.fingerprint) or stored.get(diagnostic.former)
        if known is not None and known.digests == chain_digests(diagnostic, root):
            yield known.verdict


def chain_digests(diagnostic: Diagnostic, root: str) -> dict[str, str]:
    """A digest of each function that the finding and its evidence stand in, by `path:name`; of the file where none."""
    places = [(diagnostic.path, diagnostic.span.line)]
    places += [(note.path, note.span.line) for note in diagnostic.notes if note.path and note.span]
    digests = {}
    for path, line in places:
        name, text = _enclosing(path, line)
        digests[f"{_relative(path, root)}:{name}"] = blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return digests


def _lines(path: str) -> Sequence[str]:
    found = module_lines(path)
    if found is not None:
        return found
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return ()


def _enclosing(path: str, line: int) -> tuple[str, str]:
    """The name and the source of the outermost function or class around a line; top level is the whole file's."""
    lines = _lines(path)
    starts = list(_starts(lines))
    start = max((number for number in starts if number <= line), default=1)
    end = min((number for number in starts if number > line), default=len(lines) + 1)
    block = lines[start - 1 : end - 1]
    named = next((found[1] for text in block if (found := _DEF.match(text))), "")
    return named, "\n".join(text.rstrip() for text in block).strip()


def _starts(lines: Sequence[str]) -> Iterator[int]:
    """Where statements at the left margin begin; a function begins with its decorators."""
    is_decorated = False
    for number, text in enumerate(lines, 1):
        if _starts_block(text):
            if not is_decorated:
                yield number
            is_decorated = text.startswith("@")


def _starts_block(text: str) -> bool:
    """Whether a statement at the left margin begins here: digests then do not change by what stands around it."""
    return (
        bool(text)
        and not text[0].isspace()
        and text[0] not in "#)]}'\""
        and not text.startswith(("else", "elif", "except"))
    )


def _relative(path: str, root: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")
