"""The arguments of a transformed function as it sees them: traced, mapped, static or as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.application import Application
from jaxlint.analysis.domain.frames import Trace
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    Array,
    Key,
    Leaves,
    Level,
    Partial,
    Qualified,
    Ref,
    Static,
    Unknown,
    Value,
    atoms_of,
    is_none,
    level_of,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import leaf_types, mapped_axes, stated_shapes, statics, traced_calls
from jaxlint.analysis.machine.levels import Destination, Lifting
from jaxlint.analysis.machine.rebuilding import Rebuilding
from jaxlint.analysis.python import binding, iteration
from jaxlint.jaxapi.terms import Term
from jaxlint.syntax.ir import Parameter, ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


#: How arguments are mapped by transforms that map whatever is an array.
_AXES = Term("mapped", (Term("in_axes"),))


def index_of(names: list[Parameter], name: str) -> int | None:
    """The position of the parameter of this name."""
    return next((i for i, parameter in enumerate(names) if parameter.name == name), None)


@dataclass(frozen=True, slots=True)
class _Argument:
    """One argument of a call: its value, its position if it has one, and the parameter or the keyword that takes it."""

    value: Value
    number: int | None
    parameter: Parameter | str | None
    by_keyword: bool = False
    written: int = -1  # the node of the argument

    @property
    def name(self) -> str | None:
        """The name of the parameter, if that is known."""
        return self.parameter.name if isinstance(self.parameter, Parameter) else self.parameter

    @property
    def own_name(self) -> str | None:
        """The name of the parameter, if that takes no other arguments."""
        is_rest = isinstance(self.parameter, Parameter) and self.parameter.kind is ParameterKind.VAR_POSITIONAL
        return None if is_rest else self.name


@dataclass(frozen=True, slots=True)
class ArgumentLifting:
    """How a transform lifts the arguments of one call; the parameters are the target's, `unlifted` stay as they are."""

    it: Interpreter
    application: Application
    trace: Trace
    parameters: list[Parameter]
    unlifted: frozenset[str]
    at: int

    def lift(self, arguments: Arguments) -> Arguments:
        """The arguments as the traced function sees them."""
        arguments = binding.spread_out(self.it, self.parameters, arguments)
        lifted = replace(arguments, positional=[], keywords={}, positional_at=list(arguments.positional_at))
        for number, value in enumerate(arguments.positional):
            parameter = traced_calls.parameter_at(self.parameters, number)
            written = arguments.at(number, None)
            lifted.positional.append(self._lift(_Argument(value, number, parameter, written=written)))
        for name, value in arguments.keywords.items():
            position = index_of(self.parameters, name)
            taken_by = name if position is None else self.parameters[position]
            lifted.keywords[name] = self._lift(_Argument(value, position, taken_by, True, arguments.at(None, name)))
        self._lift_spread(lifted)
        if self.application.row.functions[0].traced[0].head == "refs" and not arguments.extra:
            self._add_outputs(lifted)
        return lifted

    def _lift_spread(self, arguments: Arguments) -> None:
        """Lift what may be any of the arguments behind the others."""
        number = len(arguments.positional)
        parameter = traced_calls.parameter_at(self.parameters, number)
        if arguments.spread is not None:
            arguments.spread = self._lift(_Argument(arguments.spread, number, parameter))
        arguments.tail = tuple(self._lift(_Argument(value, number, parameter)) for value in arguments.tail)
        if arguments.named is not None:
            arguments.keywords.update(self._static_items(arguments, arguments.named))
            taken_by = next((p.name for p in self.parameters if p.kind is ParameterKind.VAR_KEYWORD), None)
            arguments.named = self._lift(_Argument(arguments.named, None, taken_by, True))

    def _static_items(self, arguments: Arguments, item: Value) -> dict[str, Value]:
        """What `**mapping` gives the static parameters that nothing else can give: its other items are traced."""
        return {
            parameter.name: self._lift(_Argument(item, number, parameter, True))
            for number, parameter in enumerate(self.parameters)
            if parameter.default is None
            and len(arguments.positional) <= number
            and parameter.kind in (ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY)
            and parameter.name not in arguments.keywords
            and self.application.statics.holds(number, parameter.name)
        }

    def _add_outputs(self, lifted: Arguments) -> None:
        """The references that a kernel gets behind those of its inputs: outputs and scratch memory."""
        for number in range(len(lifted.positional), len(self.parameters)):
            parameter = self.parameters[number]
            if parameter.kind > ParameterKind.POSITIONAL or parameter.default is not None:
                return
            if parameter.name not in lifted.keywords:
                lifted.positional.append(self._lift(_Argument(UNKNOWN, number, parameter)))
                lifted.positional_at.append(self.at)

    def _lift(self, argument: _Argument) -> Value:
        value, name, statics = argument.value, argument.name, self.application.statics
        at = argument.parameter.at if isinstance(argument.parameter, Parameter) else self.at
        is_static = statics.holds(argument.number, name)
        if is_static and any(level_of(atom) for atom in atoms_of(value)):
            return Static(ident=self.it.ident(at))  # an array of JAX would raise: so it is none where this runs
        if is_static or name in self.unlifted:
            return value
        if self._may_be_static(argument) and all(isinstance(atom, Static | Unknown) for atom in atoms_of(value)):
            return value if isinstance(value, Unknown) else self.it.unknown(f"`{name}`, which may be static", at)
        return self._traced(argument, at)

    def _may_be_static(self, argument: _Argument) -> bool:
        """Whether an argument that is not surely static may be: options or a signature are not known."""
        statics = self.application.statics
        return not statics.known or (argument.by_keyword and not statics.keywords_known)

    def _traced(self, argument: _Argument, at: int) -> Value:  # noqa: PLR0911 - dispatches on terms
        """An argument that is not static, by the term of the table that tells which ones are traced."""
        it, application = self.it, self.application
        if it.api.has(application.name, "takes-shapes"):
            argument = replace(argument, value=stated_shapes.as_arrays(it, argument.value))
        value = argument.value
        term = self._term(argument)
        if self._stays(argument, term):
            is_flattened = it.api.has(application.name, "merges-objects")
            return Rebuilding(it, self.trace.entry)(value) if is_flattened else value
        if term.head not in ("mapped", "specified") and self._is_refused(argument):
            return it.unknown("an argument that cannot be traced", at)
        level = traced_calls.LEVELS[application.row.level]
        origin = traced_calls.parameter_origin(application, argument.parameter, self.trace.origin)
        destination = Destination(level, origin, at, self.trace.entry, self.trace.outside)
        match term.head:
            case "argnums":
                return Lifting(it, destination)(value)
            case "mapped" | "specified":
                return self._mapped(argument, term, destination)
            case "looped":
                return self._looped(argument, term, destination)
            case "carry" | "x" | "scanned":
                return self._scanned(argument, term, destination)
            case "refs":
                return Ref(level, origin, kernel=True)
            case head:
                is_mapped = it.api.has(application.name, "maps-all") and not self._is_unmapped(argument)
                axis = mapped_axes.axis_of(it, application, argument.number) if is_mapped else 0
                return Lifting(it, destination, arrays_only=head == "arrays", mapped=is_mapped, axis=axis)(value)

    def _term(self, argument: _Argument) -> Term:
        """The term of the table for an argument: that at its position, the last one for those behind it."""
        terms = self.application.row.functions[0].traced
        return terms[min(argument.number or 0, len(terms) - 1)]

    def _scanned(self, argument: _Argument, term: Term, destination: Destination) -> Value:
        """What one step of a lifted scan gets of an argument: the carry, a part, or the whole where it is broadcast."""
        axis = self._scanned_axis(argument, term)
        if axis is _CARRY:
            return Lifting(self.it, destination, fresh_keys=True)(argument.value)
        if axis is None:
            return argument.value
        if not isinstance(axis, int):
            return self.it.unknown("an argument whose axis is not known", destination.at)
        return Lifting(self.it, destination, mapped=True, axis=axis)(argument.value)

    def _scanned_axis(self, argument: _Argument, term: Term) -> int | str | None:
        """The axis that a lifted scan goes along; `_CARRY` for the carry, None for what it broadcasts.

        Linen's `in_axes` is of the arguments behind the carry; in nnx's, the carry has an entry.
        """
        if term.head == "carry":
            return _CARRY
        behind = len(self.application.row.functions[0].traced) - 1
        number = (argument.number or 0) - behind
        axes = self.application.arguments.get(None, "in_axes")
        if axes is None:
            return _CARRY if term.head == "scanned" and number == 0 else 0
        exact = iteration.exact_elements(self.it, axes)
        if exact is not None:
            axes = exact[number] if 0 <= number < len(exact) else UNKNOWN
        match axes:
            case Qualified(name=name) if self.it.api.has(name, "marks-carry"):
                return _CARRY
            case Qualified() | Static(value=None, known=True):
                return None
            case Static(value=int() as axis):
                return axis
            case _:
                return _UNKNOWN_AXIS

    def _stays(self, argument: _Argument, term: Term) -> bool:
        """Whether the function gets the argument as it is."""
        match term.head:
            case "arrays":
                is_later = bool(term.args) and argument.number not in (0, None)
                return is_later or (not argument.by_keyword and self._is_unmapped(argument))
            case "argnums":
                return argument.number not in _argnums(self.it, self.application) or argument.by_keyword
            case "positional":
                return argument.by_keyword
            case head:
                return head == "none"

    def _is_unmapped(self, argument: _Argument) -> bool:
        """Whether a transform that maps whatever is an array is told to leave this one."""
        maps = self.it.api.has(self.application.name, "maps-all")
        return maps and _is_lifted(self.it, self.application, argument.number, _AXES) is False

    def _mapped(self, argument: _Argument, term: Term, destination: Destination) -> Value:
        """An argument of a transform that maps along the axes that it is given, or takes each argument by its spec."""
        is_mapped = term.head == "mapped"
        is_lifted = argument.by_keyword or _is_lifted(self.it, self.application, argument.number, term)
        if is_lifted is None and all(isinstance(atom, Static) for atom in atoms_of(argument.value)):
            return argument.value  # a number, which has no axis
        if is_lifted is None and is_mapped:
            return self.it.unknown("an argument whose axis is not known", destination.at)
        if is_lifted is False:
            return Rebuilding(self.it, self.trace.entry)(argument.value)
        if self._is_refused(argument):
            return self.it.unknown("an argument that cannot be traced", destination.at)
        axis = mapped_axes.axis_of(self.it, self.application, None if argument.by_keyword else argument.number)
        return Lifting(self.it, destination, mapped=is_mapped, axis=axis)(argument.value)

    def _is_refused(self, argument: _Argument) -> bool:
        """Whether an argument surely cannot be traced; the rules are told."""
        if argument.written < 0 or self.trace.is_uncalled or self._may_be_static(argument):
            return False
        operand = Operand(argument.value, self.it.frame, argument.written)
        return leaf_types.check_argument(self.it, self.application, operand, argument.own_name)

    def _looped(self, argument: _Argument, term: Term, destination: Destination) -> Value:
        """An argument that is mapped along the axes in front of those that a signature names; of length 1 they go."""
        core = self._core_rank(argument, term)
        if isinstance(argument.value, Key) and argument.value.shape:
            return _looped_key(Lifting(self.it, destination, mapped=True)(argument.value), argument.value, core)
        shape = getattr(argument.value, "shape", ()) if level_of(argument.value) is not None else ()
        is_number = isinstance(argument.value, Static)
        if core is None or (shape is None and not is_number):
            lifted = Lifting(self.it, destination)(argument.value)
            return _assumed(lifted)
        front, rest = (shape or ())[: len(shape or ()) - core], (shape or ())[len(shape or ()) - core :]
        if all(length == 1 for length in front):
            destination = destination._replace(level=Level.CONCRETE)
        lifted = Lifting(self.it, destination)(argument.value)
        return replace(lifted, shape=rest) if isinstance(lifted, Array) else lifted

    def _core_rank(self, argument: _Argument, term: Term) -> int | None:
        """How many axes the signature of a vectorized function names for this argument; none without a signature."""
        signature = self.application.arguments.get(None, term.first)
        if signature is None or (isinstance(signature, Static) and is_none(signature)):
            return 0
        if not isinstance(signature, Static) or not isinstance(signature.value, str) or argument.number is None:
            return None
        before = (self.application.statics.holds(number, None) for number in range(argument.number))
        parts = _CORE.findall(signature.value.partition("->")[0])
        number = argument.number - sum(before)
        return len([name for name in parts[number].split(",") if name.strip()]) if number < len(parts) else None


def _looped_key(lifted: Value, keys: Key, core: int | None) -> Value:
    """One of an array of keys; the words of a raw key are an axis that the signature names."""
    if not isinstance(lifted, Key):
        return lifted
    axes = keys.shape or ()
    kept = None if core is None else max(core - (not keys.typed), 0)
    return replace(lifted, shape=None if kept is None else axes[len(axes) - kept :] if kept else ())


#: What is no axis that a scan goes along.
_CARRY, _UNKNOWN_AXIS = "carry", "unknown"
#: The core dimensions of one argument: `(n),(k,n)`.
_CORE = re.compile(r"\(([^()]*)\)")


def _assumed(value: Value) -> Value:
    """Traced if the arrays have the axes that are mapped, which their callers know."""
    return replace(value, assumed=True) if isinstance(value, Array | Leaves) else value


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
