"""Which tokens each lowered statement, header and pattern starts and ends with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jaxlint.syntax.records import cst
from jaxlint.syntax.token_walk import Visit, Walk, arguments, elements, empty, expression, optional, parameters


def body(walk: Walk, nodes: Sequence[cst.CSTNode], i: int) -> int:
    """Visit the statements of a block or module."""
    for node in nodes:
        if node.__class__ is cst.SimpleStatementLine:
            i = _simple(walk, node.body, i)
        else:
            i = _COMPOUND[node.__class__](walk, node, i)
    return i


def _simple(walk: Walk, nodes: Sequence[Any], i: int) -> int:
    for node in nodes:
        i = _SIMPLE[node.__class__](walk, node, i)
        if node.semicolon.__class__ is cst.Semicolon:
            i += 1
    return i


def _block(walk: Walk, suite: cst.BaseSuite, i: int) -> int:
    """Visit what follows a header, colon included."""
    if type(suite) is not cst.IndentedBlock:
        return _simple(walk, suite.body, i + 1)
    walk.indents.append(walk.tree.default_indent if suite.indent is None else suite.indent)
    i = body(walk, suite.body, i + 1)
    walk.indents.pop()
    return i


def _clause(walk: Walk, clause: cst.Else | cst.Finally | None, i: int) -> int:
    return i if clause is None else _block(walk, clause.body, i + 1)


# --- simple statements


def _pass(walk: Walk, node: cst.Pass, i: int) -> int:  # noqa: ARG001 - a visit
    return i + 1


def _jump(walk: Walk, node: cst.Break | cst.Continue, i: int) -> int:  # noqa: ARG001 - a visit
    return _placed(walk, i, 1)


def _placed(walk: Walk, i: int, width: int) -> int:
    """Place a statement of so many tokens without ordinals inside."""
    walk.ends[len(walk.starts)] = i + width
    walk.starts.append(i)
    return i + width


def _expression(walk: Walk, node: cst.Expr, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.value, i)
    walk.ends[at] = i
    return i


def _assign(walk: Walk, node: cst.Assign, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    for target in node.targets:
        i = expression(walk, target.target, i) + 1
    i = expression(walk, node.value, i)
    walk.ends[at] = i
    return i


def _annotated_assign(walk: Walk, node: cst.AnnAssign, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.target, i)
    i = expression(walk, node.annotation.annotation, i + 1)
    if node.value is not None:
        i = expression(walk, node.value, i + 1)
    walk.ends[at] = i
    return i


def _augmented_assign(walk: Walk, node: cst.AugAssign, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.target, i)
    i = expression(walk, node.value, i + 1)
    walk.ends[at] = i
    return i


def _type_alias(walk: Walk, node: cst.TypeAlias, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.name, i + 1)
    i = expression(walk, node.value, _type_parameters(walk, node, i) + 1)
    walk.ends[at] = i
    return i


def _return(walk: Walk, node: cst.Return, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = optional(walk, node.value, i + 1)
    walk.ends[at] = i
    return i


def _raise(walk: Walk, node: cst.Raise, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = optional(walk, node.exc, i + 1)
    if node.cause is not None:
        i = expression(walk, node.cause.item, i + 1)
    walk.ends[at] = i
    return i


def _assert(walk: Walk, node: cst.Assert, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.test, i + 1)
    if node.msg is not None:
        i = expression(walk, node.msg, i + 1)
    walk.ends[at] = i
    return i


def _delete(walk: Walk, node: cst.Del, i: int) -> int:
    """Visit what `del (a, b)` deletes: two targets, and the tuple has no ordinal."""
    at = len(walk.starts)
    walk.starts.append(i)
    target = node.target
    if type(target) is cst.Tuple:
        i = elements(walk, target.elements, i + 1 + len(target.lpar)) + len(target.rpar)
    else:
        i = expression(walk, target, i + 1)
    walk.ends[at] = i
    return i


def _declaration(walk: Walk, node: cst.Global | cst.Nonlocal, i: int) -> int:
    return _placed(walk, i, 2 * len(node.names))


def _dotted(node: cst.CSTNode | None) -> int:
    """Return the number of tokens of a module's name."""
    width = 0 if node is None else 1
    while isinstance(node, cst.Attribute):
        width += 2
        node = node.value
    return width


def _aliases(nodes: Sequence[cst.ImportAlias]) -> int:
    width = 0
    for alias in nodes:
        width += _dotted(alias.name)
        if alias.asname is not None:
            width += 2
        if alias.comma.__class__ is cst.Comma:
            width += 1
    return width


def _import(walk: Walk, node: cst.Import, i: int) -> int:
    return _placed(walk, i, 1 + _aliases(node.names))


def _import_from(walk: Walk, node: cst.ImportFrom, i: int) -> int:
    width = 2 + len(node.relative) + _dotted(node.module)
    width += 1 if isinstance(node.names, cst.ImportStar) else _aliases(node.names)
    return _placed(walk, i, width if node.lpar is None else width + 2)


# --- compound statements


def _if(walk: Walk, node: cst.If, i: int) -> int:
    """Visit a whole `elif` chain without recursion."""
    link: cst.If | cst.Else | None = node
    while isinstance(link, cst.If):
        at = len(walk.starts)
        walk.starts.append(i)
        i = expression(walk, link.test, i + 1)
        walk.ends[at] = i
        i = _block(walk, link.body, i)
        link = link.orelse
    return _clause(walk, link, i)


def _while(walk: Walk, node: cst.While, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.test, i + 1)
    walk.ends[at] = i
    return _clause(walk, node.orelse, _block(walk, node.body, i))


def _for(walk: Walk, node: cst.For, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.target, i + (1 if node.asynchronous is None else 2))
    i = expression(walk, node.iter, i + 1)
    walk.ends[at] = i
    return _clause(walk, node.orelse, _block(walk, node.body, i))


def _with(walk: Walk, node: cst.With, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i += 1 if node.asynchronous is None else 2
    is_wrapped = node.lpar.__class__ is cst.LeftParen
    i += is_wrapped
    for item in node.items:
        i = expression(walk, item.item, i)
        if item.asname is not None:
            i = expression(walk, item.asname.name, i + 1)
        if item.comma.__class__ is cst.Comma:
            i += 1
    i += is_wrapped
    walk.ends[at] = i
    return _block(walk, node.body, i)


def _try(walk: Walk, node: cst.Try | cst.TryStar, i: int) -> int:
    i = _block(walk, node.body, _placed(walk, i, 1))
    for handler in node.handlers:
        i = _handler(walk, handler, i)
    return _clause(walk, node.finalbody, _clause(walk, node.orelse, i))


def _handler(walk: Walk, node: cst.ExceptHandler | cst.ExceptStarHandler, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = optional(walk, node.type, i + (2 if isinstance(node, cst.ExceptStarHandler) else 1))
    if node.name is not None:
        i += 2
    walk.ends[at] = i
    return _block(walk, node.body, i)


def _function(walk: Walk, node: cst.FunctionDef, i: int) -> int:
    for decorator in node.decorators:
        i = expression(walk, decorator.decorator, i + 1)
    i = _placed(walk, i + (1 if node.asynchronous is None else 2), 1)
    i = parameters(walk, node.params, _type_parameters(walk, node, i) + 1) + 1
    if node.returns is not None:
        i = expression(walk, node.returns.annotation, i + 1)
    return _block(walk, node.body, i)


def _class(walk: Walk, node: cst.ClassDef, i: int) -> int:
    for decorator in node.decorators:
        i = expression(walk, decorator.decorator, i + 1)
    i = _type_parameters(walk, node, _placed(walk, i + 1, 1))
    if type(node.lpar) is cst.LeftParen:
        i = arguments(walk, (*node.bases, *node.keywords), i + 1) + 1
    return _block(walk, node.body, i)


def _type_parameters(walk: Walk, node: cst.FunctionDef | cst.ClassDef | cst.TypeAlias, i: int) -> int:
    return i if node.type_parameters is None else i + walk.width(node.type_parameters)


# --- match


def _match(walk: Walk, node: cst.Match, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.subject, i + 1)
    walk.ends[at] = i
    i += 1
    walk.indents.append(walk.tree.default_indent if node.indent is None else node.indent)
    for case in node.cases:
        i = _case(walk, case, i)
    walk.indents.pop()
    return i


def _case(walk: Walk, node: cst.MatchCase, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = _pattern(walk, node.pattern, i + 1)
    if node.guard is not None:
        i = expression(walk, node.guard, i + 1)
    walk.ends[at] = i
    return _block(walk, node.body, i)


def _pattern(walk: Walk, node: cst.CSTNode, i: int) -> int:
    return _PATTERNS[node.__class__](walk, node, i)


def _value(walk: Walk, node: cst.MatchValue | cst.MatchSingleton, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.value, i)
    walk.copy(at)
    return i


def _as(walk: Walk, node: cst.MatchAs, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    if node.pattern is not None:
        i = _pattern(walk, node.pattern, i) + (1 if node.name is not None else 0)
    if node.name is not None or node.pattern is None:
        i += 1
    walk.ends[at] = i
    return i + len(node.rpar)


def _sequence(walk: Walk, node: cst.MatchList | cst.MatchTuple, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    is_bracketed = isinstance(node, cst.MatchList) and node.lbracket is not None
    if not node.patterns and not is_bracketed:
        empty(walk, at, i)
    i = _patterns(walk, node.patterns, i + is_bracketed) + is_bracketed
    walk.ends[at] = i
    return i + len(node.rpar)


def _patterns(walk: Walk, nodes: Sequence[Any], i: int) -> int:
    for element in nodes:
        i = _placed(walk, i, 2) if isinstance(element, cst.MatchStar) else _pattern(walk, element.value, i)
        if element.comma.__class__ is cst.Comma:
            i += 1
    return i


def _mapping(walk: Walk, node: cst.MatchMapping, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    i += 1
    for element in node.elements:
        i = expression(walk, element.key, i)
        i = _pattern(walk, element.pattern, i + 1)
        if element.comma.__class__ is cst.Comma:
            i += 1
    if node.rest is not None:
        i = _placed(walk, i + 1, 1)
        if node.trailing_comma.__class__ is cst.Comma:
            i += 1
    i += 1
    walk.ends[at] = i
    return i + len(node.rpar)


def _match_class(walk: Walk, node: cst.MatchClass, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    i = _patterns(walk, node.patterns, expression(walk, node.cls, i) + 1)
    for element in node.kwds:
        i = _pattern(walk, element.pattern, i + 2)
        if element.comma.__class__ is cst.Comma:
            i += 1
    i += 1
    walk.ends[at] = i
    return i + len(node.rpar)


def _or(walk: Walk, node: cst.MatchOr, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    for element in node.patterns:
        i = _pattern(walk, element.pattern, i) + 1
    walk.ends[at] = i - 1
    return i - 1 + len(node.rpar)


_SIMPLE: Final[dict[type[cst.CSTNode], Visit]] = {
    cst.Pass: _pass, cst.Break: _jump, cst.Continue: _jump, cst.Expr: _expression, cst.Assign: _assign,
    cst.AnnAssign: _annotated_assign, cst.AugAssign: _augmented_assign, cst.TypeAlias: _type_alias,
    cst.Return: _return, cst.Raise: _raise, cst.Assert: _assert, cst.Del: _delete, cst.Global: _declaration,
    cst.Nonlocal: _declaration, cst.Import: _import, cst.ImportFrom: _import_from,
}  # fmt: skip

_COMPOUND: Final[dict[type[cst.CSTNode], Visit]] = {
    cst.If: _if, cst.While: _while, cst.For: _for, cst.With: _with, cst.Try: _try, cst.TryStar: _try,
    cst.Match: _match, cst.FunctionDef: _function, cst.ClassDef: _class,
}  # fmt: skip

_PATTERNS: Final[dict[type[cst.CSTNode], Visit]] = {
    cst.MatchValue: _value, cst.MatchSingleton: _value, cst.MatchAs: _as, cst.MatchList: _sequence,
    cst.MatchTuple: _sequence, cst.MatchMapping: _mapping, cst.MatchClass: _match_class, cst.MatchOr: _or,
}  # fmt: skip
