"""The one file that leans on libcst's private code generation state: where each wanted node starts and ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from types import TracebackType
from typing import Final

import libcst as cst
from libcst._nodes.internal import CodegenState

from jaxlint.syntax.records import Rebuilt

#: Offsets (start, end) of nodes, by `id`.
Offsets = dict[int, tuple[int, int]]


class CodeMismatch(Exception):  # noqa: N818 - it asks for another way, and is never shown
    """Code generation did not give the source text back, so token positions mean nothing."""


class _Nothing:
    """A context that records nothing."""

    __slots__ = ()

    def __enter__(self) -> None:
        return

    def __exit__(self, *_: object) -> None:
        return


class _Recording:
    """A context whose extent, in tokens, is that of one node."""

    __slots__ = ("key", "start", "state")

    def __init__(self, state: Recorder, key: int) -> None:
        self.state = state
        self.key = key

    def __enter__(self) -> None:
        self.start = len(self.state.tokens)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        state = self.state
        key = self.key
        state.starts[key] = self.start
        if key not in state.ends:  # a header's end was set by the node that closes it
            state.ends[key] = len(state.tokens)


_NOTHING: Final = _Nothing()

#: Classes whose code generation does not call `record_syntactic_position`.
_UNRECORDED: Final = {
    getattr(cst, name)
    for name in (
        "Index", "Slice", "FormattedStringText", "FormattedStringExpression", "TemplatedStringText",
        "TemplatedStringExpression",
    )
    if hasattr(cst, name)
}  # fmt: skip


class Recorder(CodegenState):
    """Generates code and notes, in token indices, the extent of wanted nodes.

    Most nodes say themselves where they start and end, without their parentheses; `loose` are the wanted ones that do
    not. `closers` maps the last node of a compound statement's header to that statement, whose extent ends with it.
    """

    def __init__(self, module: cst.Module, wanted: set[int], loose: set[int], closers: dict[int, int]) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.wanted = wanted
        self.starts: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        self._bind(loose, closers)

    def _bind(self, loose: set[int], closers: dict[int, int]) -> None:
        """Put closures in the place of methods that run for every node, white space included: a third faster."""
        tokens, starts, ends = self.tokens, self.starts, self.ends
        opened: list[int] = []

        def before_codegen(node: cst.CSTNode) -> None:
            if id(node) in loose:
                opened.append(len(tokens))

        def after_codegen(node: cst.CSTNode) -> None:
            key = id(node)
            if key in loose:
                start = opened.pop()
                if key not in starts:
                    starts[key] = start
                    ends[key] = len(tokens)
                if key in closers:
                    ends[closers[key]] = len(tokens)

        self.before_codegen = before_codegen  # type: ignore[method-assign]
        self.after_codegen = after_codegen  # type: ignore[method-assign]
        self.add_token = tokens.append  # type: ignore[method-assign, assignment]

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,  # noqa: ARG002 - libcst's
        end_node: cst.CSTNode | None = None,  # noqa: ARG002 - libcst's
    ) -> _Recording | _Nothing:
        """Note the extent of what is generated inside, where `node` is wanted."""
        key = id(node)
        return _Recording(self, key) if key in self.wanted else _NOTHING


def record(tree: cst.Module, nodes: Iterable[cst.CSTNode], text: str, closers: Mapping[int, cst.CSTNode]) -> Offsets:
    """Return the offsets in `text` of `nodes`. Raises CodeMismatch when libcst prints another text."""
    opened = {id(closer): key for key, closer in closers.items()}
    loose = {id(node) for node in nodes if node.__class__ in _UNRECORDED}
    state = Recorder(tree, set(map(id, nodes)), loose.union(opened), opened)
    tree._codegen(state)
    if "".join(state.tokens) != text:
        raise CodeMismatch
    offsets = [0, *accumulate(map(len, state.tokens))]
    ends = state.ends
    return {key: (offsets[start], offsets[ends[key]]) for key, start in state.starts.items()}


class PartRecorder:
    """Finds the extents of wanted records in single expressions of a module, one after the other."""

    def __init__(self, tree: cst.Module, nodes: Iterable[cst.CSTNode]) -> None:
        self._tree = tree
        self._wanted = set(map(id, nodes))

    def record(self, node: cst.CSTNode, start: int, text: str, indents: list[str]) -> Offsets:
        """Return the extents of the wanted records in `node`, which starts at `start` inside blocks with these indents.

        Raises CodeMismatch when libcst prints another text.
        """
        part = Rebuilt(node)
        wanted = {id(built): key for key, built in part.nodes.items() if key in self._wanted}
        loose = {id(built) for built in part.nodes.values() if built.__class__ in _UNRECORDED}
        state = Recorder(self._tree, set(wanted), loose & wanted.keys(), {})
        state.indent_tokens[:] = indents
        part.tree._codegen(state)
        tokens, ends = state.tokens, state.ends
        first = state.starts[id(part.tree)]
        if not text.startswith("".join(tokens[first : ends[id(part.tree)]]), start):
            raise CodeMismatch
        offsets = [0, *accumulate(map(len, tokens))]
        shift = start - offsets[first]
        return {
            wanted[key]: (offsets[token] + shift, offsets[ends[key]] + shift) for key, token in state.starts.items()
        }
