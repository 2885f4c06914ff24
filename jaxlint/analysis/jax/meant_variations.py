"""Why a static argument may change from pass to pass on purpose: it names a part of what is known while tracing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.values import DictCell, ListCell, Object, Tuple, Value, atoms_of
from jaxlint.analysis.machine.questions import put_off
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.domain.values import FunctionValue
    from jaxlint.analysis.events.compilation import VaryingStatic
    from jaxlint.analysis.machine.interpreter import Interpreter

_TRACED: Final = "the calls of this function that are in view run while tracing, where the loop is part of one program"
_PART: Final = "`{}` picks a part of `{}`, which is a Python value; there are no more programs than parts"


def tell(it: Interpreter, event: VaryingStatic) -> None:
    """Tell the rules; of a function of which no call is known here, when the module has shown who traces it."""
    frame, module = it.frame, it.frame.module.frame
    *_, outermost = frame.known_callers()
    event = replace(event, purpose=_part_picked(it, event))
    if event.purpose or frame.trying or not outermost.is_open or outermost.function is None or module is None:
        it.emit(event)
        return
    function = outermost.function

    def answer() -> None:
        is_traced = id(function) in it.facts.compiled
        with it.entering(frame):
            it.emit(replace(event, purpose=_TRACED) if is_traced else event)

    put_off(it, module, answer)


def _part_picked(it: Interpreter, event: VaryingStatic) -> str:
    """Says that the parameter names a part of a container, if it does."""
    function = underlying(event.application.target)
    taken = None if function is None else next(_containers_indexed(it, function, event.parameter), None)
    return "" if taken is None else _PART.format(event.parameter, taken)


def _containers_indexed(it: Interpreter, function: FunctionValue, parameter: str) -> Iterator[str]:
    """What a function takes one element of by a parameter, of what is no array."""
    for node in walks.nodes(function.function.body):
        match node:
            case ir.Subscript(base=base, index=(ir.Name(id=name),)) if name == parameter:
                if _is_container(it, function, base):
                    yield walks.dotted(base)
            case _:
                pass


def _is_container(it: Interpreter, function: FunctionValue, base: Any) -> bool:
    """Whether an expression in a function is a container of Python: a static field, or a name from around it."""
    match base:
        case ir.Attribute(base=ir.Name(id=name), attr=attr):
            is_self = function.cls is not None and name == function.function.parameters[0].name
            return is_self and function.cls is not None and attr in class_fields.statics(function.cls)
        case ir.Name(id=name) if name not in function.function.scope.bound:
            found = function.closure.state.env.get(name)
            return found is not None and all(_holds_parts(it, atom) for atom in atoms_of(found))
        case _:
            return False


def _holds_parts(it: Interpreter, atom: Value) -> bool:
    if isinstance(atom, Object):
        return isinstance(it.cell(atom), ListCell | DictCell)
    return isinstance(atom, Tuple)
