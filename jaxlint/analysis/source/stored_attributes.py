"""The attributes that code of a project sets on objects, of whatever class, or asks for by their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jaxlint.analysis.machine.project_questions import about_all_files, about_one_file
from jaxlint.analysis.source.file_nodes import nodes_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import ClassValue
    from jaxlint.analysis.machine.interpreter import Interpreter


class _Stored(NamedTuple):
    """The attributes that a file sets, by name; `of_any` where an object of unknown class may get unknown ones.

    `of_classes` are the classes, by their ordinals, whose own methods set attributes of unknown names.
    """

    names: frozenset[str]
    of_classes: frozenset[int]
    of_any: bool


def may_be_set(it: Interpreter, classes: list[ClassValue], name: str) -> bool:
    """Whether any code of the project may set an attribute of this name on an object of one of these classes."""
    return _is_set(it, name) or any(_sets_unknown(it, cls) for cls in classes)


@about_all_files
def _is_set(it: Interpreter, name: str) -> bool:
    """Whether a file of the project may set an attribute of this name, on whatever object."""
    stored = (_stored(it, source.module.body) for source in it.project.files.values())
    return any(each.of_any or name in each.names for each in stored)


@about_all_files
def is_assigned(it: Interpreter, name: str) -> bool:
    """Whether a file of the project assigns an attribute of this name, of whatever object."""
    return any(name in _assigned(it, source.module.body) for source in it.project.files.values())


@about_one_file
def _assigned(it: Interpreter, body: ir.Block) -> frozenset[str]:
    return frozenset(name for node in nodes_of(it, body, ir.Assign) for name in _names(node))


def _sets_unknown(it: Interpreter, cls: ClassValue) -> bool:
    """Whether the methods of a class set attributes of unknown names on its objects."""
    source = cls.module.source
    return source.path in it.project.files and cls.cls.at in _stored(it, source.module.body).of_classes


@about_one_file
def _stored(it: Interpreter, body: ir.Block) -> _Stored:
    names = frozenset(name for node in nodes_of(it, body, *_STORING) for name in _names(node))
    setting = [node for node in nodes_of(it, body, *_STORING) if _object_of(node) is not None]
    own = {node.at for node in setting if _is_of_self(node)}
    inside: dict[int, set[int]] = {}
    if own:
        inside = {cls.at: own.intersection(walks.ordinals(cls.body)) for cls in nodes_of(it, body, ir.Class)}
    of_any = {node.at for node in setting}.difference(*inside.values())
    return _Stored(names, frozenset(at for at, found in inside.items() if found), bool(of_any))


#: What may set an attribute, or name one in a string.
_STORING: Final = (
    ir.Call, ir.Assign, ir.AugmentedAssign, ir.AnnotatedAssign, ir.For, ir.WithItem, ir.Generator,
)  # fmt: skip
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
