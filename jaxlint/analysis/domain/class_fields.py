"""What decorators and base classes of libraries make of a project class, and its annotated fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from jaxlint.analysis.domain.values import (
    UNKNOWN,
    ClassValue,
    InstanceCell,
    Qualified,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.syntax import ir, walks

#: Methods of a module that run another of its methods.
MODULE_METHODS = frozenset({"apply", "init", "init_with_output", "lazy_init"})


def library_bases(cls: ClassValue) -> Iterator[str]:
    """The classes of libraries that a class derives from, by itself or through others of the project."""
    for base in cls.bases:
        if isinstance(base, ClassValue):
            yield from library_bases(base)
        elif isinstance(base, Qualified):
            yield base.name


def ancestors(cls: ClassValue) -> Iterator[ClassValue]:
    """The classes of the project that a class derives from, by itself or through others."""
    for base in cls.bases:
        if isinstance(base, ClassValue):
            yield base
            yield from ancestors(base)


def fields(cls: ClassValue) -> dict[str, tuple[ir.Expr | None, bool]]:
    """The annotated fields in order: (annotation, whether it is static, i.e. no leaf of the pytree)."""
    beside = _beside(cls)
    return {name: (annotation, marked or name in beside) for name, (annotation, marked) in _annotated(cls).items()}


def statics(cls: ClassValue) -> frozenset[str]:
    """The attributes that are no leaves of the pytree: static fields, and what flattening hands out beside."""
    return _beside(cls) | {name for name, (_, is_marked) in _annotated(cls).items() if is_marked}


def declared_statics(cls: ClassValue) -> frozenset[str]:
    """The fields that the class, or who registers it, says are no leaves, and that stay what they are beside these."""
    inherited = (declared_statics(base) for base in cls.bases if isinstance(base, ClassValue))
    own = {
        statement.target.id
        for statement in cls.cls.body
        if isinstance(statement, ir.AnnotatedAssign)
        and isinstance(statement.target, ir.Name)
        and _says_static(statement.value)
    }
    beside = (parts.whole for parts in _flattenings(cls) if parts is not None)
    return cls.auxiliary.union(own, *inherited, *beside)


def _says_static(value: ir.Expr | None) -> bool:
    """Whether a field's specifier says that it is static, in words of its own or of its metadata."""
    if not isinstance(value, ir.Call):
        return False
    named = dict(value.keywords)
    metadata = named.pop("metadata", None)
    if metadata is not None:
        parts = (part.value for part in walks.nodes(metadata) if isinstance(part, ir.Constant))
        return "static" in parts or any(isinstance(p, ir.Call) and "static" in dict(p.keywords) for p in (metadata,))
    return _is_static_field(value)


def held(cell: InstanceCell) -> dict[str, Value]:
    """The attributes of an object; the fields that a pytree left at their defaults are its own, as all others are."""
    is_known = cell.cls.kind == "pytree" and not cell.open
    return {**_defaults(cell.cls), **cell.attributes} if is_known else cell.attributes


def rebuilt(cell: InstanceCell, replace: Callable[[Value], Value]) -> dict[str, Value]:
    """The attributes of an object whose leaves were replaced: flattened, and made again."""
    static, children = statics(cell.cls), leaves(cell.cls)
    before = held(cell)
    picks = picks_leaves(cell.cls)
    attributes = {
        name: value if name in static else UNKNOWN if picks and _may_be_left_out(value) else replace(value)
        for name, value in before.items()
    }
    if children:  # what is neither among them nor beside them is made anew, as who unflattens likes
        attributes |= dict.fromkeys(attributes.keys() - children - static, UNKNOWN)
    return attributes


def _may_be_left_out(value: Value) -> bool:
    """Whether a value may be no array, and holds something: flattening that picks the leaves may leave it out."""
    return all(isinstance(atom, Static | Tuple | Unknown) and not is_none(atom) for atom in atoms_of(value))


def _defaults(cls: ClassValue) -> dict[str, Value]:
    """The numbers that fields are left at."""
    found: dict[str, Value] = {}
    for base in reversed(cls.bases):
        if isinstance(base, ClassValue):
            found.update(_defaults(base))
    own = ((name, cls.namespace.get(name)) for name in _annotated(cls))
    return found | {name: value for name, value in own if isinstance(value, Static) and value.known}


def leaves(cls: ClassValue) -> frozenset[str]:
    """The attributes that flattening is seen to hand out as children."""
    return frozenset[str]().union(*(found.children for found in _flattenings(cls) if found is not None))


def picks_leaves(cls: ClassValue) -> bool:
    """Whether flattening asks of each attribute what it is: numbers of Python may be leaves, or stand beside them."""
    if leaves(cls):
        return False
    registered = cls.flatten is not None and _picks(cls.flatten, {cls.flatten.name: cls.flatten})
    return registered or _said(cls).picks or any(_said(base).picks for base in ancestors(cls))


class Said(NamedTuple):
    """What the body of a class says of its own fields: those with annotations, and how methods flatten an object.

    `picks`: a method that flattens, or one that it uses, asks of each attribute whether to hand it out.
    """

    annotated: dict[str, tuple[ir.Expr | None, bool]]
    flattenings: tuple[_Parts | None, ...]
    picks: bool


def _said(cls: ClassValue) -> Said:
    if cls.said is None:
        annotated: dict[str, tuple[ir.Expr | None, bool]] = {}
        flattenings = []
        for statement in cls.cls.body:
            match statement:
                case ir.AnnotatedAssign(target=ir.Name(id=name), annotation=annotation, value=value):
                    if not _is_class_variable(annotation):
                        annotated[name] = (annotation, _is_static_field(value))
                case ir.FunctionDefinition(function=function) if _flattens(function):
                    flattenings.append(_parts(function))
        methods = {function.name: function for function in _methods(cls)}
        picks = any(_picks(function, methods) for function in methods.values() if _flattens(function))
        cls.said = Said(annotated, tuple(flattenings), picks)
    return cls.said


def _annotated(cls: ClassValue) -> dict[str, tuple[ir.Expr | None, bool]]:
    found: dict[str, tuple[ir.Expr | None, bool]] = {}
    for base in reversed(cls.bases):
        if isinstance(base, ClassValue):
            found.update(_annotated(base))
    found.update(_said(cls).annotated)
    return found


def _beside(cls: ClassValue) -> frozenset[str]:
    """The attributes that are no children where something flattens the class; all, where nobody sees what it does."""
    flattenings = list(_flattenings(cls))
    found = _auxiliary(cls).union(*(parts.beside for parts in flattenings if parts is not None))
    if None in flattenings:
        return found.union(_annotated(cls))
    return found | (frozenset(_annotated(cls)) - leaves(cls)) if flattenings else found


def _auxiliary(cls: ClassValue) -> frozenset[str]:
    return cls.auxiliary.union(*(_auxiliary(base) for base in cls.bases if isinstance(base, ClassValue)))


class _Parts(NamedTuple):
    """The attributes that are children, those that stand beside them, and which of the latter do so as they are."""

    children: frozenset[str]
    beside: frozenset[str]
    whole: frozenset[str]


def _flattenings(cls: ClassValue) -> Iterator[_Parts | None]:
    """What the functions that flatten an object hand out; None for one that cannot be read."""
    for base in cls.bases:
        if isinstance(base, ClassValue):
            yield from _flattenings(base)
    yield from _said(cls).flattenings
    if cls.flatten is not None:
        yield _parts(cls.flatten)


def _flattens(function: ir.Function) -> bool:
    return "flatten" in function.name and "unflatten" not in function.name and bool(function.parameters)


def _methods(cls: ClassValue) -> Iterator[ir.Function]:
    return (each.function for each in cls.cls.body if isinstance(each, ir.FunctionDefinition))


def _picks(function: ir.Function, methods: dict[str, ir.Function]) -> bool:
    """Whether a method goes through the attributes of its object by their names, and takes some of them.

    One that does so twice hands out some, and puts others beside.
    """
    nodes = [node for each in _reached(function, methods) for node in walks.nodes(each.body)]
    ways = sum(map(_goes_through, nodes))
    return ways > 1 or (ways == 1 and any(map(_asks, nodes)))


def _reached(function: ir.Function, methods: dict[str, ir.Function]) -> Iterator[ir.Function]:
    """A method, and those of its object that it uses."""
    found = {function.name}
    while True:
        read = {name for each in found for name in _attributes(walks.nodes(methods[each].body), methods[each])}
        if read & methods.keys() <= found:
            return (methods[name] for name in sorted(found))
        found |= read & methods.keys()


def _asks(node: object) -> bool:
    """Whether a part of a comprehension is left out, or something is asked for its type."""
    match node:
        case ir.Comprehension(generators=generators):
            return any(generator.conditions for generator in generators)
        case ir.Call(func=ir.Name(id="isinstance" | "hasattr")):
            return True
        case _:
            return False


def _goes_through(node: object) -> bool:
    """`getattr(self, name)`, `vars(self)` or `self.__dict__`."""
    match node:
        case ir.Call(func=ir.Name(id="getattr"), args=(ir.Name(), name, *_)):
            return not isinstance(name, ir.Constant)
        case ir.Call(func=ir.Name(id="vars")) | ir.Attribute(attr="__dict__"):
            return True
        case _:
            return False


def _parts(function: ir.Function) -> _Parts | None:
    """The attributes in the two parts of `return children, auxiliary`."""
    results = [s.value for s in function.body if isinstance(s, ir.Return)]
    if len(results) != 1 or not isinstance(results[0], ir.SequenceDisplay) or len(results[0].elements) != 2:
        return None
    given = {
        name: s.value
        for s in function.body
        if isinstance(s, ir.Assign) and len(s.targets) == 1
        for name in walks.target_names(s.targets[0])
    }
    first, second = (given.get(getattr(e, "id", ""), e) for e in results[0].elements)
    children = _attributes(walks.nodes(first), function)
    beside = _attributes(walks.nodes(second), function)
    return _Parts(children, beside - children, _attributes(_held(second), function) - children)


def _attributes(nodes: Iterable[object], function: ir.Function) -> frozenset[str]:
    """The attributes of its object that a method reads in some nodes."""
    own = function.parameters[0].name
    reads = (n for n in nodes if isinstance(n, ir.Attribute) and isinstance(n.base, ir.Name))
    return frozenset(read.attr for read in reads if isinstance(read.base, ir.Name) and read.base.id == own)


def _held(node: ir.Expr) -> Iterator[ir.Expr]:
    """What the value of an expression holds as it is: `x` in `(1, x)`, not in `(x.shape, Wrapper(x))`."""
    match node:
        case ir.SequenceDisplay(elements=parts):
            for part in parts:
                yield from _held(part)
        case ir.DictDisplay(items=items):
            for _, part in items:
                yield from _held(part)
        case _:
            yield node


def _is_class_variable(annotation: ir.Expr) -> bool:
    base = annotation.base if isinstance(annotation, ir.Subscript) else annotation
    return (isinstance(base, ir.Name) and base.id == "ClassVar") or (
        isinstance(base, ir.Attribute) and base.attr == "ClassVar"
    )


#: Arguments of `field` that make one static.
_STATIC_FIELD = frozenset({("static", True), ("pytree_node", False)})


def _is_static_field(value: ir.Expr | None) -> bool:
    """A field made by `field(static=True)`, `field(pytree_node=False)`, `field(metadata=...)` or `static_field()`."""
    if not isinstance(value, ir.Call):
        return False
    for name, argument in value.keywords:
        if isinstance(argument, ir.Constant) and (name, argument.value) in _STATIC_FIELD:
            return True
        if name == "metadata":
            return True
    return walks.spelling(value.func).rpartition(".")[2] == "static_field"
