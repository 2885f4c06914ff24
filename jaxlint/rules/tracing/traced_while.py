"""traced-while: a Python `while` cannot loop on a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.frames import Frame
from jaxlint.analysis.domain.shapes import dtype_class
from jaxlint.analysis.domain.values import Array, Static, Value, atoms_of
from jaxlint.analysis.events.tracing import Branch
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_loops import conditional
from jaxlint.rules.tracing._fix_reverse import is_reversed


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """`jax.lax.while_loop`, where the block only computes names."""
    return conditional(code, request.at, frozenset(request.words if request.is_certain else ()))


def _settled(frame: Frame) -> tuple[str, ...]:
    """The names that hold arrays of one shape and dtype, or Python numbers of one type, in all iterations."""
    return tuple(sorted(name for name, value in frame.state.env.items() if _is_settled(value)))


def _is_settled(value: Value) -> bool:
    match atoms_of(value):
        case (Array(dtype=str() as dtype, shape=tuple() as shape) as atom,):
            is_exact = atom.weak or dtype == "bool" or dtype != dtype_class(dtype)
            return is_exact and not atom.assumed and all(isinstance(size, int) for size in shape)
        case (Static(type="int" | "float" | "bool"),):
            return True
        case _:
            return False


@rule("traced-while", code="JX302", category=Category.CORRECTNESS, on=Branch, fix=_fix)
def traced_while(branch: Branch) -> Iterator[Finding]:
    """Python `while` on a value that JAX is tracing."""
    if branch.keyword != "while":
        return
    message = f"`while` needs the value of `{branch.test.text}` in each iteration, but the value is traced"
    fix = None if is_reversed(branch.trace) else branch.fix_request(words=_settled(branch.test.frame))
    yield branch.diagnostic(message, notes=branch.test.evidence, confidence=branch.test.confidence, fix=fix)
