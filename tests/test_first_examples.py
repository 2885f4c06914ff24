"""What each rule says of the first example of its page, word for word: message and confidence, in one table.

`python -m tests.test_first_examples` writes the table again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jaxlint.diagnostics import Confidence
from jaxlint.rules.rule import registry
from tests.linting import diagnostics
from tests.rulebook_blocks import PAGES, Block, blocks_of

TABLE: Final = Path(__file__).with_suffix(".tsv")


def first_examples() -> list[Block]:
    """The first bad block of each page, by rule."""
    pages = sorted(PAGES.glob("*/*.md"), key=lambda page: page.stem)
    return [
        next(block for block in blocks_of(page) if block.kind == "bad") for page in pages if page.stem in registry()
    ]


def rows() -> list[str]:
    """The table, with a line for each finding of the rule in its example."""
    found = ["rule\tconfidence\tmessage"]
    for block in first_examples():
        oldest = block.options.get("oldest")
        own = diagnostics(block.code, block.slug, confidence=Confidence.POSSIBLE, oldest_jax=oldest)
        found += [f"{block.slug}\t{each.confidence.value}\t{each.message}" for each in own]
    return found


def test_rules_say_what_the_table_holds() -> None:
    assert rows() == TABLE.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    TABLE.write_text("\n".join(rows()) + "\n", encoding="utf-8")
