"""The releases of JAX and its libraries that a project says it needs, from the files that declare its dependencies."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from jaxlint.config.requirement_files import requirement_files
from jaxlint.config.roots import repository_root

if TYPE_CHECKING:
    from jaxlint.jaxapi.versions import Version

_REQUIREMENT: Final = re.compile(r"\s*(?P<name>[\w.-]+)\s*(?:\[[^\]]*\])?\s*\(?(?P<clauses>[^;)@]*)")
_CLAUSE: Final = re.compile(r"\s*(===?|~=|!=|<=?|>=?|\^|~)?\s*v?(\d[\w.*+!-]*)\s*\Z")
#: Greater than the number of any release: `<0.5` is met by 0.4.999999.
_LAST: Final = 999_999
#: From here on jaxlib has JAX's version numbers.
_FIRST_SHARED: Final = (0, 3)


class Bounds(NamedTuple):
    """The oldest and the newest release of a library that a project allows; None where it sets no bound."""

    library: str
    oldest: str | None
    newest: str | None


#: Distributions, and the libraries that they bring.
#: A lower bound on JAX below this one is taken for one that nobody raised.
_OLDEST_TOLD: Final = (0, 4)
_LIBRARIES: Final = {
    "jax": "jax", "jaxlib": "jax", "flax": "flax", "optax": "optax", "equinox": "equinox",
}  # fmt: skip


def declared_releases(root: str) -> tuple[Bounds, ...]:
    """What the project at `root` allows of the libraries that it depends on.

    Of a library the nearest folder speaks that names it, from the root of the project up to that of its repository. In
    a folder the package's own metadata counts first, then what tools are told to install, then what they locked: each
    bounds what those before it leave open. Files of one kind are alternatives, and the widest of them counts. What an
    extra or a group asks for bounds the newest release, and the oldest where the package itself does not. Requirements
    that cannot be read bound nothing.
    """
    folders = [_sources(folder) for folder in _folders(root)]
    found = (_nearest(library, folders) for library in dict.fromkeys(_LIBRARIES.values()))
    return tuple(bounds for bounds in found if bounds.oldest or bounds.newest)


def declared_jax(root: str) -> str | None:
    """The newest JAX that the project at `root` allows; None where it sets no upper bound (`jax>=0.4.30`)."""
    return next((bounds.newest for bounds in declared_releases(root) if bounds.library == "jax"), None)


class _Requirement(NamedTuple):
    library: str
    distribution: str
    lower: tuple[Version, ...]
    upper: tuple[Version, ...]


def _read(text: str) -> _Requirement:
    match = _REQUIREMENT.match(text)
    distribution = "" if match is None else match["name"].lower()
    library = _LIBRARIES.get(distribution, "")
    clauses = [] if match is None or not library else [_CLAUSE.match(clause) for clause in match["clauses"].split(",")]
    # A bare version is Poetry's caret: elsewhere it is no requirement.
    known = [(clause[1] or "^", clause[2]) for clause in clauses if clause is not None]
    upper = tuple(bound for operator, version in known for bound in _upper_bound(operator, version))
    lower = tuple(bound for each in known for bound in _lower_bound(*each))
    return _Requirement(library, distribution, lower, upper)


class _Range(NamedTuple):
    oldest: Version | None
    newest: Version | None


#: The files of one folder by kind, each with the requirements of the package itself, and of its extras and groups.
_Sources: TypeAlias = "list[list[tuple[list[_Requirement], list[_Requirement]]]]"


def _folders(root: str) -> Iterator[str]:
    """The folder of a project, and those around it in the same repository."""
    yield root
    top = repository_root(root)
    while top is not None and root != top:
        root = os.path.dirname(root)
        yield root


def _sources(folder: str) -> _Sources:
    return [
        [([_read(text) for text in file.own], [_read(text) for text in file.others]) for file in files]
        for files in requirement_files(folder)
    ]


def _nearest(library: str, folders: list[_Sources]) -> Bounds:
    for sources in folders:
        found = _in_folder(library, sources)
        if found.oldest is not None or found.newest is not None:
            is_told = library != "jax" or found.oldest is None or found.oldest >= _OLDEST_TOLD
            return Bounds(library, _text(found.oldest) if is_told else None, _text(found.newest))
    return Bounds(library, None, None)


def _in_folder(library: str, sources: _Sources) -> _Range:
    """What the files of a folder allow; what a weaker kind says against a stronger one is out of date."""
    oldest: Version | None = None
    newest: Version | None = None
    for files in sources:
        found = _widest([each for file in files if (each := _in_file(library, *file)) is not None])
        if newest is None and found.newest is not None and not (oldest is not None and found.newest < oldest):
            newest = found.newest
        if oldest is None and found.oldest is not None and not (newest is not None and found.oldest > newest):
            oldest = found.oldest
    return _Range(oldest, newest)


def _widest(ranges: list[_Range]) -> _Range:
    lower = [each.oldest for each in ranges if each.oldest is not None]
    upper = [each.newest for each in ranges if each.newest is not None]
    # Where one file sets no bound, whoever follows that one gets any release.
    is_bounded = len(upper) == len(ranges)
    return _Range(min(lower, default=None), max(upper, default=None) if is_bounded else None)


def _in_file(library: str, own: list[_Requirement], others: list[_Requirement]) -> _Range | None:
    """What one file allows of a library; None where it does not name it."""
    own, others = _of(library, own), _of(library, others)
    if not own and not others:
        return None
    upper = [bound for each in (*own, *others) for bound in each.upper]
    lower = [bound for each in own for bound in each.lower]
    wider = [bound for each in others for bound in each.lower]
    return _Range(max(lower) if lower else min(wider, default=None), min(upper, default=None))


def _of(library: str, requirements: list[_Requirement]) -> list[_Requirement]:
    """The requirements of a library, without old ones of jaxlib where JAX is bounded: its numbers were others then."""
    mine = [each for each in requirements if each.library == library]
    if not any(each.distribution == library and (each.lower or each.upper) for each in mine):
        return mine
    return [each for each in mine if each.distribution == library or (*each.lower, *each.upper) >= (_FIRST_SHARED,)]


def _text(version: Version | None) -> str | None:
    return None if version is None else ".".join(map(str, version))


def _lower_bound(operator: str, text: str) -> Iterator[Version]:
    from jaxlint.jaxapi.versions import parse_version  # with it come the tables, which a cached result does without

    if operator in ("==", "===", ">=", "~=", "~", "^", ">"):
        yield parse_version(text)


def _upper_bound(operator: str, text: str) -> Iterator[Version]:
    from jaxlint.jaxapi.versions import parse_version  # with it come the tables, which a cached result does without

    version = parse_version(text)
    match operator:
        case "==" | "===":
            yield (*version, _LAST) if text.endswith("*") else version
        case "<=":
            yield version
        case "<":
            yield _before(version)
        case "~=":
            yield (*version[:-1], _LAST)
        case "~":
            yield (*version[:2], _LAST)
        case "^":
            kept = next((i for i, number in enumerate(version) if number), len(version) - 1)
            yield (*version[: kept + 1], _LAST)
        case _:
            return


def _before(version: Version) -> Version:
    """A release older than this one and newer than all others before it."""
    while len(version) > 1 and version[-1] == 0:
        version = version[:-1]
    return (*version[:-1], max(version[-1] - 1, 0), _LAST)
