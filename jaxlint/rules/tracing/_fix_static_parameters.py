"""Parameters that must be known while tracing, made static where the function is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of, qualified_name
from jaxlint.fixes.names import is_stored_to
from jaxlint.syntax import ir

JIT: Final = "jax.jit"
_PURE: Final = frozenset({"int", "bool", "min", "max", "abs"})
_REASON: Final = "`{}` must be hashable, and JAX compiles again for each new value"


class _Site(NamedTuple):
    """Where a function is compiled: the call that takes options, or the bare name of the decorator."""

    node: Any
    is_bare: bool


def make_static(code: Code, at: int, *, is_certain: bool = False) -> Fix | None:
    """The fix that makes the one parameter that an expression is made of static.

    Where the code never works as it is, and all calls here pass what is known before, it can mean nothing else.
    """
    found = _parameter(code, code.node(at), 3)
    if found is None:
        return None
    function, name = found
    sites = list(_sites(code, function))
    if len(sites) != 1 or _gets_arrays(code, function, name):
        return None
    changes = with_static_name(code, sites[0].node, name, is_bare=sites[0].is_bare)
    if changes is None:
        return None
    if is_certain and _gets_constants(code, function, name, sites[0]):
        return code.fix(f"Make `{name}` static", changes)
    return code.fix(f"Make `{name}` static", changes, Applicability.UNSAFE, _REASON.format(name))


def static_where_constant(code: Code, at: int) -> Fix | None:
    """The same, where all calls here pass what is known before; each of its values compiles anew then."""
    made = make_static(code, at, is_certain=True)
    if made is None or made.applicability is not Applicability.SAFE:
        return None
    reason = "JAX compiles again for each new value of the static parameters"
    return replace(made, applicability=Applicability.UNSAFE, reason=reason)


def _parameter(code: Code, node: Any, depth: int) -> tuple[ir.Function, str] | None:  # noqa: ANN401 - an expression
    """The function and the parameter whose value, and nothing else unknown, makes an expression."""
    owner = code.owner(node.at)
    if not isinstance(owner, ir.Function) or owner.is_lambda:
        return None
    names: set[str] = set()
    for inner in (node, *code.inside(node)):
        match inner:
            case ir.Name():
                names.add(inner.id)
            case ir.Call(func=ir.Name(id=name)) if name in _PURE:
                pass
            case ir.Constant() | ir.BinaryOperation() | ir.UnaryOperation() | ir.SequenceDisplay() | ir.Comparison():
                pass
            case _:
                return None
    kept = names - _PURE
    if len(kept) != 1:
        return None
    name = kept.pop()
    stores = [n for n in code.owned(owner) if isinstance(n, ir.Name) and n.id == name and is_stored_to(code, n)]
    kinds = (ir.ParameterKind.POSITIONAL, ir.ParameterKind.KEYWORD_ONLY)
    if any(parameter.name == name and parameter.kind in kinds for parameter in owner.parameters):
        return None if stores else (owner, name)
    made = code.parent(stores[0].at) if len(stores) == 1 else None
    if depth and isinstance(made, ir.Assign) and len(made.targets) == 1:
        return _parameter(code, made.value, depth - 1)
    return None


def _sites(code: Code, function: ir.Function) -> Iterator[_Site]:
    """Where the function is compiled; nothing where it is also transformed in another way."""
    for decorator in function.decorators:
        if qualified_name(code, decorator) == JIT:
            yield _Site(decorator, True)
        elif isinstance(decorator, ir.Call) and is_jit_call(code, decorator):
            yield _Site(decorator, False)
        else:
            return
    if function.decorators:
        return
    for node in code.owned(None):
        if isinstance(node, ir.Call) and len(node.args) == 1 and qualified_name(code, node.func) == JIT:
            target = node.args[0]
            if isinstance(target, ir.Name) and target.id == function.name:
                yield _Site(node, False)


def is_jit_call(code: Code, call: ir.Call) -> bool:
    """`jax.jit(static_argnames=...)` or `partial(jax.jit, ...)`."""
    name = qualified_name(code, call.func)
    if name == JIT:
        return not call.args
    return name == "functools.partial" and len(call.args) == 1 and qualified_name(code, call.args[0]) == JIT


def _gets_constants(code: Code, function: ir.Function, name: str, site: _Site) -> bool:
    """Whether there are calls in this file, and each gives the parameter what is known before anything is traced."""
    known = {function.name}
    if not function.decorators:
        made = code.parent(site.node.at)
        known = {t.id for t in made.targets if isinstance(t, ir.Name)} if isinstance(made, ir.Assign) else set()
    given = [value for value in _given(code, function, name, known) if value is not None]
    return bool(given) and all(_is_constant(code, value, 3) for value in given)


def _given(code: Code, function: ir.Function, name: str, known: set[str]) -> Iterator[Any]:
    """What the calls of a function, by one of its names, give a parameter; None where they leave it out."""
    position = next(i for i, parameter in enumerate(function.parameters) if parameter.name == name)
    for node in code.owned(None):
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and node.func.id in known:
            yield node.args[position] if position < len(node.args) else dict(node.keywords).get(name)


def _is_constant(code: Code, node: Any, depth: int) -> bool:  # noqa: ANN401 - an expression
    """Whether an expression is a number, text, shape or length that no call of JAX changes."""
    match node:
        case ir.Constant() | ir.Call(func=ir.Name(id="len")) | ir.Attribute(attr="ndim" | "size"):
            return True
        case ir.Subscript(base=ir.Attribute(attr="shape")):
            return True
        case ir.UnaryOperation():
            return _is_constant(code, node.operand, depth)
        case ir.BinaryOperation():
            return _is_constant(code, node.left, depth) and _is_constant(code, node.right, depth)
        case ir.SequenceDisplay(kind="tuple"):
            return all(_is_constant(code, element, depth) for element in node.elements)
        case ir.Name():
            named = (n for n in code.owned(None) if isinstance(n, ir.Name) and n.id == node.id)
            stores = [name for name in named if is_stored_to(code, name)]
            made = code.parent(stores[0].at) if len(stores) == 1 else None
            return depth > 0 and isinstance(made, ir.Assign) and _is_constant(code, made.value, depth - 1)
        case _:
            return False


def _gets_arrays(code: Code, function: ir.Function, name: str) -> bool:
    """Whether a call in this file gives the parameter a list or the result of a function of JAX."""
    for given in _given(code, function, name, {function.name}):
        if isinstance(given, (ir.SequenceDisplay, ir.DictDisplay)) and getattr(given, "kind", "") != "tuple":
            return True
        if given is not None and any(_is_array(code, inner) for inner in (given, *code.inside(given))):
            return True
    return False


def _is_array(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    return isinstance(node, ir.Call) and (qualified_name(code, node.func) or "").startswith(("jax.", "numpy."))


def with_static_name(code: Code, node: Any, name: str, *, is_bare: bool) -> list[Change] | None:  # noqa: ANN401
    """The changes that add a name to `static_argnames` of a call, or make a call of a bare decorator."""
    if is_bare:
        partial = name_of(code, node.at, "functools.partial")
        if partial is None:
            return None
        start, end = code.outer(node.at)
        text = f', static_argnames=("{name}",))'
        return [Change(start, start, f"{partial.text}("), Change(end, end, text), *partial.changes]
    given = dict(node.keywords).get("static_argnames")
    if given is None:
        return [code.with_argument(node, f'static_argnames=("{name}",)')]
    start, end = code.span(given.at)
    match given:
        case ir.Constant(value=str()):
            return [Change(start, start, "("), Change(end, end, f', "{name}")')]
        case ir.SequenceDisplay(elements=(*_, last)):
            after = code.outer(last.at)[1]
            comma = code.token_from(after)
            if code.text[slice(*comma)] == ",":
                return [Change(comma[1], comma[1], f' "{name}"')]
            return [Change(after, after, f', "{name}"')]
        case _:
            return None
