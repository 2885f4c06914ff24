"""Names from around: enclosing functions, modules, star imports and builtins, and names that are assigned again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Iterable,
    ModuleValue,
    Object,
    Partial,
    Qualified,
    Static,
    Transformed,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.effects import OuterRead
from jaxlint.analysis.machine import path_conditions, path_values
from jaxlint.analysis.machine.run_facts import StarImports
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.python import iteration
from jaxlint.analysis.source import compensated_effects, test_context
from jaxlint.syntax import ir, walks
from jaxlint.syntax.blocks import blocks
from jaxlint.syntax.walks import target_names

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.frames import Frame, Trace
    from jaxlint.analysis.machine.interpreter import Interpreter


@dataclass(slots=True)
class OuterReads(Table):
    """What compiled functions read of names from outside while they were traced."""

    by_application: dict[Application, list[OuterRead]] = field(default_factory=dict)

    def fork(self) -> OuterReads:
        """The same with lists of its own."""
        return OuterReads({application: list(reads) for application, reads in self.by_application.items()})


def outer_name(it: Interpreter, node: ir.Name) -> Value:
    """The value of a name that the current frame does not bind."""
    scope = it.frame.scope
    declared = node.id in scope.globals or node.id in scope.nonlocals
    if it.frame.function is not None and node.id in scope.bound and not declared:
        # Bound on another path, or later: reading it here would be Python's own error.
        return it.unknown(f"`{node.id}` where it may be unbound", node.at)
    found = it.find_binding(node.id)
    if found is None:
        return _from_star(it, node.id) or it.builtin(node.id)
    owner, value = found
    if it.frame.trace is not None and it.wants(OuterRead):
        _outer_read(it, node, owner, value)
    return path_values.resolve(owner, value, it.frame.all_conditions()) if owner.choices else value


def _from_star(it: Interpreter, name: str) -> Value | None:
    """A name that a star import of a library brings."""
    for module in it.tables[StarImports].by_path.get(it.frame.path, ()):
        qualified = f"{module}.{name}"
        if it.api.function(qualified) or it.api.transform(qualified) or it.api.random(qualified):
            return Qualified(it.api.canonical(qualified))
    return None


def listed_names(it: Interpreter, names: Mapping[str, Value]) -> frozenset[str] | None:
    """What `__all__` of a module with these names lists; None where it has none, or one that is not known."""
    value = names.get("__all__")
    listed = None if value is None else iteration.exact_elements(it, value)
    if listed is None or not all(isinstance(name, Static) and isinstance(name.value, str) for name in listed):
        return None
    return frozenset(name.value for name in listed if isinstance(name, Static))


def _outer_read(it: Interpreter, node: ir.Name, owner: Frame, value: Value) -> None:
    """A compiled function that is kept reads a name from outside: tell the rules where data is assigned again."""
    traces = list(_keeping_traces(it, owner))
    scope = it.frame.scope
    if not traces or node.id in scope.globals or node.id in scope.nonlocals:
        return  # the store beside it is what is wrong
    if any(isinstance(atom, _CODE) for atom in atoms_of(value)):
        return
    if compensated_effects.is_changed_in(it.frame, node.id) and _is_container(it, value):
        return  # kept while tracing, for the time of tracing
    read = OuterRead(it.frame, node.at, node.id, it.operand(value, node), owner, None)
    elsewhere = assigned_below(it, owner, grown=not _is_container(it, value)).get(node.id)
    if elsewhere is not None:
        _tell_stale(it, read, elsewhere)
        return
    by_application = it.tables[OuterReads].by_application
    for trace in traces:
        if trace.application is not None:
            by_application.setdefault(trace.application, []).append(read)


def _is_container(it: Interpreter, value: Value) -> bool:
    return all(
        isinstance(atom, Tuple | Iterable) or (isinstance(atom, Object) and isinstance(it.cell(atom), CONTAINERS))
        for atom in atoms_of(value)
    )


def _keeping_traces(it: Interpreter, owner: Frame) -> Iterator[Trace]:
    """The compiled functions around here that go on living when the owner's names change."""
    trace = it.frame.trace
    if trace is not None:
        yield from (
            crossed for crossed in trace.crossed(owner.serial) if it.api.has(crossed.transform, "keeps-programs")
        )


def tell_stale_reads(it: Interpreter, application: Application, at: int) -> None:
    """A compiled function is called at `at`: what it read in an earlier call is stale if the name has a new value."""
    callers = {frame.serial for frame in it.frame.callers()}
    for read in it.tables[OuterReads].by_application.get(application, ()):
        now = read.owner.state.env.get(read.name)
        if now is None or read.owner.serial not in callers:
            continue
        then = atoms_of(read.value.value)
        if all(atom in then for atom in atoms_of(now)):
            continue  # at most narrowed by a test
        stores = _stores_of(it, read.owner.body, read.name)
        _tell_stale(it, read, max((s for s in stores if s < at), default=stores[-1] if stores else read.at))


def _tell_stale(it: Interpreter, read: OuterRead, stored_at: int) -> None:
    """Compiled code has an old value, unless it is only asserted: then that is what a test looks for."""
    if not test_context.is_only_asserted(it, read.owner.body, read.name):
        it.emit(replace(read, reassigned_at=Place(read.owner.path, stored_at)))


_CODE = (FunctionValue, ClassValue, ModuleValue, Qualified, Transformed, Partial, BoundMethod)


def assigned_below(it: Interpreter, owner: Frame, *, grown: bool = True) -> Mapping[str, int]:
    """The names of `owner`'s scope that functions below assign by `global` and `nonlocal`, and where first.

    `grown`: also those that they only add to (`kinds += (kind,)`).
    """
    return _assigned_in(it, owner.body, owner.function is None, grown)


@memoised
def _assigned_in(it: Interpreter, body: ir.Block, is_module: bool, grown: bool) -> Mapping[str, int]:
    return dict(reversed([*_declared(body, is_module, grown)]))


@memoised
def _stores_of(_: Interpreter, body: ir.Block, name: str) -> Sequence[int]:
    """Where the statements of one scope assign a name, in source order."""
    return [store for stored, store in _stores(body) if stored == name]


def _stores(body: ir.Block, grown: bool = True) -> Iterator[tuple[str, int]]:
    """The names that the statements of one scope assign, in source order, and where."""
    for node in body:
        if grown or not isinstance(node, ir.AugmentedAssign):
            yield from _stored(node)
        for block in blocks(node):
            yield from _stores(block, grown)


def _stored(node: ir.Stmt) -> Iterator[tuple[str, int]]:
    match node:
        case ir.Assign():
            for target in node.targets:
                yield from ((name, target.at) for name in target_names(target))
        case ir.AugmentedAssign() | ir.For():
            yield from ((name, node.target.at) for name in target_names(node.target))
        case ir.AnnotatedAssign() if node.value is not None:
            yield from ((name, node.target.at) for name in target_names(node.target))
        case _:
            pass


def _declared(body: ir.Block, is_module: bool, grown: bool) -> Iterator[tuple[str, int]]:
    """Names that functions below assign under `global` (of a module) or `nonlocal` (of a function)."""
    for node in walks.nodes(body):
        if isinstance(node, ir.Function):
            names = node.scope.globals if is_module else node.scope.nonlocals
            once = {
                store for test in walks.nodes(node.body) if path_conditions.fills(test) for store in _stores(test.body)
            }
            yield from (store for store in _stores(node.body, grown) if store[0] in names and store not in once)
