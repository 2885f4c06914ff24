"""Comprehensions, which are interpreted as loops whose targets are a scope of their own."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.frames import Pass
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import UNKNOWN, DictCell, Iterable, ListCell, SetCell, Static, Value
from jaxlint.analysis.machine.path_conditions import outcomes_of
from jaxlint.analysis.python import iteration, loop_costs, narrowing, stores, text_and_hash, truth
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def interpret(it: Interpreter, node: ir.Comprehension) -> Value:
    """Interpreted as a loop whose targets are a scope of their own."""
    env = it.frame.state.env
    names = {name for generator in node.generators for name in walks.target_names(generator.target)}
    shadowed = {name: env[name] for name in names if name in env}
    results: list[tuple[Value, Value | None]] = []
    depth, frame = len(it.frame.iteration), it.frame
    exact = _passes(it, node, 0, results)
    frame.end_passes(depth)
    env = frame.state.env
    for name in names:
        env.pop(name, None)
    env.update(shadowed)
    return _collected(it, node, results, exact)


#: Clauses of one comprehension, of unknown length, that are gone through twice.
MAX_TWICE = 4


def _passes(it: Interpreter, node: ir.Comprehension, depth: int, results: list[tuple[Value, Value | None]]) -> bool:
    """Run the generators from `depth` on; True where `results` holds every element in order."""
    if depth == len(node.generators):
        element = it.eval(node.element)
        if node.kind in ("set", "dict"):
            text_and_hash.hashed(it, element, node.element, "set member" if node.kind == "set" else "dict key")
        results.append((element, it.eval_optional(node.value)))
        return True
    generator = node.generators[depth]
    iterable = iteration.walked(it, it.eval(generator.iter), generator.iter)
    known = iteration.exact_elements(it, iterable)
    exact = known is not None and len(known) <= iteration.MAX_EXACT
    # A second pass shows what repeats; deep inside it would show nothing new, and passes multiply.
    unknown = (None, None) if depth < MAX_TWICE else (None,)
    passes = known if exact and known is not None else unknown
    outer, count = len(it.frame.iteration), len(passes) if exact else None
    cost = loop_costs.LoopCost(it, iterable)
    for number, value in enumerate(passes):
        it.spend(1)
        it.frame.begin_pass(outer, number, Pass(it.fresh(), node.at, generator.iter, generator.target, (), count))
        bound = iteration.element(it, iterable, generator.iter.at) if value is None else value
        stores.bind(it, generator.target, bound, generator.iter, quiet=True)
        with ExitStack() as path:
            if not _may_hold(it, generator.conditions, path):
                exact = False
                continue
            exact = exact and not generator.conditions
            exact = _passes(it, node, depth + 1, results) and exact
        if number == 0 and not exact and not generator.conditions:
            cost.first_pass_is_done(generator.iter, ())
    cost.is_over()
    it.frame.end_passes(outer)
    return exact


def _may_hold(it: Interpreter, conditions: tuple[ir.Expr, ...], path: ExitStack) -> bool:
    """Whether an element may pass the filters of a comprehension, which are put on the path."""
    for condition in conditions:
        decided = truth.test(it, condition, "if")
        if decided is False:
            return False
        if decided is None:
            path.enter_context(narrowing.on_path(it, condition, outcomes_of(it, condition).true, undecided=True))
        if not narrowing.assume(it, condition, True):
            return False
    return True


def _collected(
    it: Interpreter, node: ir.Comprehension, results: list[tuple[Value, Value | None]], exact: bool
) -> Value:
    elements = tuple(element for element, _ in results)
    element = join_all(elements)
    birth = it.birth(node.at)
    match node.kind:
        case "list":
            return it.allocate(ListCell(birth, elements if exact else None, element))
        case "set":
            return it.allocate(SetCell(birth, element))
        case "dict":
            return it.allocate(_collected_dict(birth, results, exact))
        case _:
            return Iterable("generator", element, once=True, ident=it.ident(node.at), birth=birth)


def _collected_dict(birth: Any, results: list[tuple[Value, Value | None]], exact: bool) -> DictCell:
    if exact and all(isinstance(key, Static) and key.known and is_hashable(key.value) for key, _ in results):
        items = {key.value: value for key, value in results if isinstance(key, Static) and value is not None}
        return DictCell(birth, items, None)
    values = [value for _, value in results if value is not None]
    return DictCell(birth, {}, join_all(values) if values else UNKNOWN)


def is_hashable(value: object) -> bool:
    """Whether a constant may be the key of a dict whose items are known."""
    return isinstance(value, str | int | float | bool | bytes | complex | type(None))
