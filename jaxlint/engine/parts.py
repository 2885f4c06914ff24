"""The parts of a project that imports connect: what is found in one rests on nothing in another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from jaxlint.engine.part_outcome import PartOutcome

#: Paths, in order.
Part: TypeAlias = "tuple[str, ...]"


def connected(imports: Mapping[str, Iterable[str]], find: Callable[[str], str | None]) -> list[Part]:
    """The parts of files whose imports are given by path; `find` gives the path of a module."""
    above = {path: path for path in imports}
    for path, names in imports.items():
        for name in with_packages(names):
            other = find(name)
            if other in above:
                above[_top(above, other)] = _top(above, path)
    parts: dict[str, list[str]] = {}
    for path in sorted(imports):
        parts.setdefault(_top(above, path), []).append(path)
    return [tuple(paths) for paths in parts.values()]


def with_packages(names: Iterable[str]) -> set[str]:
    """The names and those of the packages around them, which importing them imports too."""
    found = set(names)
    for name in names:
        while (name := name.rpartition(".")[0]) and name not in found:
            found.add(name)
    return found


def _top(above: dict[str, str], path: str) -> str:
    """The file that stands for the part that a file is in."""
    while above[path] != path:
        above[path] = path = above[above[path]]
    return path


def settled(parts: Sequence[Part], check: Callable[[Part], PartOutcome]) -> dict[Part, PartOutcome]:
    """The outcome of each part; where the check of one met files of others after all, they are checked as one."""
    done: dict[Part, PartOutcome] = {}
    waiting = list(parts)
    while waiting:
        part = waiting.pop(0)
        outcome = check(part)
        met = set(outcome.asked.values())
        others = [each for each in (*waiting, *done) if not met.isdisjoint(each)]
        if not others:
            done[part] = outcome
            continue
        waiting = [tuple(sorted(chain(part, *others))), *(each for each in waiting if each not in others)]
        done = {each: found for each, found in done.items() if each not in others}
    return {part: done[part] for part in sorted(done)}
