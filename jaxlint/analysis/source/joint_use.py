"""Whether a scope uses the results of two calls together, by its source alone: a flow of values through names.

Over-approximates: what a function returns, and what it stores where others see it, is used together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.canvases import canvases, full_name, imports_of
from jaxlint.analysis.source.dropped_results import is_wait
from jaxlint.analysis.source.ownership import root_name, statement_of
from jaxlint.analysis.source.reaching_definitions import known_bindings, names_carried
from jaxlint.analysis.source.test_context import is_assertion, leads_to_assertions
from jaxlint.analysis.source.unread_names import names_read
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, Pass
    from jaxlint.analysis.machine.interpreter import Interpreter

#: The bits of the two results.
_FIRST, _SECOND, _BOTH = 1, 2, 3
#: Kinds of effects that show a value to a person.
_SHOWING: Final = frozenset({"print", "log", "experiment-logger", "io"})
#: Attributes of arrays that say nothing of the numbers in them.
_OF_SHAPE: Final = frozenset({"dtype", "ndim", "shape", "size"})
#: How many arguments a call that runs one of several functions has at least: what chooses, and those.
_FEWEST: Final = 2
#: What makes numbers of Python of an array: functions and methods.
_TO_NUMBERS: Final = frozenset({"float", "int"})
_TO_NUMBERS_METHODS: Final = frozenset({"item", "tolist"})


def are_used_together(
    it: Interpreter, frame: Frame, first: ir.Call, second: ir.Call, *, are_runs: bool = False
) -> bool:
    """Whether a computation, a result or an object gets the results of both calls, or one waits to be used.

    What only shows or asserts results does not count, nor what is only computed for that. Where the calls are whole
    runs (`are_runs`), neither does what sets their numbers against each other, nor what writes them into a report.
    """
    if are_runs and all(_is_a_number(it, frame, call) for call in (first, second)):
        return False
    if any(_is_kept(it, frame.body, call) for call in (first, second)):
        return True
    module, body = frame.module.source.module, frame.body
    return _flow(it, module, body, (first.at, second.at), canvases(it, module, body), are_runs).is_joint


def stays_in_pass(it: Interpreter, frame: Frame, this: Pass, call: ir.Call) -> bool:
    """Whether a call works on what each pass of a loop has of its own, and nothing that it gives outlives the pass."""
    flow = _flow_in_pass(it, frame, this, call)
    if flow is None or flow.left:
        return False
    names = {node.id for node in walks.nodes(call) if isinstance(node, ir.Name)}
    own = set(flow.held) | (set() if this.target is None else set(walks.target_names(this.target)))
    return not names.isdisjoint(own) and not any(_is_read_outside(it, frame, this, name) for name in flow.holding)


def gives_numbers_only(it: Interpreter, frame: Frame, this: Pass, call: ir.Call) -> bool:
    """Whether only numbers of Python come out of a call in a pass of a loop, or what shows them."""
    flow = _flow_in_pass(it, frame, this, call, are_runs=True)
    if flow is None or flow.left or not flow.holding.isdisjoint(names_carried(this)):
        return False
    return not any(_is_read_outside(it, frame, this, name) for name in flow.holding)


def is_replaced_unread(it: Interpreter, frame: Frame, this: Pass, call: ir.Call) -> bool:
    """Whether a pass of a loop only waits for what comes out of a call, until the next pass replaces it."""
    flow = _flow_in_pass(it, frame, this, call)
    if flow is None or flow.left or not flow.holding.isdisjoint(names_carried(this)):
        return False
    waits = [node for node in walks.nodes(this.body) if isinstance(node, ir.Call) and is_wait(node)]
    waited = {at for wait in waits for at in walks.ordinals(wait)}
    bound = {target.at for statement in walks.statements(this.body) for target, _ in walks.assigned(statement)}
    reads = {node.at for node in walks.nodes(this.body) if isinstance(node, ir.Name) and node.id in flow.holding}
    return bool(waits) and reads <= waited | bound


def _flow_in_pass(it: Interpreter, frame: Frame, this: Pass, call: ir.Call, *, are_runs: bool = False) -> _Flow | None:
    """Where the body of a loop takes what a call gives; None for a comprehension, which collects that of each pass."""
    module = frame.module.source.module
    drawn_on = canvases(it, module, frame.body)
    return _flow(it, module, this.body, (call.at, -1), drawn_on, are_runs) if this.body else None


def _is_read_outside(it: Interpreter, frame: Frame, this: Pass, name: str) -> bool:
    """Whether code around a loop reads what the last pass bound to a name: what it binds anew before does not count."""
    end = max(walks.ordinals(this.body))
    anew = [each.statement for each in known_bindings(it, frame.body, name) if each.always]
    first = min((statement.at for statement in anew if statement.at > end), default=None)
    reads = {node.at for node in walks.nodes(frame.body) if isinstance(node, ir.Name) and node.id == name}
    if first is not None:
        reads = {at for at in reads if at < first}
    inside = set(walks.ordinals(this.body))
    start = min(inside) if len(frame.passes) == 1 else -1
    others = {at for bound, at in _behind_bindings(frame.body, name) if bound > end or at < min(inside)}
    return any(at > start and at not in inside for at in reads - others)


def _behind_bindings(block: ir.Block, name: str) -> Iterator[tuple[int, int]]:
    """The targets of the assignments of a name, and all that stands behind one in its block, each with the last one."""
    bound = -1
    for statement in block:
        if bound >= 0:
            yield from ((bound, at) for at in walks.ordinals(statement))
        for inner in blocks(statement):
            yield from _behind_bindings(inner, name)
        targets = [target for target, _ in walks.assigned(statement) if name in walks.target_names(target)]
        if targets:
            bound = statement.at
            yield from ((bound, at) for target in targets for at in _own_places(target))


def _own_places(target: ir.Expr) -> Iterator[int]:
    """The places of the names that an assignment to a target binds."""
    match target:
        case ir.Name(at=at):
            yield at
        case ir.SequenceDisplay(elements=elements):
            yield from (at for element in elements for at in _own_places(element))
        case _:
            pass


def _is_a_number(it: Interpreter, frame: Frame, call: ir.Call) -> bool:
    """Whether a function of the project that is called gives numbers of Python, by all that it returns."""
    callee = it.tables[Callees].by_call.get((frame.path, call.at))
    if not isinstance(callee, FunctionValue):
        return False
    results = list(_results(callee.function.body))
    return bool(results) and all(isinstance(each, ir.Call) and makes_numbers(each) for each in results)


def _results(body: ir.Block) -> Iterator[ir.Expr | None]:
    """What the statements of a function return, those of functions in it aside."""
    for statement in body:
        if isinstance(statement, ir.Return):
            yield statement.value
        for block in blocks(statement):
            yield from _results(block)


def makes_numbers(call: ir.Call) -> bool:
    """Whether a call makes numbers of Python of an array: `float(x)`, `x.tolist()`."""
    match call.func:
        case ir.Attribute(attr=name):
            return name in _TO_NUMBERS_METHODS
        case ir.Name(id=name):
            return name in _TO_NUMBERS
        case _:
            return False


def _is_kept(it: Interpreter, body: ir.Block, call: ir.Call) -> bool:
    """Whether names hold the result of a call, and nothing reads them: the next version of the code may."""
    statement = statement_of(body, call.at)
    if not isinstance(statement, ir.Assign | ir.AnnotatedAssign) or statement.value is None:
        return False
    targets = statement.targets if isinstance(statement, ir.Assign) else (statement.target,)
    names = {name for target in targets for name in walks.target_names(target)}
    return bool(names) and names.isdisjoint(names_read(it, body))


@memoised
def _flow(
    it: Interpreter, module: ir.Module, body: ir.Block, calls: tuple[int, int], drawn_on: frozenset[str], are_runs: bool
) -> _Flow:
    sources = {calls[0]: _FIRST, calls[1]: _SECOND}
    flow = _Flow(it, body, imports_of(module), sources, body is module.body, are_runs, drawn_on)
    flow.run(body)
    flow.define_all(body)
    return flow


@dataclass(slots=True)
class _Flow:
    """Which of two results names hold (`held`), which of them leave the scope (`left`), and whether they met.

    Those that are `around` decide whether, or in which context, the statement at hand runs. Whole runs (`are_runs`)
    are `contrasted` where a number of the one is set against one of the other.
    """

    it: Interpreter
    body: ir.Block
    imported: Mapping[str, str]
    sources: Mapping[int, int]
    is_module: bool
    are_runs: bool
    canvases: frozenset[str]
    is_repeated: bool = False
    held: dict[str, int] = field(default_factory=dict)
    around: int = 0
    left: int = 0
    met: bool = False
    contrasted: bool = False

    @property
    def holding(self) -> frozenset[str]:
        """The names that hold one of the results."""
        return frozenset(name for name, bits in self.held.items() if bits)

    @property
    def is_joint(self) -> bool:
        """Whether the two results are used together."""
        return self.met or (self.left == _BOTH and not self.contrasted)

    def run(self, body: ir.Block) -> None:
        """Follow the values through a block in order."""
        for statement in body:
            if is_assertion(statement):
                continue
            self._step(statement)
            outside, self.around = self.around, self.around | self._bits(_header(statement))
            self._branch(statement)
            self.around = outside

    def _branch(self, statement: ir.Stmt) -> None:
        """Follow the values through the blocks of a statement; a name that one may not bind may hold what it held."""
        is_run, is_either = isinstance(statement, ir.With), isinstance(statement, ir.If)
        before, outside = self.held, self.is_repeated
        is_loop = isinstance(statement, ir.For | ir.While)
        self.is_repeated |= is_loop
        joined = {} if is_either or is_run else before
        for _ in range(1 + is_loop):
            for block in self._blocks_run(statement):
                self.held = dict(before if is_either or is_run else joined)
                self.run(block)
                joined = {name: joined.get(name, 0) | self.held.get(name, 0) for name in (*joined, *self.held)}
        self.held, self.is_repeated = joined or before, outside

    def _blocks_run(self, statement: ir.Stmt) -> list[ir.Block]:
        """The blocks of a statement: of a choice only those with a call of the two, without which there are no two.

        In a loop, another pass may have come by another block.
        """
        all_blocks = list(blocks(statement))
        if self.is_repeated or not isinstance(statement, ir.If):
            return all_blocks
        return [
            block for block in all_blocks if not self.sources.keys().isdisjoint(walks.ordinals(block))
        ] or all_blocks

    def define_all(self, body: ir.Block) -> None:
        """A function may be called when all that it reads is bound."""
        for statement in body:
            if isinstance(statement, ir.FunctionDefinition):
                self._define(statement.function)

    def _step(self, statement: ir.Stmt) -> None:
        match statement:
            case ir.Assign() | ir.AnnotatedAssign():
                self._assign(list(walks.assignments(statement)))
            case ir.AugmentedAssign(target=target, value=value):
                self._store(target, self._bits(value))
                self.met |= self._bits(target) | self._bits(value) == _BOTH
            case ir.Return(value=value) if value is not None:
                self.left |= self._bits(value)
            case ir.ExpressionStatement(value=value):
                self._discard(value)
            case ir.If(test=test) | ir.While(test=test):
                self.met |= self._computes(test)
            case ir.For(target=target, iter=value):
                self._assign([(target, value)], is_sure=False)
            case ir.With(items=items):
                self._assign([(item.target, item.context) for item in items if item.target is not None])
            case ir.FunctionDefinition(function=definition) | ir.ClassDefinition(cls=definition):
                self._define(definition)
            case _:
                pass

    def _define(self, definition: ir.Function | ir.Class) -> None:
        """A function holds what it reads around itself; one of a module may be called from anywhere."""
        scope = definition.scope
        own = scope.bound - scope.nonlocals - scope.globals if isinstance(definition, ir.Function) else frozenset()
        bits = self._bits(definition.body, own)
        self._hold(definition.name, bits)
        self.met |= bits == _BOTH
        if self.is_module:
            self.left |= bits

    def _assign(self, pairs: list[tuple[ir.Expr, ir.Expr]], *, is_sure: bool = True) -> None:
        """Targets get their values, all of which are computed first; not surely, where a loop may have no pass."""
        bits = [self._bits(value) for _, value in pairs]
        for target, value in pairs:
            names = set(walks.target_names(target))
            if self._computes(value) and not (names and self._is_for_show(names)):
                self.met = True
        if is_sure:
            self.held.update(dict.fromkeys((name for target, _ in pairs for name in walks.target_names(target)), 0))
        for (target, _), given in zip(pairs, bits):
            self._store(target, given)

    def _store(self, target: ir.Expr, bits: int) -> None:
        """A store into a part of an object makes the object hold the value; others may hold the object."""
        for name in walks.target_names(target):
            self._hold(name, bits)
        if isinstance(target, ir.Attribute | ir.Subscript):
            holder = root_name(target)
            if holder is None or not self._is_own(holder):
                self.left |= bits
            else:
                self._hold(holder, bits)
        elif isinstance(target, ir.SequenceDisplay):
            for part in target.elements:
                self._store(part, bits)

    def _discard(self, value: ir.Expr) -> None:
        """A call whose result is not wanted changes its object, or shows something."""
        if isinstance(value, ir.Yield):
            self.left |= self._bits(value)
        if not isinstance(value, ir.Call):
            self.met |= self._computes(value)
            return
        if is_wait(value):
            return
        given = (*value.args, *(part for _, part in value.keywords))
        if self._shows(value):
            self.met |= any(self._computes(part) and not self._compares(part) for part in given)
            return
        self.met |= self._bits(given) == _BOTH
        if root_name(value.func) in self.canvases:
            return
        if isinstance(value.func, ir.Attribute) and (self._bits(given) or not self._is_of_library(value.func.base)):
            self._store(value.func, self._bits(value))

    def _is_of_library(self, node: ir.Expr) -> bool:
        """Whether an object is made here by a library, as in `DataFrame(results).to_csv(path)`: nothing else has it."""
        is_made = False
        while isinstance(node, ir.Call | ir.Attribute):
            is_made |= isinstance(node, ir.Call)
            node = node.func if isinstance(node, ir.Call) else node.base
            if isinstance(node, ir.Name):
                return is_made and node.id in self.imported
        return False

    def _hold(self, name: str, bits: int) -> None:
        self.held[name] = self.held.get(name, 0) | bits

    def _is_own(self, name: str) -> bool:
        """Whether a name is bound in this scope, and not given to it."""
        return self.is_module or name in self.held

    # --- expressions

    def _bits(self, node: Any, own: frozenset[str] = frozenset()) -> int:
        """The results that code reads, or that it depends on where it stands; names of its `own` are others."""
        bits = self.around
        apart = self._kept_apart(node)
        for part in walks.nodes(node):
            if getattr(part, "at", -1) in apart:
                continue
            if isinstance(part, ir.Name):
                bits |= 0 if part.id in own else self.held.get(part.id, 0)
            elif isinstance(part, ir.Call):
                bits |= self.sources.get(part.at, 0)
        return bits

    def _computes(self, node: ir.Expr) -> bool:
        """Whether an expression computes something of both results, and does not only hold or show them."""
        if self._bits(node) != _BOTH:
            return False
        match node:
            case ir.Name() | ir.FormattedString() | ir.Lambda():
                return False
            case ir.Call(func=ir.Attribute(base=base), args=args, keywords=keywords) if (
                not self._bits((args, keywords)) and node.at not in self.sources
            ):
                return self._computes(base)
            case ir.Attribute(base=base) | ir.Subscript(base=base) | ir.Starred(value=base):
                return self._computes(base)
            case ir.SequenceDisplay(elements=elements):
                return any(map(self._computes, elements))
            case ir.DictDisplay(items=items):
                return any(self._computes(value) for _, value in items)
            case _:
                return True

    # --- what keeps the two apart

    def _kept_apart(self, node: Any) -> set[int]:
        """What below a node hands neither result on: a shape, arms of a choice of one, numbers for a report."""
        apart: set[int] = set()
        for part in walks.nodes(node):
            if isinstance(part, ir.Attribute) and part.attr in _OF_SHAPE:
                apart.update(walks.ordinals(part))
            elif isinstance(part, ir.Call):
                if self.it.api.has(self._full_name(part), "of-shape"):
                    apart.update(walks.ordinals(part))
                elif self._chooses(part):
                    apart.update(walks.ordinals(self._arms(part)))
                elif self.are_runs and makes_numbers(part):
                    apart.update(walks.ordinals(part))
            elif self.are_runs and isinstance(part, ir.BinaryOperation) and self._contrasts(part):
                self.contrasted = True
                apart.update(walks.ordinals(part))
        return apart

    def _chooses(self, call: ir.Call) -> bool:
        """Whether each element is of one result or the other: `where(x > 0, first, second)`."""
        arms = [self._bits(arm) for arm in self._arms(call)]
        return _BOTH not in arms and _FIRST in arms and _SECOND in arms

    def _arms(self, call: ir.Call) -> tuple[ir.Expr, ...]:
        """What a call chooses from: values, or functions of which one is run, if they get neither result to work on."""
        full = self._full_name(call)
        if self.it.api.has(full, "picks-one"):
            return call.args[1:]
        if not self.it.api.has(full, "branches") or len(call.args) < _FEWEST:
            return ()
        listed = call.args[1]
        arms = listed.elements if isinstance(listed, ir.SequenceDisplay) else call.args[1:3]
        given = call.args[2:] if isinstance(listed, ir.SequenceDisplay) else call.args[3:]
        return () if self._bits((given, call.keywords)) else arms

    def _contrasts(self, node: ir.BinaryOperation) -> bool:
        """Whether a number of the one result is set against one of the other."""
        return node.op in ("-", "/") and {self._bits(node.left), self._bits(node.right)} == {_FIRST, _SECOND}

    def _full_name(self, call: ir.Call) -> str:
        """What a call names, by the imports of the module; empty if it is of the module itself."""
        return full_name(self.imported, call)

    # --- what is only shown

    def _is_for_show(self, names: set[str]) -> bool:
        """Whether names are read in assertions only."""
        return all(leads_to_assertions(self.it, self.body, name) for name in names)

    def _shows(self, call: ir.Call) -> bool:
        """Whether a call prints, logs or draws for a person."""
        full = self._full_name(call)
        effect = self.it.api.effect(full) if full else None
        return effect is not None and effect.kind in _SHOWING

    def _compares(self, node: Any) -> bool:
        """Whether both results meet in a difference or a comparison, if at all."""
        both = [part for part in walks.nodes(node) if hasattr(part, "at") and self._bits(part) == _BOTH]
        smallest = both[-1] if both else None
        match smallest:
            case ir.Comparison() | ir.BinaryOperation(op="-"):
                return True
            case _:
                return smallest is None


def _header(statement: ir.Stmt) -> tuple[ir.Expr, ...]:
    """What decides whether, and in which context, the blocks of a statement run."""
    match statement:
        case ir.If(test=test) | ir.While(test=test):
            return (test,)
        case ir.With(items=items):
            return tuple(item.context for item in items)
        case ir.Match(subject=subject):
            return (subject,)
        case _:
            return ()
