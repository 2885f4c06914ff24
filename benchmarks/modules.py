#!/usr/bin/env python3
"""What it costs that modules are analysed together: a folder of packages, and a made project of modules in one cycle.

The first compares the CPU time of reading and analysing each package as one project with that of its files one by one.
The second writes a package of modules that import and call each other in a circle, and checks it.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import corpus_files
import corpus_findings
import measure

from jaxlint.analysis import analyse
from jaxlint.analysis.domain.findings import AnalysisOptions, Project
from jaxlint.rules.rule import registry
from jaxlint.syntax.source import SourceFile, read


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent / "corpus", help="of packages")
    parser.add_argument("--packages", default="chex,optimistix,penzai,optax,evosax", help="comma-separated")
    parser.add_argument("--modules", type=int, default=1000, help="of the project in one cycle")
    parser.add_argument("--jaxlint", default=corpus_findings.default_command(), help="command (default: %(default)s)")
    options = parser.parse_args()
    print(measure.machine("libcst"))
    for name in options.packages.split(","):
        _compare(options.folder / name)
    _cycle(options.modules, shlex.split(options.jaxlint))
    return 0


def _compare(folder: Path) -> None:
    start = time.process_time()
    sources = {source.path: source for source in _sources(folder)}
    reading = time.process_time() - start
    by_name = {source.name: source for source in sources.values()}
    alone = sum(_analysis({path: source}, {}) for path, source in sources.items())
    together = _analysis(sources, by_name)
    ratio = (reading + together) / (reading + alone)
    print(
        f"{folder.name:12} {len(sources):4} files: reading {reading:5.1f} s, analysis one by one {alone:5.1f} s, "
        f"together {together:5.1f} s: {ratio:.2f} of the time"
    )


def _sources(folder: Path) -> Iterator[SourceFile]:
    for path in corpus_files.python_files(folder):
        parts = path.relative_to(folder).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        source = read(str(path), path.read_bytes(), ".".join(parts[:-1] if is_package else parts), is_package)
        if isinstance(source, SourceFile):
            yield source


def _analysis(files: dict[str, SourceFile], by_name: dict[str, SourceFile]) -> float:
    """CPU seconds of the analysis of some files, which find each other by name."""
    start = time.process_time()
    analyse(Project(files, by_name.get), list(registry().values()), AnalysisOptions())
    return time.process_time() - start


_MODULE = """
import jax
import jax.numpy as jnp

from ring import m{next}, m{far}

SCALE = {number} / 100


def shifted(x, depth=0):
    y = jnp.sin(x) * SCALE
    return y if depth > 3 else m{next}.shifted(y, depth + 1)


def noisy(key, x):
    return x + jax.random.normal(key, x.shape) + m{far}.SCALE


@jax.jit
def step(x, key):
    if x.sum() > 0:
        return m{far}.noisy(key, x)
    return shifted(x)
"""


def _cycle(count: int, command: list[str]) -> None:
    """Check a package of `count` modules, each of which imports the next and one far away."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "ring"
        package.mkdir()
        (package / "__init__.py").touch()
        for number in range(count):
            text = _MODULE.format(number=number, next=(number + 1) % count, far=(number * 7 + 3) % count)
            (package / f"m{number}.py").write_text(text, encoding="utf-8")
        found = Path(folder) / "found.json"
        options = ("--isolated", "--no-cache", "-j", "1", "--output-format", "json", "--output-file", str(found))
        usage = measure.run([*command, "check", *options, "."], Path(folder))
        by_rule = json.loads(found.read_text(encoding="utf-8"))["summary"]["by_rule"]
    findings = by_rule.get("traced-branch", 0)
    print(
        f"ring of {count} modules: {usage.cpu_seconds:.1f} CPU s, {usage.peak_mib:.0f} MiB, "
        f"{findings} of {count} branches found, exit code {usage.status}"
    )


if __name__ == "__main__":
    sys.exit(main())
