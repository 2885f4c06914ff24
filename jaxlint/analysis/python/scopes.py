"""Names from around: enclosing functions, modules, star imports and builtins, and names that are assigned again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    Iterable,
    Object,
    Qualified,
    Static,
    Tuple,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.effects import OuterRead
from jaxlint.analysis.machine import path_conditions, path_values
from jaxlint.analysis.machine.run_facts import StarImports
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import closure_constants, iteration, names_at_calls, stale_reads
from jaxlint.analysis.source import compensated_effects, set_once
from jaxlint.analysis.source.assignments import stores_in
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


def outer_name(it: Interpreter, node: ir.Name) -> Value:
    """The value of a name that the current frame does not bind."""
    scope = it.frame.scope
    is_own = it.frame.function is not None and node.id in scope.bound
    if is_own and node.id not in scope.globals and node.id not in scope.nonlocals:
        # Bound on another path, or later: reading it here would be Python's own error.
        return it.unknown(f"`{node.id}` where it may be unbound", node.at)
    found = it.find_binding(node.id)
    if found is None:
        return _from_star(it, node.id) or it.builtin(node.id)
    owner, value = found
    if owner.kind == "module":
        value = names_at_calls.value_of(it, owner, node.id, value)
    if it.frame.trace is not None:
        closure_constants.read(it, value, owner.serial, node.at, owner, node.id)
        if it.wants(OuterRead):
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
    programs = stale_reads.keepers(it, owner, whoever=True)
    scope = it.frame.scope
    if not programs or node.id in scope.globals or node.id in scope.nonlocals:
        return  # the store beside it is what is wrong
    if any(isinstance(atom, stale_reads.CODE) for atom in atoms_of(value)):
        return
    if compensated_effects.is_changed_in(it, it.frame, node.id) and _is_container(it, value):
        return  # kept while tracing, for the time of tracing
    read = OuterRead(it.frame, node.at, node.id, it.operand(value, node), owner, None)
    elsewhere = assigned_below(it, owner, grown=not _is_container(it, value)).get(node.id)
    if elsewhere is not None and stale_reads.keepers(it, owner):
        stale_reads.tell(it, read, Place(owner.path, elsewhere))
    else:
        stale_reads.note(it, read)


def _is_container(it: Interpreter, value: Value) -> bool:
    return all(
        isinstance(atom, Tuple | Iterable) or (isinstance(atom, Object) and isinstance(it.cell(atom), CONTAINERS))
        for atom in atoms_of(value)
    )


def assigned_below(it: Interpreter, owner: Frame, *, grown: bool = True) -> Mapping[str, int]:
    """The names of `owner`'s scope that functions below assign by `global` and `nonlocal`, and where first.

    `grown`: also those that they only add to (`kinds += (kind,)`).
    """
    return _assigned_in(it, owner.body, owner.function is None, grown)


@memoised
def _assigned_in(it: Interpreter, body: ir.Block, is_module: bool, grown: bool) -> Mapping[str, int]:
    return dict(reversed([*_declared(body, is_module, grown)]))


def _declared(body: ir.Block, is_module: bool, grown: bool) -> Iterator[tuple[str, int]]:
    """Names that functions below assign under `global` (of a module) or `nonlocal` (of a function)."""
    managers = [
        managed for node in walks.statements(body) if isinstance(node, ir.ClassDefinition) for managed in _managed(node)
    ]
    for statement in walks.statements(body):
        if isinstance(statement, ir.FunctionDefinition):
            node = statement.function
            names = (node.scope.globals if is_module else node.scope.nonlocals) - {
                name for half, name in managers if half is node
            }
            for name, at in _stored_for_good(node, names, grown) if names else ():
                if not is_module or not set_once.is_set_once(body, node, name):
                    yield name, at


def _managed(node: ir.ClassDefinition) -> Iterator[tuple[ir.Function, str]]:
    """The halves of a context manager, each with the names that both assign: one sets what the other puts back."""
    methods = {each.function.name: each.function for each in node.cls.body if isinstance(each, ir.FunctionDefinition)}
    halves = [methods[name] for name in ("__enter__", "__exit__") if name in methods]
    if len(halves) == 2:
        entered, left = ({name for name, _ in stores_in(half.body)} for half in halves)
        yield from ((half, name) for half in halves for name in entered & left)


def _stored_for_good(node: ir.Function, names: Collection[str], grown: bool) -> Iterator[tuple[str, int]]:
    """Which of these names a function assigns, but for what it does once or for the time of a `with`."""
    once = {
        store
        for test in walks.statements(node.body)
        if isinstance(test, ir.If) and path_conditions.fills(test)
        for store in stores_in(test.body)
    }
    passing = _put_back(node.body)
    stores = (store for store in stores_in(node.body, grown) if store[0] in names and store not in once)
    yield from (store for store in stores if store[0] not in passing)


def _put_back(body: ir.Block) -> frozenset[str]:
    """Names that a generator assigns for as long as the block of a `with` runs: who reads them is inside of it."""
    tries = [node for node in walks.statements(body) if isinstance(node, ir.Try) and node.final]
    around = (t for t in tries if any(isinstance(node, ir.Yield) for node in walks.nodes(t.body)))
    return frozenset(name for each in around for name, _ in stores_in(each.final))
