"""Binding of arguments to parameters, and the values of parameters that no call gave."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import Ident, OfParameter
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    Array,
    ClassValue,
    DictCell,
    FunctionValue,
    Iterable,
    Leaves,
    ListCell,
    Made,
    Object,
    Reason,
    Ref,
    SetCell,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.machine import levels
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.python import iteration, open_instances, type_hints
from jaxlint.analysis.source import given_arguments
from jaxlint.syntax import ir, walks
from jaxlint.syntax.ir import Parameter, ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Trace
    from jaxlint.analysis.machine.interpreter import Interpreter


def bind_arguments(
    it: Interpreter, function: FunctionValue, arguments: Arguments, at: int, trace: Trace | None = None
) -> dict[str, Value]:
    """The parameters' values for a call; what cannot be matched is unknown. `trace` is the one that it starts."""
    env: dict[str, Value] = {}
    owner = it.frame.serial if trace is None else trace.entry
    if not isinstance(arguments.spread, Unknown):  # else annotations say more
        arguments = spread_out(it, function.function.parameters, arguments)
    positional = list(arguments.positional)
    keywords = dict(arguments.keywords)
    for parameter in function.function.parameters:
        if parameter.kind is ParameterKind.VAR_POSITIONAL:
            env[parameter.name] = _rest(arguments, tuple(positional))
            positional = []
        elif parameter.kind is ParameterKind.VAR_KEYWORD:
            named = UNKNOWN if arguments.named is None else arguments.named
            env[parameter.name] = it.allocate(
                DictCell(it.birth(parameter.at), keywords, named if arguments.extra else None)
            )
        elif positional and parameter.kind is not ParameterKind.KEYWORD_ONLY:
            env[parameter.name] = _refined(it, function, parameter, positional.pop(0), owner)
        elif parameter.name in keywords and parameter.kind is not ParameterKind.POSITIONAL_ONLY:
            env[parameter.name] = _refined(it, function, parameter, keywords.pop(parameter.name), owner)
        elif parameter.name in function.defaults and not arguments.extra:
            env[parameter.name] = function.defaults[parameter.name]
        elif (item := _item_of_mapping(function, parameter, arguments)) is not None:
            env[parameter.name] = iteration.entry(item, parameter.name)
        else:
            env[parameter.name] = _unknown_parameter(it, function, parameter)
    return env


def _item_of_mapping(function: FunctionValue, parameter: Parameter, arguments: Arguments) -> Value | None:
    """What `**mapping` gives a parameter that nothing else can give, any item where its keys are not known.

    A parameter with a default need not be among the keys: nothing says that it gets the items of other names.
    """
    if arguments.spread is not None or parameter.name in function.defaults or isinstance(arguments.named, Unknown):
        return None
    return arguments.named


def spread_out(it: Interpreter, parameters: Sequence[Parameter], arguments: Arguments) -> Arguments:
    """The arguments with those that are spread in the places of the parameters that must be given."""
    spread = arguments.spread
    if spread is None:
        return arguments
    places = [p for p in parameters if p.kind <= ParameterKind.POSITIONAL][len(arguments.positional) :]
    open_places = [p for p in places if p.name not in arguments.keywords]
    required = list(itertools.takewhile(lambda p: p.default is None, open_places))
    takes_more = any(p.kind is ParameterKind.VAR_POSITIONAL for p in parameters) or len(required) < len(open_places)
    tail = () if takes_more else arguments.tail
    if takes_more and arguments.tail:
        spread = join_all([spread, *arguments.tail])
    count = len(required) - len(tail)
    if count < 0:
        return arguments
    values = [*(iteration.refresh(it, spread, iteration.picked(it)) for _ in range(count)), *tail]
    return replace(
        arguments,
        positional=[*arguments.positional, *values],
        positional_at=[*arguments.positional_at, *([-1] * len(values))],
        extra=takes_more or arguments.named is not None,
        spread=spread if takes_more else None,
        tail=(),
    )


def _rest(arguments: Arguments, given: tuple[Value, ...]) -> Value:
    """What `*args` gets."""
    if not arguments.extra:
        return Tuple(given)
    if arguments.spread is None:
        return Tuple(given) if arguments.named is not None else Iterable("tuple", UNKNOWN)
    return Iterable("tuple", join_all([*given, arguments.spread, *arguments.tail]))


def _refined(it: Interpreter, function: FunctionValue, parameter: Parameter, value: Value, owner: int) -> Value:
    """An unknown argument is at least what the parameter's annotation says; a leaf of a tree may be a variable.

    Where it is an assumption already that the code is traced, that an annotation is believed would be one too many.
    """
    if isinstance(value, Unknown) and not isinstance(value, Made) and parameter.annotation is not None:
        known = in_scope_of(it, function, parameter, value)
        _mark_as_claimed(it, known)
        return value if it.frame.caveats.assumed and isinstance(known, Array) else known
    if isinstance(value, Array) and parameter.annotation is not None:
        return Ref(value.level) if _is_variable(it, function, parameter) else value
    if isinstance(value, Leaves) and parameter.annotation is not None:
        return _structured(it, function, parameter, value, owner)
    if isinstance(value, Union) and any(isinstance(atom, Leaves) for atom in value.atoms):
        return join_all([_refined(it, function, parameter, atom, owner) for atom in value.atoms])
    if isinstance(value, Tuple | Iterable) and _contradicts(it, function, parameter, value):
        return _of_unknown_class(function, parameter, OfParameter(it.fresh(), parameter.name))
    return value


def _mark_as_claimed(it: Interpreter, known: Value) -> None:
    """Note of a container that nothing but an annotation tells what a call in view gives."""
    cell = it.cell(known) if isinstance(known, Object) else None
    if isinstance(known, Object) and isinstance(cell, ListCell | DictCell | SetCell):
        it.update(known, replace(cell, birth=cell.birth._replace(claimed=True)))


def _contradicts(it: Interpreter, function: FunctionValue, parameter: Parameter, value: Tuple | Iterable) -> bool:
    """Whether a tuple of which nothing but types is known comes to a parameter for one number: one of both is wrong.

    So is one of unknown length, whatever is in it.
    """
    if parameter.annotation is None or not _is_vague(value):
        return False
    declared = atoms_of(in_scope_of(it, function, parameter, Unknown()))
    return all(isinstance(atom, Static) and atom.type in levels.NUMBERS for atom in declared)


def _is_vague(value: Tuple | Iterable) -> bool:
    if isinstance(value, Iterable):
        return value.kind == "tuple"
    known = (not isinstance(part, Static) or part.type not in levels.NUMBERS or part.known for part in value.elements)
    return value.cls is None and bool(value.elements) and not any(known)


@dataclass(slots=True)
class _Annotations(Table):
    """What the annotation of a parameter was found to say, by its path and ordinal."""

    is_variable: dict[tuple[str, int], bool] = field(default_factory=dict)
    is_foreign: dict[tuple[str, int], bool] = field(default_factory=dict)
    is_container: dict[tuple[str, int], bool] = field(default_factory=dict)


def _is_variable(it: Interpreter, function: FunctionValue, parameter: Parameter) -> bool:
    """Whether a parameter's annotation names a class of mutable references; asked once per parameter."""
    known = it.tables[_Annotations].is_variable
    key = (function.module.path, parameter.at)
    if key not in known:
        known[key] = isinstance(in_scope_of(it, function, parameter, Unknown()), Ref)
    return known[key]


def _structured(it: Interpreter, function: FunctionValue, parameter: Parameter, value: Leaves, owner: int) -> Value:
    """A traced tree whose annotation says that it is a list, dict or tuple, or of a class that nobody knows.

    A call that starts a trace made the tree for it, so that its containers belong there and not to the caller. Code
    that asks whether an array was given does not rely on the annotation.
    """
    if parameter.name in _taken_for_arrays(it, function.function):
        return value
    if is_foreign(it, function, parameter):
        return _of_unknown_class(function, parameter, value.ident)
    shape = _given(in_scope_of(it, function, parameter, Unknown(value.ident)))
    if (isinstance(shape, Tuple | Object | Iterable) or it.library.is_tree(it, shape)) and value.origin is not None:
        destination = levels.Destination(value.level, value.origin, parameter.at, owner)
        return levels.Lifting(it, destination)(shape)
    return replace(value, container=True) if _is_container(it, function, parameter) else value


@memoised
def _taken_for_arrays(it: Interpreter, function: ir.Function) -> frozenset[str]:
    """The names of which a function asks whether they have an attribute that arrays have."""
    found = set[str]()
    for node in walks.nodes(function.body):
        match node:
            case ir.Call(func=ir.Name(id="hasattr"), args=(ir.Name(id=name), ir.Constant(value=str(attribute)))):
                if it.api.array_member(attribute) is not None:
                    found.add(name)
            case _:
                pass
    return frozenset(found)


def _given(value: Value) -> Value:
    """What an argument is of `X | None` that is surely not None."""
    return join_all([atom for atom in atoms_of(value) if not is_none(atom)] or [value])


def _is_container(it: Interpreter, function: FunctionValue, parameter: Parameter) -> bool:
    """Whether a parameter's annotation names a class of containers and trees; asked once per parameter."""
    known = it.tables[_Annotations].is_container
    key = (function.module.path, parameter.at)
    if key not in known:
        annotation = parameter.annotation
        known[key] = annotation is not None and type_hints.may_be_container(it, function.closure, annotation)
    return known[key]


def _unknown_parameter(it: Interpreter, function: FunctionValue, parameter: Parameter) -> Value:
    value = _of_unknown_class(function, parameter, OfParameter(it.fresh(), parameter.name))
    if parameter.annotation is None:
        return value
    known = in_scope_of(it, function, parameter, value)
    if isinstance(known, Object) and given_arguments.gives_attribute(it, function, parameter):
        _mark_as_claimed(it, known)
    if isinstance(known, Tuple) and known.cls is None and given_arguments.gives_number(it, function, parameter):
        return value  # calls in view say otherwise
    return _like_default(known, function.defaults.get(parameter.name))


def _like_default(value: Value, default: Value | None) -> Value:
    """What an annotation `int | Array` says where nobody is known to give another thing than the default, a number."""
    is_number = isinstance(default, Static) and default.type in levels.NUMBERS
    kept = [atom for atom in atoms_of(value) if not isinstance(atom, Array)]
    of_python = any(isinstance(atom, Static) and not is_none(atom) for atom in kept)
    return join_all(kept) if is_number and of_python and len(kept) < len(atoms_of(value)) else value


def is_foreign(it: Interpreter, function: FunctionValue, parameter: Parameter) -> bool:
    """Whether a parameter's annotation names only classes that nobody knows; asked once per parameter."""
    known = it.tables[_Annotations].is_foreign
    key = (function.module.path, parameter.at)
    if key not in known:
        annotation = parameter.annotation
        known[key] = annotation is not None and type_hints.is_foreign(it, function.closure, annotation)
    return known[key]


def _of_unknown_class(function: FunctionValue, parameter: Parameter, ident: Ident) -> Unknown:
    what = f"parameter `{parameter.name}` of `{function.function.name}`"
    return Unknown(ident, Reason(what, function.module.path, parameter.at))


def in_scope_of(it: Interpreter, function: FunctionValue, parameter: Parameter, value: Unknown) -> Value:
    """The annotation's meaning, its names looked up where the function was defined."""
    assert parameter.annotation is not None
    birth = it.birth(parameter.at)  # nobody knows where it was made; it is no older than the call that brings it
    return type_hints.annotated_in(it, function.closure, parameter.annotation, value, birth)


def open_parameters(it: Interpreter, function: FunctionValue, cls: ClassValue | None = None) -> dict[str, Value]:
    """The parameters of a function of which no call is known; its first one is of `cls`, or of its own class."""
    env: dict[str, Value] = {}
    binding = _binding(function)
    cls = cls or function.cls
    for number, parameter in enumerate(function.function.parameters):
        if parameter.kind is ParameterKind.VAR_POSITIONAL:
            env[parameter.name] = Iterable("tuple", _unknown_parameter(it, function, parameter))
        elif parameter.kind is ParameterKind.VAR_KEYWORD:
            env[parameter.name] = it.allocate(
                DictCell(it.birth(parameter.at), {}, _unknown_parameter(it, function, parameter))
            )
        elif number == 0 and cls is not None and binding in ("function", "property"):
            env[parameter.name] = open_instances.of_self(it, cls, parameter)
        elif number == 0 and cls is not None and binding == "classmethod":
            env[parameter.name] = cls
        else:
            env[parameter.name] = _unknown_parameter(it, function, parameter)
    return env


#: Decorators that say how a class binds a function, whatever other decorators make of it first.
_BINDING = frozenset({"staticmethod", "classmethod"})


def _binding(function: FunctionValue) -> str:
    """How a function is bound in its class, by the decorators around it."""
    found = None if function.cls is None else function.cls.namespace.get(function.function.name)
    if isinstance(found, FunctionValue) and found.function is function.function:
        return found.binding
    named = (node.id for node in function.function.decorators if isinstance(node, ir.Name))
    return next((name for name in named if name in _BINDING), function.binding)
