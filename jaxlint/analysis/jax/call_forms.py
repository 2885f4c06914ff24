"""Compiled functions that are called with one parameter now by position, now by name: each form is traced for itself.

Under-approximates: only calls of which the function's own parameters are known, and not those that tests make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.application import Application
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.events.compilation import MixedCallForm
from jaxlint.analysis.jax import traced_calls
from jaxlint.analysis.machine.path_conditions import exclusive
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.source import test_context
from jaxlint.syntax.ir import ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.analysis.domain.values import Arguments
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


class _Form(NamedTuple):
    """The parameters that a call gives by position and those that it gives by name, both in order."""

    by_position: tuple[str, ...]
    by_name: tuple[str, ...]


class _Call(NamedTuple):
    place: Place
    conditions: tuple[Condition, ...]


@dataclass(slots=True)
class _Forms(Table):
    """The first call of each form, by the compiled function."""

    by_function: dict[Application, dict[_Form, _Call]] = field(default_factory=dict)

    def fork(self) -> _Forms:
        """The same with calls of its own."""
        return _Forms({application: dict(calls) for application, calls in self.by_function.items()})


def called(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr) -> None:
    """A compiled function is called: tell the rules where an earlier call gave a parameter in the other way."""
    frame = it.frame
    if not it.wants(MixedCallForm) or not it.api.has(application.name, "keyed-by-form"):
        return
    if frame.trace is not None or arguments.extra or any(map(test_context.is_test, frame.known_callers())):
        return
    form = _form(it, application, arguments)
    if form is None:
        return
    calls = it.tables[_Forms].by_function.setdefault(application, {})
    if form in calls:
        return
    path, place = frame.all_conditions(), it.place(node.at)
    for other, call in calls.items():
        names = (*_shared(other.by_position, form.by_name), *_shared(other.by_name, form.by_position))
        if names and not exclusive(call.conditions, path):
            by_name = names[0] in form.by_name
            it.emit(MixedCallForm(frame, node.at, application, names, by_name=by_name, earlier=call.place))
            break
    calls[form] = _Call(place, path)


def _shared(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in first if name in second)


def _form(it: Interpreter, application: Application, arguments: Arguments) -> _Form | None:
    """The form of a call; None where it gives something that no parameter takes alone."""
    parameters = traced_calls.parameter_names(it, application.target)
    taken = [traced_calls.parameter_at(parameters, number) for number in range(len(arguments.positional))]
    if any(parameter is None or parameter.kind > ParameterKind.POSITIONAL for parameter in taken):
        return None
    by_position = tuple(parameter.name for parameter in taken if parameter is not None)
    return _Form(by_position, tuple(sorted(arguments.keywords)))
