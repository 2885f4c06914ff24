"""Where each lowered node stands: its own extent, or for a compound statement that of its header."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from jaxlint.syntax.positions import LineIndex
from jaxlint.syntax.records import Rebuilt, cst

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jaxlint.syntax.lower import Lowered
    from jaxlint.syntax.recorder import Offsets

#: Headers that are a keyword and nothing else.
_BARE: Final[dict[type[cst.CSTNode], int]] = {cst.Try: 3, cst.TryStar: 3, cst.ExceptHandler: 6}

#: Patterns that are a value: libcst gives the value its parentheses, and them to the pattern.
_WRAPPING: Final = (cst.MatchValue, cst.MatchSingleton)
#: What libcst counts to nodes that it stands behind.
_TRAILED: Final[dict[type[cst.CSTNode], str]] = {cst.Slice: " \t\f\r\n", cst.MatchStar: " \t\f\r\n,"}


def recorded_offsets(
    text: str, tree: cst.Module, nodes: Sequence[cst.CSTNode], closers: Mapping[int, cst.CSTNode]
) -> Offsets:
    """Ask the fast recorder, or libcst's public provider if libcst has changed or does not print the text back."""
    try:
        from jaxlint.syntax.recorder import CodeMismatch, record
    except (ImportError, TypeError, AttributeError):
        return provided_offsets(text, tree, nodes, closers)
    try:
        return record(tree, nodes, text, closers)
    except (CodeMismatch, TypeError, AttributeError, LookupError):
        return provided_offsets(text, tree, nodes, closers)


def provided_offsets(
    text: str, tree: cst.Module, nodes: Sequence[cst.CSTNode], closers: Mapping[int, cst.CSTNode]
) -> Offsets:
    """Find the same offsets through libcst's public position providers: ten times slower."""
    from libcst.metadata import MetadataWrapper, PositionProvider, WhitespaceInclusivePositionProvider

    wrapper = MetadataWrapper(tree, unsafe_skip_copy=True)
    exact = wrapper.resolve(PositionProvider)
    inclusive = wrapper.resolve(WhitespaceInclusivePositionProvider) if closers else {}
    lines = LineIndex(text).starts
    out: Offsets = {}
    for node in nodes:
        key = id(node)
        start = exact[node].start
        end = inclusive[closers[key]].end if key in closers else exact[node].end
        out[key] = (lines[start.line - 1] + start.column, lines[end.line - 1] + end.column)
    return out


#: Finds the offsets of libcst's own nodes, by `id`.
Locate = Callable[[str, cst.Module, "Sequence[cst.CSTNode]", "Mapping[int, cst.CSTNode]"], "Offsets"]


def offsets(
    text: str,
    tree: cst.Module,
    nodes: Sequence[cst.CSTNode],
    closers: Mapping[int, cst.CSTNode],
    locate: Locate = recorded_offsets,
) -> Offsets:
    """Find the offsets of records, by `id`, through the nodes that libcst makes of them."""
    built = Rebuilt(tree)
    of = built.nodes
    ends = {id(of[key]): of[id(closer)] for key, closer in closers.items()}
    found = locate(text, built.tree, [of[id(node)] for node in nodes], ends)
    return {id(node): found[id(of[id(node)])] for node in nodes}


def extents(text: str, lowered: Lowered, *, locate: Locate = recorded_offsets) -> list[tuple[int, int]]:
    """Return (start, end) offsets in `text` by ordinal."""
    closers = _closers(lowered.nodes)
    found = offsets(text, lowered.tree, lowered.nodes, closers, locate)
    out: list[tuple[int, int]] = []
    for node in lowered.nodes:
        cls = node.__class__
        start, end = found[id(node.value if isinstance(node, _WRAPPING) else node)]
        if cls in _BARE and not getattr(node, "type", None):
            end = start + _BARE[cls]
        elif cls in _TRAILED:
            end = start + len(text[start:end].rstrip(_TRAILED[cls]))
        out.append((start, end))
    return out


def _closers(nodes: Sequence[cst.CSTNode]) -> dict[int, cst.CSTNode]:
    """Map the `id` of each node whose extent must stop early to the node that it stops with."""
    out: dict[int, cst.CSTNode] = {}
    for node in nodes:
        find = _LAST.get(node.__class__)
        if find is not None:
            closer = find(node)
            if closer is not None:
                out[id(node)] = closer
    return out


def _with_end(node: cst.With) -> cst.CSTNode:
    return node.rpar if isinstance(node.rpar, cst.RightParen) else node.items[-1]


def _import_end(node: cst.ImportFrom) -> cst.CSTNode:
    if node.rpar is not None:
        return node.rpar
    if isinstance(node.names, cst.ImportStar):
        return node.names
    last = node.names[-1]
    return last.asname or last.name


_LAST: Final = {
    cst.If: lambda node: node.test,
    cst.While: lambda node: node.test,
    cst.For: lambda node: node.iter,
    cst.With: _with_end,
    cst.Match: lambda node: node.subject,
    cst.MatchCase: lambda node: node.guard or node.pattern,
    cst.ExceptHandler: lambda node: node.name or node.type,
    cst.ExceptStarHandler: lambda node: node.name or node.type,
    cst.ImportFrom: _import_end,
}
if hasattr(cst, "LazyImportFrom"):
    _LAST[cst.LazyImportFrom] = _import_end
