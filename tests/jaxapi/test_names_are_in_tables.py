"""What is known of libraries is in the tables: no name of theirs stands in code that analyses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import jaxlint
from jaxlint.jaxapi.libraries import libraries

PACKAGE = Path(jaxlint.__file__).parent
#: The tables themselves, and what runs beside the user's own JAX.
EXEMPT = ("jaxapi", "verify/observe/injected", "verify/probe")
#: Fixes write code with JAX's and NumPy's functions, and rules speak of them.
WRITING = ("fixes", "rules")
WRITTEN = frozenset({row.name for row in libraries().values() if row.kind in ("core", "host")})
_QUALIFIED = re.compile(r"([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*\.?(?:\*)?")


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The string constants of a module, docstrings aside, with their lines; lists of words as words."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and is_text(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            words = node.value.split()
            if all(_QUALIFIED.fullmatch(word) for word in words):
                yield from ((node.lineno, word) for word in words)


def is_text(node: ast.AST) -> bool:
    body = getattr(node, "body", [])
    return bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)


def names_of_libraries(path: Path, allowed: frozenset[str]) -> Iterator[str]:
    """The qualified names in a module that belong to a library, but for those that are allowed."""
    for line, word in strings(ast.parse(path.read_text(encoding="utf-8"))):
        root, dot, _ = word.partition(".")
        if dot and root in libraries().keys() - allowed:
            yield f"{path.relative_to(PACKAGE).as_posix()}:{line} {word}"


def modules(*, writing: bool) -> list[Path]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if not place.startswith(EXEMPT) and place.startswith(WRITING) == writing:
            found.append(path)
    return found


@pytest.mark.parametrize(("writing", "allowed"), [(False, frozenset()), (True, WRITTEN)])
def test_names_of_libraries_are_in_tables(writing: bool, allowed: frozenset[str]) -> None:
    assert [name for path in modules(writing=writing) for name in names_of_libraries(path, allowed)] == []


SAMPLE = """
'''numpy.sum'''
one = "flax.linen.Module"
several = "optax.adam torch.nn".split()
part = f"jax.numpy.{one}"
prose = "see jax.jit, too"
"""


def test_names_are_found_in_every_kind_of_string() -> None:
    found = {word for _, word in strings(ast.parse(SAMPLE)) if "." in word}
    assert found == {"flax.linen.Module", "optax.adam", "torch.nn", "jax.numpy."}
