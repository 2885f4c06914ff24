"""Pytree classes of which flattening and unflattening give another object: attributes lost, or put in another's place.

Under-approximates: only classes whose functions are written out, so that each attribute can be followed from the object
into the children or the auxiliary data, and back through the initializer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import ClassValue, FunctionValue
from jaxlint.analysis.events.pytrees import BrokenRoundTrip
from jaxlint.analysis.jax import unflattening
from jaxlint.analysis.jax.unflattening import Unflattening
from jaxlint.syntax import ir, walks
from jaxlint.syntax.ir import Parameter, ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Parts(NamedTuple):
    """What flattening gives: the attribute that each child is, the auxiliary data, and where that is written.

    An attribute is empty where something else stands. Auxiliary data is one attribute, or several in order or by key.
    """

    children: tuple[str, ...]
    auxiliary: str | tuple[str, ...] | dict[str, str]
    at: int

    @property
    def attributes(self) -> frozenset[str]:
        """All attributes that flattening hands out."""
        match self.auxiliary:
            case str():
                beside: tuple[str, ...] = (self.auxiliary,)
            case dict() as named:
                beside = tuple(named.values())
            case tuple() as several:
                beside = several
        return frozenset((*self.children, *beside)) - {""}


def check(it: Interpreter, cls: ClassValue) -> None:
    """Tell the rules of a class that does not come back as it was."""
    if not it.wants(BrokenRoundTrip) or cls.kind != "pytree" or any(isinstance(b, ClassValue) for b in cls.bases):
        return
    how, parts = unflattening.unflattening(it, cls), _flattened(cls)
    init = cls.namespace.get("__init__")
    if how is None or parts is None or not isinstance(init, FunctionValue):
        return
    found = next(_faults(cls, init.function, how, parts), None)
    if found is not None:
        place = Place(it.frame.path, parts.at)
        it.emit(BrokenRoundTrip(it.frame, found.at, cls.name, found.attribute, found.kind, found.other, place))


class _Fault(NamedTuple):
    """An attribute, or a parameter, of which something is wrong: lost, swapped (with another one) or refused."""

    at: int
    attribute: str
    kind: str
    other: str = ""


def _faults(cls: ClassValue, init: ir.Function, how: Unflattening, parts: _Parts) -> Iterator[_Fault]:
    call = unflattening.made(cls, how)
    if call is None:
        yield from _faults_of_stores(cls, init, how, parts)
        return
    parameters = [p for p in init.parameters[1:] if p.kind <= ParameterKind.KEYWORD_ONLY]
    given = _given(call, how, parts, parameters)
    if given is None:
        return
    for parameter in parameters:
        if parameter.default is None and parameter.name not in given:
            yield _Fault(call.at, parameter.name, "refused")
    for attribute, name in _stored(init).items():
        other = given.get(name)
        if other is None and name and attribute not in parts.attributes:
            yield _Fault(call.at, attribute, "lost")
        elif other and name and other != attribute and attribute in parts.attributes:
            yield _Fault(call.at, attribute, "swapped", other)


def _faults_of_stores(cls: ClassValue, init: ir.Function, how: Unflattening, parts: _Parts) -> Iterator[_Fault]:
    """Those of a function that makes an empty object and sets its attributes."""
    returned = [s.value for s in how.function.body if isinstance(s, ir.Return)]
    if len(returned) != 1 or not isinstance(returned[0], ir.Name):
        return
    name, sources = returned[0].id, _sources(how, parts)
    stores: dict[str, tuple[str, int]] = {}
    for statement in how.function.body:
        if not isinstance(statement, ir.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        several = target.elements if isinstance(target, ir.SequenceDisplay) else ()
        values = _several(statement.value, how, parts) if several else ()
        pairs = zip(several, values) if values and len(values) == len(several) else ()
        for each, source in [*pairs, *([] if several else [(target, _source(statement.value, how, parts, sources))])]:
            if isinstance(each, ir.Attribute) and isinstance(each.base, ir.Name) and each.base.id == name:
                stores[each.attr] = (source, statement.at)
    reads = [n for n in walks.nodes(how.function.body) if isinstance(n, ir.Name) and n.id == name]
    if not stores or len(reads) > len(stores) + 2:
        return  # something else is done with the object
    for attribute in _stored(init):
        if attribute not in stores and attribute not in cls.namespace:
            yield _Fault(returned[0].at, attribute, "lost")
        elif attribute in stores and stores[attribute][0] not in ("", attribute):
            yield _Fault(stores[attribute][1], attribute, "swapped", stores[attribute][0])


# --- what flattening gives


def _flattened(cls: ClassValue) -> _Parts | None:
    """The attributes that the class's own function hands out."""
    method = cls.namespace.get("tree_flatten") or cls.namespace.get("tree_flatten_with_keys")
    function = cls.flatten if cls.flatten is not None else getattr(method, "function", None)
    if function is None or not function.parameters:
        return None
    own = function.parameters[0].name
    returned = [s for s in function.body if isinstance(s, ir.Return)]
    if len(returned) != 1 or any(isinstance(s, ir.If | ir.For | ir.While | ir.Try) for s in function.body):
        return None
    names = _assigned(function.body)
    result = _resolved(returned[0].value, names)
    if not isinstance(result, ir.SequenceDisplay) or len(result.elements) != 2:
        return None
    first, second = (_resolved(element, names) for element in result.elements)
    children = _attributes(first, own, names)
    auxiliary = _auxiliary(second, own, names)
    return None if children is None or auxiliary is None else _Parts(children, auxiliary, returned[0].at)


def _assigned(body: ir.Block) -> dict[str, ir.Expr]:
    """The names that are assigned once."""
    found: dict[str, ir.Expr] = {}
    for statement in body:
        if isinstance(statement, ir.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ir.Name):
                found[target.id] = statement.value
    return found


def _resolved(node: Any, names: dict[str, ir.Expr]) -> Any:
    return names.get(node.id, node) if isinstance(node, ir.Name) else node


def _attributes(node: Any, own: str, names: dict[str, ir.Expr]) -> tuple[str, ...] | None:
    """The attributes in a tuple or list; empty for other things in it."""
    if not isinstance(node, ir.SequenceDisplay) or any(isinstance(e, ir.Starred) for e in node.elements):
        return None
    return tuple(_attribute(_resolved(element, names), own) for element in node.elements)


def _attribute(node: Any, own: str) -> str:
    match node:
        case ir.Attribute(base=ir.Name(id=name), attr=attr) if name == own:
            return str(attr)
        case ir.SequenceDisplay(elements=(_, value)):  # a child with its key
            return _attribute(value, own)
        case _:
            return ""


def _auxiliary(
    node: Any,
    own: str,
    names: dict[str, ir.Expr],
) -> str | tuple[str, ...] | dict[str, str] | None:
    match node:
        case ir.Constant(value=None):
            return ()
        case ir.DictDisplay(items=items):
            if not all(isinstance(key, ir.Constant) for key, _ in items):
                return None
            return {str(key.value): _attribute(value, own) for key, value in items if isinstance(key, ir.Constant)}
        case ir.SequenceDisplay():
            return _attributes(node, own, names)
        case ir.Attribute():
            return _attribute(node, own) or None
        case _:
            return None


# --- what the class is called with


def _stored(init: ir.Function) -> dict[str, str]:
    """The attributes that the initializer sets, each with the parameter that it is taken from, or empty."""
    own, *names = (parameter.name for parameter in init.parameters)
    found: dict[str, str] = {}
    for target, value in walks.assignments(init.body):
        match target:
            case ir.Attribute(base=ir.Name(id=base), attr=attr) if base == own:
                is_converted = isinstance(value, ir.Call) and len(value.args) == 1 and not value.keywords
                source = value.args[0] if is_converted and isinstance(value, ir.Call) else value
                is_taken = isinstance(source, ir.Name) and source.id in names and attr not in found
                found[attr] = source.id if is_taken and isinstance(source, ir.Name) else ""
    return found


def _given(call: ir.Call, how: Unflattening, parts: _Parts, parameters: Sequence[Parameter]) -> dict[str, str] | None:
    """The attribute that each parameter is given; None where that cannot be followed."""
    sources = _sources(how, parts)
    positional: list[str] = []
    for argument in call.args:
        if isinstance(argument, ir.Starred):
            several = _several(argument.value, how, parts)
            if several is None:
                return None
            positional += several
        else:
            positional.append(_source(argument, how, parts, sources))
    names = [p.name for p in parameters if p.kind <= ParameterKind.POSITIONAL]
    if len(positional) > len(names) or not parameters:
        return None
    given = dict(zip(names, positional))
    for keyword, value in call.keywords:
        if keyword is not None:
            given[keyword] = _source(value, how, parts, sources)
        elif isinstance(parts.auxiliary, dict) and isinstance(value, ir.Name) and value.id == how.auxiliary:
            given.update(parts.auxiliary)
        else:
            return None
    return given


def _several(node: Any, how: Unflattening, parts: _Parts) -> tuple[str, ...] | None:
    """What `*children` and `*auxiliary` stand for."""
    if isinstance(node, ir.Name) and node.id == how.children:
        return parts.children
    if isinstance(node, ir.Name) and node.id == how.auxiliary and isinstance(parts.auxiliary, tuple):
        return parts.auxiliary
    return None


def _source(node: Any, how: Unflattening, parts: _Parts, sources: dict[str, str]) -> str:
    """The attribute that an expression of the function that unflattens holds; empty where that is not known."""
    match node:
        case ir.Name(id=name):
            if name == how.auxiliary and isinstance(parts.auxiliary, str):
                return parts.auxiliary
            return sources.get(name, "")
        case ir.Subscript(base=ir.Name(id=name) as base, index=(ir.Constant(value=key),)):
            if name == how.auxiliary and isinstance(parts.auxiliary, dict):
                return parts.auxiliary.get(str(key), "")
            several = _several(base, how, parts)
            return several[key] if several and isinstance(key, int) and key < len(several) else ""
        case _:
            return ""


def _sources(how: Unflattening, parts: _Parts) -> dict[str, str]:
    """The names that the function that unflattens binds to parts of what it is given."""
    found: dict[str, str] = {}
    for statement in how.function.body:
        if not isinstance(statement, ir.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if isinstance(target, ir.Name):
            found[target.id] = _source(statement.value, how, parts, found)
        elif isinstance(target, ir.SequenceDisplay):
            several = _several(statement.value, how, parts) or ()
            if len(several) == len(target.elements):
                found.update((e.id, part) for e, part in zip(target.elements, several) if isinstance(e, ir.Name))
    return found
