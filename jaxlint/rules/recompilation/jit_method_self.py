"""jit-method-self: `self` must be static or a pytree for `jit`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.compilation import JitBinding
from jaxlint.diagnostics import Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.recompilation._fix_methods import with_self
from jaxlint.rules.rule import rule


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A static `self`, a frozen dataclass or a registered one."""
    return with_self(code, request.at, is_traced=_NO_TREE in request.words, is_hashable=_HASHABLE in request.words)


_NO_TREE: Final = "no pytree"
_HASHABLE: Final = "hashable"


@rule("jit-method-self", code="JX509", category=Category.CORRECTNESS, on=JitBinding, fix=_fix)
def jit_method_self(binding: JitBinding) -> Iterator[Finding]:
    """`jit` on a method whose `self` is neither static nor a pytree, or is static and changes."""
    fault = binding.self_fault
    if fault is None:
        return
    cls, what = fault
    request = binding.fix_request(words=(what, *((_HASHABLE,) if binding.is_self_hashable else ())))
    if what == _NO_TREE:
        message = f"`self` is traced, but `{cls}` is not a pytree; calling `{binding.target_name}` raises"
        yield binding.diagnostic(message, fix=request)
    elif what == "unhashable":
        message = f"`self` is static, but `{cls}` defines `__eq__` without `__hash__`, so it is not hashable"
        yield binding.diagnostic(message, fix=request)
    else:
        message = f"`self` is static, but `{what}` changes; the compiled `{binding.target_name}` keeps the old value"
        yield binding.diagnostic(message, confidence=Confidence.LIKELY if binding.is_seen else Confidence.POSSIBLE)
