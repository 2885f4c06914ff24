"""How the family speaks of names and releases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from jaxlint.analysis.events.libraries import LibraryImport, LibraryUse
from jaxlint.jaxapi.lifetimes import Lifetimes, MigrationRow

#: How the libraries write themselves.
_TITLES: Final = {"jax": "JAX", "jaxlib": "JAX", "flax": "Flax", "optax": "Optax", "equinox": "Equinox"}


def release(name: str, version: str) -> str:
    """A release of the library that a name belongs to: `JAX 0.6.0`."""
    library = name.partition(".")[0]
    return f"{_TITLES.get(library, library)} {version}"


def shown(name: str) -> str:
    """A name as a message writes it; a parameter with its function."""
    function, _, parameter = name.rstrip(")").partition("(")
    if parameter == "*":
        return f"The form of `{function}` that takes the operands as well"
    if parameter.startswith("-"):
        return f"The call of `{function}` without `{parameter[1:]}`"
    if ", " in parameter:
        return f"The order `{parameter}` of the arguments of `{function}`"
    return f"The argument `{parameter}` of `{function}`" if parameter else f"`{name}`"


def instead(lifetimes: Lifetimes, row: MigrationRow) -> str:
    """What to use in the place of a name; empty where nothing is known."""
    replacement = lifetimes.replacement(row)
    return "" if replacement is None else f"; use `{replacement.name}`"


def rows_of(event: LibraryUse, *, removed: bool) -> list[tuple[str, MigrationRow]]:
    """The names of an event that are removed, or deprecated, each with its row; several with a module count once."""
    lifetimes = event.lifetimes
    find: Callable[[str], MigrationRow | None]
    if isinstance(event, LibraryImport):
        find = lifetimes.removed_with_module if removed else lifetimes.deprecated_with_module
        names = list(event.names)
    else:
        find = lifetimes.removed if removed else lifetimes.deprecated
        names = [name for name in event.names if not lifetimes.moves_with_module(name)]
    found = [(name, row) for name in names if (row := find(name)) is not None]
    return list({row.name: (name, row) for name, row in found}.values())


def joined(sentences: Iterable[str]) -> str:
    """Sentences of one message."""
    return ". ".join(sentences)


def words(rows: Iterable[tuple[str, MigrationRow]], lifetimes: Lifetimes) -> Iterator[str]:
    """What the fix must know of each name: itself, the new one, how alike they are, which release brings that."""
    for name, row in rows:
        replacement = lifetimes.replacement(row) if name == row.name else _below(name, row, lifetimes)
        if replacement is not None and replacement[1] != "no":
            yield " ".join((name, *replacement))
        else:
            yield name


def _below(name: str, row: MigrationRow, lifetimes: Lifetimes) -> tuple[str, str, str] | None:
    """The replacement of a name that goes with the module around it, where the module has one like it."""
    replacement = lifetimes.replacement(row)
    if replacement is None or replacement.same == "no":
        return None
    return (replacement.name + name.removeprefix(row.name), replacement.same, replacement.missing_until)
