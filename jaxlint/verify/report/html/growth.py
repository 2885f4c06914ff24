"""How many entries the cache of each function came to hold, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from jaxlint.report.paths import PathPrinter
from jaxlint.text import plural
from jaxlint.verify.model import CACHED, FunctionCounts, Miss, Observation
from jaxlint.verify.report.figures import seconds_text
from jaxlint.verify.report.html.bars import WIDTH, drawing, number
from jaxlint.verify.report.html.elements import NOTHING, Html, join, lines, place, section, tag, words

_SHOWN: Final = 12
_POINTS: Final = 120
_HEIGHT: Final = 100.0


@dataclass(frozen=True, slots=True)
class _Curve:
    """Where each entry was made, in seconds or in calls, and how far the run or the calls went."""

    at: Sequence[float]
    end: float
    by_calls: bool

    @property
    def words(self) -> str:
        """What the curve comes to."""
        entries, last = len(self.at), self.at[-1]
        over = f"{plural(int(self.end), 'call')}" if self.by_calls else seconds_text(self.end)
        unit = f"call {int(last):,}" if self.by_calls else seconds_text(last)
        is_growing = last > 0.9 * self.end
        return f"{entries} entries in {over}; " + ("still growing at the end" if is_growing else f"none after {unit}")


def growth(observation: Observation, paths: PathPrinter) -> Html:
    """The section: the functions that have more than one entry, those that lost most first."""
    entries = [(function, _entries(function)) for function in observation.functions if function.recompilations]
    growing = [(function, own) for function, own in entries if len(own) > 1]
    if not growing:
        return NOTHING
    shown = [_figure(function, _curve(function, own, observation), paths) for function, own in growing[:_SHOWN]]
    rest = growing[_SHOWN:]
    left = f"{plural(len(rest), 'more function')} grew from {len(rest)} to {sum(len(o) for _, o in rest):,} entries."
    return section(
        "growth",
        "Growth of the cache",
        tag("p", "Each step is another entry: another key that the function was compiled for. A curve that goes on "
            "rising is a program that goes on compiling."),
        tag("div", lines(*shown), class_="figures"),
        tag("p", left, class_="rest") if rest else NOTHING,
    )  # fmt: skip


def _entries(function: FunctionCounts) -> list[Miss]:
    return [miss for miss in function.misses if not miss.nested and miss.transform in CACHED]


def _curve(function: FunctionCounts, entries: Sequence[Miss], observation: Observation) -> _Curve:
    calls = [miss.calls for miss in entries if miss.calls is not None]
    counted = len(calls) == len(entries) and all(a < b for a, b in pairwise(calls))
    if counted and function.calls is not None and function.calls >= calls[-1]:
        return _Curve([float(call) for call in calls], float(function.calls), by_calls=True)
    times = sorted(miss.at for miss in entries)
    return _Curve(times, max(observation.seconds, times[-1]), by_calls=False)


def _figure(function: FunctionCounts, curve: _Curve, paths: PathPrinter) -> Html:
    title = f"{function.name}: {curve.words}"
    caption = tag(
        "figcaption",
        tag("span", words(function.name), class_="name"),
        Html(" "),
        place(function.path, function.line, paths),
        tag("span", curve.words, class_="says"),
    )
    picture = drawing(_HEIGHT, _steps(curve), title=title, class_="curve")
    start, end = ("call 1", f"call {int(curve.end):,}") if curve.by_calls else ("0 s", seconds_text(curve.end))
    ends = tag("div", tag("span", start), tag("span", end), class_="ends", aria_hidden="true")
    top = tag("div", tag("span", f"{len(curve.at)} entries"), class_="ends", aria_hidden="true")
    return tag("figure", caption, top, picture, ends)


def _steps(curve: _Curve) -> Html:
    """The line, and the area below it; of very many steps, some."""
    every = max(1, len(curve.at) // _POINTS)
    numbered = [(at, entry) for entry, at in enumerate(curve.at, 1) if entry % every == 0 or entry == 1]
    numbered = [*numbered, (curve.at[-1], len(curve.at))]
    first = 1.0 if curve.by_calls else 0.0
    span = max(curve.end - first, 1e-9)
    path = f"M0 {number(_HEIGHT)}"
    for at, entries in numbered:
        x, y = (at - first) / span * WIDTH, _HEIGHT - entries / len(curve.at) * (_HEIGHT - 4)
        path += f"H{number(x)}V{number(y)}"
    path += f"H{number(WIDTH)}"
    area = tag("path", d=f"{path}V{number(_HEIGHT)}Z", class_="area")
    return join((area, tag("path", d=path, class_="line")))
