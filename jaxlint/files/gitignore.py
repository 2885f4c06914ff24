"""Patterns in the syntax of .gitignore: names by look-up, globs by one expression, the rest rule by rule.

The expressions never backtrack over a `*`, so that no pattern of a checked project can make a run hang.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple

from jaxlint.text import unicode_path

_SPECIAL: Final = re.compile(r"[*?\[\\]")
_CLASSES: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9",
    "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r"\s", "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}  # fmt: skip
_NOTHING: Final = "(?!)"
_ANYTHING: Final = re.compile("")


class _Rule(NamedTuple):
    """One pattern. `parts` are the expressions of the names on a path; None stands for any number of folders."""

    parts: tuple[re.Pattern[str] | None, ...]
    is_negated: bool
    is_for_folders: bool


class Matcher:
    """Whether paths below `base` match a list of patterns, the last that matches deciding.

    `unreadable` are the patterns that mean nothing; they match nothing, as in git.
    """

    def __init__(self, base: str, patterns: Iterable[str]) -> None:
        self.base = unicode_path(os.path.join(base, ""))
        self.unreadable: list[str] = []
        self._names: set[str] = set()
        self._folders: set[str] = set()
        self._paths: set[str] = set()
        self._globs: list[str] = []
        self._rules: list[_Rule] = []
        lines = [line for line in map(_stripped, patterns) if line and not line.startswith("#")]
        is_ordered = any(line.startswith("!") for line in lines)
        groups = count()
        for line in lines:
            if is_ordered or not self._is_simple(line, groups):
                self._add_rule(line)
        self._glob = re.compile("|".join(self._globs)) if self._globs else None

    def _is_simple(self, line: str, groups: Iterator[int]) -> bool:
        """Put a pattern where it is matched fast; the answer is whether there is such a place."""
        plain = line.removesuffix("/")
        is_for_folders = plain != line
        if _SPECIAL.search(plain):
            expression = None if is_for_folders or "/" in plain else _expression(plain, groups)
            self._globs += [expression] if expression else []
            return expression is not None
        if "/" in plain:
            self._paths.add(line.removeprefix("/"))
        else:
            (self._folders if is_for_folders else self._names).add(plain)
        return True

    def _add_rule(self, line: str) -> None:
        rule = _rule(line)
        if rule is None:
            self.unreadable.append(line)
        else:
            self._rules.append(rule)

    def match(self, path: str, *, is_folder: bool) -> bool | None:
        """True: a pattern matches; False: the last that matches is a negation; None: none matches."""
        path = unicode_path(path)
        if not path.startswith(self.base):
            return None
        name = os.path.basename(path)
        if name in self._names or (is_folder and name in self._folders) or (self._glob and self._glob.match(name)):
            return True
        if not self._paths and not self._rules:
            return None
        relative = path[len(self.base) :].replace(os.sep, "/")
        if relative in self._paths or (is_folder and f"{relative}/" in self._paths):
            return True
        names = relative.split("/")
        for rule in reversed(self._rules):
            if (is_folder or not rule.is_for_folders) and _is_match(rule.parts, names):
                return not rule.is_negated
        return None

    def match_with_parents(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether the path or a folder above it, up to `base`, matches."""
        while len(unicode_path(path)) >= len(self.base):
            if self.match(path, is_folder=is_folder):
                return True
            path, is_folder = os.path.dirname(path), True
        return False


def _stripped(line: str) -> str:
    """A line without the spaces at its end, but for one that a backslash quotes."""
    bare = line.rstrip(" \t")
    is_quoted = bare != line and (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return f"{bare} " if is_quoted else bare


def _rule(line: str) -> _Rule | None:
    """The rule that a line is; None for one that means nothing."""
    pattern = line.removeprefix("!")
    plain = pattern.removesuffix("/")
    is_anchored = "/" in plain
    names = plain.removeprefix("/").split("/")
    groups = count()
    parts: list[re.Pattern[str] | None] = [] if is_anchored else [None]
    for name in names:
        if is_anchored and name == "**":
            parts.append(None)
            continue
        expression = _expression(name, groups)
        if expression is None or not name:
            return None
        parts.append(re.compile(expression))
    if parts[-1] is None:  # `a/**` is what stands below `a`, not `a` itself
        parts.append(_ANYTHING)
    return _Rule(tuple(parts), pattern != line, plain != pattern)


def _is_match(parts: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Whether the parts match all names of a path; a later `None` makes going back before an earlier one needless."""
    part = name = 0
    back: tuple[int, int] | None = None
    while name < len(names):
        expression = parts[part] if part < len(parts) else _ANYTHING
        if expression is None:
            back = (part + 1, name)
            part += 1
        elif part < len(parts) and expression.match(names[name]):
            part, name = part + 1, name + 1
        elif back is not None:
            back = (back[0], back[1] + 1)
            part, name = back
        else:
            return False
    return part == len(parts)


def _expression(glob: str, groups: Iterator[int]) -> str | None:
    """The regular expression for a glob of one name; None where it means nothing. `groups` number the groups."""
    pieces = [""]
    at = 0
    while at < len(glob):
        character = glob[at]
        at += 1
        if character == "*":
            pieces.append("")
        elif character == "?":
            pieces[-1] += "."
        elif character == "[":
            bracket = _bracket(glob, at)
            if bracket is None:
                return None
            expression, at = bracket
            pieces[-1] += expression
        elif character == "\\":
            if at == len(glob):
                return None
            pieces[-1] += re.escape(glob[at])
            at += 1
        else:
            pieces[-1] += re.escape(character)
    return _without_backtracking(pieces, groups)


def _without_backtracking(pieces: Sequence[str], groups: Iterator[int]) -> str:
    """The expression for pieces with a `*` between each two: the first place where a piece fits is as good as any."""
    first, *middle = pieces
    if not middle:
        return rf"(?s:{first})\Z"
    last = middle.pop()
    numbered = [(f"g{next(groups)}", piece) for piece in middle if piece]
    between = "".join(f"(?=(?P<{name}>.*?{piece}))(?P={name})" for name, piece in numbered)
    return rf"(?s:{first}{between}.*{last})\Z"


def _bracket(glob: str, at: int) -> tuple[str, int] | None:
    """The expression for the characters between brackets, and where it ends; None where nothing closes them."""
    is_negated = glob[at : at + 1] in ("!", "^")
    at += is_negated
    start = at
    items: list[str] = []
    while at == start or glob[at : at + 1] != "]":
        if glob.startswith("[:", at):
            name, colon, _ = glob[at + 2 :].partition(":]")
            if not colon or name not in _CLASSES:
                return None
            items.append(_CLASSES[name])
            at += len(name) + 4
            continue
        low, at = _character(glob, at)
        high = low
        if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] not in ("", "]"):
            high, at = _character(glob, at + 1)
        if not low or not high:
            return None
        if low <= high:
            items.append(f"{re.escape(low)}-{re.escape(high)}")
    if not items:
        return ("." if is_negated else _NOTHING), at + 1
    return f"[{'^' * is_negated}{''.join(items)}]", at + 1


def _character(glob: str, at: int) -> tuple[str, int]:
    """The character that stands at a place, quoted or not, and the place after it; empty at the end."""
    at += glob[at : at + 1] == "\\"
    return glob[at : at + 1], at + 1


@lru_cache(maxsize=256)
def matcher(base: str, patterns: tuple[str, ...]) -> Matcher:
    """The Matcher of these patterns, made once."""
    return Matcher(base, patterns)
