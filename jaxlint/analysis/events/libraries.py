"""Events of library names that a release may lack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jaxlint.analysis.events.event import Event
from jaxlint.jaxapi.lifetimes import Lifetimes


@dataclass(frozen=True, slots=True, eq=False)
class LibraryUse(Event):
    """Code needs these library names to exist, and does not test the installed release first.

    `names` are as written, resolved through imports: several in one import statement, and `function(parameter)` for a
    keyword argument. `lifetimes` knows them in the releases that the project targets.
    """

    names: tuple[str, ...]
    lifetimes: Lifetimes

    may_be_shown: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, eq=False)
class LibraryImport(LibraryUse):
    """An import statement needs these names to exist: those that it binds, and the modules that it loads."""
