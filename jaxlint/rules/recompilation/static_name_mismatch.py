"""static-name-mismatch: static and donated parameters must exist."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.recompilation import JitBinding
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("static-name-mismatch", code="JX503", category=Category.CORRECTNESS, on=JitBinding)
def static_name_mismatch(binding: JitBinding) -> Iterator[Finding]:
    """`static_argnames`, `static_argnums` or `donate_*` that name no parameter."""
    for option, missing in binding.mismatches:
        kind = "has no parameter at index" if isinstance(missing, int) else "has no parameter"
        shown = str(missing) if isinstance(missing, int) else f"`{missing}`"
        message = f"`{option}` is wrong: `{binding.target_name}` {kind} {shown}"
        yield binding.diagnostic(message)
