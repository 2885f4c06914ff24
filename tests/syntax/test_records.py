"""Records hold what libcst's own nodes hold, and leave libcst as it was."""

from __future__ import annotations

import sys

import libcst
import pytest

from jaxlint.syntax.records import Rebuilt, cst, parse_records
from tests.rulebook_blocks import FIXTURES
from tests.syntax.snippets import BLOCKS, LINES

TEXTS = [*LINES, *BLOCKS, *(path.read_text(encoding="utf-8") for path in sorted(FIXTURES.rglob("*.py")))]


def test_libcsts_tree_can_be_made_of_them() -> None:
    for text in TEXTS:
        assert Rebuilt(parse_records(text)).tree.deep_equals(libcst.parse_module(text))


def test_what_the_parser_leaves_out_is_libcsts_default() -> None:
    record = parse_records("f(x)\n").body[0].body[0].value  # type: ignore[union-attr, attr-defined]
    node = libcst.parse_expression("f(x)")
    assert isinstance(record, cst.Call)
    assert not isinstance(record, libcst.Call)
    assert record.lpar == node.lpar == ()
    argument = record.args[0]
    assert argument.equal is libcst.MaybeSentinel.DEFAULT
    assert Rebuilt(record).code == "f(x)"


def test_records_are_equal_to_themselves_alone() -> None:
    first, second = (parse_records("x\n") for _ in range(2))
    assert first == first
    assert first != second
    assert len({first, second}) == 2


@pytest.mark.parametrize("text", ["x = 1\n", "x = ("])
def test_libcst_is_itself_again(text: str) -> None:
    try:
        parse_records(text)
    except libcst.ParserSyntaxError:
        assert text == "x = ("
    assert sys.modules["libcst"] is libcst
    assert isinstance(libcst.parse_module("y\n"), libcst.Module)
