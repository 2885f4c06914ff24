"""A function verified on the person's word: `jaxlint verify --probe` in a process of its own, never in the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jaxlint.text import escape, plural


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a verification, in words: `figures` for a line above the function."""

    message: str
    figures: str
    is_failure: bool = False


def question(path: str, name: str, python: str) -> str:
    """What the person is asked before anything runs."""
    where = escape(os.path.basename(path))
    return (
        f"Verify `{escape(name)}`? This imports {where} with {escape(python)} and traces the function with JAX: "
        "code of the project runs."
    )


async def verify(path: str, name: str, root: str, python: str | None, timeout: float) -> Outcome:
    """Probe one function. Cancelling it ends the process and all that it started."""
    command = [sys.executable, "-m", "jaxlint", "verify", "--probe", f"{path}::{name}", "--output-format", "json"]
    command += ["--python", python] if python else []
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=root,
        start_new_session=os.name == "posix",
    )
    try:
        output, errors = await asyncio.wait_for(process.communicate(), timeout)
    except asyncio.TimeoutError:
        return Outcome(f"verifying `{escape(name)}` was stopped after {timeout:g} s", "no answer", is_failure=True)
    finally:
        if process.returncode is None:
            _end(process)
            with contextlib.suppress(Exception):
                await process.wait()
    return _outcome(name, output, errors)


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGTERM)  # it ends what it started itself
        else:
            process.kill()


def _outcome(name: str, output: bytes, errors: bytes) -> Outcome:
    try:
        report = json.loads(output)
    except ValueError:
        lines = errors.decode("utf-8", "replace").strip().splitlines()
        why = lines[-1] if lines else "no reason given"
        return Outcome(f"`{escape(name)}` was not verified: {escape(why)}", "not verified", is_failure=True)
    figures = _figures(name, report)
    evidence = [f"line {f['line']}: {f['verdict']}: {f['message']}" for f in report.get("findings", ())]
    return Outcome(escape(f"`{name}`: {figures}. {' '.join(evidence)}".strip()), figures)


def _figures(name: str, report: Mapping[str, Any]) -> str:
    """`1 trace in 0.2 s; 1 confirmed`."""
    words = []
    function = next((f for f in report.get("functions", ()) if f["name"] == name), None)
    if function is not None:
        seconds = function.get("trace_seconds") or 0.0
        words.append(f"{plural(function['traces'], 'trace')} in {seconds:.2f} s")
        if function.get("compiles"):
            words.append(f"{plural(function['compiles'], 'compilation')} in {function['compile_seconds']:.2f} s")
    verdicts = Counter(finding["verdict"] for finding in report.get("findings", ()))
    words += [f"{count} {verdict}" for verdict, count in sorted(verdicts.items())]
    return "; ".join(words) or "verified, nothing flagged"
