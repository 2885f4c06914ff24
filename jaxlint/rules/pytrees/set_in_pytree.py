"""set-in-pytree: sets, views, iterators and strings are no containers of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.pytrees import InvalidLeaf
from jaxlint.diagnostics import Category
from jaxlint.rules.pytrees._fix_containers import as_list
from jaxlint.rules.rule import rule


@rule("set-in-pytree", code="JX604", category=Category.CORRECTNESS, on=InvalidLeaf, fix=as_list)
def set_in_pytree(leaf: InvalidLeaf) -> Iterator[Finding]:
    """A traced function takes a set, view, iterator or string, or returns a set."""
    kind, what, is_nested, confidence, _ = leaf.fault
    is_text = kind == "text" and is_nested and not leaf.is_result
    if kind not in ("collection", "iterator") and not is_text:
        return
    how = "holds" if is_nested else "is"
    verb = "return" if leaf.is_result else "take"
    name = leaf.transform
    message = f"`{leaf.operand.text}` {how} {what}, which a function under `{name}` cannot {verb}"
    notes = () if is_text else (FindingNote(f"JAX treats {what} as a leaf; use a list, tuple or dict", None),)
    yield leaf.diagnostic(message, notes=notes, confidence=confidence, fix=leaf.fix_request(words=(what,)))
