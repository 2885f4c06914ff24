"""Files that imports connect are checked together, all others apart, with the same findings."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from jaxlint.analysis.domain.findings import AnalysisStatistics
from jaxlint.engine.part_outcome import PartOutcome
from jaxlint.engine.parts import Part, connected, settled
from jaxlint.engine.reporter import LeftOut

MODULES = {"a": "/a.py", "p": "/p/__init__.py", "p.q": "/p/q.py", "b": "/b.py", "c": "/c.py"}


def outcome(asked: dict[str, str | None]) -> PartOutcome:
    return PartOutcome([], 0, AnalysisStatistics(), [], LeftOut([], 0, 0), Counter(), asked)


def test_imports_connect_files_and_packages_around() -> None:
    imports = {"/a.py": ["jax"], "/p/__init__.py": [], "/p/q.py": [], "/b.py": ["p.q.name"], "/c.py": ["missing"]}
    assert connected(imports, MODULES.get) == [("/a.py",), ("/b.py", "/p/__init__.py", "/p/q.py"), ("/c.py",)]


def test_parts_are_those_of_any_graph() -> None:
    choice = random.Random(22)
    for _ in range(50):
        names = [f"m{number}" for number in range(12)]
        imports = {name: choice.sample(names, choice.randint(0, 2)) for name in names}
        found = {name: part for part in connected(imports, lambda name: name) for name in part}
        reached = {name: {name} for name in names}
        for _ in names:
            for name, targets in imports.items():
                whole = reached[name].union(*(reached[target] for target in targets))
                for each in whole:
                    reached[each] = reached[each] | whole
        for one, other in combinations(names, 2):
            assert (other in found[one]) == (other in reached[one])


def test_a_part_that_meets_files_of_another_is_checked_with_it() -> None:
    checked: list[Part] = []

    def check(part: Part) -> PartOutcome:
        checked.append(part)
        return outcome({"b": "/b.py"} if "/c.py" in part else {})

    parts: list[Part] = [("/a.py",), ("/b.py",), ("/c.py",)]
    assert len(settled(parts, check)) == 2
    assert checked == [("/a.py",), ("/b.py",), ("/c.py",), ("/b.py", "/c.py")]


def test_what_an_outcome_rests_on() -> None:
    assert outcome({"b": "/b.py", "c": None}).rests_on({"/b.py"}, ("/a.py",))
    assert outcome({}).rests_on({"/a.py"}, ("/a.py",))
    assert not outcome({"b": "/b.py"}).rests_on({"/c.py"}, ("/a.py",))
