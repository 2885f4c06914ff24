"""The one exception for wrong use: what a user did, where, and how to put it right."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.text import escape


class ConfigError(Exception):
    """A setting or argument that cannot be followed; the command line prints it and exits with 2.

    `others` are further ones that were found beside it; `selectors` are those of rules beside them, each with an error
    to be told at its place where it names none: which rules there are is not known here.
    """

    others: tuple[ConfigError, ...] = ()
    selectors: tuple[tuple[str, ConfigError], ...] = ()

    def __init__(
        self,
        message: str,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.key = key

    def __str__(self) -> str:
        """`path:line:column: key: what`, leaving out what is not known."""
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return ": ".join(escape(part) for part in (place, self.key, self.message) if part)

    @property
    def all(self) -> tuple[ConfigError, ...]:
        """The error itself and those beside it, in order."""
        return (self, *self.others)


def refuse(errors: Iterable[ConfigError]) -> None:
    """Raise the first of some errors with the others beside it; nothing where there is none."""
    every = list(dict.fromkeys(error for several in errors for error in several.all))
    if every:
        first, *others = every
        first.others = tuple(others)
        raise first


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` for the known word nearest to a wrong one, else nothing."""
    from difflib import get_close_matches

    by_folded = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), by_folded, n=1, cutoff=0.6)
    return f"; did you mean `{by_folded[near[0]]}`?" if near else ""
