"""Every code block of the rule pages and every fixture, against the linter: what is marked is found, no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.engine.result import ENGINE_RULES
from jaxlint.rules.rule import registry
from tests.linting import marked_lines
from tests.rulebook_blocks import FIXTURES, Block, fixture_files, marks, rulebook_blocks, without_marks


@pytest.mark.parametrize("block", rulebook_blocks(), ids=str)
def test_linter_agrees_with_the_page(block: Block) -> None:
    assert marked_lines(block.code, {block.slug}, block.options.get("oldest")) == block.expected


@pytest.mark.parametrize("path", fixture_files(), ids=lambda path: str(path.relative_to(FIXTURES)))
def test_linter_agrees_with_the_fixture(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    before_proof = source.split("\ndef prove(")[0].count("\n") + 1
    named = {slug for _, slug in marks(source)}  # rules that are off or in preview are run where they are named
    found = {(line, slug) for line, slug in marked_lines(without_marks(source), named) if line <= before_proof}
    assert found == marks(source)


def test_marks_name_rules_that_exist() -> None:
    named = {slug for block in rulebook_blocks() for _, slug in block.expected}
    named |= {slug for path in fixture_files() for _, slug in marks(path.read_text(encoding="utf-8"))}
    assert named <= {*registry(), *ENGINE_RULES}
