"""Patterns in the syntax of .gitignore: names by look-up, globs by one expression, the rest by pathspec."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_BARE: Final = re.compile(r"[^*?\[\]\\/!#\s][^*?\[\]\\/\s]*")
_GLOB: Final = re.compile(r"(?:[^\[\]\\/!#\s*]|\*(?!\*)|\[[\w.-]+\])(?:[^\[\]\\/\s*]|\*(?!\*)|\[[\w.-]+\])*")
_ANCHORED: Final = re.compile(r"/?[^*?\[\]\\/!#\s][^*?\[\]\\/\s]*(?:/[^*?\[\]\\/!#\s][^*?\[\]\\/\s]*)*/?")


class Matcher:
    """Whether paths below `base` match a list of patterns, the last that matches deciding.

    Lists with a negation go to pathspec whole, since there the order matters.
    """

    def __init__(self, base: str, patterns: Iterable[str]) -> None:
        self.base = os.path.join(base, "")
        lines = [line for line in patterns if line.strip() and not line.startswith("#")]
        self._names: set[str] = set()
        self._folders: set[str] = set()
        self._paths: set[str] = set()
        globs: list[str] = []
        folder_globs: list[str] = []
        self._rest = lines
        if not any(line.startswith("!") for line in lines):
            self._rest = [line for line in lines if not self._is_simple(line.rstrip(), globs, folder_globs)]
        self._glob = _any_of(globs)
        self._folder_glob = _any_of(folder_globs)
        self._spec: GitIgnoreSpec | None = None

    def _is_simple(self, line: str, globs: list[str], folder_globs: list[str]) -> bool:
        """Put a pattern where it is matched fast; the answer is whether there is such a place."""
        plain = line[:-1] if line.endswith("/") else line
        is_for_folders = plain != line
        if _BARE.fullmatch(plain):
            (self._folders if is_for_folders else self._names).add(plain)
        elif _GLOB.fullmatch(plain):
            (folder_globs if is_for_folders else globs).append(plain)
        elif _ANCHORED.fullmatch(plain):
            self._paths.add(line.lstrip("/"))
        else:
            return False
        return True

    def match(self, path: str, *, is_folder: bool) -> bool | None:
        """True: a pattern matches; False: the last that matches is a negation; None: none matches."""
        if not path.startswith(self.base):
            return None
        name = os.path.basename(path)
        if name in self._names or (self._glob and self._glob.match(name)):
            return True
        if is_folder and (name in self._folders or (self._folder_glob and self._folder_glob.match(name))):
            return True
        if self._paths and self._matches_path(path[len(self.base) :].replace(os.sep, "/"), is_folder):
            return True
        return self._match_rest(path[len(self.base) :], is_folder) if self._rest else None

    def _matches_path(self, relative: str, is_folder: bool) -> bool:
        return relative in self._paths or (is_folder and f"{relative}/" in self._paths)

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


def _any_of(globs: list[str]) -> re.Pattern[str] | None:
    """One expression for patterns of a single name, which mean the same to fnmatch as to git."""
    return re.compile("|".join(translate(glob) for glob in globs)) if globs else None


@lru_cache(maxsize=256)
def matcher(base: str, patterns: tuple[str, ...]) -> Matcher:
    """The Matcher of these patterns, made once."""
    return Matcher(base, patterns)
