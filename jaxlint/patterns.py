"""Patterns in the syntax of .gitignore, matched fast: bare names and suffixes by look-up, the rest by pathspec."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_BARE: Final = re.compile(r"[^*?\[\]\\/!#\s][^*?\[\]\\/\s]*")


class Matcher:
    """Whether paths below `base` match a list of patterns, the last that matches deciding.

    Lists with a negation go to pathspec whole, since there the order matters.
    """

    def __init__(self, base: str, patterns: Iterable[str]) -> None:
        self.base = os.path.join(base, "")
        lines = [line for line in patterns if line.strip() and not line.startswith("#")]
        self._names: set[str] = set()
        self._folders: set[str] = set()
        self._suffixes: tuple[str, ...] = ()
        self._rest = lines
        if not any(line.startswith("!") for line in lines):
            self._rest = [line for line in lines if not self._is_simple(line.rstrip())]
        self._spec: GitIgnoreSpec | None = None

    def _is_simple(self, line: str) -> bool:
        if line.startswith("*.") and _BARE.fullmatch(line[2:]):
            self._suffixes += (line[1:],)
        elif _BARE.fullmatch(line):
            self._names.add(line)
        elif line.endswith("/") and _BARE.fullmatch(line[:-1]):
            self._folders.add(line[:-1])
        else:
            return False
        return True

    def match(self, path: str, *, is_folder: bool) -> bool | None:
        """True: a pattern matches; False: the last that matches is a negation; None: none matches."""
        if not path.startswith(self.base):
            return None
        name = os.path.basename(path)
        if name in self._names or (is_folder and name in self._folders) or name.endswith(self._suffixes or ("\0",)):
            return True
        return self._match_rest(path[len(self.base) :], is_folder) if self._rest else None

    def match_with_parents(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether the path or a folder above it, up to `base`, matches."""
        while len(path) >= len(self.base):
            if self.match(path, is_folder=is_folder):
                return True
            path, is_folder = os.path.dirname(path), True
        return False

    def _match_rest(self, relative: str, is_folder: bool) -> bool | None:
        if self._spec is None:
            from pathspec import GitIgnoreSpec

            self._spec = GitIgnoreSpec.from_lines(self._rest)
        posix = relative.replace(os.sep, "/") if os.sep != "/" else relative
        return self._spec.check_file(f"{posix}/" if is_folder else posix).include


@lru_cache(maxsize=256)
def matcher(base: str, patterns: tuple[str, ...]) -> Matcher:
    """The Matcher of these patterns, made once."""
    return Matcher(base, patterns)
