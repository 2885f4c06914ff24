"""Every rule page follows the grammar, and agrees with the code of its rule."""

from __future__ import annotations

import pytest

from jaxlint.engine.result import ENGINE_RULES
from jaxlint.engine.rulebook import (
    CONFIDENCE,
    SECTIONS,
    Page,
    PageError,
    pages,
    parse_info,
    parse_page,
    without_page_links,
)
from jaxlint.rules.rule import registry

PAGES = list(pages().values())
#: A reader takes in the first example at a glance.
LONGEST_FIRST_EXAMPLE = 15


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.slug)
def test_page(page: Page) -> None:
    sections = tuple(page.sections)
    assert sections in (SECTIONS, (*SECTIONS[:5], CONFIDENCE, *SECTIONS[5:]))
    assert page.summary
    assert len(page.blocks[0].code.splitlines()) <= LONGEST_FIRST_EXAMPLE
    kinds = [block.kind for block in page.blocks]
    assert "bad" in kinds
    assert "good" in kinds
    for block, after in zip(page.blocks, (*page.blocks[1:], None), strict=True):
        assert bool(block.expected) == (block.kind == "bad"), f"line {block.line}"
        if block.kind == "bad" and "raises" not in block.options:
            assert after is not None
            assert after.kind in ("proof", "fixed"), f"line {block.line} has neither `raises` nor a proof"


@pytest.mark.parametrize("slug", registry())
def test_every_rule_has_its_page(slug: str) -> None:
    rule, page = registry()[slug], pages()[slug]
    assert (page.code, page.family) == (rule.code, rule.family)


def test_codes_and_slugs_are_unique() -> None:
    codes = [page.code for page in PAGES] + [rule.code for rule in ENGINE_RULES.values()]
    assert len(set(codes)) == len(codes)


def test_info_strings() -> None:
    assert parse_info("bad raises=jax.errors.X jax>=0.5 requires=flax,optax") == (
        "bad", {"raises": "jax.errors.X", "jax": "0.5", "requires": "flax,optax"},
    )  # fmt: skip
    assert parse_info('good run=no reason="needs a TPU"') == ("good", {"run": "no", "reason": "needs a TPU"})


@pytest.mark.parametrize(
    "info", ["baad", "bad raises", "bad jax=0.5", "bad raises>=x", "good run=no", "bad colour=red"]
)
def test_wrong_info_strings(info: str) -> None:
    with pytest.raises(PageError):
        parse_info(info)


def test_marks_and_lines() -> None:
    page = parse_page("# a-b (JX999)\n\n## Example\n```python bad\nx = 1\ny = 2  # expect: a-b, c\n```\n", "f")
    (block,) = page.blocks
    assert block.expected == {(2, "a-b"), (2, "c")}
    assert block.source == "x = 1\ny = 2\n"
    assert block.line == 4


def test_a_page_needs_its_title() -> None:
    with pytest.raises(PageError):
        parse_page("# Traced branch\n", "f")


def test_links_to_pages_become_words_and_code_stays() -> None:
    text = "A [traced](../../docs/terms.md#trace) `fs[i](x)`, see [b](b.md) and [JAX](https://docs.jax.dev/a.md)."
    assert without_page_links(text) == "A traced `fs[i](x)`, see b and [JAX](https://docs.jax.dev/a.md)."
