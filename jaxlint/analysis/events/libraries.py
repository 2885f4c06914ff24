"""Names of libraries where code reads, imports or calls them: what a release may have taken away."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.events.event import Event
from jaxlint.jaxapi.lifetimes import Lifetimes


@dataclass(frozen=True, slots=True, eq=False)
class LibraryUse(Event):
    """Code that needs these names to exist, nowhere behind a test of the release that is installed.

    `names` are as written, resolved through imports: several in one import statement, `function(parameter)` for an
    argument by keyword. `lifetimes` knows them in the releases that the project is for.
    """

    names: tuple[str, ...]
    lifetimes: Lifetimes


@dataclass(frozen=True, slots=True, eq=False)
class LibraryImport(LibraryUse):
    """The same in an import statement; the names are what it binds, and the modules that it loads beside them."""
