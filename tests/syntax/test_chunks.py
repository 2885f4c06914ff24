"""A file parsed statement by statement is the file parsed whole, after any edit; half-typed code keeps the rest."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.syntax import ir
from jaxlint.syntax.chunks import ChunkedFile, affected
from jaxlint.syntax.deep_stack import run_deep
from jaxlint.syntax.documents import Document
from jaxlint.syntax.source import SourceFile, read_module
from jaxlint.syntax.splitting import split

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = [
    *sorted((ROOT / "jaxlint" / "syntax").glob("*.py")),
    *sorted((ROOT / "jaxlint" / "lsp").glob("*.py")),
    *sorted((ROOT / "examples").rglob("*.py")),
]


def normal(node, ordinals, functions, classes):
    """The code with ordinals and indices counted from 0, and floats that equal themselves."""
    if not isinstance(node, tuple):
        return repr(node) if isinstance(node, float) else node
    parts = [normal(part, ordinals, functions, classes) for part in node]
    fields = getattr(node, "_fields", None)
    if fields is None:
        return tuple(parts)
    if fields[-1] == "at":
        parts[-1] = ordinals[node[-1]]
    if isinstance(node, ir.Function):
        parts[-2] = functions.setdefault(node[-2], len(functions))
    if isinstance(node, ir.Class):
        parts[-2] = classes.setdefault(node[-2], len(classes))
    return (node.__class__.__name__, *parts)


def shape(source: SourceFile):
    ordinals = {at: index for index, at in enumerate(source.ordinals)}
    places = [source.offsets(at) for at in ordinals]
    assert list(ordinals) == sorted(ordinals)
    return (normal(source.module.body, ordinals, {}, {}), places, source.module.scope, source.module.imports)


def chunked(text: str) -> ChunkedFile:
    file = ChunkedFile("a.py", "a", False)
    run_deep(lambda: file.update(text))
    return file


def whole(text: str):
    return run_deep(lambda: read_module("a.py", Document(text, text, "utf-8"), "a", False))


def edits(text: str, count: int, seed: int) -> Iterator[str]:
    """Versions of a text, most of them half-typed."""
    choose = random.Random(seed)
    inserted = ["x = 1", "@foo", '"""', "foo(", ")", "else:", "class Q:", "# note", "    y = 2", "def g(): return 1"]
    for _ in range(count):
        lines = text.split("\n")
        line = choose.randrange(len(lines))
        kind = choose.randrange(5)
        if kind == 0:
            lines.insert(line, choose.choice(inserted))
        elif kind == 1:
            del lines[line]
        elif kind == 2:
            lines[line] += choose.choice([" + 1", "  # note", "(", ' "', "0"])
        elif kind == 3:
            lines[line] = lines[line][: len(lines[line]) // 2]
        else:
            other = choose.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
        changed = "\n".join(lines)
        yield changed
        if isinstance(whole(changed), SourceFile):
            text = changed


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_in_pieces_is_the_whole_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    file = chunked(text)
    assert file.mistakes == []
    assert shape(file.source) == shape(whole(text))


@pytest.mark.parametrize("path", FILES[::5], ids=lambda path: path.name)
def test_after_each_edit_it_is_the_file_parsed_anew(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    file = chunked(text)
    for version in edits(text, 8, seed=len(text)):
        run_deep(lambda version=version: file.update(version))
        expected = whole(version)
        assert bool(file.mistakes) == (not isinstance(expected, SourceFile)), version
        if isinstance(expected, SourceFile):
            assert shape(file.source) == shape(expected)


TEXT = '''\
import jax


def first(x):
    return x + 1


class Model:
    """A model."""

    width = 3

    @property
    def double(self):
        return 2 * self.width

    def run(self, x):
        return first(x)


def last(x):
    return Model().run(x)
'''


def test_statements_of_classes_stand_alone() -> None:
    pieces = [TEXT[extent.start : extent.end].split("\n", maxsplit=1)[0] for extent in split(TEXT)]
    assert pieces == [
        "import jax", "def first(x):", "class Model:", '    """A model."""', "    width = 3", "    @property",
        "    def run(self, x):", "def last(x):",
    ]  # fmt: skip


def test_an_edit_changes_one_statement() -> None:
    file = chunked(TEXT)
    before = {chunk.key for chunk in file.chunks}
    run_deep(lambda: file.update(TEXT.replace("2 * self", "4 * self")))
    assert len(file.changed) == 1
    assert len(file.changed - before) == 1
    assert len(file.removed) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return x + 1", "return x + ("),
        ("return x + 1", 'return x + "'),
        ("return x + 1", 'return x + """'),
        ("def first(x):", "def first(x"),
        ("return 2 * self.width", "return 2 * self."),
        ("class Model:", "class Model("),
    ],
)
def test_half_typed_code_keeps_the_untouched_parts(old: str, new: str) -> None:
    file = chunked(TEXT)
    kept = {chunk.key for chunk in file.chunks}
    run_deep(lambda: file.update(TEXT.replace(old, new)))
    assert len(file.mistakes) == 1
    assert {chunk.key for chunk in file.chunks if not chunk.failure} == kept
    assert sum(chunk.is_stale for chunk in file.chunks) == 1
    last = next(chunk for chunk in file.chunks if chunk.text.startswith("def last"))
    assert file.text[last.start : last.end] == last.text
    run_deep(lambda: file.update(TEXT))
    assert file.mistakes == []
    assert shape(file.source) == shape(whole(TEXT))


def test_what_uses_a_changed_statement_is_affected() -> None:
    file = chunked(TEXT)
    run_deep(lambda: file.update(TEXT.replace("x + 1", "x + 2")))
    met = affected(file.chunks, file.changed, file.removed)
    assert [chunk.text.split("(")[0].split("\n")[0].strip() for chunk in file.chunks if chunk.key in met] == [
        "def first", "def run", "def last",
    ]  # fmt: skip


FEEDS = "\f@f\n\fdef g():\n\f    1\n\fclass A:\n\f  x = 1\n\f  def f(): 1\n\fz\n"


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a comment\n", "x = 1", "\r\nx = 1\r\ny = 2\r\n", "\fx = 1\n", FEEDS]
)
def test_odd_texts(text: str) -> None:
    file = chunked(text)
    assert file.mistakes == []
    assert shape(file.source) == shape(whole(text))


LINES = [
    "\\", " \\", "x = 1", "x = \\", "", "    y", "\f    y", "\fx", "def f():", "class A:", "    def g(self):",
    "        z", "@f", "# c", "else:", "if x:",
]  # fmt: skip


@settings(deadline=None, max_examples=600)
@given(st.lists(st.sampled_from(LINES), max_size=7), st.sampled_from(["\n", "\r\n"]))
def test_any_lines_in_pieces_are_the_whole(lines: list[str], newline: str) -> None:
    text = "".join(line + newline for line in lines)
    file, expected = chunked(text), whole(text)
    assert bool(file.mistakes) == (not isinstance(expected, SourceFile))
    if isinstance(expected, SourceFile):
        assert shape(file.source) == shape(expected)
