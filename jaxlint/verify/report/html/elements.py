"""Markup that is safe by construction: a text becomes markup only by being escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape as escape_markup
from typing import Final, TypeAlias

from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape, plural
from jaxlint.verify.report.figures import line_text, seconds_text

Attribute: TypeAlias = "str | int | float | None"


class Html(str):
    """Markup. Invariant: whatever came from outside has been escaped in it."""

    __slots__ = ()


NOTHING: Final = Html("")


def markup(value: str) -> Html:
    """`value` itself if it is markup, else the text escaped; what would reorder or vanish is shown by its code."""
    return value if isinstance(value, Html) else Html(escape_markup(escape(value)))


def tag(name: str, /, *content: str, **attributes: Attribute) -> Html:
    """An element. `class_` stands for `class`, `_` within names for `-`; None leaves an attribute out."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{markup(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{told}>{''.join(map(markup, content))}</{name}>")


def join(parts: Iterable[str], separator: str = "") -> Html:
    """The parts one after the other."""
    return Html(markup(separator).join(map(markup, parts)))


def lines(*parts: str) -> Html:
    """The parts that are not empty, each on a line of the file."""
    return Html("\n".join(markup(part) for part in parts if part))


def seconds(value: float) -> Html:
    """A duration as people read it, with its exact value for programs."""
    return tag("data", seconds_text(value), value=round(value, 6), class_=None if value else "zero")


def count(value: int) -> Html:
    """A number of things, with separators, and as it is for programs."""
    return tag("data", f"{value:,}", value=value, class_=None if value else "zero")


def counted(number: int, noun: str, rest: str = "") -> tuple[str, Html]:
    """`2` things as a figure, and what they are: `functions traced`."""
    return f"{plural(number, noun).partition(' ')[2]}{rest}", count(number)


def place(path: str, line: int, paths: PathPrinter, column: int | None = None) -> Html:
    """`train.py:31`, which may break after a slash; nothing for a line that is not known."""
    if not path:
        return NOTHING
    parts = line_text(path, line, paths, column).split("/")
    return tag("code", join((*(f"{part}/" for part in parts[:-1]), parts[-1]), BREAK), class_="place")


#: A name that is longer is shortened where it is one of a local function.
_LONG_NAME: Final = 32
#: Where a long word may be broken.
BREAK: Final = Html("<wbr>")
TIMES: Final = "\N{MULTIPLICATION SIGN}"
DASH: Final = "\N{EN DASH}"


def words(identifier: str) -> Html:
    """A dotted name that may break after its dots; of a long local one the end, the whole on hover."""
    _, is_local, last = identifier.rpartition(".<locals>.")
    if is_local and len(identifier) > _LONG_NAME:
        return tag("span", "\N{HORIZONTAL ELLIPSIS}", last, title=identifier)
    parts = identifier.split(".")
    return join((*(f"{part}." for part in parts[:-1]), parts[-1]), BREAK)


def ticked(text: str) -> Html:
    """Text in which what stands between two backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return markup(text)
    return join(tag("code", part) if index % 2 else part for index, part in enumerate(parts))


def section(anchor: str, title: str, *content: str) -> Html:
    """A part of the page that is found by its heading; empty where it would hold nothing."""
    if not any(content):
        return NOTHING
    heading = tag("h2", title, id=f"{anchor}-title")
    return tag(
        "section", Html("\n"), lines(heading, *content), Html("\n"), id=anchor, aria_labelledby=f"{anchor}-title"
    )


def folded(summary: str, *content: str) -> Html:
    """What is shown only when a person asks for it; empty where it would hold nothing."""
    return tag("details", tag("summary", summary), lines(*content)) if any(content) else NOTHING


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], class_: str) -> Html:
    """A table whose first column names its rows.

    On narrow screens the rows are drawn as cards: the roles keep it a table for those who hear it, and each cell has
    the head of its column beside it.
    """
    head = join(tag("th", text, scope="col", role="columnheader") for text in heads)
    body = lines(*(_row(heads, row) for row in rows))
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", head, role="row"), role="rowgroup"),
        tag("tbody", body, role="rowgroup"),
        class_=class_,
        role="table",
    )


def _row(heads: Sequence[str], row: Sequence[str]) -> Html:
    first = tag("th", row[0], scope="row", role="rowheader")
    rest = join(
        tag("td", tag("div", cell), role="cell", data_label=head) for head, cell in zip(heads[1:], row[1:], strict=True)
    )
    return tag("tr", first, rest, role="row")


#: What stands where there is nothing to tell.
ABSENT: Final = tag("span", DASH, aria_label="unknown", role="img", class_="zero")
