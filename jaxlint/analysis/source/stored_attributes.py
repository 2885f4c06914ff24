"""The attributes that code of a project sets on objects, of whatever class, or asks for by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import ClassValue
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax.source import SourceFile


class Stored(NamedTuple):
    """The names of attributes; `of_any` where an object of unknown class may get attributes of unknown names.

    `of_classes` are the classes, by their ordinals and files, whose own methods set attributes of unknown names.
    """

    names: frozenset[str]
    of_classes: frozenset[tuple[str, int]]
    of_any: bool


def may_be_set(it: Interpreter, classes: list[ClassValue], name: str) -> bool:
    """Whether any code of the project may set an attribute of this name on an object of one of these classes."""
    stored = _stored(it, it.project.files)
    if stored.of_any or name in stored.names:
        return True
    return any((cls.module.path, cls.cls.at) in stored.of_classes for cls in classes)


@memoised
def _stored(_: Interpreter, files: Mapping[str, SourceFile]) -> Stored:
    names: set[str] = set()
    classes: set[tuple[str, int]] = set()
    of_any = False
    for path, source in files.items():
        body = source.module.body
        inside: set[int] = set()
        for node in walks.nodes(body):
            if isinstance(node, ir.Class):
                own = {each.at for each in walks.nodes(node.body) if _names_unknown(each) and _is_of_self(each)}
                inside |= own
                if own:
                    classes.add((path, node.at))
        for node in walks.nodes(body):
            names.update(_names(node))
            of_any = of_any or (_names_unknown(node) and node.at not in inside)
    return Stored(frozenset(names), frozenset(classes), of_any)


#: Functions that take the name of an attribute behind an object.
_BY_NAME = frozenset({"setattr", "__setattr__", "hasattr", "getattr", "delattr", "patch", "object"})
_SETTING = frozenset({"setattr", "__setattr__"})


def _names(node: Any) -> Iterator[str]:
    """The attributes that a node sets, or names in a string."""
    match node:
        case ir.Call(func=func, args=args) if _last(func) in _BY_NAME:
            yield from (each.value for each in args if isinstance(each, ir.Constant) and isinstance(each.value, str))
        case ir.Assign(targets=targets):
            for target in targets:
                yield from _attributes(target)
        case ir.AugmentedAssign() | ir.AnnotatedAssign() | ir.For() | ir.WithItem() | ir.Generator():
            yield from _attributes(node.target)
        case _:
            pass


def _attributes(target: Any) -> Iterator[str]:
    match target:
        case ir.Attribute(attr=name):
            yield name
        case ir.SequenceDisplay(elements=parts):
            for part in parts:
                yield from _attributes(part)
        case ir.Starred(value=value):
            yield from _attributes(value)
        case _:
            pass


def _names_unknown(node: Any) -> bool:
    """Whether a node sets attributes whose names are not written there."""
    return _object_of(node) is not None


def _is_of_self(node: Any) -> bool:
    """Whether the object is the one whose method the code is in."""
    held = _object_of(node)
    return isinstance(held, ir.Name) and held.id in ("self", "cls")


def _object_of(node: Any) -> ir.Expr | None:
    """The object that gets attributes of unknown names; None where a node sets none."""
    match node:
        case ir.Call(func=func, args=(held, *_)) if _last(func) in _SETTING:
            named = any(isinstance(each, ir.Constant) and isinstance(each.value, str) for each in node.args[:2])
            return None if named else held
        case ir.Call(func=ir.Attribute(base=base, attr="update" | "setdefault")):
            return _viewed(base)
        case ir.Assign(targets=(target,)) | ir.AugmentedAssign(target=target):
            return _viewed(target.base if isinstance(target, ir.Subscript) else target)
        case _:
            return None


def _viewed(node: ir.Expr) -> ir.Expr | None:
    """The object whose attributes an expression holds as a dict: `x.__dict__`, `vars(x)`."""
    match node:
        case ir.Attribute(base=held, attr="__dict__") | ir.Call(func=ir.Name(id="vars"), args=(held,)):
            return held
        case _:
            return None


def _last(func: Any) -> str:
    return func.attr if isinstance(func, ir.Attribute) else getattr(func, "id", "")
