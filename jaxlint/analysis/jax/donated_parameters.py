"""Which parameters a transform donates, and which arguments reach the compiled function at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import Application, underlying
from jaxlint.analysis.domain.values import Arguments, Static, Value
from jaxlint.analysis.jax import statics, traced_calls
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: The first parameter that each way to say `donate=` donates.
_WORDS = {"all": 0, "warn": 0, "all-except-first": 1, "warn-except-first": 1}


@dataclass(frozen=True, slots=True)
class Donated:
    """The donated parameters: by index and name, and all from `start` on where it is set."""

    numbers: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    start: int | None = None

    @property
    def any(self) -> bool:
        """Whether any parameter is donated."""
        return bool(self.numbers or self.names or self.start is not None)

    def holds(self, number: int | None, name: str | None) -> bool:
        """Whether the parameter of this index or name is donated."""
        late = self.start is not None and (number is None or number >= self.start)
        return late or number in self.numbers or name in self.names


NOTHING = Donated()


def of(it: Interpreter, application: Application) -> Donated:
    """What a transform was told to donate; nothing where that cannot be read.

    Negative indices are left out: JAX 0.10.2 takes them and donates nothing.
    """
    given = application.arguments.keywords
    if it.api.has(application.name, "donates-by-word"):
        word = given.get("donate")
        start = _WORDS.get(str(word.value)) if isinstance(word, Static) else None
        return NOTHING if start is None else Donated(start=start)
    if not it.api.has(application.name, "donates"):
        return NOTHING
    options = [given[option] for option in ("donate_argnums", "donate_argnames") if option in given]
    found = [constant for value in options for constant in statics.constants(it, value) or ()]
    numbers = frozenset(c for c in found if type(c) is int and c >= 0)
    names = frozenset(c for c in found if isinstance(c, str))
    return Donated(numbers, names) if numbers or names else NOTHING


def passed(
    it: Interpreter, application: Application, arguments: Arguments
) -> Iterator[tuple[int | None, str | None, Value, int]]:
    """(index, name, value, node) of the arguments that the compiled function gets.

    Static ones are none of its arguments, and those that the function never reads are dropped.
    """
    names = traced_calls.parameter_names(it, application.target)
    unread = _unread(it, application)
    for number, value in enumerate(arguments.positional):
        parameter = traced_calls.parameter_at(names, number)
        name = None if parameter is None else parameter.name
        if name not in unread and not application.statics.holds(number, name):
            yield number, name, value, arguments.positional_at[number]
    by_name = {} if it.api.has(application.name, "donates-positions") else _positions(names)
    for name, value in arguments.keywords.items():
        index = by_name.get(name)
        if name not in unread and not application.statics.holds(index, name):
            yield index, name, value, arguments.keyword_at.get(name, -1)


def _positions(parameters: Sequence[ir.Parameter]) -> dict[str, int]:
    """The indices of the parameters that have one."""
    kinds = (ir.ParameterKind.POSITIONAL_ONLY, ir.ParameterKind.POSITIONAL)
    return {parameter.name: number for number, parameter in enumerate(parameters) if parameter.kind in kinds}


def _unread(it: Interpreter, application: Application) -> frozenset[str]:
    """The parameters that the function does not mention."""
    function = underlying(application.target)
    if function is None or "keep_unused" in application.arguments.keywords:
        return frozenset()
    return _unmentioned(it, function.function)


@memoised
def _unmentioned(it: Interpreter, function: ir.Function) -> frozenset[str]:
    mentioned = {node.id for node in walks.nodes(function.body) if isinstance(node, ir.Name)}
    return frozenset(parameter.name for parameter in function.parameters) - mentioned
