"""Whether anything reads what a call gives, or what the functions around it make of that.

Over-approximates what is read: what a test depends on, what is stored where others see it, and what a function out of
sight is given all count as read. What waits for a result does not read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from jaxlint.analysis.domain.values import BoundMethod, FunctionValue, Partial, Qualified, Transformed, Value, atoms_of
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source.file_nodes import nodes_of
from jaxlint.analysis.source.ownership import root_name, statement_of
from jaxlint.analysis.source.unread_names import names_read
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import Step
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Which elements of a tuple depend on what is followed; None where all may.
Parts: TypeAlias = "frozenset[int] | None"

_NOTHING: Final[Parts] = frozenset()
_ALL: Final[Parts] = None
#: What a transform gives that gives what its function gives, element by element.
_ELEMENTWISE: Final = frozenset({"result", "batched"})
#: What an array has whatever its numbers are.
_OF_SHAPE: Final = frozenset({"dtype", "ndim", "shape", "size"})
#: The last name of the function, and of the method of an array, that waits for a result.
_WAITING: Final = "block_until_ready"
#: Calls in calls that a value is followed through.
_MAX_CALLS: Final = 4


class _Fate(NamedTuple):
    """What a function returns of what is followed, and whether that gets out by another way.

    `is_examined`: something waits for it, or reads its shape.
    `is_known` is False where the function has calls that it did not come to yet: they are taken to hand on all.
    """

    returned: Parts
    escapes: bool
    is_known: bool = True
    is_examined: bool = False


@dataclass(slots=True)
class _Fates(Table):
    """What is known to the end, by the function and what is followed in it; the functions are kept alive.

    What depends on calls that are yet to come is `unsettled`: it is the same until the question at hand is answered.
    """

    known: dict[tuple[object, ...], tuple[ir.Function, _Fate]] = field(default_factory=dict)
    unsettled: dict[tuple[object, ...], _Fate] = field(default_factory=dict)


def is_dropped(it: Interpreter, chain: Sequence[Step], *, examined: bool = False) -> bool | None:
    """Whether nothing reads what the last of these calls gives, nor what those around it, outermost first, give.

    With `examined`, something has to wait for it or read its shape besides: these are no numbers that nobody used yet.
    None where that depends on calls that are yet to come.
    """
    fate = _outcome(it, chain)
    if not fate.escapes and fate.returned == _NOTHING:
        return fate.is_examined or not examined
    return False if fate.is_known else None


def is_left_unread(it: Interpreter, chain: Sequence[Step]) -> bool | None:
    """Whether the first of these calls, outermost first, gives what the last one gives to names like `_` alone.

    None where that depends on calls that are yet to come.
    """
    first, rest = chain[0], chain[1:]
    unread = _unread_places(it, first)
    if not unread or not rest or not _gives_its_result(it, first):
        return False
    fate = _outcome(it, rest)
    if not fate.escapes and fate.returned and fate.returned <= unread:
        return True
    return False if fate.is_known else None


def _outcome(it: Interpreter, chain: Sequence[Step]) -> _Fate:
    """What becomes of what the last of these calls gives, as far as nothing reads it, in the functions around them."""
    parts: Parts = _ALL
    is_known, is_examined = True, False
    it.tables[_Fates].unsettled.clear()  # calls may have come since the last question
    for step, inner in zip(reversed(chain), (None, *reversed(chain))):
        source = it.project.files.get(step.path)
        function = None if source is None else _function_around(it, source.module.body, step.at)
        if function is None:
            return _Fate(_ALL, True, is_known, is_examined)
        if inner is not None and not _gives_its_result(it, step):
            parts = _ALL
        fate = _fate(it, _Slice(it, step.path, function, step.at, parts))
        is_known &= fate.is_known
        is_examined |= fate.is_examined
        parts = fate.returned
        if fate.escapes or parts == _NOTHING:
            return _Fate(parts, fate.escapes, is_known, is_examined)
    return _Fate(parts, False, is_known, is_examined)


def _unread_places(it: Interpreter, step: Step) -> frozenset[int]:
    """Which elements of what a call gives are unpacked to names that begin with `_`, and that nothing reads."""
    source = it.project.files.get(step.path)
    if source is None:
        return frozenset()
    function = _function_around(it, source.module.body, step.at)
    body = source.module.body if function is None else function.body
    match statement_of(body, step.at):
        case ir.Assign(targets=(ir.SequenceDisplay(elements=elements),), value=ir.Call(at=step.at)):
            read = names_read(it, body)
            named = ((place, e.id) for place, e in enumerate(elements) if isinstance(e, ir.Name))
            return frozenset(place for place, name in named if name.startswith("_") and name not in read)
        case _:
            return frozenset()


def is_wait(node: ir.Expr) -> bool:
    """Whether a call waits for what it is given, or for the array whose method it is."""
    match node:
        case ir.Call(func=ir.Attribute(attr=name) | ir.Name(id=name)):
            return name == _WAITING
        case _:
            return False


@memoised
def _function_around(it: Interpreter, module: ir.Block, at: int) -> ir.Function | None:
    """The innermost function whose body has a call at a node."""
    around = [(last - first, function) for first, last, function in _functions(it, module) if first <= at <= last]
    function = min(around, key=lambda each: each[0], default=(0, None))[1]
    return function if at in _call_places(it, module) else None


@memoised
def _call_places(it: Interpreter, module: ir.Block) -> frozenset[int]:
    """Where the calls of a module stand."""
    return frozenset(node.at for node in nodes_of(it, module, ir.Call))


@memoised
def _functions(it: Interpreter, module: ir.Block) -> tuple[tuple[int, int, ir.Function], ...]:
    """The functions of a module, each with where its body begins and ends."""
    found = (node for node in nodes_of(it, module, ir.Function) if node.body)
    places = ((list(walks.ordinals(function.body)), function) for function in found)
    return tuple((min(held), max(held), function) for held, function in places)


def _gives_its_result(it: Interpreter, step: Step) -> bool:
    """Whether a call gives what the function gives that it runs, or a batch of it."""
    callee = it.tables[Callees].by_call.get((step.path, step.at))
    return callee is not None and all(_called(atom) is not None for atom in atoms_of(callee))


def _called(callee: Value) -> tuple[FunctionValue, int] | None:
    """The function that gives what a call gives, and how many of its arguments stand before those of the call."""
    given = 0
    while True:
        match callee:
            case FunctionValue():
                return callee, given
            case BoundMethod(function=function):
                callee, given = function, given + 1
            case Partial(function=function, args=args):
                callee, given = function, given + len(args)
            case Transformed(application=application) if application.row.result.head in _ELEMENTWISE:
                callee = application.target
            case _:
                return None


def _fate(it: Interpreter, following: _Slice, argument: str = "") -> _Fate:
    """What becomes of what is followed: an argument by its name, or what a call gives."""
    function, table = following.function, it.tables[_Fates]
    key = (id(function), following.at, following.parts, following.depth, argument)
    if key in table.known:
        return table.known[key][1]
    fate = table.unsettled.get(key)
    if fate is None:
        fate = following.run({argument: _ALL} if argument else {})
        if fate.is_known:
            table.known[key] = (function, fate)
        else:
            table.unsettled[key] = fate
    return fate


class _Mentions(NamedTuple):
    """The names in a statement, and its first and last ordinal."""

    names: frozenset[str]
    first: int
    last: int


@memoised
def _mentions(_: Interpreter, statement: ir.Stmt) -> _Mentions:
    held = list(walks.nodes(statement))
    places = [at for node in held if (at := getattr(node, "at", None)) is not None]
    names = frozenset(node.id for node in held if node.__class__ is ir.Name)
    return _Mentions(names, min(places, default=-1), max(places, default=-1))


def _union(one: Parts, other: Parts) -> Parts:
    return None if one is None or other is None else one | other


@dataclass(slots=True)
class _Slice:
    """What depends in a function on an argument, or on some `parts` of what the call at a node gives."""

    it: Interpreter
    path: str
    function: ir.Function
    at: int
    parts: Parts
    depth: int = 0
    held: dict[str, Parts] = field(default_factory=dict)
    returned: Parts = _NOTHING
    escapes: bool = False
    is_known: bool = True
    is_examined: bool = False

    def run(self, held: dict[str, Parts]) -> _Fate:
        """Follow the values through the names until nothing is new; the order of the statements does not matter."""
        if self.function.is_async or self.function.is_generator or not self.function.body:
            return _Fate(_ALL, escapes=False)
        self.held = held
        before: Any = None
        while before != (self.held, self.returned, self.escapes):
            before = (dict(self.held), self.returned, self.escapes)
            self._block(self.function.body)
        return _Fate(self.returned, self.escapes, self.is_known, self.is_examined)

    def _block(self, body: ir.Block) -> None:
        for statement in body:
            if self._concerns(statement):
                self._step(statement)
                for block in blocks(statement):
                    self._block(block)

    def _concerns(self, statement: ir.Stmt) -> bool:
        """Whether a statement mentions what is followed: all others, which are most, change nothing."""
        names, first, last = _mentions(self.it, statement)
        return first <= self.at <= last or not names.isdisjoint(self.held)

    def _step(self, statement: ir.Stmt) -> None:
        match statement:
            case ir.Assign() | ir.AnnotatedAssign():
                for target, value in walks.assigned(statement):
                    self._store(target, self._depends(value))
            case ir.AugmentedAssign(target=target, value=value):
                self._store(target, _ALL if self._any(value) else _NOTHING)
            case ir.Return(value=value):
                self.returned = _union(self.returned, _NOTHING if value is None else self._depends(value))
            case ir.ExpressionStatement(value=value):
                self._escape(self._any(value) and value.at != self.at and not is_wait(value))
            case ir.For(target=target, iter=value):
                self._store(target, _ALL if self._any(value) else _NOTHING)
            case ir.FunctionDefinition(function=function):
                self._store_name(function.name, _ALL if self._any(function) else _NOTHING)
            case ir.If(test=test) | ir.While(test=test):
                self._escape(self._any(test))
            case ir.With(items=items):
                self._escape(self._any(items))
            case ir.Match(subject=subject):
                self._escape(self._any(subject))
            case ir.Try():
                pass
            case _:
                self._escape(self._any(statement))

    def _escape(self, does: bool) -> None:
        self.escapes = self.escapes or does

    def _store(self, target: ir.Expr, parts: Parts) -> None:
        if parts == _NOTHING:
            return
        match target:
            case ir.Name(id=name):
                self._store_name(name, parts)
            case ir.SequenceDisplay(elements=elements):
                is_exact = parts is not None and not any(isinstance(part, ir.Starred) for part in elements)
                for number, part in enumerate(elements):
                    if not is_exact or (parts is not None and number in parts):
                        self._store(part, _ALL)
            case ir.Starred(value=value):
                self._store(value, _ALL)
            case _:
                holder = root_name(target)
                is_own = holder is not None and holder not in {p.name for p in self.function.parameters}
                self._store_name(holder if is_own and holder is not None else "", _ALL)

    def _store_name(self, name: str, parts: Parts) -> None:
        """Bind a name of the function; what is bound elsewhere is out of sight."""
        if parts == _NOTHING:
            return
        if name not in self.function.scope.bound:
            self.escapes = True
        self.held[name] = _union(self.held.get(name, _NOTHING), parts)

    # --- expressions

    def _any(self, node: Any) -> bool:
        """Whether anything in a node depends on what is followed."""
        if not isinstance(node, tuple):
            return False
        if isinstance(node, _EXPRESSIONS):
            return self._depends(node) != _NOTHING
        if isinstance(node, ir.Function):
            return self._any_hiding(node.scope.bound, node)
        return self._any_part(node)

    def _any_hiding(self, own: Iterable[str], node: Any) -> bool:
        """The same where names stand for something of the node's own."""
        hidden = {name: self.held.pop(name) for name in own if name in self.held}
        found = self._any_part(node)
        self.held.update(hidden)
        return found

    def _any_part(self, node: Any) -> bool:
        depending = [self._any(part) for part in node]  # all of them: each may bind names
        return any(depending)

    def _depends(self, node: ir.Expr) -> Parts:
        if node.at == self.at:
            return self.parts
        match node:
            case ir.Name(id=name):
                return self.held.get(name, _NOTHING)
            case ir.Call():
                return self._of_call(node)
            case ir.SequenceDisplay(elements=elements):
                found = frozenset(number for number, part in enumerate(elements) if self._any(part))
                return _ALL if found and any(isinstance(part, ir.Starred) for part in elements) else found
            case ir.Subscript(base=base, index=(ir.Constant(value=int() as number),)) if number >= 0:
                return _of_element(self._depends(base), number)
            case ir.Attribute(base=base, attr=name) if name in _OF_SHAPE:
                self.is_examined |= self.depth == 0 and self._any(base)  # functions below need the shape to compute
                return _NOTHING
            case _:
                self._note(node)
                return _ALL if self._any_hiding(self._bound_in(node), node) else _NOTHING

    def _bound_in(self, node: ir.Expr) -> set[str]:
        """The names that an expression binds for itself, to nothing that is followed."""
        generators = node.generators if isinstance(node, ir.Comprehension) else ()
        return {name for each in generators if not self._any(each.iter) for name in walks.target_names(each.target)}

    def _note(self, node: ir.Expr) -> None:
        """Note what an expression does with what it depends on, besides giving something."""
        match node:
            case ir.NamedExpression(target=target, value=value):
                self._store(target, self._depends(value))
            case ir.Yield(value=value):
                self._escape(self._any(value))
            case _:
                pass

    def _of_call(self, call: ir.Call) -> Parts:
        named = [(keyword, value) for keyword, value in call.keywords if self._any(value)]
        placed = [(number, value) for number, value in enumerate(call.args) if self._any(value)]
        if not named and not placed and not self._any(call.func):
            return _NOTHING
        self.is_examined |= is_wait(call)
        callee = self.it.tables[Callees].by_call.get((self.path, call.at))
        self.is_known = self.is_known and callee is not None
        if callee is None or self._any(call.func) or self.depth == _MAX_CALLS:
            return _ALL
        if isinstance(callee, Qualified) and self.it.api.has(callee.name, "of-shape"):
            return _NOTHING
        given = [*(number for number, _ in placed), *(keyword for keyword, _ in named)]
        if any(isinstance(part, ir.Starred) for part in call.args) or None in given:
            return _ALL
        return reduce(_union, (self._through(atom, given) for atom in atoms_of(callee)), _NOTHING)

    def _through(self, callee: Value, given: list[Any]) -> Parts:
        """What a call gives of the arguments at these positions and of these names."""
        called = _called(callee)
        if called is None:
            return _ALL
        found, before = called
        names = [parameter.name for parameter in found.function.parameters]
        wanted = [names[before + each] if before + each < len(names) else "" for each in _numbers(given)]
        wanted += [each for each in given if isinstance(each, str)]
        if not set(wanted) <= set(names):
            return _ALL
        inner = partial(_Slice, self.it, found.module.path, found.function, -1, _NOTHING, self.depth + 1)
        fates = [_fate(self.it, inner(), name) for name in wanted]
        self.is_known = self.is_known and all(fate.is_known for fate in fates)
        self.is_examined |= any(fate.is_examined for fate in fates)
        self._escape(any(fate.escapes for fate in fates))
        return reduce(_union, (fate.returned for fate in fates), _NOTHING)


def _of_element(parts: Parts, number: int) -> Parts:
    return parts if not parts else _ALL if number in parts else _NOTHING


def _numbers(given: list[Any]) -> Iterator[int]:
    return (each for each in given if isinstance(each, int))


_EXPRESSIONS: Final = (
    ir.Name, ir.Attribute, ir.Subscript, ir.Slice, ir.Call, ir.Constant, ir.BinaryOperation, ir.BinaryChain,
    ir.UnaryOperation, ir.BooleanOperation, ir.Comparison, ir.Conditional, ir.SequenceDisplay, ir.DictDisplay,
    ir.Lambda, ir.Comprehension, ir.FormattedValue, ir.FormattedString, ir.Starred, ir.Await, ir.Yield,
    ir.NamedExpression,
)  # fmt: skip
