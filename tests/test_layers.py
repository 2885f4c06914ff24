"""The architecture as it is drawn: who may import whom, and how large and how named a file may be."""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "jaxlint"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: The parts of a package, each a folder or a module; one may import those before it, and of those after it nothing.
LAYERS = {
    "jaxlint": (
        "text", "version", "progress", "mentions", "diagnostics", "syntax", "jaxapi", "analysis", "fixes", "rules",
        "config", "files", "engine", "edit", "report", "verify", "api", "lsp", "cli", "__main__",
    ),
    "jaxlint.analysis": (
        "domain", "events", "machine", "source", "typestate", "summaries", "python", "jax", "project",
    ),
}  # fmt: skip
#: Modules that import each other in a circle can only be understood together.
MAX_CIRCLE = 10
MAX_LOOSE = 6
#: These run in the user's interpreter, beside the user's JAX.
SEES_JAX = ("verify/observe/injected", "verify/probe")
JAX = ("jax", "jaxlib", "flax", "equinox", "optax", "haiku", "numpyro", "numpy")
#: What rules may import of their layer: the declaration of rules, and wordings that a family's rules share.
SHARED = re.compile(r"jaxlint\.rules\.(rule|\w+\._\w+)(\.|$)")
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
MAX_LINES = 500


@dataclass(frozen=True)
class Import:
    """One imported module, by its absolute name, and the line that imports it."""

    name: str
    line: int


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> Iterator[Import]:
    """Every import of the file, those inside functions and `if TYPE_CHECKING` too."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            yield from (Import(f"{module}.{alias.name}", node.lineno) for alias in node.names)


def part(path: Path) -> str:
    """The folder or module directly under `jaxlint/` that the file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def module_of(path: Path) -> str:
    """The absolute name of the module that the file holds."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


NAMES = {module_of(path): path for path in MODULES}


def imported_modules(path: Path) -> Iterator[Import]:
    """The modules of jaxlint itself that the file imports; a package where a name is taken from its `__init__`."""
    for found in imports(path):
        name = found.name if found.name in NAMES else found.name.rpartition(".")[0]
        if name in NAMES and NAMES[name] != path:
            yield Import(name, found.line)


def rank(package: str, name: str) -> int:
    """The layer of a module of the package; -1 for the package's own `__init__`, which no layer need import."""
    rest = name[len(package) + 1 :]
    return LAYERS[package].index(rest.split(".")[0]) if rest else -1


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


@pytest.mark.parametrize("package", LAYERS)
def test_every_part_has_a_layer(package: str) -> None:
    parts = {name[len(package) + 1 :].split(".")[0] for name in NAMES if name.startswith(f"{package}.")}
    assert parts == set(LAYERS[package])


@pytest.mark.parametrize("package", LAYERS)
def test_imports_point_downwards(package: str) -> None:
    inside = {name: path for name, path in NAMES.items() if name.startswith(f"{package}.")}
    upwards = [
        f"{place(path, found.line)} imports {found.name}"
        for name, path in inside.items()
        for found in imported_modules(path)
        if found.name in inside and rank(package, found.name) > rank(package, name)
    ]
    assert upwards == []


def test_circles_are_small() -> None:
    graph = {name: {found.name for found in imported_modules(path)} for name, path in NAMES.items()}
    reached = {name: reachable(graph, name) for name in graph}
    circles = [sorted(other for other in reached[name] if name in reached[other]) for name in graph]
    largest: list[str] = max(circles, key=len)
    assert len(largest) <= MAX_CIRCLE, largest


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_few_modules_are_loose() -> None:
    loose = [path for path in PACKAGE.glob("*.py") if path.stem not in ("__init__", "__main__")]
    assert len(loose) <= MAX_LOOSE


def test_jax_is_never_imported_into_the_linter() -> None:
    found = [
        f"{place(path, found.line)} imports {found.name}"
        for path in MODULES
        if not path.relative_to(PACKAGE).as_posix().startswith(SEES_JAX)
        for found in imports(path)
        if found.name.split(".")[0] in JAX
    ]
    assert found == []


def test_only_syntax_knows_libcst() -> None:
    found = [
        place(path, found.line)
        for path in MODULES
        if part(path) != "syntax"
        for found in imports(path)
        if found.name.split(".")[0] == "libcst"
    ]
    assert found == []


def test_a_rule_imports_no_other_rule() -> None:
    rules = [path for path in MODULES if part(path) == "rules" and len(path.relative_to(PACKAGE).parts) == 3]
    found = [
        f"{place(path, found.line)} imports {found.name}"
        for path in rules
        for found in imports(path)
        if found.name.startswith("jaxlint.rules.") and not SHARED.match(found.name)
    ]
    assert found == []


def test_files_are_short() -> None:
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_bytes().splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > MAX_LINES} == {}


def test_names_say_something() -> None:
    assert [path for path in MODULES if VAGUE & {path.stem, *path.relative_to(PACKAGE).parts}] == []


def test_functions_are_short() -> None:
    lengths = [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert statistics.median(lengths) <= 12
    assert statistics.quantiles(lengths, n=20)[-1] <= 45
