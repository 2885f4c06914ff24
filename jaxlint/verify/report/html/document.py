"""The whole page: one file that fetches nothing, runs nothing and reads without colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Final

from jaxlint.report.paths import PathPrinter
from jaxlint.verify.model import Observation, ProbedFunction
from jaxlint.verify.report.html.costs import costs, eager
from jaxlint.verify.report.html.elements import NOTHING, Html, join, lines, markup, tag
from jaxlint.verify.report.html.excerpt import Sources
from jaxlint.verify.report.html.growth import growth
from jaxlint.verify.report.html.headline import head, title
from jaxlint.verify.report.html.probed import figures, probes
from jaxlint.verify.report.html.recompiled import recompiled
from jaxlint.verify.report.html.trace_timeline import timeline
from jaxlint.verify.report.html.verdicts import findings, observed

#: Were anything to slip through the escaping, the browser would still neither run nor fetch it.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E"
    "%3Cpath d='M1 1h4v2H1zM3 4h4v3H3z' fill='%23b5620b'/%3E%3C/svg%3E"
)
_TITLES: Final = {
    "again": "Compiled again",
    "timeline": "Timeline",
    "costs": "Cost per function",
    "growth": "Growth of the cache",
    "eager": "Eager operations",
    "observed": "Not seen by check",
    "figures": "Compiled for the target",
    "probes": "What was probed",
    "findings": "Findings",
}


def page_text(
    observation: Observation,
    paths: PathPrinter,
    read_text: Callable[[str], str | None],
    proof: Callable[[str], str | None],
    functions: Sequence[ProbedFunction] | None = None,
) -> str:
    """The report as an HTML document.

    `read_text` gives the source of a file for the excerpts, `proof` what decides a rule's findings. `functions` are
    those that were probed; None for an observed run.
    """
    found = findings(observation, paths, Sources(read_text), proof)
    sections = (
        _of_run(observation, paths, found) if functions is None else _of_probe(observation, functions, paths, found)
    )
    shown = {name: section for name, section in sections.items() if section}
    body = lines(
        tag("a", "Skip to the report", href="#report", class_="skip"),
        head(observation, functions),
        _contents(list(shown)),
        tag("main", Html("\n"), lines(*shown.values()), Html("\n"), id="report"),
        tag("footer", _footer(probed=functions is not None)),
    )
    return _document(f"{title(observation, functions)} · jaxlint verify", body)


def _of_run(observation: Observation, paths: PathPrinter, found: Html) -> dict[str, Html]:
    return {
        "findings": found,
        "observed": observed(observation, paths),
        "again": recompiled(observation, paths),
        "timeline": timeline(observation, paths),
        "costs": costs(observation, paths),
        "growth": growth(observation, paths),
        "eager": eager(observation, paths),
    }


def _of_probe(
    observation: Observation, functions: Sequence[ProbedFunction], paths: PathPrinter, found: Html
) -> dict[str, Html]:
    return {
        "findings": found,
        "observed": observed(observation, paths),
        "figures": figures(functions, observation.runtime.platform),
        "probes": probes(functions, paths),
    }


def _contents(names: Sequence[str]) -> Html:
    if len(names) < 2:
        return NOTHING
    items = (tag("li", tag("a", _TITLES[name], href=f"#{name}")) for name in names)
    return tag("nav", tag("ul", join(items)), aria_label="Parts of the report")


def _footer(*, probed: bool) -> Html:
    if probed:
        said = "A probe calls functions on shapes and dtypes without numbers, unless `--execute` is set."
    else:
        said = (
            "A recompilation is a trace of its own, or a compilation without one, by a transform that keeps what it "
            "compiled, for any reason but the first use."
        )
    return tag("p", said)


def _document(name: str, body: Html) -> str:
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n'
        f"<title>{markup(name)}</title>\n"
        f'<link rel="icon" href="{_ICON}">\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>'
    )
