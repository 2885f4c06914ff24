"""non-array-result: a traced function returns arrays."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.pytrees import InvalidLeaf
from jaxlint.diagnostics import Category
from jaxlint.rules.pytrees._fix_registered import register
from jaxlint.rules.rule import rule


@rule("non-array-result", code="JX610", category=Category.CORRECTNESS, on=InvalidLeaf, fix=register)
def non_array_result(leaf: InvalidLeaf) -> Iterator[Finding]:
    """A traced function returns a string, function or other non-array object."""
    kind, what, is_nested, confidence, _ = leaf.fault
    if not leaf.is_result or kind not in ("instance", "enum", "function", "text"):
        return
    how = "holds" if is_nested else "is"
    message = f"`{leaf.operand.text}` {how} {what}, but a function under `{leaf.transform}` can return only arrays"
    fix = leaf.fix_request(words=(leaf.fault.class_name,)) if kind == "instance" else None
    yield leaf.diagnostic(message, notes=leaf.traced_by(), confidence=confidence, fix=fix)
