"""The head of the page: what the run comes to, where its time went, and what it ran on."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from jaxlint.text import plural
from jaxlint.verify.model import BY_WEIGHT, Observation, ProbedFunction, Verdict
from jaxlint.verify.report.figures import announced_text, headline, seconds_text
from jaxlint.verify.report.html import probed
from jaxlint.verify.report.html.bars import WIDTH, drawing, rectangle
from jaxlint.verify.report.html.elements import NOTHING, Html, counted, join, lines, seconds, tag
from jaxlint.version import VERSION

_SHARES: Final = {
    "again": "compiled again",
    "needed": "compiled for the first time",
    "ops": "operations outside compiled functions",
    "rest": "all else",
}


def title(observation: Observation, functions: Sequence[ProbedFunction] | None) -> str:
    """The page in one sentence."""
    if functions is not None:
        confirmed = sum(finding.verdict is Verdict.CONFIRMED for finding in observation.findings)
        return f"{confirmed} of {plural(len(observation.findings), 'finding')} confirmed by probing"
    lost = sum(function.seconds_lost for function in observation.functions)
    again = sum(bool(function.recompilations) for function in observation.functions)
    traced = sum(function.was_traced for function in observation.functions)
    return headline(observation.recompilations, again, lost, traced)


def head(observation: Observation, functions: Sequence[ProbedFunction] | None) -> Html:
    """The heading, the command, what is missing, the figures that matter."""
    missing = [tag("p", tag("b", "Incomplete: "), problem) for problem in observation.problems]
    command = shlex.join(observation.command)
    return tag(
        "header",
        lines(
            tag("p", "jaxlint verify", class_="brand"),
            tag("h1", title(observation, functions)),
            tag("p", tag("code", command), class_="command"),
            tag("div", lines(*missing), class_="missing", role="note") if missing else NOTHING,
            _tiles(observation, functions),
            _shares(observation) if functions is None else NOTHING,
            _about(observation),
        ),
    )


def _tiles(observation: Observation, functions: Sequence[ProbedFunction] | None) -> Html:
    tiles = _run_tiles(observation) if functions is None else probed.summary(functions)
    for verdict in BY_WEIGHT:
        number = sum(finding.verdict is verdict for finding in observation.findings)
        if number and (functions is not None or verdict is Verdict.CONFIRMED):
            tiles.append(counted(number, "finding", f" {verdict.value.replace('-', ' ')}"))
    shown = (tag("div", tag("dt", label), tag("dd", figure)) for label, figure in tiles)
    return tag("dl", join(shown), class_="tiles") if tiles else NOTHING


def _run_tiles(observation: Observation) -> list[tuple[str, Html]]:
    functions = [function for function in observation.functions if function.was_traced]
    lost = sum(function.seconds_lost for function in functions)
    share = lost / observation.seconds if observation.seconds and observation.processes == 1 else 0.0
    hits = sum(function.cache_hits for function in functions)
    tiles = [("of the run lost to recompilation", tag("data", f"{share:.0%}", value=round(share, 4)))] if share else []
    tiles += [
        counted(len(functions), "function", " traced"),
        counted(sum(function.traces for function in functions), "trace"),
        counted(sum(function.compiles for function in functions), "compilation"),
    ]
    return [*tiles, counted(hits, "hit", " in the persistent cache")] if hits else tiles


def _shares(observation: Observation) -> Html:
    """Where the time of the run went, as one bar. With several processes there is no whole to speak of."""
    own = [miss for function in observation.functions for miss in function.misses if not miss.nested]
    parts = {
        "again": sum(miss.seconds for miss in own if miss.is_recompilation),
        "needed": sum(miss.seconds for miss in own if not miss.is_recompilation),
        "ops": sum(line.seconds for line in observation.eager),
    }
    spent = sum(parts.values())
    if observation.processes == 1 and observation.seconds > spent:
        parts["rest"] = observation.seconds - spent
    whole = sum(parts.values())
    if not spent:
        return NOTHING
    bars, start = [], 0.0
    for name, part in parts.items():
        width = part / whole * WIDTH
        bars.append(rectangle(start, width, 0, 10, name))
        start += width
    about = "Where the time went" if "rest" in parts else "Where the time of compilation went"
    told = f"{about}: {seconds_text(whole)}"
    items = (
        tag("li", tag("span", class_=f"swatch {name}", aria_hidden="true"), f"{_SHARES[name]} ", seconds(part))
        for name, part in parts.items()
        if part
    )
    picture = drawing(10, join(bars), title=told, class_="shares")
    return tag("div", tag("h2", about, id="time"), picture, tag("ul", join(items), class_="legend"))


def _about(observation: Observation) -> Html:
    runtime = observation.runtime
    device = " ".join(dict.fromkeys(filter(None, (runtime.platform, runtime.device_kind))))
    facts = {
        "JAX": runtime.jax or "not imported",
        "jaxlib": runtime.jaxlib,
        "device": device,
        "Python": runtime.python,
        "ended": observation.ended,
        "ran for": seconds_text(observation.seconds) if observation.seconds else "",
        "self-check": announced_text(observation) if observation.announced else "",
        "processes": str(observation.processes) if observation.processes > 1 else "",
        "jaxlint": VERSION,
    }
    shown = (tag("div", tag("dt", name), tag("dd", value)) for name, value in facts.items() if value)
    return tag("dl", join(shown), class_="facts")
