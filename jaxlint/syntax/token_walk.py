"""Which tokens each lowered node starts and ends with: the walk of lowering once more, counting tokens.

A visit gets the index of the next token and returns that of the first token after the node. A node's parentheses
are counted, but are outside its extent.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final

from jaxlint.syntax import ir
from jaxlint.syntax.records import Rebuilt, cst
from jaxlint.syntax.tokens import Tokens, scan_tokens

if TYPE_CHECKING:
    from jaxlint.syntax.recorder import PartRecorder

#: A visit: the walk, a node, the index of its first token.
Visit = Callable[["Walk", Any, int], int]


#: Rescans cost the square of their number.
_MAX_RESCANS: Final = 20


class Mismatch(Exception):  # noqa: N818 - it asks for another way, and is never shown
    """The tokens of the text are not those of the tree."""


class Walk:
    """One walk: `starts[at]` is the first token of the ordinal `at`, `ends[at]` the token after its last.

    `fixed` holds the offsets of what is not made of whole tokens: the inside of formatted strings, and nothing at all.
    `is_inner`: the text is that of one field of such a string.
    """

    __slots__ = (
        "ends", "fixed", "indents", "is_inner", "nodes", "recorder", "rescans", "starts", "text", "tokens", "tree",
    )  # fmt: skip

    def __init__(self, text: str, tree: cst.Module, nodes: Sequence[cst.CSTNode], *, is_inner: bool = False) -> None:
        self.text = text
        self.is_inner = is_inner
        self.tree = tree
        self.nodes = nodes
        self.tokens: Tokens = scan_tokens(text)
        self.starts: list[int] = []
        self.ends = [0] * len(nodes)
        self.fixed: dict[int, tuple[int, int]] = {}
        self.rescans = 0
        self.indents: list[str] = []
        self.recorder: PartRecorder | None = None

    def copy(self, at: int) -> None:
        """Give the ordinal `at` the extent of the next one, which is the expression that it consists of."""
        self.starts[at] = self.starts[at + 1]
        self.ends[at] = self.ends[at + 1]
        if at + 1 in self.fixed:
            self.fixed[at] = self.fixed[at + 1]

    def width(self, node: cst.CSTNode) -> int:
        """Return how many tokens a node has that holds no ordinals."""
        return len(scan_tokens(Rebuilt(node).code).starts)

    def resume(self, i: int, end: int) -> int:
        """Return the token after a string that starts with the token `i` and ends at the offset `end`.

        If that is inside what was taken for a token, the rest of the text is split anew.
        """
        tokens = self.tokens
        after = bisect_left(tokens.starts, end, i + 1)
        if tokens.ends[after - 1] == end:
            return after
        self.rescans += 1
        if self.rescans > _MAX_RESCANS:
            raise Mismatch
        rest = scan_tokens(self.text, end)
        tokens.starts[i + 1 :] = rest.starts
        tokens.ends[i:] = [end, *rest.ends]
        return i + 1


# --- expressions: names, literals, strings


def _token(walk: Walk, node: Any, i: int) -> int:  # noqa: ANN401 - the class is the table's key
    i += len(node.lpar)
    starts = walk.starts
    walk.ends[len(starts)] = i + 1
    starts.append(i)
    return i + 1 + len(node.rpar)


def _ellipsis(walk: Walk, node: cst.Ellipsis, i: int) -> int:
    i += len(node.lpar)
    walk.ends[len(walk.starts)] = i + 3
    walk.starts.append(i)
    return i + 3 + len(node.rpar)


def _concatenated(walk: Walk, node: cst.ConcatenatedString, i: int) -> int:
    pieces = 1
    is_plain = True
    piece: Any = node
    while isinstance(piece, cst.ConcatenatedString):
        pieces += 1
        is_plain = is_plain and isinstance(piece.left, cst.SimpleString)
        piece = piece.right
    if not is_plain or not isinstance(piece, cst.SimpleString):
        return _formatted(walk, node, i)
    i += len(node.lpar)
    walk.ends[len(walk.starts)] = i + pieces
    walk.starts.append(i)
    return i + pieces + len(node.rpar)


def _formatted(walk: Walk, node: Any, i: int) -> int:  # noqa: ANN401 - a class of newer libcst too
    """A string with fields, whose extents are no tokens; libcst tells those that cannot be read here."""
    from jaxlint.syntax.string_extents import spans_of

    i += len(node.lpar)
    try:
        spans = spans_of(walk, node, walk.tokens.starts[i])
    except Exception:
        if walk.is_inner:
            raise
        spans = _generated(walk, node, i)
    for span in spans:
        walk.fixed[len(walk.starts)] = span
        walk.starts.append(i)
    return walk.resume(i, spans[0][1]) + len(node.rpar)


def _generated(walk: Walk, node: Any, i: int) -> list[tuple[int, int]]:  # noqa: ANN401
    """Generate the code of a formatted string, to find the extents inside."""
    from jaxlint.syntax.recorder import PartRecorder

    if walk.recorder is None:
        walk.recorder = PartRecorder(walk.tree, walk.nodes)
    found = walk.recorder.record(node, walk.tokens.starts[i], walk.text, walk.indents)
    spans = (found.get(id(each)) for each in islice(walk.nodes, len(walk.starts), None))
    return [span for span in takewhile(lambda span: span is not None, spans) if span is not None]


# --- access and calls


def _attribute(walk: Walk, node: cst.Attribute, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    base = node.value
    i = EXPRESSIONS[base.__class__](walk, base, i) + 2
    walk.ends[at] = i
    return i + len(node.rpar)


def _call(walk: Walk, node: cst.Call, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    func = node.func
    i = EXPRESSIONS[func.__class__](walk, func, i) + 1
    if node.args:
        i = arguments(walk, node.args, i)
    i += 1
    walk.ends[at] = i
    return i + len(node.rpar)


def arguments(walk: Walk, nodes: Sequence[cst.Arg], i: int) -> int:
    """Visit the arguments of a call or the bases of a class."""
    for argument in nodes:
        value = argument.value
        if argument.keyword is not None:
            i = EXPRESSIONS[value.__class__](walk, value, i + 2)
        elif argument.star == "*":
            i = _star(walk, value, i)
        else:
            i = EXPRESSIONS[value.__class__](walk, value, i + len(argument.star) // 2)
        if argument.comma.__class__ is cst.Comma:
            i += 1
    return i


def _star(walk: Walk, value: cst.CSTNode, i: int) -> int:
    at = len(walk.starts)
    walk.starts.append(i)
    i = EXPRESSIONS[value.__class__](walk, value, i + 1)
    walk.ends[at] = i
    return i


def _subscript(walk: Walk, node: cst.Subscript, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    base = node.value
    i = EXPRESSIONS[base.__class__](walk, base, i) + 1
    for element in node.slice:
        i = _index(walk, element.slice, i)
        if element.comma.__class__ is cst.Comma:
            i += 1
    i += 1
    walk.ends[at] = i
    return i + len(node.rpar)


def _index(walk: Walk, node: cst.BaseSlice, i: int) -> int:
    if type(node) is cst.Index:
        value = node.value
        return _star(walk, value, i) if node.star else EXPRESSIONS[value.__class__](walk, value, i)
    return _slice(walk, node, i)


def _slice(walk: Walk, node: Any, i: int) -> int:  # noqa: ANN401 - a Slice: nothing else is left
    at = len(walk.starts)
    walk.starts.append(i)
    i = optional(walk, node.lower, i) + 1
    i = optional(walk, node.upper, i)
    if node.second_colon.__class__ is cst.Colon:
        i += 1
    i = optional(walk, node.step, i)
    walk.ends[at] = i
    return i


# --- operators


def _binary(walk: Walk, node: cst.BinaryOperation, i: int) -> int:
    """Walk the left spine as lowering does: a long chain is one ordinal, its operations have none."""
    at = len(walk.starts)
    spine = []
    left: cst.BaseExpression = node
    while type(left) is cst.BinaryOperation:
        i += len(left.lpar)
        spine.append(left)
        walk.starts.append(i)
        left = left.left
    if len(spine) > ir.CHAIN_LIMIT:
        del walk.starts[at + 1 :]
    i = EXPRESSIONS[left.__class__](walk, left, i)
    for depth in range(len(spine) - 1, -1, -1):
        right = spine[depth].right
        i = EXPRESSIONS[right.__class__](walk, right, i + 1)
        if depth == 0 or len(spine) <= ir.CHAIN_LIMIT:
            walk.ends[at + depth] = i
        i += len(spine[depth].rpar)
    return i


def _boolean(walk: Walk, node: cst.BooleanOperation, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    operator = node.operator.__class__
    operands = [node.right]
    left = node.left
    while type(left) is cst.BooleanOperation and left.operator.__class__ is operator and not left.lpar:
        operands.append(left.right)
        left = left.left
    i = EXPRESSIONS[left.__class__](walk, left, i)
    for operand in reversed(operands):
        i = EXPRESSIONS[operand.__class__](walk, operand, i + 1)
    walk.ends[at] = i
    return i + len(node.rpar)


_TWO_WORDS: Final = (cst.NotIn, cst.IsNot)


def _comparison(walk: Walk, node: cst.Comparison, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    left = node.left
    i = EXPRESSIONS[left.__class__](walk, left, i)
    for target in node.comparisons:
        right = target.comparator
        i += 2 if target.operator.__class__ in _TWO_WORDS else 1
        i = EXPRESSIONS[right.__class__](walk, right, i)
    walk.ends[at] = i
    return i + len(node.rpar)


def _infix(first: str, *others: str) -> Visit:
    """Make the visit of expressions with one token between each two."""

    def visit(walk: Walk, node: Any, i: int) -> int:  # noqa: ANN401 - the class is the table's key
        i += len(node.lpar)
        at = len(walk.starts)
        walk.starts.append(i)
        i = expression(walk, getattr(node, first), i)
        for name in others:
            i = expression(walk, getattr(node, name), i + 1)
        walk.ends[at] = i
        return i + len(node.rpar)

    return visit


def _prefix(field: str) -> Visit:
    """Make the visit of one token before an expression."""

    def visit(walk: Walk, node: Any, i: int) -> int:  # noqa: ANN401 - the class is the table's key
        i = _star(walk, getattr(node, field), i + len(node.lpar))
        return i + len(node.rpar)

    return visit


def _yield(walk: Walk, node: cst.Yield, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    value = node.value
    i = expression(walk, value.item, i + 2) if isinstance(value, cst.From) else optional(walk, value, i + 1)
    walk.ends[at] = i
    return i + len(node.rpar)


# --- displays and comprehensions


def elements(walk: Walk, nodes: Sequence[cst.BaseElement], i: int) -> int:
    """Visit the elements of a tuple, list or set, without what is around them."""
    for element in nodes:
        value: cst.CSTNode = element if element.__class__ is cst.StarredElement else element.value
        i = EXPRESSIONS[value.__class__](walk, value, i)
        if element.comma.__class__ is cst.Comma:
            i += 1
    return i


def _tuple(walk: Walk, node: cst.Tuple, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    if node.elements:
        i = elements(walk, node.elements, i)
        walk.ends[at] = i
    else:
        empty(walk, at, i)
    return i + len(node.rpar)


def empty(walk: Walk, at: int, i: int) -> None:
    """Place an empty tuple before its closing parenthesis."""
    start = walk.tokens.starts[i]
    walk.fixed[at] = (start, start)


def _bracketed(walk: Walk, node: cst.List | cst.Set, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    i = elements(walk, node.elements, i + 1) + 1
    walk.ends[at] = i
    return i + len(node.rpar)


def _dict(walk: Walk, node: cst.Dict, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    i += 1
    for element in node.elements:
        if type(element) is cst.DictElement:
            i = EXPRESSIONS[element.key.__class__](walk, element.key, i)
        i = EXPRESSIONS[element.value.__class__](walk, element.value, i + 1)
        if element.comma.__class__ is cst.Comma:
            i += 1
    i += 1
    walk.ends[at] = i
    return i + len(node.rpar)


def _generator(walk: Walk, node: cst.GeneratorExp, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    i = _clauses(walk, node.for_in, expression(walk, node.elt, i))
    walk.ends[at] = i
    return i + len(node.rpar)


def _comprehension(walk: Walk, node: cst.ListComp | cst.SetComp, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    i = _clauses(walk, node.for_in, expression(walk, node.elt, i + 1)) + 1
    walk.ends[at] = i
    return i + len(node.rpar)


def _dict_comprehension(walk: Walk, node: cst.DictComp, i: int) -> int:
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.value, expression(walk, node.key, i + 1) + 1)
    i = _clauses(walk, node.for_in, i) + 1
    walk.ends[at] = i
    return i + len(node.rpar)


def _clauses(walk: Walk, clause: cst.CompFor | None, i: int) -> int:
    while clause is not None:
        i += 1 if clause.asynchronous is None else 2
        i = expression(walk, clause.target, i) + 1
        i = expression(walk, clause.iter, i)
        for condition in clause.ifs:
            i = expression(walk, condition.test, i + 1)
        clause = clause.inner_for_in
    return i


# --- lambdas and parameters


def _lambda(walk: Walk, node: cst.Lambda, i: int) -> int:
    """Visit a lambda, whose body has two ordinals: the first is that of the Return around it."""
    i += len(node.lpar)
    at = len(walk.starts)
    walk.starts.append(i)
    i = parameters(walk, node.params, i + 1) + 1
    body_at = len(walk.starts)
    walk.starts.append(i)
    i = expression(walk, node.body, i)
    walk.copy(body_at)
    walk.ends[at] = i
    return i + len(node.rpar)


def parameters(walk: Walk, node: cst.Parameters, i: int) -> int:
    """Visit parameters, without the brackets around them."""
    for parameter in node.posonly_params:
        i = _parameter(walk, parameter, i)
    if type(node.posonly_ind) is cst.ParamSlash:
        i += 2 if node.posonly_ind.comma.__class__ is cst.Comma else 1
    for parameter in node.params:
        i = _parameter(walk, parameter, i)
    if type(node.star_arg) is cst.Param:
        i = _parameter(walk, node.star_arg, i + 1)
    elif type(node.star_arg) is cst.ParamStar:
        i += 2
    for parameter in node.kwonly_params:
        i = _parameter(walk, parameter, i)
    return i if node.star_kwarg is None else _parameter(walk, node.star_kwarg, i + 1)


def _parameter(walk: Walk, node: cst.Param, i: int) -> int:
    walk.ends[len(walk.starts)] = i + 1
    walk.starts.append(i)
    i += 1
    if node.annotation is not None:
        i = expression(walk, node.annotation.annotation, i + 1)
    if node.default is not None:
        i = expression(walk, node.default, i + 1)
    return i + 1 if node.comma.__class__ is cst.Comma else i


def expression(walk: Walk, node: cst.CSTNode, i: int) -> int:
    """Visit any expression."""
    return EXPRESSIONS[node.__class__](walk, node, i)


def optional(walk: Walk, node: cst.CSTNode | None, i: int) -> int:
    """Visit an expression that may be absent."""
    return i if node is None else EXPRESSIONS[node.__class__](walk, node, i)


EXPRESSIONS: Final[dict[type[cst.CSTNode], Visit]] = {
    cst.Name: _token, cst.Integer: _token, cst.Float: _token, cst.Imaginary: _token, cst.SimpleString: _token,
    cst.Ellipsis: _ellipsis, cst.ConcatenatedString: _concatenated, cst.FormattedString: _formatted,
    cst.Attribute: _attribute, cst.Call: _call, cst.Subscript: _subscript, cst.BinaryOperation: _binary,
    cst.BooleanOperation: _boolean, cst.UnaryOperation: _prefix("expression"), cst.Comparison: _comparison,
    cst.IfExp: _infix("body", "test", "orelse"), cst.Await: _prefix("expression"), cst.Yield: _yield,
    cst.NamedExpr: _infix("target", "value"), cst.Tuple: _tuple, cst.List: _bracketed, cst.Set: _bracketed,
    cst.Dict: _dict, cst.ListComp: _comprehension, cst.SetComp: _comprehension, cst.DictComp: _dict_comprehension,
    cst.GeneratorExp: _generator, cst.Lambda: _lambda, cst.StarredElement: _prefix("value"),
}  # fmt: skip
if hasattr(cst, "TemplatedString"):
    EXPRESSIONS[cst.TemplatedString] = _formatted
