"""jit-method-self: `self` must be static or a pytree for `jit`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events.recompilation import JitBinding
from jaxlint.analysis.findings import Finding
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.rule import rule


@rule("jit-method-self", code="JX509", category=Category.CORRECTNESS, on=JitBinding)
def jit_method_self(binding: JitBinding) -> Iterator[Finding]:
    """`jit` on a method whose `self` is neither static nor a pytree, or is static and changes."""
    fault = binding.self_fault
    if fault is None:
        return
    cls, what = fault
    if what == "no pytree":
        message = f"`self` is traced, but `{cls}` is no pytree: calling `{binding.target_name}` raises"
        yield binding.diagnostic(message)
    elif what == "unhashable":
        message = f"`self` is static, but `{cls}` defines `__eq__` without `__hash__`: it cannot be hashed"
        yield binding.diagnostic(message)
    else:
        message = f"`self` is static, but `{what}` changes: the compiled `{binding.target_name}` keeps the old value"
        yield binding.diagnostic(message, confidence=Confidence.LIKELY)
