"""Removed names in projects that do not say which JAX they are for: a line for all uses of one in a file, and a hint.

Such a project is often for an older JAX, which has the names: each use is one mistake at most, and no news after the
first. Reports for programs list them all, as fixes and baselines do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.result import Result
from jaxlint.text import plural

#: The rule that says so.
_RULE: Final = "removed-api"
#: From so many findings on, the target may be what is wrong.
_MANY: Final = 5


def folded(result: Result, is_undeclared: Callable[[str], bool]) -> Result:
    """The result with the first use alone of each removed name in files for which no JAX is declared."""
    uses = Counter(_use(each) for each in result.diagnostics if each.rule == _RULE and is_undeclared(each.path))
    if not any(count > 1 for count in uses.values()):
        return result
    told: set[tuple[str, str]] = set()
    kept: list[Diagnostic] = []
    for diagnostic in result.diagnostics:
        use = _use(diagnostic)
        if diagnostic.rule != _RULE or uses[use] < 2:
            kept.append(diagnostic)
        elif use not in told:
            told.add(use)
            more = plural(uses[use] - 1, "more use")
            kept.append(replace(diagnostic, message=f"{diagnostic.message} ({more} in this file)"))
    return replace(result, diagnostics=tuple(kept))


def _use(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.path, diagnostic.message


def target_hints(result: Result, is_undeclared: Callable[[str], bool]) -> Iterator[str]:
    """Where many names are gone from a JAX that nobody named: how to name another, or to move to it."""
    count = sum(each.rule == _RULE and is_undeclared(each.path) for each in result.diagnostics)
    if count >= _MANY:
        from jaxlint.jaxapi.versions import NEWEST_KNOWN

        newest = ".".join(map(str, NEWEST_KNOWN))
        yield (
            f"{count} of them are names that JAX removed by {newest}, the newest release, since no file says which one"
            f' this is for: set `target-jax = "0.4.30"`, say, or move to it with `jaxlint migrate --to {newest}`.'
        )
