"""deprecated-api: the JAX that the project is for still has a name, and warns that it will not for long."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.libraries import LibraryImport, LibraryUse
from jaxlint.diagnostics import Category
from jaxlint.jaxapi.lifetimes import Lifetimes, MigrationRow
from jaxlint.rules.migration._fix_names import rename
from jaxlint.rules.migration._names import instead, joined, release, rows_of, shown, words
from jaxlint.rules.rule import rule


@rule("deprecated-api", code="JX902", category=Category.MIGRATION, on=(LibraryUse, LibraryImport), fix=rename)
def deprecated_api(use: LibraryUse) -> Iterator[Finding]:
    """A name or argument is deprecated in the target release of JAX or a library."""
    lifetimes = use.lifetimes
    rows = [(name, row) for name, row in rows_of(use, removed=False) if _can_act(lifetimes, row)]
    if rows:
        sentences = (
            f"{shown(row.name)} is deprecated since {release(row.name, row.deprecated)}{instead(lifetimes, row)}"
            for _, row in rows
        )
        known = tuple(words(rows, lifetimes))
        can_move = all(len(each.split()) > 1 for each in known)
        yield use.diagnostic(joined(sentences), fix=use.fix_request(words=known) if can_move else None)


def _can_act(lifetimes: Lifetimes, row: MigrationRow) -> bool:
    """Whether the oldest release that the project declares has what is to be used instead."""
    replacement = lifetimes.replacement(row)
    return replacement is None or not (replacement.missing_until and lifetimes.oldest(row.name))
