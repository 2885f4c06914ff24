"""Which attributes the methods of a project class read and store."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.values import ClassValue, Static
from jaxlint.analysis.machine import path_conditions
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

INITIALIZERS = frozenset(
    {
        "__init__", "setup", "__post_init__", "__attrs_post_init__", "__setstate__", "__init_subclass__",
        "__set_name__", "__array_finalize__",
    }
)  # fmt: skip


@memoised
def reassigned_attributes(it: Interpreter, cls: ClassValue) -> frozenset[str]:
    """Attributes that methods assign on their first parameter, but for initializers and what is done once."""
    storing = (function for function in methods(cls) if _stored_later(it, function))
    functions = (function for function in storing if not _is_called_once(it, cls, function.name))
    return frozenset(name for function in functions for name in _stored_later(it, function)) - _fixed(it, cls)


@memoised
def set_at_start(it: Interpreter, cls: ClassValue) -> frozenset[str]:
    """Attributes that an initializer assigns in each object, here or in a base class: nobody sees the class's own."""
    assigned = (
        name
        for function in methods(cls)
        if function.name in INITIALIZERS
        for statement in function.body
        if isinstance(statement, ir.Assign | ir.AnnotatedAssign)
        for name, _ in _stored_attributes(statement, function.parameters[0].name)
    )
    inherited = (set_at_start(it, base) for base in cls.bases if isinstance(base, ClassValue))
    return frozenset(assigned).union(*inherited)


@memoised
def _fixed(it: Interpreter, cls: ClassValue) -> frozenset[str]:
    """Attributes that get one and the same constant wherever the class, or one that it is made from, assigns them."""
    given = _given(cls)
    return frozenset(name for name, values in given.items() if len(values) == 1 and None not in values)


def _given(cls: ClassValue) -> dict[str, set[str | None]]:
    """The constants that attributes get, as they are written; None where an attribute gets another value."""
    given: dict[str, set[str | None]] = defaultdict(set)
    for function in methods(cls):
        for part, value in stored(function):
            given[part.attr].add(repr(value.value) if isinstance(value, ir.Constant) else None)
    for name in given.keys() & cls.namespace.keys():
        held = cls.namespace[name]
        given[name].add(repr(held.value) if isinstance(held, Static) and held.known else None)
    for base in cls.bases:
        for name, values in (_given(base) if isinstance(base, ClassValue) else {}).items():
            given[name] |= values
    return given


def stores_of(it: Interpreter, cls: ClassValue, name: str) -> Iterator[tuple[ir.Function, int]]:
    """The methods that assign an attribute, and where, but for initializers and what is done once."""
    if name in _fixed(it, cls):
        return
    for function in methods(cls):
        later = _stored_later(it, function)
        if name in later and not _is_called_once(it, cls, function.name):
            yield function, later[name]


def makes_again(it: Interpreter, cls: ClassValue, method: ir.Function, programs: Collection[ir.Function]) -> bool:
    """Whether a method that assigns an attribute also makes all programs that read it: `self.f = jit(self._f)`."""
    if any(program.decorators for program in programs):
        return False
    names = {program.name for program in programs}
    kept = {pair for each in methods(cls) for pair in _made_of_methods(it, each) if pair[1] in names}
    return names == {name for _, name in kept} and kept <= _made_of_methods(it, method)


@memoised
def _made_of_methods(_: Interpreter, method: ir.Function) -> frozenset[tuple[str, str]]:
    """The attributes for which a method calls something with another attribute of its object, and that one."""
    own = method.parameters[0].name
    made = ((part.attr, value.args) for part, value in stored(method) if isinstance(value, ir.Call))
    return frozenset((attr, name) for attr, arguments in made for name in read_attributes(arguments, own))


def read_initially(cls: ClassValue, name: str) -> bool:
    """Whether an initializer of the class, or of one that it is made from, reads an attribute."""
    return any(
        reads_attribute(function.body, function.parameters[0].name, name)
        for function in methods(cls)
        if function.name in INITIALIZERS
    ) or any(read_initially(base, name) for base in cls.bases if isinstance(base, ClassValue))


@memoised
def stored_back(_: Interpreter, function: ir.Function) -> frozenset[int]:
    """The attributes that a function reads to store them again: what goes into a program is read once more."""
    changes = (node.target for node in walks.statements(function.body) if isinstance(node, ir.AugmentedAssign))
    return frozenset(target.at for target in changes if isinstance(target, ir.Attribute))


@memoised
def called_for_effect(it: Interpreter, function: ir.Function) -> frozenset[int]:
    """Where code reads attributes only to call them and drop the result, or to test whether there is one to call."""
    return frozenset(at for node in walks.statements(function.body) for at in _called_for_effect(node))


def _called_for_effect(node: Any) -> Iterator[int]:
    match node:
        case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(at=at))):
            yield at
        case ir.If(test=ir.Attribute() as test, body=body, orelse=()) if all(_calls_hook(s, test.attr) for s in body):
            yield test.at
        case _:
            pass


def _calls_hook(statement: ir.Stmt, name: str) -> bool:
    match statement:
        case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(attr=attr))):
            return attr == name
        case _:
            return False


@memoised
def is_scratch(it: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether one method alone uses an attribute, and assigns it first: nobody sees what an initializer gave it."""
    others = [method for method in methods(cls) if method.name not in INITIALIZERS]
    users = [method for method in others if reads_attribute(method.body, method.parameters[0].name, name)]
    return len(users) == 1 and assigns_first(users[0], name)


def assigns_first(function: ir.Function, name: str) -> bool:
    """Whether a method that uses an attribute assigns it before all else that it does with it."""
    own = function.parameters[0].name
    first = next(part for part in function.body if reads_attribute(part, own, name))
    match first:
        case ir.Assign(targets=(ir.SequenceDisplay(elements=parts),), value=value):
            pass
        case ir.Assign(targets=parts, value=value):
            pass
        case _:
            return False
    return f"{own}.{name}" in map(walks.dotted, parts) and not reads_attribute(value, own, name)


@memoised
def _stored_later(it: Interpreter, function: ir.Function) -> Mapping[str, int]:
    """The attributes that a method other than the initializers assigns, and where."""
    own = function.parameters[0].name
    return {} if function.name in INITIALIZERS else dict(_stored_attributes(function.body, own))


def methods(cls: ClassValue) -> Iterator[ir.Function]:
    """The functions of a class body that have a parameter for the instance."""
    functions = (s.function for s in cls.cls.body if isinstance(s, ir.FunctionDefinition))
    return (function for function in functions if function.parameters)


def _is_called_once(it: Interpreter, cls: ClassValue, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether methods of the class call a method, and only where they do something once.

    That is behind a test that it fills; for one that nobody else calls also in an initializer, or in such a method.
    """
    filled = {f".{attr}" for f in methods(cls) if f.name == name for attr in _stored_later(it, f)}
    is_called = False
    for caller in methods(cls):
        made = _calls(it, caller)
        calls = made.everywhere[name]
        if not calls:
            continue
        is_called = True
        once = sum(test.calls[name] for test in made.behind_tests if test.fills or filled & test.missing)
        if calls > once and not (name.startswith("_") and _runs_once(it, cls, caller.name, seen | {name})):
            return False
    return is_called


def _runs_once(it: Interpreter, cls: ClassValue, name: str, seen: frozenset[str]) -> bool:
    return name in INITIALIZERS or (name not in seen and _is_called_once(it, cls, name, seen))


class _Guarded(NamedTuple):
    """The calls behind a test that asks whether something is missing; it may store that itself."""

    fills: bool
    missing: frozenset[str]
    calls: Counter[str]


class _Calls(NamedTuple):
    """How often a function calls methods, by name: anywhere, and behind each test that asks for what is missing."""

    everywhere: Counter[str]
    behind_tests: tuple[_Guarded, ...]


@memoised
def _calls(it: Interpreter, function: ir.Function) -> _Calls:
    tests = [node for node in walks.statements(function.body) if isinstance(node, ir.If)]
    asking = [(test, missing) for test in tests if (missing := path_conditions.missing(test.test))]
    guarded = (_Guarded(path_conditions.fills(test), missing, _called(test.body)) for test, missing in asking)
    return _Calls(_called(function.body), tuple(guarded))


def _called(body: ir.Block) -> Counter[str]:
    calls = (node.func for node in walks.nodes(body) if isinstance(node, ir.Call))
    return Counter(function.attr for function in calls if isinstance(function, ir.Attribute))


def stored(function: ir.Function) -> Iterator[tuple[ir.Attribute, ir.Expr]]:
    """The attributes that a method assigns on its first parameter, and what: `self.n += 1` makes it of itself."""
    own = function.parameters[0].name
    for target, value in _assignments(function):
        for part in target.elements if isinstance(target, ir.SequenceDisplay) else (target,):
            if isinstance(part, ir.Attribute) and isinstance(part.base, ir.Name) and part.base.id == own:
                yield part, value


def _assignments(function: ir.Function) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    for node in walks.nodes(function.body):
        match node:
            case ir.Assign(targets=targets, value=value):
                yield from ((target, value) for target in targets)
            case ir.AnnotatedAssign(target=target, value=value) if value is not None:
                yield target, value
            case ir.AugmentedAssign(target=target):
                yield target, target
            case _:
                pass


def _stored_attributes(node: Any, receiver: str) -> Iterator[tuple[str, int]]:
    """The attributes that code assigns on its first parameter each time that it runs, and where."""
    if path_conditions.fills(node):
        node = (node.test, node.orelse)
    targets: tuple[ir.Expr, ...] = ()
    if isinstance(node, ir.Assign):
        targets = node.targets
    elif isinstance(node, ir.AugmentedAssign | ir.AnnotatedAssign):
        targets = (node.target,)
    for target in targets:
        parts = target.elements if isinstance(target, ir.SequenceDisplay) else (target,)
        for part in parts:
            if isinstance(part, ir.Attribute) and isinstance(part.base, ir.Name) and part.base.id == receiver:
                yield part.attr, part.at
    if isinstance(node, tuple):
        for child in node:
            if isinstance(child, tuple):
                yield from _stored_attributes(child, receiver)


def reads_attribute(node: Any, receiver: str, name: str) -> bool:
    """Whether code reads this attribute of the first parameter."""
    return any(read == name for read in read_attributes(node, receiver))


def read_attributes(node: Any, receiver: str) -> Iterator[str]:
    """The attributes of the first parameter that code reads."""
    if isinstance(node, ir.Attribute) and isinstance(node.base, ir.Name) and node.base.id == receiver:
        yield node.attr
    if isinstance(node, tuple):
        for child in node:
            if isinstance(child, tuple):
                yield from read_attributes(child, receiver)
