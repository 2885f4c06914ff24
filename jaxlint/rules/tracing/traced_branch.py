"""traced-branch: Python cannot branch on a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.events.tracing import Branch
from jaxlint.diagnostics import Applicability, Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.fixes.deferred import REASON, deferred
from jaxlint.fixes.known_values import kinds_by_name
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_branches import choice
from jaxlint.rules.tracing._fix_settled import is_settled, known_at_test
from jaxlint.rules.tracing._fix_static_parameters import make_static
from jaxlint.syntax import ir

_BUILTINS = frozenset({"min", "max", "sorted", "any", "all", "filter"})


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A static argument for a flag, `jnp.where` or `jax.lax.cond` for a choice between values."""
    if _is_flag(code, request.at):
        return make_static(code, request.at, is_certain=request.is_certain)
    found = choice(code, request.at)
    if found is None:
        return _checked_later(request, code)
    if request.is_certain and (found.is_same or is_settled(code, found.groups, request.words)):
        return code.fix(found.title, found.changes)
    return code.fix(found.title, found.changes, Applicability.UNSAFE, found.reason)


def _checked_later(request: FixRequest, code: Code) -> Fix | None:
    """An assertion of its own function, which a callback runs with the values."""
    statement = code.statement(request.at)
    if not isinstance(statement, ir.Assert):
        return None
    changes = deferred(code, statement, kinds_by_name(request.words), "check")
    return None if changes is None else code.fix("Check it in a callback", changes, Applicability.UNSAFE, REASON)


def _is_flag(code: Code, at: int) -> bool:
    """Whether a test is of a parameter that is a truth value or a string by its default or annotation."""
    node = code.node(at)
    while isinstance(node, ir.UnaryOperation) and node.op == "not":
        node = node.operand
    owner = code.owner(at)
    if not isinstance(node, ir.Name) or not isinstance(owner, ir.Function):
        return False
    parameter = next((parameter for parameter in owner.parameters if parameter.name == node.id), None)
    if parameter is None:
        return False
    default, annotation = parameter.default, parameter.annotation
    is_default = isinstance(default, ir.Constant) and isinstance(default.value, (bool, str))
    return is_default or (isinstance(annotation, ir.Name) and annotation.id in ("bool", "str"))


@rule("traced-branch", code="JX301", category=Category.CORRECTNESS, on=Branch, fix=_fix)
def traced_branch(branch: Branch) -> Iterator[Finding]:
    """Python `if`, `assert`, `and`, `not` ... on a value that JAX is tracing."""
    if branch.keyword == "while":
        return
    subject = f"`{branch.test.text}`"
    if branch.keyword in _BUILTINS:
        message = f"`{branch.keyword}()` compares or tests its elements in Python, but {subject} is traced"
    elif branch.keyword == "in":
        message = f"`in` compares element by element in Python, but an element of {subject} is traced"
    elif branch.keyword == "comparison chain":
        message = f"a chained comparison tests its first half in Python, but {subject} is traced"
    elif branch.keyword == "conditional expression":
        message = f"a conditional expression needs the value of {subject}, which is traced"
    else:
        message = f"`{branch.keyword}` needs the value of {subject}, which is traced"
    fix = branch.fix_request(words=known_at_test(branch.test))
    yield branch.diagnostic(message, notes=branch.test.evidence, confidence=branch.test.confidence, fix=fix)
