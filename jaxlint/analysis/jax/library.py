"""Calls of library functions: builtins and JAX's own, by the tables; what no table knows is unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    Array,
    Atom,
    Iterable,
    Key,
    Leaves,
    Level,
    ListCell,
    Object,
    Qualified,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    has_no_value,
    is_none,
    level_of,
)
from jaxlint.analysis.events.arrays import InPlaceCall
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.tracing import Conversion, DataDependentShape, NumpyCall, ShapeArgument
from jaxlint.analysis.jax import (
    array_arguments,
    array_places,
    axis_names,
    axis_patterns,
    control_flow,
    counted_shapes,
    dimensions,
    eager_loops,
    grown_arrays,
    host_draws,
    library_objects,
    masked_derivatives,
    module_apply,
    optimizers,
    processes,
    random_calls,
    results,
    shardings,
    static_operations,
    traced_parts,
    transforms,
    tree_paths,
    tree_reductions,
    tree_updates,
    trees,
    wide_types,
)
from jaxlint.analysis.machine import ended_paths
from jaxlint.analysis.machine.dependencies import note_host_call
from jaxlint.analysis.machine.levels import at_least, stopped
from jaxlint.analysis.python import (
    calls,
    formulas,
    given_out,
    host_calls,
    numerical_idioms,
    references,
    registry,
    stores,
    text_and_hash,
)
from jaxlint.analysis.typestate import async_dispatch, donated_calls, keys, start_up, static_numbers
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import FunctionRow, NumpyRow


def call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """The value of calling the library function of this qualified name."""
    name = it.api.canonical(name)
    traits = it.api.traits(name)
    start_up.called(it, name, arguments, node)
    wide_types.library_call(it, name, arguments, node)
    axis_patterns.check(it, name, arguments, node)
    result = _call(it, name, arguments, node)
    start_up.library_call(it, name, arguments, result, node.at)
    array_places.computed(it, name, arguments, result, node)
    if it.frame.caveats.divided is not None:
        processes.library_call(it, name, node)
    if it.frame.trace is not None and "undifferentiated" in traits:
        result = stopped(it, result, node.at)
    if host_calls.is_host_call(traits, getattr(arguments.keywords.get("throw"), "value", None)):
        note_host_call(it)
    if "applies-updates" in traits:
        optimizers.applied(it, arguments, node)
    if "gives-others" in traits and not isinstance(result, Static):
        result = at_least(it, result, Level.HOST)  # other arrays than those that it was given
    if it.facts.numbers:
        if isinstance(result, Array):
            it.tell_numbers(arguments.all())
        result = given_out.made_of(it, arguments.all(), result)
    numerical_idioms.called(it, name, arguments, result, node)
    formulas.called(it, name, arguments, result)
    if it.frame.trace is not None and "picks-one" in traits:
        result = masked_derivatives.chosen(it, arguments, result, node)
    if "to-host" in traits:
        eager_loops.count_read(it, arguments.positional)
    if it.frame.passes and it.frame.trace is None and not it.frame.caveats.eager:
        _in_loop(it, name, arguments, result, node)
    if it.frame.state.clock is not None:
        async_dispatch.library_call(it, name, arguments, result, node)
    return result


def _in_loop(it: Interpreter, name: str, arguments: Arguments, result: Value, node: ir.Expr) -> None:
    """What a loop outside compiled code does at each pass."""
    if it.api.has(name, "lengthens"):
        grown_arrays.tell(it, arguments, result, node)
    elif it.api.has(name, "to-device"):
        eager_loops.handed_over(it, arguments, node)
    elif it.api.has(name, "to-host"):
        for value, at in zip(arguments.positional, arguments.positional_at):
            eager_loops.to_host(it, value, at, node)
        for part in walks.nodes(node):
            if isinstance(part, ir.FormattedValue) and isinstance(part.value, ir.Name):
                eager_loops.to_host(it, it.peek(part.value.id) or UNKNOWN, part.value.at, node)
    elif it.api.has(name, "waits"):
        eager_loops.waited(it, node.at)


def _call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if it.frame.trace is not None and not _surely_raises(it, name, arguments):
        text_and_hash.library_call(it, name, arguments, node)
    if it.frame.state.donated:
        donated_calls.library_call(it, name, arguments, node)
    random_calls.tell_misuse(it, name, arguments, node)
    axis_names.library_call(it, name, arguments, node)
    like = it.likes.get(name)
    if like is not None:
        return _like(it, like, arguments, node)
    meaning = it.api.meaning(name)
    known = name if meaning is None else meaning.head
    special = registry.handler(known) or trees.SPECIAL.get(known) or module_apply.SPECIAL.get(known)
    special = special or control_flow.SPECIAL.get(known) or shardings.SPECIAL.get(known)
    special = special or tree_paths.SPECIAL.get(known) or tree_reductions.SPECIAL.get(known)
    if special is not None:
        return special(it, name, arguments, node)
    update = tree_updates.SPECIAL.get(known)
    updated = None if update is None else update(it, name, arguments, node)
    if updated is not None:
        return updated
    transform = it.api.transform(name)
    if transform is not None:
        return transforms.apply(it, transform, name, arguments, node)
    return _tabulated(it, name, arguments, node)


def _tabulated(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A function or class that is no transform and has no handler: by what the tables say of it, if they do."""
    random = it.api.random(name)
    framework = it.api.object(name)
    if random is not None:
        row = it.api.function(name)
        if row is not None:
            _need_statics(it, name, row, arguments, node)
        made = random_calls.call(it, random, name, arguments, node)
        if made is not None and framework is not None and framework.when.head == "stream":
            library_objects.draw(it, framework, arguments, node, frozenset())
        if made is not None and (framework is None or framework.kind != "class"):
            return made
    rearranged = random_calls.rearranged(it, name, arguments, node)
    if rearranged is not None:
        return rearranged
    _tell_out(it, name, arguments, node)
    if framework is not None and framework.kind in ("class", "maker", "classmethod"):
        return library_objects.construct(it, framework, arguments, node)
    function = it.api.function(name)
    if function is not None:
        return _function(it, name, function, arguments, node)
    numpy = it.api.numpy(name)
    if numpy is not None:
        return _numpy(it, name, numpy, arguments, node)
    return _unlisted(it, name, arguments, node)


def _like(it: Interpreter, like: Any, arguments: Arguments, node: ir.Expr) -> Value:
    """A function that the settings describe."""
    for position in like.consumes_key:
        if position < len(arguments.positional):
            value, at = arguments.positional[position], arguments.positional_at[position]
            keys.use(it, value, keys.Action("consume", like.name), node, at)
    if like.like is not None:
        renamed = {like.arguments.get(key, key): value for key, value in arguments.keywords.items()}
        for static in like.statics:
            renamed.setdefault("static_argnames", Static(static, "str"))
        inner = Arguments(arguments.positional, renamed, arguments.positional_at, arguments.keyword_at, arguments.extra)
        return call(it, like.like, inner, node)
    if like.returns == "array":
        return Array(it.frame.ambient, ident=it.ident(node.at))
    if like.returns == "key":
        return Key(it.ident(node.at), it.frame.ambient)
    if like.returns == "static":
        return Static()
    return calls.call_unknown(it, Qualified(like.name), arguments, node)


def _unlisted(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A library function of which no table says anything."""
    if it.api.has(name, "scalar-type"):
        return results.host_scalar(it, name, arguments)
    if it.api.is_of(name, "host") and not any(_lifted(value) for value in arguments.all()):
        last = name.rpartition(".")[2]
        return it.unknown(f"call of `{name}`", node.at) if last[:1].isupper() else host_draws.array(it, name, arguments)
    return calls.call_unknown(it, Qualified(name), arguments, node, f"call of `{name}`")


# --- functions of JAX


def _function(it: Interpreter, name: str, row: FunctionRow, arguments: Arguments, node: ir.Expr) -> Value:
    if it.api.has(name, "draws"):
        return results.of_function(it, row, arguments, node)
    _need_statics(it, name, row, arguments, node)
    _need_arrays(it, name, row, arguments, node)
    array_arguments.check(it, name, row, arguments, node)
    _data_dependent(it, name, row, arguments, node)
    row = _alone(it, name, arguments) or row
    if row.returns.head in ("unknown", "function"):
        for value in arguments.all():
            calls.escape(it, value, node.at)
    result = results.of_function(it, row, arguments, node)
    static_operations.tell(it, name, arguments, result, node)
    shardings.library_call(it, name, arguments, node)
    result = array_places.put(it, name, arguments, result, node)
    return _from_host(it, arguments.first, result, node) if it.api.has(name, "keeps-host") else result


def _from_host(it: Interpreter, given: Value, result: Value, node: ir.Expr) -> Value:
    """What is an array of NumPy where the one that was given is."""
    if isinstance(given, Unknown) and it.frame.trace is None:
        return it.unknown("an array that may be NumPy's", node.at)
    if isinstance(result, Array) and level_of(given) is Level.HOST:
        return replace(result, level=Level.HOST)
    return result


def _alone(it: Interpreter, name: str, arguments: Arguments) -> FunctionRow | None:
    """What a function is that was given its first argument alone: `where(condition)` is `nonzero`."""
    meaning = it.api.meaning(name)
    if meaning is None or meaning.head != "alone" or arguments.get(1, "x") is not None:
        return None
    return it.api.function(meaning.first)


def _need_statics(it: Interpreter, name: str, row: FunctionRow, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules about traced values in parameters that must be known while tracing."""
    if not row.static or not it.api.has(name, "needs-statics"):
        return
    for parameter, value, at in _named(row, arguments):
        if parameter not in row.static or parameter == "axis_name":
            continue
        traced = [atom for atom in _flat(it, value) if has_no_value(atom)]
        if traced and not references.give_dtype(it, name, parameter, traced):
            static_numbers.needed(it, value)
            _tell_of_shape(it, row, (parameter, value, at), arguments, node)
            return
        if parameter == "shape" or (row.shape.head == "create" and parameter == row.shape.first):
            dimensions.tell(it, name, [(value, at)], node)


def _tell_of_shape(
    it: Interpreter, row: FunctionRow, given: tuple[str, Value, int], arguments: Arguments, node: ir.Expr
) -> None:
    """Tell the rules about an argument that is traced, where the shape of the result needs it."""
    parameter, value, at = given
    operand = traced_parts.part(it, value, at, node)
    if it.api.has(row.name, "drops-numbers") and parameter == row.params.at(0):
        if it.wants(DataDependentShape):
            it.emit(DataDependentShape(it.frame, node.at, operand, row.name, ""))
    elif it.wants(ShapeArgument):
        if row.shape.head == "range" and arguments.get(1, row.params.at(1)) is None:
            parameter = row.params.at(1) or parameter  # one number alone is where it ends
        where = at if at >= 0 else node.at
        it.emit(ShapeArgument(it.frame, where, operand, row.name, parameter, parameter in row.concrete))


def _need_arrays(it: Interpreter, name: str, row: FunctionRow, arguments: Arguments, node: ir.Expr) -> None:
    """Tell the rules about references where what is read from them is needed."""
    if row.returns.head != "array" or not it.api.has(name, "reads-contents") or it.api.has(name, "takes-references"):
        return
    for number, value in enumerate(arguments.positional):
        if references.is_kernel_reference(value):
            if references.give_dtype(it, name, row.params.at(number) or "", (value,)):
                continue
            operand = Operand.argument(arguments, number, it.frame, node.at)
            references.tell_unread(it, operand, node.at, it.frame.module.text(node.at).partition("(")[0])


def _named(row: FunctionRow, arguments: Arguments) -> Iterator[tuple[str, Value, int]]:
    for number, value in enumerate(arguments.positional):
        name = row.params.at(number)
        if name is not None:
            yield name, value, arguments.positional_at[number]
    for name, value in arguments.keywords.items():
        yield name, value, arguments.keyword_at.get(name, -1)


def _flat(it: Interpreter, value: Value) -> Iterator[Atom]:
    """The atoms of a value and of the elements of a tuple or list: shapes are given as tuples."""
    for atom in atoms_of(value):
        if isinstance(atom, Tuple):
            for element in atom.elements:
                yield from atoms_of(element)
        elif isinstance(atom, Object):
            cell = it.cell(atom)
            if isinstance(cell, ListCell):
                yield from (a for e in (cell.elements or (cell.element,)) for a in atoms_of(e))
        elif isinstance(atom, Iterable):
            yield from atoms_of(atom.element)
        else:
            yield atom


def _data_dependent(it: Interpreter, name: str, row: FunctionRow, arguments: Arguments, node: ir.Expr) -> None:
    """A result whose shape depends on data, without the argument that fixes it, where shapes must be static."""
    if row.size is None or not it.wants(DataDependentShape) or arguments.extra:
        return
    size = arguments.get(None, row.size)
    if size is not None and not (isinstance(size, Static) and is_none(size)):
        return
    if row.params.positional.count(row.size) and arguments.get(row.params.positional.index(row.size), row.size):
        return
    if not _size_matters(it, row, arguments):
        return
    if row.counter:
        counted_shapes.tell(it, name, row, arguments, node)
        return
    value = arguments.get(0, row.params.at(0))
    if value is None:
        return
    traced = it.frame.ambient is Level.TRACED or any(has_no_value(atom) for atom in atoms_of(value))
    if traced:
        at = arguments.at(0, row.params.at(0))
        operand = Operand(value, it.frame, at if at >= 0 else node.at)
        it.emit(DataDependentShape(it.frame, node.at, operand, name, row.size))


def _size_matters(it: Interpreter, row: FunctionRow, arguments: Arguments) -> bool:
    kind, _, argument = row.size_when.partition("=")
    if kind == "args":
        return len(arguments.all()) == int(argument)
    if kind in ("traced", "array"):
        position = row.params.positional.index(argument) if argument in row.params.positional else None
        value = arguments.get(position, argument)
        if value is None:
            return False
        constants = kind == "array" and it.frame.ambient is Level.TRACED  # what is made of them is traced, too
        return any(has_no_value(atom) or (constants and isinstance(atom, Array)) for atom in atoms_of(value))
    return True


# --- NumPy and the standard library


def _lifted(value: Value) -> bool:
    return any((level_of(atom) or Level.HOST) >= Level.GRAD for atom in atoms_of(value))


def _numpy(it: Interpreter, name: str, row: NumpyRow, arguments: Arguments, node: ir.Expr) -> Value:
    """A NumPy, SciPy, math or operator function: on host values as ever, on traced ones by the table."""
    failure = Conversion if name.startswith(("math.", "operator.", "cmath.")) else NumpyCall
    refused = _refused(it, row, arguments)
    if refused is None:
        it.works(node.at, failure)
        if _first_lifted(it, row, arguments) is None:
            if it.api.has(name, "random-generator"):
                return host_draws.array(it, name, arguments)
            return results.of_host_function(it, name, row, arguments, node)
        return results.of_dispatching(it, row, arguments)
    value, at = refused
    operand = replace(traced_parts.part(it, value, at, node, Level.GRAD), at=at if at >= 0 else node.at)
    ended_paths.end_if_caught(it, operand)
    if failure is Conversion:
        made = static_numbers.needed(it, value)
        if it.wants(Conversion):
            it.emit(Conversion(it.frame, node.at, operand, name, row, made))
        return Static(type="float")
    if it.wants(NumpyCall):
        it.emit(NumpyCall(it.frame, node.at, operand, name, row))
    return Array(Level.HOST)


def _refused(it: Interpreter, row: NumpyRow | None, arguments: Arguments) -> tuple[Value, int] | None:
    """The argument at which a call of such a function raises, if it has one."""
    found = None if row is None else _first_lifted(it, row, arguments)
    if row is None or found is None:
        return None
    value = found[0]
    verdict = row.jit if any(has_no_value(atom) for atom in _flat(it, value)) else row.grad
    return None if verdict == "works" and _lifted(value) else found


def _surely_raises(it: Interpreter, name: str, arguments: Arguments) -> bool:
    """Whether a call gets what its function cannot take, whichever of the known values it is: nothing comes of it."""
    refused = _refused(it, it.api.numpy(name), arguments)
    return refused is not None and all((level_of(atom) or Level.HOST) >= Level.GRAD for atom in atoms_of(refused[0]))


def _first_lifted(it: Interpreter, row: NumpyRow, arguments: Arguments) -> tuple[Value, int] | None:
    """The first argument that is traced or lifted; elements of lists count where the function wants an array."""
    pairs = list(zip(arguments.positional, arguments.positional_at))
    pairs += [(value, arguments.keyword_at.get(key, -1)) for key, value in arguments.keywords.items()]
    for value, at in pairs:
        if _lifted(value):
            return value, at
        converts = row.jit != "works" or row.returns.head == "array"  # a list is made one array of NumPy first
        if converts and any(isinstance(a, Array | Leaves) and _lifted(a) for a in _flat(it, value)):
            return value, at
    return None


def _tell_out(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """`out=x`, and NumPy functions that write into their first argument."""
    if not it.wants(InPlaceCall) or not isinstance(node, ir.Call):
        return
    out = arguments.keywords.get("out")
    if out is not None and it.api.has(name, "writes-out"):
        operand = Operand(out, it.frame, arguments.keyword_at.get("out", node.at))
        it.emit(InPlaceCall(it.frame, node.at, operand, "out="))
        _tell_written(it, operand, node, "out=")
    is_ufunc_at = name.endswith(".at") and it.api.is_of(name, "host")
    if (is_ufunc_at or it.api.has(name, "writes-first")) and arguments.positional:
        operand = Operand(arguments.positional[0], it.frame, arguments.positional_at[0])
        it.emit(InPlaceCall(it.frame, node.at, operand, name, it.api.update_method(name)))
        last = arguments.positional[-1] if len(arguments.positional) > 1 else None
        put = None if last is None else Operand(last, it.frame, arguments.positional_at[-1])
        _tell_written(it, operand, node, name, put)


def _tell_written(it: Interpreter, written: Operand, call: ir.Call, how: str, value: Operand | None = None) -> None:
    """A call writes a value into an argument, which traced code may have from outside."""
    target = walks.expression_at(call, written.at)
    if target is not None and it.frame.trace is not None:
        stores.tell_call_mutation(it, written.value, target, how, value)
