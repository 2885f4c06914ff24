"""unavailable-api: the oldest JAX that the project says it supports does not have a name yet."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.libraries import LibraryImport, LibraryUse
from jaxlint.diagnostics import Category
from jaxlint.jaxapi.lifetimes import Lifetimes
from jaxlint.rules.migration._names import joined, release, shown
from jaxlint.rules.rule import rule


@rule("unavailable-api", code="JX904", category=Category.MIGRATION, on=(LibraryUse, LibraryImport))
def unavailable_api(use: LibraryUse) -> Iterator[Finding]:
    """A name or argument does not exist in the oldest release that the project allows."""
    lifetimes = use.lifetimes
    find = Lifetimes.unavailable_with_module if isinstance(use, LibraryImport) else Lifetimes.unavailable_itself
    rows = {row.name: row for name in use.names if (row := find(lifetimes, name)) is not None}
    if rows:
        sentences = (
            f"{shown(name)} is not in {release(name, row.absent)}; the project allows"
            f" {release(name, lifetimes.oldest(name))}"
            for name, row in rows.items()
        )
        yield use.diagnostic(joined(sentences))
