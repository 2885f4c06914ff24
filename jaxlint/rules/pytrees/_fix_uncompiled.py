"""Functions that return what no compiled function can return, left to Python."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.comment_edits import keeps_comments
from jaxlint.fixes.handlers import is_tried
from jaxlint.syntax import ir


def uncompiled(request: FixRequest, code: Code) -> Fix | None:
    """Take `@jax.jit` away, which is the request's ordinal: what it compiles is made of Python functions anyway."""
    decorator = code.node(request.ordinals[0])
    definition = code.parent(decorator.at)
    decorators = definition.function.decorators if isinstance(definition, ir.FunctionDefinition) else ()
    if decorator.at not in {each.at for each in decorators}:
        return None
    start = code.token_before(code.outer(decorator.at)[0])[0]
    end = code.token_from(code.outer(decorator.at)[1])[0]
    if code.text[start] != "@" or not keeps_comments(code, start, end, ""):
        return None
    title, changes = f"Do not compile `{definition.function.name}`", [Change(start, end, "")]
    if request.is_certain and len(decorators) == 1 and not is_tried(code, request.at):
        return code.fix(title, changes)
    return code.fix(title, changes, Applicability.UNSAFE, f"`{definition.function.name}` is no longer compiled")
