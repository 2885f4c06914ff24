"""A stand-in for rules and analysis: a name written in a file is a finding, so that tests see the rest of the tool.

`FLAG_BRANCH` is found by traced-branch, `FLAG_REUSE` by key-reuse, `FLAG_MAYBE` by key-reuse at confidence possible,
`FLAG_BOTH` by traced-branch and by the rule that yields to it, `FLAG_PREVIEW` by a rule in preview; `FLAG_CRASH` makes
the analysis fail on its file.
`SAFE`, `UNSAFE`, `SHOWN`, `BREAK`, `CRASH`, `TURN`, `TURNED` have fixes; that of `WIDE(...)` overlaps its argument's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Finding, FindingNote, FixRequest, Place, Project
from jaxlint.analysis.project.leaf_groups import KeptGroups
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.rules.rule import Fixer, Rule
from jaxlint.syntax import ir


def _rule(
    slug: str, code: str, family: str, category: Category, yields_to: tuple[str, ...] = (), fix: Fixer | None = None
) -> Rule:
    summary = f"About {slug}."
    return Rule(slug, code, family, category, (), lambda _: iter(()), category.on_by_default, yields_to, summary, fix)


def _wording(request: FixRequest, code: Code) -> Fix | None:
    """A fix that writes another word."""
    word = code.segment(request.at)
    text, applicability = _FIXES[word]
    if word == "CRASH":
        raise ValueError("the test asked for it")
    reason = "" if applicability is Applicability.SAFE else "the test says so"
    return code.fix(f"Write `{text}`", [Change(*code.span(request.at), text)], applicability, reason)


def _widening(request: FixRequest, code: Code) -> Fix | None:
    """A fix of a call that writes all of it again."""
    call = code.parent(request.at)
    argument = code.segment(call.args[0].at)
    return code.fix("Write `wide`", [Change(*code.span(call.at), f"wide({argument})")])


_FIXES = {
    "SAFE": ("done", Applicability.SAFE),
    "UNSAFE": ("done", Applicability.UNSAFE),
    "SHOWN": ("done", Applicability.DISPLAY_ONLY),
    "BREAK": (")(", Applicability.SAFE),
    "CRASH": ("", Applicability.SAFE),
    "TURN": ("TURNED", Applicability.SAFE),
    "TURNED": ("TURN", Applicability.SAFE),
}


RULES = {
    rule.slug: rule
    for rule in (
        _rule("key-reuse", "JX201", "random", Category.CORRECTNESS),
        _rule("traced-branch", "JX301", "tracing", Category.CORRECTNESS),
        _rule("tracer-formatting", "JX312", "tracing", Category.SUSPICIOUS, ("traced-branch",)),
        _rule("legacy-prng-key", "JX208", "random", Category.PEDANTIC),
        replace(_rule("early", "JX209", "random", Category.SUSPICIOUS), preview=True),
        _rule("word", "JX901", "words", Category.SUSPICIOUS, fix=_wording),
        _rule("wide", "JX902", "words", Category.SUSPICIOUS, fix=_widening),
    )
}

_FLAGS = {
    "FLAG_BRANCH": [("traced-branch", Confidence.CERTAIN)],
    "FLAG_REUSE": [("key-reuse", Confidence.LIKELY)],
    "FLAG_MAYBE": [("key-reuse", Confidence.POSSIBLE)],
    "FLAG_BOTH": [("traced-branch", Confidence.CERTAIN), ("tracer-formatting", Confidence.CERTAIN)],
    "FLAG_PEDANTIC": [("legacy-prng-key", Confidence.CERTAIN)],
    "FLAG_PREVIEW": [("early", Confidence.CERTAIN)],
    "WIDE": [("wide", Confidence.CERTAIN)],
    **{word: [("word", Confidence.CERTAIN)] for word in _FIXES},
}


def analyse(
    project: Project, rules: Sequence[Rule], options: AnalysisOptions, kept: KeptGroups | None = None
) -> Analysis:
    """Find the flags; `import NAME` of a project's module adds what it holds as a note. Nothing is kept."""
    wanted = {rule.slug for rule in rules}
    analysis = Analysis()
    for path, source in project.files.items():
        for name in _names(source.module):
            if name.id == "FLAG_CRASH":
                analysis.failures.append((path, "the test asked for it"))
            for slug, confidence in _FLAGS.get(name.id, ()):
                if slug in wanted:
                    place = Place(path, name.at)
                    notes = (FindingNote("the evidence", place), FindingNote(f"target {options.target_jax}", None))
                    requests = (FixRequest(name.at),) if slug in ("word", "wide") else ()
                    analysis.findings.append(
                        Finding(slug, place, f"`{name.id}` is here", notes, confidence, "<module>", requests)
                    )
        for statement in source.module.body:
            if isinstance(statement, ir.Import):
                for module in statement.modules:
                    found = project.find_module(module)
                    if found is not None:
                        analysis.statistics.unknown_callees[f"{module} has {len(found.module.body)} statements"] += 1
        analysis.statistics.decided["static"] += 3
        analysis.statistics.decided["unknown"] += 1
    return analysis


def _names(node: object) -> Iterator[ir.Name]:
    if isinstance(node, ir.Name):
        yield node
    elif isinstance(node, tuple):
        for child in node:
            yield from _names(child)
