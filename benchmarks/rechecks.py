"""What a check costs after a change, and how it grows: used by `speed.py`, which prints the tables."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import corpus_files
import measure

#: Files and lines of generated projects, each ten times the one before.
FILES = (100, 1_000, 10_000)
LINES = (1_000, 10_000, 100_000)

_MODULE = '''"""Module {number}."""

import jax
import jax.numpy as jnp

{imports}
def step_{number}(x, key):
    noise = jax.random.normal(key, x.shape)
    return jnp.tanh(x) + noise


run_{number} = jax.jit(step_{number})
'''
_FUNCTION = """
def part_{number}(x, key):
    first, second = jax.random.split(key)
    y = jax.random.normal(first, x.shape) * {number}
    return jnp.where(x > 0, x + y, x - jax.random.uniform(second, x.shape))

"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one check cost."""

    what: str
    usage: measure.Usage


def after_changes(check: Sequence[str], folder: Path) -> Iterator[Cost]:
    """Checks of a folder with a cache: cold, unchanged, and after one more statement in one file of the most lines.

    A leaf is imported by no other file of the folder; the hub is imported by most.
    """
    leaf, hub = _leaf_and_hub(folder)
    for jobs in ("-j1", "-j2"):
        cache = folder.parent / f"cache{jobs}"
        command = [*check, "--cache-dir", str(cache), jobs, "."]
        yield Cost(f"cold, {jobs}", measure.run(command, folder))
        yield Cost(f"unchanged, {jobs}", measure.run(command, folder))
        for name, path in (("a leaf", leaf), ("the hub", hub)):
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n_changed{jobs.replace('-', '_')} = 0\n")
            yield Cost(f"{name} changed ({path.relative_to(folder)}), {jobs}", measure.run(command, folder))


def _leaf_and_hub(folder: Path) -> tuple[Path, Path]:
    """A file of the largest package that no other imports, of middling length, and the one that most import."""
    names = {".".join(path.relative_to(folder).with_suffix("").parts[1:]): path for path in _library(folder)}
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    counts = Counter(name for path in names.values() for name in {*_imports(path)} if name in names)
    leaves = [path for name, path in names.items() if not counts[name] and path.name != "__init__.py"]
    leaves.sort(key=lambda path: path.stat().st_size)
    modules = [name for name, path in names.items() if path.name != "__init__.py"]
    return leaves[len(leaves) // 2], names[max(modules, key=lambda name: (counts[name], name))]


def _library(folder: Path) -> list[Path]:
    """The files of the package with the most lines that mention JAX."""
    largest = max(corpus_files.packages(folder), key=lambda package: package.lines)
    return [path for path in corpus_files.python_files(largest.folder) if b"jax" in path.read_bytes()]


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def growth(check: Sequence[str], scratch: Path, steps: int) -> Iterator[Cost]:
    """Checks of generated projects, by the number of files and by the length of one; so many `steps` of each."""
    for count in FILES[:steps]:
        yield _generated(check, scratch / f"files_{count}", f"{count} files of 15 lines", partial(many, count))
    for count in LINES[:steps]:
        yield _generated(check, scratch / f"lines_{count}", f"one file of {count} lines", partial(long, count))


def _generated(check: Sequence[str], folder: Path, what: str, write: Callable[[Path], None]) -> Cost:
    folder.mkdir()
    write(folder)
    return Cost(what, measure.run([*check, "--no-cache", "-j1", "."], folder))


def many(count: int, folder: Path) -> None:
    """Modules in packages of a hundred, each of which imports the one before."""
    for number in range(count):
        package = folder / f"package_{number // 100}"
        package.mkdir(exist_ok=True)
        before = number - 1
        imports = f"from package_{before // 100}.module_{before} import run_{before}\n\n" if number % 100 else ""
        (package / f"module_{number}.py").write_text(_MODULE.format(number=number, imports=imports), encoding="utf-8")


def long(lines: int, folder: Path) -> None:
    head = "import jax\nimport jax.numpy as jnp\n"
    parts = (_FUNCTION.format(number=number) for number in range(lines // _FUNCTION.count("\n")))
    (folder / "long.py").write_text(head + "".join(parts), encoding="utf-8")
