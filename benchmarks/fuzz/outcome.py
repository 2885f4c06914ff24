"""One case run in a process of its own, and what was wrong with how that ended."""

from __future__ import annotations

import ast
import faulthandler
import os
import re
import resource
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple, NoReturn

from benchmarks.fuzz.subjects import GOOD, GOOD_NAME, Case

#: Seconds of processor time that a case may take; a slow machine or a busy one makes no difference.
LIMIT = 40
_FRAME = re.compile(r'File "[^"]*/(jaxlint/[^"]*)", line (\d+),? in (\S+)')


class Outcome(NamedTuple):
    """How a case ended. `problem` names what was wrong, equal for equal causes; empty where all was well."""

    problem: str
    seconds: float
    out: str
    err: str


def run_case(case: Case, folder: Path, *, limit: int = LIMIT) -> Outcome:
    """Write the files of a case into an empty folder and run jaxlint on them."""
    (folder / ".git").mkdir(parents=True)
    for name, data in {**case.files, GOOD_NAME: GOOD.encode()}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    before = time.monotonic()
    child = os.fork()
    if child == 0:
        _run(case, folder, limit)
    _, status = os.waitpid(child, 0)
    seconds = time.monotonic() - before
    out, err = ((folder.parent / f"{folder.name}.{name}").read_text(errors="replace") for name in ("out", "err"))
    return Outcome(_problem(case, folder, status, out, err), seconds, out, err)


def _run(case: Case, folder: Path, limit: int) -> NoReturn:
    """The life of the process: jaxlint as from the command line, its output in files beside the folder."""
    from jaxlint.cli.options import main

    code = 70
    try:
        for name, descriptor in (("out", 1), ("err", 2)):
            target = os.open(folder.parent / f"{folder.name}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(target, descriptor)
            setattr(sys, f"std{name}", os.fdopen(descriptor, "w", encoding="utf-8", closefd=False))
        os.chdir(folder)
        os.environ["JAXLINT_TRACEBACK"] = "1"
        faulthandler.enable()
        faulthandler.register(signal.SIGXCPU)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))
        always = ("--no-cache", "-j1", "--select", "ALL", "--min-confidence", "possible")
        own = ("--no-cache",) if case.may_refuse else always
        code = main(["check", ".", *own, *case.arguments])
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _problem(case: Case, folder: Path, status: int, out: str, err: str) -> str:
    if os.WIFSIGNALED(status) or "not done after" in out or "SIGXCPU" in out:
        return f"hang or crash ({os.WTERMSIG(status)}) {_place(err, innermost_first=True)}"
    code = os.WEXITSTATUS(status)
    if code == 70 or "Traceback" in err or "internal error" in err:
        return f"traceback: {_last_line(err)} {_place(err)}"
    if "analysis-failed" in out:
        message = re.search(r"(?:failed to analyse this file|failed to read this file|not analysed): ([^\"\n]*)", out)
        return f"analysis-failed: {re.sub(r'[0-9]+', 'N', message[1] if message else out[:200])}"
    if "the fix of" in err and "failed (" in err:
        return f"fix failed: {re.sub(r'[0-9]+', 'N', err[err.index('the fix of') :][:150])}"
    if code not in ((0, 1, 2) if case.may_refuse else (0, 1)) or (code == 2 and "jaxlint: error:" not in err):
        return f"exit code {code}: {err[:150]}"
    is_reported = "--show-files" not in case.arguments and "--show-settings" not in case.arguments and code != 2
    is_check = not any(option in case.arguments for option in ("--fix", "--diff", "--add-ignore"))
    if is_reported and is_check and not case.may_refuse and GOOD_NAME not in out:
        return "the finding of another file is lost"
    return _broken(case, folder)


def _broken(case: Case, folder: Path) -> str:
    """A file that was valid before it was changed and is not any more."""
    for name, before in case.files.items():
        after = (folder / name).read_bytes()
        if name.endswith(".py") and after != before and _is_valid(before) and not _is_valid(after):
            return f"broken by {' '.join(case.arguments)}"
    return ""


def _is_valid(data: bytes) -> bool:
    try:
        ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if re.match(r"\w[\w.]*(Error|Exception|Interrupt)\b", line)]
    return re.sub(r"[0-9]+", "N", lines[-1][:120]) if lines else ""


def _place(err: str, *, innermost_first: bool = False) -> str:
    """The innermost frames of jaxlint in a traceback."""
    frames = [f"{match[1]}:{match[3]}" for match in _FRAME.finditer(err)]
    return " < ".join(frames[:3] if innermost_first else frames[:-4:-1])
