"""Every libcst statement becomes one IR statement; `pass` becomes none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from jaxlint.syntax import ir
from jaxlint.syntax.limits import MAX_LINKS
from jaxlint.syntax.lower_context import MAX_BLOCK_DEPTH, Context, Table, Unlowerable
from jaxlint.syntax.lower_expressions import (
    EXPRESSIONS,
    OPERATORS,
    lower_arguments,
    lower_expression,
    lower_optional,
    lower_parameters,
    lower_target,
)
from jaxlint.syntax.lower_patterns import lower_pattern
from jaxlint.syntax.lowering import (
    declare_scope,
    define_class,
    define_function,
    if_chain,
    import_from,
    import_modules,
    timed_line,
)
from jaxlint.syntax.records import cst


def lower_body(cx: Context, body: Sequence[cst.CSTNode]) -> ir.Block:
    """Lower the statements of a block or module, in order."""
    out: list[ir.Stmt] = []
    for statement in body:
        if type(statement) is cst.SimpleStatementLine:
            _lower_simple(cx, statement.body, out)
        else:
            out.append(_COMPOUND[statement.__class__](cx, statement))
    return tuple(out)


def _lower_simple(cx: Context, body: Sequence[cst.BaseSmallStatement], out: list[ir.Stmt]) -> None:
    clock = _clock(cx, body[0]) if cx.clocks else None
    if clock is not None:
        return timed_line(cx, clock, body, cst.Expr, lambda rest: _lower_simple(cx, rest, out), out)
    for statement in body:
        cls = statement.__class__
        if cls is not cst.Pass:
            out.append(_SIMPLE[cls](cx, statement))
    return None


def _clock(cx: Context, statement: cst.CSTNode) -> str | None:
    """The magic of a clock that a statement stands for."""
    is_name = isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Name)
    return cx.clocks.get(cast("cst.Name", cast("cst.Expr", statement).value).value) if is_name else None


def _block(cx: Context, suite: cst.BaseSuite) -> ir.Block:
    if type(suite) is cst.SimpleStatementSuite:
        out: list[ir.Stmt] = []
        _lower_simple(cx, suite.body, out)
        return tuple(out)
    if cx.block_depth >= MAX_BLOCK_DEPTH:
        raise Unlowerable(f"blocks are nested more than {MAX_BLOCK_DEPTH} deep", suite, is_limit=True)
    cx.block_depth += 1
    body = lower_body(cx, cast("Sequence[cst.CSTNode]", suite.body))
    cx.block_depth -= 1
    return body


def _clause(cx: Context, clause: cst.Else | cst.Finally | None) -> ir.Block:
    return () if clause is None else _block(cx, clause.body)


# --- simple statements


def _expression(cx: Context, node: cst.Expr) -> ir.Stmt:
    at = cx.place(node)
    value = node.value
    return ir.ExpressionStatement(EXPRESSIONS[value.__class__](cx, value), at)


def _assign(cx: Context, node: cst.Assign) -> ir.Stmt:
    at = cx.place(node)
    targets = tuple([lower_target(cx, target.target) for target in node.targets])
    return ir.Assign(targets, lower_expression(cx, node.value), at)


def _annotated_assign(cx: Context, node: cst.AnnAssign) -> ir.Stmt:
    at = cx.place(node)
    target = lower_target(cx, node.target)
    annotation = lower_expression(cx, node.annotation.annotation)
    return ir.AnnotatedAssign(target, annotation, lower_optional(cx, node.value), at)


def _augmented_assign(cx: Context, node: cst.AugAssign) -> ir.Stmt:
    at = cx.place(node)
    target = lower_target(cx, node.target)
    return ir.AugmentedAssign(target, OPERATORS[node.operator.__class__], lower_expression(cx, node.value), at)


def _type_alias(cx: Context, node: cst.TypeAlias) -> ir.Stmt:
    """`type X = value` binds X; that Python evaluates the value only when it is asked for is not modelled."""
    at = cx.place(node)
    target = lower_target(cx, node.name)
    return ir.Assign((target,), lower_expression(cx, node.value), at)


def _return(cx: Context, node: cst.Return) -> ir.Stmt:
    at = cx.place(node)
    return ir.Return(lower_optional(cx, node.value), at)


def _raise(cx: Context, node: cst.Raise) -> ir.Stmt:
    at = cx.place(node)
    exception = lower_optional(cx, node.exc)
    return ir.Raise(exception, None if node.cause is None else lower_expression(cx, node.cause.item), at)


def _assert(cx: Context, node: cst.Assert) -> ir.Stmt:
    at = cx.place(node)
    test = lower_expression(cx, node.test)
    return ir.Assert(test, lower_optional(cx, node.msg), at)


def _delete(cx: Context, node: cst.Del) -> ir.Stmt:
    at = cx.place(node)
    if isinstance(node.target, cst.Tuple):
        return ir.Delete(tuple(lower_target(cx, element.value) for element in node.target.elements), at)
    return ir.Delete((lower_target(cx, node.target),), at)


def _break(cx: Context, node: cst.Break) -> ir.Stmt:
    return ir.Jump("break", cx.place(node))


def _continue(cx: Context, node: cst.Continue) -> ir.Stmt:
    return ir.Jump("continue", cx.place(node))


def _global(cx: Context, node: cst.Global) -> ir.Stmt:
    return declare_scope(cx, "global", [item.name.value for item in node.names], node)


def _nonlocal(cx: Context, node: cst.Nonlocal) -> ir.Stmt:
    return declare_scope(cx, "nonlocal", [item.name.value for item in node.names], node)


# --- imports


def _dotted(node: cst.CSTNode | None) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    return ".".join(reversed(parts))


def _local_name(alias: cst.ImportAlias) -> str | None:
    if alias.asname is None:
        return None
    return cast("cst.Name", alias.asname.name).value


def _names(aliases: Iterable[cst.ImportAlias]) -> list[tuple[str, str | None]]:
    return [(_dotted(alias.name), _local_name(alias)) for alias in aliases]


def _import(cx: Context, node: Any) -> ir.Stmt:  # noqa: ANN401 - Import or the LazyImport of newer libcst
    return import_modules(cx, _names(node.names), node)


def _import_from(cx: Context, node: Any) -> ir.Stmt:  # noqa: ANN401 - ImportFrom or LazyImportFrom
    names = None if isinstance(node.names, cst.ImportStar) else _names(node.names)
    return import_from(cx, _dotted(node.module), len(node.relative), names, node)


# --- compound statements


def _if(cx: Context, node: cst.If) -> ir.Stmt:
    """Lower a whole `elif` chain without recursion."""
    links: list[tuple[int, ir.Expr, ir.Block]] = []
    link: cst.If | cst.Else | None = node
    while isinstance(link, cst.If):
        at = cx.place(link)
        test = lower_expression(cx, link.test)
        links.append((at, test, _block(cx, link.body)))
        if len(links) > MAX_LINKS:
            raise Unlowerable(f"an `if` has more than {MAX_LINKS} `elif` clauses", node, is_limit=True)
        link = link.orelse
    return if_chain(links, _clause(cx, link))


def _while(cx: Context, node: cst.While) -> ir.Stmt:
    at = cx.place(node)
    test = lower_expression(cx, node.test)
    body = _block(cx, node.body)
    return ir.While(test, body, _clause(cx, node.orelse), at)


def _for(cx: Context, node: cst.For) -> ir.Stmt:
    at = cx.place(node)
    target = lower_target(cx, node.target)
    iterable = lower_expression(cx, node.iter)
    body = _block(cx, node.body)
    return ir.For(target, iterable, body, _clause(cx, node.orelse), node.asynchronous is not None, at)


def _with(cx: Context, node: cst.With) -> ir.Stmt:
    at = cx.place(node)
    items: list[ir.WithItem] = []
    for item in node.items:
        context = lower_expression(cx, item.item)
        target = None if item.asname is None else lower_target(cx, item.asname.name)
        items.append(ir.WithItem(context, target))
    return ir.With(tuple(items), _block(cx, node.body), node.asynchronous is not None, at)


def _try(cx: Context, node: cst.Try | cst.TryStar) -> ir.Stmt:
    at = cx.place(node)
    body = _block(cx, node.body)
    handlers = tuple([_handler(cx, handler) for handler in node.handlers])
    orelse = _clause(cx, node.orelse)
    return ir.Try(body, handlers, orelse, _clause(cx, node.finalbody), at)


def _handler(cx: Context, node: cst.ExceptHandler | cst.ExceptStarHandler) -> ir.Handler:
    at = cx.place(node)
    kind = lower_optional(cx, node.type)
    name = None
    if node.name is not None:
        name = cast("cst.Name", node.name.name).value
        cx.frame.bound.add(name)
    return ir.Handler(kind, name, _block(cx, node.body), at)


def _match(cx: Context, node: cst.Match) -> ir.Stmt:
    at = cx.place(node)
    subject = lower_expression(cx, node.subject)
    return ir.Match(subject, tuple([_case(cx, case) for case in node.cases]), at)


def _case(cx: Context, node: cst.MatchCase) -> ir.MatchCase:
    at = cx.place(node)
    pattern = lower_pattern(cx, node.pattern)
    guard = lower_optional(cx, node.guard)
    return ir.MatchCase(pattern, guard, _block(cx, node.body), at)


# --- definitions


def _type_parameters(node: cst.FunctionDef | cst.ClassDef) -> list[str]:
    """Return the names of `[T, *Ts, **P]`: they are bound where the body is, Python's scope between has no IR."""
    return [] if node.type_parameters is None else [p.param.name.value for p in node.type_parameters.params]


def _function(cx: Context, node: cst.FunctionDef) -> ir.Stmt:
    decorators = tuple([lower_expression(cx, decorator.decorator) for decorator in node.decorators])
    return define_function(
        cx,
        node.name.value,
        cx.place(node.name),
        decorators,
        lambda: lower_parameters(cx, node.params),
        lambda: None if node.returns is None else lower_expression(cx, node.returns.annotation),
        lambda: _block(cx, node.body),
        type_parameters=_type_parameters(node),
        is_async=node.asynchronous is not None,
    )


def _class(cx: Context, node: cst.ClassDef) -> ir.Stmt:
    decorators = tuple([lower_expression(cx, decorator.decorator) for decorator in node.decorators])
    return define_class(
        cx,
        node.name.value,
        cx.place(node.name),
        decorators,
        lambda: lower_arguments(cx, (*node.bases, *node.keywords)),
        lambda: _block(cx, node.body),
        type_parameters=_type_parameters(node),
    )


_SIMPLE: Final = Table({
    cst.Expr: _expression, cst.Assign: _assign, cst.AnnAssign: _annotated_assign, cst.AugAssign: _augmented_assign,
    cst.Return: _return, cst.Raise: _raise, cst.Assert: _assert, cst.Del: _delete, cst.Break: _break,
    cst.Continue: _continue, cst.Global: _global, cst.Nonlocal: _nonlocal, cst.Import: _import,
    cst.ImportFrom: _import_from, cst.TypeAlias: _type_alias,
})  # fmt: skip
_SIMPLE.add_optional(["LazyImport"], _import)
_SIMPLE.add_optional(["LazyImportFrom"], _import_from)

_COMPOUND: Final = Table({
    cst.If: _if, cst.While: _while, cst.For: _for, cst.With: _with, cst.Try: _try, cst.TryStar: _try,
    cst.Match: _match, cst.FunctionDef: _function, cst.ClassDef: _class,
})  # fmt: skip
