"""Findings with what the run showed of them: verdict, evidence, source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from jaxlint.report.paths import PathPrinter
from jaxlint.text import plural
from jaxlint.verify.model import BY_WEIGHT, JudgedFinding, Observation, ObservedFinding, Verdict
from jaxlint.verify.report.html.elements import (
    DASH,
    NOTHING,
    Html,
    folded,
    join,
    lines,
    place,
    section,
    table,
    tag,
    ticked,
)
from jaxlint.verify.report.html.excerpt import Sources, excerpt

#: What each verdict says, for readers who have not met the words.
MEANINGS: Final = {
    Verdict.CONFIRMED: "it was seen",
    Verdict.INCONCLUSIVE: "no run could say, for the reason given",
    Verdict.NOT_REPRODUCED: "the line ran, and it did not show",
    Verdict.NOT_REACHED: "the line did not run",
    Verdict.REFUTED: "it was seen not to be so",
}
_SHOWN: Final = 40
_FOLDED: Final = 1000
_SIGNS: Final = {
    Verdict.CONFIRMED: "●",
    Verdict.INCONCLUSIVE: "?",
    Verdict.NOT_REPRODUCED: "○",
    Verdict.NOT_REACHED: DASH,
    Verdict.REFUTED: "✓",
}


def findings(
    observation: Observation, paths: PathPrinter, sources: Sources, proof: Callable[[str], str | None]
) -> Html:
    """The section: what a person must look at first; `proof` says what would confirm a rule's findings."""
    found = sorted(observation.findings, key=lambda finding: BY_WEIGHT.index(finding.verdict))
    undecided = [finding for finding in found if finding.verdict is Verdict.INCONCLUSIVE]
    decided = [finding for finding in found if finding.verdict is not Verdict.INCONCLUSIVE]
    cards = [_card(finding, paths, sources, proof) for finding in decided[:_SHOWN]]
    open_cards = [_card(finding, paths, sources, proof) for finding in undecided[:_SHOWN]]
    rest = sorted([*decided[_SHOWN:], *undecided[_SHOWN:]], key=lambda finding: BY_WEIGHT.index(finding.verdict))
    if not found:
        return NOTHING
    told = f"{plural(len(open_cards), 'finding')} that no run could decide"
    return section("findings", "Findings", _counts(found), *cards, folded(told, *open_cards), _rest(rest, paths))


def observed(observation: Observation, paths: PathPrinter) -> Html:
    """The section on what the run showed and the check did not report."""
    named = dict(anchors(observation))
    cards = [_observed_card(finding, named, paths) for finding in observation.observed[:_FOLDED]]
    folded_cards = cards[_SHOWN:]
    more = folded(f"{plural(len(folded_cards), 'more finding')}", *folded_cards)
    return section("observed", "Not seen by check", *cards[:_SHOWN], more)


def anchors(observation: Observation) -> Mapping[tuple[str, int], str]:
    """The lines with findings of the run's own, and what the first card of each is found by."""
    found: dict[tuple[str, int], str] = {}
    for finding in observation.observed[:_SHOWN]:
        found.setdefault((finding.path, finding.line), f"seen-{len(found) + 1}")
    return found


def _observed_card(finding: ObservedFinding, named: dict[tuple[str, int], str], paths: PathPrinter) -> Html:
    anchor = named.pop((finding.path, finding.line), None)
    sign = tag("span", _SIGNS[Verdict.CONFIRMED], aria_hidden="true")
    times = f", {finding.count} times" if finding.count > 1 else ""
    shown = tag("span", sign, f" observed in this run{times}", class_="badge confirmed")
    where = place(finding.path, finding.line, paths, finding.column)
    heading = tag("h3", shown, Html(" "), tag("span", finding.rule, class_="name"), Html(" "), where)
    seen = [tag("p", ticked(line), class_="seen") for line in finding.evidence]
    said = tag("p", ticked(finding.message), class_="message")
    return tag("article", lines(heading, said, *seen), class_="card confirmed", id=anchor)


def _counts(found: Sequence[JudgedFinding]) -> Html:
    """How many there are of each verdict, and what it says."""
    rows = []
    for verdict in BY_WEIGHT:
        number = sum(finding.verdict is verdict for finding in found)
        if number:
            rows.append(tag("li", badge(verdict, number), " ", tag("span", MEANINGS[verdict])))
    return tag("ul", join(rows), class_="verdicts")


def badge(verdict: Verdict, number: int | None = None) -> Html:
    """The verdict as a word with a sign: it does not speak by colour alone."""
    sign = tag("span", _SIGNS[verdict], aria_hidden="true")
    counted = NOTHING if number is None else tag("data", f"{number:,} ", value=number)
    return tag("span", sign, " ", counted, verdict.value.replace("-", " "), class_=f"badge {verdict.value}")


def _card(finding: JudgedFinding, paths: PathPrinter, sources: Sources, proof: Callable[[str], str | None]) -> Html:
    diagnostic = finding.diagnostic
    where = place(diagnostic.path, diagnostic.span.line, paths, diagnostic.span.column)
    heading = tag(
        "h3", badge(finding.verdict), Html(" "), tag("span", diagnostic.rule, class_="name"), Html(" "), where
    )
    said = "Why not: " if finding.verdict in (Verdict.NOT_REACHED, Verdict.INCONCLUSIVE) else "Seen: "
    decides = proof(diagnostic.rule)
    fix = diagnostic.fix
    return tag(
        "article",
        lines(
            heading,
            tag("p", ticked(diagnostic.message), class_="message"),
            excerpt(diagnostic, sources, paths),
            tag("p", tag("b", said), ticked(finding.evidence), class_="seen") if finding.evidence else NOTHING,
            tag("p", tag("b", "What decides: "), ticked(decides), ".", class_="proof") if decides else NOTHING,
            tag("p", tag("b", "Fix: "), ticked(fix.title), ".", class_="fix") if fix else NOTHING,
        ),
        class_=f"card {finding.verdict.value}",
    )


def _rest(rest: Sequence[JudgedFinding], paths: PathPrinter) -> Html:
    """Further findings, a line each; of very many, some."""
    if not rest:
        return NOTHING
    left = len(rest) - _FOLDED
    rows = [_row(finding, paths) for finding in rest[:_FOLDED]]
    listed = table("Further findings", ["Place", "Verdict", "Rule", "Message", "Seen"], rows, "more-findings")
    told = f"And {left:,} that are not listed; the JSON has all."
    return folded(f"{len(rest):,} more findings", listed, tag("p", told, class_="rest") if left > 0 else NOTHING)


def _row(finding: JudgedFinding, paths: PathPrinter) -> list[Html]:
    diagnostic = finding.diagnostic
    return [
        place(diagnostic.path, diagnostic.span.line, paths),
        badge(finding.verdict),
        tag("span", diagnostic.rule),
        tag("span", ticked(diagnostic.message)),
        tag("span", ticked(finding.evidence)),
    ]
