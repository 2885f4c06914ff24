"""Calls of builtins and of the standard library that need more than a table: iteration, conversion, functools."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis import arithmetic, attributes, calls, classes, iteration, observe, stores, trees, truth
from jaxlint.analysis.events.effects import CachedFunction, IteratorUse
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import Branch, Conversion, Hashed, IntegerNeeded
from jaxlint.analysis.findings import Place
from jaxlint.analysis.lattice import join, join_all
from jaxlint.analysis.lifting import at_level
from jaxlint.analysis.values import (
    FALSE,
    NONE,
    STATIC,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    TRUE,
    UNKNOWN,
    Arguments,
    Array,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Object,
    Origin,
    Partial,
    Qualified,
    Ref,
    SetCell,
    Static,
    Super,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    constant,
    has_no_value,
    level_of,
)
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.interpreter import Interpreter

Handler = Callable[["Interpreter", str, Arguments, ir.Expr], Value]


def _first(arguments: Arguments) -> Value:
    return arguments.positional[0] if arguments.positional else UNKNOWN


def _operand(it: Interpreter, arguments: Arguments, position: int, node: ir.Expr) -> Operand:
    at = arguments.positional_at[position] if position < len(arguments.positional_at) else -1
    return Operand(arguments.positional[position], it.frame, at if at >= 0 else node.at)


def _is_traced(value: Value) -> bool:
    return any(has_no_value(atom) for atom in atoms_of(value))


# --- numbers


def _conversion(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """float(x), int(x), bool(x), complex(x)."""
    kind = name.rpartition(".")[2]
    value = _first(arguments)
    lifted = [atom for atom in atoms_of(value) if (level_of(atom) or Level.HOST) >= Level.GRAD]
    if lifted:
        it.decide("traced", node.at)
        row = it.api.numpy(name)
        raises = row is None or any(row.jit if has_no_value(a) else row.grad != "works" for a in lifted)
        if raises and it.wants(Conversion):
            it.emit(Conversion(it.frame, node.at, _operand(it, arguments, 0, node), kind, row))
        return Static(type=kind)
    if it.frame.trace is not None:
        if isinstance(value, Unknown):
            it.undecided(value, node.at)
        else:
            it.decide("static", node.at)
    if isinstance(value, Static) and value.known and isinstance(value.value, int | float) and kind in ("int", "float"):
        try:
            return constant(int(value.value) if kind == "int" else float(value.value))
        except (ValueError, OverflowError):
            return Static(type=kind)
    return Static(type=kind)


def _through(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """abs(x), round(x), divmod, pow: arrays stay arrays."""
    value = _first(arguments)
    if any(level_of(atom) is not None for argument in arguments.all() for atom in atoms_of(argument)):
        other = arguments.positional[1] if len(arguments.positional) > 1 else Static(1, "int")
        result = arithmetic.binary(it, "+", value, other, node)
        return Tuple((result, result)) if name.endswith("divmod") else result
    return Unknown(None, value.reason) if isinstance(value, Unknown) else Static(type=getattr(value, "type", None))


def _extreme(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """min, max, sorted: elements are compared with each other, and the outcome is tested."""
    short = name.rpartition(".")[2]
    if len(arguments.positional) > 1:
        values = list(arguments.positional)
    else:
        values = list(_elements(it, _first(arguments), node))
    key = arguments.keywords.get("key")
    if key is not None and values:
        values = [calls.dispatch(it, key, Arguments([values[0]], positional_at=[-1]), node)] * 2
    if values and any(map(_is_traced, values)):
        compared = arithmetic.binary(it, "<", values[0], values[-1] if len(values) > 1 else values[0], node)
        tree = isinstance(_first(arguments), Leaves) and short == "sorted"  # a dict of arrays is sorted by its keys
        if (len(arguments.positional) > 1 or not tree) and len(values) > 1:
            it.emit(Branch(it.frame, node.at, Operand(_traced_of(values, compared), it.frame, node.at), short))
    if short == "sorted":
        return it.allocate(ListCell(it.birth(node.at), None, join_all(values)))
    return join_all(values)


def _traced_of(values: list[Value], fallback: Value) -> Value:
    return next((value for value in values if _is_traced(value)), fallback)


def _elements(it: Interpreter, value: Value, node: ir.Expr) -> tuple[Value, ...]:
    exact = iteration.exact_elements(it, value)
    if exact is not None:
        return exact
    one = iteration.element(it, value, node.at)
    return (one, iteration.refresh(it, one))


def _quantifier(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """any, all: every element is tested."""
    value = _first(arguments)
    iteration.announce(it, value, node, name.rpartition(".")[2])
    for element in () if isinstance(value, Leaves) else _elements(it, value, node):
        if _is_traced(element):
            short = name.rpartition(".")[2]
            if it.wants(Branch):
                it.emit(Branch(it.frame, node.at, Operand(element, it.frame, node.at), short))
            break
    return STATIC_BOOL


def _sum(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = _first(arguments)
    iteration.announce(it, value, node, "sum")
    elements = _elements(it, value, node)
    result: Value = arguments.positional[1] if len(arguments.positional) > 1 else Static(0, "int")
    for element in elements[:2]:
        result = arithmetic.binary(it, "+", result, element, node)
    return result


def _bool_of(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if not arguments.positional:
        return FALSE
    value = _first(arguments)
    if any((level_of(atom) or Level.HOST) >= Level.GRAD for atom in atoms_of(value)):
        return _conversion(it, name, arguments, node)
    outcome = truth.outcome_of(it, value)
    return STATIC_BOOL if outcome is None else TRUE if outcome else FALSE


# --- iteration


def _range(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    for position, value in enumerate(arguments.positional):
        if any(has_no_value(atom) for atom in atoms_of(value)):
            it.decide("traced", node.at)
            if it.wants(IntegerNeeded):
                it.emit(IntegerNeeded(it.frame, node.at, _operand(it, arguments, position, node), "range"))
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
    value = _first(arguments)
    exact = iteration.exact_elements(it, value)
    if exact is not None and not it.frame.loops:
        return constant(len(exact))
    if isinstance(value, Array | Key) and value.shape and isinstance(value.shape[0], int):
        return constant(value.shape[0])
    return STATIC_INT


def _enumerate(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = _first(arguments)
    exact = iteration.exact_elements(it, value)
    if exact is not None and len(exact) <= iteration.MAX_EXACT:
        return Tuple(tuple(Tuple((constant(i), element)) for i, element in enumerate(exact)))
    return Iterable("enumerate", Tuple((STATIC_INT, iteration.iterable_over(it, value, node.at))))


def _zip(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    trees.tell_zip(it, arguments, node)
    columns = [iteration.exact_elements(it, value) for value in arguments.positional]
    known = [column for column in columns if column is not None]
    if columns and len(known) == len(columns) and min(map(len, known)) <= iteration.MAX_EXACT:
        return Tuple(tuple(Tuple(row) for row in zip(*known)))
    row = tuple(iteration.iterable_over(it, value, node.at) for value in arguments.positional)
    return Iterable("zip", Tuple(row), once=True, birth=it.birth(node.at))


def _map(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if not arguments.positional:
        return UNKNOWN
    results = []
    for _ in range(2):
        given = [iteration.refresh(it, iteration.iterable_over(it, v, node.at)) for v in arguments.positional[1:]]
        given_arguments = Arguments(given, positional_at=[-1] * len(given))
        results.append(calls.dispatch(it, arguments.positional[0], given_arguments, node))
    return Iterable("map", join_all(results), once=True, birth=it.birth(node.at))


def _filter(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    element = iteration.iterable_over(it, arguments.positional[1], node.at)
    result = calls.dispatch(it, arguments.positional[0], Arguments([element], positional_at=[-1]), node)
    truth.need_truth(it, result, node, "filter")
    return Iterable("filter", element, once=True, birth=it.birth(node.at))


def _list(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """list, tuple, set, frozenset of something iterable."""
    kind = name.rpartition(".")[2]
    birth = it.birth(node.at)
    if not arguments.positional:
        if kind == "list":
            return it.allocate(ListCell(birth, (), UNKNOWN))
        return Tuple(()) if kind == "tuple" else it.allocate(SetCell(birth, UNKNOWN))
    value = _first(arguments)
    iteration.announce(it, value, node, kind)
    exact = iteration.exact_elements(it, value)
    element = join_all(exact) if exact else iteration.element(it, value, node.at)
    if kind == "tuple":
        return Tuple(exact) if exact is not None else Iterable("tuple", element, ident=it.ident(node.at))
    if kind == "list":
        return it.allocate(ListCell(birth, exact, element))
    if _is_traced(element) and it.wants(Hashed) and not isinstance(value, Leaves):
        it.emit(Hashed(it.frame, node.at, Operand(element, it.frame, node.at), "set member"))
    if kind == "frozenset":
        return Iterable("frozenset", element)
    return it.allocate(SetCell(birth, element))


def _dict(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    items: dict[Any, Value] = {**arguments.keywords}
    rest: Value | None = UNKNOWN if arguments.extra else None
    if arguments.positional:
        value = _first(arguments)
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
    exact = iteration.exact_elements(it, _first(arguments))
    if exact is not None:
        return Tuple(tuple(reversed(exact)))
    return Iterable("reversed", iteration.element(it, _first(arguments), node.at))


def _iter(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = _first(arguments)
    element = iteration.iterable_over(it, value, node.at)
    return Iterable("iterator", element, once=True, ident=it.ident(node.at), birth=it.birth(node.at))


def _next(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = _first(arguments)
    for atom in atoms_of(value):
        if isinstance(atom, Iterable) and atom.once and it.wants(IteratorUse):
            operand = _operand(it, arguments, 0, node)
            it.emit(IteratorUse(it.frame, node.at, operand, "next", atom.birth))
    return iteration.element(it, value, node.at)


def _chain(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """itertools: an iterator over what it is given."""
    elements = [iteration.iterable_over(it, v, node.at) for v in arguments.positional if not isinstance(v, Static)]
    element: Value = join_all(elements) if elements else STATIC
    if name.endswith(("product", "permutations", "combinations", "zip_longest", "pairwise")):
        element = Iterable("tuple", element)
    return Iterable("iterator", element, once=True, ident=it.ident(node.at), birth=it.birth(node.at))


# --- text, identity, types


def _text(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    for position in range(len(arguments.positional)):
        how = name.rpartition(".")[2]
        operand = _operand(it, arguments, position, node)
        spec = how == "format" and len(arguments.positional) > 1
        observe.formatted(it, operand.value, ir.Constant(None, operand.at), how, spec)
    return STATIC_STR


def _hash(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if arguments.positional and _is_traced(_first(arguments)) and it.wants(Hashed):
        it.emit(Hashed(it.frame, node.at, _operand(it, arguments, 0, node), "hash()"))
    return STATIC_INT


def _isinstance(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return STATIC_BOOL


def _static(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return STATIC


def _none(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return NONE


def _getattr(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    key = arguments.get(1, None)
    if isinstance(key, Static) and isinstance(key.value, str):
        found = attributes.attribute(it, _first(arguments), key.value, node.at)
        return found if len(arguments.positional) < 3 else join(found, arguments.positional[2])
    return it.unknown("getattr", node.at)


def _super(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    for frame in it.frame.callers():
        if frame.cls is not None and frame.function is not None and frame.function.parameters:
            receiver = frame.state.env.get(frame.function.parameters[0].name)
            if receiver is not None:
                return Super(frame.cls, receiver)
    return it.unknown("super()", node.at)


def _type(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = _first(arguments)
    cell = it.cell(value) if isinstance(value, Object) else None
    return cell.cls if isinstance(cell, InstanceCell) else Static(type="type")


def _binding(kind: str) -> Handler:
    def bind(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        value = _first(arguments)
        return replace(value, binding=kind) if isinstance(value, FunctionValue) else value

    return bind


# --- functools, dataclasses, copy, typing


def _cached_property(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = _first(arguments)
    if isinstance(value, FunctionValue):
        it.caches[("cached property", value.module.path, value.function.index)] = node.at
        return replace(value, binding="property")
    return value


def _partial(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if not arguments.positional:
        return UNKNOWN
    inner = arguments.after(1)
    if arguments.extra:
        return it.unknown("a partial with spread arguments", node.at)
    return Partial(arguments.positional[0], tuple(inner.positional), inner.keywords)


def _wraps(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return Qualified("jaxlint.identity")


def _identity(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return _first(arguments)


def _identity_factory(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A decorator that gives back what it decorates, with or without options."""
    value = _first(arguments)
    return value if isinstance(value, FunctionValue | ClassValue) else Qualified("jaxlint.identity")


def _cache(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """functools.cache and lru_cache, with or without options: a function behind a cache."""
    value = _first(arguments)
    if isinstance(value, FunctionValue):
        return Partial(Qualified("jaxlint.cached"), (value, Static(node.at, "place")), {})
    return Qualified("functools.cache") if not isinstance(value, Unknown) or not arguments.positional else UNKNOWN


def _cached_call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    function, made_at = arguments.positional[:2]
    inner = arguments.after(2)
    operands = tuple(
        Operand(value, it.frame, at if at >= 0 else node.at) for value, at in zip(inner.positional, inner.positional_at)
    )
    if any(operand.traced for operand in operands):  # hashing them raises before the function runs
        result: Value = it.unknown("a cached function", node.at)
    else:
        result = calls.dispatch(it, function, inner, node)
    if it.wants(CachedFunction) and isinstance(function, FunctionValue) and isinstance(made_at, Static):
        place = Place(function.module.path, made_at.value)
        traced = any(_is_traced(part) for part in (result.elements if isinstance(result, Tuple) else (result,)))
        it.emit(CachedFunction(it.frame, node.at, function.function.name, operands, traced, place))
    return result


def _reduce(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if len(arguments.positional) < 2:
        return UNKNOWN
    element = iteration.iterable_over(it, arguments.positional[1], node.at)
    initial = arguments.positional[2] if len(arguments.positional) > 2 else element
    given = Arguments([initial, element], positional_at=[-1, -1])
    return calls.dispatch(it, arguments.positional[0], given, node)


def _replace(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """dataclasses.replace(x, **changes)."""
    value = _first(arguments)
    cell = it.cell(value) if isinstance(value, Object) else None
    if isinstance(cell, InstanceCell):
        attributes = {**cell.attributes, **arguments.keywords}
        return it.allocate(
            InstanceCell(it.birth(node.at), cell.cls, attributes, cell.open, cell.label, None, cell.level, cell.origin)
        )
    return it.unknown("dataclasses.replace", node.at)


def _copy(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = _first(arguments)
    cell = it.cell(value) if isinstance(value, Object) else None
    if cell is None:
        return value
    return it.allocate(replace(cell, birth=it.birth(node.at)))


def _cast(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return arguments.positional[1] if len(arguments.positional) > 1 else UNKNOWN


def _tree_partial(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return _partial(it, name, arguments, node)


def _slice(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if any(map(_is_traced, arguments.positional)):
        return Iterable("slice", join_all(arguments.positional))
    return Static(type="slice")


def _new_ref(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return Ref(it.frame.ambient)


def _collective(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`psum(1, axis)` of a Python number is a Python number: the axis size."""
    value = _first(arguments)
    if isinstance(value, Static) and value.type in ("int", "float"):
        return Static(type=value.type)
    return _collected(it, value, node)


def _collected(it: Interpreter, value: Value, node: ir.Expr) -> Value:
    level = it.frame.ambient
    trace = it.frame.trace
    origin = Origin(
        "operation", "result of a collective", it.frame.path, node.at, None if trace is None else trace.origin
    )
    return at_level(it, value, max(level, Level.MAPPED if trace is not None else level), origin)


def _deque(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    element = iteration.iterable_over(it, _first(arguments), node.at) if arguments.positional else UNKNOWN
    return it.allocate(ListCell(it.birth(node.at), None, element))


def _mapping(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """OrderedDict, Counter, defaultdict: dicts, the last with values that its factory makes."""
    if name.endswith("OrderedDict"):
        return _dict(it, name, arguments, node)
    made: Value = STATIC_INT
    if name.endswith("defaultdict") and arguments.positional:
        made = calls.dispatch(it, arguments.positional[0], Arguments(), node)
    return it.allocate(DictCell(it.birth(node.at), {}, made))


def _namespace(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """types.SimpleNamespace: an object with these attributes, which anybody may change."""
    nothing = ir.Scope(frozenset(), frozenset(), frozenset())
    plain = ir.Class("SimpleNamespace", "SimpleNamespace", (), (), (), (), nothing, -1, node.at)
    cls = ClassValue(plain, it.frame.module, {"__eq__": UNKNOWN}, ())
    return it.allocate(InstanceCell(it.birth(node.at), cls, dict(arguments.keywords), label="namespace"))


def _setattr(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if isinstance(node, ir.Call) and len(node.args) == 3 and isinstance(node.args[1], ir.Constant):
        target = ir.Attribute(node.args[0], str(node.args[1].value), node.at)
        stores.bind(it, target, arguments.positional[2], node.args[2])
    return NONE


#: Functions that make an object whose methods the tables list under its class.
_SEEDED = frozenset({"numpy.random.default_rng", "numpy.random.RandomState", "random.Random"})
_INSTANCES = {
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "random.Random": "random.Random",
    "logging.getLogger": "logging.Logger",
    "builtins.open": "io.TextIOWrapper",
    "pathlib.Path": "pathlib.Path",
}


def _library_instance(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """An object of a library class, known by the class's name: its methods are found in the tables."""
    if (
        it.frame.trace is not None
        and name in _SEEDED
        and arguments.positional
        and not isinstance(_first(arguments), Unknown)
    ):
        return Qualified("jaxlint.seeded")  # the same numbers each time, as meant
    return Qualified(_INSTANCES[name])


def _register(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return classes.register(it, name, arguments, node)


_CLASS_DECORATORS = (
    "dataclasses.dataclass", "flax.struct.dataclass", "chex.dataclass", "chex.mappable_dataclass",
    "jax.tree_util.register_pytree_with_keys_class", "jax.tree_util.register_static",
)  # fmt: skip
_IDENTITIES = (
    "abc.abstractmethod", "typing.final", "typing.override", "typing_extensions.override", "typing.overload",
    "typing.no_type_check", "typing.runtime_checkable", "beartype.beartype", "typeguard.typechecked",
    "flax.linen.compact", "flax.linen.nowrap", "haiku.transparent", "atexit.register", "jaxtyping.jaxtyped",
    "jax.named_scope", "jax.profiler.annotate_function", "functools.total_ordering", "enum.unique",
)  # fmt: skip
#: Iterators over what others give.
_CHAINED = tuple(
    f"itertools.{name}" for name in (
        "chain", "cycle", "repeat", "product", "permutations", "combinations", "islice", "count", "accumulate",
        "zip_longest", "pairwise", "starmap", "takewhile", "dropwhile", "groupby", "batched",
    )
)  # fmt: skip

SPECIAL: dict[str, Handler] = {
    **dict.fromkeys((f"builtins.{n}" for n in ("float", "int", "complex")), _conversion),
    **dict.fromkeys((f"builtins.{n}" for n in ("abs", "round", "divmod", "pow")), _through),
    **dict.fromkeys((f"builtins.{n}" for n in ("min", "max", "sorted")), _extreme),
    **dict.fromkeys((f"builtins.{n}" for n in ("any", "all")), _quantifier),
    **dict.fromkeys((f"builtins.{n}" for n in ("list", "tuple", "set", "frozenset")), _list),
    **dict.fromkeys((f"builtins.{n}" for n in ("str", "repr", "format", "ascii")), _text),
    **dict.fromkeys((f"builtins.{n}" for n in ("isinstance", "issubclass", "hasattr", "callable")), _isinstance),
    **dict.fromkeys((f"builtins.{n}" for n in ("id", "dir", "vars", "ord", "chr", "hex", "oct", "bin")), _static),
    **dict.fromkeys(_CHAINED, _chain),
    "builtins.bool": _bool_of,
    "builtins.sum": _sum,
    "builtins.range": _range,
    "builtins.len": _len,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.map": _map,
    "builtins.filter": _filter,
    "builtins.dict": _dict,
    "builtins.reversed": _reversed,
    "builtins.iter": _iter,
    "builtins.next": _next,
    "builtins.hash": _hash,
    "builtins.getattr": _getattr,
    "builtins.super": _super,
    "builtins.type": _type,
    **dict.fromkeys(("jax.new_ref", "jax.array_ref", "jax.experimental.mutable_array", "jax.empty_ref"), _new_ref),
    **dict.fromkeys(("jax.lax.psum", "jax.lax.pmax", "jax.lax.pmin"), _collective),
    "builtins.slice": _slice,
    "collections.deque": _deque,
    **dict.fromkeys((f"collections.{n}" for n in ("OrderedDict", "Counter", "defaultdict")), _mapping),
    "types.SimpleNamespace": _namespace,
    "builtins.setattr": _setattr,
    "builtins.property": _binding("property"),
    "functools.cached_property": _cached_property,
    "builtins.staticmethod": _binding("staticmethod"),
    "builtins.classmethod": _binding("classmethod"),
    "functools.partial": _partial,
    "jax.tree_util.Partial": _tree_partial,
    "functools.wraps": _wraps,
    "functools.update_wrapper": _identity,
    "functools.reduce": _reduce,
    "functools.lru_cache": _cache,
    "functools.cache": _cache,
    "jaxlint.cached": _cached_call,
    "jaxlint.identity": _identity,
    "dataclasses.replace": _replace,
    "copy.copy": _copy,
    "copy.deepcopy": _copy,
    "typing.cast": _cast,
    **dict.fromkeys(
        (f"jax.tree_util.register_{n}" for n in ("pytree_node", "pytree_with_keys", "dataclass", "pytree_node_class")),
        _register,
    ),
    **dict.fromkeys(_INSTANCES, _library_instance),
    **dict.fromkeys(_CLASS_DECORATORS, _identity_factory),
    **dict.fromkeys(_IDENTITIES, _identity_factory),
}
