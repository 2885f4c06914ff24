"""What a page shows as `fixed` is what the rule's fix makes of the `bad` block above, byte for byte."""

from __future__ import annotations

from itertools import pairwise

import pytest

from jaxlint.rules.rule import registry
from tests.linting import fixed
from tests.rulebook_blocks import Block, rulebook_blocks

FIXERS = [slug for slug, rule in registry().items() if rule.fix is not None]


#: Each `fixed` block of a rule that has a fix, with the `bad` one above it.
PAIRS = [
    (bad, after)
    for bad, after in pairwise(rulebook_blocks())
    if after.kind == "fixed" and bad.page == after.page and after.slug in FIXERS
]


@pytest.mark.parametrize(("bad", "after"), PAIRS, ids=[str(bad) for bad, _ in PAIRS])
def test_the_fix_gives_the_fixed_block(bad: Block, after: Block) -> None:
    assert bad.kind == "bad"
    assert fixed(bad.code, bad.slug) == after.code


@pytest.mark.parametrize(("bad", "after"), PAIRS, ids=[str(bad) for bad, _ in PAIRS])
def test_the_fixed_block_needs_no_fix(bad: Block, after: Block) -> None:
    assert fixed(after.code, bad.slug) == after.code


@pytest.mark.parametrize(("bad", "after"), PAIRS, ids=[str(bad) for bad, _ in PAIRS])
def test_the_fix_keeps_the_line_ends_of_the_file(bad: Block, after: Block) -> None:
    assert fixed(bad.code.replace("\n", "\r\n"), bad.slug) == after.code.replace("\n", "\r\n")


@pytest.mark.parametrize("slug", FIXERS)
def test_a_fix_is_shown_on_the_page(slug: str) -> None:
    assert slug in {after.slug for _, after in PAIRS}
