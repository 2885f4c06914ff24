"""Tests, and what they look at: names that are read in assertions only, and code that has to raise.

Whoever counts in a traced function and then asserts the count measures the tracing itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.ownership import root_name
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Context managers under which code must raise, by the last part of their names.
EXPECTING_ERRORS = frozenset({"raises", "assertRaises", "assertRaisesRegex", "assert_raises", "assert_raises_regex"})


def expects_error(context_manager: str) -> bool:
    """Whether the code under a context manager of this name has to raise."""
    return context_manager.rpartition(".")[2] in EXPECTING_ERRORS


def is_test(frame: Frame) -> bool:
    """Whether a test function is at work: it runs once."""
    return frame.qualname.rpartition(".")[2].startswith("test_")


def is_only_asserted(it: Interpreter, owner: Frame, name: str) -> bool:
    """Whether the code of a scope reads one of its names, and does so in assertions only.

    What changes the name itself (`n += 1`, `names.append(1)`, `counts["a"] += 1`) is no read. A name that takes its
    value from this one may stand in its place. A function of a program that has no tests guards the name that its
    module owns, rather than measure anything.
    """
    if owner.function is None and not _measures(it, owner.body, name):
        return False
    return leads_to_assertions(it, owner.body, name)


@memoised
def leads_to_assertions(_: Interpreter, body: ir.Block, name: str) -> bool:
    """Whether the code of a scope reads a name, and does so in assertions only, whatever the module is for."""
    return _leads_to_assertions(body, name, frozenset(), set())


@memoised
def _measures(_: Interpreter, module: ir.Block, name: str) -> bool:
    """Whether a module has tests, or asserts one of its names as it runs."""
    functions = (node for node in walks.nodes(module) if isinstance(node, ir.Function))
    if any(function.name.startswith("test") for function in functions):
        return True
    own = [each for each in module if not isinstance(each, ir.FunctionDefinition | ir.ClassDefinition)]
    return _ASSERTED in _reads(tuple(own), name)


def _leads_to_assertions(body: ir.Block, name: str, before: frozenset[str], known: set[str]) -> bool:
    """The same, on the way from the names `before`; of those in `known` it is known that they do."""
    if name in known:
        return True
    reads = set(_reads(body, name))
    others = reads - {_ASSERTED}
    before |= {name}
    if not reads or others & {_ELSEWHERE, *before}:
        return False
    if not all(_leads_to_assertions(body, other, before, known) for other in others):
        return False
    known.add(name)
    return True


#: How a name is read: in an assertion, for another name's value (then its name), or else.
_ASSERTED, _ELSEWHERE = "<assertion>", "<elsewhere>"


def _reads(node: Any, name: str) -> Iterator[str]:
    match node:
        case ir.Name():
            if node.id == name:
                yield _ELSEWHERE
        case ir.Function() if name in node.scope.bound and name not in node.scope.nonlocals | node.scope.globals:
            pass  # another name
        case ir.AugmentedAssign() if root_name(node.target) == name:
            yield from _reads(node.value, name)
        case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(base=base), args=args)) if root_name(base) == name:
            yield from _parts(args, name)
        case ir.Delete() if {root_name(target) for target in node.targets} == {name}:
            pass
        case ir.AnnotatedAssign() if node.value is not None:
            yield from _assigned((node.target,), node.value, name)
        case ir.AnnotatedAssign():
            pass
        case ir.Assign():
            yield from _assigned(node.targets, node.value, name)
        case _ if is_assertion(node):
            yield from (_ASSERTED for _ in _parts(node, name))
        case tuple():
            yield from _parts(node, name)
        case _:
            pass


def _parts(node: Any, name: str) -> Iterator[str]:
    for child in node:
        if isinstance(child, tuple):
            yield from _reads(child, name)


def _assigned(targets: tuple[ir.Expr, ...], value: ir.Expr, name: str) -> Iterator[str]:
    """`n = n + 1` reads nothing for others, `other = len(names)` reads `names` for the other name."""
    if {root_name(target) for target in targets} == {name} or _is_handed_out(targets, value, name):
        return
    only = targets[0] if len(targets) == 1 else None
    for read in _reads(value, name):
        yield only.id if isinstance(only, ir.Name) and read == _ELSEWHERE else read
    for target in targets:
        yield from _read_by_target(target, name)


def _is_handed_out(targets: tuple[ir.Expr, ...], value: ir.Expr, name: str) -> bool:
    """`wrapper.count = count`: whoever reads the attribute looks at what the code measured."""
    bare = isinstance(value, ir.Name) and value.id == name
    return bare and all(isinstance(target, ir.Attribute) for target in targets)


def _read_by_target(target: ir.Expr, name: str) -> Iterator[str]:
    """`a[n], n = ...` reads `n` for the item, and not for the name that it binds."""
    match target:
        case ir.Name():
            pass
        case ir.SequenceDisplay() | ir.Starred():
            for part in target.elements if isinstance(target, ir.SequenceDisplay) else (target.value,):
                yield from _read_by_target(part, name)
        case _:
            yield from _reads(target, name)


def is_assertion(node: Any) -> bool:
    """Whether a statement does no more than check: `assert`, a test that raises, a method `assertEqual`."""
    match node:
        case ir.Assert():
            return True
        case ir.If():
            return not node.orelse and all(isinstance(statement, ir.Raise) for statement in node.body)
        case ir.ExpressionStatement(value=ir.Call(func=ir.Attribute(attr=called) | ir.Name(id=called))):
            return called.lower().startswith("assert")
        case ir.With():
            return any(map(_expects_error, node.items))
        case _:
            return False


def _expects_error(item: ir.WithItem) -> bool:
    call = item.context
    called = call.func if isinstance(call, ir.Call) else call
    return isinstance(called, ir.Attribute) and expects_error(called.attr)


def gives_up(handler: ir.Handler) -> bool:
    """Whether a handler raises in its turn, or does no more than assert what the error is."""
    body = handler.body
    return bool(body) and (isinstance(body[-1], ir.Raise) or all(isinstance(each, ir.Assert) for each in body))
