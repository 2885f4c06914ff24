"""Conversions to Python numbers as arrays: what `float(x)`, `x.item()` and `math.exp(x)` compute, computed by JAX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of, qualified_name
from jaxlint.fixes.known_values import is_array
from jaxlint.fixes.names import reads
from jaxlint.fixes.precedence import Level, level_of
from jaxlint.rules.tracing._fix_counterpart import call_of_jax
from jaxlint.rules.tracing._fix_known_numbers import by_numpy
from jaxlint.rules.tracing._fix_static_parameters import make_static
from jaxlint.syntax import ir

_REASON: Final = "the result is an array, not a Python number"
_DTYPES: Final = frozenset({"float", "int", "bool", "complex"})
#: Functions that ask for a number of Python, and other code that does.
_ASKING: Final = frozenset({"range", "str", "print", "format", "hash"})
_TESTING: Final = (
    ir.Subscript, ir.Slice, ir.If, ir.While, ir.Conditional, ir.FormattedValue, ir.FormattedString,
)  # fmt: skip
#: Functions that make one number of an array where no axis is named.
_REDUCTIONS: Final = frozenset(
    [
        "sum",
        "mean",
        "max",
        "min",
        "prod",
        "std",
        "var",
        "any",
        "all",
        "median",
        "dot",
        "vdot",
        "norm",
        "argmax",
        "argmin",
        "trace",
        "nansum",
        "nanmean",
        "count_nonzero",
    ]
)
#: Those of them that give floats whatever they get.
_FLOATING: Final = frozenset({"mean", "std", "var", "median", "norm", "nanmean"})


def as_array(code: Code, at: int, kinds: Mapping[str, str], *, is_certain: bool = False) -> Fix | None:
    """The fix of one conversion; `kinds` tells what names hold, `is_certain` that it always raises."""
    call = code.node(at)
    if not isinstance(call, ir.Call):
        return None
    match call:
        case ir.Call(func=ir.Name(id=name), args=(argument,)) if name in _DTYPES and _is_parameter(code, argument):
            is_count = name in ("int", "bool") or _needs_number(code, call, kinds)
            static = make_static(code, argument.at, is_certain=is_certain) if is_count else None
            if static is not None:
                return static
    known = by_numpy(code, call, kinds, is_certain=is_certain)
    if known is not None:
        return known
    if _needs_number(code, call, kinds) or _is_counted_with(code, call, kinds):
        return None
    match call:
        case ir.Call(func=ir.Name(id=name), args=(_,), keywords=()) if name in _DTYPES:
            made = _converted(code, call)
        case ir.Call(func=ir.Attribute(attr="item"), args=(), keywords=()):
            made = _item(code, call)
        case _:
            made = _math(code, call)
    if made is None or not is_certain:
        return made
    return replace(made, applicability=Applicability.SAFE, reason="")


def _is_parameter(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    owner = code.owner(node.at)
    return (
        isinstance(node, ir.Name)
        and isinstance(owner, ir.Function)
        and any(parameter.name == node.id for parameter in owner.parameters)
    )


def _is_int(call: ir.Call) -> bool:
    return isinstance(call.func, ir.Name) and call.func.id == "int"


def _is_counted_with(code: Code, call: ir.Call, kinds: Mapping[str, str]) -> bool:
    """Whether the number is given a name that is read where a number is needed."""
    statement, owner = code.statement(call.at), code.owner(call.at)
    if not isinstance(statement, ir.Assign) or len(statement.targets) != 1 or owner is None:
        return False
    target = statement.targets[0]
    found = reads(code, target.id, owner) if isinstance(target, ir.Name) else ()
    return any(_needs_number(code, read, kinds, is_int=_is_int(call)) for read in found)


def _needs_number(code: Code, number: Any, kinds: Mapping[str, str], *, is_int: bool = False) -> bool:  # noqa: ANN401
    """Whether what the number goes to takes no array: a count, a shape, an index of a list, a text."""
    is_int = is_int or (isinstance(number, ir.Call) and _is_int(number))
    child = number.at
    for node in code.ancestors(number.at):
        child, before = node.at, child
        match node:
            case ir.BinaryOperation() | ir.UnaryOperation():
                pass
            case ir.SequenceDisplay():
                is_int = True
            case ir.Call(func=func):
                if isinstance(func, ir.Name) and func.id in _ASKING:
                    return True
                member = (qualified_name(code, func) or str(getattr(func, "attr", ""))).rpartition(".")[2]
                return is_int or member in ("full", "arange", "linspace")
            case ir.Subscript(base=ir.Name(id=name)) if is_array(kinds.get(name, "")):
                return False
            case ir.DictDisplay():
                return any(key is not None and key.at == before for key, _ in node.items)
            case _:
                return isinstance(node, _TESTING)
    return False


def _converted(code: Code, call: ir.Call) -> Fix | None:
    """`float(x)` as `jnp.asarray(x, dtype=float)`."""
    named = name_of(code, call.at, "jax.numpy.asarray")
    if named is None:
        return None
    name = getattr(call.func, "id", "")
    start, end = code.outer(call.args[0].at)
    if name == "float" and _is_scalar(code, call.args[0], _FLOATING):
        opening, closing = code.span(call.at)
        changes = [Change(opening, start, ""), Change(end, closing, "")]
        return code.fix("Remove `float()`", changes, Applicability.UNSAFE, _REASON)
    changes = [Change(*code.outer(call.func.at), named.text), Change(end, end, f", dtype={name}"), *named.changes]
    return code.fix(f"Replace with `{named.text}`", changes, Applicability.UNSAFE, _REASON)


def _item(code: Code, call: ir.Call) -> Fix | None:
    """`x.sum().item()` as `x.sum()`, `x.item()` as `x.reshape(())`."""
    func: Any = call.func
    base = func.base
    start = code.outer(base.at)[1]
    end = code.span(call.at)[1]
    if _is_scalar(code, base, _REDUCTIONS):
        needs = level_of(base) < Level.ATOM
        if needs:
            return None
        return code.fix("Remove `.item()`", [Change(start, end, "")], Applicability.UNSAFE, _REASON)
    return code.fix("Replace with `.reshape(())`", [Change(start, end, ".reshape(())")], Applicability.UNSAFE, _REASON)


def _is_scalar(code: Code, node: Any, names: frozenset[str]) -> bool:  # noqa: ANN401 - an expression
    """Whether an expression is a reduction to one number by its form."""
    if not isinstance(node, ir.Call) or node.keywords:
        return False
    name = qualified_name(code, node.func)
    if name is not None and name.startswith("jax."):
        return len(node.args) == 1 and name.rpartition(".")[2] in names
    return isinstance(node.func, ir.Attribute) and node.func.attr in names and not node.args


def _math(code: Code, call: ir.Call) -> Fix | None:
    found = call_of_jax(code, call)
    if found is None:
        return None
    return code.fix(f"Replace with `{found[0]}`", found[1], Applicability.UNSAFE, _REASON)
