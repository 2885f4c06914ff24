"""Groups of leaves: each comes to what it comes to alone, in whatever order."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from jaxlint.analysis import analyse, explain_place
from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Project
from jaxlint.analysis.machine.project_questions import Question
from jaxlint.analysis.project.leaf_groups import Group, GroupOutcome
from jaxlint.engine.plain_groups import plain_group, read_group
from jaxlint.rules.rule import registry
from jaxlint.syntax.source import SourceFile, read
from tests.leafy_project import LEAVES, LIBRARY


class Kept:
    """Keeps what groups come to; those `known` are found again."""

    def __init__(self, known: dict[Group, GroupOutcome]) -> None:
        self.known = known
        self.new: dict[Group, GroupOutcome] = {}

    def find(self, group: Group, answer: Callable[[Question], bool]) -> GroupOutcome | None:
        found = self.known.get(group)
        assert found is None or all(answer(question) is before for question, before in found.answers.items())
        return found

    def keep(self, group: Group, outcome: GroupOutcome) -> None:
        self.new[group] = outcome


def _name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _sources() -> dict[str, SourceFile]:
    sources = {}
    for path, text in sorted({**LIBRARY, **LEAVES}.items()):
        if path.endswith(".py"):
            source = read(path, text.encode(), _name(path), path.endswith("__init__.py"))
            if isinstance(source, SourceFile):
                sources[path] = source
    return sources


SOURCES = _sources()
FILES = tuple(path for path in SOURCES if path in LEAVES)


def run(groups: Sequence[Group], known: dict[Group, GroupOutcome]) -> tuple[Analysis, dict[Group, GroupOutcome]]:
    kept = Kept(known)
    by_name = {source.name: source for source in SOURCES.values()}
    project = Project(SOURCES, by_name.get, tuple(groups))
    return analyse(project, list(registry().values()), AnalysisOptions(), kept), kept.new


def cut(size: int) -> list[Group]:
    return [FILES[start : start + size] for start in range(0, len(FILES), size)]


@pytest.mark.parametrize("size", [1, 3])
def test_each_group_comes_to_the_same_alone_and_in_any_order(size: int) -> None:
    groups = cut(size)
    whole, outcomes = run(groups, {})
    assert len(outcomes) == len(groups) > 3
    assert not whole.failures
    assert len({finding.rule for finding in whole.findings}) > 8
    shuffled = random.Random(size).sample(groups, len(groups))
    for order in (groups[::-1], shuffled):
        _, others = run(order, {})
        for group in groups:
            assert plain_group(others[group]) == plain_group(outcomes[group]), group
    for group in groups:
        rest = {each: outcome for each, outcome in outcomes.items() if each != group}
        again, alone = run(groups, rest)
        assert plain_group(alone[group]) == plain_group(outcomes[group])
        assert alone[group].modules == outcomes[group].modules
        assert again == whole


def test_an_outcome_survives_as_plain_data() -> None:
    groups = cut(3)
    whole, outcomes = run(groups, {})
    read_again = {group: read_group(plain_group(each), each.modules) for group, each in outcomes.items()}
    for group, outcome in outcomes.items():
        mine, theirs = outcome.found, read_again[group].found
        assert (mine.best, mine.unfixable, mine.working) == (theirs.best, theirs.unfixable, theirs.working)
        for name in ("statistics", "failures", "limited", "compiled", "run_eagerly", "answers", "modules"):
            assert getattr(outcome, name) == getattr(read_again[group], name), name
    assert run(groups, read_again) == (whole, {})
    fields = [finding for outcome in outcomes.values() for finding in outcome.found.best.values()]
    assert any(finding.requests for finding in fields)
    assert any(finding.cause for finding in fields)
    assert any(outcome.compiled for outcome in outcomes.values())


def test_leaves_know_nothing_of_each_other() -> None:
    def found(groups: Sequence[Group]) -> set[str]:
        return {each.rule for each in run(groups, {})[0].findings if each.place.path == "tests/test_used.py"}

    assert "unregistered-class-argument" in found(cut(1))  # another leaf registers the class
    assert "unregistered-class-argument" not in found([FILES])


@pytest.mark.parametrize(
    ("path", "text"), [("lib/draws.py", "return jax.random.normal"), ("tests/test_keys.py", "b =")]
)
def test_why_tells_of_all_groups(path: str, text: str) -> None:
    line = next(number for number, each in enumerate(SOURCES[path].text.splitlines(), 1) if text in each)
    by_name = {source.name: source for source in SOURCES.values()}
    project = Project(SOURCES, by_name.get, tuple(cut(1)))
    said = [note.message for note in explain_place(project, path, line, None, AnalysisOptions()).notes]
    assert any("key" in each for each in said)
    if path == "lib/draws.py":
        assert any("called at line" in each for each in said)
