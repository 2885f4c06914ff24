"""Python in the fenced blocks of a Markdown document becomes one module, whose lines and columns are the document's.

What is not code is blank. Read are blocks whose first word is Python's name, MyST's and Quarto's code cells, and
sessions with `>>>` prompts. A block that stands indented is read as an indented cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from jaxlint.syntax.layout import Cell, Layout, Mask, fresh_prefix
from jaxlint.syntax.magics import CLOCKS, STOP, mask_cell

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_FENCE: Final = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})(?P<info>[^\r\n]*)")
_NAMES: Final = frozenset({"python", "py", "python3", "ipython", "ipython3", "pycon", "jupyter-python"})
_INFO: Final = re.compile(
    r"\s*(?:\{(?:code-cell|jupyter-execute)\}\s*(?P<cell>[\w-]*)|\{(?:code-block|code|sourcecode)\}\s*(?P<block>[\w-]+)"
    r"|\{\s*\.?(?P<attribute>[\w-]+)[^}`]*\}|(?P<word>[\w-]+))"
)
_OPTION: Final = re.compile(r"[ \t]*:[\w-]+:")
_PROMPT: Final = re.compile(r"([ \t]*)(?:>>>|\.\.\.)(?:[ \t]|$)")
_NOT_END: Final = re.compile(r"[^\r\n]")


class _Line(NamedTuple):
    number: int
    start: int
    text: str  # with its end


class _Block(NamedTuple):
    """A fenced block: its fence, its lines, and the fence that closes it (None where the document ends first)."""

    fence: _Line
    lines: list[_Line]
    closer: _Line | None
    is_directive: bool

    @property
    def text(self) -> str:
        return "".join(line.text for line in self.lines)


class Document(NamedTuple):
    """A document as Python of equal length, and how many blocks were passed over because they are none."""

    text: str
    layout: Layout
    passed_over: int


def read_markdown(text: str, is_python: Callable[[str], bool]) -> Document:
    """The blocks of a document as one module. `is_python` tells which can be parsed."""
    blocks = [block for block in _blocks(text) if block.lines]
    prefix = fresh_prefix([text])
    pieces: dict[int, str] = {}
    cells: list[Cell] = []
    masks: list[Mask] = []
    for block in blocks:
        masked = _block(block, prefix)
        if not is_python(masked.text):
            continue
        pieces[block.fence.start] = masked.text
        first = block.lines[0]
        cells.append(Cell(0, first.start, first.start + len(block.text), first.number, masked.margin))
        masks += (mask._replace(start=mask.start + first.start, end=mask.end + first.start) for mask in masked.masks)
    clocks = {prefix + letter: magic for magic, letter in CLOCKS.items()} | {prefix + STOP: ""}
    return Document(_together(text, pieces), Layout(tuple(cells), tuple(masks), clocks), len(blocks) - len(cells))


def _together(text: str, pieces: dict[int, str]) -> str:
    parts: list[str] = []
    at = 0
    for start, piece in sorted(pieces.items()):
        parts += (_blank(text[at:start]), piece)
        at = start + len(piece)
    return "".join((*parts, _blank(text[at:])))


def _blank(text: str) -> str:
    return _NOT_END.sub(" ", text)


# --- the blocks of a document


def _blocks(text: str) -> Iterator[_Block]:
    """The blocks that say that they are Python."""
    opened: tuple[_Line, re.Match[str]] | None = None
    lines: list[_Line] = []
    for line in _lines(text):
        match = _FENCE.match(line.text)
        if opened is None:
            if match is not None and not (match["fence"][0] == "`" and "`" in match["info"]):
                opened, lines = (line, match), []
        elif match is not None and _closes(match, opened[1]):
            yield from _python(opened, lines, line)
            opened = None
        else:
            lines.append(line)
    if opened is not None:
        yield from _python(opened, lines, None)


def _lines(text: str) -> Iterator[_Line]:
    for number, match in enumerate(_LINE.finditer(text), start=1):
        yield _Line(number, match.start(), match.group())


def _closes(match: re.Match[str], opener: re.Match[str]) -> bool:
    fence: str = match["fence"]
    return not match["info"].strip() and fence[0] == opener["fence"][0] and len(fence) >= len(opener["fence"])


def _python(opened: tuple[_Line, re.Match[str]], lines: list[_Line], closer: _Line | None) -> Iterator[_Block]:
    fence, match = opened
    info = _INFO.match(match["info"])
    if info is None:
        return
    name = next((found for found in info.groups() if found is not None), "").lower()
    if name in _NAMES or (info["cell"] is not None and not name):
        yield _Block(fence, lines, closer, match["info"].lstrip().startswith("{"))


# --- a block as Python


class _Masked(NamedTuple):
    """A block from its fence on, as text of equal length; masks by offsets from its first line; its margin."""

    text: str
    masks: tuple[Mask, ...]
    margin: str


def _block(block: _Block, prefix: str) -> _Masked:
    lines = list(_without_options(block) if block.is_directive else (line.text for line in block.lines))
    first = next((line for line in lines if line.strip()), "")
    is_session = first.lstrip().startswith(">>>")
    if is_session:
        lines = [_without_prompt(line) for line in lines]
    masked = mask_cell("".join(lines), prefix)
    closer = "" if block.closer is None else block.closer.text
    closing = _blank(closer)
    if masked.is_timed and closer:
        closing = prefix + STOP + closing[len(prefix) + 1 :]
    body = Mask(0, len(masked.text), False)
    text = _blank(block.fence.text) + masked.text + closing
    return _Masked(text, (body,) if is_session else masked.masks, masked.margin)


def _without_options(block: _Block) -> Iterator[str]:
    """The lines of a directive with its options blank: `:key: value` lines, or what stands between two of `---`."""
    is_head, is_yaml = True, False
    for index, line in enumerate(block.lines):
        is_rule = line.text.strip() == "---"
        is_yaml = is_yaml != (is_rule and is_head and (index == 0 or is_yaml))
        is_head = is_head and (is_rule or is_yaml or _OPTION.match(line.text) is not None)
        yield _blank(line.text) if is_head else line.text


def _without_prompt(line: str) -> str:
    prompt = _PROMPT.match(line)
    if prompt is None:
        return _blank(line)
    return " " * prompt.end() + line[prompt.end() :] if line[prompt.end() :].strip() else _blank(line)
