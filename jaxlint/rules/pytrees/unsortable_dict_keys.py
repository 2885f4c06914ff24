"""unsortable-dict-keys: JAX sorts the keys of dicts."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.pytrees import InvalidLeaf, UnsortableKeys
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("unsortable-dict-keys", code="JX605", category=Category.CORRECTNESS, on=(InvalidLeaf, UnsortableKeys))
def unsortable_dict_keys(tree: InvalidLeaf | UnsortableKeys) -> Iterator[Finding]:
    """A dict with keys that cannot be sorted is used as a pytree."""
    kind, what, is_nested, confidence, _ = tree.fault
    if kind != "keys":
        return
    function = tree.transform if isinstance(tree, InvalidLeaf) else tree.function
    how = "holds a dict whose keys" if is_nested else "is a dict whose keys"
    message = f"`{tree.operand.text}` {how} {what} cannot be sorted; `{function}` raises"
    note = FindingNote("JAX flattens a dict in sorted key order; an `OrderedDict` keeps its own order", None)
    yield tree.diagnostic(message, notes=(note,), confidence=confidence)
