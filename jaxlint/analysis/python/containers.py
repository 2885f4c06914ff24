"""Method calls on Python's own containers, and on instances whose class lacks the method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.analysis.domain.class_fields import MODULE_METHODS
from jaxlint.analysis.domain.lattice import join, join_all
from jaxlint.analysis.domain.values import (
    NONE,
    STATIC,
    STATIC_BOOL,
    STATIC_INT,
    UNKNOWN,
    Arguments,
    DictCell,
    InstanceCell,
    Iterable,
    ListCell,
    Object,
    SetCell,
    Static,
    Tuple,
    Value,
    atoms_of,
    constant,
    has_no_value,
)
from jaxlint.analysis.events.event import Operand, has_no_hash
from jaxlint.analysis.events.tracing import Hashed, IntegerNeeded
from jaxlint.analysis.python import attribute_views, calls, iteration, record_copies, stale_reads, stores, text_and_hash
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Call(NamedTuple):
    """A call of a method, `receiver.name(...)`."""

    receiver: Object
    name: str
    arguments: Arguments
    node: ir.Expr


#: Methods of containers that stand for subscripts and operators.
_SUBSCRIPTS = {f"__{name}__": f"operator.{name}" for name in ("getitem", "setitem", "delitem", "contains")}
_SUBSCRIPTS |= {"__len__": "builtins.len", "__iter__": "builtins.iter"}


def call(it: Interpreter, receiver: Object, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`receiver.name(...)` of a list, a dict, a set, or an instance whose class does not have the method."""
    if name in _SUBSCRIPTS and isinstance(it.cell(receiver), ListCell | DictCell):
        return it.library.call(it, _SUBSCRIPTS[name], arguments.before((receiver,), {}), node)
    cell = it.cell(receiver)
    method = _Call(receiver, name, arguments, node)
    match cell:
        case ListCell():
            return _list(it, cell, method)
        case DictCell():
            result = _dict(it, cell, method)
            attribute_views.written(it, receiver)
            return result
        case SetCell():
            return _set(it, cell, method)
        case InstanceCell():
            return _instance(it, cell, method)
        case _:
            return calls.call_unknown(it, receiver, arguments, node)


def _mutates(it: Interpreter, method: _Call) -> None:
    receiver, name, arguments, node = method
    stale_reads.changed(it, receiver, node.at)
    if isinstance(node, ir.Call):
        given = arguments.positional
        value = (
            Operand(given[-1], it.frame, arguments.positional_at[-1])
            if given and arguments.positional_at[-1] >= 0
            else None
        )
        how = "discard" if name == "pop" and len(given) == _WITH_DEFAULT and _is_dropped(it, node) else name
        stores.tell_call_mutation(it, receiver, _receiver_in(node, name), how, value)


#: The arguments of a `pop` that takes what is not there for done.
_WITH_DEFAULT = 2


def _is_dropped(it: Interpreter, node: ir.Call) -> bool:
    """Whether a call is a statement: nobody sees what it gives."""
    alone = (part for part in walks.statements(it.frame.body) if isinstance(part, ir.ExpressionStatement))
    return any(part.value.at == node.at for part in alone)


def _receiver_in(node: ir.Call, name: str) -> ir.Expr:
    """What a call changes: `items` in `items.append(x)` and `map(items.append, xs)`; else the name of the method."""
    handed_on = next((arg for arg in node.args if isinstance(arg, ir.Attribute) and arg.attr == name), None)
    if handed_on is not None:
        return handed_on.base
    if not isinstance(node.func, ir.Attribute):
        return node.func
    return node.func.base if node.func.attr == name else node


def _list(  # noqa: PLR0911 - dispatches on the names of methods
    it: Interpreter, cell: ListCell, method: _Call
) -> Value:
    receiver, name, arguments, node = method._replace(name=_QUEUE_METHODS.get(method.name, method.name))
    row = it.api.python_member("list", name)
    raises = name == "pop" and any(has_no_value(atom) for value in arguments.positional for atom in atoms_of(value))
    if ((row is not None and row.mutates) or name in _DEQUE_METHODS) and not raises:
        _mutates(it, method)
    given = arguments.positional[-1] if arguments.positional else None
    match name:
        case "append" | "appendleft" | "insert" if given is not None:
            known = name != "insert" and cell.elements is not None and len(cell.elements) < MAX_EXACT
            before = cell.elements if known and cell.elements is not None else ()
            exact = (given, *before) if name == "appendleft" else (*before, given)
            _grow(it, receiver, cell, exact if known else None, given)
            return NONE
        case "extend" | "extendleft" if given is not None:
            more = iteration.exact_elements(it, given)
            both = None
            if more is not None and cell.elements is not None:
                both = (*cell.elements, *more) if name == "extend" else (*more[::-1], *cell.elements)
            _grow(it, receiver, cell, both, join_all(more) if more else iteration.element(it, given, node.at))
            return NONE
        case "pop" | "popleft":
            return _pop(it, cell, method._replace(name=name))
        case "copy":
            return it.allocate(ListCell(it.birth(node.at), cell.elements, cell.element))
        case "index" | "count" | "qsize":
            return STATIC_INT
        case "empty" | "full":
            return STATIC_BOOL
        case "clear":
            it.update(receiver, ListCell(cell.birth, (), UNKNOWN))
            return NONE
        case "reverse" if cell.elements is not None:
            it.update(receiver, ListCell(cell.birth, cell.elements[::-1], cell.element))
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


def _pop(it: Interpreter, cell: ListCell, method: _Call) -> Value:
    receiver, name, arguments, node = method
    if arguments.positional and any(map(has_no_value, atoms_of(arguments.positional[0]))) and it.wants(IntegerNeeded):
        operand = Operand(arguments.positional[0], it.frame, arguments.positional_at[0])
        it.emit(IntegerNeeded(it.frame, node.at, operand, "index", "list"))
    if cell.elements and name == "popleft":
        it.update(receiver, ListCell(cell.birth, cell.elements[1:], cell.element))
        return cell.elements[0]
    if cell.elements and not arguments.positional:
        it.update(receiver, ListCell(cell.birth, cell.elements[:-1], cell.element))
        return cell.elements[-1]
    it.update(receiver, ListCell(cell.birth, None, cell.element))
    return iteration.refresh(it, cell.element, iteration.picked(it))


_DEQUE_METHODS = frozenset({"appendleft", "popleft", "extendleft", "rotate"})
#: Methods of queues, by those of lists.
_QUEUE_METHODS = {"put": "append", "put_nowait": "append", "get": "popleft", "get_nowait": "popleft"}


def _dict(it: Interpreter, cell: DictCell, method: _Call) -> Value:
    receiver, name, arguments, node = method
    row = it.api.python_member("dict", name)
    if row is not None and row.mutates:
        _mutates(it, method)
    match name:
        case "keys" | "values" | "items":
            return _view(it, cell, name)
        case "get" | "pop" | "setdefault" if arguments.positional:
            return _dict_get(it, cell, method)
        case "popitem":
            return _popitem(it, cell, method)
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


def _view(it: Interpreter, cell: DictCell, name: str) -> Value:
    if name == "keys":
        return Iterable("keys", _keys_of(it, cell))
    if name == "values":
        return Tuple(tuple(cell.items.values())) if cell.rest is None else Iterable("values", _any_value(cell))
    if cell.rest is None:
        return Tuple(tuple(Tuple((Static(k, type(k).__name__), v)) for k, v in cell.items.items()))
    return Iterable("items", Tuple((_keys_of(it, cell), _any_value(cell))))


def _popitem(it: Interpreter, cell: DictCell, method: _Call) -> Value:
    """The last item, or with `last=False` the first: the only one there is, or any."""
    if cell.rest is not None or len(cell.items) != 1:
        it.update(method.receiver, DictCell(cell.birth, {}, _any_value(cell)))
        return Tuple((_keys_of(it, cell), _any_value(cell)))
    it.update(method.receiver, DictCell(cell.birth, {}, None))
    ((key, value),) = cell.items.items()
    return Tuple((constant(key), value))


def _any_value(cell: DictCell) -> Value:
    return join_all([*cell.items.values(), *(() if cell.rest is None else (cell.rest,))])


def _keys_of(it: Interpreter, cell: DictCell) -> Value:
    types = {type(key).__name__ for key in cell.items}
    return Static(type=types.pop(), ident=it.ident(-1)) if len(types) == 1 else Static(ident=it.ident(-1))


def _dict_get(it: Interpreter, cell: DictCell, method: _Call) -> Value:
    receiver, name, arguments, node = method
    key = arguments.positional[0]
    default: Value = arguments.positional[1] if len(arguments.positional) > 1 else NONE
    if has_no_hash(key) and it.wants(Hashed):
        it.emit(Hashed(it.frame, node.at, Operand(key, it.frame, arguments.positional_at[0]), "dict key"))
    if all(map(has_no_hash, atoms_of(key))):
        return it.unknown(text_and_hash.UNFOUND, node.at)
    known = isinstance(key, Static) and key.known and isinstance(key.value, str | int | float | bool)
    value: Value
    if known and name == "get":
        part = stale_reads.Part(receiver.oid, key.value)  # type: ignore[union-attr]
        now = cell.items.get(key.value, default if cell.rest is None else None)  # type: ignore[union-attr]
        stale_reads.note_part(it, part, cell.birth.frame, now, node.at)
    if known and key.value in cell.items:  # type: ignore[union-attr]
        value = cell.items[key.value]  # type: ignore[union-attr]
        if name == "pop":
            items = {k: v for k, v in cell.items.items() if k != key.value}  # type: ignore[union-attr]
            it.update(receiver, DictCell(cell.birth, items, cell.rest))
        return value
    value = (
        default
        if cell.rest is None and (known or not cell.items)  # an empty dict lacks every key
        else join(cell.rest if known and cell.rest is not None else _any_value(cell), default)
    )
    if name == "setdefault" and known:
        it.update(receiver, DictCell(cell.birth, {**cell.items, key.value: value}, cell.rest))  # type: ignore[union-attr]
    elif name == "setdefault":
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


def _set(it: Interpreter, cell: SetCell, method: _Call) -> Value:
    receiver, name, arguments, node = method
    row = it.api.python_member("set", name)
    if row is not None and row.mutates:
        _mutates(it, method)
    if name == "add" and arguments.positional:
        value = arguments.positional[0]
        at = arguments.positional_at[0]
        text_and_hash.hashed(it, value, ir.Constant(None, at if at >= 0 else node.at), "set member")
        it.update(receiver, SetCell(cell.birth, join(cell.element, value)))
        return NONE
    return STATIC if row is None or row.mutates else it.allocate(SetCell(it.birth(node.at), cell.element))


def _instance(it: Interpreter, cell: InstanceCell, method: _Call) -> Value:
    """A method that the class's own code does not have: `replace` of a dataclass-like pytree, or a base class's."""
    receiver, name, arguments, node = method
    if cell.cls.kind == "module" and name in MODULE_METHODS:
        return it.library.call_module_method(it, receiver, name, arguments, node)
    if name in record_copies.METHODS:
        return record_copies.changed(it, receiver, cell, arguments, node.at)
    row = it.library.inherited(it, cell.cls, name)
    if row is not None:
        return it.library.call_inherited(it, row, receiver, arguments, node)
    return calls.call_unknown(it, UNKNOWN, arguments, node)


def tuple_method(it: Interpreter, receiver: Tuple, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A method of a tuple or a named tuple."""
    match name:
        case "_replace":
            kept = receiver.elements  # `**changes` of unknown names may replace any
            if arguments.extra:
                kept = tuple(join(each, arguments.named or UNKNOWN) for each in kept)
            parts = tuple(arguments.keywords.get(n, e) for n, e in zip(receiver.names, kept))
            return Tuple(parts, receiver.names, receiver.cls)
        case "_asdict":
            return it.allocate(DictCell(it.birth(node.at), dict(zip(receiver.names, receiver.elements)), None))
        case "index" | "count":
            return STATIC_INT
        case _:
            return calls.call_unknown(it, receiver, arguments, node)


def iterable_method(it: Interpreter, receiver: Iterable, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A method of something that is gone through, of unknown length; one of a class's own gives what it likes."""
    if name in ("index", "count"):
        return STATIC_INT
    if name not in _STEPS and it.api.array_member(name) is None and not _is_of_container(it, name):
        return calls.call_unknown(it, receiver, arguments, node)
    return iteration.element(it, receiver, node.at, iteration.picked(it))


#: Methods of iterators that give what comes next.
_STEPS: Final = frozenset({"__next__", "next", "send"})


def _is_of_container(it: Interpreter, name: str) -> bool:
    """Whether a container of Python has a method."""
    return any(it.api.python_member(kind, name) is not None for kind in ("list", "dict", "set", "deque"))
