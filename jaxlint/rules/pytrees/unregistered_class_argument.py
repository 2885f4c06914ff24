"""unregistered-class-argument: what is no pytree and no array cannot be traced."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote
from jaxlint.analysis.events.pytrees import InvalidLeaf
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("unregistered-class-argument", code="JX603", category=Category.CORRECTNESS, on=InvalidLeaf)
def unregistered_class_argument(leaf: InvalidLeaf) -> Iterator[Finding]:
    """An object, string, enum or function that is traced without being static."""
    kind, what, is_nested, confidence = leaf.fault
    if leaf.is_result or kind not in ("instance", "enum", "function", "text") or (kind == "text" and is_nested):
        return
    how = "holds" if is_nested else "is"
    message = f"`{leaf.operand.text}` {how} {what}, which `{leaf.transform}` cannot trace"
    yield leaf.diagnostic(message, notes=tuple(_remedies(leaf, kind)), confidence=confidence)


def _remedies(leaf: InvalidLeaf, kind: str) -> Iterator[FindingNote]:
    if kind == "instance":
        yield FindingNote("a class is a pytree once it is registered, as by `jax.tree_util.register_dataclass`", None)
    if leaf.hashes_statics:
        yield FindingNote(f'`static_argnames="{leaf.parameter}"` passes it as it is', None)
