"""Names from around: enclosing functions, modules, star imports and builtins, and names that are assigned again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.events.effects import OuterRead
from jaxlint.analysis.findings import Place
from jaxlint.analysis.iteration import target_names
from jaxlint.analysis.values import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    ModuleValue,
    Partial,
    Qualified,
    Transformed,
    Value,
    atoms_of,
)
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.application import Application
    from jaxlint.analysis.frames import Frame, Trace
    from jaxlint.analysis.interpreter import Interpreter


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
    if _is_kept(it, owner) and it.wants(OuterRead):
        _outer_read(it, node, owner, value)
    return value


#: The ordinal of an assignment that other code may run at any time.
ELSEWHERE = 2**31
#: Transforms whose compiled function outlives the call that made it.
KEEPING = frozenset(
    {"jax.jit", "jax.pmap", "equinox.filter_jit", "equinox.filter_pmap", "flax.nnx.jit", "flax.linen.jit"}
)


def _is_kept(it: Interpreter, owner: Frame) -> bool:
    """Whether a compiled function around here goes on living when the owner's names change."""
    return any(True for _ in _keeping_traces(it, owner))


def _from_star(it: Interpreter, name: str) -> Value | None:
    """A name that a star import of a library brings."""
    for module in it.caches.get(("stars", it.frame.path), ()):
        qualified = f"{module}.{name}"
        if it.api.function(qualified) or it.api.transform(qualified) or it.api.random(qualified):
            return Qualified(it.api.canonical(qualified))
    return None


def _outer_read(it: Interpreter, node: ir.Name, owner: Frame, value: Value) -> None:
    """Traced code reads a name from outside: tell the rules where it is assigned again, if it is data."""
    scope = it.frame.scope
    if node.id in scope.globals or node.id in scope.nonlocals:
        return  # the store beside it is what is wrong
    if any(isinstance(atom, _CODE) for atom in atoms_of(value)):
        return
    sites = assignments(it, owner).get(node.id)
    if sites is None:
        return
    operand = it.operand(value, node)
    for site in sites:
        event = OuterRead(it.frame, node.at, node.id, operand, owner, Place(owner.path, site.at))
        if site.after == ELSEWHERE:
            it.emit(event)
            return
        for trace in _keeping_traces(it, owner):
            trace.application.reads.append((site, owner.serial, event))


def _keeping_traces(it: Interpreter, owner: Frame) -> Iterator[Trace]:
    trace = it.frame.trace
    if trace is not None:
        yield from (crossed for crossed in trace.crossed(owner.serial) if crossed.transform in KEEPING)


def tell_stale_reads(it: Interpreter, application: Application, at: int) -> None:
    """A compiled function is called at `at`: a name it read that was assigned since an earlier call is stale."""
    frame = it.frame
    for site, owner, event in application.reads:
        if owner != frame.serial or not site.repeats or site.after > at:
            continue
        if any(call < site.after for call in application.calls) or frame.iteration:
            it.emit(event)
    application.calls.append(at)


_CODE = (FunctionValue, ClassValue, ModuleValue, Qualified, Transformed, Partial, BoundMethod)


class Site:
    """One assignment of a name: `at` for readers, `after` its ordinal, `repeats` if the name had a value by then."""

    __slots__ = ("after", "at", "repeats")

    def __init__(self, at: int, after: int, repeats: bool) -> None:
        self.at, self.after, self.repeats = at, after, repeats


def assignments(it: Interpreter, owner: Frame) -> Mapping[str, list[Site]]:
    """The assignments of each name that `owner`'s scope binds: its own, and those by `global` and `nonlocal`."""
    body = owner.module.source.module.body if owner.function is None else owner.function.body
    key = ("assignments", owner.path, -1 if owner.function is None else owner.function.index)
    found = it.caches.get(key)
    if found is None:
        sites: dict[str, list[Site]] = {}
        parameters = () if owner.function is None else owner.function.parameters
        seen = {parameter.name for parameter in parameters}
        _collect(body, seen, sites, in_loop=False)
        for name, at in _declared(body, owner.function is None):
            sites.setdefault(name, []).append(Site(at, ELSEWHERE, True))
        found = it.caches[key] = sites
    return found


def _collect(body: Any, seen: set[str], sites: dict[str, list[Site]], *, in_loop: bool) -> None:
    """Assignments in source order; one repeats if the name had a value before it, or if it stands in a loop."""
    for node in body:
        for name, at in _stored(node):
            sites.setdefault(name, []).append(Site(at, at, name in seen or in_loop))
            seen.add(name)
        for block, loops in _blocks(node):
            _collect(block, seen, sites, in_loop=in_loop or loops)


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


def _blocks(node: ir.Stmt) -> Iterator[tuple[ir.Block, bool]]:
    """The blocks of a compound statement, and whether each is run more than once."""
    match node:
        case ir.If():
            yield from ((node.body, False), (node.orelse, False))
        case ir.For() | ir.While():
            yield from ((node.body, True), (node.orelse, False))
        case ir.With():
            yield node.body, False
        case ir.Try():
            yield from (
                (block, False) for block in (node.body, *(h.body for h in node.handlers), node.orelse, node.final)
            )
        case ir.Match():
            yield from ((case.body, False) for case in node.cases)
        case _:
            pass


def _declared(node: Any, is_module: bool) -> Iterator[tuple[str, int]]:
    """Names that functions below assign under `global` (of a module) or `nonlocal` (of a function)."""
    if isinstance(node, ir.Function):
        names = node.scope.globals if is_module else node.scope.nonlocals
        if names:
            seen: dict[str, list[Site]] = {}
            _collect(node.body, set(names), seen, in_loop=False)
            yield from ((name, seen[name][0].at) for name in sorted(names) if name in seen)
    if isinstance(node, tuple):
        for child in node:
            if isinstance(child, tuple):
                yield from _declared(child, is_module)
