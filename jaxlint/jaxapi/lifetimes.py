"""What becomes of names in the releases that a project is for: removed, deprecated, or not there yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from jaxlint.jaxapi.cells import names
from jaxlint.jaxapi.libraries import libraries
from jaxlint.jaxapi.tables import Cells, Table, read_lines
from jaxlint.jaxapi.versions import NEWEST_KNOWN, Version, parse_version


class Release(NamedTuple):
    """The releases of a library that a project allows, by the library's import name; None where nothing bounds them."""

    library: str
    oldest: str | None
    newest: str | None


class MigrationRow(NamedTuple):
    """A name that a library deprecated or removed: in which release, and what stands for it, the best first.

    `same`: the new name means the same ("yes"), in most code ("likely"), or has to be written otherwise ("no").
    A parameter is a row as well: `jax.numpy.clip(a_min)`; its replacement is the new parameter.
    """

    name: str
    deprecated: str
    removed: str
    replacements: tuple[str, ...]
    same: str


class AdditionRow(NamedTuple):
    """A name that was added: the newest tested release without it, and the oldest one with it."""

    name: str
    absent: str
    present: str


class Replacement(NamedTuple):
    """What to write instead; safe where it means the same in all releases that the project is for."""

    name: str
    same: str
    missing_until: str

    @property
    def is_safe(self) -> bool:
        """Whether nobody has to read the result."""
        return self.same == "yes" and not self.missing_until


#: The oldest release that is thought of where a project does not say: the oldest one that tables are tested on.
_OLDEST: Final = (0, 4, 30)
#: JAX's own packages share their version.
_OF_JAX: Final = "jax"


class Lifetimes:
    """The tables of added and removed names, as of the releases that a project is for."""

    def __init__(self, target: Version, releases: Iterable[Release]) -> None:
        self._target = target
        self._releases = {release.library: release for release in releases}

    def of_script(self, releases: Iterable[Release]) -> Lifetimes:
        """The same for a script that asks for these releases itself."""
        own = {release.library: release for release in releases}
        newest = own[_OF_JAX].newest if _OF_JAX in own else None
        return Lifetimes(parse_version(newest) if newest else self._target, {**self._releases, **own}.values())

    def removed(self, name: str) -> MigrationRow | None:
        """The row of a name that the newest release the project is for does not have."""
        row = self._migrations.get(name)
        return row if row is not None and self._has_come(row, row.removed) else None

    def removed_with_module(self, name: str) -> MigrationRow | None:
        """The same for an imported name, which may be gone with a module around it."""
        return next(filter(None, map(self.removed, _with_modules(name))), None)

    def moves_with_module(self, name: str) -> bool:
        """Whether a module around a name has another name now, so that whoever takes that finds the rest in it."""
        around = _with_modules(name.partition("(")[0].rpartition(".")[0])
        return any(row.same != "no" and row.replacements for row in filter(None, map(self.removed, around)))

    def deprecated(self, name: str) -> MigrationRow | None:
        """The row of a name that the newest release the project is for still has, and means to remove."""
        row = self._migrations.get(name)
        if row is None or self._has_come(row, row.removed):
            return None
        return row if self._has_come(row, row.deprecated) else None

    def deprecated_with_module(self, name: str) -> MigrationRow | None:
        """The same for an imported name."""
        return next(filter(None, map(self.deprecated, _with_modules(name))), None)

    def unavailable(self, name: str) -> AdditionRow | None:
        """The row of a name that the oldest release the project declares does not have."""
        row = self._additions.get(name)
        release = self._releases.get(_library(name))
        if row is None or release is None or release.oldest is None or self._migrations.get(name) is not None:
            return None
        return row if parse_version(release.oldest) <= parse_version(row.absent) else None

    def unavailable_itself(self, name: str) -> AdditionRow | None:
        """The same for a name that is read: where a module around it is missing, reading that is what fails."""
        around = name.partition("(")[0].rpartition(".")[0]
        return None if self.unavailable_with_module(around) is not None else self.unavailable(name)

    def unavailable_with_module(self, name: str) -> AdditionRow | None:
        """The same for an imported name: a module around it may be what is missing."""
        return next(filter(None, map(self.unavailable, reversed([*_with_modules(name)]))), None)

    def public_name(self, name: str) -> str:
        """The public name of something private; empty where there is none."""
        return self._public.get(name, "")

    def oldest(self, name: str) -> str:
        """The oldest release of a name's library that the project declares; empty where it declares none."""
        release = self._releases.get(_library(name))
        return "" if release is None else release.oldest or ""

    def replacement(self, row: MigrationRow) -> Replacement | None:
        """What stands for a name in all releases that the project is for, or in the newest one at least."""
        known = [Replacement(name, row.same, self.missing_until(name)) for name in row.replacements]
        there = [each for each in known if self.removed_with_module(each.name) is None]
        return next((each for each in there if not each.missing_until), next(iter(there), None))

    def is_told(self, name: str) -> bool:
        """Whether there is something to say of a name itself in the releases that the project is for."""
        is_private = name.rpartition(".")[2].startswith("_") and not name.endswith("__")
        return is_private or any(find(name) is not None for find in (self.removed, self.deprecated, self.unavailable))

    def concerns(self, name: str) -> bool:
        """The same of an imported name, or of a module around it."""
        return any(map(self.is_told, _with_modules(name)))

    def missing_until(self, name: str) -> str:
        """The release that brings a name which older releases do not have that the project is for; empty if all do."""
        row = self._additions.get(name)
        release = self._releases.get(_library(name))
        oldest = _OLDEST if release is None or release.oldest is None else parse_version(release.oldest)
        return row.present if row is not None and oldest <= parse_version(row.absent) else ""

    def _has_come(self, row: MigrationRow, version: str) -> bool:
        if not version:
            return False
        library = _library(row.name)
        if library == _OF_JAX:
            return parse_version(version) <= self._target
        release = self._releases.get(library)
        return release is None or release.newest is None or parse_version(version) <= parse_version(release.newest)

    @cached_property
    def _migrations(self) -> Table[MigrationRow]:
        return Table("migration", _migration, self._target)

    @cached_property
    def _additions(self) -> Table[AdditionRow]:
        return Table("additions", _addition, self._target)

    @cached_property
    def _public(self) -> dict[str, str]:
        return dict(line.split("\t", 1) for line in read_lines("public_names")[1:])


def migrations() -> list[MigrationRow]:
    """All rows of the table of deprecated and removed names."""
    table = Table("migration", _migration, NEWEST_KNOWN)
    return [row for name in table.names() if (row := table.get(name)) is not None]


def _with_modules(name: str) -> Iterator[str]:
    """A name, and the modules around it, innermost first; the library itself is none."""
    while "." in name:
        yield name
        name = name.rpartition(".")[0]


def _library(name: str) -> str:
    """The library whose releases a name came and went with."""
    root = name.partition(".")[0]
    row = libraries().get(root)
    return _OF_JAX if row is not None and row.kind == "core" else root


def _migration(cells: Cells) -> MigrationRow:
    return MigrationRow(
        cells["name"], cells["deprecated"], cells["removed"], names(cells["replacement"]), cells["same"]
    )


def _addition(cells: Cells) -> AdditionRow:
    return AdditionRow(cells["name"], cells["absent"], cells["present"])
