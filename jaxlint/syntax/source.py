"""The door to the front end: the bytes of a file become a SourceFile, or one Failure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.syntax import ir
from jaxlint.syntax.comments import Comment
from jaxlint.syntax.layout import Cell, Layout
from jaxlint.syntax.positions import LineIndex, Positions, PositionTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jaxlint.diagnostics import Span
    from jaxlint.syntax.documents import Document
    from jaxlint.syntax.parse import Unparsable

#: What a file mentions if it may hold a finding: its positions are worth computing while its CST is alive.
_INTERESTING: Final = re.compile(
    rb"\b(?:jax|jnp|lax|flax|haiku|hk|nnx|equinox|eqx|optax|chex|pallas|jit|pjit|vmap|pmap|grad|value_and_grad"
    rb"|PRNGKey|prng|shard_map)\b|\.at\["
)


#: The code of a failure that is none: a notebook of another language than Python, which the message names.
OTHER_LANGUAGE: Final = "other-language"


class Failure(NamedTuple):
    """Why a file cannot be analysed: `code` is the slug of an engine diagnostic, `line` and `column` count from 1."""

    code: str
    message: str
    line: int
    column: int


@dataclass(slots=True)
class SourceFile:
    """One file as the analysis sees it. `text` has no byte order mark; `module` is its IR.

    `layout` is None for a module that is not made of cells. `passed_over` counts blocks of Markdown that are no Python.
    `is_triaged`: CPython's parser read it, and libcst has not. `is_agreed`: libcst did in an earlier run, and reads it
    the same, spans included.
    """

    path: str
    name: str
    is_package: bool
    encoding: str
    text: str
    module: ir.Module
    comments: tuple[Comment, ...]
    positions: Positions | None
    layout: Layout | None = None
    passed_over: int = 0
    is_triaged: bool = False
    is_agreed: bool = False
    _lines: LineIndex | None = field(default=None, repr=False, compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without what is quickly computed again."""
        values = (self.path, self.name, self.is_package, self.encoding, self.text, self.module)
        rest = (self.comments, self.positions, self.layout, self.passed_over, self.is_triaged, self.is_agreed)
        return (SourceFile, (*values, *rest))

    @property
    def lines(self) -> LineIndex:
        """Where the lines of `text` start."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    def offsets(self, at: int) -> tuple[int, int]:
        """Return the start and end, as indices of `text`, of the node with the ordinal `at`."""
        return self._positions().offsets(at)

    def cell_of(self, at: int) -> Cell | None:
        """The notebook's cell with the node that has the ordinal `at`; None without cells, or for -1."""
        return None if self.layout is None or at < 0 else self.layout.cell_at(self.offsets(at)[0])

    @property
    def ordinals(self) -> Iterable[int]:
        """All ordinals of the file, in order of the source."""
        return self._positions().ordinals

    def as_agreed(self) -> SourceFile:
        """The file as libcst reads it, which is known to be as CPython's parser did."""
        return replace(self, is_triaged=False, is_agreed=True)

    def has_spans_of(self, other: SourceFile) -> bool:
        """Whether CPython's parser finds the nodes of this file where they stand in another reading of its text."""
        from jaxlint.syntax.deep_stack import run_deep

        return self.text == other.text and run_deep(lambda: _spans_of_ast(self)) == other._positions()

    def _positions(self) -> Positions:
        if self.positions is None:
            self.positions = _positions_again(self)
        return self.positions

    def span(self, at: int) -> Span:
        """Return the span of the node with the ordinal `at`."""
        return self.lines.span(*self.offsets(at))

    def segment(self, at: int) -> str:
        """Return the source text of the node with the ordinal `at`."""
        start, end = self.offsets(at)
        return self.text[start:end]


def read(
    path: str,
    data: bytes,
    name: str,
    is_package: bool,
    *,
    want_positions: bool | None = None,
    triage: bool = False,
) -> SourceFile | Failure:
    """Decode, parse and lower one file.

    `name` is its dotted import name. `want_positions` None computes positions at once only where the
    file mentions JAX; elsewhere they are computed when a span is first asked for, by parsing again. `triage` lets
    CPython's parser read what it can, without positions.
    """
    from jaxlint.syntax.deep_stack import run_deep

    if want_positions is None:
        want_positions = _INTERESTING.search(data) is not None
    wanted = want_positions
    return run_deep(lambda: _read(path, data, name, is_package, wanted, triage=triage))


def _read(
    path: str, data: bytes, name: str, is_package: bool, want_positions: bool, *, triage: bool
) -> SourceFile | Failure:
    from jaxlint.syntax.documents import OtherLanguage, Undecodable, open_document

    try:
        document = open_document(path, data)
    except Undecodable as error:
        return Failure("unreadable-file", error.message, error.line, error.column)
    except OtherLanguage as error:
        return Failure(OTHER_LANGUAGE, error.language, 1, 1)
    except Exception as error:
        return _internal(error)
    triaged = _triaged(path, document, name, is_package) if triage else None
    return triaged or read_module(path, document, name, is_package, want_positions=want_positions)


def _triaged(path: str, document: Document, name: str, is_package: bool) -> SourceFile | None:
    """The module of a document as CPython's parser reads it; None where that is left to libcst."""
    from jaxlint.syntax.cpython.lower import lower

    text, layout = document.text, document.layout
    try:
        module = lower(text, name, is_package=is_package, clocks=clocks_of(layout))
    except Exception:  # Unsupported; a defect here costs time, not the file
        return None
    return SourceFile(
        path, name, is_package, document.encoding, text, module, comments_of(text, layout), None, layout,
        document.passed_over, is_triaged=True,
    )  # fmt: skip


def read_module(
    path: str, document: Document, name: str, is_package: bool, *, want_positions: bool = True
) -> SourceFile | Failure:
    """Parse and lower the module of a document, where the stack is deep already."""
    from jaxlint.syntax.lower import Unlowerable, lower_text
    from jaxlint.syntax.parse import Unparsable

    text, layout = document.text, document.layout
    try:
        module, positions = lower_text(
            text, name, is_package=is_package, clocks=clocks_of(layout), want_positions=want_positions
        )
    except Unparsable as error:
        return _unparsable(text, layout, error)
    except Unlowerable as error:
        code = "analysis-limited" if error.is_limit else "analysis-failed"
        return Failure(code, error.reason, *LineIndex(text).place(error.offset))
    except RecursionError:
        return Failure("analysis-limited", "the code is nested too deeply", 1, 1)
    except Exception as error:
        return _internal(error)
    comments = comments_of(text, layout)
    return SourceFile(
        path, name, is_package, document.encoding, text, module, comments, positions, layout,
        document.passed_over,
    )  # fmt: skip


def clocks_of(layout: Layout | None) -> Mapping[str, str]:
    """The names in the module's text that stand for clocks, and the magics that they are; "" stops one."""
    return {} if layout is None else layout.clocks


def comments_of(text: str, layout: Layout | None) -> tuple[Comment, ...]:
    """The comments of a module that may silence something; a cell of a notebook or a document is a file of its own."""
    from jaxlint.syntax.comments import scan_comments, shifted

    if layout is None or layout.is_script:
        return scan_comments(text)
    return tuple(
        shifted(comment, cell.start, cell.line - 1, last_line=LineIndex(text).place(cell.end)[0])
        for cell in layout.cells
        for comment in scan_comments(text[cell.start : cell.end])
    )


def _unparsable(text: str, layout: Layout | None, error: Unparsable) -> Failure:
    """Why a text cannot be parsed; of a notebook, the first of its cells that cannot be parsed by itself says it."""
    above = 0
    if layout is not None and not layout.is_script:
        for cell in layout.cells:
            found = _complaint(text[cell.start : cell.end])
            if found is not None:
                error, above = found, cell.line - 1
                break
    code = "analysis-limited" if error.is_limit else "syntax-error"
    return Failure(code, error.message, error.line + above, error.column)


def _complaint(text: str) -> Unparsable | None:
    """Why a text cannot be parsed by itself."""
    from jaxlint.syntax.parse import Unparsable, parse

    try:
        parse(text)
    except Unparsable as error:
        return error
    return None


def _internal(error: Exception) -> Failure:
    """A defect of ours or of the parser costs one file, not the run."""
    return Failure("analysis-failed", f"internal error: {type(error).__name__}: {error}".splitlines()[0], 1, 1)


def _positions_again(source: SourceFile) -> PositionTable:
    from jaxlint.syntax.deep_stack import run_deep

    by_ast = source.is_triaged or source.is_agreed
    return run_deep(lambda: (_spans_of_ast(source) if by_ast else None) or _spans_of_libcst(source))


def _spans_of_ast(source: SourceFile) -> PositionTable | None:
    from jaxlint.syntax.cpython.context import Unsupported
    from jaxlint.syntax.cpython.spans import positions

    clocks = clocks_of(source.layout)
    try:
        return positions(source.text, source.name, is_package=source.is_package, clocks=clocks)
    except Unsupported:
        return None


def _spans_of_libcst(source: SourceFile) -> PositionTable:
    from jaxlint.syntax.lower import lower_text

    clocks = clocks_of(source.layout)
    _, positions = lower_text(source.text, source.name, is_package=source.is_package, clocks=clocks)
    assert positions is not None
    return positions
