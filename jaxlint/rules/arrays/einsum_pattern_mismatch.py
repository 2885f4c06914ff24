"""einsum-pattern-mismatch: a pattern names the axes of the arrays that it is for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.arrays import PatternMismatch
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule

_WORDING: Final = {
    "count": "the pattern has {0} operand{s0}, but the call passes {1}",
    "rank": "`{0}` names {1} dimension{s1}, but `{operand}` has {2}",
    "twice": "`{0}` appears twice in the result",
    "new": "`{0}` appears in the result, but in no operand",
    "lost": "`{0}` appears in the operand, but not in the result",
    "no length": "`{0}` is new in the result and has no length",
    "length": "`{0}` has length {1} in `{operand}`, but {2} {other}",
    "group": "`({0})` has length {1} in `{operand}`, which is not a multiple of {2}",
}


@rule("einsum-pattern-mismatch", code="JX110", category=Category.CORRECTNESS, on=PatternMismatch)
def einsum_pattern_mismatch(mismatch: PatternMismatch) -> Iterator[Finding]:
    """A call of `einsum` or einops does not fit its pattern."""
    fault, operands = mismatch.fault, mismatch.operands
    words = fault.words
    plural = {f"s{n}": "" if word == "1" else "s" for n, word in enumerate(words)}
    by = words[3] if fault.kind == "length" else ""
    wording = _WORDING[fault.kind].format(
        *words,
        **plural,
        is1="is" if words[1:2] == ("1",) else "are",
        operand="" if fault.operand is None else operands[fault.operand].text,
        other=f"in `{operands[int(by)].text}`" if by else "as given",
    )
    yield mismatch.diagnostic(f'"{mismatch.pattern}": {wording}; the call raises')
