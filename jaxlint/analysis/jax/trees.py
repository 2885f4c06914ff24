"""Pytrees: leaves, mapping, and where None takes leaves away."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    NONE,
    STATIC,
    UNKNOWN,
    Arguments,
    Array,
    Atom,
    DictCell,
    FunctionValue,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    ListCell,
    Object,
    Partial,
    Qualified,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    is_none,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.pytrees import TreeCall
from jaxlint.analysis.jax import leaf_types, replicas, tree_structures
from jaxlint.analysis.jax.shared_keys import SharedKeys
from jaxlint.analysis.machine.run_facts import FlattenedTrees
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.python import complex_steps, functions, iteration, truth
from jaxlint.analysis.typestate import donated_uses
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

Handler = Callable[["Interpreter", str, Arguments, "ir.Expr"], Value]
#: Whether a container is taken for a leaf: what `is_leaf` says; None where it does not surely say either.
IsLeaf = Callable[[Atom], "bool | None"]


def leaves(it: Interpreter, tree: Value, depth: int = 0, is_leaf: IsLeaf | None = None) -> list[Value]:
    """The leaves of a tree in JAX's order, as far as its structure is known; None is none."""
    if depth > MAX_NESTING:
        return [UNKNOWN]
    if isinstance(tree, Union):
        return [leaf for atom in tree.atoms for leaf in leaves(it, atom, depth + 1, is_leaf)]
    parts = children(it, tree)
    if parts is None:
        if is_leaf is not None and isinstance(tree, Leaves) and is_leaf(tree) is not False:
            return [tree]  # a container in it may be one
        return [] if is_none(tree) else [_as_leaf(it, tree)]
    if is_leaf is not None and is_leaf(tree) is True:
        return [tree]
    return [leaf for _, part in parts for leaf in leaves(it, part, depth + 1, is_leaf)]


def leaf_test(it: Interpreter, arguments: Arguments, node: ir.Expr) -> IsLeaf | None:
    """The `is_leaf` of a call, asked of containers and of trees of unknown structure."""
    function = arguments.keywords.get("is_leaf")
    if function is None or is_none(function):
        return None
    return lambda part: truth.outcome_of(it, functions.call_value(it, function, node, [part]))


def _as_leaf(it: Interpreter, atom: Atom) -> Value:
    """A tree of unknown structure stands for any of its leaves."""
    if isinstance(atom, Leaves):
        return Array(atom.level, None, None, False, atom.origin, it.ident(-1))
    if isinstance(atom, Iterable):
        return atom.element
    return atom


def children(it: Interpreter, tree: Atom) -> list[tuple[Any, Value]] | None:
    """The parts of a container with their paths, in JAX's order; None for a leaf."""
    if isinstance(tree, Tuple):
        return list(enumerate(tree.elements))
    if not isinstance(tree, Object):
        return None
    match it.cell(tree):
        case ListCell(elements=elements, element=element):
            return list(enumerate(elements)) if elements is not None else [("*", element)]
        case DictCell(items=items, rest=rest):
            known = [(key, items[key]) for key in sorted(items, key=str)]
            return known if rest is None else [*known, ("*", rest)]
        case InstanceCell(cls=cls, attributes=attributes) if cls.kind == "pytree":
            static = class_fields.statics(cls)
            return [(name, value) for name, value in attributes.items() if name not in static]
        case _:
            return None


def none_paths(it: Interpreter, tree: Value, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where a tree surely holds None."""
    if isinstance(tree, Union) or len(path) > MAX_NESTING:
        return []
    if is_none(tree):
        return [path]
    parts = children(it, tree)
    return [] if parts is None else [p for key, part in parts for p in none_paths(it, part, (*path, key))]


def clashing_paths(it: Interpreter, trees: list[Value], *, rest_may: bool = False) -> tuple[tuple[Any, ...], ...]:
    """For each tree, where it surely holds None while another one surely holds something else.

    `rest_may`: None in a tree behind the first is handed to the function, which expects it; but not in the place of a
    container, whose leaves the function is called with.
    """
    found = []
    for number, tree in enumerate(trees):
        held = none_paths(it, tree)
        if number and rest_may:
            found.append(tuple(path for path in held if _holds_container(it, trees[0], path)))
        else:
            others = [other for other in trees if other is not tree]
            found.append(tuple(path for path in held if any(_holds_leaf(it, other, path) for other in others)))
    return tuple(found)


def _holds_leaf(it: Interpreter, tree: Value, path: tuple[Any, ...]) -> bool:
    held = _at_path(it, tree, path)
    return held is not None and not isinstance(held, Union | Unknown | Leaves) and not is_none(held)


def _holds_container(it: Interpreter, tree: Value, path: tuple[Any, ...]) -> bool:
    """Whether a tree surely holds a container at a path, with something in it."""
    held = _at_path(it, tree, path)
    return held is not None and not isinstance(held, Union) and bool(children(it, held))


def _at_path(it: Interpreter, tree: Value, path: tuple[Any, ...]) -> Value | None:
    for key in path:
        parts = None if isinstance(tree, Union) else children(it, tree)
        inner = next((part for name, part in parts or () if name == key), None)
        if inner is None:
            return None
        tree = inner
    return tree


def mapped(
    it: Interpreter, tree: Value, leaf: Callable[[], Value], depth: int = 0, is_leaf: IsLeaf | None = None
) -> Value:
    """The same structure with other leaves."""
    if depth > MAX_NESTING:
        return UNKNOWN
    if is_leaf is not None and isinstance(tree, Tuple | Object) and is_leaf(tree) is True:
        return leaf()
    match tree:
        case Union():
            return join_all([mapped(it, atom, leaf, depth + 1, is_leaf) for atom in tree.atoms])
        case Tuple():
            parts = tuple(mapped(it, part, leaf, depth + 1, is_leaf) for part in tree.elements)
            return Tuple(parts, tree.names, tree.cls)
        case Object():
            return _mapped_object(it, tree, partial(mapped, it, leaf=leaf, depth=depth + 1, is_leaf=is_leaf), leaf)
        case Iterable(kind="tuple" | "sequence"):
            return Iterable(tree.kind, mapped(it, tree.element, leaf, depth + 1, is_leaf))
        case _:
            return NONE if is_none(tree) else _mapped_leaf(it, tree, leaf)


def _mapped_object(it: Interpreter, tree: Object, below: Callable[[Value], Value], leaf: Callable[[], Value]) -> Value:
    cell = it.cell(tree)
    match cell:
        case ListCell():
            parts = None if cell.elements is None else tuple(map(below, cell.elements))
            element = below(cell.element) if parts is None else join_all(parts)
            return it.allocate(ListCell(it.birth(cell.birth.at), parts, element))
        case DictCell():
            items = {key: below(part) for key, part in cell.items.items()}
            rest = None if cell.rest is None else below(cell.rest)
            return it.allocate(DictCell(it.birth(cell.birth.at), items, rest))
        case InstanceCell() if cell.cls.kind == "pytree":
            attributes = class_fields.rebuilt(cell, below)
            return it.allocate(InstanceCell(cell.birth, cell.cls, attributes, cell.open, cell.label, None))
        case _:
            return _mapped_leaf(it, tree, leaf)


def _mapped_leaf(it: Interpreter, tree: Atom, leaf: Callable[[], Value]) -> Value:
    value = leaf()
    return _tree_like(it, value) if isinstance(tree, Leaves | Unknown) else value


def _tree_like(it: Interpreter, value: Value) -> Value:
    """A tree of unknown structure with such leaves: some of one kind, some of another, where there are several."""
    if isinstance(value, Union):
        return join_all([_tree_like(it, atom) for atom in value.atoms if not is_none(atom)])
    if isinstance(value, Array):
        return Leaves(value.level, value.origin, it.ident(-1))
    return _tree_of(it, value) if _is_container(it, value) else value


def _is_container(it: Interpreter, value: Value) -> bool:
    return isinstance(value, Tuple | Iterable) or (isinstance(value, Object) and isinstance(it.cell(value), CONTAINERS))


def _tree_of(it: Interpreter, part: Value) -> Value:
    """A tree of unknown structure that holds such a container where another one has a leaf."""
    inner = leaves(it, part)
    highest = max((leaf for leaf in inner if isinstance(leaf, Array)), key=lambda leaf: leaf.level, default=None)
    if highest is None or not all(isinstance(leaf, Array) for leaf in inner):
        return it.unknown("a tree of containers", -1)
    return Leaves(highest.level, highest.origin, it.ident(-1))


def _tree_map(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`tree.map(f, tree, *rest)`: f sees a leaf of each; where it is interpreted, it runs under the caller's trace."""
    function = arguments.get(0, "f")
    trees = [*arguments.positional[1:]]
    if "tree" in arguments.keywords:
        trees.insert(0, arguments.keywords["tree"])
    tell(it, name, trees, arguments, node, function)
    if len(trees) > 1:
        replicas.updated(it, trees, node)
    spread = None if arguments.spread is None else join_all([arguments.spread, *arguments.tail])
    flat = trees[0] if trees else spread
    if function is None or flat is None:
        return it.unknown(f"call of `{name}`", node.at)
    meaning = it.api.meaning(name)
    paths = [Iterable("tuple", STATIC)] if meaning is not None and meaning.first == "path" else []
    more = None if spread is None else join_all(leaves(it, spread) or [UNKNOWN])

    def of(given: list[Value]) -> Value:
        values = [*paths, *given]
        unknown_many = Arguments(values, positional_at=[-1] * len(values), extra=more is not None, spread=more)
        return it.call(function, unknown_many, node)

    is_leaf = leaf_test(it, arguments, node)
    if (
        is_leaf is None
        and len(trees) == 1
        and isinstance(flat, Tuple)
        and len(flat.elements) <= MAX_APART
        and _is_flat(flat)
    ):
        results = [mapped(it, part, partial(of, leaves(it, part)[:1])) for part in flat.elements]
        return Tuple(tuple(results), flat.names, flat.cls)
    if not trees:
        result = of([])
        return mapped(it, flat, lambda: iteration.refresh(it, result, iteration.picked(it)), is_leaf=is_leaf)
    pool = [leaves(it, tree, is_leaf=is_leaf) or [UNKNOWN] for tree in trees]
    is_apart = _is_of_keys(it, trees, pool) or _differ_in_rank(it, trees, pool) or _holds_gradients(it, pool)
    if is_apart:  # each is another one to the function
        result = join_all([of(list(row)) for row in zip(*pool)])
        made = mapped(it, flat, lambda: iteration.refresh(it, result, iteration.picked(it)), is_leaf=is_leaf)
        return tree_structures.note_shapes(it, made, result, node.at)
    given = [iteration.refresh(it, join_all(options), iteration.each(it, node.at)) for options in pool]
    if it.frame.state.donated:
        for tree, leaf in zip(trees, given):
            donated_uses.walk(it, tree, leaf)
    shared = SharedKeys(it)
    result = of(given)
    if len(pool[0]) > 1 or not is_exact(it, flat):
        shared.tell(given, name, node)
    made = mapped(it, flat, lambda: iteration.refresh(it, result, iteration.picked(it)), is_leaf=is_leaf)
    return tree_structures.note_shapes(it, made, result, node.at)


#: Leaves of a flat tuple, or of a tree of keys, that a function is called for one by one.
MAX_APART = 4


def _is_of_keys(it: Interpreter, trees: list[Value], pool: list[list[Value]]) -> bool:
    """Whether trees have few leaves, all of them known, and keys among them."""
    few = len({len(options) for options in pool}) == 1 and len(pool[0]) <= MAX_APART
    has_keys = few and any(isinstance(leaf, Key) for options in pool for leaf in options)
    return has_keys and all(is_exact(it, tree) for tree in trees)


def _holds_gradients(it: Interpreter, pool: list[list[Value]]) -> bool:
    """Whether there are few leaves in each tree, and one of them is a gradient by a complex array."""
    is_even = len({len(row) for row in pool}) == 1 and len(pool[0]) <= MAX_APART
    return is_even and any(complex_steps.gradient_of(it, leaf) is not None for row in pool for leaf in row)


def _differ_in_rank(it: Interpreter, trees: list[Value], pool: list[list[Value]]) -> bool:
    """Whether a tree has few leaves, all of them known, and arrays of several ranks among them."""
    if len(trees) != 1 or len(pool[0]) > MAX_APART or not is_exact(it, trees[0]):
        return False
    shapes = [leaf.shape for leaf in pool[0] if isinstance(leaf, Array)]
    return len(shapes) == len(pool[0]) and None not in shapes and len({len(shape or ()) for shape in shapes}) > 1


def _is_flat(value: Tuple) -> bool:
    return all(not isinstance(part, Tuple | Object | Union) for part in value.elements)


def _tree_leaves(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    tree = arguments.get(0, "tree")
    if tree is None:
        return it.unknown(f"call of `{name}`", node.at)
    tell(it, name, [tree], arguments, node)
    found = leaves(it, tree, is_leaf=leaf_test(it, arguments, node))
    exact = tuple(found) if is_exact(it, tree) else None
    element = join_all(found) if found else UNKNOWN
    result = it.allocate(ListCell(it.birth(node.at), exact, element))
    if "is_leaf" not in arguments.keywords:
        it.tables[FlattenedTrees].of_leaves[result.oid] = (tree, arguments.at(0, "tree"), name)
    return result


def tell_zip(it: Interpreter, arguments: Arguments, node: ir.Expr) -> None:
    """`zip(leaves(a), leaves(b))`: where one tree holds None and the other does not, what is paired shifts."""
    if not it.wants(TreeCall):
        return
    flattened = it.tables[FlattenedTrees].of_leaves
    known = [flattened.get(value.oid) for value in arguments.positional if isinstance(value, Object)]
    pairs = [entry for entry in known if entry is not None]
    if len(pairs) > 1:
        operands = tuple(Operand(tree, it.frame, at if at >= 0 else node.at) for tree, at, _ in pairs)
        paths = clashing_paths(it, [tree for tree, _, _ in pairs])
        it.emit(TreeCall(it.frame, node.at, pairs[0][2], operands, False, paths))


def is_exact(it: Interpreter, tree: Value, depth: int = 0) -> bool:
    """Whether the structure of a tree is known."""
    if isinstance(tree, Union | Unknown | Leaves | Iterable) or depth > MAX_NESTING:
        return False
    parts = children(it, tree)
    return parts is None or all(key != "*" and is_exact(it, part, depth + 1) for key, part in parts)


def _tree_flatten(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return Tuple((_tree_leaves(it, name, arguments, node), _tree_structure(it, name, arguments, node)))


def _tree_structure(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    structure = Static(type="treedef", ident=it.ident(node.at))
    tree = arguments.get(0, "tree")
    if tree is not None:
        it.tables[FlattenedTrees].of_structure[structure.ident] = (tree, arguments.at(0, "tree"))
    return structure


def differ(it: Interpreter, one: Static, other: Static) -> bool:
    """Whether two tree structures are surely not equal: None stands in one where the other has a leaf."""
    structures = it.tables[FlattenedTrees].of_structure
    trees = [structures.get(structure.ident) for structure in (one, other)]
    known = [tree[0] for tree in trees if tree is not None]
    return len(known) == 2 and any(clashing_paths(it, known))


def _tell_unflatten(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """`unflatten(structure(a), leaves(b))` where only one of the trees holds None."""
    structure, values = arguments.get(0, "treedef"), arguments.get(1, "leaves")
    flattened = it.tables[FlattenedTrees]
    first = flattened.of_structure.get(getattr(structure, "ident", None))
    second = flattened.of_leaves.get(values.oid) if isinstance(values, Object) else None
    if first is not None and second is not None and it.wants(TreeCall):
        operands = tuple(Operand(tree, it.frame, at if at >= 0 else node.at) for tree, at, *_ in (first, second))
        paths = clashing_paths(it, [first[0], second[0]])
        it.emit(TreeCall(it.frame, node.at, name, operands, False, paths))


def _tree_unflatten(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    values = arguments.get(1, "leaves")
    _tell_unflatten(it, name, arguments, node)
    if values is None:
        return it.unknown(f"call of `{name}`", node.at)
    element = iteration.iterable_over(it, values, node.at)
    if isinstance(element, Array):
        return Leaves(element.level, element.origin, it.ident(node.at))
    return it.unknown(f"call of `{name}`", node.at)


def tell(
    it: Interpreter, name: str, trees: list[Value], arguments: Arguments, node: ir.Expr, function: Value | None = None
) -> None:
    """Tell the rules where None stands in trees that are taken apart, `function` called with their leaves."""
    operands = tuple(Operand(tree, it.frame, _tree_at(arguments, i, len(trees), node)) for i, tree in enumerate(trees))
    for operand in operands:
        leaf_types.check_keys(it, operand, name)
        if function is not None:
            leaf_types.check_mapped(it, operand, function, name)
    has_is_leaf = "is_leaf" in arguments.keywords or arguments.extra
    if not has_is_leaf:
        tree_structures.tell(it, name, operands, node.at)
    if not it.wants(TreeCall):
        return
    paths = clashing_paths(it, trees, rest_may=_expects_none(function))
    local = isinstance(function, FunctionValue) and (function.function.is_lambda or function.closure is it.frame)
    tests_none = isinstance(function, FunctionValue) and local and _tests_none(function.function)
    lacks_container = any(_holds_container(it, trees[0], path) for later in paths[1:] for path in later)
    it.emit(TreeCall(it.frame, node.at, name, operands, has_is_leaf, paths, tests_none, lacks_container))


def _expects_none(function: Value | None) -> bool:
    """Whether the mapped function may be meant to see None: any of the project, but one that only calculates."""
    while isinstance(function, Partial):
        function = function.function
    if isinstance(function, FunctionValue):
        parts = list(walks.nodes(function.function.body))
        asks = not function.function.is_lambda and any(map(_may_ask, parts))
        return asks or any(map(_mentions_none, parts))
    return not isinstance(function, Qualified)


def _may_ask(node: Any) -> bool:
    """Whether a part of a function may treat None in its own way: a test, or a call of something by a plain name."""
    is_call = isinstance(node, ir.Call) and not isinstance(node.func, ir.Attribute)
    return is_call or isinstance(node, ir.If | ir.Conditional | ir.BooleanOperation | ir.Try | ir.Match)


def _tree_at(arguments: Arguments, number: int, count: int, node: ir.Expr) -> int:
    """The node of the number-th tree: trees are the last positional arguments."""
    place = len(arguments.positional_at) - count + number
    at = arguments.positional_at[place] if 0 <= place < len(arguments.positional_at) else -1
    return at if at >= 0 else node.at


def _tests_none(function: ir.Function) -> bool:
    """Whether a leaf function gives something of its own for None, so that it counts on seeing it."""
    names = {parameter.name for parameter in function.parameters[:1]}  # None in another tree does arrive
    return any(_replaces_none(node, names) for node in walks.nodes(function.body))


def _replaces_none(node: Any, names: set[str]) -> bool:
    """`y if x is None else f(x)`, where y is neither None nor x: JAX would leave None as it is."""
    match node:
        case ir.Return(value=ir.Comparison() as test):
            return _none_test(test) in names
        case ir.Conditional(test=ir.Comparison() as test):
            name = _none_test(test)
            outcome = node.body if test.rest[0][0] == "is" else node.orelse
        case ir.If(test=ir.Comparison() as test):
            name = _none_test(test)
            branch = node.body if test.rest[0][0] == "is" else node.orelse
            last = branch[-1] if branch else None
            if not isinstance(last, ir.Return) or last.value is None:
                return False
            outcome = last.value
        case _:
            return False
    harmless = (isinstance(outcome, ir.Constant) and outcome.value is None) or (
        isinstance(outcome, ir.Name) and outcome.id == name
    )
    return name in names and not harmless


def _mentions_none(node: Any) -> bool:
    return isinstance(node, ir.Comparison) and bool(_none_test(node))


def _none_test(test: ir.Comparison) -> str:
    """The name that `x is None` or `x is not None` tests; empty for other comparisons."""
    match test:
        case ir.Comparison(left=ir.Name(id=name), rest=((("is" | "is not"), ir.Constant(value=None)),)):
            return name
        case _:
            return ""


SPECIAL: dict[str, Handler] = {
    "tree_map": _tree_map,
    "tree_leaves": _tree_leaves,
    "tree_flatten": _tree_flatten,
    "tree_structure": _tree_structure,
    "tree_unflatten": _tree_unflatten,
}
