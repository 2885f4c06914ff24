"""What was compiled again, function by function: each reason from before to now, and what would save it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jaxlint.report.paths import PathPrinter
from jaxlint.text import plural
from jaxlint.verify.model import Difference, FunctionCounts, Observation, Site
from jaxlint.verify.observe.places import source_lines
from jaxlint.verify.report.figures import near_text, seconds_text
from jaxlint.verify.report.groups import Group, groups_of, remedies
from jaxlint.verify.report.html.elements import (
    NOTHING,
    TIMES,
    Html,
    count,
    folded,
    join,
    lines,
    place,
    seconds,
    section,
    table,
    tag,
    ticked,
    words,
)
from jaxlint.verify.report.html.verdicts import anchors

_SHOWN: Final = 10
_FOLDED: Final = 100
_REASONS: Final = 8
_VALUES: Final = 6
_TEXT: Final = 160


def recompiled(observation: Observation, paths: PathPrinter) -> Html:
    """The section: the functions that were compiled again, those that lost most first."""
    functions = [function for function in observation.functions if function.recompilations]
    seen = anchors(observation)
    cards = [_card(function, seen, paths) for function in functions[:_FOLDED]]
    rest = functions[_SHOWN:]
    left = functions[_FOLDED:]
    more = f"{plural(len(rest), 'more function')} compiled again, {_lost(rest)} lost"
    not_shown = f"And {plural(len(left), 'function')} that are not shown, {_lost(left)} lost."
    return section(
        "again",
        "Compiled again",
        *cards[:_SHOWN],
        folded(more, *cards[_SHOWN:], tag("p", not_shown, class_="rest") if left else NOTHING) if rest else NOTHING,
    )


def _lost(functions: Sequence[FunctionCounts]) -> str:
    return seconds_text(sum(function.seconds_lost for function in functions))


def _card(function: FunctionCounts, seen: Mapping[tuple[str, int], str], paths: PathPrinter) -> Html:
    groups = groups_of(function)
    calls = NOTHING if function.calls is None else join((" in ", count(function.calls), " calls"))
    name = tag("span", words(function.name), class_="name")
    heading = tag("h3", name, Html(" "), place(function.path, function.line, paths))
    counted = tag(
        "p",
        tag("b", seconds(function.seconds_lost), " lost", class_="lost"),
        join((": traced ", _times(function.traces), ", compiled ", _times(function.compiles), calls, ".")),
    )
    heads = ["Reason", "Times", "Before → now", "Called at", "Lost"]
    caption = f"Why {function.name} was compiled again"
    own = function.path, function.line
    rows = table(
        caption, heads, [_row(group, _call(group.call, own, seen, paths)) for group in groups[:_REASONS]], "reasons"
    )
    rest = groups[_REASONS:]
    more = f"And {plural(len(rest), 'more reason')}, {seconds_text(sum(group.seconds for group in rest))}."
    return tag(
        "article",
        lines(heading, counted, rows, tag("p", more, class_="rest") if rest else NOTHING, _fixes(groups[:_REASONS])),
        class_="card",
    )


def _times(number: int) -> Html:
    return join((count(number), TIMES))


def _call(
    call: Site | None, function: tuple[str, int], seen: Mapping[tuple[str, int], str], paths: PathPrinter
) -> Html:
    """The line of the call, with its file where that is not the function's own; it leads to what was observed there."""
    if call is None:
        return tag("span", "unknown")
    near = call.path == function[0]
    shown = (
        tag("span", near_text(call.path, call.line, function, paths)) if near else place(call.path, call.line, paths)
    )
    anchor = seen.get((call.path, call.line))
    source = source_lines(call.path)[call.line - 1 : call.line]
    text = source[0].strip() if source else None
    if anchor is None:
        return tag("span", shown, title=text)
    return tag("a", shown, href=f"#{anchor}", title=text)


def _row(group: Group, where: Html) -> list[Html]:
    return [
        tag("span", group.reason, class_="reason"),
        _times(len(group.misses)),
        _change(group),
        where,
        seconds(group.seconds),
    ]


def _change(group: Group) -> Html:
    change = group.change
    argument = tag("span", tag("code", group.argument), ":") if group.argument else NOTHING
    if group.reason == "new-function-object":
        return tag("span", *change.now)
    before = join((tag("code", _short(change.before), class_="before"), " → ")) if change.before else NOTHING
    now = join((tag("code", _short(value), class_="now") for value in change.now[:_VALUES]), ", ")
    left = len(change.now) - _VALUES
    more = f", and {left} more" if left > 0 else ""
    shown = join((argument, " " if argument else "", before, now, more, _also(group)))
    return shown or tag("span", "nothing that can be seen")


def _also(group: Group) -> Html:
    """What else was different, for which another remedy may be needed."""
    found = dict.fromkeys(_named(difference) for miss in group.misses for difference in miss.also)
    if not found:
        return NOTHING
    shown = ", ".join(list(found)[:3])
    return tag("span", f"also different: {shown}{', ...' if len(found) > 3 else ''}", class_="also")


def _named(difference: Difference) -> str:
    return f"{difference.argument} ({difference.reason})" if difference.argument else difference.reason


def _short(value: str) -> str:
    return value if len(value) <= _TEXT else f"{value[:_TEXT]}…"


def _fixes(groups: Sequence[Group]) -> Html:
    found = remedies(groups)
    if not found:
        return NOTHING
    fixes = []
    for remedy in found:
        named = join((tag("code", name) for name in remedy.subjects[:_VALUES]), ", ")
        subject = join((" for ", named)) if len(found) > 1 else NOTHING
        fixes.append(tag("p", tag("b", "Fix", subject, ":"), " ", ticked(remedy.advice), ".", class_="fix"))
    return lines(*fixes)
