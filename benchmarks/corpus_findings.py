"""What `jaxlint check` says of each package of a corpus: one JSON document that later runs are compared with."""

from __future__ import annotations

import json
import resource
import shlex
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from corpus_files import Package

ENGINE_FAILURES = ("JXE01", "JXE02", "JXE03", "JXE04")


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic of one package; `path` and the notes' paths are relative to the package's folder.

    `id` names it over runs: it does not change when other files, or other lines of its file, do.
    """

    id: str
    package: str
    path: str
    line: int
    end_line: int
    rule: str
    code: str
    category: str
    confidence: str
    message: str
    notes: tuple[dict[str, Any], ...] = ()

    @property
    def place(self) -> str:
        """`package/path:line`."""
        return f"{self.package}/{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class PackageRun:
    """How one run of `jaxlint check` went: `failure` is None unless the process itself failed."""

    package: str
    files: int
    lines: int
    wall_seconds: float
    cpu_seconds: float
    failure: str | None
    stderr: str
    summary: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CorpusRun:
    """The runs of all packages and their findings, in the order of the reports."""

    folder: str
    runs: tuple[PackageRun, ...]
    findings: tuple[Finding, ...]

    def by_rule(self) -> Counter[tuple[str, str, str]]:
        """Findings by (code, rule, category)."""
        return Counter((finding.code, finding.rule, finding.category) for finding in self.findings)


def statistics(run: CorpusRun) -> dict[str, Counter[str]]:
    """The tables of `--statistics`, each summed over the packages."""
    tables: dict[str, Counter[str]] = {}
    for package in run.runs:
        for title, counts in package.summary.get("statistics", {}).items():
            tables.setdefault(title, Counter()).update(counts)
    return tables


def default_command() -> str:
    """The `jaxlint` beside this interpreter; the module, isolated from the working directory, where no script is."""
    script = Path(sys.executable).with_name("jaxlint")
    return shlex.quote(str(script)) if script.is_file() else f"{shlex.quote(sys.executable)} -I -m jaxlint"


def check(command: str, package: Package, options: list[str], timeout: float) -> tuple[PackageRun, list[Finding]]:
    """Run `check` on one package from its own folder."""
    # The corpus stands in an ignored folder of this repository: its files would be skipped.
    arguments = ["check", "--isolated", "--no-cache", "--statistics", "--output-format", "json"]
    arguments += ["--config", "respect-gitignore = false", *options, "."]
    started, used = time.perf_counter(), _children_seconds()
    try:
        process = subprocess.run(
            [*shlex.split(command), *arguments], cwd=package.folder, capture_output=True, check=False, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return _run(package, started, used, f"no end after {timeout:.0f} s", ""), []
    stderr = process.stderr.decode("utf-8", "replace")
    report, failure = _report(process.returncode, process.stdout)
    run = replace(_run(package, started, used, failure, stderr), summary=report.get("summary", {}))
    return run, [_finding(package.name, item) for item in report.get("diagnostics", [])]


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _run(package: Package, started: float, used: float, failure: str | None, stderr: str) -> PackageRun:
    wall, cpu = time.perf_counter() - started, _children_seconds() - used
    return PackageRun(package.name, package.files, package.lines, wall, cpu, failure, stderr)


def _report(status: int, stdout: bytes) -> tuple[dict[str, Any], str | None]:
    try:
        report: dict[str, Any] = json.loads(stdout)
    except ValueError:
        return {}, f"exit code {status}, stdout is not JSON"
    if status not in (0, 1):
        return report, f"exit code {status}"
    if "Traceback (most recent call last)" in stdout.decode("utf-8", "replace"):
        return report, "a traceback in the report"
    return report, None


def _finding(package: str, item: dict[str, Any]) -> Finding:
    name = "\0".join((package, item["path"], item["rule"], item["fingerprint"] or str(item["line"])))
    return Finding(
        id=blake2b(name.encode(), digest_size=6).hexdigest(),
        package=package,
        path=item["path"],
        line=item["line"],
        end_line=item["end_line"],
        rule=item["rule"],
        code=item["code"],
        category=item["category"],
        confidence=item["confidence"],
        message=item["message"],
        notes=tuple(item["notes"]),
    )


def write(run: CorpusRun, path: Path) -> None:
    """Save a run; `read` gives it back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(run), indent=1), encoding="utf-8")


def read(path: Path) -> CorpusRun:
    """A run that `write` saved."""
    if not path.is_file():
        sys.exit(f"corpus: {path} is not there: `python benchmarks/corpus.py check` writes it")
    document = json.loads(path.read_text(encoding="utf-8"))
    findings = tuple(Finding(**(item | {"notes": tuple(item["notes"])})) for item in document["findings"])
    return CorpusRun(document["folder"], tuple(PackageRun(**item) for item in document["runs"]), findings)
