"""Code that asks which release of a library is installed: what stands behind that question knows what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.test_context import gives_up
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What missing names raise, and what catches that.
_RAISED: Final = frozenset({"ImportError", "ModuleNotFoundError", "AttributeError"})
_MISSING: Final = _RAISED | {"Exception", "BaseException"}
_VERSION: Final = re.compile(r"version|find_spec", re.IGNORECASE)
#: The release of Python says nothing of a library's.
_OF_PYTHON: Final = frozenset(
    {"sys.version_info", "sys.version", "platform.python_version", "platform.python_version_tuple"}
)
_ENDS: Final = (ir.Return, ir.Raise, ir.Jump)
_SKIPS: Final = re.compile(r"skip|xfail|importorskip", re.IGNORECASE)


def is_behind_release_test(it: Interpreter, at: int) -> bool:
    """Whether a node of the current file runs only where a test of the installed release let it."""
    module = it.frame.module.source.module
    return at in _tested(it, module.body)


def replaces(it: Interpreter, spelling: str) -> bool:
    """Whether the current file, or a package around it, stores to an attribute that is spelled like this.

    That is a stand-in of their own: a package runs before its modules do.
    """
    source = it.frame.module.source
    names = source.name.split(".")
    packages = (it.project.find_module(".".join(names[:end])) for end in range(1, len(names)))
    return any(spelling in _stored(it, each.module.body) for each in (source, *packages) if each is not None)


@memoised
def _stored(_: Interpreter, body: ir.Block) -> frozenset[str]:
    assigned = (s.targets for s in walks.statements(body) if isinstance(s, ir.Assign))
    return frozenset(walks.dotted(each) for targets in assigned for each in targets if isinstance(each, ir.Attribute))


@memoised
def _tested(it: Interpreter, body: ir.Block) -> frozenset[int]:
    """The ordinals of all nodes behind such tests; a function that is only named there is behind them too.

    Not so where whatever goes wrong is caught: `main` is called like that, and needs the names that it uses. Nor is a
    function that is the test: it runs on each release.
    """
    scan = _Scan(it, body)
    aware = frozenset(scan.ordinals(_RAISED))
    while True:
        named = [each for each in _only_named_in(body, aware) if each.name not in scan.flags]
        inner = frozenset(at for node in named for at in walks.ordinals(node))
        if inner <= aware:
            return aware.union(scan.ordinals(_MISSING))
        aware |= inner


#: Nodes that may let a part of the code run on some releases alone.
_GUARDING: Final = frozenset(
    {ir.Try, ir.With, ir.If, ir.While, ir.Conditional, ir.BooleanOperation, ir.Function, ir.Class}
)


class _Scan:
    """One walk over a module, which remembers the names that hold the outcome of a test."""

    def __init__(self, it: Interpreter, body: ir.Block) -> None:
        self._it = it
        self._body = body
        self._guards = [node for node in walks.nodes(body) if node.__class__ in _GUARDING]
        self._imported = {n: full for s in walks.statements(body) if isinstance(s, ir.Import) for n, full in s.bindings}
        self._plain = _plain_names(body) - self._imported.keys()
        self.flags: frozenset[str] = frozenset(self._imported_flags())
        self._grow_flags()

    def ordinals(self, caught: AbstractSet[str]) -> Iterator[int]:
        """The nodes behind a test, or in a `try` that goes on after one of these errors."""
        for region in self._regions(caught):
            yield from walks.ordinals(region)

    def _regions(self, caught: AbstractSet[str]) -> Iterator[Any]:
        for node in self._guards:
            match node:
                case ir.Try() if any(_catches(each, caught) and not gives_up(each) for each in node.handlers):
                    yield node
                case ir.With() if any(_suppresses(item.context) for item in node.items):
                    yield node.body
                case ir.If() | ir.While() | ir.Conditional() if self._asks(node.test):
                    yield node
                case ir.If() | ir.Conditional() if self._is_always(node.test):
                    yield node.orelse
                case ir.If() | ir.Conditional() if self._is_never(node.test):
                    yield node.body
                case ir.BooleanOperation() if any(map(self._asks, node.operands)):
                    yield node
                case ir.Function() | ir.Class() if any(self._is_condition(each) for each in node.decorators):
                    yield node
                case _:
                    pass
        for block in _blocks(self._body):
            yield from self._rest_behind(block)

    def _rest_behind(self, block: ir.Block) -> Iterator[Any]:
        """What follows a test of which one side leaves the block, or an assertion."""
        for index, statement in enumerate(block):
            match statement:
                case ir.If() if self._asks(statement.test) and _leaves(statement):
                    yield block[index + 1 :]
                case ir.If(body=(*_, last)) if self._is_always(statement.test) and _ends(last):
                    yield block[index + 1 :]
                case ir.Assert() if self._asks(statement.test):
                    yield block[index + 1 :]
                case ir.ExpressionStatement() if _skips(statement):
                    yield block[index + 1 :]
                case _:
                    pass

    def _is_condition(self, decorator: ir.Expr) -> bool:
        """Whether a decorator leaves a test out on some releases."""
        return (
            isinstance(decorator, ir.Call)
            and self._asks(decorator)
            and bool(_SKIPS.search(walks.dotted(decorator.func)))
        )

    def _asks(self, expression: ir.Expr) -> bool:
        """Whether an expression depends on the release that is installed."""
        return any(map(self._asks_here, walks.nodes(expression)))

    def _asks_here(self, node: Any) -> bool:
        match node:
            case ir.Name():
                return node.id in self.flags or (node.id not in self._plain and _is_version(node))
            case ir.Attribute():
                return _is_version(node) or walks.dotted(node) in self.flags
            case ir.Call(func=ir.Name(id="hasattr" | "getattr"), args=(owner, *names)):
                known = self._library(owner)
                return known is not None and not self._always_has(known, names)
            case _:
                return False

    def _is_always(self, test: ir.Expr) -> bool:
        """Whether a test asks for a name that all releases have, so that what is else does not run."""
        match test:
            case ir.Call(func=ir.Name(id="hasattr"), args=(owner, *names)):
                known = self._library(owner)
                return known is not None and self._always_has(known, names)
            case _:
                return False

    def _is_never(self, test: ir.Expr) -> bool:
        return isinstance(test, ir.UnaryOperation) and test.op == "not" and self._is_always(test.operand)

    def _library(self, owner: ir.Expr) -> str | None:
        """The full name of what is asked for an attribute, where the file imports it."""
        root, dot, rest = walks.dotted(owner).partition(".")
        known = self._imported.get(root)
        return None if known is None else f"{known}{dot}{rest}"

    def _always_has(self, owner: str, names: Sequence[ir.Expr]) -> bool:
        """Whether all releases that the project is for have the name that `hasattr(owner, ...)` asks for."""
        match names:
            case (ir.Constant(value=str(name)), *_):
                qualified, api = f"{owner}.{name}", self._it.api
                comes_or_goes = api.lifetimes.is_told(qualified) or bool(api.lifetimes.missing_until(qualified))
                is_there = api.exists(qualified) or api.is_module(qualified) or api.library_class(qualified) is not None
                return is_there and not comes_or_goes
            case _:
                return False

    def _grow_flags(self) -> None:
        """Find the names that hold what a test came out as, or what follows from such a name."""
        before: frozenset[str] | None = None
        while self.flags != before:
            before = self.flags
            self.flags |= frozenset(self._assigned_flags())

    def _assigned_flags(self) -> Iterator[str]:
        for statement in walks.statements(self._body):
            match statement:
                case ir.Assign() if self._asks(statement.value):
                    yield from (walks.dotted(target) for target in statement.targets if walks.dotted(target))
                case ir.Try() if any(map(_catches_missing, statement.handlers)):
                    yield from _bound_in_all(statement)
                case ir.If() if self._asks(statement.test):
                    yield from _bound_in_all(statement)
                case ir.FunctionDefinition(function=ir.Function() as function) if self._answers(function):
                    yield function.name
                case _:
                    pass

    def _answers(self, function: ir.Function) -> bool:
        """Whether a function returns what a test came out as."""
        if len(function.body) > 4:
            return False
        returned = (s.value for s in walks.statements(function.body) if isinstance(s, ir.Return))
        return any(value is not None and self._asks(value) for value in returned)

    def _imported_flags(self) -> Iterator[str]:
        for statement in walks.statements(self._body):
            for local, qualified in statement.bindings if isinstance(statement, ir.Import) else ():
                module, _, name = qualified.rpartition(".")
                source = self._it.project.find_module(module) if module else None
                other = None if source is None else source.module.body
                if other is not None and other is not self._body and name in _flags_of(self._it, other):
                    yield local


@memoised
def _flags_of(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The flags that a module defines itself."""
    flags: set[str] = set()
    for statement in body:
        match statement:
            case ir.Assign() if any(map(_speaks_of_release, walks.nodes(statement.value))):
                flags.update(walks.dotted(target) for target in statement.targets)
            case ir.Try() if any(map(_catches_missing, statement.handlers)):
                flags.update(_bound_in_all(statement))
            case _:
                pass
    return frozenset(flags)


def _speaks_of_release(node: Any) -> bool:
    return _is_version(node) or (isinstance(node, ir.Name) and node.id == "hasattr")


def _plain_names(body: ir.Block) -> set[str]:
    """The names that a file assigns, and never what speaks of a version."""
    values: dict[str, list[ir.Expr]] = {}
    for statement in walks.statements(body):
        if isinstance(statement, ir.Assign):
            for name in (name for target in statement.targets for name in walks.target_names(target)):
                values.setdefault(name, []).append(statement.value)
    return {name for name, given in values.items() if not any(_is_version(n) for v in given for n in walks.nodes(v))}


def _is_version(node: Any) -> bool:
    """Whether a node is named like a version, other than Python's."""
    match node:
        case ir.Name():
            return bool(_VERSION.search(node.id))
        case ir.Attribute():
            return bool(_VERSION.search(node.attr)) and walks.dotted(node) not in _OF_PYTHON
        case _:
            return False


def _bound_in_all(statement: ir.Stmt) -> Iterator[str]:
    """The names that a statement binds, by assignment and import."""
    for node in walks.statements((statement,)):
        match node:
            case ir.Assign():
                yield from (name for target in node.targets for name in walks.target_names(target))
            case ir.Import():
                yield from (local for local, _ in node.bindings)
            case _:
                pass


def _blocks(body: ir.Block) -> Iterator[ir.Block]:
    """A block and all below it."""
    yield body
    for node in walks.nodes(body):
        match node:
            case ir.If() | ir.While() | ir.For():
                yield from (node.body, node.orelse)
            case ir.Try():
                yield from (node.body, node.orelse, node.final)
            case ir.With() | ir.Handler() | ir.Function() | ir.Class():
                yield node.body
            case _:
                pass


def _leaves(statement: ir.If) -> bool:
    return any(side and _ends(side[-1]) for side in (statement.body, statement.orelse))


def _ends(statement: ir.Stmt) -> bool:
    """Whether nothing behind a statement runs: it jumps, or it skips the test around it."""
    return isinstance(statement, _ENDS) or _skips(statement)


def _skips(statement: ir.Stmt) -> bool:
    match statement:
        case ir.ExpressionStatement(value=ir.Call(func=function)):
            return bool(_SKIPS.search(walks.dotted(function)))
        case _:
            return False


def _catches_missing(handler: ir.Handler) -> bool:
    return _catches(handler, _MISSING)


def _catches(handler: ir.Handler, errors: AbstractSet[str]) -> bool:
    """Whether a handler names one of these errors; one that names none is for everything."""
    if handler.type is None:
        return "BaseException" in errors
    types = handler.type.elements if isinstance(handler.type, ir.SequenceDisplay) else (handler.type,)
    return any(walks.spelling(each).lstrip(".") in errors for each in types)


def _suppresses(context: ir.Expr) -> bool:
    match context:
        case ir.Call(func=function, args=args) if walks.dotted(function).endswith("suppress"):
            return any(walks.spelling(each).lstrip(".") in _MISSING for each in args)
        case _:
            return False


def _only_named_in(body: ir.Block, tested: frozenset[int]) -> Iterator[ir.Function]:
    """The module's functions that are named somewhere in it, and nowhere but in tested code."""
    reads: dict[str, bool] = {}
    for node in walks.nodes(body):
        if isinstance(node, ir.Name):
            reads[node.id] = reads.get(node.id, True) and node.at in tested
    for statement in body:
        if isinstance(statement, ir.FunctionDefinition) and reads.get(statement.function.name):
            yield statement.function
