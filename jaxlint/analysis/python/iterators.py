"""Calls that make containers and iterators, or take from them: range(), zip(), list(), next(), itertools."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.lattice import join, join_all
from jaxlint.analysis.domain.values import (
    NONE,
    STATIC,
    STATIC_INT,
    UNKNOWN,
    Arguments,
    Array,
    DictCell,
    Iterable,
    Key,
    Leaves,
    ListCell,
    Object,
    SetCell,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    constant,
    is_traced,
)
from jaxlint.analysis.events.effects import IteratorUse
from jaxlint.analysis.events.event import Operand, has_no_hash
from jaxlint.analysis.events.tracing import Hashed, IntegerNeeded
from jaxlint.analysis.machine.run_facts import OrderedMappings
from jaxlint.analysis.python import iteration, special_methods, stale_reads, truth
from jaxlint.analysis.typestate import key_arrays, static_numbers
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler


def _range(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    for position, value in enumerate(arguments.positional):
        if is_traced(value):
            it.decide("traced", node.at)
            made = static_numbers.needed(it, value)
            if it.wants(IntegerNeeded):
                operand = Operand.argument(arguments, position, it.frame, node.at)
                it.emit(IntegerNeeded(it.frame, node.at, operand, "range", made=made))
            break
    else:
        if it.frame.trace is not None:
            unknown = next((v for v in arguments.positional if isinstance(v, Unknown)), None)
            if unknown is None:
                it.decide("static", node.at)
            else:
                it.undecided(unknown, node.at)
    only = len(arguments.positional) == 1
    length = arguments.positional[0] if only else None
    return Iterable("range", STATIC_INT, length=length)


def _len(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = arguments.first
    stale_reads.note_count(it, value, node.at)
    own = special_methods.call(it, value, ("__len__",), node)
    if own is not None:
        return own if isinstance(own, Static) else STATIC_INT
    if isinstance(value, Static) and value.known and isinstance(value.value, str | bytes):
        return constant(len(value.value))
    exact = iteration.exact_elements(it, value)
    if exact is not None and not it.frame.flow.loops:
        return constant(len(exact))
    if isinstance(value, Array | Key) and value.shape and isinstance(value.shape[0], int):
        return constant(value.shape[0])
    return Static(type="int", ident=key_arrays.count(it, value)) if isinstance(value, Key) else STATIC_INT


def _enumerate(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = arguments.first
    stale_reads.note_contents(it, value, node.at)
    exact = iteration.exact_elements(it, value)
    if exact is not None and len(exact) <= iteration.MAX_EXACT:
        return Tuple(tuple(Tuple((constant(i), element)) for i, element in enumerate(exact)))
    return Iterable("enumerate", Tuple((STATIC_INT, iteration.iterable_over(it, value, node.at))))


def _zip(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    it.library.tell_zip(it, arguments, node)
    transposed = _transposed(it, arguments, node)
    if transposed is not None:
        return transposed
    for value in arguments.positional:
        stale_reads.note_contents(it, value, node.at)
    rows = _exact_rows(it, arguments.positional)
    if rows is not None:
        return Tuple(tuple(map(Tuple, rows)))
    row = tuple(iteration.iterable_over(it, value, node.at) for value in arguments.positional)
    return Iterable("zip", Tuple(row), once=True, birth=it.birth(node.at))


def _transposed(it: Interpreter, arguments: Arguments, node: ir.Expr) -> Value | None:
    """`zip(*rows)`: as many columns as each row has parts."""
    row = arguments.spread
    if not isinstance(row, Tuple) or arguments.positional or arguments.tail:
        return None
    return Tuple(tuple(Iterable("tuple", part, ident=it.ident(node.at)) for part in row.elements))


def _map(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if not arguments.positional:
        return UNKNOWN
    function, *iterables = arguments.positional

    def result(given: Sequence[Value]) -> Value:
        return it.call(function, Arguments(list(given), positional_at=[-1] * len(given)), node)

    rows = _exact_rows(it, iterables)
    if rows:
        return Tuple(tuple(map(result, rows)))
    results = [result([iteration.met(it, value, node.at, number) for value in iterables]) for number in range(2)]
    return Iterable("map", join_all(results), once=True, birth=it.birth(node.at))


def _safe_map(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """JAX's own `map` is a list."""
    return _listed(it, _map(it, name, arguments, node), node)


def _safe_zip(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """JAX's own `zip` is a list of rows."""
    return _listed(it, _zip(it, name, arguments, node), node)


def _listed(it: Interpreter, given: Value, node: ir.Expr) -> Value:
    """A list of what an iterator, or the elements that are known, would give."""
    elements = given.elements if isinstance(given, Tuple) else None
    if elements is None and not isinstance(given, Iterable):
        return given
    element = join_all(elements) if elements else given.element if isinstance(given, Iterable) else UNKNOWN
    return it.allocate(ListCell(it.birth(node.at), elements, element))


def _exact_rows(it: Interpreter, iterables: Sequence[Value]) -> list[tuple[Value, ...]] | None:
    """What `zip` makes of iterables, where all elements of each are known, and few."""
    columns = [iteration.exact_elements(it, value) for value in iterables]
    known = [column for column in columns if column is not None]
    if known and len(known) == len(columns) and min(map(len, known)) <= iteration.MAX_EXACT:
        return list(zip(*known))
    return None


def _filter(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    element = iteration.iterable_over(it, arguments.positional[1], node.at)
    result = it.call(arguments.positional[0], Arguments([element], positional_at=[-1]), node)
    truth.need_truth(it, result, node, "filter")
    return Iterable("filter", element, once=True, birth=it.birth(node.at))


def _list(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """list, tuple, set, frozenset of something iterable."""
    kind = name.rpartition(".")[2].removeprefix("User").lower()
    birth = it.birth(node.at)
    if not arguments.positional:
        if kind == "list":
            return it.allocate(ListCell(birth, (), UNKNOWN))
        return Tuple(()) if kind == "tuple" else it.allocate(SetCell(birth, UNKNOWN))
    value = iteration.walked(it, arguments.first, node, kind)
    exact = iteration.exact_elements(it, value)
    element = join_all(exact) if exact else iteration.element(it, value, node.at)
    if kind == "tuple":
        return Tuple(exact) if exact is not None else Iterable("tuple", element, ident=it.ident(node.at))
    if kind == "list":
        return it.allocate(ListCell(birth, exact, element))
    if has_no_hash(element) and it.wants(Hashed) and not isinstance(value, Leaves):
        it.emit(Hashed(it.frame, node.at, Operand(element, it.frame, node.at), "set member"))
    if kind == "frozenset":
        return Iterable("frozenset", element)
    return it.allocate(SetCell(birth, element))


def _dict(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    items: dict[Any, Value] = {**arguments.keywords}
    rest: Value | None = UNKNOWN if arguments.extra else None
    if arguments.positional:
        value = special_methods.container(it, arguments.first, node.at)
        cell = it.cell(value) if isinstance(value, Object) else None
        pairs = iteration.exact_elements(it, value)
        if isinstance(cell, DictCell):
            items, rest = {**cell.items, **items}, cell.rest
        elif pairs is not None and all(map(_is_known_pair, pairs)):
            items = {**{p.elements[0].value: p.elements[1] for p in pairs}, **items}  # type: ignore[union-attr]
        else:
            pair = iteration.iterable_over(it, value, node.at)
            rest = pair.elements[1] if isinstance(pair, Tuple) and len(pair.elements) == 2 else UNKNOWN
    return it.allocate(DictCell(it.birth(node.at), items, rest))


def _is_known_pair(value: Value) -> bool:
    if not isinstance(value, Tuple) or len(value.elements) != 2:
        return False
    key = value.elements[0]
    return isinstance(key, Static) and isinstance(key.value, str | int | float | bool)


def _reversed(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    exact = iteration.exact_elements(it, arguments.first)
    if exact is not None:
        return Tuple(tuple(reversed(exact)))
    return Iterable("reversed", iteration.element(it, arguments.first, node.at))


def _iter(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = iteration.own_iterator(it, arguments.first, node)
    element = iteration.iterable_over(it, value, node.at)
    return Iterable("iterator", element, once=True, ident=it.ident(node.at), birth=it.birth(node.at))


def _next(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = arguments.first
    own = special_methods.call(it, value, ("__next__",), node)
    if own is not None:
        return own
    for atom in atoms_of(value):
        if isinstance(atom, Iterable) and atom.once and it.wants(IteratorUse):
            operand = Operand.argument(arguments, 0, it.frame, node.at)
            event = IteratorUse(it.frame, node.at, operand, "next", atom.birth)
            if atom is value and atom.kind == "counter":
                number = Static(type="int", ident=it.ident(node.at))
                it.facts.numbers[number.ident] = event
                return number
            it.emit(event)
    return iteration.element(it, value, node.at, iteration.picked(it))


def _count(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """itertools.count: numbers to tell things apart, while tracing too; what is computed with them is told."""
    return Iterable("counter", STATIC_INT, once=True, ident=it.ident(node.at), birth=it.birth(node.at))


def _chain(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """itertools: an iterator over what it is given."""
    if name.endswith(("repeat", "islice")):
        _need_counts(it, arguments, node)
    if name == "itertools.chain" and (exact := _concatenated(it, arguments.positional)) is not None:
        return Tuple(exact)
    elements = [iteration.iterable_over(it, v, node.at) for v in arguments.positional if not isinstance(v, Static)]
    element: Value = join_all(elements) if elements else STATIC
    if name.endswith(("product", "permutations", "combinations", "zip_longest", "pairwise")):
        element = Iterable("tuple", element)
    return Iterable("iterator", element, once=True, ident=it.ident(node.at), birth=it.birth(node.at))


def _chain_from_iterable(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    parts = iteration.exact_elements(it, arguments.first)
    if parts is not None and (exact := _concatenated(it, parts)) is not None:
        return Tuple(exact)
    part = iteration.iterable_over(it, arguments.first, node.at)
    element = iteration.iterable_over(it, part, node.at)
    return Iterable("iterator", element, once=True, ident=it.ident(node.at), birth=it.birth(node.at))


def _concatenated(it: Interpreter, iterables: Sequence[Value]) -> tuple[Value, ...] | None:
    """All elements of iterables one behind the other, where they are known, and few."""
    exact: tuple[Value, ...] = ()
    for value in iterables:
        more = iteration.exact_elements(it, value)
        if more is None or len(exact) + len(more) > iteration.MAX_EXACT:
            return None
        exact += more
    return exact


def _need_counts(it: Interpreter, arguments: Arguments, node: ir.Expr) -> None:
    """`repeat(x, n)` and `islice(xs, n)` count to what comes behind their first argument."""
    for position, value in enumerate(arguments.positional):
        if position > 0 and is_traced(value) and it.wants(IntegerNeeded):
            operand = Operand.argument(arguments, position, it.frame, node.at)
            it.emit(IntegerNeeded(it.frame, node.at, operand, "repeat"))
            return


def _slice(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if any(map(is_traced, arguments.positional)):
        return Iterable("slice", join_all(arguments.positional))
    return Static(type="slice")


def _bytearray(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return Static(type="bytearray")


def _deque(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    exact = iteration.exact_elements(it, arguments.first) if arguments.positional else ()
    if not exact and exact is not None:
        return it.allocate(ListCell(it.birth(node.at), (), UNKNOWN))
    exact = exact if len(arguments.all()) == 1 else None
    element = join_all(exact) if exact else iteration.iterable_over(it, arguments.first, node.at)
    return it.allocate(ListCell(it.birth(node.at), exact, element))


def _queue(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A queue, of which nothing is known but that it holds what is put into it: other threads may take that out."""
    return it.allocate(ListCell(it.birth(node.at), None, UNKNOWN))


def _ordered(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """OrderedDict: a dict in whose order JAX keeps leaves."""
    it.tables[OrderedMappings].made_at.add((it.frame.path, node.at))
    return _dict(it, name, arguments, node)


def _with_default(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """defaultdict: a dict with values that its factory makes."""
    made = arguments.first if not arguments.positional else it.call(arguments.first, Arguments(), node)
    return _and_others(it, _dict(it, name, arguments.after(1), node), made)


def _counter(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Counter: a dict that is zero elsewhere, of a mapping or of what is counted."""
    given = arguments.first
    is_mapping = isinstance(given, Object) and isinstance(it.cell(given), DictCell)
    counted = arguments if is_mapping or not arguments.positional else Arguments([], arguments.keywords)
    return _and_others(it, _dict(it, name, counted, node), STATIC_INT)


def _and_others(it: Interpreter, mapping: Value, made: Value) -> Value:
    """A dict that has values under all other keys, too."""
    cell = it.cell(mapping) if isinstance(mapping, Object) else None
    if isinstance(mapping, Object) and isinstance(cell, DictCell):
        it.update(mapping, DictCell(cell.birth, cell.items, made if cell.rest is None else join(cell.rest, made)))
    return mapping


def _from_keys(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`dict.fromkeys(keys, value)`."""
    value = arguments.get(1, None) or NONE
    exact = iteration.exact_elements(it, arguments.first) or ()
    keys = [key.value for key in exact if isinstance(key, Static) and isinstance(key.value, str | int | float | bool)]
    is_known = bool(exact) and len(keys) == len(exact)
    items = dict.fromkeys(keys, value) if is_known else {}
    return it.allocate(DictCell(it.birth(node.at), items, None if is_known else value))


def _read_only(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A view of a mapping, which takes no items."""
    return arguments.first


#: Iterators over what others give.
_CHAINED = tuple(
    f"itertools.{name}" for name in (
        "chain", "cycle", "product", "permutations", "combinations", "islice", "accumulate",
        "zip_longest", "pairwise", "starmap", "takewhile", "dropwhile", "groupby", "batched",
    )
)  # fmt: skip


def _walking(handler: Handler, first: int = 0) -> Handler:
    """The handler of a function that walks over its arguments, from the first of these on: objects give their own."""

    def handle(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        given = arguments.positional
        own = [v if n < first else iteration.own_iterator(it, v, node) for n, v in enumerate(given)]
        is_same = all(map(operator.is_, own, given))
        return handler(it, name, arguments if is_same else replace(arguments, positional=own), node)

    return handle


SPECIAL: dict[str, Handler] = {
    **dict.fromkeys((f"builtins.{n}" for n in ("list", "tuple", "set", "frozenset")), _list),
    **dict.fromkeys(_CHAINED, _walking(_chain)),
    "itertools.repeat": _chain,
    "itertools.chain.from_iterable": _walking(_chain_from_iterable),
    "itertools.count": _count,
    "builtins.range": _range,
    "builtins.len": _len,
    "builtins.enumerate": _walking(_enumerate),
    "builtins.zip": _walking(_zip),
    "builtins.map": _walking(_map, first=1),
    "safe_map": _safe_map,
    "safe_zip": _safe_zip,
    "builtins.filter": _walking(_filter, first=1),
    "builtins.dict": _dict,
    "builtins.reversed": _reversed,
    "builtins.iter": _iter,
    "builtins.next": _next,
    "builtins.slice": _slice,
    "builtins.bytearray": _bytearray,
    **dict.fromkeys((f"queue.{n}" for n in ("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue")), _queue),
    "collections.deque": _deque,
    "collections.OrderedDict": _ordered,
    "collections.defaultdict": _with_default,
    "collections.Counter": _counter,
    "builtins.dict.fromkeys": _from_keys,
    "collections.OrderedDict.fromkeys": _from_keys,
    "collections.UserDict": _dict,
    "collections.UserList": _list,
    "types.MappingProxyType": _read_only,
}
