"""What the parser makes needs no validation: the trees are the same without."""

from __future__ import annotations

import libcst as cst
import pytest

from jaxlint.syntax.parse import trust_parser
from tests.rulebook_blocks import FIXTURES
from tests.syntax.snippets import BLOCKS, LINES

TEXTS = [*LINES, *BLOCKS, *(path.read_text(encoding="utf-8") for path in sorted(FIXTURES.rglob("*.py")))]


def test_trees_that_are_not_validated_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cst.CSTNode, "__post_init__", lambda node: node._validate())
    with pytest.raises(cst.CSTValidationError):
        cst.Name("")
    validated = [cst.parse_module(text) for text in TEXTS]
    trust_parser()
    assert cst.Name("").value == ""
    for text, tree in zip(TEXTS, validated, strict=True):
        assert cst.parse_module(text).deep_equals(tree)
