"""Fixes of keys: what they make of the programs in tests/fixes/keys, whose draws then differ on JAX."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.linting import diagnostics, fixed

FOLDER = Path(__file__).parent / "keys"
#: What stands before a program that imports nothing.
HEAD = """\
import jax


def draw(key, *shape):
    return jax.random.normal(key, (3,))


"""
_SECTION = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!^## ).*\n)*)", re.MULTILINE)
_BLOCK = re.compile(r"^```python (?P<kind>before|after|draws)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


class Program(NamedTuple):
    """One section of a page that is called like its rule.

    `after` is what the fix is to make of `before`, None where it is to leave it alone; `draws` an expression whose
    arrays are to differ then, empty where nothing is run.
    """

    slug: str
    title: str
    before: str
    after: str | None
    draws: str

    def __str__(self) -> str:
        return f"{self.slug}: {self.title}"


def _programs() -> Iterator[Program]:
    for page in sorted(FOLDER.glob("*.md")):
        for section in _SECTION.finditer(page.read_text(encoding="utf-8")):
            blocks = {block["kind"]: block["code"] for block in _BLOCK.finditer(section["body"])}
            before, after = _with_head(blocks["before"]), blocks.get("after")
            whole = None if after is None else _with_head(after)
            yield Program(page.stem, section["title"], before, whole, blocks.get("draws", "").strip())


def _with_head(text: str) -> str:
    return text if text.startswith(("import ", "from ")) else HEAD + text


PROGRAMS = list(_programs())


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_the_fix(program: Program) -> None:
    """It makes what the page says, or nothing, and the rule then finds nothing more."""
    after = fixed(program.before, program.slug)
    assert after == (program.before if program.after is None else program.after)
    assert diagnostics(program.before, program.slug)
    if program.after is not None:
        assert [found.message for found in diagnostics(after, program.slug)] == []


@pytest.mark.jax
@pytest.mark.parametrize("program", [program for program in PROGRAMS if program.draws], ids=str)
def test_the_draws_differ(program: Program) -> None:
    """Some pair of them is equal before, and none afterwards."""
    assert program.after is not None
    assert _equal_pairs(program.before, program.draws) > 0
    assert _equal_pairs(program.after, program.draws) == 0


def _equal_pairs(source: str, draws: str) -> int:
    import jax

    names: dict[str, object] = {}
    exec(compile(source, "<program>", "exec"), names)
    found = jax.tree.leaves(eval(draws, names))
    assert len(found) > 1
    return sum(bool((a == b).all()) for a, b in itertools.combinations(found, 2))
