"""Arguments of compiled functions that have another shape at each pass of a loop: prefixes, grown arrays, the rest.

Under-approximates: a shape varies only where the source says how. A slice of a fixed length at another place does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.application import Application
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.frames import Pass
from jaxlint.analysis.domain.values import Arguments, ListCell, Object, Value
from jaxlint.analysis.events.compilation import ShapeVariation, Variation, VaryingShape
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.jax import loop_variance, traced_arguments, traced_calls
from jaxlint.analysis.jax.loop_variance import MAX_STEPS, Varying
from jaxlint.analysis.source import reaching_definitions, test_context
from jaxlint.analysis.source.reaching_definitions import Binding
from jaxlint.syntax import ir, walks
from jaxlint.syntax.walks import target_names

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Methods of arrays that give an array of the same shape.
_ALIKE: Final = frozenset({"astype", "copy"})
#: Methods that make a list longer.
_GROWING: Final = frozenset({"append", "extend", "insert"})
#: Terms of functions whose result has the shape of what they get.
_KEEPING: Final = frozenset({"elementwise", "like", "contents", "along"})


def called(it: Interpreter, application: Application, arguments: Arguments, node: ir.Expr) -> None:
    """A compiled function is called: tell the rules of arguments whose shape changes from pass to pass."""
    frame = it.frame
    if not it.wants(VaryingShape) or not it.api.has(application.name, "keeps-programs") or frame.trace is not None:
        return
    if loop_variance.innermost(it, frame) is None or any(map(test_context.is_test, frame.known_callers())):
        return
    for value, at in _traced(it, application, arguments):
        written = walks.expression_at(node, at)
        found = None if written is None else _VaryingShapes(it).shape_of(written, frame, frame.passes, 0)
        if found is not None:
            it.emit(VaryingShape(frame, at, Operand(value, frame, at), application, found))
            return


def _traced(it: Interpreter, application: Application, arguments: Arguments) -> Iterator[tuple[Value, int]]:
    """The arguments that are not static, with their places."""
    statics, parameters = application.statics, traced_calls.parameter_names(it, application.target)
    if not statics.known:
        return
    for number, (value, at) in enumerate(zip(arguments.positional, arguments.positional_at)):
        parameter = traced_calls.parameter_at(parameters, number)
        if not statics.holds(number, None if parameter is None else parameter.name):
            yield value, at
    for name, value in arguments.keywords.items():
        if not statics.holds(traced_arguments.index_of(parameters, name), name):
            yield value, arguments.keyword_at.get(name, -1)


class _Bounds(Varying):
    """What changes a bound or a length: a loop over the parts of an array counts up as any other."""

    sizes_are_settings: ClassVar[bool] = False


class _VaryingShapes(Varying):
    """Follows an expression to the loops that change its shape."""

    def __init__(self, it: Interpreter) -> None:
        super().__init__(it)
        self.bounds = _Bounds(it)
        self.found: ShapeVariation | None = None

    def shape_of(self, node: ir.Expr, frame: Frame, passes: tuple[Pass, ...], depth: int) -> ShapeVariation | None:
        """How the shape of an expression in these passes of a frame changes."""
        return self.found if self.of(node, frame, passes, depth) is not None else None

    def of(  # noqa: PLR0911 - dispatches on the kinds of expressions
        self, node: ir.Expr, frame: Frame, passes: tuple[Pass, ...], depth: int
    ) -> Variation | None:
        """The same; what is more than the clause and the loop is kept in `found`."""
        if depth > MAX_STEPS:
            return None
        match node:
            case ir.Name():
                return self._appended(node.id, frame, passes) or self._name(node.id, frame, passes, depth + 1)
            case ir.Subscript():
                return self._selected(node, frame, passes, depth + 1)
            case ir.Call():
                return self._call(node, frame, passes, depth + 1)
            case ir.Comprehension(kind="list", generators=(only,)) if not only.conditions:
                return self._counted(only.iter, frame, passes) or self.of(only.iter, frame, passes, depth + 1)
            case ir.BinaryOperation(op="*", left=left, right=right) if (times := _times(left, right)) is not None:
                return self._as_bound(times, frame, passes)
            case ir.BinaryOperation(left=left, right=right) if not self._joins_lists(node, frame):
                parts: tuple[ir.Expr, ...] = (left, right)
            case ir.UnaryOperation(operand=operand):
                parts = (operand,)
            case ir.SequenceDisplay(elements=elements):
                parts = elements
            case ir.DictDisplay(items=items):
                parts = tuple(value for _, value in items)
            case ir.Attribute(base=base, attr="T"):
                parts = (base,)
            case _:
                return None
        return self._first(parts, frame, passes, depth)

    def _joins_lists(self, node: ir.Expr, frame: Frame) -> bool:
        """Whether lists are put together, which may be filled up to one length."""
        if isinstance(node, ir.BinaryOperation):
            return self._joins_lists(node.left, frame) or self._joins_lists(node.right, frame)
        value = frame.state.env.get(node.id) if isinstance(node, ir.Name) else None
        cell = self.it.cell(value) if isinstance(value, Object) else None
        return isinstance(cell, ListCell) or (isinstance(node, ir.SequenceDisplay) and node.kind == "list")

    def _first(self, parts: Sequence[ir.Expr], frame: Frame, passes: tuple[Pass, ...], depth: int) -> Variation | None:
        found = (self.of(part, frame, passes, depth + 1) for part in parts)
        return next((variation for variation in found if variation is not None), None)

    def _varied(self, how: str, frame: Frame, this: Pass, *, programs: int | None, is_sure: bool = True) -> Variation:
        loop = Place(frame.path, this.at)
        self.found = ShapeVariation(how, loop, programs, is_sure)
        return Variation(how, loop)

    def _as_bound(self, node: ir.Expr | None, frame: Frame, passes: tuple[Pass, ...]) -> Variation | None:
        """How a length changes; the shape does with it."""
        found = None if node is None else self.bounds.of(node, frame, passes, 0)
        if found is not None:
            counts = {Place(c.path, this.at): this.known_count for c in frame.known_callers() for this in c.passes}
            how = "has a different shape in each iteration"
            self.found = ShapeVariation(how, found.loop, counts.get(found.loop), True)
        return found

    # --- what a loop binds

    def _element(self, name: str, target: ir.Expr, node: ir.Expr, this: Pass, frame: Frame) -> Variation | None:
        """An element of what a comprehension made: of other things a loop goes over, it may have any shape."""
        match node, target:
            case ir.Call(args=(over, *_)), ir.SequenceDisplay(elements=(_, element)):
                is_numbered = self.function(node, frame) == "builtins.enumerate"
                return self._element(name, element, over, this, frame) if is_numbered else None
            case ir.Name(id=held), ir.Name(id=element) if element == name:
                found = reaching_definitions.known_bindings(self.it, frame.body, held)
                made = found[0].value if len(found) == 1 and found[0].always else None
            case _, ir.Name(id=element) if element == name:
                made = node
            case _:
                return None
        is_varied = isinstance(made, ir.Comprehension) and self._makes_different_lengths(made, this, frame)
        how = "has a different shape in each iteration"
        return self._varied(how, frame, this, programs=this.known_count) if is_varied else None

    def _makes_different_lengths(self, made: ir.Comprehension, this: Pass, frame: Frame) -> bool:
        """Whether the elements that a comprehension makes are arrays of different lengths."""
        (only, *more) = made.generators
        if made.kind != "list" or more or only.conditions:
            return False
        inside = Pass(this.start, made.at, only.iter, only.target, (), None)
        return self.of(made.element, frame, (inside,), 0) is not None

    def _counter(self, _name: str, _op: str, _by: ir.Expr, _this: Pass, _frame: Frame) -> Variation | None:
        """What is added to an array keeps its shape."""
        return None

    def _bound(
        self, name: str, found: Sequence[Binding], this: Pass, frame: Frame, passes: tuple[Pass, ...], depth: int
    ) -> Variation | None:
        """A name that the body of a loop assigns: it grows where it is put together of itself and something more."""
        statement = found[0].statement
        if len(found) > 1 or not found[0].always or not isinstance(statement, ir.Assign):
            return None
        if not loop_variance.is_plain(statement, name):
            return None
        value = statement.value
        is_longer_list = _adds_to_list(value, name) and not _is_cut(this.body, name)
        if is_longer_list or (isinstance(value, ir.Call) and self._lengthens(value, name, frame)):
            if loop_variance.is_few(self.it, frame, this):
                return None
            return self._varied("grows in each iteration", frame, this, programs=this.known_count)
        return self.of(value, frame, passes, depth)

    def _lengthens(self, call: ir.Call, name: str, frame: Frame) -> bool:
        """Whether a call puts an array and more of it one behind the other."""
        function = self.function(call, frame)
        if not self.it.api.has(self.it.api.counterpart(function) or function, "lengthens") or not call.args:
            return False
        first = call.args[0]
        parts = first.elements if isinstance(first, ir.SequenceDisplay) else call.args
        return len(parts) > 1 and any(isinstance(part, ir.Name) and part.id == name for part in parts)

    def _appended(self, name: str, frame: Frame, passes: tuple[Pass, ...]) -> Variation | None:
        """A list from before a loop that each pass appends to, and nothing takes from."""
        value = frame.state.env.get(name)
        cell = self.it.cell(value) if isinstance(value, Object) else None
        if not isinstance(cell, ListCell):
            return None
        for this in reversed(passes):
            bound = reaching_definitions.known_bindings(self.it, this.body, name)
            is_kept = all(isinstance(each.statement, ir.AugmentedAssign) for each in bound)
            if not is_kept or not set(_methods(this.body, name)) <= _GROWING or _is_cut(this.body, name):
                return None
            if _grows(this.body, name) and not loop_variance.is_few(self.it, frame, this):
                return self._varied("grows in each iteration", frame, this, programs=this.known_count)
        return None

    # --- what an expression makes

    def _selected(self, node: ir.Subscript, frame: Frame, passes: tuple[Pass, ...], depth: int) -> Variation | None:
        """A part of an array: one bound of a slice changes, an index that is an array does, or all of it is taken."""
        for axis, index in enumerate(node.index):
            if isinstance(index, ir.Slice):
                found = self._slice(node, axis, index, frame, passes)
            else:
                found = self.of(index, frame, passes, depth)
            if found is not None:
                return found
        return self.of(node.base, frame, passes, depth) if all(map(_keeps_axes, node.index)) else None

    def _slice(
        self, node: ir.Subscript, axis: int, part: ir.Slice, frame: Frame, passes: tuple[Pass, ...]
    ) -> Variation | None:
        if part.step is not None and not isinstance(part.step, ir.Constant):
            return None
        if part.lower is not None and part.upper is not None:
            ragged = self._ragged(node, axis, part.lower, part.upper, frame, passes)
            if ragged is not None:
                return ragged
            ends = [self.bounds.of(end, frame, passes, 0) for end in (part.lower, part.upper)]
            if None not in ends:
                return None  # a window that moves, perhaps
            other = part.lower if ends[0] is None else part.upper
            if not self._stays(other, passes):
                return None
        return self._as_bound(part.upper, frame, passes) or self._as_bound(part.lower, frame, passes)

    def _stays(self, end: ir.Expr, passes: tuple[Pass, ...]) -> bool:
        """Whether a bound is a number that is written, or a name that the loops of this function do not bind."""
        if isinstance(end, ir.Constant):
            return True
        if not isinstance(end, ir.Name) or not passes:
            return False
        targets = (name for this in passes if this.target is not None for name in target_names(this.target))
        bound = (reaching_definitions.known_bindings(self.it, this.body, end.id) for this in passes)
        return end.id not in targets and not any(bound)

    def _ragged(
        self, node: ir.Subscript, axis: int, lower: ir.Expr, upper: ir.Expr, frame: Frame, passes: tuple[Pass, ...]
    ) -> Variation | None:
        """`xs[i : i + n]` for `i` in `range(0, end, n)`: the last one is shorter unless `n` divides the length."""
        this = next((p for p in reversed(passes) if _is_name(lower) and _binds(p, lower)), None)
        if this is None or not isinstance(this.iter, ir.Call) or self.function(this.iter, frame) != "builtins.range":
            return None
        width, bounds = _added(upper, lower), this.iter.args
        if width is None or len(bounds) != 3 or not _is_same(bounds[2], width):
            return None
        step, start = self._whole(width, frame), self._whole(bounds[0], frame)
        end, length = self._whole(bounds[1], frame), self._length(node.base, axis, frame)
        if not isinstance(bounds[1], ir.Call | ir.Constant | ir.Name | ir.Subscript | ir.Attribute):
            return None  # `n - n % size`: somebody thought of it
        how = "is shorter in the last iteration"
        if step is None or start is None or length is None or step <= 0:
            return self._varied(how, frame, this, programs=2, is_sure=False)
        starts = range(start, length if end is None else end, step)
        if len(starts) < 2 or starts[-1] + step <= length:
            return None
        return self._varied(how, frame, this, programs=2)

    def _whole(self, node: ir.Expr, frame: Frame) -> int | None:
        """A whole number that is written, or that a name or the length of an array is known to be."""
        known = self.number(node, frame)
        if known is not None:
            return known
        match node:
            case ir.Call(func=ir.Name(id="len"), args=(array,)):
                return self._length(array, 0, frame)
            case ir.Subscript(base=ir.Attribute(attr="shape", base=array), index=(ir.Constant(value=0),)):
                return self._length(array, 0, frame)
            case _:
                return None

    def _length(self, node: ir.Expr, axis: int, frame: Frame | None) -> int | None:
        """The length of an axis of a named array."""
        while isinstance(node, ir.Name) and frame is not None:
            value = frame.state.env.get(node.id)
            if value is not None:
                shape = shapes.shape_of(value)
                length = shape[axis] if shape is not None and axis < len(shape) else None
                return length if isinstance(length, int) else None
            frame = frame.closure
        return None

    def _counted(self, node: ir.Expr, frame: Frame, passes: tuple[Pass, ...]) -> Variation | None:
        """`range(n)`, of which the length is `n`."""
        is_range = isinstance(node, ir.Call) and self.function(node, frame) == "builtins.range"
        return self._as_bound(node.args[0], frame, passes) if is_range and len(node.args) == 1 else None  # type: ignore[union-attr]

    def _call(self, node: ir.Call, frame: Frame, passes: tuple[Pass, ...], depth: int) -> Variation | None:
        """What functions and methods of arrays make: of a shape that they are given, or of that of an argument."""
        if isinstance(node.func, ir.Attribute) and node.func.attr in _ALIKE:
            return self.of(node.func.base, frame, passes, depth)
        function = self.function(node, frame)
        row = self.it.api.function(self.it.api.counterpart(function) or function)
        if row is None or not node.args:
            return None
        gathers = self.it.api.meaning(row.name)
        if row.shape.head in _KEEPING or (gathers is not None and gathers.head in ("concatenated", "stacked")):
            return self._first(node.args, frame, passes, depth)
        if row.shape.head == "range" and len(node.args) == 1:
            return self._as_bound(node.args[0], frame, passes)
        if row.shape.head == "create":
            shape = node.args[0]
            sizes = shape.elements if isinstance(shape, ir.SequenceDisplay) else (shape,)
            return next(filter(None, (self._as_bound(size, frame, passes) for size in sizes)), None)
        return None


def _is_same(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two expressions are the same number, name or attribute."""
    if isinstance(one, ir.Constant) and isinstance(other, ir.Constant):
        return bool(one.value == other.value)
    return walks.dotted(one) != "" and walks.dotted(one) == walks.dotted(other)


def _keeps_axes(index: ir.Expr) -> bool:
    """`None`, `...` or `:`, which leave each axis as long as it is."""
    match index:
        case ir.Constant(value=value):
            return value is None or value is Ellipsis
        case ir.Slice(lower=None, upper=None):
            return True
        case _:
            return False


def _is_name(node: ir.Expr) -> bool:
    return isinstance(node, ir.Name)


def _binds(this: Pass, name: ir.Expr) -> bool:
    return this.target is not None and isinstance(name, ir.Name) and list(target_names(this.target)) == [name.id]


def _added(upper: ir.Expr, lower: ir.Expr) -> ir.Expr | None:
    """The `n` of `i + n`."""
    match upper:
        case ir.BinaryOperation(op="+", left=left, right=right):
            sides = [side for side in (left, right) if not _is_same(side, lower)]
            return sides[0] if len(sides) == 1 else None
        case _:
            return None


def _methods(body: ir.Block, name: str) -> Iterator[str]:
    """The methods of a name that the code of a scope takes."""
    for part in walks.nodes(body):
        if isinstance(part, ir.Attribute) and isinstance(part.base, ir.Name) and part.base.id == name:
            yield part.attr


def _grows(body: ir.Block, name: str) -> bool:
    """Whether each run of a block adds to a list, in a loop perhaps, but behind no test."""
    for statement in body:
        match statement:
            case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(base=ir.Name(id=owner), attr=attr))):
                is_added = owner == name and attr in _GROWING
            case ir.AugmentedAssign(target=ir.Name(id=owner), op="+"):
                is_added = owner == name
            case ir.For(body=inner):
                is_added = _grows(inner, name)
            case _:
                is_added = False
        if is_added:
            return True
    return False


def _adds_to_list(value: ir.Expr, name: str) -> bool:
    """`xs + [x]`, of a list under this name and one that is written and not empty."""
    match value:
        case ir.BinaryOperation(op="+", left=left, right=right):
            sides = ((left, right), (right, left))
            return any(
                isinstance(old, ir.Name) and old.id == name and isinstance(new, ir.SequenceDisplay)
                and new.kind == "list" and any(not isinstance(part, ir.Starred) for part in new.elements)
                for old, new in sides
            )  # fmt: skip
        case _:
            return False


def _times(left: ir.Expr, right: ir.Expr) -> ir.Expr | None:
    """The `n` of `[x] * n`."""
    sides = ((left, right), (right, left))
    is_list = (isinstance(each, ir.SequenceDisplay) and bool(each.elements) for each, _ in sides)
    return next((n for (_, n), found in zip(sides, is_list, strict=True) if found), None)


def _is_cut(body: ir.Block, name: str) -> bool:
    """Whether items of a list are deleted or assigned: `del xs[:-n]`, `xs[:] = []`."""
    for part in walks.nodes(body):
        if isinstance(part, ir.Delete):
            targets: tuple[ir.Expr, ...] = part.targets
        elif isinstance(part, ir.Assign):
            targets = part.targets
        else:
            continue
        for target in targets:
            if isinstance(target, ir.Subscript) and isinstance(target.base, ir.Name) and target.base.id == name:
                return True
    return False
