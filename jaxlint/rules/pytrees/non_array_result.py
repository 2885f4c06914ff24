"""non-array-result: a traced function returns arrays."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.pytrees import InvalidLeaf
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.pytrees._fix_registered import register
from jaxlint.rules.pytrees._fix_uncompiled import uncompiled
from jaxlint.rules.rule import rule


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A class that is registered, or a function that is not compiled because it returns a function."""
    return uncompiled(request, code) if request.ordinals else register(request, code)


def _made_by_jit(leaf: InvalidLeaf) -> FixRequest | None:
    """Where the function that returns a function is compiled, if nothing else traces it."""
    trace = leaf.trace
    application = None if trace is None or trace.parent is not None else trace.application
    if application is None or application.name != "jax.jit" or application.frame.path != leaf.frame.path:
        return None
    return leaf.fix_request(application.at)


@rule("non-array-result", code="JX610", category=Category.CORRECTNESS, on=InvalidLeaf, fix=_fix)
def non_array_result(leaf: InvalidLeaf) -> Iterator[Finding]:
    """A traced function returns a string, function or other non-array object."""
    kind, what, is_nested, confidence, _ = leaf.fault
    if not leaf.is_result or kind not in ("instance", "enum", "function", "text"):
        return
    how = "holds" if is_nested else "is"
    message = f"`{leaf.operand.text}` {how} {what}, but a function under `{leaf.transform}` can return only arrays"
    fix = leaf.fix_request(words=(leaf.fault.class_name,)) if kind == "instance" else None
    if kind == "function" and not is_nested:
        fix = _made_by_jit(leaf)
    yield leaf.diagnostic(message, notes=leaf.traced_by(), confidence=confidence, fix=fix)
