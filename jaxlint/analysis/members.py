"""Method calls on values that are no project objects: arrays, keys, containers, strings and unknown objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis import calls, frameworks, iteration, objects, observe, shapes, stores, transforms
from jaxlint.analysis.events.arrays import InPlaceCall
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import Conversion, DataDependentShape, Hashed, IntegerNeeded, ShapeArgument
from jaxlint.analysis.lattice import join, join_all
from jaxlint.analysis.values import (
    NONE,
    STATIC,
    STATIC_INT,
    STATIC_STR,
    UNKNOWN,
    Arguments,
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Made,
    Member,
    Object,
    Partial,
    SetCell,
    Static,
    Transformed,
    Tuple,
    Update,
    Value,
    atoms_of,
    has_no_value,
    level_of,
)
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.interpreter import Interpreter
    from jaxlint.jaxapi.rows import MemberRow


def call(it: Interpreter, callee: Member, arguments: Arguments, node: ir.Expr) -> Value:
    """`receiver.name(...)`; a receiver that is one of several values is asked atom by atom."""
    return join_all([_atom(it, atom, callee.name, arguments, node) for atom in atoms_of(callee.receiver)])


def _atom(it: Interpreter, receiver: Atom, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    match receiver:
        case Array() | Leaves():
            return _array(it, receiver, name, arguments, node)
        case Key():
            return _key(it, receiver, name, arguments, node)
        case Update():
            return _update(it, receiver, name, arguments, node)
        case Object():
            return _object(it, receiver, name, arguments, node)
        case Tuple():
            return _tuple(it, receiver, name, arguments, node)
        case Static(type="str"):
            return _string(it, receiver, name, arguments, node)
        case Transformed() | FunctionValue() | BoundMethod() | Partial():
            return _function(it, receiver, name, arguments, node)
        case Iterable():
            return _iterable(it, receiver, name, node)
        case Static():
            return STATIC
        case Made():
            return objects.call(it, receiver, name, arguments, node)
        case ClassValue():
            row = objects.inherited(it, receiver, name)
            return UNKNOWN if row is None else objects.call_row(it, row, receiver, arguments, node)
        case _:
            return calls.call_unknown(it, receiver, arguments, node)


# --- arrays


def _array(it: Interpreter, receiver: Array | Leaves, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    row = it.api.array_member(name)
    operand = _receiver(it, receiver, node)
    if receiver.level is Level.HOST:
        return _host_method(it, receiver, name, arguments, node, operand)
    if isinstance(receiver, Leaves) and name in _MAPPING_METHODS:
        return _leaves_method(it, receiver, name)
    if row is None or row.kind not in ("method", "attribute"):
        _tell_in_place(it, row, name, operand, node)
        if name in IN_PLACE_METHODS:
            return NONE
    if row is None:
        return calls.call_unknown(it, receiver, arguments, node)
    verdict = _verdict(row, receiver)
    if verdict.startswith("error"):
        if name in ("nonzero", "argwhere", "flatnonzero", "compress"):
            if it.wants(DataDependentShape):
                it.emit(DataDependentShape(it.frame, node.at, operand, f".{name}", "size"))
        elif it.wants(Conversion):
            it.decide("traced", node.at)
            it.emit(Conversion(it.frame, node.at, operand, f".{name}()", row))
        return STATIC
    _need_statics(it, name, row, arguments, node)
    return _result(it, receiver, row, name, arguments, node)


_MAPPING_METHODS = frozenset({"items", "values", "keys", "get", "pop", "replace", "update", "_replace", "setdefault"})


def _leaves_method(it: Interpreter, receiver: Leaves, name: str) -> Value:
    """A dict, named tuple or dataclass of arrays."""
    one = Leaves(receiver.level, receiver.origin, None, receiver.assumed)
    match name:
        case "items":
            return Iterable("items", Tuple((STATIC_STR, one)))
        case "values":
            return Iterable("values", one)
        case "keys":
            return Iterable("keys", STATIC_STR)
        case _:
            return one


def _receiver(it: Interpreter, receiver: Atom, node: ir.Expr) -> Operand:
    at = node.func.base.at if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) else node.at
    return Operand(receiver, it.frame, at)


def _verdict(row: MemberRow, receiver: Array | Leaves) -> str:
    if has_no_value(receiver):
        return row.tracer
    return row.grad if receiver.level is Level.GRAD else row.concrete if row.concrete != "static" else "static"


def _tell_in_place(it: Interpreter, row: MemberRow | None, name: str, operand: Operand, node: ir.Expr) -> None:
    """Methods that NumPy arrays change themselves with; JAX has none of them."""
    if name in IN_PLACE_METHODS and it.wants(InPlaceCall):
        it.emit(InPlaceCall(it.frame, node.at, operand, f".{name}()"))


IN_PLACE_METHODS = frozenset(
    {"sort", "fill", "resize", "put", "partition", "itemset", "setfield", "byteswap", "setflags"}
)


def _need_statics(it: Interpreter, name: str, row: MemberRow, arguments: Arguments, node: ir.Expr) -> None:
    """Traced values where a method wants shapes, axes or counts."""
    if not row.static or not it.wants(ShapeArgument):
        return
    pairs = [(row.params.at(i) or "", v, arguments.positional_at[i]) for i, v in enumerate(arguments.positional)]
    pairs += [(k, v, arguments.keyword_at.get(k, -1)) for k, v in arguments.keywords.items()]
    for parameter, value, at in pairs:
        if parameter not in row.static:
            continue
        parts = value.elements if isinstance(value, Tuple) else (value,)
        if any(has_no_value(atom) for part in parts for atom in atoms_of(part)):
            where = at if at >= 0 else node.at
            it.emit(ShapeArgument(it.frame, where, Operand(value, it.frame, where), f".{name}", parameter, False))
            return


def _result(
    it: Interpreter, receiver: Array | Leaves, row: MemberRow, name: str, arguments: Arguments, node: ir.Expr
) -> Value:
    levels = [level_of(atom) or Level.HOST for value in arguments.all() for atom in atoms_of(value)]
    level = max([receiver.level, it.frame.ambient, *levels])
    dtype = receiver.dtype if isinstance(receiver, Array) else None
    match row.returns.head:
        case "static":
            return STATIC
        case "host":
            return Array(Level.HOST, dtype)
        case "none":
            return NONE
        case "list":
            return it.allocate(ListCell(it.birth(node.at), None, STATIC))
        case "tuple":
            return Tuple(tuple(Array(level, None, None, False, receiver.origin) for _ in row.returns.args))
        case "same":
            return receiver
        case _:
            pass
    if name in ("all", "any"):
        dtype = "bool"
    elif name == "astype":
        from jaxlint.analysis.results import dtype_name

        dtype = dtype_name(arguments.positional[0]) if arguments.positional else None
    elif name in ("argmax", "argmin", "argsort"):
        dtype = "int"
    elif name in ("mean", "std", "var") and shapes.dtype_class(dtype) in ("int", "bool", "uint"):
        dtype = "float"
    return Array(level, dtype, _method_shape(receiver, name, arguments), False, receiver.origin, it.ident(node.at))


_REDUCTIONS = frozenset({"sum", "mean", "prod", "max", "min", "all", "any", "std", "var", "argmax", "argmin"})


def _method_shape(receiver: Array | Leaves, name: str, arguments: Arguments) -> Any:
    shape = receiver.shape if isinstance(receiver, Array) else None
    if name in ("astype", "copy", "conj", "clip", "round"):
        return shape
    if name in _REDUCTIONS and "keepdims" not in arguments.keywords:
        axis = arguments.get(0, "axis")
        if axis is None:
            return ()
        return shapes.reduced(shape, shapes.given_shape(axis) or "?", False)
    return None


def _host_method(
    it: Interpreter, receiver: Array | Leaves, name: str, arguments: Arguments, node: ir.Expr, operand: Operand
) -> Value:
    """A method of a NumPy array."""
    if name in IN_PLACE_METHODS:
        base = node.func.base if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) else node
        stores.tell_method_mutation(it, receiver, base, name, None)
        if receiver.readonly if isinstance(receiver, Array) else False:
            _tell_in_place(it, None, name, operand, node)
        return NONE
    if name in ("item", "tolist", "tobytes"):
        return STATIC
    dtype = "bool" if name in ("all", "any") else None
    return Array(Level.HOST, dtype)


# --- keys


def _key(it: Interpreter, receiver: Key, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Keys are arrays too: reshaping an array of keys keeps them keys."""
    if name in ("reshape", "squeeze", "ravel", "flatten", "transpose", "swapaxes"):
        return Key(("slice", receiver.ident, name), receiver.level, None, receiver.origin)
    if name in ("copy", "block_until_ready", "astype"):
        return receiver
    return _array(it, Array(receiver.level, "key", receiver.shape, False, receiver.origin), name, arguments, node)


# --- x.at[i].set(v)


def _update(it: Interpreter, receiver: Update, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`.at[i].set(v)` and its kin give a new array of the same shape."""
    values = [receiver.array, *arguments.positional[:1]]
    levels = [level_of(a) or Level.HOST for v in (*values, *receiver.index) for a in atoms_of(v)]
    level = max([it.frame.ambient, Level.CONCRETE, *levels])
    array = receiver.array
    origin = next((getattr(v, "origin", None) for v in values if getattr(v, "origin", None) is not None), None)
    dtype = array.dtype if isinstance(array, Array) else None
    shape = array.shape if isinstance(array, Array) and name != "get" else None
    return Array(level, dtype, shape, False, origin, it.ident(node.at))


# --- containers


def _object(it: Interpreter, receiver: Object, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    cell = it.cell(receiver)
    match cell:
        case ListCell():
            return _list(it, receiver, cell, name, arguments, node)
        case DictCell():
            return _dict(it, receiver, cell, name, arguments, node)
        case SetCell():
            return _set(it, receiver, cell, name, arguments, node)
        case InstanceCell():
            return _instance(it, receiver, cell, name, arguments, node)
        case _:
            return calls.call_unknown(it, receiver, arguments, node)


def _mutates(it: Interpreter, receiver: Object, name: str, arguments: Arguments, node: ir.Expr) -> None:
    if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute):
        given = arguments.positional
        value = (
            Operand(given[-1], it.frame, arguments.positional_at[-1])
            if given and arguments.positional_at[-1] >= 0
            else None
        )
        stores.tell_method_mutation(it, receiver, node.func.base, name, value)


def _list(it: Interpreter, receiver: Object, cell: ListCell, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    row = it.api.python_member("list", name)
    raises = name == "pop" and any(has_no_value(atom) for value in arguments.positional for atom in atoms_of(value))
    if ((row is not None and row.mutates) or name in _DEQUE_METHODS) and not raises:
        _mutates(it, receiver, name, arguments, node)
    given = arguments.positional[-1] if arguments.positional else None
    match name:
        case "append" | "insert" if given is not None:
            exact = (*cell.elements, given) if cell.elements is not None and len(cell.elements) < MAX_EXACT else None
            _grow(it, receiver, cell, exact if name == "append" else None, given)
            return NONE
        case "extend" if given is not None:
            more = iteration.exact_elements(it, given)
            both = (*cell.elements, *more) if more is not None and cell.elements is not None else None
            _grow(it, receiver, cell, both, join_all(more) if more else iteration.element(it, given, node.at))
            return NONE
        case "pop":
            return _pop(it, receiver, cell, arguments, node)
        case "copy":
            return it.allocate(ListCell(it.birth(node.at), cell.elements, cell.element))
        case "index" | "count":
            return STATIC_INT
        case "clear":
            it.update(receiver, ListCell(cell.birth, (), UNKNOWN))
            return NONE
        case _:
            it.update(receiver, ListCell(cell.birth, None, cell.element))
            return NONE


#: A list that grows beyond this is known by the join of its elements only.
MAX_EXACT = 32


def _grow(it: Interpreter, receiver: Object, cell: ListCell, exact: tuple[Value, ...] | None, added: Value) -> None:
    """A list gets more elements, whose join is `added`; `exact` are all of them, where they are known."""
    element = added if cell.elements == () else join(cell.element, added)
    it.update(receiver, ListCell(cell.birth, exact, element))


def _pop(it: Interpreter, receiver: Object, cell: ListCell, arguments: Arguments, node: ir.Expr) -> Value:
    if arguments.positional and any(map(has_no_value, atoms_of(arguments.positional[0]))) and it.wants(IntegerNeeded):
        operand = Operand(arguments.positional[0], it.frame, arguments.positional_at[0])
        it.emit(IntegerNeeded(it.frame, node.at, operand, "index", "list"))
    if cell.elements and not arguments.positional:
        it.update(receiver, ListCell(cell.birth, cell.elements[:-1], cell.element))
        return cell.elements[-1]
    it.update(receiver, ListCell(cell.birth, None, cell.element))
    return iteration.refresh(it, cell.element, iteration.picked(it))


_DEQUE_METHODS = frozenset({"appendleft", "popleft", "extendleft", "rotate"})


def _dict(it: Interpreter, receiver: Object, cell: DictCell, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    row = it.api.python_member("dict", name)
    if row is not None and row.mutates:
        _mutates(it, receiver, name, arguments, node)
    values = [*cell.items.values(), *(() if cell.rest is None else (cell.rest,))]
    anything = join_all(values) if values else UNKNOWN
    match name:
        case "keys":
            return Iterable("keys", _keys_of(it, cell))
        case "values":
            return Tuple(tuple(cell.items.values())) if cell.rest is None else Iterable("values", anything)
        case "items":
            if cell.rest is None:
                return Tuple(tuple(Tuple((Static(k, type(k).__name__), v)) for k, v in cell.items.items()))
            return Iterable("items", Tuple((_keys_of(it, cell), anything)))
        case "get" | "pop" | "setdefault" if arguments.positional:
            return _dict_get(it, receiver, cell, name, arguments, node, anything)
        case "update":
            _dict_update(it, receiver, cell, arguments)
            return NONE
        case "copy":
            return it.allocate(DictCell(it.birth(node.at), dict(cell.items), cell.rest))
        case "clear":
            it.update(receiver, DictCell(cell.birth, {}, None))
            return NONE
        case _:
            return it.unknown(f"`.{name}()` of a dict", node.at)


def _keys_of(it: Interpreter, cell: DictCell) -> Value:
    types = {type(key).__name__ for key in cell.items}
    return Static(type=types.pop(), ident=it.ident(-1)) if len(types) == 1 else Static(ident=it.ident(-1))


def _dict_get(
    it: Interpreter, receiver: Object, cell: DictCell, name: str, arguments: Arguments, node: ir.Expr, anything: Value
) -> Value:
    key = arguments.positional[0]
    default: Value = arguments.positional[1] if len(arguments.positional) > 1 else NONE
    if any(has_no_value(a) and isinstance(a, Array | Leaves) for a in atoms_of(key)) and it.wants(Hashed):
        it.emit(Hashed(it.frame, node.at, Operand(key, it.frame, arguments.positional_at[0]), "dict key"))
    known = isinstance(key, Static) and key.known and isinstance(key.value, str | int | float | bool)
    value: Value
    if known and key.value in cell.items:  # type: ignore[union-attr]
        value = cell.items[key.value]  # type: ignore[union-attr]
        if name == "pop":
            items = {k: v for k, v in cell.items.items() if k != key.value}  # type: ignore[union-attr]
            it.update(receiver, DictCell(cell.birth, items, cell.rest))
        return value
    value = (
        default
        if known and cell.rest is None
        else join(cell.rest if known and cell.rest is not None else anything, default)
    )
    if name == "setdefault":
        rest = default if cell.rest is None else join(cell.rest, default)
        it.update(receiver, DictCell(cell.birth, cell.items, rest))
    return value


def _dict_update(it: Interpreter, receiver: Object, cell: DictCell, arguments: Arguments) -> None:
    items = dict(cell.items)
    rest = UNKNOWN if arguments.extra else cell.rest
    for value in arguments.positional:
        other = it.cell(value) if isinstance(value, Object) else None
        if isinstance(other, DictCell):
            items.update(other.items)
            rest = other.rest if rest is None else rest if other.rest is None else join(rest, other.rest)
        else:
            rest = UNKNOWN
    items.update(arguments.keywords)
    it.update(receiver, DictCell(cell.birth, items, rest))


def _set(it: Interpreter, receiver: Object, cell: SetCell, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    row = it.api.python_member("set", name)
    if row is not None and row.mutates:
        _mutates(it, receiver, name, arguments, node)
    if name == "add" and arguments.positional:
        value = arguments.positional[0]
        at = arguments.positional_at[0]
        observe.hashed(it, value, ir.Constant(None, at if at >= 0 else node.at), "set member")
        it.update(receiver, SetCell(cell.birth, join(cell.element, value)))
        return NONE
    return STATIC if row is None or row.mutates else it.allocate(SetCell(it.birth(node.at), cell.element))


def _instance(
    it: Interpreter, receiver: Object, cell: InstanceCell, name: str, arguments: Arguments, node: ir.Expr
) -> Value:
    """A method that the class's own code does not have: `replace` of a dataclass-like pytree, or a base class's."""
    if cell.cls.kind == "module" and name in frameworks.MODULE_METHODS:
        return frameworks.call_module_method(it, receiver, name, arguments, node)
    if name in ("replace", "_replace"):
        attributes = {**cell.attributes, **arguments.keywords}
        return it.allocate(
            InstanceCell(it.birth(node.at), cell.cls, attributes, cell.open, cell.label, None, cell.level, cell.origin)
        )
    row = objects.inherited(it, cell.cls, name)
    if row is not None:
        return objects.call_row(it, row, receiver, arguments, node)
    return calls.call_unknown(it, UNKNOWN, arguments, node)


def _tuple(it: Interpreter, receiver: Tuple, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    match name:
        case "_replace":
            parts = tuple(arguments.keywords.get(n, e) for n, e in zip(receiver.names, receiver.elements))
            return Tuple(parts, receiver.names, receiver.cls)
        case "_asdict":
            return it.allocate(DictCell(it.birth(node.at), dict(zip(receiver.names, receiver.elements)), None))
        case "index" | "count":
            return STATIC_INT
        case _:
            return calls.call_unknown(it, receiver, arguments, node)


def _iterable(it: Interpreter, receiver: Iterable, name: str, node: ir.Expr) -> Value:
    if name in ("index", "count"):
        return STATIC_INT
    return iteration.element(it, receiver, node.at, iteration.picked(it))


def _string(it: Interpreter, receiver: Static, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if name == "format":
        for value, at in zip(arguments.positional, arguments.positional_at):
            observe.formatted(it, value, ir.Constant(None, at if at >= 0 else node.at), "str.format", False)
        for key, value in arguments.keywords.items():
            at = arguments.keyword_at.get(key, node.at)
            observe.formatted(it, value, ir.Constant(None, at), "str.format", False)
        return STATIC_STR
    if name in ("split", "rsplit", "splitlines", "partition", "rpartition"):
        return Iterable("tuple", STATIC_STR)
    if name in ("startswith", "endswith", "isdigit", "isalpha", "isidentifier", "islower", "isupper"):
        return Static(type="bool")
    return STATIC_STR


# --- functions


def _function(it: Interpreter, receiver: Atom, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Methods of transformed functions: `f.defvjp(fwd, bwd)`, `f.lower(x)`, `f.defjvp(rule)`."""
    if isinstance(receiver, Transformed):
        full = f"{receiver.application.name}.{name}"
        row = it.api.transform(full)
        if row is not None:
            transforms.apply(it, row, full, arguments, node)
            return arguments.positional[0] if row.result.head == "function" and arguments.positional else NONE
    return calls.call_unknown(it, receiver, arguments, node)
