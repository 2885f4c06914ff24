"""The arguments of a transformed function as it sees them: traced, mapped, static or as they are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.application import Application
from jaxlint.analysis.domain.frames import Trace
from jaxlint.analysis.domain.values import (
    Arguments,
    Key,
    Leaves,
    Partial,
    Ref,
    Static,
    Unknown,
    Value,
    atoms_of,
    is_none,
    level_of,
)
from jaxlint.analysis.jax import statics, traced_calls
from jaxlint.analysis.machine.levels import Lifting
from jaxlint.analysis.python import iteration
from jaxlint.jaxapi.terms import Term
from jaxlint.syntax.ir import Parameter

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def index_of(names: list[Parameter], name: str) -> int | None:
    """The position of the parameter of this name."""
    return next((i for i, parameter in enumerate(names) if parameter.name == name), None)


def lift_arguments(
    it: Interpreter,
    application: Application,
    arguments: Arguments,
    names: list[Parameter],
    unlifted: frozenset[str],
    trace: Trace,
    at: int,
) -> Arguments:
    """The arguments as the traced function sees them."""
    lifted = Arguments([], {}, list(arguments.positional_at), dict(arguments.keyword_at), arguments.extra)
    for number, value in enumerate(arguments.positional):
        parameter = traced_calls.parameter_at(names, number)
        lifted.positional.append(_lift(it, application, number, parameter, value, unlifted, trace, at))
    for name, value in arguments.keywords.items():
        number_of = index_of(names, name)
        parameter = None if number_of is None else names[number_of]
        lifted.keywords[name] = _lift(
            it, application, number_of, parameter or name, value, unlifted, trace, at, by_keyword=True
        )
    return lifted


def _lift(
    it: Interpreter,
    application: Application,
    number: int | None,
    parameter: Parameter | str | None,
    value: Value,
    unlifted: frozenset[str],
    trace: Trace,
    at: int,
    *,
    by_keyword: bool = False,
) -> Value:
    name = parameter.name if isinstance(parameter, Parameter) else parameter
    at = parameter.at if isinstance(parameter, Parameter) else at
    if application.statics.holds(number, name) and any(level_of(atom) for atom in atoms_of(value)):
        return Static(ident=it.ident(at))  # an array of JAX would raise: so it is none where this runs
    if name in unlifted or application.statics.holds(number, name):
        return value
    if not application.statics.known and all(isinstance(atom, Static | Unknown) for atom in atoms_of(value)):
        return value if isinstance(value, Unknown) else it.unknown(f"`{name}`, which may be static", at)
    level = traced_calls.LEVELS[application.row.level]
    origin = traced_calls.parameter_origin(application, parameter, trace.origin)
    lifting = partial(Lifting, it, level, origin, at, trace.entry)
    match application.row.functions[0].traced[0]:
        case term if term.head == "arrays":
            if term.args and number not in (0, None):
                return value
            return lifting(arrays_only=True, mapped=_maps(application))(value)
        case term if term.head == "argnums":
            return lifting()(value) if number in _argnums(it, application) and not by_keyword else value
        case term if term.head in ("mapped", "specified"):
            is_mapped = term.head == "mapped"
            lifted = by_keyword or _is_lifted(it, application, number, term)
            if lifted is None and all(isinstance(atom, Static) for atom in atoms_of(value)):
                return value  # a number, which has no axis
            if lifted is None and is_mapped:
                return it.unknown("an argument whose axis is not known", at)
            return value if lifted is False else lifting(mapped=is_mapped)(value)
        case term if term.head == "positional" and by_keyword:
            return value
        case term if term.head == "refs":
            return Ref(level, origin)
        case term if term.head == "none":
            return value
        case _:
            return lifting(mapped=_maps(application))(value)


def _maps(application: Application) -> bool:
    """Whether every array argument loses its leading axis."""
    return application.name.endswith(("pmap", "filter_vmap", "vectorize"))


def _argnums(it: Interpreter, application: Application) -> frozenset[int]:
    value = application.arguments.get(1, "argnums")
    if value is None:
        return frozenset((0,))
    numbers = statics.numbers(it, value)
    return frozenset((0,)) if numbers is None else numbers


def _is_lifted(it: Interpreter, application: Application, number: int | None, term: Term) -> bool | None:
    """Whether an argument is taken apart, or passed through where None stands for it; None where that is unknown."""
    value = application.arguments.get(1 if term.head == "mapped" else 2, term.first)
    if value is None or number is None:
        return True
    exact = iteration.exact_elements(it, value)
    if exact is not None:
        if number >= len(exact):
            return False  # the call would raise: nobody passes it
        value = exact[number]
    elif not isinstance(value, Static):
        return None
    return not (isinstance(value, Static) and is_none(value))


def unmapped_idents(arguments: Arguments, lifted: Arguments) -> frozenset[Any]:
    """The identities of arguments that every row gets as they are."""
    found = set()
    for before, after in zip(arguments.positional, lifted.positional):
        for atom in atoms_of(after):
            ident = getattr(atom, "ident", None)
            if ident is not None and any(getattr(a, "ident", None) == ident for a in atoms_of(before)):
                found.add(ident)
    return frozenset(found)


def bound_idents(target: Value) -> frozenset[Any]:
    """The identities of arguments that a partial application bound beforehand."""
    found: set[Any] = set()
    while isinstance(target, Partial):
        bound = (*target.args, *target.keywords.values())
        found.update(
            atom.ident for value in bound for atom in atoms_of(value) if isinstance(atom, Key | Unknown | Leaves)
        )
        target = target.function
    return frozenset(found - {None})
