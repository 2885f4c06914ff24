"""What code puts in the place of a library's functions and settings, and what it puts back: mocks and fixtures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.file_nodes import nodes_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import ModuleContext
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Calls that replace an attribute, by the last part of their names: `mock.patch`, `patch.object`, `setattr`.
_REPLACING: Final = frozenset({"patch", "object", "setattr"})
#: Calls that set variables of the environment for as long as a test runs: `monkeypatch.setenv`, `mock.patch.dict`.
_FOR_A_WHILE: Final = frozenset({"setenv", "delenv", "dict"})
_READING: Final = frozenset({"get", "getenv", "getattr", "read", "_read", "pop"})


def is_replaced(it: Interpreter, name: str) -> bool:
    """Whether a function that leads here, or a module around it, puts something else in the place of a library's."""
    frames = (frame for frame in it.frame.callers() if name in _replaced_in_file(it, frame.module))
    return any(name in _replaced(it, frame.function or frame.body, frame.module) for frame in frames)


def is_own_replaced(it: Interpreter, module: str, name: str) -> bool:
    """The same for what a module of the project defines: imports may name it from a folder that it lies in."""
    parts = module.split(".")
    return any(is_replaced(it, ".".join((*parts[start:], name))) for start in range(len(parts)))


@memoised
def _replaced_in_file(it: Interpreter, module: ModuleContext) -> frozenset[str]:
    """What any code of a file replaces: of most files that is nothing, and no function of them need be looked at."""
    return _canonical(it, nodes_of(it, module.source.module.body, ir.Assign, ir.Call), module)


@memoised
def _replaced(it: Interpreter, code: ir.Function | ir.Block, module: ModuleContext) -> frozenset[str]:
    if isinstance(code, ir.Function):
        parts: Iterator[object] = chain.from_iterable(map(walks.nodes, (code.decorators, code.body)))
    else:
        parts = (node for node in code if isinstance(node, ir.Assign))
    return _canonical(it, parts, module)


def _canonical(it: Interpreter, parts: Iterable[object], module: ModuleContext) -> frozenset[str]:
    imports = nodes_of(it, module.source.module.body, ir.Import)
    bound = {local: qualified for node in imports for local, qualified in node.bindings}
    return frozenset(it.api.canonical(name) for node in parts for name in _names(node, bound))


def _names(node: object, bound: dict[str, str]) -> Iterator[str]:
    match node:
        case ir.Assign(targets=targets):
            yield from (_qualified(target, bound) for target in targets if isinstance(target, ir.Attribute))
        case ir.Call(func=func, args=(ir.Constant(value=str(name)), *_)) if _last(func) in _REPLACING:
            yield name
        case ir.Call(func=func, args=(owner, ir.Constant(value=str(name)), *_)) if _last(func) in _REPLACING:
            yield f"{_qualified(owner, bound)}.{name}"
        case _:
            pass


def _qualified(node: ir.Expr, bound: dict[str, str]) -> str:
    root, dot, rest = (walks.dotted(node) or "").partition(".")
    return f"{bound.get(root, root)}{dot}{rest}"


def _last(func: ir.Expr) -> str:
    return func.attr if isinstance(func, ir.Attribute) else func.id if isinstance(func, ir.Name) else ""


@memoised
def is_put_back(_: Interpreter, module: ir.Module, name: str) -> bool:
    """Whether a file sets a setting back to what it was before, or only for as long as a test runs."""
    before = {target for node in walks.nodes(module.body) for target in _kept(node, name)} - {""}
    return any(_puts_back(node, name, before) for node in walks.nodes(module.body))


def _kept(node: object, name: str) -> Iterator[str]:
    """The names that what a setting was before is kept under."""
    match node:
        case ir.Assign(targets=targets, value=value) if _reads(value, name):
            yield from (walks.dotted(target) or "" for target in targets)
        case _:
            pass


def _reads(value: ir.Expr, name: str) -> bool:
    match value:
        case ir.Attribute(attr=attr):
            return attr == name
        case ir.Subscript(index=(ir.Constant(value=key),)):
            return key == name
        case ir.Call(func=func, args=args) if _last(func) in _READING:
            return any(isinstance(arg, ir.Constant) and arg.value == name for arg in args)
        case _:
            return False


def _puts_back(node: object, name: str, before: set[str]) -> bool:
    match node:
        case ir.Call(func=func, args=args):
            is_meant = any(isinstance(arg, ir.Constant) and arg.value == name for arg in args)
            keeps = _last(func) in _FOR_A_WHILE and any(_is_text(part, name) for part in walks.nodes(args))
            return keeps or (is_meant and any(walks.dotted(arg) in before for arg in args))
        case ir.Assign(targets=targets, value=value):
            is_meant = any(isinstance(target, ir.Subscript) and _reads(target, name) for target in targets)
            return is_meant and walks.dotted(value) in before
        case _:
            return False


def _is_text(node: object, name: str) -> bool:
    return isinstance(node, ir.Constant) and node.value == name
