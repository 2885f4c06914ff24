"""Records hold what libcst's own nodes hold, and leave libcst as it was."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import libcst
import pytest

from jaxlint.syntax.records import Rebuilt, cst, parse_records
from tests.rulebook_blocks import FIXTURES
from tests.syntax.snippets import BLOCKS, LINES

TEXTS = [*LINES, *BLOCKS, *(path.read_text(encoding="utf-8") for path in sorted(FIXTURES.rglob("*.py")))]


def test_libcsts_tree_can_be_made_of_them() -> None:
    for text in TEXTS:
        assert Rebuilt(parse_records(text)).tree.deep_equals(libcst.parse_module(text))


def test_what_the_parser_leaves_out_is_none() -> None:
    for text in TEXTS:
        for record in _records(parse_records(text)):
            node = getattr(libcst, type(record).__name__)
            for field in dataclasses.fields(node):
                is_read = "whitespace" not in field.name and node is not libcst.NotEqual
                if is_read and field.name not in vars(record):
                    assert field.default in (None, libcst.MaybeSentinel.DEFAULT)
                    assert getattr(record, field.name) is None, (node, field.name)


def _records(value: object) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _records(part)
    elif type(value).__module__ == cst.Name.__module__:
        yield value
        yield from _records(list(vars(value).values()))


def test_records_are_of_classes_of_their_own() -> None:
    record = parse_records("f(x)\n").body[0].body[0].value  # type: ignore[union-attr, attr-defined]
    assert isinstance(record, cst.Call)
    assert not isinstance(record, libcst.Call)
    assert Rebuilt(record).code == "f(x)"


def test_the_package_is_not_imported() -> None:
    program = """
import sys
from jaxlint.syntax.parse import Unparsable, parse
tree = parse("f(x)")
try:
    parse("f(")
except Unparsable as error:
    assert (error.line, error.column) == (1, 2), error
assert "libcst" not in sys.modules
import libcst
from jaxlint.syntax.records import Rebuilt
assert Rebuilt(tree).tree.deep_equals(libcst.parse_module("f(x)"))
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_records_are_equal_to_themselves_alone() -> None:
    first, second = (parse_records("x\n") for _ in range(2))
    assert first == first
    assert first != second
    assert len({first, second}) == 2


@pytest.mark.parametrize("text", ["x = 1\n", "x = ("])
def test_libcst_is_itself_again(text: str) -> None:
    try:
        parse_records(text)
    except cst.ParserSyntaxError:
        assert text == "x = ("
    assert sys.modules["libcst"] is libcst
    assert isinstance(libcst.parse_module("y\n"), libcst.Module)
