"""Running programs under `jaxlint verify`, and reading what it reports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from jaxlint.diagnostics import Diagnostic
from jaxlint.report.paths import PathPrinter
from jaxlint.verify.observe.observe import observe as observe_here
from jaxlint.verify.report.verify_json import json_text

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).resolve().parent / "programs"
SCHEMA = json.loads((ROOT / "jaxlint/verify/report/verify_schema_v1.json").read_text(encoding="utf-8"))
#: The interpreter whose JAX is observed: another one than that of the tests where a script says so.
PYTHON = os.environ.get("JAXLINT_TEST_PYTHON", sys.executable)
#: Where JAX runs them, as `JAX_PLATFORMS` takes it.
PLATFORM = os.environ.get("JAXLINT_TEST_PLATFORM", "cpu")


@dataclass(frozen=True)
class Observed:
    """One run: its exit code, its own output, and the report."""

    code: int
    out: str
    err: str
    report: dict[str, Any]

    def function(self, name: str) -> dict[str, Any]:
        """The one function of that qualified name."""
        found = [function for function in self.report["functions"] if function["name"] == name]
        assert len(found) == 1, [function["name"] for function in self.report["functions"]]
        return found[0]

    @property
    def judged(self) -> list[dict[str, Any]]:
        """The findings of the check, with their verdicts."""
        return [finding for finding in self.report["findings"] if finding["source"] == "check"]

    def traces(self) -> dict[str, int]:
        return {function["name"]: function["traces"] for function in self.report["functions"]}

    def reasons(self, name: str) -> list[str]:
        return [miss["reason"] for miss in self.function(name)["misses"]]


def verify(
    *arguments: str, cwd: Path, env: dict[str, str] | None = None, timeout: float = 400
) -> subprocess.CompletedProcess[str]:
    """`jaxlint verify` as users run it."""
    full = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": PLATFORM, **(env or {})}
    command = [sys.executable, "-m", "jaxlint", "verify", *arguments]
    return subprocess.run(command, cwd=cwd, env=full, capture_output=True, text=True, timeout=timeout, check=False)


def observe(command: list[str], cwd: Path, *options: str, env: dict[str, str] | None = None) -> Observed:
    """Observe a command; the report must keep to its schema."""
    target = cwd / "report.json"
    done = verify("--output-format", "json", "-o", str(target), *options, "--", *command, cwd=cwd, env=env)
    assert target.exists(), done.stderr
    report = json.loads(target.read_text(encoding="utf-8"))
    Draft202012Validator(SCHEMA).validate(report)
    return Observed(done.returncode, done.stdout, done.stderr, report)


def observe_with(findings: Sequence[Diagnostic], script: Path) -> Observed:
    """Observe a script as it stands, with findings that no check has found."""
    with tempfile.TemporaryFile() as file:
        with _standard_output(file.fileno()):
            found, ended = observe_here(
                [PYTHON, str(script)], findings, checked_at=time.time(), count_calls=False, timeout=300
            )
        file.seek(0)
        out = file.read().decode()
    report = json.loads(json_text(found, PathPrinter(str(script.parent)), indent=None))
    return Observed(ended.code, out, "", report)


@contextmanager
def _standard_output(descriptor: int) -> Iterator[None]:
    """Children write there."""
    kept = os.dup(1)
    os.dup2(descriptor, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def observe_code(code: str, cwd: Path, *options: str, env: dict[str, str] | None = None) -> Observed:
    """Observe a script of its own."""
    script = cwd / "program.py"
    script.write_text(code, encoding="utf-8")
    return observe([PYTHON, script.name], cwd, *options, env=env)
