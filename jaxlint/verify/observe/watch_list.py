"""Which expressions of the checked files are watched in the run, and how the script itself gets its points."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from jaxlint.diagnostics import Diagnostic, Span
from jaxlint.verify.observe.process import INJECTED
from jaxlint.verify.run_proofs import RUN_PROOFS, RunProof
from jaxlint.verify.sources import has_changed

#: Options of Python that take a value of their own.
_WITH_VALUE: Final = ("-W", "-X", "--check-hash-based-pycs")
_PYTHON: Final = re.compile(r"(python|pypy)[\d.]*(\.exe)?")


@dataclass(frozen=True, slots=True)
class WatchPoint:
    """One watched place of one finding. `primary`: the finding's own place, else that of a note.

    `raises`: an error that comes out of it, and that the program may catch, decides.
    """

    number: int
    finding: int
    primary: bool
    path: str
    span: Span
    select: str
    watch: str
    raises: bool


@dataclass(frozen=True, slots=True)
class PythonCommand:
    """A command that starts Python: its interpreter with options, and the script or module, each where there is one."""

    interpreter: tuple[str, ...]
    script: str | None
    module: str | None
    arguments: tuple[str, ...]


def watch_points(findings: Sequence[Diagnostic]) -> list[WatchPoint]:
    """The points of all findings, numbered."""
    found: list[WatchPoint] = []
    for index, finding in enumerate(findings):
        proof = RUN_PROOFS.get(finding.rule)
        if proof is None:
            continue
        for primary, path, span in _places(finding, proof):
            watch = "work" if proof.watch == "clock" and not primary else proof.watch
            select = "whole" if watch == "work" else proof.select
            raises = primary and bool(proof.errors)
            found.append(
                WatchPoint(len(found) + 1, index, primary, os.path.realpath(path), span, select, watch, raises)
            )
        for path, span in _noted(finding, proof.taken):
            found.append(
                WatchPoint(len(found) + 1, index, False, os.path.realpath(path), span, "nothing", proof.watch, True)
            )
    return found


def _places(finding: Diagnostic, proof: RunProof) -> Iterator[tuple[bool, str, Span]]:
    yield True, finding.path, finding.span
    for path, span in _noted(finding, *proof.notes):
        yield False, path, span


def _noted(finding: Diagnostic, *beginnings: str) -> Iterator[tuple[str, Span]]:
    """The places of the notes whose messages begin like that."""
    wanted = tuple(filter(None, beginnings))
    for note in finding.notes:
        if note.path and note.span and note.message.startswith(wanted):
            yield note.path, note.span


def write_watch_list(wanted: Sequence[WatchPoint], folder: str, checked_at: float) -> None:
    """Put the list where the observer looks for it. Files that are younger than the check have no digest."""
    watched: dict[str, dict[str, Any]] = {}
    for point in wanted:
        span = point.span
        place = [span.line, span.column, span.end_line, span.end_column]
        if point.path not in watched:
            watched[point.path] = {"digest": _digest(point.path, checked_at), "points": []}
        watched[point.path]["points"].append(
            {"n": point.number, "span": place, "select": point.select, "watch": point.watch, "raises": point.raises}
        )
    with open(os.path.join(folder, "watch_list.json"), "w", encoding="utf-8") as file:
        json.dump(watched, file)


def _digest(path: str, checked_at: float) -> str:
    """What tells whether a file is the one that was checked; empty where it is not, or cannot be read."""
    if has_changed(path, checked_at):
        return ""
    try:
        with open(path, "rb") as file:
            return blake2b(file.read(), digest_size=16).hexdigest()
    except OSError:
        return ""


def parse_python(command: Sequence[str]) -> PythonCommand | None:
    """What a command that starts Python is to run; None for other commands."""
    if not _PYTHON.fullmatch(os.path.basename(command[0])):
        return None
    index = 1
    while index < len(command):
        word = command[index]
        if word in ("-m", "-c"):
            module = command[index + 1] if word == "-m" and index + 1 < len(command) else None
            return PythonCommand(tuple(command[:index]), None, module, tuple(command[index + 1 :]))
        if word == "-" or not word.startswith("-"):
            script = word if os.path.isfile(word) else None
            return PythonCommand(tuple(command[:index]), script, None, tuple(command[index + 1 :]))
        index += 2 if word in _WITH_VALUE else 1
    return PythonCommand(tuple(command), None, None, ())


def instrumented_command(command: Sequence[str], wanted: Sequence[WatchPoint], folder: str) -> list[str]:
    """The command, its script replaced by one with points where some are wanted in it."""
    python = parse_python(command)
    if python is None or python.script is None:
        return list(command)
    if os.path.realpath(python.script) not in {point.path for point in wanted}:
        return list(command)
    target = os.path.join(folder, "script.pyc")
    compiler = os.path.join(INJECTED, "_jaxlint_observer", "script.py")
    watched = os.path.join(folder, "watch_list.json")
    compiling = [*python.interpreter, compiler, python.script, watched, target, *command]
    environment = {name: value for name, value in os.environ.items() if name != "JAXLINT_OBSERVE"}
    try:
        done = subprocess.run(compiling, capture_output=True, check=False, timeout=60, env=environment)
    except (OSError, subprocess.TimeoutExpired):
        return list(command)
    return list(command) if done.returncode else [*python.interpreter, target, *python.arguments]
