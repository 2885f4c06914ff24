"""spec-rank-mismatch: a spec has at most as many parts as its array has dimensions."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.sharding import SpecMismatch
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("spec-rank-mismatch", code="JX752", category=Category.CORRECTNESS, on=SpecMismatch)
def spec_rank_mismatch(mismatch: SpecMismatch) -> Iterator[Finding]:
    """A spec has more parts than its array has dimensions."""
    array, count = mismatch.array.text, len(mismatch.spec.parts)
    whose = f"a leaf of `{array}`" if mismatch.is_tree else f"`{array}`"
    yield mismatch.diagnostic(f"`{mismatch.spec}` splits {count} dimensions, but {whose} has {mismatch.rank}")
