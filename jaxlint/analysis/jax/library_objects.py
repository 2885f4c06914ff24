"""Objects of the frameworks' classes: what makes them, what their members give, which keys they draw from.

Under-approximates: a member that no row of `objects.tsv` tells of is unknown, as is all of a class without rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.class_fields import ancestors
from jaxlint.analysis.domain.idents import AttributeOf, Constant, OfObject
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    Array,
    ClassValue,
    InstanceCell,
    Iterable,
    Key,
    Leaves,
    Level,
    Made,
    Member,
    Object,
    Origin,
    Qualified,
    Reason,
    Ref,
    Static,
    Tuple,
    Unknown,
    Value,
    is_none,
    origin_of,
)
from jaxlint.analysis.jax import (
    layer_shapes,
    module_apply,
    optimizers,
    replicas,
    required_keys,
    results,
    stateful_modules,
)
from jaxlint.analysis.jax.results import LibraryCall
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import calls, record_copies
from jaxlint.analysis.source import method_effects
from jaxlint.analysis.typestate import keys, rng_streams, timing
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import ObjectRow
    from jaxlint.jaxapi.terms import Term

#: Kinds of rows that stand for something to call on an object.
_METHODS = frozenset({"method", "classmethod"})


def construct(it: Interpreter, row: ObjectRow, arguments: Arguments, node: ir.Expr) -> Value:
    """Calling a class of a framework, or a function that makes an object of one."""
    draw(it, row, arguments, node, frozenset())
    for value in arguments.all():
        if not isinstance(value, Key):
            calls.escape(it, value, node.at)
    if row.kind == "classmethod":
        return _created(it, row.name.rpartition(".")[0], arguments, node)
    call = LibraryCall(row.call, arguments, node, results.level_of_call(it, row.call, arguments))
    if row.kind != "class":
        return optimizers.made(it, row, arguments, _given(it, row.call.returns, call, UNKNOWN))
    meaning = it.api.meaning(row.name)
    if meaning is not None and meaning.head == "record":
        return _record(tuple(field.head for field in meaning.args), arguments)
    origin = results.origin_of_call(it, arguments, node, call.level)
    return replace(_made(it, row.name, call, origin), options=_options(row, arguments))


def _record(names: tuple[str, ...], arguments: Arguments) -> Tuple:
    """An object of a class that is a named tuple of what it is given."""
    parts = (arguments.get(number, name) for number, name in enumerate(names))
    return Tuple(tuple(UNKNOWN if part is None else part for part in parts), names)


def _made(it: Interpreter, cls: str, call: LibraryCall, origin: Origin | None) -> Made:
    reason = Reason(f"an object of `{cls}`", it.frame.path, call.node.at)
    return Made(it.ident(call.node.at), reason, cls, call.level, origin)


def _options(row: ObjectRow, arguments: Arguments) -> frozenset[tuple[str, Any]]:
    """The flags and rates that a class was given; `?` for those that are not known."""
    found = []
    for number, name in enumerate(row.call.params.positional):
        value = arguments.get(number, name)
        if value is not None:
            plain = isinstance(value, Static) and value.known and isinstance(value.value, bool | int | float | None)
            found.append((name, value.value if plain and isinstance(value, Static) else "?"))
    return frozenset(found)


def of_class(it: Interpreter, name: str, value: Unknown) -> Value:
    """An unknown value that an annotation says to be an object of a class; itself where no table knows the class."""
    row = it.api.object(name)
    if row is None or row.kind != "class":
        return value
    return Made(value.ident, value.reason, row.name, Level.ANY, declared=True)


def is_tree(it: Interpreter, value: Value) -> bool:
    """Whether a value is an object of a class that is a pytree."""
    row = it.api.object(value.cls) if isinstance(value, Made) else None
    return row is not None and row.leaves


# --- members


def attribute(it: Interpreter, atom: Made, name: str, at: int) -> Value | None:
    """A member of an object, None where no table tells of it."""
    row = it.api.object_member(atom.cls, name)
    if row is None:
        return None
    return Member(atom, name) if row.kind in _METHODS else _read(it, row, atom, name, at)


def _read(it: Interpreter, row: ObjectRow, atom: Made, name: str, at: int) -> Value:
    """An attribute: what the object holds, or for a property what it computes."""
    level = max(atom.level, it.frame.ambient) if row.kind == "property" else atom.level
    ident = it.ident(at) if atom.ident is None else AttributeOf(atom.ident, name)
    term = row.call.returns
    match term.head:
        case "array" | "tree":
            return results.held(level, atom.origin, ident, array=term.head == "array")
        case "object":
            return Made(ident, atom.reason, term.first, level, atom.origin)
        case "ref":
            return Ref(level, atom.origin)
        case "static":
            return Static(ident=ident)
        case _:
            return Unknown(ident, atom.reason)


def inherited(it: Interpreter, cls: ClassValue, name: str) -> ObjectRow | None:
    """A member that a class of the project has from a framework's class."""
    for base in cls.bases:
        if isinstance(base, Qualified):
            found = it.api.object_member(base.name, name)
        else:
            found = inherited(it, base, name) if isinstance(base, ClassValue) and base is not cls else None
        if found is not None:
            return found
    return None


def inherited_attribute(it: Interpreter, atom: Object, cell: InstanceCell, name: str, at: int) -> Value | None:
    """The same, of an instance."""
    row = inherited(it, cell.cls, name)
    if row is None:
        return None
    if row.kind in _METHODS:
        return Member(atom, name)
    level = Level.ANY if cell.level is None else cell.level
    return _read(it, row, Made(cell.ident, None, "", level, cell.origin), name, at)


def call(it: Interpreter, receiver: Made, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`receiver.name(...)`, or the receiver itself called (`__call__`)."""
    row = it.api.object_member(receiver.cls, name)
    if row is None or row.kind not in _METHODS:
        return calls.call_unknown(it, receiver, arguments, node)
    stateful_modules.called(it, receiver, name, arguments, node)
    if row.call.returns.head == "run":
        return module_apply.call_module_method(it, receiver, name, arguments, node)
    return call_row(it, row, receiver, arguments, node, receiver.options)


def call_row(
    it: Interpreter,
    row: ObjectRow,
    receiver: Value,
    arguments: Arguments,
    node: ir.Expr,
    options: frozenset[tuple[str, Any]] = frozenset(),
) -> Value:
    """A call of a method that a row tells of."""
    draw(it, row, arguments, node, options, receiver)
    if isinstance(receiver, Made):
        required_keys.called(it, row, receiver, arguments, node)
    if it.api.has(row.name, "waits"):
        timing.waited(it)
    if it.api.has(row.name, "applies-gradients"):
        replicas.updated(it, arguments.all(), node)
    if isinstance(receiver, ClassValue):
        return instance(it, receiver, arguments, node)
    own = receiver.level if isinstance(receiver, Made) else Level.HOST
    level = max(own, results.level_of_call(it, row.call, arguments))
    result = _given(it, row.call.returns, LibraryCall(row.call, arguments, node, level), receiver)
    if isinstance(result, Array) and result.shape is None:
        result = replace(result, shape=layer_shapes.of_result(it, row.name, arguments, dict(options)))
    if it.api.has(row.name, "applies-gradients"):
        optimizers.updated(it, receiver, arguments, result, node)
    return result


def _given(it: Interpreter, term: Term, call: LibraryCall, receiver: Value) -> Value:  # noqa: PLR0911 - dispatches on terms
    """What a term stands for, beyond those that functions have."""
    _, arguments, node, level = call
    origin = origin_of(receiver) or results.origin_of_call(it, arguments, node, level)
    match term.head:
        case "object":
            return _made(it, term.first, call, origin)
        case "self":
            return (
                replace(receiver, level=level, origin=origin)
                if isinstance(receiver, Made)
                else _with(it, receiver, call)
            )
        case "outputs":
            # What a model gives is arrays: nothing shows it here, but a model that is run in a trace does nothing else.
            known = level >= Level.GRAD
            return Leaves(level, origin, it.ident(node.at), assumed=True) if known else _unknown(it, call)
        case "several":
            return Iterable("tuple", Leaves(level, origin))
        case "ref":
            return Ref(level, origin)
        case "tuple":
            rest = len(arguments.positional) - 1
            terms = [
                part
                for each in term.args
                for part in (each.args * max(rest, 1) if each.head == "rest" else (each,))
            ]  # fmt: skip
            return Tuple(tuple(_given(it, part, call, receiver) for part in terms))
        case "sampled":
            observed = arguments.keywords.get(term.first)
            if observed is not None and not (isinstance(observed, Static) and is_none(observed)):
                return _unknown(it, call)
            return results.held(level, origin, it.ident(node.at), array=True)
        case _:
            return results.returned(it, term, call)


def _with(it: Interpreter, receiver: Value, call: LibraryCall) -> Value:
    """The receiver; one more object like it where the call takes attributes by keyword (`apply_gradients`)."""
    params = call.row.params
    cell = it.cell(receiver) if isinstance(receiver, Object) and params.keywords else None
    if not isinstance(receiver, Object) or not isinstance(cell, InstanceCell):
        return receiver
    given, named = call.arguments.keywords, (*params.positional, *params.keyword_only)
    changes = {name: given[name] for name in given if name not in named}
    if not changes:
        return receiver
    return record_copies.changed(it, receiver, cell, Arguments(keywords=changes), call.node.at)


def _unknown(it: Interpreter, call: LibraryCall) -> Value:
    return it.unknown(f"call of `{call.row.name}`", call.node.at)


# --- instances of a framework's pytree class


@dataclass(slots=True)
class _LibraryClasses(Table):
    """Classes of frameworks whose instances are known by their attributes alone, by qualified name."""

    by_name: dict[str, ClassValue] = field(default_factory=dict)


def _created(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`TrainState.create(...)`: an instance of a class that has nothing of its own."""
    cls = it.tables[_LibraryClasses].by_name.get(name)
    if cls is None:
        nothing = ir.Scope(frozenset(), frozenset(), frozenset())
        short = name.rpartition(".")[2]
        plain = ir.Class(short, short, (), (), (), (), nothing, -1, node.at)
        cls = ClassValue(plain, it.frame.module, {}, (Qualified(name),), (), "pytree")
        it.tables[_LibraryClasses].by_name[name] = cls
    return instance(it, cls, arguments, node)


def instance(it: Interpreter, cls: ClassValue, arguments: Arguments, node: ir.Expr) -> Value:
    """A class method of a framework that makes an instance with these attributes."""
    attributes = dict(arguments.keywords)
    return it.allocate(
        InstanceCell(it.birth(node.at), cls, attributes, True, cls.name, OfObject(it.fresh()), Level.CONCRETE)
    )


# --- keys


def draw(
    it: Interpreter,
    row: ObjectRow,
    arguments: Arguments,
    node: ir.Expr,
    options: frozenset[tuple[str, Any]],
    receiver: Value = UNKNOWN,
) -> None:
    """What the call does to the keys that it is given."""
    match row.when.head:
        case "stream":
            name = arguments.first.value if isinstance(arguments.first, Static) else row.when.first
            rng_streams.note(it, str(name), node)
            return
        case "unless" if _is_off(row, arguments, dict(options)):
            return
        case "updates":
            if _is_surely_off(row, arguments, dict(options)):
                rng_streams.note_update(it, row.when.args[1].head, node)
            return
        case "training":
            rng_streams.consume_rngs(it, arguments, node)
            return
        case _:
            pass
    if row.key is None:
        return
    for value, at in _keys_given(row, arguments):
        if row.when.head == "fold":
            keys.use(it, value, keys.Action("fold", row.name, Constant(0)), node, at)
        else:
            action = "pass" if _hands_on(it, receiver, row) else "consume"
            keys.use(it, value, keys.Action(action, row.name, many=True), node, at)
        return
    if len(row.when.args) > 1:
        rates = {rate for name, rate in options if name in _RATES}
        rng_streams.note(it, row.when.args[1].head, node, sure=bool(rates) and "?" not in rates)


def _hands_on(it: Interpreter, receiver: Value, row: ObjectRow) -> bool:
    """Whether a framework's method runs methods of a class of the project, which need not draw from the key."""
    cell = it.cell(receiver) if isinstance(receiver, Object) else None
    return isinstance(cell, InstanceCell) and row.key is not None and _takes(cell.cls, row.key)


def _takes(cls: ClassValue, name: str) -> bool:
    """Whether a method that a class has from the project takes a parameter of this name."""
    own = (function for each in (cls, *ancestors(cls)) for function in method_effects.methods(each))
    return any(parameter.name == name for function in own for parameter in function.parameters)


def _keys_given(row: ObjectRow, arguments: Arguments) -> list[tuple[Value, int]]:
    """What is given for the key, where it may be one; by any keyword where the object takes keys by name."""
    names = [row.key, *(arguments.keywords if row.call.params.keywords == row.key else ())]
    found: list[tuple[Value, int]] = []
    for name in dict.fromkeys(names):
        position = row.call.params.positional.index(name) if name in row.call.params.positional else None
        value = arguments.get(position, name)
        if isinstance(value, Key | Leaves | Unknown) and not isinstance(value, Made):
            found.append((value, arguments.at(position, name)))
    return found


#: What layers are told of how much they draw.
_RATES = frozenset({"rate", "p"})


def _is_off(row: ObjectRow, arguments: Arguments, options: dict[str, Any]) -> bool:
    """Whether a flag keeps a layer from drawing, or may do so: given at the call, else when the layer was made."""
    return bool(_chosen(row, arguments, options)) or any(options.get(rate) == 0 for rate in _RATES)


def _is_surely_off(row: ObjectRow, arguments: Arguments, options: dict[str, Any]) -> bool:
    """Whether the flag of a layer is off, and is known to be."""
    return _chosen(row, arguments, options) is False


def _chosen(row: ObjectRow, arguments: Arguments, options: dict[str, Any]) -> Any:
    """What the flag of a layer is: None where it is not given, `?` where it is not known."""
    flag = row.when.first
    params = row.call.params.positional
    position = params.index(flag) if flag in params else None
    value: Value | None = arguments.get(position, flag)
    if value is None or (isinstance(value, Static) and is_none(value)):
        return options.get(flag)
    return value.value if isinstance(value, Static) and value.known else "?"
