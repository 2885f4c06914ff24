"""What is another value at each pass of a loop: loop variables, counters, numbers taken from data, things made anew.

Under-approximates: a value varies only where the source says how. A loop over few things that are known, or over things
of which nothing is known, is meant: its values are settings, each compiled for once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import Array, Leaves, Level, Qualified, Static, Transformed, Value, atoms_of
from jaxlint.analysis.events.compilation import Variation
from jaxlint.analysis.jax import object_identity
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import iteration
from jaxlint.analysis.source import reaching_definitions
from jaxlint.analysis.source.reaching_definitions import Binding
from jaxlint.syntax import completion, ir, walks
from jaxlint.syntax.walks import target_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Loops up to this length are meant, if what they go over is known.
FEW = 10


def varies(it: Interpreter, value: Value, node: ir.Expr) -> Variation | None:
    """How the value of an expression in the current frame changes from pass to pass, where it surely does."""
    if any(isinstance(atom, Array | Leaves) for atom in atoms_of(value)):
        return None
    made = _made_anew(it, value, node)
    if made is not None:
        return made
    if any(isinstance(atom, Static) and (atom.known or atom.type == "bool") for atom in atoms_of(value)):
        return None
    return Varying(it).of(node, it.frame, it.frame.passes, 0)


def _place(frame: Frame, this: Pass) -> Place:
    return Place(frame.path, this.at)


def around(it: Interpreter, frame: Frame) -> Iterator[tuple[Frame, Pass]]:
    """The loops around what a frame does, through the calls that lead to it, innermost first.

    No loop repeats the call of a function that raises an exception in any case, unless that is caught.
    """
    is_last, called_at = False, -1
    for caller in frame.known_callers():
        is_last = is_last and not _is_tried(caller.body, called_at)
        if not is_last:
            yield from ((caller, this) for this in reversed(caller.passes))
        is_last = is_last or (caller.function is not None and _only_raises(it, caller.body))
        called_at = caller.call_at


@memoised
def _only_raises(_: Interpreter, body: ir.Block) -> bool:
    return completion.only_raises(body)


def _is_tried(body: ir.Block, at: int) -> bool:
    """Whether a node stands where an exception is caught."""
    return any(
        isinstance(part, ir.Try | ir.With) and at in walks.ordinals(part.body) for part in walks.statements(body)
    )


def innermost(it: Interpreter, frame: Frame) -> tuple[Pass, Frame] | None:
    """The innermost loop around, through the calls that lead here, and the frame that it stands in."""
    return next(((this, caller) for caller, this in around(it, frame)), None)


def _made_anew(it: Interpreter, value: Value, node: ir.Expr) -> Variation | None:
    """A function or object that was made in this pass; one made of what the loop goes over is meant."""
    around = innermost(it, it.frame)
    if around is None or len(atoms_of(value)) > 1:
        return None
    this, frame = around
    what = object_identity.fresh(it, value, this.start)
    if not what or is_few(it, frame, this):
        return None
    if frame is it.frame and object_identity.is_meant(frame, object_identity.mentioned(node, value, frame)):
        return None
    return Variation(f"is {what} in each iteration", _place(frame, this))


def is_few(it: Interpreter, frame: Frame, this: Pass, few: int = FEW) -> bool:
    """Whether a loop is known to have few passes."""
    if this.known_count is not None:
        return this.known_count <= few
    return this.iter is not None and Varying(it).is_short(this.iter, frame, few)


class Varying:
    """Follows an expression to the loops that change it."""

    #: Whether a loop over the parts of something is one over settings.
    sizes_are_settings: ClassVar[bool] = True

    def __init__(self, it: Interpreter) -> None:
        self.it = it

    def of(self, node: ir.Expr, frame: Frame, passes: tuple[Pass, ...], depth: int) -> Variation | None:
        """How an expression in these passes of a frame changes."""
        if depth > MAX_STEPS:
            return None
        parts: tuple[ir.Expr, ...] = ()
        match node:
            case ir.Name():
                return self._name(node.id, frame, passes, depth + 1)
            case ir.BinaryOperation(op="-") if (length := self._length_of_slice(node, passes)) is not None:
                parts = length
            case ir.BinaryOperation(op="+" | "-" | "*" | "/" | "**"):
                parts = (node.left, node.right)
            case ir.UnaryOperation(op="-" | "+"):
                parts = (node.operand,)
            case ir.FormattedString():
                parts = tuple(part.value for part in node.parts if isinstance(part, ir.FormattedValue))
            case ir.SequenceDisplay(kind="tuple"):
                parts = node.elements
            case ir.Call():
                return self._call(node, frame, passes, depth + 1)
            case _:
                return None
        found = (self.of(part, frame, passes, depth + 1) for part in parts)
        return next((variation for variation in found if variation is not None), None)

    # --- lengths

    def _length_of_slice(self, node: ir.BinaryOperation, passes: tuple[Pass, ...]) -> tuple[ir.Expr, ...] | None:
        """What `stop - start` is made of where `stop` is `start + n`, or `min(start + n, total)`: `n`.

        The total shortens the last pass only.
        """
        stop = self._assigned(node.left, passes)
        is_bounded = isinstance(stop, ir.Call) and isinstance(stop.func, ir.Name) and stop.func.id == "min"
        ends = stop.args if isinstance(stop, ir.Call) and is_bounded and not stop.keywords else (stop,)
        lengths = [length for end in ends for length in _behind(self._assigned(end, passes), node.right)]
        return tuple(lengths) or None

    def _assigned(self, node: ir.Expr, passes: tuple[Pass, ...]) -> ir.Expr:
        """What a name is assigned in each pass of the innermost loop, by one statement; other nodes as they are."""
        if not passes or not isinstance(node, ir.Name):
            return node
        found = reaching_definitions.known_bindings(self.it, passes[-1].body, node.id)
        statement = found[0].statement if len(found) == 1 and found[0].always else None
        is_whole = isinstance(statement, ir.Assign) and is_plain(statement, node.id)
        return statement.value if isinstance(statement, ir.Assign) and is_whole else node

    # --- names

    def _name(self, name: str, frame: Frame, passes: tuple[Pass, ...], depth: int) -> Variation | None:
        for this in reversed(passes):
            if this.target is not None and this.iter is not None and name in target_names(this.target):
                few = is_few(self.it, frame, this)
                return None if few else self._element(name, this.target, this.iter, this, frame)
            found = reaching_definitions.known_bindings(self.it, this.body, name)
            if found:
                return self._bound(name, found, this, frame, passes, depth)
        if name in frame.scope.bound:
            return self._from_outside(name, frame, depth)
        around = frame.closure
        if around is None or around not in frame.callers():
            return None
        return self._name(name, around, around.passes, depth + 1) if depth <= MAX_STEPS else None

    def _from_outside(self, name: str, frame: Frame, depth: int) -> Variation | None:
        """A name that is bound outside the frame's loops: a parameter, or assigned once."""
        found = reaching_definitions.known_bindings(self.it, frame.body, name)
        if len(found) == 1 and found[0].always and isinstance(found[0].statement, ir.Assign):
            assigned = found[0].statement
            return self.of(assigned.value, frame, (), depth) if is_plain(assigned, name) else None
        given = None if found else reaching_definitions.argument_for(self.it, frame, name)
        if given is None or frame.caller is None:
            return None
        return self.of(given, frame.caller, frame.caller.passes, depth)

    def _bound(
        self, name: str, found: Sequence[Binding], this: Pass, frame: Frame, passes: tuple[Pass, ...], depth: int
    ) -> Variation | None:
        """A name that the body of a loop assigns."""
        statement = found[0].statement
        if len(found) > 1 or not found[0].always:
            return None
        match statement:
            case ir.AugmentedAssign(op=op, value=by):
                return self._counter(name, op, by, this, frame)
            case ir.Assign(value=ir.BinaryOperation(op=op, left=left, right=right)) if is_plain(statement, name):
                sides = [side for side in (left, right) if not (isinstance(side, ir.Name) and side.id == name)]
                if len(sides) == 1:
                    return self._counter(name, op, sides[0], this, frame)
                return self.of(statement.value, frame, passes, depth)
            case ir.Assign() if is_plain(statement, name):
                return self.of(statement.value, frame, passes, depth)
            case _:
                return None

    def _counter(self, name: str, op: str, by: ir.Expr, this: Pass, frame: Frame) -> Variation | None:
        """`n += 1`; a whole number that is multiplied takes few values on its way."""
        value = frame.state.env.get(name)
        kind = value.type if isinstance(value, Static) else ""
        step = type(by.value).__name__ if isinstance(by, ir.Constant) else ""
        if op in ("+", "-") and {kind, step} & {"int", "float"}:
            return Variation("changes in each iteration", _place(frame, this))
        if op in ("*", "/") and "float" in (kind, step):
            return Variation("changes in each iteration", _place(frame, this))
        return None

    # --- loop variables

    def _element(self, name: str, target: ir.Expr, node: ir.Expr, this: Pass, frame: Frame) -> Variation | None:
        """A loop variable: numbers that are counted up are many, things are meant."""
        if not isinstance(node, ir.Call):
            return None
        function, here = self.function(node, frame), Variation("changes in each iteration", _place(frame, this))
        elements = target.elements if isinstance(target, ir.SequenceDisplay) else ()
        if self._counts_up(function) and isinstance(target, ir.Name):
            is_meant = self.sizes_are_settings and any(map(_is_size, node.args))
            return None if is_meant or self.is_short(node, frame) else here
        if function == "builtins.enumerate" and len(elements) == 2 and node.args:
            if name in target_names(elements[0]):
                return here
            return self._element(name, elements[1], node.args[0], this, frame)
        if function == "builtins.zip" and len(elements) == len(node.args):
            column = next(i for i, element in enumerate(elements) if name in target_names(element))
            return self._element(name, elements[column], node.args[column], this, frame)
        if self._passes_on(function) and node.args:
            return self._element(name, target, node.args[0], this, frame)
        return None

    def is_short(self, node: ir.Expr, frame: Frame, few: int = FEW) -> bool:
        """Whether what a loop goes over has a few elements: those of a range, or of a name that holds an array."""
        if isinstance(node, ir.Name):
            value = frame.state.env.get(node.id)
            length = value.shape[0] if isinstance(value, Array) and value.shape else None
            return isinstance(length, int) and length <= few
        return isinstance(node, ir.Call) and self._is_short_call(node, frame, few)

    def _is_short_call(self, node: ir.Call, frame: Frame, few: int) -> bool:
        function = self.function(node, frame)
        if function == "builtins.zip":
            return any(self._is_short_operand(arg, frame, few) for arg in node.args)
        if node.args and (function == "builtins.enumerate" or self._passes_on(function)):
            return self._is_short_operand(node.args[0], frame, few)
        if function != "builtins.range":
            return False
        numbers = [self.number(arg, frame) for arg in node.args]
        if not numbers or any(number is None for number in numbers) or (len(numbers) == 3 and numbers[2] == 0):
            return False
        return len(range(*(number for number in numbers if number is not None))) <= few

    def _is_short_operand(self, node: ir.Expr, frame: Frame, few: int) -> bool:
        """Whether what is walked over by way of another call has a few elements, all of them known."""
        if isinstance(node, ir.SequenceDisplay):
            return len(node.elements) <= few and not any(isinstance(part, ir.Starred) for part in node.elements)
        value = frame.state.env.get(node.id) if isinstance(node, ir.Name) else None
        elements = None if value is None else iteration.exact_elements(self.it, value)
        return self.is_short(node, frame, few) if elements is None else len(elements) <= few

    def number(self, node: ir.Expr, frame: Frame | None) -> int | None:
        """A whole number that is written, or that a name is known to be."""
        if isinstance(node, ir.Constant):
            return node.value if isinstance(node.value, int) else None
        while isinstance(node, ir.Name) and frame is not None:
            value = frame.state.env.get(node.id)
            if value is not None:
                return value.value if isinstance(value, Static) and isinstance(value.value, int) else None
            frame = frame.closure
        return None

    # --- calls

    def function(self, node: ir.Call, frame: Frame) -> str:
        """What is called: the qualified name of a library's function, else the name as written."""
        callee = self.it.tables[Callees].by_call.get((frame.path, node.at))
        if isinstance(callee, Qualified):
            return callee.name
        return node.func.id if isinstance(node.func, ir.Name) else ""

    def _counts_up(self, function: str) -> bool:
        return function in _COUNTED or self.it.api.has(function, "counts-up")

    def _passes_on(self, function: str) -> bool:
        """Whether a call goes over what it is given."""
        return function == "builtins.reversed" or self.it.api.has(function, "passes-on")

    def _is_drawn(self, function: str) -> bool:
        row = self.it.api.effect(function)
        return row is not None and row.kind in _DRAWN

    def _call(self, node: ir.Call, frame: Frame, passes: tuple[Pass, ...], depth: int) -> Variation | None:
        function = self.function(node, frame)
        taken = node.func.base if isinstance(node.func, ir.Attribute) and node.func.attr == "item" else None
        if len(node.args) == 1 and (function in _CONVERSIONS or self.it.api.has(function, "converts-number")):
            found = self.of(node.args[0], frame, passes, depth)
            if found is not None:
                return found
            taken = node.args[0]
        if taken is not None and passes and self._is_new_data(taken, frame, passes):
            return Variation("is a number taken from data in each iteration", _place(frame, passes[-1]))
        if passes and self._is_drawn(function):
            return Variation("is drawn again in each iteration", _place(frame, passes[-1]))
        return None

    def _is_new_data(self, node: ir.Expr, frame: Frame, passes: tuple[Pass, ...]) -> bool:
        """Whether an expression is an array that was computed in this pass."""
        match node:
            case ir.Name(id=name):
                value = frame.state.env.get(name)
                is_array = value is not None and all(
                    isinstance(atom, Array | Leaves) and atom.level >= Level.HOST for atom in atoms_of(value)
                )
                return is_array and any(_binds(this, name) for this in passes[-1:])
            case ir.Attribute(attr=attr) if attr in _SIZES:
                return False
            case ir.Attribute(base=base) | ir.Subscript(base=base):
                return self._is_new_data(base, frame, passes)
            case ir.BinaryOperation(left=left, right=right):
                return self._is_new_data(left, frame, passes) or self._is_new_data(right, frame, passes)
            case ir.Call(func=ir.Attribute(base=base)) if self._is_new_data(base, frame, passes):
                return True
            case ir.Call(args=args):
                callee = self.it.tables[Callees].by_call.get((frame.path, node.at))
                known = isinstance(callee, Transformed) or (
                    isinstance(callee, Qualified) and self.it.api.is_of(callee.name, "core", "host")
                )
                return known and any(self._is_new_data(arg, frame, passes) for arg in args)
            case _:
                return False


#: How many steps an expression is followed back.
MAX_STEPS = 12
_COUNTED = frozenset({"builtins.range", "itertools.count"})
_CONVERSIONS = frozenset(f"builtins.{name}" for name in ("int", "float", "complex", "str", "repr", "abs"))
#: Kinds of effects of functions that give another value each time.
_DRAWN = frozenset({"host-rng", "clock"})
_SIZES = frozenset({"shape", "ndim", "size", "dtype"})


def _behind(stop: ir.Expr, start: ir.Expr) -> tuple[ir.Expr, ...]:
    """What is added to a name in a sum."""
    match stop, start:
        case ir.BinaryOperation(op="+", left=left, right=right), ir.Name(id=name):
            sides = ((left, right), (right, left))
            return tuple(rest for side, rest in sides if isinstance(side, ir.Name) and side.id == name)[:1]
        case _:
            return ()


def _is_size(node: ir.Expr) -> bool:
    """`len(xs)`, `x.shape[0]`, `x.ndim`: a loop over the parts of something."""
    match node:
        case ir.Call(func=ir.Name(id="len")):
            return True
        case ir.Attribute(attr=attr):
            return attr in _SIZES
        case ir.Subscript(base=base):
            return _is_size(base)
        case ir.BinaryOperation(left=left, right=right):
            return _is_size(left) or _is_size(right)
        case _:
            return False


def is_plain(statement: ir.Assign, name: str) -> bool:
    """Whether an assignment binds the name to all of the value."""
    return any(isinstance(target, ir.Name) and target.id == name for target in statement.targets)


def _binds(this: Pass, name: str) -> bool:
    in_target = this.target is not None and name in target_names(this.target)
    return in_target or any(True for _ in reaching_definitions.bindings(this.body, name))
