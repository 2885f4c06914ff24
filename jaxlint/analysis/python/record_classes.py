"""Classes of records that a call makes, `namedtuple("Point", "x y")`, and typed dictionaries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.class_fields import ancestors, fields
from jaxlint.analysis.domain.idents import FieldOf, Fresh
from jaxlint.analysis.domain.values import UNKNOWN, Arguments, ClassValue, DictCell, Qualified, Static, Unknown, Value
from jaxlint.analysis.python import iteration
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler

#: Calls a class of named tuples with the elements of what it is given.
MADE_OF = "jaxlint.named_tuple"
#: The index of a class that a call makes: no statement does.
_BY_CALL: Final = -1
#: A field's name, and its annotation where it has one.
_Field = tuple[str, ir.Expr | None]


def _record_class(kind: str) -> Handler:
    def make(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        title, declared = arguments.get(0, "typename"), _fields(it, arguments, node)
        if not isinstance(title, Static) or not isinstance(title.value, str) or declared is None:
            return it.unknown(f"a class made by `{name}`", node.at)
        body = tuple(_declaration(field, annotation, node.at) for field, annotation in declared)
        names = frozenset(field for field, _ in declared)
        scope = ir.Scope(names, frozenset(), frozenset())
        cls = ir.Class(title.value, title.value, (), (), (), body, scope, _BY_CALL, node.at)
        return ClassValue(cls, it.frame.module, _defaults(it, arguments, declared), (), kind=kind)

    return make


def places_beside(it: Interpreter, count: int) -> frozenset[int]:
    """The places in records of so many fields that hold no leaves, by what the names of the module are registered with.

    A tree of unknown structure that is taken apart there may be such a record.
    """
    module = it.frame.module.frame
    known = () if module is None else module.state.env.values()
    records = (value for value in known if value.__class__ is ClassValue and value.flatten is not None)
    return frozenset(place for cls in records for place in _places_beside(it, cls, count))


def _places_beside(it: Interpreter, cls: ClassValue, count: int) -> Iterator[int]:
    declared = fields(cls)
    if len(declared) == count and any(_is_record(it, each) for each in (cls, *ancestors(cls))):
        yield from (place for place, (_, is_static) in enumerate(declared.values()) if is_static)


def _is_record(it: Interpreter, cls: ClassValue) -> bool:
    """Whether a class itself makes named tuples, whatever it was registered as."""
    bases = (base.name for base in cls.bases if isinstance(base, Qualified))
    return cls.cls.index == _BY_CALL or any(it.api.class_kind(name) == "namedtuple" for name in bases)


def _fields(it: Interpreter, arguments: Arguments, node: ir.Expr) -> list[_Field] | None:
    """The fields in order: the names in a text, or what the literal lists; None where they are not known."""
    given = arguments.get(1, "field_names")
    if given is None:
        return None
    if isinstance(given, Static) and isinstance(given.value, str):
        return [(name, None) for name in given.value.replace(",", " ").split()]
    written = node.args[1] if isinstance(node, ir.Call) and len(node.args) > 1 else None
    listed = [] if written is None else list(_listed(written))
    if listed:
        return listed
    names = [getattr(element, "value", None) for element in iteration.exact_elements(it, given) or ()]
    return [(name, None) for name in names if isinstance(name, str)] or None


def _listed(literal: ir.Expr) -> Iterator[_Field]:
    """The fields in `[("x", Array)]`, `{"x": Array}` and `["x", "y"]`."""
    pairs: tuple[Any, ...] = ()
    match literal:
        case ir.SequenceDisplay(elements=elements):
            pairs = tuple(e.elements if isinstance(e, ir.SequenceDisplay) else (e, None) for e in elements)
        case ir.DictDisplay(items=items):
            pairs = items
    for name, annotation in (pair for pair in pairs if len(pair) == 2):
        if isinstance(name, ir.Constant) and isinstance(name.value, str):
            yield name.value, annotation


def _declaration(name: str, annotation: ir.Expr | None, at: int) -> ir.AnnotatedAssign:
    """`name: annotation`; an empty string stands for an annotation that says nothing."""
    return ir.AnnotatedAssign(ir.Name(name, at), annotation or ir.Constant("", at), None, at)


def _defaults(it: Interpreter, arguments: Arguments, declared: list[_Field]) -> dict[str, Value]:
    """The values of the last fields, which `defaults=` gives."""
    given = arguments.get(None, "defaults")
    values = None if given is None else iteration.exact_elements(it, given)
    return {} if not values else dict(zip([name for name, _ in declared][-len(values) :], values))


def typed_dict(it: Interpreter, arguments: Arguments, at: int) -> Value:
    """What a class of typed dictionaries makes of keywords: a dict."""
    if arguments.positional or arguments.extra:
        return it.unknown("a typed dict", at)
    return it.allocate(DictCell(it.birth(at), dict(arguments.keywords), None))


def annotated_dict(it: Interpreter, cls: ClassValue, value: Unknown) -> Value:
    """Some dict of this class, known by an annotation only: it has the keys that are required, and perhaps others."""
    items: dict[Any, Value] = {
        name: Unknown(FieldOf(value.ident, name), value.reason)
        for name, (annotation, _) in fields(cls).items()
        if not _may_be_missing(cls, name, annotation)
    }
    rest = Unknown(it.element_ident(value.ident, Fresh(it.fresh())), value.reason)
    return it.allocate(DictCell(it.birth(cls.cls.at), items, rest))


def _may_be_missing(cls: ClassValue, name: str, annotation: ir.Expr | None) -> bool:
    """Whether `NotRequired[...]`, or `total=False` of the class that declares a key, leaves it out."""
    if annotation is not None and any(walks.spelling(n).endswith("NotRequired") for n in walks.nodes(annotation)):
        return True
    return any(
        keyword == "total" and isinstance(given, ir.Constant) and given.value is False
        for declaring in _declaring(cls, name)
        for keyword, given in declaring.cls.keywords
    )


def _declaring(cls: ClassValue, name: str) -> Iterator[ClassValue]:
    own = (s.target for s in cls.cls.body if isinstance(s, ir.AnnotatedAssign))
    if any(isinstance(target, ir.Name) and target.id == name for target in own):
        yield cls
        return
    for base in cls.bases:
        if isinstance(base, ClassValue):
            yield from _declaring(base, name)


def _made_of(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`Point._make(values)`."""
    exact = iteration.exact_elements(it, arguments.get(1, "iterable") or UNKNOWN)
    if exact is None:
        return it.unknown("a named tuple of values that are not known", node.at)
    return it.call(arguments.first, Arguments(list(exact), positional_at=[-1] * len(exact)), node)


SPECIAL: dict[str, Handler] = {
    "collections.namedtuple": _record_class("namedtuple"),
    "typing.NamedTuple": _record_class("namedtuple"),
    "typing.TypedDict": _record_class("typeddict"),
    MADE_OF: _made_of,
}
