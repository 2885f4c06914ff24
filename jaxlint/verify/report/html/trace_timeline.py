"""When each function was traced, lowered and compiled: a row for each, on one scale of time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from jaxlint.report.paths import PathPrinter
from jaxlint.text import plural
from jaxlint.verify.model import FunctionCounts, Miss, Observation
from jaxlint.verify.report.figures import seconds_text
from jaxlint.verify.report.html.bars import PARTS, WIDTH, drawing, key_list, number, rectangle
from jaxlint.verify.report.html.elements import (
    NOTHING,
    TIMES,
    Html,
    join,
    lines,
    markup,
    place,
    seconds,
    section,
    tag,
    words,
)

_ROWS: Final = 24
#: More misses than this in a row are drawn together where they lie close.
_SINGLE: Final = 80
_HEIGHT: Final = 24
#: The least width at which something is still seen on a telephone.
_LEAST: Final = 3.5


@dataclass(frozen=True, slots=True)
class _Block:
    """One miss, or several that lie close together: what is drawn in one piece.

    `parts` are in seconds; `again` counts the recompilations.
    """

    at: float
    parts: tuple[float, float, float]
    again: int
    nested: bool
    words: str


@dataclass(frozen=True, slots=True)
class _Scale:
    """From seconds to the units of the drawing."""

    end: float

    def units(self, value: float) -> float:
        """The place of a time, or the width of a duration."""
        return value / self.end * WIDTH if self.end else 0.0

    @property
    def ticks(self) -> list[float]:
        """Four to ten round times."""
        rough = self.end / 5
        power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        return [step * index for index in range(int(self.end / step + 1e-9) + 1)]


def timeline(observation: Observation, paths: PathPrinter) -> Html:
    """The section; empty where nothing has a time."""
    timed = [function for function in observation.functions if any(miss.seconds > 0 for miss in function.misses)]
    if not timed:
        return NOTHING
    scale = _Scale(max(miss.at + miss.seconds for function in timed for miss in function.misses))
    timed.sort(key=lambda function: -_spent(function.misses))
    shown = sorted(timed[:_ROWS], key=lambda function: function.misses[0].at)
    rows = [_row(function, scale, paths) for function in shown]
    rest = timed[_ROWS:]
    if rest:
        misses = sorted((miss for function in rest for miss in function.misses), key=lambda miss: miss.at)
        others = plural(len(rest), "other function")
        rows.append(_drawn(markup(others), NOTHING, others, misses, scale))
    kinds = [("trace", "tracing"), ("lower", "lowering"), ("compile", "compiling")]
    if observation.recompilations:
        kinds.append(("again", "compiled again"))
    if any(miss.nested for function in timed for miss in function.misses):
        kinds.append(("inner", "thin: inside another function's trace"))
    return section(
        "timeline",
        "Timeline",
        tag("p", _caption(observation, scale)),
        key_list(kinds),
        tag("ol", lines(*rows), class_="timeline"),
        _axis(scale.ticks, scale.end),
    )


def _spent(misses: Iterable[Miss]) -> float:
    return sum(miss.seconds for miss in misses)


def _caption(observation: Observation, scale: _Scale) -> Html:
    said = f"Seconds from the start of the program to the last compilation, at {seconds_text(scale.end)}."
    if observation.seconds > 1.2 * scale.end:
        said += f" Then it ran on without one, to {seconds_text(observation.seconds)}."
    if observation.processes > 1:
        said += f" The rows of {observation.processes} processes lie over each other."
    return join((said, " Lowering and compiling are drawn right behind the trace that they belong to."))


def _row(function: FunctionCounts, scale: _Scale, paths: PathPrinter) -> Html:
    where = place(function.path, function.line, paths)
    return _drawn(words(function.name), where, function.name, function.misses, scale)


def _drawn(label: Html, where: Html, name: str, misses: Sequence[Miss], scale: _Scale) -> Html:
    blocks = list(_blocks(misses, scale))
    again = sum(block.again for block in blocks)
    about = f"{name}: {plural(len(misses), 'time')}, {seconds_text(_spent(misses))}"
    if again:
        about += f", {again} of them compiled again"
    shown = join((_grid(scale), *(_block(block, scale) for block in blocks)))
    first = f"From {seconds_text(misses[0].at)} to {seconds_text(misses[-1].at + misses[-1].seconds)}."
    total = tag("span", f"{len(misses)}{TIMES} ", seconds(_spent(misses)), class_="total")
    picture = drawing(_HEIGHT, shown, title=about, description=first, class_="track")
    detail = tag("span", where, Html(" ") if where else NOTHING, total, class_="detail")
    return tag("li", tag("div", tag("span", label, class_="name"), Html(" "), detail, class_="label"), picture)


def _grid(scale: _Scale) -> Html:
    path = "".join(f"M{number(scale.units(tick))} 0V{_HEIGHT}" for tick in scale.ticks[1:])
    return tag("path", d=path, class_="grid") if path else NOTHING


def _blocks(misses: Sequence[Miss], scale: _Scale) -> Iterator[_Block]:
    """The misses, together where they are too many to be told apart."""
    if len(misses) <= _SINGLE:
        yield from (_single(miss) for miss in misses)
        return
    bins: dict[tuple[int, bool], list[Miss]] = {}
    for miss in misses:
        bins.setdefault((int(scale.units(miss.at) / WIDTH * _SINGLE), miss.nested), []).append(miss)
    for (_, nested), found in bins.items():
        parts = (sum(m.parts[0] for m in found), sum(m.parts[1] for m in found), sum(m.parts[2] for m in found))
        again = sum(miss.is_recompilation for miss in found)
        told = f"{plural(len(found), 'trace')} from {seconds_text(found[0].at)}: {seconds_text(sum(parts))}"
        yield _Block(found[0].at, parts, again, nested, told)


def _single(miss: Miss) -> _Block:
    parts = ", ".join(f"{name} {seconds_text(part)}" for name, part in zip(PARTS, miss.parts, strict=True) if part)
    argument = f" of {miss.difference.argument}" if miss.difference.argument else ""
    told = f"at {seconds_text(miss.at)}: {miss.difference.reason}{argument}; {seconds_text(miss.seconds)} ({parts})"
    return _Block(miss.at, miss.parts, int(miss.is_recompilation), miss.nested, told)


def _block(block: _Block, scale: _Scale) -> Html:
    start = min(scale.units(block.at), WIDTH - _LEAST)
    top, height = (8, 6) if block.nested else (3, 14)
    widths = [scale.units(part) for part in block.parts]
    if sum(widths) < _LEAST:
        largest = max(range(3), key=lambda index: widths[index])
        widths = [_LEAST if index == largest else 0.0 for index in range(3)]
    shown, at = [tag("title", block.words)], start
    for name, width in zip(PARTS, widths, strict=True):
        if width:
            shown.append(rectangle(at, width, top, height, name))
        at += width
    if block.again:
        shown.append(rectangle(start, at - start, 19, 3, "again"))
    return tag("g", *shown)


def _axis(ticks: Sequence[float], end: float) -> Html:
    """The scale below drawings; those who cannot see them have the figures in words."""
    shown = (_tick(tick, tick / end if end else 0.0) for tick in ticks)
    return tag("div", tag("div", join(shown), class_="ticks"), class_="axis", aria_hidden="true")


def _tick(value: float, share: float) -> Html:
    """A time at its place; the style sheet keeps the label inside the scale."""
    return tag("span", f"{value:g} s", style=f"--at:{share:.4f}", class_="tick")
