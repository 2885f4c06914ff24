"""Bound methods that are compiled where they are called: each access makes another one, which JAX does not find again.

Under-approximates: only methods that are called once by what compiled them, in a method that code elsewhere calls with
data, and those that a property or a method compiles and gives back, where the result is called in place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.compilation import CompiledMethod
from jaxlint.analysis.jax import loop_variance, object_identity, recompilation
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source import ownership, reaching_definitions, test_context
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


def called(it: Interpreter, application: Application, node: ir.Expr) -> None:
    """A compiled function is called: tell the rules if it is a method that was bound for this call alone."""
    if not it.wants(CompiledMethod) or it.frame.trace is not None or not isinstance(node, ir.Call):
        return
    name = object_identity.bound_method(it, application.target)
    if not name or not it.api.has(application.name, "keyed-by-method") or not _is_accessed(it, application):
        return
    frame, made_in = it.frame, application.frame
    if any(map(test_context.is_test, frame.known_callers())):
        return
    if made_in is frame:
        if not _makes_first_state(it, name) and _compiles_for_callers(it, frame, application, node):
            it.emit(CompiledMethod(made_in, application.at, application, name, None))
    elif _is_given_back(frame, made_in, application, node):
        loop = loop_variance.innermost(it, frame)
        if loop is not None:
            around = Place(loop[1].path, loop[0].at)
            it.emit(CompiledMethod(made_in, application.at, application, name, around))
        elif _serves_callers(frame) and _is_given(frame, node):
            it.emit(CompiledMethod(made_in, application.at, application, name, None))


def _makes_first_state(it: Interpreter, name: str) -> bool:
    """Whether a method is one that starts with a key, which a program does once: `model.init`."""
    return it.api.has(f"*.{name}", "draws-given")


def _is_accessed(it: Interpreter, application: Application) -> bool:
    """Whether the transform is given the access itself, not a name that keeps what an access gave."""
    call = reaching_definitions.call_at(it, application.frame, application.at)
    return call is not None and bool(call.args) and isinstance(call.args[0], ir.Attribute)


def _compiles_for_callers(it: Interpreter, frame: Frame, application: Application, node: ir.Call) -> bool:
    """Whether a method compiles another one at each of its calls, and calls it once."""
    if frame.passes or not _serves_callers(frame) or not recompilation.is_for_calls_here(it, application, node):
        return False
    return _is_given(frame, node) and not _is_kept(it, frame.body, node.at)


def _serves_callers(frame: Frame) -> bool:
    """Whether this is a method of which no call is known, which many may make."""
    return frame.is_open and frame.cls is not None and recompilation.may_repeat(frame) and not frame.conditions


def _is_given(frame: Frame, node: ir.Call) -> bool:
    """Whether the call hands on what the caller gave: it is for other data each time."""
    assert frame.function is not None
    given = {parameter.name for parameter in frame.function.parameters[1:]}
    handed_on = walks.nodes((node.args, node.keywords))
    return any(isinstance(part, ir.Name) and part.id in given for part in handed_on)


@memoised
def _is_kept(_: Interpreter, body: ir.Block, at: int) -> bool:
    """Whether the result of a call is put on an object: then the call sets it up."""
    statement = ownership.statement_of(body, at)
    return isinstance(statement, ir.Assign) and any(
        isinstance(part, ir.Attribute) for part in walks.nodes(statement.targets)
    )


def _is_given_back(frame: Frame, made_in: Frame, application: Application, node: ir.Call) -> bool:
    """Whether a property or method has compiled the function for this very call, whatever was there before."""
    if made_in.caller is not frame or made_in.call_at != node.func.at or made_in.function is None:
        return False  # where an attribute keeps what was given back, another expression is called
    if application.conditions or application.passes or len(made_in.flow.returns) > 1:
        return False
    decorators = walks.nodes(made_in.function.decorators)
    if any("cache" in walks.spelling(part) for part in decorators):
        return False
    returned = made_in.function.body[-1]
    return isinstance(returned, ir.Return) and returned.value is not None and returned.value.at == application.at
