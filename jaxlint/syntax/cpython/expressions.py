"""Every expression of `ast` becomes one IR expression, with the ordinals that lowering libcst's tree hands out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from jaxlint.syntax import ir
from jaxlint.syntax.cpython.brackets import is_parenthesised
from jaxlint.syntax.cpython.context import Context, Extent, Table, Unsupported
from jaxlint.syntax.cpython.fields import HAS_PLACES, placed_field
from jaxlint.syntax.cpython.formatted_strings import Part, Text, literals
from jaxlint.syntax.literals import string_value, text_value
from jaxlint.syntax.lowering import binary_spine, define_lambda, subscript

#: Decimal integers that Python itself would not read have more bits than this; shorter ones mean libcst too.
_MAX_BITS: Final = 14_000

OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.MatMult: "@",
    ast.And: "and", ast.Or: "or", ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not", ast.Lt: "<",
    ast.Gt: ">", ast.Eq: "==", ast.LtE: "<=", ast.GtE: ">=", ast.NotEq: "!=", ast.In: "in", ast.NotIn: "not in",
    ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


def lower_expression(cx: Context, node: ast.expr) -> ir.Expr:
    """Lower any expression."""
    return cast("ir.Expr", EXPRESSIONS[node.__class__](cx, node))


def lower_optional(cx: Context, node: ast.expr | None) -> ir.Expr | None:
    """Lower an expression that may be absent."""
    return None if node is None else cast("ir.Expr", EXPRESSIONS[node.__class__](cx, node))


def lower_target(cx: Context, node: ast.expr, *, binds: bool = True) -> ir.Expr:
    """Lower what is assigned to, deleted or iterated into, and bind its names in the current scope if it `binds` them.

    The targets of a comprehension are a scope of their own: they do not bind.
    """
    if isinstance(node, ast.Name):
        if binds:
            cx.frame.bound.add(node.id)
        return ir.Name(node.id, cx.place(node))
    if isinstance(node, (ast.Tuple, ast.List)):
        at = cx.place(node)
        kind = "tuple" if isinstance(node, ast.Tuple) else "list"
        return ir.SequenceDisplay(kind, tuple([lower_target(cx, e, binds=binds) for e in node.elts]), at)
    if isinstance(node, ast.Starred):
        at = cx.place(node)
        return ir.Starred(lower_target(cx, node.value, binds=binds), at)
    return lower_expression(cx, node)


# --- names, literals, strings


def _name(cx: Context, node: ast.Name) -> ir.Expr:
    places = cx.places
    places.append(node)
    return ir.Name(node.id, len(places) - 1)


def _constant(cx: Context, node: ast.Constant) -> ir.Expr:
    value = node.value
    if value.__class__ is int and value.bit_length() > _MAX_BITS:
        raise Unsupported("a huge integer")
    places = cx.places
    places.append(node)
    return ir.Constant(value, len(places) - 1)


def _formatted_string(cx: Context, node: ast.JoinedStr) -> ir.Expr:
    at = cx.place(node)
    fields = _formatted_values(node)
    parts: list[ir.Expr] = []
    text = cx.lines.text
    for literal in literals(text, cx.start(node), cx.end(node)):
        if literal.parts is None:
            place = cx.place(Extent(literal.start, literal.end))
            value = string_value(text[literal.start : literal.end])
            parts.append(ir.Constant(value, place))
        else:
            parts += [_string_part(cx, part, fields, is_raw=literal.is_raw) for part in literal.parts]
    if next(fields, None) is not None:
        raise Unsupported("a formatted string")
    return ir.FormattedString(tuple(parts), at)


def _formatted_values(node: ast.expr | None) -> Iterator[ast.FormattedValue]:
    values = node.values if isinstance(node, ast.JoinedStr) else []
    return iter([value for value in values if isinstance(value, ast.FormattedValue)])


def _string_part(cx: Context, part: Part, fields: Iterator[ast.FormattedValue], *, is_raw: bool) -> ir.Expr:
    at = cx.place(Extent(part.start, part.end))
    if isinstance(part, Text):
        text = text_value(cx.lines.text[part.start : part.end], is_raw=is_raw)
        return ir.Constant(text.replace("{{", "{").replace("}}", "}"), at)
    field = next(fields, None)
    if field is None:
        raise Unsupported("a field")
    inner = lower_expression(cx, field.value if HAS_PLACES else placed_field(cx.lines, *part.code))
    conversion = None if field.conversion == -1 else chr(field.conversion)
    inside = _formatted_values(field.format_spec)
    spec = tuple([_string_part(cx, p, inside, is_raw=is_raw) for p in part.spec])
    if next(inside, None) is not None:
        raise Unsupported("a format")
    return ir.FormattedValue(inner, conversion, spec, at)


# --- access and calls


def _attribute(cx: Context, node: ast.Attribute) -> ir.Expr:
    places = cx.places
    at = len(places)
    places.append(node)
    base = node.value
    return ir.Attribute(EXPRESSIONS[base.__class__](cx, base), node.attr, at)


def _call(cx: Context, node: ast.Call) -> ir.Expr:
    places = cx.places
    at = len(places)
    places.append(node)
    callee = node.func
    func = EXPRESSIONS[callee.__class__](cx, callee)
    args, keywords = lower_arguments(cx, node.args, node.keywords)
    return ir.Call(func, args, keywords, at)


def lower_arguments(
    cx: Context, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> tuple[tuple[ir.Expr, ...], tuple[tuple[str | None, ir.Expr], ...]]:
    """Lower the arguments of a call or the bases of a class, in source order, to (positional, keywords)."""
    if args and keywords and args[-1].__class__ is ast.Starred and _start(keywords[0]) < _start(args[-1]):
        return _mixed_arguments(cx, args, keywords)
    table = EXPRESSIONS
    positional = tuple([table[value.__class__](cx, value) for value in args]) if args else ()
    if not keywords:
        return positional, ()
    return positional, tuple([(word.arg, table[word.value.__class__](cx, word.value)) for word in keywords])


def _mixed_arguments(
    cx: Context, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> tuple[tuple[ir.Expr, ...], tuple[tuple[str | None, ir.Expr], ...]]:
    """Lower arguments of which a `*` stands behind a keyword."""
    positional: list[ir.Expr] = []
    named: list[tuple[str | None, ir.Expr]] = []
    arguments: list[ast.expr | ast.keyword] = [*args, *keywords]
    for argument in sorted(arguments, key=_start):
        if isinstance(argument, ast.keyword):
            named.append((argument.arg, lower_expression(cx, argument.value)))
        else:
            positional.append(lower_expression(cx, argument))
    return tuple(positional), tuple(named)


def _start(node: ast.expr | ast.keyword) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _subscript(cx: Context, node: ast.Subscript) -> ir.Expr:
    at = cx.place(node)
    base = EXPRESSIONS[node.value.__class__](cx, node.value)
    index = node.slice
    if isinstance(index, ast.Tuple) and not is_parenthesised(cx, index):
        elements = [lower_expression(cx, element) for element in index.elts]
    else:
        elements = [lower_expression(cx, index)]
    return subscript(base, elements, at)


def _slice(cx: Context, node: ast.Slice) -> ir.Expr:
    at = cx.place(node)
    lower = lower_optional(cx, node.lower)
    upper = lower_optional(cx, node.upper)
    return ir.Slice(lower, upper, lower_optional(cx, node.step), at)


def _starred(cx: Context, node: ast.Starred) -> ir.Expr:
    at = cx.place(node)
    return ir.Starred(lower_expression(cx, node.value), at)


# --- operators


def _binary(cx: Context, node: ast.BinOp) -> ir.Expr:
    spine = [node]
    left = node.left
    while isinstance(left, ast.BinOp):
        spine.append(left)
        left = left.left
    return binary_spine(cx, spine, _operator, lower_expression)


def _operator(node: ast.BinOp) -> str:
    return OPERATORS[node.op.__class__]


def _boolean(cx: Context, node: ast.BoolOp) -> ir.Expr:
    at = cx.place(node)
    operands = tuple([lower_expression(cx, value) for value in node.values])
    return ir.BooleanOperation(OPERATORS[node.op.__class__], operands, at)


def _unary(cx: Context, node: ast.UnaryOp) -> ir.Expr:
    at = cx.place(node)
    return ir.UnaryOperation(OPERATORS[node.op.__class__], lower_expression(cx, node.operand), at)


def _comparison(cx: Context, node: ast.Compare) -> ir.Expr:
    at = cx.place(node)
    left = lower_expression(cx, node.left)
    rest = [
        (OPERATORS[op.__class__], lower_expression(cx, right))
        for op, right in zip(node.ops, node.comparators, strict=True)
    ]
    return ir.Comparison(left, tuple(rest), at)


def _conditional(cx: Context, node: ast.IfExp) -> ir.Expr:
    at = cx.place(node)
    body = lower_expression(cx, node.body)
    test = lower_expression(cx, node.test)
    return ir.Conditional(test, body, lower_expression(cx, node.orelse), at)


def _await(cx: Context, node: ast.Await) -> ir.Expr:
    at = cx.place(node)
    return ir.Await(lower_expression(cx, node.value), at)


def _yield(cx: Context, node: ast.Yield) -> ir.Expr:
    at = cx.place(node)
    cx.frame.is_generator = True
    return ir.Yield(lower_optional(cx, node.value), is_from=False, at=at)


def _yield_from(cx: Context, node: ast.YieldFrom) -> ir.Expr:
    at = cx.place(node)
    cx.frame.is_generator = True
    return ir.Yield(lower_expression(cx, node.value), is_from=True, at=at)


def _named(cx: Context, node: ast.NamedExpr) -> ir.Expr:
    """Bind in the function around: comprehensions have no frame of their own, as Python wants it here."""
    at = cx.place(node)
    target = cast("ir.Name", lower_target(cx, node.target))
    return ir.NamedExpression(target, lower_expression(cx, node.value), at)


# --- displays and comprehensions


def _tuple(cx: Context, node: ast.Tuple) -> ir.Expr:
    at = cx.place(node)
    return ir.SequenceDisplay("tuple", _elements(cx, node.elts), at)


def _list(cx: Context, node: ast.List) -> ir.Expr:
    at = cx.place(node)
    return ir.SequenceDisplay("list", _elements(cx, node.elts), at)


def _set(cx: Context, node: ast.Set) -> ir.Expr:
    at = cx.place(node)
    return ir.SequenceDisplay("set", _elements(cx, node.elts), at)


def _elements(cx: Context, elements: Sequence[ast.expr]) -> tuple[ir.Expr, ...]:
    return tuple([EXPRESSIONS[element.__class__](cx, element) for element in elements])


def _dict(cx: Context, node: ast.Dict) -> ir.Expr:
    at = cx.place(node)
    items: list[tuple[ir.Expr | None, ir.Expr]] = []
    for key, value in zip(node.keys, node.values, strict=True):
        lowered = lower_optional(cx, key)
        items.append((lowered, lower_expression(cx, value)))
    return ir.DictDisplay(tuple(items), at)


def _list_comprehension(cx: Context, node: ast.ListComp) -> ir.Expr:
    return _comprehension(cx, node, "list")


def _set_comprehension(cx: Context, node: ast.SetComp) -> ir.Expr:
    return _comprehension(cx, node, "set")


def _generator_expression(cx: Context, node: ast.GeneratorExp) -> ir.Expr:
    return _comprehension(cx, node, "generator")


def _comprehension(cx: Context, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, kind: str) -> ir.Expr:
    at = cx.place(node)
    element = lower_expression(cx, node.elt)
    return ir.Comprehension(kind, element, None, _generators(cx, node.generators), at)


def _dict_comprehension(cx: Context, node: ast.DictComp) -> ir.Expr:
    at = cx.place(node)
    key = lower_expression(cx, node.key)
    value = lower_optional(cx, node.value)
    if value is None:
        raise Unsupported("an unpacking comprehension")
    return ir.Comprehension("dict", key, value, _generators(cx, node.generators), at)


def _generators(cx: Context, clauses: Sequence[ast.comprehension]) -> tuple[ir.Generator, ...]:
    generators: list[ir.Generator] = []
    for clause in clauses:
        target = lower_target(cx, clause.target, binds=False)
        iterable = lower_expression(cx, clause.iter)
        conditions = tuple([lower_expression(cx, condition) for condition in clause.ifs])
        generators.append(ir.Generator(target, iterable, conditions))
    return tuple(generators)


# --- lambdas and parameters


def _lambda(cx: Context, node: ast.Lambda) -> ir.Expr:
    at = cx.place(node)
    return define_lambda(
        cx, at, lambda: lower_parameters(cx, node.args), lambda: lower_expression(cx, node.body), node.body
    )


def lower_parameters(cx: Context, node: ast.arguments) -> tuple[ir.Parameter, ...]:
    """Lower parameters in source order; defaults and annotations belong to the scope around."""
    kind = ir.ParameterKind
    plain = len(node.posonlyargs) + len(node.args)
    defaults: list[ast.expr | None] = [*[None] * (plain - len(node.defaults)), *node.defaults]
    given = iter(defaults)
    out = [_parameter(cx, p, kind.POSITIONAL_ONLY, next(given)) for p in node.posonlyargs]
    out.extend([_parameter(cx, p, kind.POSITIONAL, next(given)) for p in node.args])
    if node.vararg is not None:
        out.append(_parameter(cx, node.vararg, kind.VAR_POSITIONAL, None))
    for parameter, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        out.append(_parameter(cx, parameter, kind.KEYWORD_ONLY, default))
    if node.kwarg is not None:
        out.append(_parameter(cx, node.kwarg, kind.VAR_KEYWORD, None))
    return tuple(out)


def _parameter(cx: Context, node: ast.arg, kind: ir.ParameterKind, default: Any) -> ir.Parameter:  # noqa: ANN401
    at = cx.place(node)
    annotation = lower_optional(cx, node.annotation)
    return ir.Parameter(node.arg, kind, lower_optional(cx, default), annotation, at)


EXPRESSIONS: Final = Table({
    ast.Name: _name, ast.Attribute: _attribute, ast.Call: _call, ast.Subscript: _subscript, ast.Constant: _constant,
    ast.JoinedStr: _formatted_string, ast.BinOp: _binary, ast.BoolOp: _boolean, ast.UnaryOp: _unary,
    ast.Compare: _comparison, ast.IfExp: _conditional, ast.Await: _await, ast.Yield: _yield,
    ast.YieldFrom: _yield_from, ast.NamedExpr: _named, ast.Tuple: _tuple, ast.List: _list, ast.Set: _set,
    ast.Dict: _dict, ast.ListComp: _list_comprehension, ast.SetComp: _set_comprehension,
    ast.GeneratorExp: _generator_expression, ast.DictComp: _dict_comprehension, ast.Lambda: _lambda,
    ast.Starred: _starred, ast.Slice: _slice,
})  # fmt: skip
