"""How code reads the attributes of a class: through the class itself, or through its instances."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import ClassValue
from jaxlint.analysis.machine.project_questions import about_all_files, about_one_file
from jaxlint.analysis.source.file_nodes import nodes_of
from jaxlint.analysis.source.method_effects import methods, read_attributes, reads_attribute
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What stands for a class that has no name: `type(x)` and `x.__class__`.
_TYPE = "type()"


def is_read_through_class(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether the project reads an attribute through the class and through no `self`: nothing binds it then."""
    classes = [cls, *_classes(cls)]
    if any(_reads(method, name) for each in classes for method in methods(each) if not _is_of_class(method)):
        return False
    bases = _bases_of_reads(it, cls.module.source.module.body).get(name, frozenset())
    return (
        not bases.isdisjoint({_TYPE, *(each.name for each in classes)})
        or any(_reads(method, name) for each in classes for method in methods(each) if _is_of_class(method))
        or (not bases and _is_read_of(it, name, cls.name))
    )


@about_all_files
def _is_read_of(it: Interpreter, name: str, base: str) -> bool:
    """Whether files read an attribute, and each of them of what has this name, such as an imported class."""
    reads = (_bases_of_reads(it, source.module.body).get(name) for source in it.project.files.values())
    return {base} == frozenset[str]().union(*(bases for bases in reads if bases is not None))


def is_used_as_instance(cls: ClassValue, function: ir.Function, without: Collection[str]) -> bool:
    """Whether a function reads of its first parameter what the class defines, or its methods assign."""
    stored = (target for method in methods(cls) for target in walks.assignment_targets(method.body))
    own = {*cls.namespace, *(target.attr for target in stored if isinstance(target, ir.Attribute))}
    return not own.difference(without).isdisjoint(read_attributes(function.body, function.parameters[0].name))


def is_never_read(it: Interpreter, name: str) -> bool:
    """Whether no file of the project reads a private attribute, unless to change it: what it holds does not matter."""
    if not name.startswith("_") or name.startswith("__"):
        return False
    return not is_read(it, name)


@about_all_files
def is_read(it: Interpreter, name: str) -> bool:
    """Whether a file of the project reads an attribute of this name, of whatever object, or a string may name it."""
    return any(name in _read(it, source.module.body) for source in it.project.files.values())


def never_taken(it: Interpreter, keys: Iterable[Any]) -> frozenset[str]:
    """The keys of a dict that no file takes anything by, where the files take its other entries one by one."""
    named = frozenset(key for key in keys if isinstance(key, str))
    unread = frozenset(key for key in named if not _is_taken(it, key))
    return unread if unread != named else frozenset()


@about_all_files
def _is_taken(it: Interpreter, key: str) -> bool:
    """Whether a file may take something of this name out of a dict."""
    return any(key in _taken(it, source.module.body) for source in it.project.files.values())


@about_one_file
def _taken(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """All that names what code may take out of a dict: strings that do not just make an entry, and parameters."""
    making = {key.at for node in nodes_of(it, body, ir.DictDisplay) for key, _ in node.items if key is not None}
    for node in nodes_of(it, body, ir.Assign):
        if len(node.targets) == 1 and isinstance(node.targets[0], ir.Subscript):
            making.update(part.at for part in node.targets[0].index)
    texts = (node.value for node in nodes_of(it, body, ir.Constant) if node.at not in making)
    attributes = (node.attr for node in nodes_of(it, body, ir.Attribute))
    parameters = (node.name for node in nodes_of(it, body, ir.Parameter))
    return frozenset((*filter(_is_text, texts), *attributes, *parameters))


@about_one_file
def _read(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The attributes that a file reads, and all that its strings may name."""
    stored = {target.at for node in nodes_of(it, body, ir.Assign) for target in node.targets}
    stored.update(node.target.at for node in nodes_of(it, body, ir.AugmentedAssign, ir.AnnotatedAssign, ir.For))
    attributes = (node.attr for node in nodes_of(it, body, ir.Attribute) if node.at not in stored)
    return frozenset((*attributes, *filter(_is_text, (node.value for node in nodes_of(it, body, ir.Constant)))))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _classes(cls: ClassValue) -> Iterator[ClassValue]:
    """The classes that the module knows, subclasses among them."""
    frame = cls.module.frame
    if frame is not None:
        yield from (value for value in frame.state.env.values() if isinstance(value, ClassValue))


def _is_of_class(method: ir.Function) -> bool:
    return any(walks.dotted(decorator) == "classmethod" for decorator in method.decorators)


def _reads(method: ir.Function, name: str) -> bool:
    return reads_attribute(method.body, method.parameters[0].name, name)


@about_one_file
def _bases_of_reads(it: Interpreter, body: ir.Block) -> Mapping[str, frozenset[str]]:
    """The last names of the expressions that code reads attributes of, by attribute; empty for other expressions."""
    found: dict[str, set[str]] = {}
    for node in nodes_of(it, body, ir.Attribute):
        found.setdefault(node.attr, set()).add(_base(node.base))
    return {name: frozenset(bases) for name, bases in found.items()}


def _base(base: ir.Expr) -> str:
    match base:
        case ir.Call(func=ir.Name(id="type"), args=(_,)) | ir.Attribute(attr="__class__"):
            return _TYPE
        case _:
            return walks.dotted(base).rpartition(".")[2]
