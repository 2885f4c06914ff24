"""Bars of the three parts of a compilation, drawn to one scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jaxlint.verify.report.figures import seconds_text
from jaxlint.verify.report.html.elements import Html, join, tag

PARTS: Final = ("trace", "lower", "compile")
#: The width of every drawing in its own units: it is stretched to the room that there is.
WIDTH: Final = 1000.0


def legend() -> Html:
    """What the colours of the parts stand for."""
    shown = (("trace", "tracing"), ("lower", "lowering"), ("compile", "compiling"))
    return key_list(shown)


def key_list(shown: Sequence[tuple[str, str]]) -> Html:
    """Colours, by their class, and what each stands for."""
    items = (tag("li", tag("span", class_=f"swatch {name}", aria_hidden="true"), text) for name, text in shown)
    return tag("ul", join(items), class_="legend")


def rectangle(start: float, width: float, top: float, height: float, class_: str) -> Html:
    """A rectangle in the units of the drawing."""
    return tag("rect", x=number(start), y=number(top), width=number(width), height=number(height), class_=class_)


def number(value: float) -> str:
    """A coordinate, as short as it can be said."""
    return f"{value:.1f}".removesuffix(".0")


def bar(parts: Sequence[float], longest: float) -> Html:
    """The seconds of the parts in a row, of a width that is to the drawing's as they are to `longest`."""
    found, start = [], 0.0
    for name, part in zip(PARTS, parts, strict=True):
        width = part / longest * WIDTH if longest else 0.0
        found.append(rectangle(start, width, 0, 10, name))
        start += width
    told = ", ".join(f"{name} {seconds_text(part)}" for name, part in zip(PARTS, parts, strict=True))
    return drawing(10, join(found), title=told, class_="bar")


def drawing(height: float, content: Html, *, title: str, class_: str, description: str = "") -> Html:
    """A picture that is stretched to its room, and what it shows in words."""
    told = tag("title", title) + (tag("desc", description) if description else "")
    return tag(
        "svg",
        Html(told),
        content,
        class_=class_,
        role="img",
        aria_label=title,
        viewBox=f"0 0 {number(WIDTH)} {number(height)}",
        preserveAspectRatio="none",
    )
