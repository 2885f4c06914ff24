"""Recompilations that one remedy would save, put together: one reason, one argument, one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jaxlint.verify.model import FunctionCounts, Miss, Site
from jaxlint.verify.report.advice import advice


@dataclass(frozen=True, slots=True)
class Change:
    """What the argument was before the first of several recompilations, and the different values that it took then."""

    before: str
    now: Sequence[str]


@dataclass(frozen=True, slots=True)
class Group:
    """Recompilations of one function, at least one, in the order in which they were."""

    misses: Sequence[Miss]

    @property
    def reason(self) -> str:
        """Why they were needed."""
        return self.misses[0].difference.reason

    @property
    def argument(self) -> str | None:
        """The argument that was different, by its path."""
        return self.misses[0].difference.argument

    @property
    def call(self) -> Site | None:
        """The line that called the function."""
        return self.misses[0].call

    @property
    def seconds(self) -> float:
        """What they cost."""
        return sum(miss.seconds for miss in self.misses)

    @property
    def advice(self) -> str | None:
        """What would save them."""
        return advice(self.reason, self.misses[0].transform)

    @property
    def change(self) -> Change:
        """From what to what."""
        if self.reason == "new-function-object":
            return Change("", (f"compiled {len(self.misses) + 1} times; once would do",))
        before = self.misses[0].difference.before or ""
        now = dict.fromkeys(miss.difference.now or "" for miss in self.misses)
        return Change(before, tuple(value for value in now if value))


def groups_of(function: FunctionCounts) -> list[Group]:
    """The recompilations of a function in groups, the costliest first."""
    found: dict[tuple[object, ...], list[Miss]] = {}
    for miss in function.recompilations:
        difference, call = miss.difference, miss.call
        found.setdefault((difference.reason, difference.argument, call), []).append(miss)
    return sorted((Group(misses) for misses in found.values()), key=lambda group: -group.seconds)


@dataclass(frozen=True, slots=True)
class Remedy:
    """What would save some recompilations of a function, and what it is for: arguments, else reasons."""

    advice: str
    subjects: Sequence[str]


def remedies(groups: Sequence[Group]) -> list[Remedy]:
    """What would save the groups, in their order; those for which nothing is known are left out."""
    found: dict[str, list[Group]] = {}
    for group in groups:
        if group.advice is not None:
            found.setdefault(group.advice, []).append(group)
    arguments = [_distinct(group.argument or group.reason for group in helped) for helped in found.values()]
    named = [name for names in arguments for name in names]
    if len(set(named)) < len(named):  # two remedies for one argument: told apart by why
        arguments = [_distinct(group.reason for group in helped) for helped in found.values()]
    return [Remedy(advice, subjects) for advice, subjects in zip(found, arguments, strict=True)]


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
