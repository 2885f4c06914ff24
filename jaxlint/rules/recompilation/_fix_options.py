"""The options of `jit` that name parameters, and what of them a fix changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.application import underlying
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import qualified_name
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application

#: Functions that ask for a Python integer.
_COUNTS: Final = frozenset(
    [
        "range",
        "one_hot",
        "arange",
        "zeros",
        "ones",
        "full",
        "empty",
        "eye",
        "reshape",
        "linspace",
        "repeat",
        "tile",
        "broadcast_to",
        "int",
    ]
)


def places(application: Application, path: str) -> tuple[int, ...]:
    """The ordinals of the use of `jit` and of the function it compiles, where both are in the file; else nothing."""
    function = underlying(application.target)
    if function is None or function.closure.path != path or application.frame.path != path:
        return ()
    return application.at, function.function.at


def function_at(code: Code, at: int) -> ir.Function | None:
    """The function whose definition, or lambda, has this ordinal."""
    match code.node(at):
        case ir.FunctionDefinition(function=function) | ir.Lambda(function=function):
            return function
        case ir.Function() as function:
            return function
        case _:
            return None


def uses(code: Code, function: ir.Function, name: str) -> frozenset[str]:
    """What the function's body does with a parameter: "array", "count" where an integer is asked for, or "other"."""
    named = (node for node in code.inside(function) if isinstance(node, ir.Name) and node.id == name)
    return frozenset(_use(code, node) for node in named)


def is_iterated(code: Code, function: ir.Function, name: str) -> bool:
    """Whether all that the function's body does with a parameter is to go over it."""
    named = [node for node in code.inside(function) if isinstance(node, ir.Name) and node.id == name]
    return bool(named) and all(_goes_over(code, node) for node in named)


def _goes_over(code: Code, name: ir.Name) -> bool:
    match code.parent(name.at):
        case ir.For(iter=over):
            return over.at == name.at
        case ir.Comprehension(generators=generators):
            return any(generator.iter.at == name.at for generator in generators)
        case ir.Call(func=ir.Name(id="len" | "enumerate" | "zip")):
            return True
        case _:
            return False


def _use(code: Code, node: Any) -> str:  # noqa: ANN401 - an expression
    """What is done with an expression, as far as its form says."""
    for parent in code.ancestors(node.at):
        match parent:
            case ir.BinaryOperation() | ir.UnaryOperation(op="-" | "+") | ir.SequenceDisplay() | ir.BinaryChain():
                node = parent
            case ir.Call(func=func) if func.at == node.at:
                return "other"
            case ir.Call(func=func):
                return _argument_use(qualified_name(code, func) or "", func)
            case ir.Subscript():
                return "other" if parent.base.at != node.at else "array"
            case ir.Return() | ir.Assign() | ir.AugmentedAssign() | ir.Attribute():
                return "array"
            case _:
                return "other"
    return "other"


def _argument_use(name: str, func: Any) -> str:  # noqa: ANN401 - an expression
    member = name.rpartition(".")[2] or getattr(func, "id", "") or getattr(func, "attr", "")
    if member in _COUNTS:
        return "count"
    return "array" if name.startswith(("jax.numpy.", "jax.nn.", "jax.lax.", "jax.scipy.")) else "other"


def without_static(code: Code, node: Any, function: ir.Function, name: str) -> list[Change] | None:  # noqa: ANN401
    """The changes that make a parameter one that is traced; None where the options are not written out."""
    if not isinstance(node, ir.Call):
        return None
    position = next((i for i, parameter in enumerate(function.parameters) if parameter.name == name), None)
    for key, value in node.keywords:
        wanted = {"static_argnames": name, "static_argnums": position}.get(key or "", ...)
        if wanted is ...:
            continue
        elements = value.elements if isinstance(value, ir.SequenceDisplay) else (value,)
        if not all(isinstance(element, ir.Constant) for element in elements):
            return None
        held = [element for element in elements if element.value == wanted]  # type: ignore[union-attr]
        if not held:
            continue
        if len(elements) == 1:
            return _without_option(code, node, value)
        return list(_without_element(code, value, held[0]))
    return None


def _without_element(code: Code, display: Any, element: Any) -> Iterator[Change]:  # noqa: ANN401 - expressions
    """Take one element out of a tuple or list; a tuple of one that is left has its comma."""
    elements = display.elements
    index = next(i for i, other in enumerate(elements) if other.at == element.at)
    start, end = code.outer(element.at)
    if index + 1 < len(elements):
        yield Change(start, code.outer(elements[index + 1].at)[0], "")
    else:
        yield Change(code.outer(elements[index - 1].at)[1], end, "")
    last = code.outer(elements[-1].at)[1]
    if len(elements) == 2 and display.kind == "tuple" and code.text[slice(*code.token_from(last))] != ",":
        yield Change(last, last, ",")


def _without_option(code: Code, call: ir.Call, value: Any) -> list[Change]:  # noqa: ANN401 - an expression
    """Take out a whole option; `partial(jax.jit)` without options is `jax.jit`."""
    made = getattr(code.parent(call.at), "function", None)
    is_decorator = made is not None and any(call.at == decorator.at for decorator in made.decorators)
    if len(call.keywords) == 1 and (is_decorator or not _is_jit(code, call)):
        target = call.args[0] if call.args else call.func
        start, end = code.span(call.at)
        kept = code.span(target.at)
        return [Change(start, kept[0], ""), Change(kept[1], end, "")]
    end = code.outer(value.at)[1]
    name = code.token_before(code.token_before(code.outer(value.at)[0])[0])
    separator = code.token_before(name[0])
    if code.text[slice(*separator)] == ",":
        return [Change(separator[0], end, "")]
    following = code.token_from(end)
    is_comma = code.text[slice(*following)] == ","
    return [Change(name[0], code.token_from(following[1])[0] if is_comma else end, "")]


def _is_jit(code: Code, call: ir.Call) -> bool:
    return qualified_name(code, call.func) != "functools.partial"


def option(node: Any, name: str) -> Any:  # noqa: ANN401 - expressions
    """The value of an option of a call; None where it is not given."""
    return dict(node.keywords).get(name) if isinstance(node, ir.Call) else None
