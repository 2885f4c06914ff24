"""What the unsafe fixes of all rules do to a package: which files change, and whether these still are Python."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import warnings
from dataclasses import dataclass
from pathlib import Path

import corpus_files
import libcst

OPTIONS = ("--isolated", "--no-cache", "--select", "ALL", "--fix-only", "--unsafe-fixes")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The files that changed, by path below the package, and for each that is no longer Python what it fails with."""

    package: str
    changed: tuple[str, ...]
    broken: dict[str, str]
    failure: str | None


def fix_copy(jaxlint: str, package: corpus_files.Package, work: Path, timeout: float) -> Outcome:
    """Fix a copy of the package in `work`, and look at every file that is different afterwards."""
    copy = work / package.name
    shutil.copytree(package.folder, copy, symlinks=True)
    command = [*shlex.split(jaxlint), "check", *OPTIONS, "."]
    try:
        process = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return Outcome(package.name, (), {}, f"no end after {timeout:.0f} s")
    failure = None if process.returncode in (0, 1) else f"exit code {process.returncode}: {process.stderr[-2000:]}"
    paths = [path.relative_to(copy) for path in corpus_files.python_files(copy)]
    changed = [path for path in paths if (copy / path).read_bytes() != (package.folder / path).read_bytes()]
    errors = {str(path): error for path in changed if (error := _error(copy / path)) is not None}
    return Outcome(package.name, tuple(map(str, changed)), errors, failure)


def _error(path: Path) -> str | None:
    source = path.read_bytes()
    try:
        libcst.parse_module(source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, str(path), "exec", dont_inherit=True)
    except (libcst.ParserSyntaxError, SyntaxError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return None
