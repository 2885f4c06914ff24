"""Methods that run before anything else is done with an object, or that nothing runs at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from jaxlint.analysis.domain.values import ClassValue
from jaxlint.analysis.machine.project_questions import about_all_files, about_one_file
from jaxlint.analysis.source.method_effects import INITIALIZERS
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def comes_first(it: Interpreter, cls: ClassValue, method: ir.Function) -> bool:
    """Whether the project calls a method on no object but new ones, or assigns to no property that it is the setter of.

    A method that nobody calls says nothing: it is there for others. So it is with files that do not name the class.
    """
    if any(walks.dotted(decorator).endswith(".setter") for decorator in method.decorators):
        return not _is_stored(it, method.name)
    return _is_called_first(it, cls.name, method.name)


def makes_objects(it: Interpreter, cls: ClassValue, method: str) -> bool:
    """Whether the project calls a method only to make objects: in initializers, or in methods of this kind."""
    return _is_called_to_make(it, cls.name, method)


@about_all_files
def _is_called_to_make(it: Interpreter, cls: str, method: str) -> bool:
    """Whether files that name a class mention a method of this name, and only as new objects of the class call it."""
    return _runs_early(_naming(it, cls), Counter(), cls, method)


def _naming(it: Interpreter, cls: str) -> list[_File]:
    """The files that name a class."""
    bodies = (source.module.body for source in it.project.files.values())
    return [(_used(it, body), _classes(it, body)) for body in bodies if cls in _used(it, body).names]


def _runs_early(
    files: list[_File], first: Counter[str], cls: str, method: str, seen: frozenset[str] = frozenset()
) -> bool:
    """Whether all that these files call a method for is to make objects, or one of the calls counted as `first`.

    Another class there that has a method of this name means its own.
    """
    classes = [each for _, classes in files for each in classes]
    mentions = sum(used.mentioned[method] for used, _ in files)
    mentions -= sum(each.mentioned[method] for each in classes if each.name != cls and method in each.calls)
    calling = [each.calls for each in classes if each.name == cls]
    callers = sum((Counter({name: made[method]}) for calls in calling for name, made in calls.items()), Counter[str]())
    return mentions == callers.total() + first[method] > 0 and all(
        name in INITIALIZERS or (name not in seen and _runs_early(files, first, cls, name, seen | {method}))
        for name in callers
    )


@about_all_files
def _is_stored(it: Interpreter, name: str) -> bool:
    """Whether a file assigns to an attribute of this name."""
    return any(name in _used(it, source.module.body).stored for source in it.project.files.values())


@about_all_files
def _is_called_first(it: Interpreter, cls: str, method: str) -> bool:
    """Whether files that name a class mention a method of this name, and only to call it on new objects.

    Methods that run only so, or to make objects, may call it on their own object.
    """
    files = _naming(it, cls)
    firsts = sum((_first(it, used.body) for used, _ in files), Counter[tuple[str, str]]())
    first = Counter({name: count for (of, name), count in firsts.items() if of == cls})
    return _runs_early(files, first, cls, method)


class _Used(NamedTuple):
    """What a file names and assigns, and how often it mentions attributes."""

    names: frozenset[str]
    stored: frozenset[str]
    mentioned: Counter[str]
    body: ir.Block


@about_one_file
def _used(_: Interpreter, body: ir.Block) -> _Used:
    names: set[str] = set()
    stored: set[str] = set()
    mentioned: list[str] = []
    for node in walks.nodes(body):
        kind = node.__class__
        if kind is ir.Name:
            names.add(node.id)
        elif kind is ir.Attribute:
            mentioned.append(node.attr)
        elif kind is ir.Assign or kind is ir.AnnotatedAssign:
            targets = (target for target, _ in walks.assigned(node))
            stored.update(target.attr for target in targets if isinstance(target, ir.Attribute))
        elif kind is ir.ClassDefinition:
            names.add(node.cls.name)
    return _Used(frozenset(names.union(mentioned)), frozenset(stored), Counter(mentioned), body)


class _Class(NamedTuple):
    """The methods of a class and how often each calls others on its own object as it runs, and all that it mentions."""

    name: str
    calls: dict[str, Counter[str]]
    mentioned: Counter[str]


_File: TypeAlias = tuple[_Used, list[_Class]]


@about_one_file
def _classes(_: Interpreter, body: ir.Block) -> list[_Class]:
    return [_class(each.cls) for each in walks.statements(body) if isinstance(each, ir.ClassDefinition)]


def _class(cls: ir.Class) -> _Class:
    methods = [each.function for each in cls.body if isinstance(each, ir.FunctionDefinition)]
    calls = {
        method.name: Counter(_own_calls(method.body, method.parameters[0].name))
        for method in methods
        if method.parameters
    }
    return _Class(
        cls.name, calls, Counter(node.attr for node in walks.nodes(cls.body) if isinstance(node, ir.Attribute))
    )


def _own_calls(node: Any, own: str) -> Iterator[str]:
    """The methods that code calls on its first parameter as it runs: what it defines runs later."""
    match node:
        case ir.Function() | ir.Class():
            return
        case ir.Call(func=ir.Attribute(base=ir.Name(id=base), attr=attr)) if base == own:
            yield attr
        case _:
            pass
    if isinstance(node, tuple):
        for child in node:
            if isinstance(child, tuple):
                yield from _own_calls(child, own)


@about_one_file
def _first(_: Interpreter, body: ir.Block) -> Counter[tuple[str, str]]:
    """Which methods of which classes a file calls first of all."""
    return Counter(_first_calls(body))


def _first_calls(node: Any) -> Iterator[tuple[str, str]]:
    """The classes and methods of calls that are the first uses of an object made just before in the same block.

    The class itself makes it, or one of its methods; one method may be called several times.
    """
    if not isinstance(node, tuple):
        return
    for number, statement in enumerate(node):
        match statement:
            case ir.Assign(targets=(ir.Name(id=name),), value=ir.Call(func=made)):
                methods = _only_calls(node[number + 1 :], name)
                yield from ((cls, method) for cls in walks.dotted(made).split(".") for method in methods)
            case _:
                pass
        yield from _first_calls(statement)


def _only_calls(statements: ir.Block, name: str) -> list[str]:
    """The method that the first statements to name an object call on it, once for each of them in turn."""
    found: list[str] = []
    for statement in statements:
        if name in walks.names(statement):
            method = _only_call(statement, name)
            if method is None or (found and method != found[0]):
                break
            found.append(method)
    return found


def _only_call(statement: Any, name: str) -> str | None:
    """The method that a plain statement calls on an object, if it does nothing else with that."""
    if not isinstance(statement, ir.Assign | ir.ExpressionStatement):
        return None
    mentions = sum(isinstance(node, ir.Name) and node.id == name for node in walks.nodes(statement))
    match statement.value:
        case ir.Call(func=ir.Attribute(base=ir.Name(id=base), attr=method)) if base == name and mentions == 1:
            return method
        case _:
            return None
