"""The releases of JAX and its libraries that a project says it needs, from the dependencies in its pyproject.toml."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jaxlint.config.errors import ConfigError
from jaxlint.config.toml_document import read_document

if TYPE_CHECKING:
    from jaxlint.jaxapi.versions import Version

_REQUIREMENT: Final = re.compile(r"\s*(?P<name>[\w.-]+)\s*(?:\[[^\]]*\])?\s*\(?(?P<clauses>[^;)@]*)")
_CLAUSE: Final = re.compile(r"\s*(===?|~=|!=|<=?|>=?|\^|~)?\s*v?(\d[\w.*+!-]*)\s*\Z")
#: Greater than the number of any release: `<0.5` is met by 0.4.999999.
_LAST: Final = 999_999


class Bounds(NamedTuple):
    """The oldest and the newest release of a library that a project allows; None where it sets no bound."""

    library: str
    oldest: str | None
    newest: str | None


#: Distributions, and the libraries that they bring.
_LIBRARIES: Final = {
    "jax": "jax", "jaxlib": "jax", "flax": "flax", "optax": "optax", "equinox": "equinox",
}  # fmt: skip


def declared_releases(root: str) -> tuple[Bounds, ...]:
    """What the project at `root` allows of the libraries that it depends on.

    Dependencies, extras and groups of the standard tables are read, and those of Poetry; what a group asks for bounds
    the newest release, and the oldest where the dependencies of the package itself do not. Requirements that cannot
    be read bound nothing.
    """
    path = os.path.join(root, "pyproject.toml")
    if not os.path.isfile(path):
        return ()
    try:
        values = read_document(path).values
    except ConfigError:  # told where its settings are read
        return ()
    own = [_read(text) for text in _own_requirements(values)]
    others = [_read(text) for text in _requirements(values)]
    found = (_bounds(library, own, others) for library in dict.fromkeys(_LIBRARIES.values()))
    return tuple(bounds for bounds in found if bounds.oldest or bounds.newest)


def declared_jax(root: str) -> str | None:
    """The newest JAX that the project at `root` allows; None where it sets no upper bound (`jax>=0.4.30`)."""
    return next((bounds.newest for bounds in declared_releases(root) if bounds.library == "jax"), None)


class _Requirement(NamedTuple):
    library: str
    lower: tuple[Version, ...]
    upper: tuple[Version, ...]


def _read(text: str) -> _Requirement:
    match = _REQUIREMENT.match(text)
    library = "" if match is None else _LIBRARIES.get(match["name"].lower(), "")
    clauses = [] if match is None or not library else [_CLAUSE.match(clause) for clause in match["clauses"].split(",")]
    # A bare version is Poetry's caret: elsewhere it is no requirement.
    known = [(clause[1] or "^", clause[2]) for clause in clauses if clause is not None]
    upper = tuple(bound for operator, version in known for bound in _upper_bound(operator, version))
    return _Requirement(library, tuple(bound for each in known for bound in _lower_bound(*each)), upper)


def _bounds(library: str, own: list[_Requirement], others: list[_Requirement]) -> Bounds:
    upper = [bound for each in (*own, *others) if each.library == library for bound in each.upper]
    lower = [bound for each in own if each.library == library for bound in each.lower]
    wider = [bound for each in others if each.library == library for bound in each.lower]
    oldest = max(lower) if lower else min(wider, default=None)
    return Bounds(library, _text(oldest), _text(min(upper, default=None)))


def _text(version: Version | None) -> str | None:
    return None if version is None else ".".join(map(str, version))


def _own_requirements(values: Mapping[str, Any]) -> Iterator[str]:
    """What the package itself needs."""
    yield from _texts(_table(values, "project").get("dependencies"))
    yield from _of_poetry(_table(_table(values, "tool"), "poetry"))


def _requirements(values: Mapping[str, Any]) -> Iterator[str]:
    """What its extras and groups need."""
    project, tool = _table(values, "project"), _table(values, "tool")
    for table in (_table(project, "optional-dependencies"), _table(values, "dependency-groups")):
        for requirements in table.values():
            yield from _texts(requirements)
    for table in _tables(_table(tool, "poetry"), "group"):
        yield from _of_poetry(table)


def _of_poetry(table: Mapping[str, Any]) -> Iterator[str]:
    for name, version in _table(table, "dependencies").items():
        wanted = version.get("version") if isinstance(version, dict) else version
        if isinstance(wanted, str):
            yield f"{name} {wanted}"


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _tables(values: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
    yield from (table for table in _table(values, key).values() if isinstance(table, dict))


def _texts(values: object) -> Iterator[str]:
    yield from (text for text in values if isinstance(text, str)) if isinstance(values, list) else ()


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
