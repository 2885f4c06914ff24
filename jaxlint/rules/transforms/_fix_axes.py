"""Axes of mapped functions: arguments by position, no axis for single numbers, names for collectives."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import is_stored_to
from jaxlint.syntax import ir


def map_as_given(request: FixRequest, code: Code) -> Fix | None:
    """The fix of one call: its keywords by position, or None in `in_axes` for its numbers."""
    call, mapped, numbers = code.node(request.ordinals[0]), code.node(request.ordinals[1]), request.ordinals[2:]
    if not isinstance(call, ir.Call):
        return None
    if request.words:
        return _by_position(request, code, call)
    is_alone = _is_called_once(code, call, mapped)
    changes = _no_axes(code, call, mapped, numbers) if is_alone else None
    if changes is None:
        swapped = _swapped(code, call, mapped, numbers) if is_alone else None
        reason = "the other argument is then mapped along that axis"
        return None if swapped is None else code.fix("Map the other argument", swapped, Applicability.UNSAFE, reason)
    if request.is_certain:
        return code.fix("Map the number along no axis", changes)
    return code.fix("Map the number along no axis", changes, Applicability.UNSAFE, "it may be an array elsewhere")


def _by_position(request: FixRequest, code: Code, call: ir.Call) -> Fix | None:
    """What is given by keyword is mapped along its first axis, whatever `in_axes` says."""
    if tuple(name for name, _ in call.keywords) != request.words:
        return None
    changes = [_unnamed(code, value.at) for _, value in call.keywords]
    if request.is_certain:
        return code.fix("Pass it by position", changes)
    return code.fix("Pass it by position", changes, Applicability.UNSAFE, "the argument is then mapped differently")


def _unnamed(code: Code, at: int) -> Change:
    """`name=value` as `value`."""
    start = code.outer(at)[0]
    keyword = code.token_before(code.token_before(start)[0])
    return Change(keyword[0], start, "")


def _is_called_once(code: Code, call: ir.Call, mapped: Any) -> bool:  # noqa: ANN401 - a node
    """Whether what is mapped is called here and nowhere else: at once, or by a name that is read once."""
    if call.func.at == mapped.at:
        return True
    parent = code.parent(mapped.at)
    if not isinstance(parent, ir.Assign) or len(parent.targets) != 1 or not isinstance(call.func, ir.Name):
        return False
    named = [n for n in code.owned(code.owner(mapped.at)) if isinstance(n, ir.Name) and n.id == call.func.id]
    reads = [n for n in named if not is_stored_to(code, n)]
    return parent.targets[0].at in {n.at for n in named} and len(named) == 2 and [n.at for n in reads] == [call.func.at]


def _no_axes(code: Code, call: ir.Call, mapped: Any, numbers: tuple[int, ...]) -> list[Change] | None:  # noqa: ANN401
    """The changes that name no axis for these arguments, and leave those of the others."""
    count = len(call.args)
    if not isinstance(mapped, ir.Call) or call.keywords or not 0 < len(numbers) < count or len(mapped.args) != 1:
        return None
    if any(name is None for name, _ in mapped.keywords):
        return None
    axes = dict(mapped.keywords).get("in_axes")
    if axes is None:
        return _with_keyword(code, mapped, f"in_axes={_tuple(['0'] * count, numbers)}")
    start, end = code.outer(axes.at)
    match axes:
        case ir.Constant(value=int()):
            return [Change(start, end, _tuple([code.segment(axes.at)] * count, numbers))]
        case ir.SequenceDisplay(elements=elements) if len(elements) <= count:
            written = [code.segment(element.at) for element in elements]
            missing = range(len(elements), count)
            if not set(missing) <= set(numbers) or all(_is_none(elements[i]) for i in set(range(count)) - {*numbers}):
                return None
            return [Change(start, end, _tuple([*written, *("None" for _ in missing)], numbers))]
        case _:
            return None


def _swapped(code: Code, call: ir.Call, mapped: Any, numbers: tuple[int, ...]) -> list[Change] | None:  # noqa: ANN401
    """`in_axes=(0, None)` as `(None, 0)`, for a number and another argument: something must be mapped."""
    axes = dict(mapped.keywords).get("in_axes") if isinstance(mapped, ir.Call) else None
    if not isinstance(axes, ir.SequenceDisplay) or not len(call.args) == len(axes.elements) == 2 or call.keywords:
        return None
    written = [code.segment(element.at) for element in axes.elements]
    if len(numbers) != 1 or not _is_none(axes.elements[1 - numbers[0]]):
        return None
    start, end = code.outer(axes.at)
    return [Change(start, end, f"({', '.join(reversed(written))})")]


def _is_none(node: Any) -> bool:  # noqa: ANN401 - an expression
    return isinstance(node, ir.Constant) and node.value is None


def _tuple(axes: list[str], numbers: tuple[int, ...]) -> str:
    """The axes as written, None in these places."""
    return f"({', '.join('None' if place in numbers else axis for place, axis in enumerate(axes))})"


def bind_axis(request: FixRequest, code: Code) -> Fix | None:
    """`axis_name=` for the transform that maps a function with a collective in it.

    Of the request, the words are the axis, and "alone" where no other transform around maps anything.
    """
    axis, *alone = request.words
    mapped = code.node(request.at)
    named = f"axis_name={_quoted(axis)}"
    if isinstance(mapped, ir.Call):
        is_short = len(mapped.args) == 1 or code.segment(mapped.func.at).endswith("vmap")
        changes = _with_keyword(code, mapped, named) if is_short else None
    else:
        changes = _partial(code, mapped, named) if _is_decorator(code, mapped) else None
    if changes is None:
        return None
    if request.is_certain and alone:
        return code.fix(f"Name the mapped axis {axis!r}", changes)
    reason = "the name may be meant for another mapped axis"
    return code.fix(f"Name the mapped axis {axis!r}", changes, Applicability.UNSAFE, reason)


def _quoted(text: str) -> str:
    return f'"{text}"' if text.isidentifier() else repr(text)


def _with_keyword(code: Code, call: ir.Call, keyword: str) -> list[Change] | None:
    """One more keyword at the end of a call; None where it may be given already."""
    name = keyword.partition("=")[0]
    if any(given in (name, None) for given, _ in call.keywords) or not call.args:
        return None
    if any(isinstance(argument, ir.Starred) for argument in call.args):
        return None
    return [code.with_argument(call, keyword)]


def _is_decorator(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    parent = code.parent(node.at)
    function = getattr(parent, "function", parent)
    return isinstance(function, ir.Function) and any(each.at == node.at for each in function.decorators)


def _partial(code: Code, decorator: Any, keyword: str) -> list[Change] | None:  # noqa: ANN401 - an expression
    """`@jax.pmap` as `@partial(jax.pmap, ...)`."""
    partial = name_of(code, decorator.at, "functools.partial")
    if partial is None:
        return None
    start, end = code.span(decorator.at)
    return [Change(start, start, f"{partial.text}("), Change(end, end, f", {keyword})"), *partial.changes]
