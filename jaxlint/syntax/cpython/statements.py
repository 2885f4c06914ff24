"""Every statement of `ast` becomes one IR statement; `pass` becomes none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final

from jaxlint.syntax import ir
from jaxlint.syntax.cpython.context import Context, Table, Unsupported
from jaxlint.syntax.cpython.expressions import (
    EXPRESSIONS,
    OPERATORS,
    lower_arguments,
    lower_expression,
    lower_optional,
    lower_parameters,
    lower_target,
)
from jaxlint.syntax.cpython.patterns import lower_pattern
from jaxlint.syntax.limits import MAX_LINKS
from jaxlint.syntax.lowering import (
    declare_scope,
    define_class,
    define_function,
    if_chain,
    import_from,
    import_modules,
    timed_line,
)


def lower_body(cx: Context, body: Sequence[ast.stmt]) -> ir.Block:
    """Lower the statements of a block or module, in order."""
    out: list[ir.Stmt] = []
    if cx.clocks:
        for line in _lines(body):
            _lower_line(cx, line, out)
        return tuple(out)
    table = _STATEMENTS
    for statement in body:
        cls = statement.__class__
        if cls is not ast.Pass:
            out.append(table[cls](cx, statement))
    return tuple(out)


def _lines(body: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The statements that stand on one line, behind semicolons."""
    line: list[ast.stmt] = []
    for statement in body:
        if line and statement.lineno != line[-1].end_lineno:
            yield line
            line = []
        line.append(statement)
    if line:
        yield line


def _lower_line(cx: Context, line: Sequence[ast.stmt], out: list[ir.Stmt]) -> None:
    magic = _clock(cx, line[0])
    if magic is None:
        out.extend([_STATEMENTS[s.__class__](cx, s) for s in line if s.__class__ is not ast.Pass])
        return
    timed_line(cx, magic, line, ast.Expr, lambda rest: _lower_line(cx, rest, out), out)


def _clock(cx: Context, statement: ast.stmt) -> str | None:
    """The magic of a clock that a statement stands for."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Name):
        return cx.clocks.get(statement.value.id)
    return None


# --- simple statements


def _expression(cx: Context, node: ast.Expr) -> ir.Stmt:
    at = cx.place(node)
    value = node.value
    return ir.ExpressionStatement(EXPRESSIONS[value.__class__](cx, value), at)


def _assign(cx: Context, node: ast.Assign) -> ir.Stmt:
    at = cx.place(node)
    targets = tuple([lower_target(cx, target) for target in node.targets])
    return ir.Assign(targets, lower_expression(cx, node.value), at)


def _annotated_assign(cx: Context, node: ast.AnnAssign) -> ir.Stmt:
    at = cx.place(node)
    target = lower_target(cx, node.target)
    annotation = lower_expression(cx, node.annotation)
    return ir.AnnotatedAssign(target, annotation, lower_optional(cx, node.value), at)


def _augmented_assign(cx: Context, node: ast.AugAssign) -> ir.Stmt:
    at = cx.place(node)
    target = lower_target(cx, node.target)
    return ir.AugmentedAssign(target, OPERATORS[node.op.__class__], lower_expression(cx, node.value), at)


def _type_alias(cx: Context, node: Any) -> ir.Stmt:  # noqa: ANN401 - a class of Python 3.12
    """`type X = value` binds X; that Python evaluates the value only when it is asked for is not modelled."""
    at = cx.place(node)
    target = lower_target(cx, node.name)
    return ir.Assign((target,), lower_expression(cx, node.value), at)


def _return(cx: Context, node: ast.Return) -> ir.Stmt:
    at = cx.place(node)
    return ir.Return(lower_optional(cx, node.value), at)


def _raise(cx: Context, node: ast.Raise) -> ir.Stmt:
    at = cx.place(node)
    exception = lower_optional(cx, node.exc)
    return ir.Raise(exception, lower_optional(cx, node.cause), at)


def _assert(cx: Context, node: ast.Assert) -> ir.Stmt:
    at = cx.place(node)
    test = lower_expression(cx, node.test)
    return ir.Assert(test, lower_optional(cx, node.msg), at)


def _delete(cx: Context, node: ast.Delete) -> ir.Stmt:
    """Lower `del (a, b)` as `del a, b`."""
    at = cx.place(node)
    targets = node.targets
    if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
        if cx.end(targets[0]) != cx.end(node):
            raise Unsupported("a tuple that is deleted with parentheses or a comma behind it")
        targets = targets[0].elts
    return ir.Delete(tuple([lower_target(cx, target) for target in targets]), at)


def _break(cx: Context, node: ast.Break) -> ir.Stmt:
    return ir.Jump("break", cx.place(node))


def _continue(cx: Context, node: ast.Continue) -> ir.Stmt:
    return ir.Jump("continue", cx.place(node))


def _global(cx: Context, node: ast.Global) -> ir.Stmt:
    return declare_scope(cx, "global", node.names, node)


def _nonlocal(cx: Context, node: ast.Nonlocal) -> ir.Stmt:
    return declare_scope(cx, "nonlocal", node.names, node)


# --- imports


def _import(cx: Context, node: ast.Import) -> ir.Stmt:
    return import_modules(cx, [(alias.name, alias.asname) for alias in node.names], node)


def _import_from(cx: Context, node: ast.ImportFrom) -> ir.Stmt:
    names = None if node.names[0].name == "*" else [(alias.name, alias.asname) for alias in node.names]
    return import_from(cx, node.module or "", node.level, names, node)


# --- compound statements


def _if(cx: Context, node: ast.If) -> ir.Stmt:
    """Lower a whole `elif` chain without recursion."""
    links: list[tuple[int, ir.Expr, ir.Block]] = []
    link: ast.If | None = node
    rest: Sequence[ast.stmt] = ()
    while link is not None:
        at = cx.place(link)
        test = lower_expression(cx, link.test)
        links.append((at, test, lower_body(cx, link.body)))
        if len(links) > MAX_LINKS:
            raise Unsupported("a long chain of `elif`")
        rest = link.orelse
        link = _elif(cx, rest)
    return if_chain(links, lower_body(cx, rest))


def _elif(cx: Context, orelse: Sequence[ast.stmt]) -> ast.If | None:
    """The `if` that an `elif` stands for."""
    if len(orelse) == 1 and isinstance(orelse[0], ast.If) and cx.lines.text.startswith("elif", cx.start(orelse[0])):
        return orelse[0]
    return None


def _while(cx: Context, node: ast.While) -> ir.Stmt:
    at = cx.place(node)
    test = lower_expression(cx, node.test)
    body = lower_body(cx, node.body)
    return ir.While(test, body, lower_body(cx, node.orelse), at)


def _for(cx: Context, node: ast.For | ast.AsyncFor) -> ir.Stmt:
    at = cx.place(node)
    target = lower_target(cx, node.target)
    iterable = lower_expression(cx, node.iter)
    body = lower_body(cx, node.body)
    return ir.For(target, iterable, body, lower_body(cx, node.orelse), isinstance(node, ast.AsyncFor), at)


def _with(cx: Context, node: ast.With | ast.AsyncWith) -> ir.Stmt:
    at = cx.place(node)
    items: list[ir.WithItem] = []
    for item in node.items:
        context = lower_expression(cx, item.context_expr)
        target = None if item.optional_vars is None else lower_target(cx, item.optional_vars)
        items.append(ir.WithItem(context, target))
    return ir.With(tuple(items), lower_body(cx, node.body), isinstance(node, ast.AsyncWith), at)


def _try(cx: Context, node: Any) -> ir.Stmt:  # noqa: ANN401 - Try or the TryStar of Python 3.11
    at = cx.place(node)
    body = lower_body(cx, node.body)
    handlers = tuple([_handler(cx, handler) for handler in node.handlers])
    orelse = lower_body(cx, node.orelse)
    return ir.Try(body, handlers, orelse, lower_body(cx, node.finalbody), at)


def _handler(cx: Context, node: ast.ExceptHandler) -> ir.Handler:
    at = cx.place(node)
    kind = lower_optional(cx, node.type)
    if node.name is not None:
        cx.frame.bound.add(node.name)
    return ir.Handler(kind, node.name, lower_body(cx, node.body), at)


def _match(cx: Context, node: ast.Match) -> ir.Stmt:
    at = cx.place(node)
    subject = lower_expression(cx, node.subject)
    return ir.Match(subject, tuple([_case(cx, case) for case in node.cases]), at)


def _case(cx: Context, node: ast.match_case) -> ir.MatchCase:
    at = cx.place(node)
    pattern = lower_pattern(cx, node.pattern)
    guard = lower_optional(cx, node.guard)
    return ir.MatchCase(pattern, guard, lower_body(cx, node.body), at)


# --- definitions


def _type_parameters(node: Any) -> list[str]:  # noqa: ANN401 - a field of Python 3.12
    """Return the names of `[T, *Ts, **P]`: they are bound where the body is, Python's scope between has no IR."""
    return [parameter.name for parameter in getattr(node, "type_params", ())]


def _function(cx: Context, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.Stmt:
    decorators = tuple([lower_expression(cx, decorator) for decorator in node.decorator_list])
    return define_function(
        cx,
        node.name,
        cx.place(node),
        decorators,
        lambda: lower_parameters(cx, node.args),
        lambda: lower_optional(cx, node.returns),
        lambda: lower_body(cx, node.body),
        type_parameters=_type_parameters(node),
        is_async=isinstance(node, ast.AsyncFunctionDef),
    )


def _class(cx: Context, node: ast.ClassDef) -> ir.Stmt:
    decorators = tuple([lower_expression(cx, decorator) for decorator in node.decorator_list])
    return define_class(
        cx,
        node.name,
        cx.place(node),
        decorators,
        lambda: lower_arguments(cx, node.bases, node.keywords),
        lambda: lower_body(cx, node.body),
        type_parameters=_type_parameters(node),
    )


_STATEMENTS: Final = Table({
    ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated_assign, ast.AugAssign: _augmented_assign,
    ast.Return: _return, ast.Raise: _raise, ast.Assert: _assert, ast.Delete: _delete, ast.Break: _break,
    ast.Continue: _continue, ast.Global: _global, ast.Nonlocal: _nonlocal, ast.Import: _import,
    ast.ImportFrom: _import_from, ast.If: _if, ast.While: _while, ast.For: _for, ast.AsyncFor: _for, ast.With: _with,
    ast.AsyncWith: _with, ast.Try: _try, ast.Match: _match, ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function, ast.ClassDef: _class,
})  # fmt: skip
_STATEMENTS.update({getattr(ast, name): handler for name, handler in (("TryStar", _try), ("TypeAlias", _type_alias))
                    if hasattr(ast, name)})  # fmt: skip
