"""The JAX that a project says it needs, read from the dependencies in its pyproject.toml."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from jaxlint.config.errors import ConfigError
from jaxlint.config.toml_document import read_document

if TYPE_CHECKING:
    from jaxlint.jaxapi.versions import Version

_REQUIREMENT: Final = re.compile(r"\s*(?P<name>[\w.-]+)\s*(?:\[[^\]]*\])?\s*\(?(?P<clauses>[^;)@]*)")
_CLAUSE: Final = re.compile(r"\s*(===?|~=|!=|<=?|>=?|\^|~)?\s*v?(\d[\w.*+!-]*)\s*\Z")
#: Greater than the number of any release: `<0.5` is met by 0.4.999999.
_LAST: Final = 999_999


def declared_jax(root: str) -> str | None:
    """The newest JAX that the project at `root` allows; None where it sets no upper bound, as `jax>=0.4.30` does not.

    Dependencies, extras and groups of the standard tables are read, and those of Poetry. Requirements that cannot be
    read bound nothing.
    """
    path = os.path.join(root, "pyproject.toml")
    if not os.path.isfile(path):
        return None
    try:
        values = read_document(path).values
    except ConfigError:  # told where its settings are read
        return None
    bounds = [bound for text in _requirements(values) for bound in _upper_bounds(text)]
    return ".".join(map(str, min(bounds))) if bounds else None


def _requirements(values: Mapping[str, Any]) -> Iterator[str]:
    project, tool = _table(values, "project"), _table(values, "tool")
    yield from _texts(project.get("dependencies"))
    for table in (_table(project, "optional-dependencies"), _table(values, "dependency-groups")):
        for requirements in table.values():
            yield from _texts(requirements)
    poetry = _table(tool, "poetry")
    for table in (poetry, *_tables(poetry, "group")):
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


def _upper_bounds(requirement: str) -> Iterator[Version]:
    match = _REQUIREMENT.match(requirement)
    if match is None or match["name"].lower() not in ("jax", "jaxlib"):
        return
    for text in match["clauses"].split(","):
        clause = _CLAUSE.match(text)
        if clause is not None:
            # A bare version is Poetry's caret: elsewhere it is no requirement.
            yield from _upper_bound(clause[1] or "^", clause[2])


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
