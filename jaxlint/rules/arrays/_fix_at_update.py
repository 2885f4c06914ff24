"""Stores into arrays as `.at[...]` updates: `x[i] = v` becomes `x = x.at[i].set(v)`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import fresh_name, is_stored_to
from jaxlint.fixes.precedence import Level, level_of, operand, right_operand
from jaxlint.fixes.rebinding import Rebinding, is_simple_target, rebinding
from jaxlint.fixes.statement_edits import after
from jaxlint.syntax import ir

_ASSIGNED: Final = ("", "assign", "never")
_REPEATED: Final = "JAX applies the operation once per repeated index, NumPy only once"
_WORKS: Final = "it may not be a JAX array, or other code may expect the error"
_MASKED: Final = "the mask must have the shape of the array, and the dtype may widen"


def set_item(request: FixRequest, code: Code) -> Fix | None:
    """`x[i] = v` as `x = x.at[i].set(v)`."""
    statement, target = code.statement(request.at), code.node(request.at)
    if not isinstance(statement, ir.Assign):
        return None
    if len(statement.targets) > 1 or statement.targets[0].at != target.at:
        return _several_targets(request, code, statement, target)
    if request.words[0] == "mask":
        return _where(request, code, target, statement.value.at, "")
    store = _Store.judge(request, code, target)
    return None if store is None else store.fix("set", store.changes("set", statement.value.at))


def augment_item(request: FixRequest, code: Code) -> Fix | None:
    """`x[i] += v` as `x = x.at[i].add(v)`, and the other operators."""
    statement, target = code.statement(request.at), code.node(request.at)
    if not isinstance(statement, ir.AugmentedAssign):
        return None
    if request.words[0] == "mask":
        return _where(request, code, target, statement.value.at, statement.op)
    store = _Store.judge(request, code, target)
    if store is None:
        return None
    method = request.words[3]
    if method == "set":
        if any(isinstance(node, (ir.Call, ir.NamedExpression)) for node in _index_nodes(code, target)):
            return None  # the index would be evaluated twice
        return store.fix("set", store.changes("set", statement.value.at, f"{code.segment(target.at)} {statement.op} "))
    reason = _REPEATED if request.words[0] == "again" else ""
    return store.fix(method, store.changes(method, statement.value.at), reason)


class _Store:
    """One store that becomes an update: its target, how the base gets its new value, and how sure that is."""

    def __init__(self, code: Code, target: ir.Subscript, judged: Rebinding, way: str, request: FixRequest) -> None:
        self.code = code
        self.target = target
        self.judged = judged
        self.way = way
        self.lists = request.ordinals
        self.is_certain = request.is_certain
        self.base = code.segment(target.base.at)

    @classmethod
    def judge(cls, request: FixRequest, code: Code, target: ir.Subscript) -> _Store | None:
        """The store of a request; None where its base cannot be given a new value."""
        base, (_, way, trace, _) = target.base, request.words
        if isinstance(base, ir.Attribute) and way not in _ASSIGNED:
            judged = rebinding(code, base.base.at) if isinstance(base.base, ir.Name) else None
        else:
            judged = rebinding(code, base.at)
            if judged is not None and isinstance(base, ir.Attribute):
                judged = _attribute(code, base, way, trace)
        return None if judged is None else cls(code, target, judged, way, request)

    def opening(self) -> tuple[str, str]:
        """What stands before and behind the new array, for the base to be bound to it."""
        base = self.target.base
        if not isinstance(base, ir.Attribute) or self.way in _ASSIGNED:
            return f"{self.base} = ", ""
        owner = self.code.segment(base.base.at)
        if self.way == "dataclasses.replace":
            named = name_of(self.code, base.at, self.way)
            return f"{owner} = {named.text if named else self.way}({owner}, {base.attr}=", ")"
        return f"{owner} = {owner}.{self.way}({base.attr}=", ")"

    def changes(self, method: str, value: int, before: str = "") -> list[Change]:
        """The changes that make `x = x.at[i].method(v)` of the statement that stores `v` (an ordinal) to `x[i]`.

        With `before`, `x[i] op `, the value becomes the operand on its right.
        """
        code = self.code
        start = code.span(code.statement(self.target.at).at)[0]
        bracket, end = code.bracket(self.target)
        value_start, value_end = code.outer(value)
        head, tail = self.opening()
        if before:
            text = code.text[value_start:value_end]
            if "#" not in text:  # its own parentheses hold comments, or are not needed
                text = right_operand(code, value, before.rsplit(maxsplit=1)[-1], in_brackets=True)
            rest = [Change(end, value_end, f".{method}({before}{text}){tail}")]
        else:
            opener, closer = call_brackets(code, value)
            rest = [Change(end, value_start, f".{method}{opener}"), Change(value_end, value_end, closer + tail)]
        return [Change(start, start, head), Change(bracket, bracket, ".at"), *self.wrapped_lists(), *rest]

    def wrapped_lists(self) -> Iterator[Change]:
        """Indices that are lists, as arrays: JAX takes no list."""
        for at in self.lists:
            named = name_of(self.code, at, "jax.numpy.array")
            if named is not None:
                start, end = self.code.outer(at)
                yield from (Change(start, start, f"{named.text}("), Change(end, end, ")"), *named.changes)

    def fix(self, method: str, changes: list[Change], reason: str = "") -> Fix:
        """The fix of these changes, as safe as the new binding and the update are."""
        title = f"Replace with `{self.base}.at[...].{method}(...)`"
        return self.code.fix(title, changes, *_safety(self.judged, self.is_certain, reason))


def _safety(judged: Rebinding, is_certain: bool, reason: str = "") -> tuple[Applicability, str]:
    """How safe a new binding is where the statement raises now, if that `is_certain`; the reason is the update's."""
    reason = reason or ("" if is_certain else _WORKS)
    if reason and judged.applicability is Applicability.SAFE:
        return Applicability.UNSAFE, reason
    return judged.applicability, judged.reason


def call_brackets(code: Code, value: int) -> tuple[str, str]:
    """What opens and closes a call whose one argument a value becomes; its own parentheses serve where they can."""
    needs_own = level_of(code.node(value)) < Level.NAMED
    is_wrapped = code.span(value) != code.outer(value)
    if is_wrapped:
        return ("(", ")") if needs_own else ("", "")
    return ("((", "))") if needs_own else ("(", ")")


def _attribute(code: Code, base: ir.Attribute, way: str, trace: str) -> Rebinding:
    """How sure it is that an attribute can be assigned."""
    owner = code.segment(base.base.at)
    if way == "never":
        return Rebinding(Applicability.DISPLAY_ONLY, f"`{owner}` does not allow attribute assignment")
    if way != "assign":
        return Rebinding(Applicability.UNSAFE, f"`{owner}` may not allow attribute assignment")
    if trace:
        return Rebinding(Applicability.UNSAFE, f"`{owner}` would keep an array of this trace")
    return Rebinding(Applicability.SAFE)


def _index_nodes(code: Code, target: ir.Subscript) -> Iterator[Any]:
    for part in target.index:
        yield part
        yield from code.inside(part)


def _where(request: FixRequest, code: Code, target: ir.Subscript, value: int, op: str) -> Fix | None:
    """`x[mask] = v` in traced code as `x = jnp.where(mask, v, x)`: an update would need the mask's values."""
    named = name_of(code, target.at, "jax.numpy.where")
    store = _Store.judge(request, code, target)
    if named is None or store is None or len(target.index) != 1:
        return None
    mask, head_tail = code.segment(target.index[0].at), store.opening()
    new = _masked_value(code, value, mask)
    if new is None:
        return None
    base = store.base
    text = f"{base} {op} {right_operand(code, new, op, in_brackets=True)}" if op else operand(code, new, Level.NAMED)
    statement = code.statement(target.at)
    start, end = code.span(statement.at)[0], code.outer(value)[1]
    if "#" in code.text[start:end]:
        return None  # a comment between what is put together anew
    new_text = f"{head_tail[0]}{named.text}({mask}, {text}, {base}){head_tail[1]}"
    rank = max(store.judged.applicability.rank, Applicability.UNSAFE.rank)
    applicability = next(a for a in Applicability if a.rank == rank)
    reason = store.judged.reason or _MASKED
    changes = [Change(start, end, new_text), *named.changes]
    return code.fix(f"Replace with `{named.text}({mask}, ..., {base})`", changes, applicability, reason)


def _masked_value(code: Code, value: int, mask: str) -> int | None:
    """The expression whose values go where the mask is: a number, or `y` of `y[mask]`; None for anything else."""
    match code.node(value):
        case ir.Constant(value=int() | float() | bool()):
            return value
        case ir.UnaryOperation(operand=ir.Constant()):
            return value
        case ir.Subscript(index=(only,)) as picked if code.segment(only.at) == mask:
            return int(picked.base.at)
        case _:
            return None


def _several_targets(request: FixRequest, code: Code, statement: ir.Assign, target: ir.Subscript) -> Fix | None:
    """`a, x[i] = u, v` as `a, value = u, v`, with `x = x.at[i].set(value)` behind it."""
    same = [node for node in code.inside(statement) if _is_target_of(code, node, target)]
    stored = {n.id for n in code.inside(statement) if isinstance(n, ir.Name) and _is_bound(code, n)}
    used = {n.id for node in same for n in code.inside(node) if isinstance(n, ir.Name)}
    judged = rebinding(code, target.base.at)
    if judged is None or not is_simple_target(target.base) or used & stored or request.words[0] == "mask":
        return None
    if request.ordinals or not isinstance(target.base, ir.Name):
        return None
    names: list[str] = []
    for _ in same:
        names.append(fresh_name(code, target.at, "value", avoid=frozenset(names)))
    base = code.segment(target.base.at)
    lines = [f"{base} = {_at(code, node)}.set({name})" for node, name in zip(same, names, strict=True)]
    last = after(code, statement, lines)
    if last is None:
        return None
    changes = [Change(*code.span(node.at), name) for node, name in zip(same, names, strict=True)]
    title = f"Replace with `{base} = {base}.at[...].set(...)`"
    return code.fix(title, [*changes, last], *_safety(judged, request.is_certain))


def _at(code: Code, target: ir.Subscript) -> str:
    """`x.at[i]` for the target `x[i]`."""
    bracket, end = code.bracket(target)
    return f"{code.segment(target.base.at)}.at{code.text[bracket:end]}"


def _is_target_of(code: Code, node: object, target: ir.Subscript) -> bool:
    if not isinstance(node, ir.Subscript) or not is_stored_to(code, node):
        return False
    is_last = not isinstance(code.parent(node.at), (ir.Subscript, ir.Attribute, ir.Starred))
    return is_last and code.segment(node.base.at) == code.segment(target.base.at)


def _is_bound(code: Code, name: ir.Name) -> bool:
    is_base = isinstance(code.parent(name.at), (ir.Subscript, ir.Attribute))
    return not is_base and is_stored_to(code, name)
