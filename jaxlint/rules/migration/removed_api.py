"""removed-api: the JAX that the project is for no longer has a name, or no longer takes an argument."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.libraries import LibraryImport, LibraryUse
from jaxlint.diagnostics import Category
from jaxlint.rules.migration._fix_names import rename
from jaxlint.rules.migration._names import instead, joined, release, rows_of, shown, words
from jaxlint.rules.rule import rule


@rule("removed-api", code="JX901", category=Category.MIGRATION, on=(LibraryUse, LibraryImport), fix=rename)
def removed_api(use: LibraryUse) -> Iterator[Finding]:
    """A name or argument no longer exists in the target release of JAX or a library."""
    rows = rows_of(use, removed=True)
    if rows:
        lifetimes = use.lifetimes
        sentences = (
            f"{shown(row.name)} was removed in {release(row.name, row.removed)}{instead(lifetimes, row)}"
            for _, row in rows
        )
        yield use.diagnostic(joined(sentences), fix=use.fix_request(words=tuple(words(rows, lifetimes))))
