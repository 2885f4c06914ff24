"""Functions of jax.random: the keys they make, and what they do with those they are given."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.idents import AttributeOf, Constant, Fresh, Index, Item, Part
from jaxlint.analysis.domain.state import WEIGHTED
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Iterable,
    Key,
    Level,
    Origin,
    Qualified,
    Shape,
    Static,
    Value,
    atoms_of,
    is_none,
    level_of,
    origin_of,
)
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.random import KeyMade, KeyMisuse, LegacyKey
from jaxlint.analysis.machine.path_conditions import is_first_time
from jaxlint.analysis.python import iteration
from jaxlint.analysis.typestate import constant_keys, key_arrays, keys, rng_streams
from jaxlint.syntax import ir, walks
from jaxlint.syntax.walks import target_names

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import RandomRow


def call(it: Interpreter, row: RandomRow, name: str, arguments: Arguments, node: ir.Expr) -> Value | None:
    """The value of a jax.random function, with what it does to its key; None where its result is an ordinary array."""
    position = row.params.positional.index(row.key) if row.key in row.params.positional else None
    key = None if row.key is None else arguments.get(position, row.key)
    at = arguments.at(position, row.key)
    level = _level(it, arguments)
    match row.role:
        case "creator":
            made = Key(it.ident(node.at), level, typed=it.api.has(name, "typed-key"))
            _made(it, name, arguments, node, made)
            if not made.typed and it.wants(LegacyKey):
                it.emit(LegacyKey(it.frame, node.at, name))
            return made
        case "splitter":
            count = arguments.get(1, "num")
            shape = (2,) if count is None else shapes.given_shape(count)
            keys.use(it, key, keys.Action("split", name, _split_count(it, count, shape)), node, at)
            held = None if _may_be_shape(count) else shape or (None,)
            subkeys = Key(it.ident(node.at), level, held, _origin(key), _is_typed(key))
            key_arrays.counted(it, subkeys, count)
            return subkeys
        case "folder":
            data = arguments.get(1, "data")
            if isinstance(data, Key):
                _used_as_number(it, data, name, arguments.at(1, "data"), node)
            elif data is not None and _may_be_fraction(data) and it.wants(KeyMisuse):
                operand = Operand(data, it.frame, arguments.at(1, "data"))
                it.emit(KeyMisuse(it.frame, node.at, operand, name, "fraction"))
            keys.use(it, key, keys.Action("fold", name, _data(it, data)), node, at)
            return Key(it.ident(node.at), level, origin=_origin(key), typed=_is_typed(key))
        case "cloner" | "wrapper":
            shape = None if row.role == "wrapper" or not isinstance(key, Key) else key.shape
            return Key(it.ident(node.at), level, shape, _origin(key))
        case "consumer" if row.consumes and _is_idle(it, row, arguments):
            rng_streams.hand_back(it, key)
            return None
        case "consumer" if row.consumes:
            keys.use(it, key, keys.Action("consume", name, _shuffled(it, row, arguments, node)), node, at)
            return None
        case _:
            return None


def _is_idle(it: Interpreter, row: RandomRow, arguments: Arguments) -> bool:
    """Whether what would draw is told to leave everything as it is: dropout at a rate of zero."""
    rate = arguments.get(1, row.params.positional[1]) if it.api.has(row.name, "idle-at-zero") else None
    return isinstance(rate, Static) and isinstance(rate.value, int | float) and not rate.value


def _may_be_fraction(data: Value | None) -> bool:
    """Whether what is folded in is a number of which the cast to an integer leaves little; Python's may be whole."""
    match data:
        case Array(dtype=str() as dtype):
            return "float" in dtype
        case Static(value=float() as number):
            return not number.is_integer()
        case _:
            return False


def rearranged(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Key | None:
    """What functions of arrays give for keys: the same ones in another shape, or several arrays in one."""
    value = arguments.first
    if isinstance(value, Key) and it.api.has(name, "keeps-keys"):
        return value
    if isinstance(value, Key) and it.api.has(name, "reshapes"):
        return reshaped(it, value, name.rpartition(".")[2])
    if value is None or not it.api.has(name, "gathers"):
        return None
    whole = iteration.exact_elements(it, value) or ()
    parts = [atom for part in whole for atom in atoms_of(part)]
    if not parts or not all(isinstance(part, Key) for part in parts):
        return None
    array = Key(it.ident(node.at), _level(it, arguments), None, _origin(parts[0]), _is_typed(parts[0]))
    in_order = len(arguments.positional) == 1 and not arguments.keywords and len(parts) == len(whole)
    stacks = name.rpartition(".")[2] == "stack" and in_order
    return key_arrays.gathered(it, array, tuple(p for p in parts if isinstance(p, Key))) if stacks else array


def reshaped(it: Interpreter, key: Key, how: str) -> Key:
    """An array of the same keys."""
    if how == "expand_dims" and key.shape == ():
        return key_arrays.alone(key)
    if how == "squeeze" and (same := key_arrays.only(key)) is not None:
        return same
    if how == "squeeze" and key.shape == (1,):
        return replace(key, ident=it.element_ident(key.ident, 0), shape=())
    return replace(key, ident=Part(key.ident, how), shape=None)


def _shuffled(it: Interpreter, row: RandomRow, arguments: Arguments, node: ir.Expr) -> Any:
    """The array whose rows are shuffled or picked; `WEIGHTED` by weights, None where it is but a number of rows.

    An array that is written out in the call lists what may come out: it is no data, whose rows stay with others.
    """
    if not it.api.has(row.name, "shuffles-rows"):
        return None
    if "p" in row.params.positional and (weights := arguments.get(row.params.positional.index("p"), "p")) is not None:
        return None if any(map(is_none, atoms_of(weights))) else WEIGHTED
    rows, at = arguments.get(1, row.params.positional[1]), arguments.at(1, row.params.positional[1])
    if rows is None or isinstance(rows, Static) or _is_written_out(it, walks.expression_at(node, at)):
        return None
    return _data(it, rows)


def _is_written_out(it: Interpreter, written: ir.Expr | None) -> bool:
    """Whether an expression is made of constants and functions of libraries alone."""
    names = [part.id for part in walks.nodes(written) if isinstance(part, ir.Name)]
    return written is not None and all(isinstance(it.peek(name), Qualified) for name in names)


def _origin(key: Value | None) -> Origin | None:
    """Keys are traced by what traces the key that they are made from."""
    return None if key is None else origin_of(key)


def _is_typed(key: Value | None) -> bool:
    return isinstance(key, Key) and key.typed


def _level(it: Interpreter, arguments: Arguments) -> Level:
    levels = [level_of(atom) or Level.HOST for value in arguments.all() for atom in atoms_of(value)]
    return max([it.frame.ambient, *levels])


def _split_count(it: Interpreter, count: Value | None, shape: Shape) -> Index:
    """How many keys a key is split into: a constant or the identity of the number."""
    if shape is not None and all(isinstance(dim, int) for dim in shape):
        return Constant(math.prod(dim for dim in shape if isinstance(dim, int)))
    return _data(it, count)


def _may_be_shape(count: Value | None) -> bool:
    """Whether what a key is split into is a shape of unknown length, as that of an array that nobody knows is."""
    if isinstance(count, Iterable):
        return True
    match getattr(count, "ident", None):
        case AttributeOf(name="shape"):
            return True
        case Item(base=AttributeOf(name="shape"), which=which):
            return not isinstance(which, int)
        case _:
            return False


def _data(it: Interpreter, value: Value | None) -> Index:
    """What a key is folded with: a constant or the identity of the data."""
    if isinstance(value, Static) and value.known:
        return Constant(value.value)
    ident = getattr(value, "ident", None)
    return Fresh(it.fresh()) if ident is None else ident


def _is_default(it: Interpreter, node: ir.Expr) -> bool:
    """`if key is None: key = jax.random.key(0)`: a caller may give another one."""
    function = it.frame.function
    if function is None:
        return False
    tested = frozenset[str]().union(*(condition.names for condition in it.frame.conditions))
    optional = tested & {parameter.name for parameter in function.parameters}
    stores = (part for part in walks.nodes(function.body) if isinstance(part, ir.Assign)) if optional else ()
    return any(node.at in walks.ordinals(part.value) and not optional.isdisjoint(names_of(part)) for part in stores)


def names_of(node: ir.Assign) -> Iterator[str]:
    """The names that an assignment binds."""
    for target in node.targets:
        yield from target_names(target)


def _made(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr, made: Key) -> None:
    """Remember a key made from a constant: what it is used for decides whether that is a mistake."""
    seed = arguments.get(0, "seed")
    if isinstance(seed, Key):
        _used_as_number(it, seed, name, arguments.at(0, "seed"), node)
    if seed is not None and _is_fixed(it, node, seed) and not _is_default(it, node):
        at = arguments.at(0, "seed")
        operand = Operand(seed, it.frame, at if at >= 0 else node.at)
        in_loop = bool(it.frame.all_iterations()) and not is_first_time(it)  # an object keeps it from then on
        event = KeyMade(it.frame, node.at, operand, name, in_loop)
        it.tables[constant_keys.ConstantKeys].made[made.ident] = event


def _is_fixed(it: Interpreter, node: ir.Expr, seed: Value) -> bool:
    """Whether the seed is a literal, a name of the module, or a setting that a loop passes to each call."""
    if not isinstance(node, ir.Call) or not node.args:
        return False
    given = node.args[0]
    is_of_module = isinstance(given, ir.Name) and given.id not in it.frame.state.env
    is_literal = isinstance(seed, Static) and seed.known and (isinstance(given, ir.Constant) or is_of_module)
    return is_literal or constant_keys.is_of_every_pass(it, given)


def tell_misuse(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """`int(key)`, `np.random.default_rng(key)`: a key is no number."""
    key = arguments.positional[0] if arguments.positional else None
    if isinstance(key, Key) and (name in ("builtins.int", "builtins.float") or it.api.has(name, "takes-seed")):
        _used_as_number(it, key, name, arguments.at(0, None), node)


def _used_as_number(it: Interpreter, key: Key, name: str, at: int, node: ir.Expr) -> None:
    """Tell the rule; of a number, the annotation of a word of a key says that it is a key as well."""
    if it.wants(KeyMisuse):
        doubt = key_arrays.is_of_unknown_rank(key)
        it.emit(KeyMisuse(it.frame, node.at, Operand(key, it.frame, at), name, "data", may_be_word=doubt))
