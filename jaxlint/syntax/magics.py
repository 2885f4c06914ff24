"""What IPython adds to Python is masked: magics, shell commands and help become Python of equal length.

Lines keep their number and columns. What all lines of a cell are indented by, which IPython takes away, becomes form
feeds: behind those, Python counts columns from 0. `%time` and its kind become names that lowering knows as clocks; the
code behind them stays. A cell whose magic gives it to another program is masked whole.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from jaxlint.syntax.comments import MARK
from jaxlint.syntax.layout import Mask
from jaxlint.syntax.limits import OPAQUE

#: Magics that show how long code takes, each with the letter that ends the name which stands for it.
CLOCKS: Final[Mapping[str, str]] = {"%time": "t", "%timeit": "r", "%%time": "T", "%%timeit": "R"}
#: The letter of the name that stands where a timed cell ends.
STOP: Final = "s"
#: Magics of a cell that stays Python of this notebook.
_PYTHON: Final = frozenset(
    {"capture", "debug", "ipytest", "memit", "mprun", "prun", "pyinstrument", "scalene", "snakeviz", "time", "timeit",
     "wandb"}
)  # fmt: skip
#: What may be in a cell that is masked: most cells hold none of it.
_SIGN: Final = re.compile(r"[%!?]|^[ \t]*[,;/]\w", re.MULTILINE)
_COMMAND: Final = re.compile(r"[ \t]*(?:[%!?]|[,;/][A-Za-z_])")
_COMMAND_LINE: Final = re.compile(r"^[ \t]*[%!]", re.MULTILINE)
#: Commands that IPython takes without a sign, where two words stand side by side as in no Python.
_BARE: Final = (
    "alias autoawait autocall automagic autoreload autosave bookmark cat cd clear colors conda config cp debug "
    "dhist dirs ed edit env gui hist history ldir less lf lk ll load load_ext loadpy logstart ls lx macro mamba "
    "man matplotlib micromamba mkdir more mv notebook page pastebin pdb pdef pdoc pfile pinfo pinfo2 pip3? popd "
    "precision prun psearch psource pushd pwd pycat pylab recall reload_ext rep rerun reset reset_selective rm "
    "rmdir run save sc set_env store sx system tensorflow_version time timeit unalias unload_ext uv who who_ls "
    "whos xdel xmode"
)
_BARE_COMMAND: Final = re.compile(rf"^[ \t]*(?:{_BARE.replace(' ', '|')})[ \t]+(?=[-.~/$\w\"'*{{])", re.MULTILINE)
_ASSIGNMENT: Final = re.compile(r"[ \t]*[^\s=!%<>#'\"()][^=!%<>#'\"()\r\n]*=[ \t]*(?=%[^\s=]|!(?!=))")
_TIME: Final = re.compile(r"%?(time(?:it)?)(?:[ \t]+-(?:[nrp][ \t]*\d+|v[ \t]*\w+|[tcqo]+))*[ \t]+(?=[^\s-])")
#: The magic of a whole cell; Colab lets the comments of its forms (`#@title Setup`) stand above it.
_CELL: Final = re.compile(r"(?:\s|#[^\r\n]*$)*?^%%(?P<name>\w*)", re.MULTILINE)
_LINE_REST: Final = re.compile(r"[^\r\n]*")
_NOT_END: Final = re.compile(r"[^\r\n]")
#: Statements that do nothing, for pieces shorter than `pass`.
_SHORT: Final = {0: "", 1: "0", 2: "()", 3: "..."}
#: A cell that is indented as a whole, or behind a magic.
_INDENTED: Final = re.compile(r"\s*?^(?:[ \t]+[^\s]|%%[^\r\n]*\s+?^[ \t]+[^\s])", re.MULTILINE)
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def has_command(text: str) -> bool:
    """Whether a line begins as a magic or a shell command does."""
    return _COMMAND_LINE.search(text) is not None


class Masked(NamedTuple):
    """A cell as Python: text of equal length, the masked lines in order, and whether it is timed to its end.

    `margin` is what its lines are indented by.
    """

    text: str
    masks: tuple[Mask, ...] = ()
    is_timed: bool = False
    margin: str = ""


def mask_cell(text: str, prefix: str) -> Masked:
    """Mask what is no Python in a cell. Names that begin with `prefix` must not stand in the notebook."""
    text = _SURROGATE.sub("\ufffd", text)  # no file of Python can hold one
    if _INDENTED.match(text) is None:
        return _masked(text, prefix)
    lines = _LINE.findall(text)
    margins = _margins(lines)
    masked = _masked("".join(line[len(margin) :] for line, margin in zip(lines, margins, strict=True)), prefix)
    return _with_margins(masked, margins)


def _margins(lines: Sequence[str]) -> list[str]:
    """What IPython takes away in front of each line: what the first one is indented by; of a cell for a magic, twice.

    Its versions differ where a line is indented less than the first; what any of them runs is taken for right.
    """
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return [""] * len(lines)
    margin = _indentation(lines[first])
    margins = [margin if line.startswith(margin) else "" for line in lines]
    if lines[first].startswith("%%", len(margin)):
        body = _margins([line[len(own) :] for line, own in zip(lines, margins, strict=True)][first + 1 :])
        margins[first + 1 :] = [a + b for a, b in zip(margins[first + 1 :], body, strict=True)]
    return margins


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _with_margins(masked: Masked, margins: Sequence[str]) -> Masked:
    """A cell that was masked without its margins, with form feeds in their place."""
    lines = _LINE.findall(masked.text)
    starts = list(accumulate(map(len, lines), initial=0))[: len(lines)]
    before = list(accumulate(map(len, margins), initial=0))
    text = "".join("\f" * len(margin) + line for margin, line in zip(margins, lines, strict=True))
    masks = tuple(
        Mask(start + before[bisect_left(starts, start)], end + before[bisect_right(starts, end)], is_line)
        for start, end, is_line in masked.masks
    )
    return Masked(text, masks, masked.is_timed, max(margins, key=len, default=""))


def _masked(text: str, prefix: str) -> Masked:
    """A cell without margins as Python."""
    if _SIGN.search(text) is None and _BARE_COMMAND.search(text) is None:
        return Masked(text)
    first = _CELL.match(text)
    if first is not None and first["name"] not in _PYTHON:
        start = first.end() - len(first["name"]) - 2
        return Masked(text[:start] + _nothing(text, start, len(text)), (Mask(0, len(text), False),))
    is_timed = first is not None and f"%%{first['name']}" in CLOCKS
    edits = list(_edits(text, prefix))
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    masks = tuple(Mask(edit.line, edit.last, not edit.is_first) for edit in edits)
    return Masked("".join((*parts, text[at:])), masks, is_timed)


class _Edit(NamedTuple):
    """A piece of equal length for another; `line` and `last` bound the lines that it lies in."""

    start: int
    end: int
    text: str
    line: int
    last: int
    is_first: bool = False


def _edits(text: str, prefix: str) -> Iterator[_Edit]:
    """What is to be masked, logical line by logical line."""
    at = 0
    is_first = True  # only blank lines and comments so far
    while at < len(text):
        rest = _LINE_REST.match(text, at)
        end = at if rest is None else rest.end()
        if _COMMAND.match(text, at) or _is_bare_command(text, at):
            end = _command_end(text, end)
            yield from _command(text, at, end, prefix, is_first=is_first)
        else:
            found = _ASSIGNMENT.match(text, at, end)
            if found is not None:
                end = _command_end(text, end)
                filler = _fill(prefix if end - found.end() > 1 else "0", text, found.end(), end)
                yield _Edit(found.end(), end, filler, at, end)
            else:
                end = _logical_end(text, at)
                if _is_help(text[at:end]):
                    yield _Edit(at, end, _nothing(text, at, end), at, end)
        is_first = is_first and not text[at:end].partition("#")[0].strip()
        at = _past_line_end(text, end)


def _command(text: str, at: int, end: int, prefix: str, *, is_first: bool) -> Iterator[_Edit]:
    """The mask of a line that is a command to IPython."""
    start = at + len(text[at:end]) - len(text[at:end].lstrip(" \t"))
    magic = text[start:end].split(maxsplit=1)[0]
    if is_first and magic in CLOCKS and magic.startswith("%%"):
        yield _Edit(start, end, _fill(prefix + CLOCKS[magic], text, start, end), at, end, True)
        return
    clock = _TIME.match(text, start, end)
    if clock is not None:
        last = _logical_end(text, clock.end())
        if _is_simple(text[clock.end() : last]):
            mark = f"{prefix}{CLOCKS['%' + clock[1]]};"
            yield _Edit(start, clock.end(), mark.ljust(clock.end() - start), at, last)
            return
    yield _Edit(start, end, _nothing(text, start, end), at, end, is_first and magic.startswith("%%"))


def _is_simple(code: str) -> bool:
    """Whether code is Python that may stand behind a semicolon."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(f"0; {code}", "<cell>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return False
    return True


def _is_bare_command(text: str, at: int) -> bool:
    """A line that begins as a command, and is no Python."""
    return _BARE_COMMAND.match(text, at) is not None and not _is_simple(text[at : _logical_end(text, at)].lstrip())


def _is_help(line: str) -> bool:
    """`name?`: a question mark is nothing in Python, outside strings and comments."""
    return "?" in line and OPAQUE.sub("", line).rstrip().endswith("?")


def _command_end(text: str, end: int) -> int:
    """The end of a command, which goes on behind a backslash at the end of a line."""
    while end < len(text) and text[end - 1] == "\\":
        following = _LINE_REST.match(text, _past_line_end(text, end))
        end = len(text) if following is None else following.end()
    return end


def _logical_end(text: str, at: int) -> int:
    """Where the logical line that begins at an offset ends, without its line end."""
    depth = 0
    for match in MARK.finditer(text, at):
        _, opener, closer, end = match.groups()
        if opener is not None:
            depth += 1
        elif closer is not None:
            depth = max(0, depth - 1)
        elif end is not None and depth == 0:
            return match.start()
    return len(text)


def _past_line_end(text: str, end: int) -> int:
    return end + (2 if text.startswith("\r\n", end) else 1)


def _fill(name: str, text: str, start: int, end: int) -> str:
    """A name and blanks in the place of a piece of text, whose line ends stay."""
    return name + _NOT_END.sub(" ", text[start + len(name) : end])


def _nothing(text: str, start: int, end: int) -> str:
    """A statement that does nothing in the place of a piece of text, indented alike."""
    first = start + len(text[start:end]) - len(text[start:end].lstrip(" \t"))
    line = _LINE_REST.match(text, first, end)
    room = 0 if line is None else len(line.group())
    return text[start:first] + _fill(_SHORT.get(room, "pass"), text, first, end)
