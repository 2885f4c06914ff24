"""Every libcst expression becomes one IR expression; ordinals are handed out before the children's, in source order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

from jaxlint.syntax import ir
from jaxlint.syntax.literals import TooLong, float_value, imaginary_value, integer_value, string_value, text_value
from jaxlint.syntax.lower_context import Context, Table, Unlowerable
from jaxlint.syntax.lowering import binary_spine, define_lambda, subscript
from jaxlint.syntax.records import cst

_Comprehension = cst.ListComp | cst.SetComp | cst.GeneratorExp
_AnyString = cst.SimpleString | cst.FormattedString | cst.ConcatenatedString

_NAMED_CONSTANTS: Final[dict[str, bool | None]] = {"None": None, "True": True, "False": False}

OPERATORS: Final[dict[type[cst.CSTNode], str]] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%",
    cst.Power: "**", cst.LeftShift: "<<", cst.RightShift: ">>", cst.BitOr: "|", cst.BitAnd: "&", cst.BitXor: "^",
    cst.MatrixMultiply: "@", cst.And: "and", cst.Or: "or", cst.Plus: "+", cst.Minus: "-", cst.BitInvert: "~",
    cst.Not: "not", cst.LessThan: "<", cst.GreaterThan: ">", cst.Equal: "==", cst.LessThanEqual: "<=",
    cst.GreaterThanEqual: ">=", cst.NotEqual: "!=", cst.In: "in", cst.NotIn: "not in", cst.Is: "is",
    cst.IsNot: "is not", cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*",
    cst.MatrixMultiplyAssign: "@", cst.DivideAssign: "/", cst.ModuloAssign: "%", cst.BitAndAssign: "&",
    cst.BitOrAssign: "|", cst.BitXorAssign: "^", cst.LeftShiftAssign: "<<", cst.RightShiftAssign: ">>",
    cst.PowerAssign: "**", cst.FloorDivideAssign: "//",
}  # fmt: skip


def lower_expression(cx: Context, node: cst.CSTNode) -> ir.Expr:
    """Lower any expression."""
    return cast("ir.Expr", EXPRESSIONS[node.__class__](cx, node))


def lower_optional(cx: Context, node: cst.CSTNode | None) -> ir.Expr | None:
    """Lower an expression that may be absent."""
    return None if node is None else cast("ir.Expr", EXPRESSIONS[node.__class__](cx, node))


def lower_target(cx: Context, node: cst.CSTNode, *, binds: bool = True) -> ir.Expr:
    """Lower what is assigned to, deleted or iterated into, and bind its names in the current scope if it `binds` them.

    The targets of a comprehension are a scope of their own: they do not bind.
    """
    if type(node) is cst.Name:
        if binds:
            cx.frame.bound.add(node.value)
        return ir.Name(node.value, cx.place(node))
    if type(node) is cst.Tuple or type(node) is cst.List:
        at = cx.place(node)
        kind = "tuple" if type(node) is cst.Tuple else "list"
        elements = [
            lower_target(cx, e if type(e) is cst.StarredElement else e.value, binds=binds) for e in node.elements
        ]
        return ir.SequenceDisplay(kind, tuple(elements), at)
    if type(node) is cst.StarredElement:
        at = cx.place(node)
        return ir.Starred(lower_target(cx, node.value, binds=binds), at)
    return lower_expression(cx, node)


# --- names, literals, strings


def _name(cx: Context, node: cst.Name) -> ir.Expr:
    places = cx.places
    places.append(node)
    value = node.value
    if value in _NAMED_CONSTANTS:
        return ir.Constant(_NAMED_CONSTANTS[value], len(places) - 1)
    return ir.Name(value, len(places) - 1)


def _integer(cx: Context, node: cst.Integer) -> ir.Expr:
    try:
        return ir.Constant(integer_value(node.value), cx.place(node))
    except TooLong as error:
        raise Unlowerable(str(error), node, is_limit=True) from None


def _float(cx: Context, node: cst.Float) -> ir.Expr:
    return ir.Constant(float_value(node.value), cx.place(node))


def _imaginary(cx: Context, node: cst.Imaginary) -> ir.Expr:
    return ir.Constant(imaginary_value(node.value), cx.place(node))


def _ellipsis(cx: Context, node: cst.Ellipsis) -> ir.Expr:
    return ir.Constant(..., cx.place(node))


def _simple_string(cx: Context, node: cst.SimpleString) -> ir.Expr:
    return ir.Constant(string_value(node.value), cx.place(node))


def _formatted_string(cx: Context, node: cst.FormattedString) -> ir.Expr:
    at = cx.place(node)
    return ir.FormattedString(tuple(_string_parts(cx, node)), at)


def _concatenated_string(cx: Context, node: cst.ConcatenatedString) -> ir.Expr:
    pieces = list(_pieces(node))
    values = [string_value(p.value) for p in pieces if isinstance(p, cst.SimpleString)]
    at = cx.place(node)
    if len(values) == len(pieces):
        texts = [v for v in values if isinstance(v, str)]
        if len(texts) == len(values):
            return ir.Constant("".join(texts), at)
        return ir.Constant(b"".join(v for v in values if isinstance(v, bytes)), at)
    return ir.FormattedString(tuple(part for piece in pieces for part in _string_parts(cx, piece)), at)


def _pieces(node: _AnyString) -> Iterator[cst.CSTNode]:
    """Yield the literals of an implicit concatenation, which libcst nests to the right, without recursion."""
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _string_parts(cx: Context, node: cst.CSTNode) -> Iterator[ir.Expr]:
    """Yield the constant and formatted parts of one literal; t-strings have the same shape as f-strings."""
    if isinstance(node, cst.SimpleString):
        yield _simple_string(cx, node)
        return
    literal = cast("cst.FormattedString", node)
    is_raw = "r" in literal.start.lower()
    for part in literal.parts:
        yield _string_part(cx, part, is_raw=is_raw)


def _string_part(cx: Context, part: cst.CSTNode, *, is_raw: bool) -> ir.Expr:
    at = cx.place(part)
    value = getattr(part, "value", None)
    if value is not None:
        return ir.Constant(text_value(value, is_raw=is_raw).replace("{{", "{").replace("}}", "}"), at)
    field = cast("cst.FormattedStringExpression", part)
    inner = lower_expression(cx, field.expression)
    conversion = field.conversion
    if field.equal is not None and conversion is None and field.format_spec is None:
        conversion = "r"
    spec = tuple([_string_part(cx, p, is_raw=is_raw) for p in field.format_spec or ()])
    return ir.FormattedValue(inner, conversion, spec, at)


# --- access and calls


def _attribute(cx: Context, node: cst.Attribute) -> ir.Expr:
    places = cx.places
    at = len(places)
    places.append(node)
    base = node.value
    return ir.Attribute(EXPRESSIONS[base.__class__](cx, base), node.attr.value, at)


def _call(cx: Context, node: cst.Call) -> ir.Expr:
    places = cx.places
    at = len(places)
    places.append(node)
    callee = node.func
    func = EXPRESSIONS[callee.__class__](cx, callee)
    args, keywords = lower_arguments(cx, node.args)
    return ir.Call(func, args, keywords, at)


def lower_arguments(
    cx: Context, arguments: Sequence[cst.Arg]
) -> tuple[tuple[ir.Expr, ...], tuple[tuple[str | None, ir.Expr], ...]]:
    """Lower the arguments of a call or the bases of a class, in source order, to (positional, keywords)."""
    args: list[ir.Expr] = []
    keywords: list[tuple[str | None, ir.Expr]] = []
    for argument in arguments:
        value = argument.value
        if argument.keyword is not None:
            keywords.append((argument.keyword.value, EXPRESSIONS[value.__class__](cx, value)))
        elif not argument.star:
            args.append(EXPRESSIONS[value.__class__](cx, value))
        elif argument.star == "*":
            at = cx.place(argument)
            args.append(ir.Starred(EXPRESSIONS[value.__class__](cx, value), at))
        else:
            keywords.append((None, EXPRESSIONS[value.__class__](cx, value)))
    return tuple(args), tuple(keywords)


def _subscript(cx: Context, node: cst.Subscript) -> ir.Expr:
    at = cx.place(node)
    base = EXPRESSIONS[node.value.__class__](cx, node.value)
    elements = [_index(cx, element.slice) for element in node.slice]
    return subscript(base, elements, at)


def _index(cx: Context, node: cst.BaseSlice) -> ir.Expr:
    if type(node) is cst.Slice:
        at = cx.place(node)
        lower = lower_optional(cx, node.lower)
        upper = lower_optional(cx, node.upper)
        return ir.Slice(lower, upper, lower_optional(cx, node.step), at)
    index = cast("cst.Index", node)
    if index.star:
        at = cx.place(index)
        return ir.Starred(lower_expression(cx, index.value), at)
    return lower_expression(cx, index.value)


def _starred(cx: Context, node: cst.StarredElement) -> ir.Expr:
    at = cx.place(node)
    return ir.Starred(lower_expression(cx, node.value), at)


# --- operators


def _binary(cx: Context, node: cst.BinaryOperation) -> ir.Expr:
    spine = [node]
    left = node.left
    while type(left) is cst.BinaryOperation:
        spine.append(left)
        left = left.left
    return binary_spine(cx, spine, _operator, lower_expression)


def _operator(node: cst.BinaryOperation) -> str:
    return OPERATORS[node.operator.__class__]


def _boolean(cx: Context, node: cst.BooleanOperation) -> ir.Expr:
    """Make one operation of `a and b and c`; a parenthesised `(a and b) and c` keeps its own."""
    at = cx.place(node)
    operator = node.operator.__class__
    rights = [node.right]
    left = node.left
    while type(left) is cst.BooleanOperation and left.operator.__class__ is operator and not left.lpar:
        rights.append(left.right)
        left = left.left
    rights.append(left)
    return ir.BooleanOperation(OPERATORS[operator], tuple([lower_expression(cx, x) for x in reversed(rights)]), at)


def _unary(cx: Context, node: cst.UnaryOperation) -> ir.Expr:
    at = cx.place(node)
    return ir.UnaryOperation(OPERATORS[node.operator.__class__], lower_expression(cx, node.expression), at)


def _comparison(cx: Context, node: cst.Comparison) -> ir.Expr:
    at = cx.place(node)
    left = lower_expression(cx, node.left)
    rest = [
        (OPERATORS[target.operator.__class__], lower_expression(cx, target.comparator)) for target in node.comparisons
    ]
    return ir.Comparison(left, tuple(rest), at)


def _conditional(cx: Context, node: cst.IfExp) -> ir.Expr:
    at = cx.place(node)
    body = lower_expression(cx, node.body)
    test = lower_expression(cx, node.test)
    return ir.Conditional(test, body, lower_expression(cx, node.orelse), at)


def _await(cx: Context, node: cst.Await) -> ir.Expr:
    at = cx.place(node)
    return ir.Await(lower_expression(cx, node.expression), at)


def _yield(cx: Context, node: cst.Yield) -> ir.Expr:
    at = cx.place(node)
    cx.frame.is_generator = True
    value = node.value
    if isinstance(value, cst.From):
        return ir.Yield(lower_expression(cx, value.item), is_from=True, at=at)
    return ir.Yield(lower_optional(cx, value), is_from=False, at=at)


def _named(cx: Context, node: cst.NamedExpr) -> ir.Expr:
    """Bind in the function around: comprehensions have no frame of their own, as Python wants it here."""
    at = cx.place(node)
    target = cast("ir.Name", lower_target(cx, node.target))
    return ir.NamedExpression(target, lower_expression(cx, node.value), at)


# --- displays and comprehensions


def _elements(cx: Context, elements: Sequence[cst.BaseElement]) -> tuple[ir.Expr, ...]:
    nodes = [element if element.__class__ is cst.StarredElement else element.value for element in elements]
    return tuple([EXPRESSIONS[node.__class__](cx, node) for node in nodes])


def _tuple(cx: Context, node: cst.Tuple) -> ir.Expr:
    at = cx.place(node)
    return ir.SequenceDisplay("tuple", _elements(cx, node.elements), at)


def _list(cx: Context, node: cst.List) -> ir.Expr:
    at = cx.place(node)
    return ir.SequenceDisplay("list", _elements(cx, node.elements), at)


def _set(cx: Context, node: cst.Set) -> ir.Expr:
    at = cx.place(node)
    return ir.SequenceDisplay("set", _elements(cx, node.elements), at)


def _dict(cx: Context, node: cst.Dict) -> ir.Expr:
    at = cx.place(node)
    items: list[tuple[ir.Expr | None, ir.Expr]] = []
    for element in node.elements:
        key = lower_expression(cx, element.key) if type(element) is cst.DictElement else None
        items.append((key, lower_expression(cx, element.value)))
    return ir.DictDisplay(tuple(items), at)


def _list_comprehension(cx: Context, node: cst.ListComp) -> ir.Expr:
    return _comprehension(cx, node, "list")


def _set_comprehension(cx: Context, node: cst.SetComp) -> ir.Expr:
    return _comprehension(cx, node, "set")


def _generator_expression(cx: Context, node: cst.GeneratorExp) -> ir.Expr:
    return _comprehension(cx, node, "generator")


def _comprehension(cx: Context, node: _Comprehension, kind: str) -> ir.Expr:
    at = cx.place(node)
    element = lower_expression(cx, node.elt)
    return ir.Comprehension(kind, element, None, _generators(cx, node.for_in), at)


def _dict_comprehension(cx: Context, node: cst.DictComp) -> ir.Expr:
    at = cx.place(node)
    key = lower_expression(cx, node.key)
    value = lower_expression(cx, node.value)
    return ir.Comprehension("dict", key, value, _generators(cx, node.for_in), at)


def _starred_dict_comprehension(cx: Context, node: Any) -> ir.Expr:  # noqa: ANN401 - newer libcst only
    """`{**d for d in ds}` (PEP 798): the element is what is unpacked, and there is no value."""
    at = cx.place(node)
    element_at = cx.place(node.value)
    element = ir.Starred(lower_expression(cx, node.value), element_at)
    return ir.Comprehension("dict", element, None, _generators(cx, node.for_in), at)


def _generators(cx: Context, clause: cst.CompFor | None) -> tuple[ir.Generator, ...]:
    generators: list[ir.Generator] = []
    while clause is not None:
        target = lower_target(cx, clause.target, binds=False)
        iterable = lower_expression(cx, clause.iter)
        conditions = tuple([lower_expression(cx, condition.test) for condition in clause.ifs])
        generators.append(ir.Generator(target, iterable, conditions))
        clause = clause.inner_for_in
    return tuple(generators)


# --- lambdas and parameters


def _lambda(cx: Context, node: cst.Lambda) -> ir.Expr:
    at = cx.place(node)
    return define_lambda(
        cx, at, lambda: lower_parameters(cx, node.params), lambda: lower_expression(cx, node.body), node.body
    )


def lower_parameters(cx: Context, node: cst.Parameters) -> tuple[ir.Parameter, ...]:
    """Lower parameters in source order; defaults and annotations belong to the scope around."""
    kind = ir.ParameterKind
    out = [_parameter(cx, p, kind.POSITIONAL_ONLY) for p in node.posonly_params]
    out.extend([_parameter(cx, p, kind.POSITIONAL) for p in node.params])
    if type(node.star_arg) is cst.Param:
        out.append(_parameter(cx, node.star_arg, kind.VAR_POSITIONAL))
    out.extend([_parameter(cx, p, kind.KEYWORD_ONLY) for p in node.kwonly_params])
    if node.star_kwarg is not None:
        out.append(_parameter(cx, node.star_kwarg, kind.VAR_KEYWORD))
    return tuple(out)


def _parameter(cx: Context, node: cst.Param, kind: ir.ParameterKind) -> ir.Parameter:
    at = cx.place(node.name)
    annotation = None if node.annotation is None else lower_expression(cx, node.annotation.annotation)
    return ir.Parameter(node.name.value, kind, lower_optional(cx, node.default), annotation, at)


EXPRESSIONS: Final = Table({
    cst.Name: _name, cst.Attribute: _attribute, cst.Call: _call, cst.Subscript: _subscript, cst.Integer: _integer,
    cst.Float: _float, cst.Imaginary: _imaginary, cst.Ellipsis: _ellipsis, cst.SimpleString: _simple_string,
    cst.FormattedString: _formatted_string, cst.ConcatenatedString: _concatenated_string,
    cst.BinaryOperation: _binary, cst.BooleanOperation: _boolean, cst.UnaryOperation: _unary,
    cst.Comparison: _comparison, cst.IfExp: _conditional, cst.Await: _await, cst.Yield: _yield,
    cst.NamedExpr: _named, cst.Tuple: _tuple, cst.List: _list, cst.Set: _set, cst.Dict: _dict,
    cst.ListComp: _list_comprehension, cst.SetComp: _set_comprehension, cst.GeneratorExp: _generator_expression,
    cst.DictComp: _dict_comprehension, cst.Lambda: _lambda, cst.StarredElement: _starred,
})  # fmt: skip
EXPRESSIONS.add_optional(["TemplatedString"], _formatted_string)
EXPRESSIONS.add_optional(["StarredDictComp"], _starred_dict_comprehension)
