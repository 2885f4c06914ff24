"""Method calls on values that are no project objects: arrays, keys, updates, functions; containers are next door."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.lattice import join, join_all
from jaxlint.analysis.domain.state import join_uses
from jaxlint.analysis.domain.values import (
    NONE,
    STATIC,
    STATIC_STR,
    UNKNOWN,
    Arguments,
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Made,
    Member,
    Object,
    Partial,
    Ref,
    Shape,
    Static,
    Transformed,
    Tuple,
    Update,
    Value,
    atoms_of,
    has_no_value,
    level_of,
)
from jaxlint.analysis.events.arrays import InPlaceCall
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import Conversion, DataDependentShape, ShapeArgument
from jaxlint.analysis.jax import (
    array_types,
    counted_shapes,
    derivative_rules,
    dimensions,
    eager_loops,
    library_objects,
    random_calls,
    traced_parts,
    transforms,
    wide_types,
)
from jaxlint.analysis.machine import ended_paths
from jaxlint.analysis.machine.levels import evidence, undifferentiated
from jaxlint.analysis.python import (
    calls,
    containers,
    index_bounds,
    numeric_calls,
    numerical_idioms,
    references,
    stores,
    texts,
)
from jaxlint.analysis.source import container_use
from jaxlint.analysis.typestate import async_dispatch, donated_calls, key_arrays, static_numbers
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import MemberRow


def call(it: Interpreter, callee: Member, arguments: Arguments, node: ir.Expr) -> Value:
    """`receiver.name(...)`; a receiver that is one of several values is asked atom by atom."""
    wide_types.method_call(it, callee, arguments, node)
    result = join_all(_of_each(it, callee, arguments, node))
    if callee.name == "sum":
        numerical_idioms.summed(it, callee.receiver, arguments, result, node)
    if callee.name in _TO_PYTHON:
        eager_loops.count_read(it, (callee.receiver,))
    if it.frame.passes and callee.name in _TO_PYTHON:
        eager_loops.to_host(it, callee.receiver, _receiver(it, atoms_of(callee.receiver)[0], node).at, node)
    if it.frame.passes and callee.name == "block_until_ready":
        eager_loops.waited(it, node.at)
    if it.frame.state.clock is not None:
        async_dispatch.method_call(it, callee, arguments, result, node)
    return result


def _of_each(it: Interpreter, callee: Member, arguments: Arguments, node: ir.Expr) -> list[Value]:
    """What the method gives for each receiver: but one is at hand, so that none uses a key after another one."""
    atoms = atoms_of(callee.receiver)
    if len(atoms) == 1:
        return [_atom(it, atoms[0], callee.name, arguments, node)]
    before, results, ends = it.frame.state.keys, [], []
    for atom in atoms:
        it.frame.state.keys = before.copy()
        results.append(_atom(it, atom, callee.name, arguments, node))
        ends.append(it.frame.state.keys)
    it.frame.state.keys = reduce(join_uses, ends)
    return results


_TO_PYTHON = frozenset({"item", "tolist"})


def _atom(  # noqa: PLR0911, PLR0912 - dispatches on the kinds of values
    it: Interpreter, receiver: Atom, name: str, arguments: Arguments, node: ir.Expr
) -> Value:
    match receiver:
        case Array() | Leaves():
            return _array(it, receiver, name, arguments, node)
        case Key():
            return _key(it, receiver, name, arguments, node)
        case Update():
            return _update(it, receiver, name, arguments, node)
        case Object():
            return containers.call(it, receiver, name, arguments, node)
        case Tuple():
            return containers.tuple_method(it, receiver, name, arguments, node)
        case Static(type="str"):
            return texts.method(it, receiver, name, arguments, node)
        case Transformed() | FunctionValue() | BoundMethod() | Partial():
            return _function(it, receiver, name, arguments, node)
        case Iterable():
            return containers.iterable_method(it, receiver, name, arguments, node)
        case Static():
            return numeric_calls.method(receiver, name)
        case Made():
            return library_objects.call(it, receiver, name, arguments, node)
        case Ref():
            _tell_reference(it, receiver, name, node)
            return calls.call_unknown(it, receiver, arguments, node)
        case ClassValue():
            row = library_objects.inherited(it, receiver, name)
            return UNKNOWN if row is None else library_objects.call_row(it, row, receiver, arguments, node)
        case _:
            return calls.call_unknown(it, receiver, arguments, node)


def _tell_reference(it: Interpreter, receiver: Ref, name: str, node: ir.Expr) -> None:
    """Tell the rules about a method of arrays that references lack."""
    row = it.api.array_member(name)
    if row is not None and row.returns.head == "array" and not it.api.has(f"*.{name}", "takes-references"):
        references.tell_unread(it, _receiver(it, receiver, node), node.at, f".{name}()")


# --- arrays


def _array(it: Interpreter, receiver: Array | Leaves, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    row = it.api.array_member(name)
    operand = _receiver(it, receiver, node)
    if it.frame.state.donated:
        donated_calls.method_call(it, receiver, name, node)
    if receiver.level is Level.HOST:
        return _host_method(it, receiver, name, arguments, node, operand)
    if isinstance(receiver, Leaves) and name in _MAPPING_METHODS:
        return _leaves_method(it, receiver, name)
    if row is None or row.kind not in ("method", "attribute"):
        _tell_in_place(it, row, name, operand, node)
        if name in IN_PLACE_METHODS:
            return NONE
    if row is None or _is_of_project(it, receiver, row, arguments, node):
        return calls.call_unknown(it, receiver, arguments, node)
    verdict = _verdict(row, receiver)
    if name == "nonzero" and "size" in arguments.keywords:
        found = Array(max(receiver.level, it.frame.ambient), "int", None, False, receiver.origin)
        return Iterable("tuple", found)
    if verdict.startswith("error"):
        ended_paths.end_if_caught(it, operand)
        if name in ("nonzero", "argwhere", "flatnonzero", "compress"):
            if it.wants(DataDependentShape):
                it.emit(DataDependentShape(it.frame, node.at, operand, f".{name}", "size"))
        elif it.wants(Conversion):
            it.decide("traced", node.at)
            made = static_numbers.needed(it, receiver)
            it.emit(Conversion(it.frame, node.at, operand, f".{name}()", row, made))
        return STATIC
    _need_statics(it, name, row, arguments, node)
    result = _result(it, receiver, row, name, arguments, node)
    static_numbers.combined(it, (receiver,), result)
    return result


def _is_of_project(
    it: Interpreter, receiver: Array | Leaves, row: MemberRow, arguments: Arguments, node: ir.Expr
) -> bool:
    """Whether a method is one of a class of the project, though arrays have its name, too.

    No array takes these arguments; or it would raise on a tracer, and a tree has attributes that arrays lack.
    """
    is_tree, raises = isinstance(receiver, Leaves), _verdict(row, receiver).startswith("error")
    if (is_tree or raises) and not row.params.takes(len(arguments.positional), arguments.keywords):
        return True
    function = it.frame.function if is_tree and raises else None
    if function is None or not isinstance(node, ir.Call) or not isinstance(node.func, ir.Attribute):
        return False
    return walks.dotted(node.func.base) in container_use.containers(it, function)


_MAPPING_METHODS = frozenset(
    {"items", "values", "keys", "get", "pop", "copy", "replace", "update", "_replace", "setdefault"}
)


def _leaves_method(it: Interpreter, receiver: Leaves, name: str) -> Value:
    """A dict, named tuple or dataclass of arrays."""
    one = Leaves(receiver.level, receiver.origin, None, receiver.assumed)
    match name:
        case "copy":
            return receiver
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
        it.emit(InPlaceCall(it.frame, node.at, _all_of(it, operand, node), f".{name}()"))


def _all_of(it: Interpreter, operand: Operand, node: ir.Expr) -> Operand:
    """The receiver with what else it may be: a NumPy array, which has the method, or an array of JAX."""
    base = node.func.base if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) else None
    value = it.peek(base.id) if isinstance(base, ir.Name) else None
    is_part = value is not None and any(atom is operand.value for atom in atoms_of(value))
    return Operand(value, operand.frame, operand.at) if value is not None and is_part else operand


def _protects(name: str, arguments: Arguments) -> bool:
    """`.setflags(write=False)`: a view stays as it is."""
    write = arguments.get(0, "write")
    return name == "setflags" and isinstance(write, Static) and write.value is False


IN_PLACE_METHODS = frozenset(
    {"sort", "fill", "resize", "put", "partition", "itemset", "setfield", "byteswap", "setflags"}
)


def _need_statics(it: Interpreter, name: str, row: MemberRow, arguments: Arguments, node: ir.Expr) -> None:
    """Traced values where a method wants shapes, axes or counts."""
    if not row.static:
        return
    same = it.api.array_function(name)
    if same is not None and same.size in arguments.keywords:
        return  # with a size given, counts may be traced
    if same is not None and same.counter and counted_shapes.tell(it, f".{name}", same, arguments, node):
        return
    pairs = [(row.params.at(i) or "", v, arguments.positional_at[i]) for i, v in enumerate(arguments.positional)]
    pairs += [(k, v, arguments.keyword_at.get(k, -1)) for k, v in arguments.keywords.items()]
    for parameter, value, at in pairs:
        if parameter not in row.static:
            continue
        parts = value.elements if isinstance(value, Tuple) else (value,)
        traced = [atom for part in parts for atom in atoms_of(part) if has_no_value(atom)]
        if traced and not references.give_dtype(it, f"*.{name}", parameter, traced):
            where = at if at >= 0 else node.at
            static_numbers.needed(it, value)
            if it.wants(ShapeArgument):
                operand = traced_parts.part(it, value, where, node)
                it.emit(ShapeArgument(it.frame, where, operand, f".{name}", parameter, False))
            return
    if same is not None and it.api.has(same.name, "reshapes"):
        dimensions.tell(it, f".{name}", [(value, at) for _, value, at in pairs if at in arguments.positional_at], node)


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
            return _listed(it, receiver, node)
        case "tuple":
            return Tuple(tuple(Array(level, None, None, False, receiver.origin) for _ in row.returns.args))
        case "same":
            return receiver
        case _:
            pass
    if name in ("all", "any"):
        dtype = "bool"
    elif name == "astype":
        asked = arguments.get(0, "dtype")
        dtype = None if asked is None else array_types.dtype_name(asked)
    elif name in ("argmax", "argmin", "argsort") or (dtype == "bool" and _counts(it, name)):
        dtype = "int"
    elif name in ("mean", "std", "var") and shapes.dtype_class(dtype) in ("int", "bool", "uint"):
        dtype = "float"
    if row.grad == "static" or shapes.is_discrete(dtype):
        level = undifferentiated(level)
    origin = evidence(it, (receiver, *arguments.all()))
    shape = _method_shape(it, receiver, name, arguments)
    strong = _keeps_dtype(receiver, name, dtype)
    return Array(level, dtype, shape, False, origin, it.ident(node.at), strong=strong)


def _listed(it: Interpreter, receiver: Array | Leaves, node: ir.Expr) -> Value:
    """What `tolist` gives: a list, but of an array of no axes a number."""
    shape = receiver.shape if isinstance(receiver, Array) else None
    if shape == ():
        return STATIC
    numbers = it.allocate(ListCell(it.birth(node.at), None, STATIC))
    return numbers if shape else join(numbers, STATIC)


def _keeps_dtype(receiver: Array | Leaves, name: str, dtype: str | None) -> bool:
    """Whether what a method gives is surely not weak: a cast, and what is like an array that is not."""
    return dtype is not None and (name == "astype" or shapes.is_strong_result((receiver,), dtype))


_REDUCTIONS = frozenset({"sum", "mean", "prod", "max", "min", "all", "any", "std", "var", "argmax", "argmin"})


def _counts(it: Interpreter, name: str) -> bool:
    """Whether a method adds up or multiplies, as the function of its name does: of truth values, whole numbers."""
    row = it.api.array_function(name)
    return row is not None and row.dtype.head == "total"


def _method_shape(it: Interpreter, receiver: Array | Leaves, name: str, arguments: Arguments) -> Shape:
    """The shape of what a method gives, by the function that does the same."""
    if not isinstance(receiver, Array):
        if name in ("flatten", "ravel"):
            return (None,)
        return () if name in _REDUCTIONS and not arguments.all() else None
    if name in ("astype", "copy"):
        return receiver.shape
    row = it.api.array_function("ravel" if name == "flatten" else name)
    if row is None:
        return None
    if row.params.positional[1:2] in (("shape",), ("axes",)) and len(arguments.positional) > 1:
        packed: list[Value] = [Tuple(tuple(arguments.positional))]  # x.reshape(2, 3)
        at = arguments.positional_at[:1]
        arguments = Arguments(packed, arguments.keywords, at, arguments.keyword_at, arguments.extra)
    return array_types.shape(it, row, arguments.before((receiver,), {}))


def _host_method(
    it: Interpreter, receiver: Array | Leaves, name: str, arguments: Arguments, node: ir.Expr, operand: Operand
) -> Value:
    """A method of a NumPy array."""
    if name in IN_PLACE_METHODS and not _protects(name, arguments):
        base = node.func.base if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) else node
        stores.tell_call_mutation(it, receiver, base, name, None)
        if receiver.readonly if isinstance(receiver, Array) else False:
            _tell_in_place(it, None, name, operand, node)
        return NONE
    if name == "tolist":
        return _listed(it, receiver, node)
    if name in ("item", "tobytes"):
        return STATIC
    if it.api.array_member(name) is None:  # a tensor of another library
        return calls.call_unknown(it, receiver, arguments, node)
    dtype = "bool" if name in ("all", "any") else None
    return Array(Level.HOST, dtype, _method_shape(it, receiver, name, arguments))


# --- keys


def _key(it: Interpreter, receiver: Key, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Keys are arrays too: reshaping an array of keys keeps them keys."""
    if name in key_arrays.RESHAPING:
        return random_calls.reshaped(it, receiver, name)
    if name in ("copy", "block_until_ready", "astype"):
        return receiver
    return _array(it, Array(receiver.level, "key", receiver.shape, False, receiver.origin), name, arguments, node)


# --- x.at[i].set(v)


def _update(it: Interpreter, receiver: Update, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`.at[i].set(v)` and its kin give a new array of the same shape."""
    if "mode" not in arguments.keywords and not arguments.extra:
        index_bounds.update(it, receiver.array, receiver.index, name, node)
    values = [receiver.array, *arguments.positional[:1]]
    if it.frame.state.donated:
        donated_calls.update(it, receiver.array, arguments, node)
    levels = [level_of(a) or Level.HOST for v in (*values, *receiver.index) for a in atoms_of(v)]
    level = max([it.frame.ambient, Level.CONCRETE, *levels])
    array = receiver.array
    origin = evidence(it, values)
    dtype = array.dtype if isinstance(array, Array) else None
    shape = array.shape if isinstance(array, Array) and name != "get" else None
    return Array(level, dtype, shape, False, origin, it.ident(node.at))


# --- functions


def _function(it: Interpreter, receiver: Atom, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Methods of transformed functions: `f.defvjp(fwd, bwd)`, `f.lower(x)`, `f.defjvp(rule)`."""
    if isinstance(receiver, Transformed):
        application = derivative_rules.owner(it, receiver.application, name)
        full = f"{application.name}.{name}"
        row = it.api.transform(full)
        if row is not None:
            derivative_rules.defined(it, application, name, arguments, node)
            transforms.apply(it, row, full, arguments, node)
            return arguments.positional[0] if row.result.head == "function" and arguments.positional else NONE
    return calls.call_unknown(it, receiver, arguments, node)
