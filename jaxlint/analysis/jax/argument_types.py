"""The types by which a compiled function is looked up: numbers of Python are of other types than the arrays of JAX.

Under-approximates: two calls differ where the type of a leaf is known in both, and nothing else is known to differ, so
that the type alone makes JAX trace and compile once more. Calls in tests and in traced code are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.application import Application
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import Arguments, Array, Atom, Level, Shape, Static, Value, atoms_of
from jaxlint.analysis.events.compilation import RetypedArgument
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import traced_arguments, traced_calls, tree_nodes
from jaxlint.analysis.machine.levels import NUMBERS
from jaxlint.analysis.machine.path_conditions import exclusive
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.source import reaching_definitions, test_context
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import ModuleContext
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax.ir import Parameter


class _Leaf(NamedTuple):
    """One leaf of an argument, as far as it is known: its class of dtypes, whether it gives way, and its shape.

    `other` is the text of what is no number and no array; it differs from all that has another one.
    """

    kind: str | None = None
    weak: bool | None = None
    shape: Shape = None
    is_python: bool = False
    dtype: str = ""
    other: str | None = None

    def __str__(self) -> str:
        """The leaf as a message names it."""
        if self.is_python:
            return f"a Python {self.kind}"
        weakly = "weakly typed " if self.weak else ""
        return f"a {weakly}{self.dtype or self.kind} array"


class _Call(NamedTuple):
    """The leaves of one call by the text that leads to them, its place, and the tests on the path there.

    `route` has the places of the calls that lead there, unless it stands in a loop itself. `written` has the nodes of
    the arguments that the leaves stand in, in this module.
    """

    leaves: dict[str, _Leaf]
    place: Place
    route: tuple[tuple[str, int], ...]
    conditions: tuple[Condition, ...]
    written: dict[str, int]
    module: ModuleContext

    def text(self, path: str) -> str:
        """The argument that a leaf stands in, as written; places of nodes are looked up for what may be told alone."""
        at = self.written.get(path)
        return "" if at is None else self.module.text(at)

    def is_repeated(self, other: _Call) -> bool:
        """Whether this is the call `other` of an earlier pass, not one that comes from elsewhere to the same place."""
        return self.place == other.place and self.route == other.route


@dataclass(slots=True)
class _Calls(Table):
    """One call for each program that JAX compiles, by the compiled function."""

    by_function: dict[Application, list[_Call]] = field(default_factory=dict)

    def fork(self) -> _Calls:
        """The same with calls of its own."""
        return _Calls({application: list(calls) for application, calls in self.by_function.items()})


#: More programs than this are compiled on purpose.
_MAX_PROGRAMS: Final = 8
_UNKNOWN: Final = _Leaf()


def called(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr) -> None:
    """A compiled function is called: tell the rules where types alone tell the call from an earlier one."""
    frame = it.frame
    if not it.wants(RetypedArgument) or not it.api.has(application.name, "keyed-by-type"):
        return
    if frame.trace is not None or arguments.extra or not application.statics.known:
        return
    if any(map(test_context.is_test, frame.known_callers())):
        return
    calls = it.tables[_Calls].by_function.setdefault(application, [])
    if len(calls) >= _MAX_PROGRAMS:
        return
    reader = _Reader(it, application, it.place(node.at), calls)
    leaves = reader.leaves(arguments)
    route = () if frame.passes else tuple((step.path, step.at) for step in frame.chain(node.at))
    call = _Call(leaves, it.place(node.at), route, frame.all_conditions(), reader.written, frame.module)
    others = [other for other in calls if not exclusive(other.conditions, call.conditions)]
    changes = [(other, _changes(other.leaves, call.leaves, hands_on=call.is_repeated(other))) for other in others]
    if any(changed == [] for _, changed in changes):
        return  # the program of that call may be the one of this one
    calls.append(call)
    known = [(len(changed), number) for number, (_, changed) in enumerate(changes) if changed]
    if known:
        other, changed = changes[min(known)[1]]
        assert changed is not None
        path = changed[0]
        operand = Operand(reader.values[path], frame, reader.written.get(path, node.at))
        types = str(other.leaves[path]), str(call.leaves[path])
        passes = frame.passes[-1:] if call.is_repeated(other) else ()
        loop = next((Place(frame.path, this.at) for this in passes), None)
        start = _start(it, node, operand.at) if loop is not None else None
        at = operand.at if start is None else start
        earlier = other.place if start is None else it.place(operand.at)
        in_doubt = loop is None and _may_be_of_other_shapes(other, call)
        it.emit(RetypedArgument(frame, at, application, operand, path, types, earlier, loop, len(calls), in_doubt))


def _may_be_of_other_shapes(one: _Call, other: _Call) -> bool:
    """Whether two calls are given different variables of unknown shapes, for which JAX may compile anyway."""
    unsized = [path for path, leaf in other.leaves.items() if leaf.other is None and leaf.shape is None]
    pairs = [(one.text(path), other.text(path)) for path in unsized if one.leaves[path].shape is None]
    return any(mine != its and _is_variable(mine) and _is_variable(its) for mine, its in pairs)


def _is_variable(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _start(it: Interpreter, call: ir.Expr, at: int) -> int | None:
    """What a name that a loop hands on is bound to in front of the loop, if that is one value."""
    written = walks.expression_at(call, at)
    this = it.frame.passes[-1]
    if not isinstance(written, ir.Name):
        return None
    bindings = reaching_definitions.known_bindings(it, it.frame.body, written.id)
    before = [binding.value for binding in bindings if binding.statement.at < this.at and binding.value is not None]
    return before[0].at if len(before) == 1 else None


def _changes(before: dict[str, _Leaf], now: dict[str, _Leaf], *, hands_on: bool) -> list[str] | None:
    """The leaves whose type alone has changed; None where something else is known to differ.

    A loop that hands on what one call returns (`hands_on`) may start with a number that stands for an array.
    """
    if before.keys() != now.keys():
        return None
    found = []
    for path, leaf in now.items():
        if hands_on and before[path].is_python and leaf.shape and leaf.kind is not None:
            found.append(path)
        elif _is_another(before[path], leaf):
            return None
        elif _is_retyped(before[path], leaf):
            found.append(path)
    return found


def _is_another(one: _Leaf, other: _Leaf) -> bool:
    """Whether two leaves are not of one shape, or values of a static parameter that differ."""
    if one.other is not None or other.other is not None:
        return one.other != other.other
    if one.shape is None or other.shape is None:
        return False
    return len(one.shape) != len(other.shape) or any(
        isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(one.shape, other.shape)
    )


def _is_retyped(one: _Leaf, other: _Leaf) -> bool:
    """Whether two leaves are surely of one shape and of two types."""
    if one.kind is None or other.kind is None or one.shape is None or one.shape != other.shape or None in one.shape:
        return False
    return one.kind != other.kind or (None not in (one.weak, other.weak) and one.weak != other.weak)


class _Reader:
    """Takes the arguments of one call apart."""

    def __init__(self, it: Interpreter, application: Application, place: Place, calls: list[_Call]) -> None:
        self.it, self.application = it, application
        self.earlier = next((call.leaves for call in calls if call.place == place), {})
        self.values: dict[str, Value] = {}
        self.written: dict[str, int] = {}

    def leaves(self, arguments: Arguments) -> dict[str, _Leaf]:
        """The leaves of a call's arguments, by the parameter and the text that leads from it to them."""
        found: dict[str, _Leaf] = {}
        parameters = traced_calls.parameter_names(self.it, self.application.target)
        for number, value in enumerate(arguments.positional):
            parameter = traced_calls.parameter_at(parameters, number)
            found.update(self._argument(_name(parameter, number), number, value, arguments.at(number, None)))
        for name, value in arguments.keywords.items():  # an index makes its parameter static by name, too
            index = traced_arguments.index_of(parameters, name)
            found.update(self._argument(name, index, value, arguments.at(None, name)))
        return found

    def _argument(self, name: str, number: int | None, value: Value, at: int) -> Iterator[tuple[str, _Leaf]]:
        is_static = self.application.statics.holds(number, name)
        for path, part in [(name, value)] if is_static else self._parts(name, value, 0):
            self.values[path] = part
            if at >= 0:
                self.written[path] = at
            yield path, _static(part) if is_static else self._leaf(path, part)

    def _parts(self, path: str, value: Value, depth: int) -> Iterator[tuple[str, Value]]:
        atoms = atoms_of(value)
        node = tree_nodes.node_of(self.it, atoms[0]) if len(atoms) == 1 and depth < MAX_NESTING else None
        if node is None or not node.is_whole:
            yield path, value
            return
        for step, part in node.parts.items():
            yield from self._parts(f"{path}{step}", part, depth + 1)

    def _leaf(self, path: str, value: Value) -> _Leaf:
        """One leaf; of two types that it may have in a later pass of a loop, the one that the first pass did not."""
        found = [_of_atom(atom) for atom in atoms_of(value)]
        if len(found) == 1:
            return found[0]
        first = self.earlier.get(path, _UNKNOWN)
        others = [leaf for leaf in found if (leaf.kind, leaf.weak) != (first.kind, first.weak)]
        is_new = len(found) == 2 and len(others) == 1 and first != _UNKNOWN and _UNKNOWN not in found
        return others[0] if is_new else _UNKNOWN


def _name(parameter: Parameter | None, number: int) -> str:
    return parameter.name if parameter is not None else f"argument {number}"


def _static(value: Value) -> _Leaf:
    """The value of a static parameter."""
    return _Leaf(other=repr(value.value)) if isinstance(value, Static) and value.known else _UNKNOWN


def _of_atom(atom: Atom) -> _Leaf:
    if isinstance(atom, Static) and (atom.type in NUMBERS or atom.type == "NoneType"):
        is_number = atom.type in NUMBERS
        kind = atom.type or ""
        return _Leaf(kind, kind != "bool", (), is_python=True) if is_number else _Leaf(other="None")
    if not isinstance(atom, Array):
        return _UNKNOWN
    strong = shapes.is_strong(atom) or atom.level is Level.HOST
    weak = True if atom.weak else False if strong else None
    return _Leaf(shapes.dtype_class(atom.dtype), weak, atom.shape, dtype=atom.dtype or "")
