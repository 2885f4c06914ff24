"""Names of a module that are placeholders until a function that runs once gives them their value."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.source.assignments import stores_in
from jaxlint.analysis.source.method_effects import INITIALIZERS
from jaxlint.syntax import ir, walks


def is_set_once(body: ir.Block, function: ir.Function, name: str) -> bool:
    """Whether a function of the module, called at one place, makes all values that a name has but for None.

    Code that runs before it finds None there, so that none keeps an old value. An initializer may do so for the one
    object that a program is seen to need.
    """
    stores = [at for stored, at in stores_in(function.body) if stored == name]
    others = (each for each in _functions(body) if each is not function and name in each.scope.globals)
    return (
        bool(stores)
        and not any(_is_in_loop(function.body, at) for at in stores)
        and _is_placeholder(body, name)
        and not any(stored == name for other in others for stored, _ in stores_in(other.body))
        and (_is_initializer(body, function) or _runs_once(body, function))
    )


def _functions(body: ir.Block) -> Iterator[ir.Function]:
    return (each.function for each in walks.statements(body) if isinstance(each, ir.FunctionDefinition))


def _is_placeholder(body: ir.Block, name: str) -> bool:
    """Whether the code of the module itself assigns None to a name, if anything."""
    count = sum(stored == name for stored, _ in stores_in(body))
    given = [value for target, value in walks.assignments(body) if isinstance(target, ir.Name) and target.id == name]
    empty = sum(isinstance(value, ir.Constant) and value.value is None for value in given)
    return count <= empty


def _is_in_loop(body: ir.Block, at: int) -> bool:
    loops = (each for each in walks.statements(body) if isinstance(each, ir.For | ir.While))
    return any(at in set(walks.ordinals(loop)) for loop in loops)


def _is_initializer(body: ir.Block, function: ir.Function) -> bool:
    """Whether a function initializes the objects of a class of the module."""
    classes = (each for each in walks.statements(body) if isinstance(each, ir.ClassDefinition))
    own = (each.function for cls in classes for each in cls.cls.body if isinstance(each, ir.FunctionDefinition))
    return function.name in INITIALIZERS and any(each is function for each in own)


def _runs_once(body: ir.Block, function: ir.Function, depth: int = 3) -> bool:
    """Whether the module mentions a function at one place, a call outside of loops, which itself runs once."""
    uses = [node for node in walks.nodes(body) if isinstance(node, ir.Name) and node.id == function.name]
    calls = (node for node in walks.nodes(body) if isinstance(node, ir.Call))
    if len(uses) != 1 or depth == 0 or not any(call.func is uses[0] for call in calls) or _is_in_loop(body, uses[0].at):
        return False
    around = [each for each in _functions(body) if uses[0].at in set(walks.ordinals(each.body))]
    return all(_runs_once(body, each, depth - 1) for each in around)
