"""A file as a fix sees it: every ordinal leads to its node, its text and what stands around it."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias, Union, get_args

from jaxlint.diagnostics import Applicability, Edit, Fix
from jaxlint.syntax import ir
from jaxlint.syntax.positions import LINE_BREAK
from jaxlint.syntax.source import SourceFile
from jaxlint.syntax.tokens import Tokens, scan_tokens

#: What has names of its own and statements: None stands for the module.
Owner: TypeAlias = Union[ir.Function, ir.Class, None]

_STATEMENTS: Final = get_args(ir.Stmt)
_INTERPOLATIONS: Final = (ir.FormattedString, ir.FormattedValue)


class Change(NamedTuple):
    """Replace the text from `start` to `end` (offsets, end exclusive) by `text`; with equal ends, insert it."""

    start: int
    end: int
    text: str


class _Around(NamedTuple):
    """Where a node stands: the ordinal of what holds it (-1: the module), whose names it sees, the block it is in."""

    node: Any
    parent: int
    owner: Owner
    block: ir.Block


class Code:
    """The text and the nodes of one file, with what fixes ask about them; computed when first asked for.

    Offsets are indices of `text`. The span of an expression leaves out the parentheses around it (`outer` does not),
    the span of a compound statement is its header.
    """

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.text = source.text
        self._owned: dict[int, tuple[Any, ...]] = {}

    # --- nodes

    @cached_property
    def _around(self) -> dict[int, _Around]:
        return _index(self.source.module)

    @cached_property
    def order(self) -> list[int]:
        """All ordinals, which is to say all nodes in order of the source."""
        return sorted(self._around)

    def node(self, at: int) -> Any:  # noqa: ANN401 - one of the IR's classes, for the caller to match on
        """The node with this ordinal; for functions and classes the statement (or lambda) that makes them."""
        return self._around[at].node

    def parent(self, at: int) -> Any:  # noqa: ANN401 - as `node`
        """The node that holds this one, or None at the top of the module."""
        parent = self._around[at].parent
        return None if parent < 0 else self._around[parent].node

    def ancestors(self, at: int) -> Iterator[Any]:
        """What holds the node, innermost first."""
        at = self._around[at].parent
        while at >= 0:
            around = self._around[at]
            yield around.node
            at = around.parent

    def owner(self, at: int) -> Owner:
        """The function or class whose names the node uses; None for the module. Lambdas are functions."""
        return self._around[at].owner

    def owners(self, at: int) -> Iterator[ir.Function | ir.Class]:
        """The functions and classes around a node, innermost first."""
        owner = self.owner(at)
        while owner is not None:
            yield owner
            owner = self.owner(owner.at)

    def scope(self, at: int) -> ir.Scope:
        """The names of the owner."""
        owner = self.owner(at)
        return self.source.module.scope if owner is None else owner.scope

    def statement(self, at: int) -> Any:  # noqa: ANN401 - one of ir.Stmt
        """The innermost statement that the node is, or is part of."""
        node = self._around[at].node
        if isinstance(node, _STATEMENTS):
            return node
        return next(n for n in self.ancestors(at) if isinstance(n, _STATEMENTS))

    def block(self, at: int) -> ir.Block:
        """The statements among which the statement of the node stands (`pass` is none)."""
        return self._around[self.statement(at).at].block

    def inside(self, node: Any) -> Iterator[Any]:  # noqa: ANN401 - as `node`
        """All nodes below a node (an owner, a statement, an expression), in order of the source."""
        below = sorted(child.at for child in _below(node))
        return (self._around[at].node for at in dict.fromkeys(below))

    def owned(self, owner: Owner) -> Iterator[Any]:
        """All nodes inside a function, a class or the module, those of nested ones too."""
        key = -1 if owner is None else owner.at
        if key not in self._owned:
            self._owned[key] = tuple(self.inside(self.source.module if owner is None else owner))
        return iter(self._owned[key])

    def defined(self, owner: Owner) -> frozenset[str]:
        """The names that a function, a class or the module binds by imports and definitions."""
        return self._defined.get(-1 if owner is None else owner.at, frozenset())

    @cached_property
    def _defined(self) -> dict[int, frozenset[str]]:
        found: defaultdict[int, set[str]] = defaultdict(set)
        for around in self._around.values():
            found[-1 if around.owner is None else around.owner.at].update(_definitions(around.node))
        return {at: frozenset(names) for at, names in found.items()}

    def mentions(self, owner: Owner, name: str) -> Sequence[Any]:
        """Where a function, a class or the module itself writes, imports or defines a name."""
        return self._mentions.get((-1 if owner is None else owner.at, name), ())

    @cached_property
    def _mentions(self) -> dict[tuple[int, str], list[Any]]:
        found: defaultdict[tuple[int, str], list[Any]] = defaultdict(list)
        for node, _, owner, _ in self._around.values():
            for name in (node.id,) if isinstance(node, ir.Name) else dict.fromkeys(_definitions(node)):
                found[-1 if owner is None else owner.at, name].append(node)
        return found

    # --- text

    def span(self, at: int) -> tuple[int, int]:
        """Start and end of the node."""
        return self.source.offsets(at)

    def segment(self, at: int) -> str:
        """The text of the node as written."""
        return self.source.segment(at)

    @cached_property
    def newline(self) -> str:
        r"""How the lines of the file end: `\n`, `\r\n` or `\r`."""
        match = LINE_BREAK.search(self.text)
        return "\n" if match is None else match.group()

    @cached_property
    def tokens(self) -> Tokens:
        """All tokens but comments and line ends."""
        return scan_tokens(self.text)

    def token_from(self, offset: int) -> tuple[int, int]:
        """The first token that starts at or after the offset; empty at the end of the text where there is none."""
        index = bisect_left(self.tokens.starts, offset)
        if index == len(self.tokens.starts):
            return len(self.text), len(self.text)
        return self.tokens.starts[index], self.tokens.ends[index]

    def token_before(self, offset: int) -> tuple[int, int]:
        """The last token that ends at or before the offset; empty at 0 where there is none."""
        index = bisect_right(self.tokens.ends, offset) - 1
        return (0, 0) if index < 0 else (self.tokens.starts[index], self.tokens.ends[index])

    def with_argument(self, call: ir.Call, text: str) -> Change:
        """The change that writes one more argument at the end of a call."""
        end = self.span(call.at)[1] - 1
        before = self.text[slice(*self.token_before(end))]
        separator = "" if before == "(" else " " if before == "," else ", "
        return Change(end, end, separator + text)

    def outer(self, at: int) -> tuple[int, int]:
        """Start and end of an expression with the parentheses around it that are its own."""
        start, end = self.span(at)
        parent = self.parent(at)
        low, high = (0, len(self.text)) if parent is None else self._room(parent, at)
        while True:
            if self._is_in_string(at):
                opener, closer = _blanks_before(self.text, start), _blanks_after(self.text, end)
            else:
                opener, closer = self.token_before(start), self.token_from(end)
            is_own = self.text[slice(*opener)] == "(" and self.text[slice(*closer)] == ")"
            if not is_own or opener[0] < low or closer[1] > high:
                return start, end
            start, end = opener[0], closer[1]

    def _room(self, parent: Any, at: int) -> tuple[int, int]:  # noqa: ANN401 - a node
        """Between which offsets the parentheses of the child `at` may stand."""
        start, end = self.span(parent.at)
        match parent:
            case ir.Call() if parent.func.at != at:
                return self.outer(parent.func.at)[1] + 1, end - 1
            case ir.FunctionDefinition() | ir.ClassDefinition():
                return self.span(at)  # never asked for more: the parentheses of a header are its own
            case _:
                return start, end

    def _is_in_string(self, at: int) -> bool:
        return any(isinstance(node, _INTERPOLATIONS) for node in self.ancestors(at))

    def bracket(self, subscript: ir.Subscript) -> tuple[int, int]:
        """The offsets of `[` and of the offset after `]`."""
        end = self.span(subscript.at)[1]
        return self.token_from(self.outer(subscript.base.at)[1])[0], end

    def indentation(self, offset: int) -> str:
        """The white space that starts the line which holds the offset."""
        line = self.text[self.line_start(offset) :]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def line_start(self, offset: int) -> int:
        """Where the line which holds the offset starts."""
        starts = self.source.lines.starts
        return starts[bisect_right(starts, offset) - 1]

    # --- the result

    def fix(
        self,
        title: str,
        changes: Iterable[Change],
        applicability: Applicability = Applicability.SAFE,
        reason: str = "",
    ) -> Fix:
        """The fix that makes these changes, which must not overlap; equal ones count once."""
        path, lines = self.source.path, self.source.lines
        ordered = sorted(dict.fromkeys(changes))
        for before, after in itertools.pairwise(ordered):
            if after.start < before.end:
                raise ValueError(f"changes overlap: {before}, {after}")
        edits = tuple(Edit(path, lines.span(change.start, change.end), change.text) for change in ordered)
        return Fix(title, applicability, edits, reason)


def _definitions(node: Any) -> Iterator[str]:  # noqa: ANN401 - a node
    """The names that a statement binds by importing or defining."""
    match node:
        case ir.Import():
            yield from (local for local, _ in node.bindings)
        case ir.FunctionDefinition():
            yield node.function.name
        case ir.ClassDefinition():
            yield node.cls.name
        case _:
            pass


def _index(module: ir.Module) -> dict[int, _Around]:
    """Where each node stands, found without recursion: chains may be long."""
    found: dict[int, _Around] = {}
    pending: list[tuple[Any, int, Owner, ir.Block]] = [(module.body, -1, None, module.body)]
    while pending:
        node, parent, owner, block = pending.pop()
        if not isinstance(node, tuple):
            continue
        at = getattr(node, "at", None)
        if at is None:
            inner = node if node and isinstance(node[0], _STATEMENTS) else block
            pending.extend((child, parent, owner, inner) for child in node)
            continue
        found.setdefault(at, _Around(node, parent, owner, block))
        pending.extend((child, at, whose, ()) for child, whose in _children(node, owner))
    return found


def _children(node: Any, owner: Owner) -> Iterator[tuple[Any, Owner]]:  # noqa: ANN401 - a node
    """The parts of a node, each with the owner of the names in it."""
    match node:
        case ir.Function():
            yield from ((part, owner) for part in (node.decorators, node.returns))
            for parameter in node.parameters:
                yield parameter, node
                yield from ((part, owner) for part in (parameter.default, parameter.annotation))
            yield node.body, node
        case ir.Parameter():
            return  # what its names belong to was said above
        case ir.Class():
            yield from ((part, owner) for part in (node.decorators, node.bases, node.keywords))
            yield node.body, node
        case _:
            yield from ((part, owner) for part in node)


def _below(node: Any) -> Iterator[Any]:  # noqa: ANN401 - a node
    pending = list(node)
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            if hasattr(part, "at"):
                yield part
            pending.extend(part)


def _blanks_before(text: str, offset: int) -> tuple[int, int]:
    """The character before the offset, blanks left out."""
    end = len(text[:offset].rstrip())
    return max(end - 1, 0), end


def _blanks_after(text: str, offset: int) -> tuple[int, int]:
    """The character after the offset, blanks left out."""
    start = offset + len(text[offset:]) - len(text[offset:].lstrip())
    return start, start + 1
