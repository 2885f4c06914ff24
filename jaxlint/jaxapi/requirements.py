"""Requirements as dependencies state them (`jax>=0.4.30,<0.6`), and the releases that they allow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from jaxlint.jaxapi.versions import Version, parse_version

_REQUIREMENT: Final = re.compile(r"\s*(?P<name>[\w.-]+)\s*(?:\[[^\]]*\])?\s*\(?(?P<clauses>[^;)@]*)")
_CLAUSE: Final = re.compile(r"\s*(===?|~=|!=|<=?|>=?|\^|~)?\s*v?(\d[\w.*+!-]*)\s*\Z")
#: Greater than the number of any release: `<0.5` is met by 0.4.999999.
_LAST: Final = 999_999
#: From here on jaxlib has JAX's version numbers.
_FIRST_SHARED: Final = (0, 3)
#: Distributions, and the libraries that they bring.
LIBRARIES: Final = {
    "jax": "jax", "jaxlib": "jax", "flax": "flax", "optax": "optax", "equinox": "equinox",
}  # fmt: skip


class Requirement(NamedTuple):
    """The bounds that a requirement sets on the releases of a library; the library is empty where it is another one."""

    library: str
    distribution: str
    lower: tuple[Version, ...]
    upper: tuple[Version, ...]


def read(text: str) -> Requirement:
    """The requirement that a text states; what cannot be read bounds nothing."""
    match = _REQUIREMENT.match(text)
    distribution = "" if match is None else match["name"].lower()
    library = LIBRARIES.get(distribution, "")
    clauses = [] if match is None or not library else [_CLAUSE.match(clause) for clause in match["clauses"].split(",")]
    # A bare version is Poetry's caret: elsewhere it is no requirement.
    known = [(clause[1] or "^", clause[2]) for clause in clauses if clause is not None]
    upper = tuple(bound for operator, version in known for bound in _upper_bound(operator, version))
    lower = tuple(bound for each in known for bound in _lower_bound(*each))
    return Requirement(library, distribution, lower, upper)


class Range(NamedTuple):
    """The oldest and the newest release that is allowed; None where there is no such bound."""

    oldest: Version | None
    newest: Version | None


def allowed(library: str, own: list[Requirement], others: list[Requirement]) -> Range | None:
    """What one file allows of a library; None where it does not name it."""
    own, others = _of(library, own), _of(library, others)
    if not own and not others:
        return None
    upper = [bound for each in (*own, *others) for bound in each.upper]
    lower = [bound for each in own for bound in each.lower]
    wider = [bound for each in others for bound in each.lower]
    return Range(max(lower) if lower else min(wider, default=None), min(upper, default=None))


def widest(ranges: list[Range]) -> Range:
    """What files allow of which one counts, and nobody knows which."""
    lower = [each.oldest for each in ranges if each.oldest is not None]
    upper = [each.newest for each in ranges if each.newest is not None]
    # Where one file sets no bound, whoever follows that one gets any release.
    is_bounded = len(upper) == len(ranges)
    return Range(min(lower, default=None), max(upper, default=None) if is_bounded else None)


def _of(library: str, requirements: list[Requirement]) -> list[Requirement]:
    """The requirements of a library, without old ones of jaxlib where JAX is bounded: its numbers were others then."""
    mine = [each for each in requirements if each.library == library]
    if not any(each.distribution == library and (each.lower or each.upper) for each in mine):
        return mine
    return [each for each in mine if each.distribution == library or (*each.lower, *each.upper) >= (_FIRST_SHARED,)]


#: A lower bound on JAX below this one is taken for one that nobody raised.
_OLDEST_TOLD: Final = (0, 4)


def oldest_told(library: str, oldest: Version | None) -> Version | None:
    """The lower bound of a library as far as it tells which releases a project is for."""
    is_told = library != "jax" or oldest is None or oldest >= _OLDEST_TOLD
    return oldest if is_told else None


def written(version: Version | None) -> str | None:
    """A release as people write it."""
    return None if version is None else ".".join(map(str, version))


def _lower_bound(operator: str, text: str) -> Iterator[Version]:
    if operator in ("==", "===", ">=", "~=", "~", "^", ">"):
        yield parse_version(text)


def _upper_bound(operator: str, text: str) -> Iterator[Version]:
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
