"""The table of proofs is whole, and the page shows it."""

from __future__ import annotations

import re
from pathlib import Path

from jaxlint.rules.rule import registry
from jaxlint.verify.observe import run_verdicts
from jaxlint.verify.run_proofs import RUN_PROOFS, UNPROVABLE
from tests.linting import diagnostics
from tests.rulebook_blocks import rulebook_blocks

PAGE = Path(__file__).resolve().parents[2] / "docs" / "verify.md"


def test_each_rule_has_a_proof_or_a_reason_why_not() -> None:
    assert set(RUN_PROOFS) | set(UNPROVABLE) == set(registry())
    assert not set(RUN_PROOFS) & set(UNPROVABLE)


def test_each_proof_has_a_judge() -> None:
    assert {proof.judge for proof in RUN_PROOFS.values()} == set(run_verdicts._JUDGES)


def test_each_note_that_is_watched_is_a_note_of_the_rule() -> None:
    watched = {slug: proof.notes for slug, proof in RUN_PROOFS.items() if proof.notes}
    blocks = [block for block in rulebook_blocks() if block.kind == "bad" and block.slug in watched]
    found = [finding for block in blocks for finding in diagnostics(block.code)]
    noted = {slug: [n.message for f in found if f.rule == slug for n in f.notes] for slug in watched}
    silent = {slug for slug, notes in noted.items() if not any(n.startswith(watched[slug]) for n in notes)}
    assert silent == set()


def test_the_page_shows_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[a-z0-9-]+`(?:, `[a-z0-9-]+`)*) \| (.*) \|$", text, re.MULTILINE)
    shown = {slug.strip("`"): words for slugs, words in rows for slug in slugs.split(", ")}
    expected = {slug: proof.text for slug, proof in RUN_PROOFS.items()}
    expected |= {slug: f"not by a run: {why}" for slug, why in UNPROVABLE.items()}
    assert {slug: shown.get(slug) for slug in expected} == expected
