"""Puts points into the syntax tree of a file: a flagged expression `e` becomes `__jaxlint_point__(n, e)`.

Where a test is watched, the call also says what is asked for its truth: `e` itself, or what is in it. Where errors
decide, a simple statement becomes `try: ...; except Exception: __jaxlint_raised__(); raise`. JAX's tracebacks then
take their place from the `raise`, which therefore stands where the flagged expression does.

A watch list is
`{path: {"digest", "points": [{"n", "span": [line, column, end line, end column], "select", "watch", "raises"}]}}`;
columns count code points from 1.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any

POINT = "__jaxlint_point__"
RAISED = "__jaxlint_raised__"
#: Python 3.11 alone gives the test of a statement the place of the comparison that it is, and of nothing else.
_PLACES_COMPARISONS = sys.version_info[:2] == (3, 11)


def is_as_checked(source: bytes, watched: dict[str, Any]) -> bool:
    """Whether a file holds what its points were chosen in."""
    import hashlib

    return bool(hashlib.blake2b(source, digest_size=16).hexdigest() == watched["digest"])


def compiled(source: bytes, path: str, wanted: Sequence[dict[str, Any]]) -> tuple[CodeType, list[int]]:
    """The code of a file with its points, and those that have a place. Raises SyntaxError as `compile` does."""
    tree, placed = instrumented(source, path, wanted)
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True), placed


def instrumented(source: bytes, path: str, wanted: Sequence[dict[str, Any]]) -> tuple[ast.Module, list[int]]:
    """The tree of a file with its points, and those that have a place in it."""
    tree = ast.parse(source, path)
    return tree, add_points(tree, _lines(source), wanted)


def add_points(tree: ast.Module, lines: Sequence[str], wanted: Sequence[dict[str, Any]]) -> list[int]:
    """Put points into the tree of these lines; those that have a place in it."""
    chosen: dict[int, list[tuple[int, str]]] = {}
    guarded: dict[int, ast.AST] = {}
    parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for point in wanted:
        node = _find(tree, _in_bytes(point["span"], lines))
        statement = _statement(node, parents)
        if node is not None and point["raises"] and _is_caught(statement, parents):
            guarded[id(statement)] = node
        for expression in _selected(point["select"], node, parents) if node is not None else ():
            chosen.setdefault(id(expression), []).append((point["n"], _asked(point["select"], expression, parents)))
    _Rewriter(chosen, guarded, _tests(tree) if _PLACES_COMPARISONS else frozenset()).visit(tree)
    return sorted({number for numbers in chosen.values() for number, _ in numbers})


def _lines(source: bytes) -> list[str]:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    return source.decode(encoding, "replace").splitlines()


def _in_bytes(span: Sequence[int], lines: Sequence[str]) -> tuple[int, int, int, int]:
    """A span as `ast` counts: columns in UTF-8 from 0."""
    line, column, end_line, end_column = span
    return line, _offset(lines, line, column), end_line, _offset(lines, end_line, end_column)


def _offset(lines: Sequence[str], line: int, column: int) -> int:
    return len(lines[line - 1][: column - 1].encode("utf-8", "surrogatepass")) if line <= len(lines) else column - 1


def _span(node: ast.AST) -> tuple[int, int, int, int] | None:
    line, end_line = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if line is None or end_line is None:
        return None
    return line, node.col_offset, end_line, node.end_col_offset  # type: ignore[attr-defined]


def _find(tree: ast.AST, wanted: tuple[int, int, int, int]) -> ast.AST | None:
    """The node at a span; where there is none (inside an f-string), the smallest that covers it."""
    start, end = wanted[:2], wanted[2:]
    best: ast.AST | None = None
    for node in ast.walk(tree):
        found = _span(node)
        if found is None or not isinstance(node, (ast.expr, ast.stmt)):
            continue
        if found == wanted:
            return node
        if found[:2] <= start and found[2:] >= end and isinstance(node, (ast.expr, ast.stmt)):
            best = node  # `walk` goes outside in: the last one is the innermost of its branch
    return best


def _selected(select: str, node: ast.AST, parents: dict[int, ast.AST]) -> list[ast.expr]:
    """The expressions whose values decide."""
    found = list(_SELECTORS[select](node.value if isinstance(node, ast.Expr) else node, parents))
    return [expression for expression in found if _is_value(expression, parents)]


def _asked(select: str, node: ast.expr, parents: dict[int, ast.AST]) -> str:
    """What is asked of the value: its truth or that of its elements, nothing of what is in it, or an attribute."""
    if select == "read":
        above = parents.get(id(node))
        return above.attr if isinstance(above, ast.Attribute) and above.value is node else ""
    if select != "tested":
        return "itself" if select == "bases" else ""
    return "elements" if isinstance(parents.get(id(node)), (ast.Call, ast.Compare)) else "truth"


def _is_value(node: ast.expr, parents: dict[int, ast.AST]) -> bool:
    """Whether a call may stand in the place of the expression."""
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or isinstance(node, (ast.Starred, ast.Slice)):
        return False
    parent = parents.get(id(node))
    if isinstance(parent, (ast.FormattedValue, ast.JoinedStr)) and node is getattr(parent, "format_spec", None):
        return False
    return not isinstance(parent, (ast.pattern, ast.AnnAssign)) or node is getattr(parent, "value", None)


def _whole(node: ast.AST, parents: dict[int, ast.AST]) -> Iterator[ast.expr]:
    if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        yield node
    else:
        yield from _stored(node, parents)


def _nothing(_node: ast.AST, _parents: dict[int, ast.AST]) -> Iterator[ast.expr]:
    """Only errors are of interest."""
    yield from ()


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """What may hold the value in question: elements of displays, values in an f-string, bounds of a slice."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        for element in node.elts:
            yield from _parts(element)
    elif isinstance(node, ast.JoinedStr):
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                yield from _parts(value.value)
    elif isinstance(node, ast.Slice):
        for bound in (node.lower, node.upper, node.step):
            if bound is not None:
                yield from _parts(bound)
    elif isinstance(node, ast.Starred):
        yield from _parts(node.value)
    elif not isinstance(node, ast.Constant):
        yield node


def _given(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call; the object of a method without any."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return [call.func.value] if not given and isinstance(call.func, ast.Attribute) else given


def _arguments(node: ast.AST, parents: dict[int, ast.AST]) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call):
        for argument in _given(node):
            yield from _parts(argument)
    elif isinstance(node, ast.Subscript):
        yield from _parts(node.slice)
    elif isinstance(node, ast.BinOp):
        yield from _parts(node.left)
        yield from _parts(node.right)
    elif isinstance(node, ast.expr):
        yield from _parts(node) if isinstance(node, (ast.Tuple, ast.List, ast.JoinedStr)) else _whole(node, parents)


def _formatted(node: ast.AST, parents: dict[int, ast.AST]) -> Iterator[ast.expr]:
    """The arguments of a call that shows them: where one is a text that is made there, what it is made from."""
    if isinstance(node, ast.Call) and not _makes_text(node):
        is_print = isinstance(node.func, ast.Name) and node.func.id == "print"  # whose options are not shown
        for argument in node.args if is_print else _given(node):
            yield from _shown(argument)
    elif isinstance(node, ast.expr) and _makes_text(node):
        yield from _shown(node)
    else:
        yield from _arguments(node, parents)


def _shown(node: ast.expr) -> Iterator[ast.expr]:
    """What is shown: the values in an f-string, the operands of `%`, the arguments of `format` and `str`."""
    if isinstance(node, ast.BinOp) and _makes_text(node):
        operands = [node.right] if isinstance(node.op, ast.Mod) else [node.left, node.right]
    elif isinstance(node, ast.Call) and _makes_text(node):
        operands = _given(node)
    elif isinstance(node, ast.Dict):
        operands = node.values
    else:
        operands = [part for part in _parts(node) if part is not node]
        if not operands and not isinstance(node, (ast.Constant, ast.JoinedStr)):
            yield node
    for operand in operands:
        yield from _shown(operand)


def _makes_text(node: ast.expr) -> bool:
    """Whether the value surely is a text that is put together there."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and type(node.value) is str):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _makes_text(node.left) or _makes_text(node.right)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Mod) and _makes_text(node.left)
    if not isinstance(node, ast.Call):
        return False
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "format" and _makes_text(node.func.value)
    return is_method or (isinstance(node.func, ast.Name) and node.func.id in _TEXTS)


def _read(node: ast.AST, parents: dict[int, ast.AST]) -> Iterator[ast.expr]:
    """The variable that is read, or the object whose attribute is."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield node.value
    else:
        yield from _whole(node, parents)


def _tested(node: ast.AST, parents: dict[int, ast.AST]) -> Iterator[ast.expr]:
    """What Python asks for its truth: operands of `and`, `not`, chains and `in`; elements of `min` and its like."""
    if isinstance(node, ast.BoolOp):
        for operand in node.values:
            yield from _tested(operand, parents)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _tested(node.operand, parents)
    elif isinstance(node, ast.IfExp):
        yield from (*_tested(node.body, parents), *_tested(node.orelse, parents))
    elif isinstance(node, ast.Compare) and (len(node.ops) > 1 or isinstance(node.ops[0], (ast.In, ast.NotIn))):
        yield from (node.left, *node.comparators)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TESTING:
        yield from _arguments(node, parents)
    else:
        yield from _whole(node, parents)


def _bases(node: ast.AST, parents: dict[int, ast.AST]) -> Iterator[ast.expr]:
    """What is changed in place: the array of a subscript, the object of a method, the arguments of a function."""
    if isinstance(node, ast.Subscript):
        yield node.value
    elif isinstance(node, ast.Delete):
        for target in node.targets:
            yield from _bases(target, parents)
    elif isinstance(node, ast.Call):
        out = [keyword.value for keyword in node.keywords if keyword.arg == "out"]
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        yield from out or [*receiver, *node.args[:1]]
    elif isinstance(node, (ast.Assign, ast.AugAssign)):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from _bases(target, parents)
    elif isinstance(node, ast.Expr):
        yield from _bases(node.value, parents)
    elif isinstance(node, ast.expr):
        yield from _whole(node, parents)


def _stored(node: ast.AST, parents: dict[int, ast.AST]) -> Iterator[ast.expr]:
    """The value that the statement around the node stores, or the call that it makes."""
    statement = _statement(node, parents)
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)) and statement.value is not None:
        yield statement.value
    elif isinstance(statement, ast.Expr):
        value = statement.value
        yield value
        if isinstance(value, ast.Call):
            yield from _arguments(value, parents)
    elif isinstance(node, ast.expr):
        yield node


def _statement(node: ast.AST | None, parents: dict[int, ast.AST]) -> ast.AST | None:
    """The innermost statement around a node, which may be one itself."""
    while node is not None and not isinstance(node, ast.stmt):
        node = parents.get(id(node))
    return node


def _is_caught(statement: ast.AST | None, parents: dict[int, ast.AST]) -> bool:
    """Whether something may catch the errors of a simple statement: nothing does right in a module or a cell."""
    return isinstance(statement, _SIMPLE) and not isinstance(parents[id(statement)], ast.Module)


_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Delete)
_TESTING = frozenset({"min", "max", "sorted", "any", "all", "filter", "bool"})
_TEXTS = frozenset({"str", "repr", "ascii", "format"})
_SELECTORS = {
    "whole": _whole, "tested": _tested, "arguments": _arguments, "bases": _bases, "stored": _stored,
    "formatted": _formatted, "read": _read, "nothing": _nothing,
}  # fmt: skip


def _tests(tree: ast.Module) -> frozenset[int]:
    """The comparisons on which a jump depends, by identity."""
    found: set[int] = set()
    for node in ast.walk(tree):
        for test in (*getattr(node, "ifs", ()), getattr(node, "test", None)):
            found.update(id(operand) for operand in _operands(test) if isinstance(operand, ast.Compare))
    return frozenset(found)


def _operands(test: ast.AST | None) -> Iterator[ast.AST]:
    """What is asked for its truth, one after the other, where `test` is."""
    if isinstance(test, ast.BoolOp):
        for operand in test.values:
            yield from _operands(operand)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _operands(test.operand)
    elif isinstance(test, ast.IfExp):
        yield from _operands(test.body)
        yield from _operands(test.orelse)
    elif test is not None:
        yield test


class _Rewriter(ast.NodeTransformer):
    """Wraps the chosen expressions and the guarded statements, inner ones first.

    With a statement goes the flagged place in it. `tests` are comparisons whose place a jump needs.
    """

    def __init__(
        self, chosen: dict[int, list[tuple[int, str]]], guarded: dict[int, ast.AST], tests: frozenset[int]
    ) -> None:
        self._chosen = chosen
        self._guarded = guarded
        self._tests = tests

    def visit(self, node: ast.AST) -> Any:
        numbers = self._chosen.get(id(node), ())
        visited = super().visit(node)
        for number, asked in numbers:
            visited = _wrapped(number, asked, visited)
        if id(node) in self._guarded:
            return _guard(visited, self._guarded[id(node)])
        return _placed(visited, node) if numbers and id(node) in self._tests else visited


def _wrapped(number: int, asked: str, node: ast.expr) -> ast.expr:
    how = [ast.Constant(asked)] if asked else []
    call = ast.Call(ast.Name(POINT, ast.Load()), [ast.Constant(number), node, *how], [])
    return _at(node, call, call.func, call.args[0], *how)


def _guard(statement: ast.stmt, place: ast.AST) -> ast.stmt:
    """A statement whose errors are told, and go on from `place`."""
    tell = ast.Expr(ast.Call(ast.Name(RAISED, ast.Load()), [], []))
    handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [tell, ast.Raise()])
    for new in ast.walk(handler):
        ast.copy_location(new, place)
    return ast.copy_location(ast.Try([statement], [handler], [], []), statement)


def _placed(call: ast.expr, comparison: ast.AST) -> ast.expr:
    """`None is None and call`: tracebacks underline the comparison of a test, and take its place from a comparison."""
    true = ast.Compare(ast.Constant(None), [ast.Is()], [ast.Constant(None)])
    return _at(comparison, ast.BoolOp(ast.And(), [true, call]), true, true.left, true.comparators[0])


def _at(place: ast.AST, node: ast.expr, *inner: ast.expr) -> ast.expr:
    """`node`, which stands with its inner ones where `place` does."""
    for new in (node, *inner):
        ast.copy_location(new, place)
    return node
