"""Objects of classes that extend a container, `class Config(dict)`: what they hold as dicts, lists and the like."""

from __future__ import annotations

import collections
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.class_fields import library_bases
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    NONE,
    UNKNOWN,
    Arguments,
    ClassValue,
    DictCell,
    InstanceCell,
    ListCell,
    Member,
    Object,
    Partial,
    Qualified,
    Tuple,
    Value,
)
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler

CHAIN: Final = "collections.ChainMap"
#: Containers by what they are made of, and the attribute under which an object of such a class has them: of some of
#: these classes one that programs read, else one that no program can.
_KINDS: Final = {
    "builtins.dict": ("builtins.dict", "contents of dict"),
    "collections.OrderedDict": ("collections.OrderedDict", "contents of dict"),
    "collections.defaultdict": ("collections.defaultdict", "contents of dict"),
    "collections.Counter": ("collections.Counter", "contents of dict"),
    "collections.UserDict": ("builtins.dict", "data"),
    "builtins.list": ("builtins.list", "contents of list"),
    "collections.deque": ("collections.deque", "contents of list"),
    "collections.UserList": ("builtins.list", "data"),
    CHAIN: ("builtins.list", "maps"),
}
_METHODS: Final = {
    DictCell: frozenset(dir(collections.OrderedDict)) | frozenset(dir(collections.Counter)),
    ListCell: frozenset(dir(list)) | frozenset(dir(collections.deque)),
}


def kind_of(cls: ClassValue) -> str:
    """The container that a class extends; an empty text where it extends none."""
    return next((base for base in library_bases(cls) if base in _KINDS), "") if cls.bases else ""


def fill(it: Interpreter, reference: Object, arguments: Arguments, at: int) -> None:
    """Make the container inside of an object, of what its class is called with."""
    cell = it.cell(reference)
    kind = kind_of(cell.cls) if isinstance(cell, InstanceCell) else ""
    if not isinstance(cell, InstanceCell) or not kind:
        return
    node = ir.Constant(None, at)
    if kind == CHAIN:
        maps = tuple(arguments.positional) or (it.library.call(it, "builtins.dict", Arguments(), node),)
        arguments = Arguments([Tuple(maps)], positional_at=[-1])
    made, name = _KINDS[kind]
    held = it.library.call(it, made, arguments, node)
    if isinstance(held, Object):
        it.update(reference, replace(cell, attributes={**cell.attributes, name: held}))


def contents(it: Interpreter, value: Value, *, stored: bool = False) -> Value:
    """The container inside of an object, or the one that is `stored` into; else the value itself."""
    cell = it.cell(value) if isinstance(value, Object) else None
    kind = kind_of(cell.cls) if isinstance(cell, InstanceCell) else ""
    if not isinstance(cell, InstanceCell) or not kind:
        return value
    held = cell.attributes.get(_KINDS[kind][1], value)
    return _chained(it, held, cell, stored=stored) if kind == CHAIN else held


def _chained(it: Interpreter, maps: Value, chain: InstanceCell, *, stored: bool) -> Value:
    """The mappings of a chain as one, the first ones before; the first alone is stored into."""
    cell = it.cell(maps) if isinstance(maps, Object) else None
    if not isinstance(cell, ListCell) or not cell.elements:
        return it.unknown("a chain of mappings", chain.birth.at)
    if stored:
        return cell.elements[0]
    items: dict[Any, Value] = {}
    rest: list[Value] = []
    for mapping in cell.elements:
        part = it.cell(mapping) if isinstance(mapping, Object) else None
        if not isinstance(part, DictCell):
            return it.unknown("a chain of mappings", chain.birth.at)
        items = {**part.items, **items}
        rest += [] if part.rest is None else [part.rest]
    return it.allocate(DictCell(chain.birth, items, join_all(rest) if rest else None))


def attribute(it: Interpreter, reference: Object, cell: InstanceCell, name: str) -> Value | None:
    """A method that an object has of the container it extends; None where it has none of this name."""
    kind = kind_of(cell.cls)
    if not kind:
        return None
    if name == "__init__" or (kind == CHAIN and name == "new_child"):
        return Partial(Qualified(f"{kind}.{name}"), (reference,), {}, it.fresh())
    if kind == CHAIN and name == "parents":
        maps = iteration.exact_elements(it, cell.attributes[_KINDS[CHAIN][1]])
        return UNKNOWN if not maps else _chain_of(it, maps[1:], cell.birth.at)
    held = contents(it, reference)
    inner = it.cell(held) if isinstance(held, Object) else None
    return Member(held, name) if inner is not cell and name in _METHODS.get(type(inner), ()) else None


def _chain_of(it: Interpreter, maps: tuple[Value, ...], at: int) -> Object:
    nothing = ir.Scope(frozenset(), frozenset(), frozenset())
    plain = ir.Class("ChainMap", "ChainMap", (), (), (), (), nothing, -1, at)
    cls = ClassValue(plain, it.frame.module, {}, (Qualified(CHAIN),))
    reference = it.allocate(InstanceCell(it.birth(at), cls, {}, open=False, label="chain"))
    fill(it, reference, Arguments(list(maps), positional_at=[-1] * len(maps)), at)
    return reference


# --- calls of the container's own functions


def _chain(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """collections.ChainMap."""
    if arguments.extra:
        return it.unknown("a chain of mappings", node.at)
    return _chain_of(it, tuple(arguments.positional), node.at)


def _new_child(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    maps = iteration.exact_elements(it, it.attribute(arguments.first, "maps", node.at)) or ()
    first = arguments.get(1, "m") or it.library.call(it, "builtins.dict", Arguments(), node)
    return _chain_of(it, (first, *maps), node.at)


def _initialize(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`dict.__init__(self, ...)` and `super().__init__(...)`."""
    if isinstance(arguments.first, Object):
        fill(it, arguments.first, arguments.after(1), node.at)
    return NONE


def _method(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`dict.update(self, ...)`: the container's method, whatever the class has of that name."""
    member = Member(contents(it, arguments.first, stored=True), name.rpartition(".")[2])
    return it.call(member, arguments.after(1), node)


SPECIAL: dict[str, Handler] = {
    **{
        f"{kind}.{method}": _method
        for kind in _KINDS
        for names in _METHODS.values()
        for method in names
        if method != "fromkeys"
    },
    **{f"{kind}.__init__": _initialize for kind in _KINDS},
    CHAIN: _chain,
    f"{CHAIN}.new_child": _new_child,
}
