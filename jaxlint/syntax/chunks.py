"""A file that is edited: its statements are parsed alone, so that an edit costs the parsing of what it touched.

The intermediate representation is that of the whole file but for its ordinals: they grow with the source as always,
and leave gaps, so that a statement that did not change keeps its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from jaxlint.syntax import ir
from jaxlint.syntax.documents import Document
from jaxlint.syntax.layout import Layout
from jaxlint.syntax.positions import LineIndex, Positions
from jaxlint.syntax.source import Failure, SourceFile, clocks_of, comments_of, read_module
from jaxlint.syntax.splitting import Extent, split

#: An ordinal is the key of its chunk, and a number inside; no statement that a person writes has more nodes.
_BITS: Final = 22
_INSIDE: Final = (1 << _BITS) - 1
#: The keys of chunks are this far apart at first; new ones come in between.
_GAP: Final = 1 << 20


@dataclass(eq=False)
class Chunk:
    """A statement of the module, the header of a class or a statement of its body, as it was last parsed.

    `start` is where it stands in the file now. `is_stale` says that the text has changed since, and is no Python yet.
    """

    extent: Extent
    text: str
    statements: ir.Block
    scope: ir.Scope
    imports: tuple[str, ...]
    positions: Positions | None
    before: int  # characters that were put in front of the text to parse it
    node_count: int
    key: int = 0
    start: int = 0
    is_stale: bool = False
    failure: Failure | None = None

    def offsets(self, inside: int) -> tuple[int, int]:
        """Start and end in the file of a node by its number inside."""
        if self.positions is None:
            raise IndexError
        start, end = self.positions.offsets(inside)
        shift = self.start - self.before
        return start + shift, end + shift

    @property
    def end(self) -> int:
        """Where it ends in the file."""
        return self.start + len(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """The names and attributes in it, by which it may use other statements."""
        return frozenset(_words(self.statements))

    @cached_property
    def defines(self) -> frozenset[str]:
        """The names by which other statements may use it; what a class does unasked goes by the name of the class."""
        names = self.scope.bound | self.scope.globals
        if self.extent.owner and not all(_is_asked_for(name) for name in names):
            return names | {self.extent.owner}
        return names


class Mistake(NamedTuple):
    """Why a part of the text is no Python, and where, from 1."""

    code: str
    message: str
    line: int
    column: int


@dataclass(slots=True)
class ChunkPositions:
    """Where nodes stand, by chunk; the length of the text bounds what stale ones say."""

    chunks: dict[int, Chunk]
    length: int

    def offsets(self, at: int) -> tuple[int, int]:
        """Start and end of a node. Raises IndexError where there is none any more."""
        chunk = self.chunks.get(at >> _BITS)
        if chunk is None:
            raise IndexError(at)
        start, end = chunk.offsets(at & _INSIDE)
        return (min(start, self.length), min(end, self.length)) if chunk.is_stale else (start, end)

    @property
    def ordinals(self) -> Iterator[int]:
        """All ordinals, in order of the source."""
        for key, chunk in self.chunks.items():
            own = bool(chunk.extent.owner)  # that of the class around it is not of the file
            yield from range((key << _BITS) + own, (key << _BITS) + chunk.node_count)


class _Pool:
    """The chunks of the text before an edit, each of which the text after it may take over once.

    The edit is between the offsets `start` and `end` of the text before; what stood behind it moved by `shift`.
    """

    def __init__(self, chunks: Sequence[Chunk], start: int, end: int, shift: int) -> None:
        self._start, self._end, self._shift = start, end, shift
        self._places = [(chunk.start, chunk) for chunk in chunks if chunk.failure is None]
        self._used: set[int] = set()
        self._known: defaultdict[tuple[str, bool, str], list[Chunk]] = defaultdict(list)
        for _, chunk in reversed(self._places):
            if not chunk.is_stale:
                self._known[chunk.extent.owner, chunk.extent.is_header, chunk.text].append(chunk)

    def same(self, extent: Extent, text: str) -> Chunk | None:
        """A chunk that was parsed from the same text."""
        found = self._known.get((extent.owner, extent.is_header, text))
        while found:
            chunk = found.pop()
            if self._take(chunk):
                return chunk
        return None

    def instead_of(self, extent: Extent) -> list[Chunk]:
        """What stood in the place of an extent that is no Python: what was edited, now stale, and what stands behind.

        An opened bracket or string goes on to the end of the file, over statements that nobody touched.
        """
        lost = [c for at, c in self._places if extent.start <= min(at, self._start) and at < self._end]
        lost = [chunk for chunk in lost if self._take(chunk)]
        behind = [(at + self._shift, c) for at, c in self._places if at >= self._end and not c.is_stale]
        behind = [(at, c) for at, c in behind if extent.start < at < extent.end and self._take(c)]
        for chunk in lost:
            chunk.is_stale = True
        for at, chunk in behind:
            chunk.start = at
        return [*lost, *(chunk for _, chunk in behind)]

    def _take(self, chunk: Chunk) -> bool:
        is_free = id(chunk) not in self._used
        self._used.add(id(chunk))
        return is_free


@dataclass(slots=True, eq=False)
class ChunkedFile:
    """One file through its versions.

    `source` is the newest; `changed` are the keys of the chunks that are new in it, `removed` the chunks that are gone.
    """

    path: str
    name: str
    is_package: bool
    text: str = ""
    chunks: list[Chunk] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    changed: set[int] = field(default_factory=set)
    removed: list[Chunk] = field(default_factory=list)
    by_key: dict[int, Chunk] = field(default_factory=dict)
    source: SourceFile | None = None
    layout: Layout | None = None
    _count: int = 0
    _tried: Chunk | None = None

    def update(self, text: str, lines: LineIndex | None = None, layout: Layout | None = None) -> None:
        """Take a new version of the text. Must run where the stack is deep."""
        self.layout = layout
        start, end = _difference(self.text, text)
        chunks = self._inside_one(text, start, end) or self._split_again(text, start, end)
        kept = {id(chunk) for chunk in chunks}
        self.removed = [chunk for chunk in self.chunks if id(chunk) not in kept]
        self.changed = self._keyed(chunks)
        self.text, self.chunks = text, chunks
        index = lines or LineIndex(text)
        self.mistakes = list(_mistakes(chunks, index))
        self.source = self._assembled(index)

    def is_stale(self, at: int) -> bool:
        """Whether a node is one of a text that is no Python at the moment, so that its place means nothing."""
        chunk = self.by_key.get(at >> _BITS)
        return chunk is None or chunk.is_stale

    @staticmethod
    def key_of(at: int) -> int:
        """The key of the chunk that a node belongs to."""
        return at >> _BITS

    # --- which statements changed

    def _inside_one(self, text: str, start: int, end: int) -> list[Chunk] | None:
        """The chunks after an edit between these offsets that touched the inside of one; None where it did not."""
        if any(chunk.is_stale or chunk.failure for chunk in self.chunks):
            return None
        index = next((i for i, chunk in enumerate(self.chunks) if end <= chunk.end), -1)
        if index < 0:
            return None
        old, shift = self.chunks[index], len(text) - len(self.text)
        if old.extent.is_header or start <= old.start + _blanks(old.text):
            return None
        new = self._parsed(old.extent, text[old.start : old.end + shift].rstrip())
        if new.failure is not None or len(new.statements) != 1 or len(old.statements) != 1:
            self._tried = new
            return None
        new.start = old.start
        for chunk in self.chunks[index + 1 :]:
            chunk.start += shift
        return [*self.chunks[:index], new, *self.chunks[index + 1 :]]

    def _split_again(self, text: str, start: int, end: int) -> list[Chunk]:
        """The chunks of a text that is cut anew; those that stood in the old one are not parsed again."""
        pool = _Pool(self.chunks, start, end, len(text) - len(self.text))
        chunks: list[Chunk] = []
        for extent in split(text):
            piece = text[extent.start : extent.end]
            chunk = pool.same(extent, piece) or self._tried_already(extent, piece) or self._parsed(extent, piece)
            chunk.start = extent.start
            chunks.append(chunk)
            if chunk.failure is not None:
                chunks += pool.instead_of(extent)
        return chunks

    def _tried_already(self, extent: Extent, text: str) -> Chunk | None:
        """What came of the attempt to parse the text as one statement, if that was of this text."""
        tried, self._tried = self._tried, None
        is_same = tried is not None and tried.text == text
        return tried if tried and is_same and tried.extent[2:] == extent[2:] else None

    def _parsed(self, extent: Extent, text: str) -> Chunk:
        """A statement parsed alone; one of a class's body inside a class of that name, a header with a body."""
        before = f"class {extent.owner}:\n" if extent.owner else ""
        after = "\n pass\n" if extent.is_header else ""
        clocks = Layout((), clocks=clocks_of(self.layout), is_script=True)
        code = f"{before}{text}{after}"
        found = read_module(self.path, Document(code, code, "utf-8", clocks), self.name, self.is_package)
        if isinstance(found, SourceFile) and before and not _is_one_class(found.module.body):
            found = Failure("syntax-error", "invalid syntax: unindent in a class", 1, 1)
        if isinstance(found, Failure):
            line = found.line - bool(before)
            failure = Failure(found.code, found.message, max(1, line), found.column)
            return Chunk(extent, text, (), _NO_SCOPE, (), None, len(before), 0, failure=failure)
        module = found.module
        body, scope = module.body, module.scope
        if extent.owner:
            definition = module.body[0]
            assert isinstance(definition, ir.ClassDefinition)
            body, scope = definition.cls.body, definition.cls.scope
        return Chunk(extent, text, body, scope, module.imports, found.positions, len(before), module.node_count)

    # --- ordinals

    def _keyed(self, chunks: list[Chunk]) -> set[int]:
        """Give each new chunk a key between those of its neighbours; the answer is the new keys."""
        given: set[int] = set()
        low = 0
        for index, chunk in enumerate(chunks):
            if chunk.key <= low:
                high = next((c.key for c in chunks[index + 1 :] if c.key > low), 0)
                key = self._key_between(low, high)
                if key is None:
                    return self._keyed_again(chunks)
                _rebase(chunk, key)
                given.add(key)
            low = chunk.key
        return given

    def _key_between(self, low: int, high: int) -> int | None:
        """A key between two that was most likely never given before; `high` 0 is the end of the file."""
        self._count += 1
        if not high:
            return low + _GAP + self._count
        room = high - low
        return low + room // 4 + self._count % (room // 2) if room >= 8 else None

    def _keyed_again(self, chunks: list[Chunk]) -> set[int]:
        """New keys for all, where there is no room between two any more."""
        first = max(chunk.key for chunk in chunks)
        for index, chunk in enumerate(chunks):
            _rebase(chunk, first + _GAP * (index + 1))
        return {chunk.key for chunk in chunks}

    # --- the whole

    def _assembled(self, lines: LineIndex) -> SourceFile:
        self.by_key = {chunk.key: chunk for chunk in self.chunks}
        positions = ChunkPositions(self.by_key, len(self.text))
        module = self.module(self.chunks)
        comments = comments_of(self.text, self.layout)
        return SourceFile(
            self.path, self.name, self.is_package, "utf-8", self.text, module, comments, positions, self.layout,
            _lines=lines,
        )  # fmt: skip

    def module(self, chunks: Iterable[Chunk]) -> ir.Module:
        """The module that these chunks are, in their order."""
        body: list[ir.Stmt] = []
        scopes: list[ir.Scope] = []
        members: list[Chunk] = []
        imports: set[str] = set()
        last = count = 0
        for chunk in chunks:
            imports.update(chunk.imports)
            count += chunk.node_count
            if chunk.extent.owner:
                members.append(chunk)
                continue
            _fill_class(body, members)
            members = []
            last = chunk.key
            scopes.append(chunk.scope)
            body.extend(chunk.statements)
        _fill_class(body, members)
        top = (last + 1) << _BITS
        return ir.Module(
            self.name, self.is_package, tuple(body), _joined(scopes), tuple(sorted(imports)), top, top, count
        )


_NO_SCOPE: Final = ir.Scope(frozenset(), frozenset(), frozenset())


def _is_asked_for(name: str) -> bool:
    """Whether a method is called by name only; `setup` is a framework's."""
    return not name.startswith("__") and name != "setup"


def _words(node: Any) -> Iterator[str]:  # noqa: ANN401 - a node, or a tuple of them
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            if isinstance(part, ir.Name):
                yield part.id
            elif isinstance(part, ir.Attribute):
                yield part.attr
            pending.extend(part)


def affected(chunks: Sequence[Chunk], changed: Collection[int], removed: Iterable[Chunk]) -> set[int]:
    """The keys of the chunks that changed, of their users and callees, and of users of chunks that are gone.

    By name, so that some too many are among them. What a changed chunk calls may be traced by it, or be no longer; what
    a method does when its class is made stands at the header of the class.
    """
    met = [*removed, *(chunk for chunk in chunks if chunk.key in changed)]
    called = frozenset[str]().union(*(chunk.words for chunk in met))
    names = frozenset[str]().union(*(chunk.defines for chunk in met))
    found = set(changed)
    while True:
        more = [chunk for chunk in chunks if chunk.key not in found and not names.isdisjoint(chunk.words)]
        if not more:
            return found | {chunk.key for chunk in chunks if not chunk.defines.isdisjoint(called | names)}
        found.update(chunk.key for chunk in more)
        names = names.union(*(chunk.defines for chunk in more))


def _is_one_class(body: ir.Block) -> bool:
    return len(body) == 1 and isinstance(body[0], ir.ClassDefinition)


def _fill_class(body: list[ir.Stmt], members: Sequence[Chunk]) -> None:
    """Put statements into the class above them, unless its header is no Python at the moment."""
    if not members or not body or not isinstance(body[-1], ir.ClassDefinition):
        return
    definition = body[-1]
    cls = definition.cls
    scope = _joined([cls.scope, *(chunk.scope for chunk in members)])
    statements = (*cls.body, *(statement for chunk in members for statement in chunk.statements))
    cls = ir.Class(
        cls.name, cls.qualname, cls.bases, cls.keywords, cls.decorators, statements, scope, cls.index, cls.at
    )
    body[-1] = ir.ClassDefinition(cls, definition.at)


def _joined(scopes: Sequence[ir.Scope]) -> ir.Scope:
    """The scope of code that several pieces make up."""
    outside = frozenset[str]().union(*(scope.globals for scope in scopes))
    nonlocals = frozenset[str]().union(*(scope.nonlocals for scope in scopes))
    bound = frozenset[str]().union(*(scope.bound for scope in scopes))
    return ir.Scope(bound - outside - nonlocals, outside, nonlocals)


def _mistakes(chunks: Iterable[Chunk], lines: LineIndex) -> Iterator[Mistake]:
    for chunk in chunks:
        failure = chunk.failure
        if failure is not None:
            line, column = lines.place(chunk.start)
            column = failure.column + column - 1 if failure.line == 1 else failure.column
            yield Mistake(failure.code, failure.message, line + failure.line - 1, column)


def _difference(old: str, new: str) -> tuple[int, int]:
    """Between which offsets of the old text something changed."""
    shorter = min(len(old), len(new))
    start = _longest(shorter, lambda size: old[:size] == new[:size])
    left = shorter - start
    same = _longest(left, lambda size: size == 0 or old[-size:] == new[-size:])
    return start, len(old) - same


def _longest(limit: int, holds: Any) -> int:  # noqa: ANN401 - a predicate
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _blanks(text: str) -> int:
    return len(text) - len(text.lstrip())


def _rebase(chunk: Chunk, key: int) -> None:
    """Give the nodes of a chunk the ordinals of its key."""
    shift = (key - chunk.key) << _BITS
    chunk.statements = _shifted(chunk.statements, shift)
    chunk.key = key


def _shifted(node: Any, shift: int) -> Any:  # noqa: ANN401 - a node, or a tuple of them
    """The same code with other ordinals."""
    if not isinstance(node, tuple):
        return node
    fields = getattr(node, "_fields", None)
    if fields is None:
        return tuple([_shifted(part, shift) for part in node])
    parts = [_shifted(part, shift) for part in node]
    if fields[-1] == "at":
        parts[-1] += shift
    if isinstance(node, ir.Function | ir.Class):
        parts[-2] += shift
    return tuple.__new__(node.__class__, parts)
