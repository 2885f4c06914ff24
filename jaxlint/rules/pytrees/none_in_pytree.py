"""none-in-pytree: None is no leaf."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.pytrees import TreeCall
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """`is_leaf=` for a function that tests for None."""
    call = code.node(request.at)
    if not isinstance(call, ir.Call) or not call.args or not _tests_none(code, call.args[0]):
        return None
    changes = [code.with_argument(call, "is_leaf=lambda leaf: leaf is None")]
    return code.fix(
        "Make None a leaf", changes, Applicability.UNSAFE, "None stays in place unless the function replaces it"
    )


def _tests_none(code: Code, node: object) -> bool:
    """Whether a lambda, or a function of this file, compares something with None."""
    if isinstance(node, ir.Name):
        made = [n for n in code.owned(None) if isinstance(n, ir.FunctionDefinition) and n.function.name == node.id]
        node = made[0] if len(made) == 1 else None
    if not isinstance(node, (ir.Lambda, ir.FunctionDefinition)):
        return False
    return any(
        isinstance(inner, ir.Comparison) and any(isinstance(v, ir.Constant) and v.value is None for _, v in inner.rest)
        for inner in code.inside(node)
    )


@rule("none-in-pytree", code="JX601", category=Category.SUSPICIOUS, on=TreeCall, fix=_fix)
def none_in_pytree(call: TreeCall) -> Iterator[Finding]:
    """A tree function without `is_leaf` receives a tree with None."""
    if call.has_is_leaf:
        return
    short = call.name.replace("jax.", "", 1)
    which = next((i for i, paths in enumerate(call.none_paths) if paths), None)
    if which is not None and call.lacks_container:
        message = f"`{call.trees[which].text}` holds None where another tree has a container, so `{short}` raises"
        yield call.diagnostic(message, notes=(FindingNote("None is a tree without leaves", None),))
    elif which is not None:
        message = f"`{call.trees[which].text}` holds None where another tree has a leaf; `{short}` raises or drops it"
        yield call.diagnostic(message, notes=(_remedy(),), fix=call.fix_request())
    elif call.tests_none:
        message = f"`{short}` never passes None to the function, although the function tests for it"
        yield call.diagnostic(message, notes=(_remedy(),), confidence=Confidence.LIKELY, fix=call.fix_request())


def _remedy() -> FindingNote:
    return FindingNote("`is_leaf=lambda x: x is None` makes None a leaf", None)
