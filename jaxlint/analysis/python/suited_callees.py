"""Which of several callees a call is meant for: those that can take what it gives.

A flag chooses one of two models and, somewhere else, one of two calls: nothing in view says that both choices agree but
the number, the names and the annotations of the parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Atom,
    BoundMethod,
    FunctionValue,
    InstanceCell,
    Key,
    Object,
    Partial,
    Static,
    Transformed,
    Unknown,
    Value,
    atoms_of,
)
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import arity, binding, classes, iteration
from jaxlint.syntax.ir import Parameter, ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What an annotation calls so is no array. People write `float` for arrays of no axes.
_OF_PYTHON: Final = frozenset({"int", "bool", "str"})
#: What is surely no array, where an array is declared.
_NO_ARRAYS: Final = frozenset({"bool", "str"})
#: Transforms whose function gets as many arguments, and an array where an array is given.
_LIKE_FUNCTION: Final = frozenset({"traced", "mapped", "grad", "inherit", "scope"})


def is_compiled_beside(it: Interpreter, callee: Atom, atoms: Sequence[Atom]) -> bool:
    """Whether another of several callees is this one, compiled: `if cfg.jit: f = jax.jit(f)` leaves it to an option."""
    function = None if _is_compiled(it, callee) else underlying(callee)
    if function is None:
        return False
    compiled = [atom.application.target for atom in atoms if isinstance(atom, Transformed) and _is_compiled(it, atom)]
    others = (underlying(atom) for target in compiled for atom in atoms_of(target))
    return any(other is not None and other.function is function.function for other in others)


def _is_compiled(it: Interpreter, callee: Value) -> bool:
    return isinstance(callee, Transformed) and it.api.has(callee.application.name, "keeps-programs")


def of_several(it: Interpreter, atoms: list[Atom], arguments: Arguments) -> list[Atom]:
    """Leave out the callees that cannot take these arguments, or do not declare to, where another one can."""
    atoms = [atom for atom in atoms if _has_an_axis_for_each(it, atom, arguments)] or atoms
    opened = [(atom, _opened(it, atom, arguments)) for atom in atoms]
    fitting = [pair for pair in opened if arity.accepts(*(pair[1] or (pair[0], arguments)))] or opened
    if len(fitting) <= 1:
        return [atom for atom, _ in fitting]
    suited = [atom for atom, call in fitting if call is None or not _speaks_against(it, *call)]
    return suited or [atom for atom, _ in fitting]


def _has_an_axis_for_each(it: Interpreter, callee: Value, arguments: Arguments) -> bool:
    """Whether a callee that maps another one names as many axes as there are arguments; so where that is not known."""
    if not isinstance(callee, Transformed) or arguments.extra:
        return True
    application = callee.application
    is_checked = it.api.has(application.name, "checks-axes")
    axes = application.arguments.get(1, "in_axes") if is_checked else None
    exact = None if axes is None else iteration.exact_elements(it, axes)
    if exact is not None and len(exact) != len(arguments.positional):
        return False
    return all(_has_an_axis_for_each(it, target, arguments) for target in atoms_of(application.target))


def maps_more_or_less(atoms: Sequence[Atom]) -> bool:
    """Whether one callee maps another one over an axis, as after `for _ in range(n): f = jax.vmap(f)`.

    How many axes are mapped is not known then, nor what the function gets.
    """
    mapped = [each for each in atoms if isinstance(each, Transformed) and each.application.row.level == "mapped"]
    return any(_maps(each, other) for each in mapped for other in atoms if other is not each)


def _maps(callee: Transformed, other: Atom, depth: int = 0) -> bool:
    targets = atoms_of(callee.application.target)
    inner = (target for target in targets if isinstance(target, Transformed) and depth < _MAX_NESTED)
    return any(target is other for target in targets) or any(_maps(each, other, depth + 1) for each in inner)


#: Transforms of transforms that are looked through: a loop is gone through no more often than this.
_MAX_NESTED: Final = 6


def _opened(it: Interpreter, callee: Value, arguments: Arguments) -> tuple[FunctionValue, Arguments] | None:
    """The one function that a call of a callee comes to, and what it gets; None where that is not known."""
    match callee:
        case FunctionValue():
            return callee, arguments
        case BoundMethod():
            return _opened(it, callee.function, arguments.before((callee.receiver,), {}))
        case Partial():
            return _opened(it, callee.function, arguments.before(callee.args, callee.keywords))
        case Transformed() if callee.application.row.level in _LIKE_FUNCTION:
            return _opened(it, callee.application.target, arguments)
        case Object() if isinstance(cell := it.cell(callee), InstanceCell):
            method = classes.find(it, cell.cls, "__call__")
            return None if method is None else _opened(it, method, arguments.before((callee,), {}))
        case _:
            return None


def _speaks_against(it: Interpreter, function: FunctionValue, arguments: Arguments) -> bool:
    """Whether the annotation of some parameter is at odds with what it gets."""
    return any(_is_at_odds(value, _declared(it, function, p)) for p, value in _pairs(function, arguments))


def _pairs(function: FunctionValue, arguments: Arguments) -> Iterator[tuple[Parameter, Value]]:
    parameters: Sequence[Parameter] = function.function.parameters
    places = (parameter for parameter in parameters if parameter.kind <= ParameterKind.POSITIONAL)
    yield from ((p, value) for p, value in zip(places, arguments.positional))
    named = {p.name: p for p in parameters if p.kind in (ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY)}
    yield from ((named[name], value) for name, value in arguments.keywords.items() if name in named)


@dataclass(slots=True)
class _Declared(Table):
    """What the annotation of a parameter says of one of which nothing else is known, by its path and place."""

    meaning: dict[tuple[str, int], Value | None] = field(default_factory=dict)


def _declared(it: Interpreter, function: FunctionValue, parameter: Parameter) -> Value | None:
    if parameter.annotation is None:
        return None
    known = it.tables[_Declared].meaning
    key = (function.module.path, parameter.at)
    if key not in known:
        known[key] = binding.in_scope_of(it, function, parameter, Unknown())
    return known[key]


def _is_at_odds(value: Value, declared: Value | None) -> bool:
    """Whether a parameter is declared to be no array and gets one, or the other way round."""
    if declared is None:
        return False
    given, wanted = atoms_of(value), atoms_of(declared)
    if all(isinstance(atom, Array | Key) for atom in given):
        return all(isinstance(atom, Static) and atom.type in _OF_PYTHON for atom in wanted)
    if all(isinstance(atom, Static) and atom.type in _NO_ARRAYS for atom in given):
        return all(isinstance(atom, Array | Key) for atom in wanted)
    return False
