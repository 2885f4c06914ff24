"""Fields as `dataclasses.field` and its kin specify them, in the class or by a helper: static ones, and defaults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import (
    Arguments,
    ClassValue,
    DictCell,
    InstanceCell,
    Made,
    Object,
    Qualified,
    Static,
    Unknown,
    Value,
)
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.python import calls
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler

#: The class of what a call that makes a field static returns.
_FIELD: Final = "dataclasses.Field"
#: What keeps a field out of the leaves, as a keyword or in the metadata.
_STATIC: Final = {"static": True, "pytree_node": False}


@dataclass(slots=True)
class _Defaults(Table):
    """What specifiers give as defaults, and what makes one for each object, by the identity of the specifier.

    Fields of those in `without` have no default: each object has a value of its own, and the class has none.
    """

    without: set[Ident] = field(default_factory=set)
    values: dict[Ident, Value] = field(default_factory=dict)
    factories: dict[Ident, Value] = field(default_factory=dict)
    converters: dict[Ident, Value] = field(default_factory=dict)


@dataclass(slots=True)
class _Converters(Table):
    """What turns values into what fields hold, by the class that declares them and their names."""

    of_class: dict[ClassValue, dict[str, Value]] = field(default_factory=dict)


def specify(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`field(...)`: its value says whether the field is static; its defaults are found by its identity."""
    value = calls.call_unknown(it, Qualified(name), arguments, node, f"call of `{name}`")
    if isinstance(value, Unknown):
        _note_defaults(it, value.ident, arguments)
    meaning = it.api.meaning(name)
    always = meaning is not None and meaning.first == "static"
    if isinstance(value, Unknown) and (always or _is_static(it, arguments)):
        return Made(value.ident, value.reason, _FIELD)
    return value


def _note_defaults(it: Interpreter, ident: Ident, arguments: Arguments) -> None:
    given, known = arguments.keywords, it.tables[_Defaults]
    factory = given.get("default_factory", given.get("factory"))
    if "converter" in given:
        known.converters[ident] = given["converter"]
    if "default" in given:
        known.values[ident] = given["default"]
    elif factory is not None:
        known.factories[ident] = factory
    elif not arguments.extra and not arguments.positional:
        known.without.add(ident)


def take_defaults(it: Interpreter, namespace: dict[str, Value]) -> None:
    """Put the defaults that specifiers give in their places."""
    known = it.tables[_Defaults]
    for name, value in tuple(namespace.items()):
        if isinstance(value, Unknown) and value.ident in known.values:
            namespace[name] = known.values[value.ident]
        elif isinstance(value, Unknown) and value.ident in known.without:
            del namespace[name]


def made_default(it: Interpreter, specifier: Value | None, at: int) -> Value | None:
    """What a new object gets by default: a container or object of its own, if a factory makes one."""
    factory = it.tables[_Defaults].factories.get(specifier.ident) if isinstance(specifier, Unknown) else None
    if factory is None:
        return None
    return it.call(factory, Arguments(), ir.Call(ir.Name("default_factory", at), (), (), at))


def take_converters(it: Interpreter, cls: ClassValue) -> None:
    """Note which fields of a class turn what they are given into something else."""
    known = it.tables[_Defaults].converters
    found = {name: known[v.ident] for name, v in cls.namespace.items() if isinstance(v, Unknown) and v.ident in known}
    if found:
        it.tables[_Converters].of_class[cls] = found


def convert(it: Interpreter, made: Object, at: int) -> None:
    """Turn the attributes of a new object into what its fields hold, once its initializer is through."""
    known = it.tables[_Converters].of_class
    cell = it.cell(made) if known else None
    if not isinstance(cell, InstanceCell):
        return
    converters: dict[str, Value] = {}
    declared: set[str] = set()  # anew, below
    for cls in _with_bases(cell.cls):
        converters |= {name: value for name, value in known.get(cls, {}).items() if name not in declared}
        declared |= cls.namespace.keys() | set(_declarations(cls))
    converted = {
        name: it.call(converter, Arguments([value], positional_at=[at]), ir.Call(ir.Name("converter", at), (), (), at))
        for name, converter in converters.items()
        if (value := cell.attributes.get(name)) is not None
    }
    now = it.cell(made)
    if converted and isinstance(now, InstanceCell):
        it.update(made, replace(now, attributes={**now.attributes, **converted}))


def _declarations(cls: ClassValue) -> Iterator[str]:
    annotated = (statement.target for statement in cls.cls.body if isinstance(statement, ir.AnnotatedAssign))
    return (target.id for target in annotated if isinstance(target, ir.Name))


def _with_bases(cls: ClassValue) -> Iterator[ClassValue]:
    yield cls
    for base in cls.bases:
        if isinstance(base, ClassValue) and base is not cls:
            yield from _with_bases(base)


def _is_static(it: Interpreter, arguments: Arguments) -> bool:
    given = dict(arguments.keywords)
    metadata = given.get("metadata")
    cell = it.cell(metadata) if isinstance(metadata, Object) else None
    if isinstance(cell, DictCell):
        given |= {key: value for key, value in cell.items.items() if isinstance(key, str)}
    return any(isinstance(v := given.get(name), Static) and v.value is wanted for name, wanted in _STATIC.items())


def take_static(namespace: dict[str, Value]) -> frozenset[str]:
    """The names of a class's body that stand for static fields, whose values become plain ones."""
    found = {name: value for name, value in namespace.items() if isinstance(value, Made) and value.cls == _FIELD}
    namespace.update({name: Unknown(value.ident, value.reason) for name, value in found.items()})
    return frozenset(found)


SPECIAL: Final[dict[str, Handler]] = {"dataclasses.field": specify, "field_specifier": specify}
