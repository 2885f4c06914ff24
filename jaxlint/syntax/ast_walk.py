"""Python's own tree of a text, node by node in the order in which lowering hands out ordinals."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from jaxlint.syntax import ir
from jaxlint.syntax.positions import LINE_BREAK

if TYPE_CHECKING:
    from jaxlint.syntax.recorder import Offsets, PartRecorder

#: What may stand between two tokens inside brackets. A comment takes its line end, so that it is never taken in part.
_SPACE: Final = r"(?:[ \t\f\r\n]|\\\r?\n|#[^\r\n]*[\r\n])*"
_BLANKS: Final = re.compile(_SPACE)
_CLOSERS: Final = re.compile(rf"(?:{_SPACE}[),])*")
_BOUND_NAME: Final = re.compile(rf"(?:{_SPACE}[),])*{_SPACE}as{_SPACE}[^ \t\f\r\n\\:#,)]+")
_DEFINED: Final = re.compile(rf"(?:async{_SPACE})?(?:def|class){_SPACE}")
_REST: Final = re.compile(rf"(?:{_SPACE}[),])*{_SPACE}\*\*{_SPACE}")
_MARGIN: Final = re.compile(r"[ \t\f]*")
_CASE: Final = re.compile(rf"case(?:{_SPACE}\()*{_SPACE}")


class Mismatch(Exception):  # noqa: N818 - it asks for another way, and is never shown
    """Python's tree is not shaped like the lowered one."""


class Walk:
    """One walk: `found[at]` is the tree node that stands for the ordinal `at`.

    `starts` and `ends` hold the offsets that are not those of the tree node. All offsets count UTF-8 bytes:
    `bytewise` is the text with one character for each of them.
    """

    __slots__ = (
        "append", "bytewise", "ends", "found", "lines", "margin", "nodes", "recorder", "searched", "starts", "tree"
    )  # fmt: skip

    def __init__(self, bytewise: str, tree: cst.Module, nodes: Sequence[cst.CSTNode]) -> None:
        self.bytewise = bytewise
        self.nodes = nodes
        self.found: list[Any] = []
        self.append = self.found.append
        self.lines = [0, 0, *[match.end() for match in LINE_BREAK.finditer(bytewise)]]
        self.starts: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        self.tree = tree
        self.recorder: PartRecorder | None = None
        self.margin = ""
        self.searched = 0

    def start(self, node: Any) -> int:  # noqa: ANN401 - any node with a place
        """Return where a tree node starts."""
        offset: int = self.lines[node.lineno] + node.col_offset
        return offset

    def end(self, node: Any) -> int:  # noqa: ANN401 - any node with a place
        """Return where a tree node ends."""
        offset: int = self.lines[node.end_lineno] + node.end_col_offset
        return offset

    def after(self, pattern: re.Pattern[str], offset: int, limit: int | None = None) -> int:
        """Return where a match of `pattern` at `offset` ends."""
        text = self.bytewise
        match = pattern.match(text, offset, len(text) if limit is None else limit)
        if match is None:
            raise Mismatch
        return match.end()

    def close(self, at: int, last: Any) -> None:  # noqa: ANN401 - any node with a place
        """End the header `at` with its last tree node and the brackets around that."""
        end = self.end(last)
        self.ends[at] = end if self.bytewise[end] == ":" else self.after(_CLOSERS, end)

    def name(self, at: int, start: int) -> None:
        """Place the name that the ordinal `at` stands for; the tree's spelling of it is normalised."""
        node = self.nodes[at]
        if not isinstance(node, cst.Name):
            raise Mismatch
        self.starts[at] = start
        self.ends[at] = start + len(node.value.encode())

    def unwrap(self, at: int, node: Any, last: Any) -> None:  # noqa: ANN401 - any node with a place
        """Leave out the brackets of a tuple or generator, and white space next to them; `last` is inside."""
        start, end = self.start(node) + 1, self.end(node) - 1
        text = self.bytewise
        if text[start] in " \t\f\r\n\\#":
            start = self.after(_BLANKS, start, end)
        if last is None:
            end = start
        elif text[end - 1] in " \t\f\r\n":
            end = self.after(_CLOSERS, self.end(last), end)
        self.starts[at], self.ends[at] = start, end

    def record(self, at: int, node: Any) -> Offsets:  # noqa: ANN401 - any node with a place
        """Return the extents of all ordinals inside the expression `at`, of which the tree knows only start and end."""
        from jaxlint.syntax.recorder import PartRecorder

        if self.recorder is None:
            self.recorder = PartRecorder(self.tree, self.nodes)
        start, end = self.start(node), self.end(node)
        return self.recorder.record(self.nodes[at], start, self.bytewise[start:end], self._current_margin())

    def _current_margin(self) -> str:
        """Return the indentation of the statement being walked. What was searched once is not searched again."""
        for node in reversed(self.found[self.searched :]):
            if isinstance(node, ast.stmt):
                self.indent(node)
                break
        self.searched = len(self.found)
        return self.margin

    def indent(self, node: ast.stmt) -> None:
        """Make the indentation of a statement the current one."""
        start = self.lines[node.lineno]
        self.margin = self.bytewise[start : self.after(_MARGIN, start)]
        self.searched = len(self.found)


Visit = Callable[[Walk, Any], None]


def visit_all(walk: Walk, nodes: Sequence[Any]) -> None:
    """Visit nodes in order."""
    for node in nodes:
        VISITS[node.__class__](walk, node)


def _in_order(*fields: str) -> Visit:
    """Make the visit of a node that stands for one ordinal and has its children in these fields."""

    def visit(walk: Walk, node: Any) -> None:  # noqa: ANN401 - the class is the table's key
        walk.append(node)
        for field in fields:
            child = getattr(node, field)
            if child.__class__ is list:
                for each in child:
                    VISITS[each.__class__](walk, each)
            elif child is not None:
                VISITS[child.__class__](walk, child)

    return visit


def _leaf(walk: Walk, node: ast.AST) -> None:
    walk.append(node)


def _pass(walk: Walk, node: ast.AST) -> None:
    """Skip `pass`, which is not lowered."""


# --- expressions


def _attribute(walk: Walk, node: ast.Attribute) -> None:
    walk.append(node)
    base = node.value
    VISITS[base.__class__](walk, base)


def _call(walk: Walk, node: ast.Call) -> None:
    walk.append(node)
    func = node.func
    VISITS[func.__class__](walk, func)
    args, keywords = node.args, node.keywords
    if args and keywords and args[-1].__class__ is ast.Starred:  # the only one that may follow a keyword
        mixed: list[Any] = [*args, *[keyword.value for keyword in keywords]]
        mixed.sort(key=walk.start)
        visit_all(walk, mixed)
        return
    for arg in args:
        VISITS[arg.__class__](walk, arg)
    for keyword in keywords:
        VISITS[keyword.value.__class__](walk, keyword.value)


def _subscript(walk: Walk, node: ast.Subscript) -> None:
    at = len(walk.found)
    walk.append(node)
    VISITS[node.value.__class__](walk, node.value)
    index = node.slice
    if isinstance(index, ast.Tuple) and not _is_one_index(walk.nodes[at]):
        visit_all(walk, index.elts)
    else:
        VISITS[index.__class__](walk, index)


def _is_one_index(node: cst.CSTNode) -> bool:
    """Tell `x[(a, b)]`, where the tuple has an ordinal, from `x[a, b]`."""
    if not isinstance(node, cst.Subscript):
        raise Mismatch
    first = node.slice[0]
    return len(node.slice) == 1 and not isinstance(first.comma, cst.Comma) and isinstance(
        getattr(first.slice, "value", None), cst.Tuple
    ) and not getattr(first.slice, "star", None)  # fmt: skip


def _binary(walk: Walk, node: ast.BinOp) -> None:
    """Walk the left spine as lowering does: a long chain is one ordinal, its operations have none."""
    spine = [node]
    left = node.left
    while isinstance(left, ast.BinOp):
        spine.append(left)
        left = left.left
    if len(spine) > ir.CHAIN_LIMIT:
        walk.append(node)
    else:
        walk.found.extend(spine)
    VISITS[left.__class__](walk, left)
    for operation in reversed(spine):
        right = operation.right
        VISITS[right.__class__](walk, right)


def _dict(walk: Walk, node: ast.Dict) -> None:
    walk.append(node)
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            VISITS[key.__class__](walk, key)
        VISITS[value.__class__](walk, value)


def _tuple(walk: Walk, node: ast.Tuple) -> None:
    at = len(walk.found)
    walk.append(node)
    visit_all(walk, node.elts)
    written = walk.nodes[at]
    if not isinstance(written, cst.Tuple):
        raise Mismatch
    if written.lpar:
        walk.unwrap(at, node, node.elts[-1] if node.elts else None)


def _comprehension(walk: Walk, node: Any) -> None:  # noqa: ANN401 - any of four classes
    walk.append(node)
    if isinstance(node, ast.DictComp):
        visit_all(walk, (node.key, node.value))
    else:
        VISITS[node.elt.__class__](walk, node.elt)
    for clause in node.generators:
        visit_all(walk, (clause.target, clause.iter, *clause.ifs))


def _generator(walk: Walk, node: ast.GeneratorExp) -> None:
    at = len(walk.found)
    _comprehension(walk, node)
    clause = node.generators[-1]
    walk.unwrap(at, node, clause.ifs[-1] if clause.ifs else clause.iter)


def _lambda(walk: Walk, node: ast.Lambda) -> None:
    """Visit a lambda, whose body has two ordinals: the first is that of the Return around it."""
    walk.append(node)
    _arguments(walk, node.args)
    at = len(walk.found)
    walk.append(node.body)
    VISITS[node.body.__class__](walk, node.body)
    for offsets in (walk.starts, walk.ends):
        if at + 1 in offsets:
            offsets[at] = offsets[at + 1]


def _formatted(walk: Walk, node: Any) -> None:  # noqa: ANN401 - JoinedStr, or TemplateStr of Python 3.14
    """Generate the code of a formatted string: before Python 3.12 the tree has no places inside it."""
    at = len(walk.found)
    found = walk.record(at, node)
    for inner in walk.nodes[at:]:
        span = found.get(id(inner))
        if span is None:
            break
        walk.starts[len(walk.found)], walk.ends[len(walk.found)] = span
        walk.append(node)


def _arguments(walk: Walk, node: ast.arguments) -> None:
    positional = [*node.posonlyargs, *node.args]
    missing = [None] * (len(positional) - len(node.defaults))
    for parameter, default in zip(positional, [*missing, *node.defaults], strict=True):
        _parameter(walk, parameter, default)
    if node.vararg is not None:
        _parameter(walk, node.vararg, None)
    for parameter, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        _parameter(walk, parameter, default)
    if node.kwarg is not None:
        _parameter(walk, node.kwarg, None)


def _parameter(walk: Walk, node: ast.arg, default: ast.expr | None) -> None:
    at = len(walk.found)
    walk.append(node)
    if node.annotation is not None:
        walk.name(at, walk.start(node))
        VISITS[node.annotation.__class__](walk, node.annotation)
    if default is not None:
        VISITS[default.__class__](walk, default)


# --- statements


def _delete(walk: Walk, node: ast.Delete) -> None:
    """Visit what `del (a, b)` deletes: two targets, and the tuple has no ordinal."""
    written = walk.nodes[len(walk.found)]
    walk.append(node)
    only = node.targets[0]
    if isinstance(only, ast.Tuple) and isinstance(written, cst.Del) and written.target.lpar:
        visit_all(walk, only.elts)
    else:
        visit_all(walk, node.targets)


def _conditional_block(walk: Walk, node: ast.If | ast.While) -> None:
    at = len(walk.found)
    walk.append(node)
    test = node.test
    VISITS[test.__class__](walk, test)
    walk.close(at, test)
    visit_all(walk, node.body)
    visit_all(walk, node.orelse)


def _for(walk: Walk, node: ast.For | ast.AsyncFor) -> None:
    at = len(walk.found)
    walk.append(node)
    visit_all(walk, (node.target, node.iter))
    walk.close(at, node.iter)
    visit_all(walk, node.body)
    visit_all(walk, node.orelse)


def _with(walk: Walk, node: ast.With | ast.AsyncWith) -> None:
    at = len(walk.found)
    walk.append(node)
    for item in node.items:
        VISITS[item.context_expr.__class__](walk, item.context_expr)
        if item.optional_vars is not None:
            VISITS[item.optional_vars.__class__](walk, item.optional_vars)
    last = node.items[-1]
    walk.close(at, last.optional_vars or last.context_expr)
    visit_all(walk, node.body)


def _try(walk: Walk, node: Any) -> None:  # noqa: ANN401 - Try, or TryStar of Python 3.11
    walk.ends[len(walk.found)] = walk.start(node) + len("try")
    walk.append(node)
    for part in (node.body, node.handlers, node.orelse, node.finalbody):
        visit_all(walk, part)


def _handler(walk: Walk, node: ast.ExceptHandler) -> None:
    at = len(walk.found)
    walk.append(node)
    kind = node.type
    if kind is None:
        walk.ends[at] = walk.start(node) + len("except")
    else:
        VISITS[kind.__class__](walk, kind)
        if node.name is None:
            walk.close(at, kind)
        else:
            walk.ends[at] = walk.after(_BOUND_NAME, walk.end(kind))
    visit_all(walk, node.body)


def _function(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    _decorators(walk, node)
    walk.name(len(walk.found), walk.after(_DEFINED, walk.start(node)))
    walk.append(node)
    _arguments(walk, node.args)
    if node.returns is not None:
        VISITS[node.returns.__class__](walk, node.returns)
    visit_all(walk, node.body)


def _decorators(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    if node.decorator_list:
        walk.indent(node)
        visit_all(walk, node.decorator_list)


def _class(walk: Walk, node: ast.ClassDef) -> None:
    _decorators(walk, node)
    walk.name(len(walk.found), walk.after(_DEFINED, walk.start(node)))
    walk.append(node)
    visit_all(walk, node.bases)
    visit_all(walk, [keyword.value for keyword in node.keywords])
    visit_all(walk, node.body)


# --- match


def _match(walk: Walk, node: ast.Match) -> None:
    at = len(walk.found)
    walk.append(node)
    VISITS[node.subject.__class__](walk, node.subject)
    walk.close(at, node.subject)
    for case in node.cases:
        _case(walk, case)


def _case(walk: Walk, case: ast.match_case) -> None:
    """Visit a case, which has no place of its own in the tree: its keyword is looked for before the pattern."""
    at = len(walk.found)
    pattern = case.pattern
    start = walk.start(pattern)
    keyword = walk.bytewise.rfind("case", 0, start)
    if keyword < 0 or walk.after(_CASE, keyword, start) != start:
        raise Mismatch
    walk.starts[at] = keyword
    walk.append(pattern)
    VISITS[pattern.__class__](walk, pattern)
    if case.guard is not None:
        VISITS[case.guard.__class__](walk, case.guard)
    walk.close(at, case.guard or pattern)
    visit_all(walk, case.body)


def _singleton(walk: Walk, node: ast.MatchSingleton) -> None:
    walk.append(node)
    walk.append(node)


def _sequence(walk: Walk, node: ast.MatchSequence) -> None:
    at = len(walk.found)
    walk.append(node)
    visit_all(walk, node.patterns)
    written = walk.nodes[at]
    if isinstance(written, cst.MatchTuple) and written.lpar:
        walk.unwrap(at, node, node.patterns[-1] if node.patterns else None)


def _mapping(walk: Walk, node: ast.MatchMapping) -> None:
    walk.append(node)
    for key, pattern in zip(node.keys, node.patterns, strict=True):
        visit_all(walk, (key, pattern))
    if node.rest is not None:
        before = walk.end(node.patterns[-1]) if node.patterns else walk.start(node) + 1
        walk.name(len(walk.found), walk.after(_REST, before))
        walk.append(node)


def _table() -> dict[type[ast.AST], Visit]:
    plain = {
        "Slice": ("lower", "upper", "step"), "BoolOp": ("values",),
        "UnaryOp": ("operand",), "Compare": ("left", "comparators"), "IfExp": ("body", "test", "orelse"),
        "List": ("elts",), "Set": ("elts",), "Starred": ("value",), "Await": ("value",), "Yield": ("value",),
        "YieldFrom": ("value",), "NamedExpr": ("target", "value"), "Expr": ("value",), "Assign": ("targets", "value"),
        "AnnAssign": ("target", "annotation", "value"), "AugAssign": ("target", "value"), "Return": ("value",),
        "TypeAlias": ("name", "value"), "Raise": ("exc", "cause"), "Assert": ("test", "msg"),
        "MatchValue": ("value",), "MatchAs": ("pattern",), "MatchClass": ("cls", "patterns", "kwd_patterns"),
        "MatchOr": ("patterns",),
    }  # fmt: skip
    own: dict[str, Visit] = {
        "Name": _leaf, "Constant": _leaf, "Attribute": _attribute, "Call": _call, "Subscript": _subscript,
        "BinOp": _binary, "Dict": _dict, "Tuple": _tuple, "ListComp": _comprehension, "SetComp": _comprehension,
        "DictComp": _comprehension, "GeneratorExp": _generator, "Lambda": _lambda, "JoinedStr": _formatted,
        "TemplateStr": _formatted, "Pass": _pass, "Delete": _delete, "Break": _leaf, "Continue": _leaf,
        "Global": _leaf, "Nonlocal": _leaf, "Import": _leaf, "ImportFrom": _leaf, "If": _conditional_block,
        "While": _conditional_block, "For": _for, "AsyncFor": _for, "With": _with, "AsyncWith": _with, "Try": _try,
        "TryStar": _try, "ExceptHandler": _handler, "FunctionDef": _function, "AsyncFunctionDef": _function,
        "ClassDef": _class, "Match": _match, "MatchStar": _leaf, "MatchSingleton": _singleton,
        "MatchSequence": _sequence, "MatchMapping": _mapping,
    }  # fmt: skip
    visits = {name: _in_order(*fields) for name, fields in plain.items()} | own
    return {getattr(ast, name): visit for name, visit in visits.items() if hasattr(ast, name)}


VISITS: Final = _table()
