"""Programs that are compiled anew, and need be: for a model that was just read from a file, or once per answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Qualified
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.ownership import root_name
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


@memoised
def waits_for_a_person(_: Interpreter, body: ir.Block) -> bool:
    """Whether code asks for input, or stops until somebody sends it something: `answer = yield`."""
    return any(_asks(node) for node in walks.nodes(body))


def _asks(node: object) -> bool:
    match node:
        case ir.Call(func=ir.Name(id="input")):
            return True
        case ir.Assign(value=ir.Yield(value=None)):
            return True
        case _:
            return False


def runs_what_it_loads(it: Interpreter, frame: Frame, names: Collection[str]) -> bool:
    """Whether what hangs on these names calls something that the invocation reads from the file that it was given."""
    sources = _sources(it, frame.body)
    parameters = () if frame.function is None else frame.function.parameters
    given = _reached({parameter.name for parameter in parameters}, sources)
    read = {name for name, values in sources.items() if _loads(it, frame, values, given)}
    loaded = _reached(read, sources)
    values = (sources.get(name, ()) for name in _behind(names, sources))
    calls = (node for value in values for node in walks.nodes(value) if isinstance(node, ir.Call))
    return any(root_name(call.func) in loaded for call in calls)


def _loads(it: Interpreter, frame: Frame, value: object, given: frozenset[str]) -> bool:
    """Whether a value comes out of a call that reads a file, of which the caller decides which one."""
    callees = it.tables[Callees].by_call
    for node in walks.nodes(value):
        callee = callees.get((frame.path, node.at)) if isinstance(node, ir.Call) else None
        effect = it.api.effect(callee.name) if isinstance(callee, Qualified) else None
        if effect is not None and effect.kind == "io" and not given.isdisjoint(walks.names(node)):
            return True
    return False


def _reached(start: Collection[str], sources: Mapping[str, tuple[object, ...]]) -> frozenset[str]:
    """These names, and all that are made of them."""
    found, size = set(start), -1
    while len(found) != size:
        size = len(found)
        found |= {name for name, values in sources.items() if not found.isdisjoint(walks.names(values))}
    return frozenset(found)


def _behind(start: Collection[str], sources: Mapping[str, tuple[object, ...]]) -> frozenset[str]:
    """These names, and all that they are made of."""
    waiting, found = list(start), set(start)
    while waiting:
        more = walks.names(sources.get(waiting.pop(), ())) - found
        waiting += more
        found |= more
    return frozenset(found)


@memoised
def _sources(_: Interpreter, body: ir.Block) -> dict[str, tuple[object, ...]]:
    """What the names of a scope are made of: values, contexts, and the bodies of functions."""
    found: dict[str, tuple[object, ...]] = {}
    for name, value in _bound(body):
        found[name] = (*found.get(name, ()), value)
    return found


def _bound(body: ir.Block) -> Iterator[tuple[str, object]]:
    for target, value in walks.assignments(body):
        yield from ((name, value) for name in walks.target_names(target))
    for statement in walks.statements(body):
        match statement:
            case ir.With(items=items):
                named = ((item.target, item.context) for item in items if item.target is not None)
                yield from ((name, context) for target, context in named for name in walks.target_names(target))
            case ir.FunctionDefinition(function=function):
                yield function.name, function.body
            case _:
                pass
