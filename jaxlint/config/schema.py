"""The settings that exist: each key with the group it belongs to and the check that its values must pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

from jaxlint.config.errors import ConfigError, suggestion

#: Where inside a value a mistake is, and what it is.
Mistake: TypeAlias = "tuple[tuple[str | int, ...], str]"
Check: TypeAlias = Callable[[Any], "Iterator[Mistake]"]

OUTPUT_FORMATS: Final = (
    "concise", "full", "grouped", "json", "json-lines",
    "github", "gitlab", "azure", "sarif", "junit", "rdjson", "pylint",
)  # fmt: skip
CONFIDENCES: Final = ("certain", "likely", "possible")
FRONT_ENDS: Final = ("ast", "libcst")
LEVELS: Final = ("error", "warning", "info")


class Group(Enum):
    """Where a setting may stand and whom it governs."""

    SHOWN = "shown"  # per file, from the nearest configuration
    ANALYSIS = "analysis"  # per project, from its root alone
    RUN = "run"  # the whole run


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: its group, its check, and how the environment spells it (`None`: it cannot)."""

    group: Group
    check: Check
    from_text: Callable[[str], object] | None = None


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "a boolean"
    names = {str: "a string", int: "an integer", float: "a float", list: "an array", dict: "a table"}
    return names.get(type(value), f"a {type(value).__name__}")


def _string(value: object) -> Iterator[Mistake]:
    if not isinstance(value, str):
        yield (), f"expected a string, got {_kind(value)}"


def _boolean(value: object) -> Iterator[Mistake]:
    if not isinstance(value, bool):
        yield (), f"expected true or false, got {_kind(value)}"


def _strings(value: object) -> Iterator[Mistake]:
    if not isinstance(value, list):
        yield (), f"expected an array of strings, got {_kind(value)}"
        return
    for index, item in enumerate(value):
        yield from _within(index, _string(item))


def _within(part: str | int, mistakes: Iterable[Mistake]) -> Iterator[Mistake]:
    """The mistakes of a part of a value as mistakes of the whole."""
    for inside, message in mistakes:
        yield (part, *inside), message


def _integers(value: object) -> Iterator[Mistake]:
    good = isinstance(value, list) and all(isinstance(v, int) and not isinstance(v, bool) for v in value)
    if not good:
        yield (), "expected an array of integers"


def _count(value: object) -> Iterator[Mistake]:
    if isinstance(value, bool) or not isinstance(value, int):
        yield (), f"expected an integer, got {_kind(value)}"
    elif value < 0:
        yield (), "expected 0 (one per processor) or more"


@dataclass(frozen=True, slots=True)
class Choice:
    """The check that a value is one of a few: strings, or true and false."""

    choices: tuple[object, ...]

    def __call__(self, value: object) -> Iterator[Mistake]:
        """What is wrong with the value, with the nearest choice."""
        if any(value is choice or (isinstance(value, str) and value == choice) for choice in self.choices):
            return
        shown = ", ".join(f"`{str(c).lower()}`" for c in self.choices)
        near = suggestion(value, [c for c in self.choices if isinstance(c, str)]) if isinstance(value, str) else ""
        got = f"`{value}`" if isinstance(value, str) else _kind(value)
        yield (), f"expected one of {shown}, got {got}{near}"


def _version(value: object) -> Iterator[Mistake]:
    if not isinstance(value, str):
        yield (), f"expected a version as a string, got {_kind(value)}"
    elif not re.fullmatch(r"\d+(\.\d+){1,3}", value):
        yield (), f"`{value}` is not a version such as `0.4.30`"


@dataclass(frozen=True, slots=True)
class TableOf:
    """The check that a value is a table each of whose entries passes another check."""

    entry: Check

    def __call__(self, value: object) -> Iterator[Mistake]:
        """What is wrong with the table or its entries."""
        if not isinstance(value, dict):
            yield (), f"expected a table, got {_kind(value)}"
            return
        for name, entry in value.items():
            yield from _within(name, self.entry(entry))


_DOTTED: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
RETURNS: Final = ("array", "host-array", "key", "keys", "static", "function")


def _dotted(value: object) -> Iterator[Mistake]:
    if not (isinstance(value, str) and _DOTTED.fullmatch(value)):
        yield (), "expected a dotted name such as `mylib.parallel.step`"


def _arguments(value: object) -> Iterator[Mistake]:
    if not isinstance(value, dict):
        yield (), f"expected a table of parameter names, got {_kind(value)}"
        return
    for name, entry in value.items():
        if not isinstance(entry, str):
            yield (name,), "expected the name of a parameter"


_LIKE_FIELDS: Final[Mapping[str, Check]] = {
    "name": _dotted,
    "like": _dotted,
    "consumes-key": _integers,
    "returns": Choice(RETURNS),
    "args": _arguments,
    "statics": _strings,
}


def _likes(value: object) -> Iterator[Mistake]:
    if not isinstance(value, list):
        yield (), "expected an array of tables: [[tool.jaxlint.like]]"
        return
    for index, row in enumerate(value):
        yield from _within(index, _like(row))


def _like(row: object) -> Iterator[Mistake]:
    if not isinstance(row, dict):
        yield (), f"expected a table, got {_kind(row)}"
        return
    for field, value in row.items():
        if field in _LIKE_FIELDS:
            yield from _within(field, _LIKE_FIELDS[field](value))
        else:
            yield (field,), f"unknown field `{field}`{suggestion(field, _LIKE_FIELDS)}"
    if "name" not in row:
        yield (), "needs a `name`: the function that this row describes"
    if not row.keys() & {"like", "consumes-key", "returns"}:
        yield (), "needs one of `like`, `consumes-key` or `returns`"
    if "like" not in row and row.keys() & {"args", "statics"}:
        yield (), "`args` and `statics` map the parameters of `like`, which is missing"


def _verify(value: object) -> Iterator[Mistake]:
    if not isinstance(value, dict):
        yield (), f"expected a table, got {_kind(value)}"
        return
    yield from _within("specs", TableOf(_spec)(value.get("specs", {})))
    yield from _within("budgets", TableOf(_budget)(value.get("budgets", {})))


def _spec(value: object) -> Iterator[Mistake]:
    if not isinstance(value, str):
        yield (), 'expected a string such as "x=f32[n,4]"'


def _budget(value: object) -> Iterator[Mistake]:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        yield (), "expected how often it may be traced, such as 1"


def _split(text: str) -> object:
    return [part.strip() for part in text.split(",") if part.strip()]


def _truth(text: str) -> object:
    return {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower(), text)


def _number(text: str) -> object:
    return int(text) if re.fullmatch(r"\s*\d{1,6}\s*", text) else text


_SHOWN, _ANALYSIS, _RUN = Group.SHOWN, Group.ANALYSIS, Group.RUN

KEYS: Final[Mapping[str, Key]] = {
    "select": Key(_SHOWN, _strings, _split),
    "ignore": Key(_SHOWN, _strings, _split),
    "extend-select": Key(_SHOWN, _strings, _split),
    "per-file-ignores": Key(_SHOWN, TableOf(_strings)),
    "per-file-select": Key(_SHOWN, TableOf(_strings)),
    "preview": Key(_SHOWN, _boolean, _truth),
    "severity": Key(_SHOWN, TableOf(Choice(LEVELS))),
    "fixable": Key(_SHOWN, _strings, _split),
    "unfixable": Key(_SHOWN, _strings, _split),
    "extend-safe-fixes": Key(_SHOWN, _strings, _split),
    "min-confidence": Key(_SHOWN, Choice(CONFIDENCES), str.strip),
    "target-jax": Key(_ANALYSIS, _version, str.strip),
    "oldest-jax": Key(_ANALYSIS, _version, str.strip),
    "x64": Key(_ANALYSIS, Choice((True, False, "auto")), _truth),
    "src": Key(_ANALYSIS, _strings, _split),
    "tests": Key(_ANALYSIS, _strings, _split),
    "like": Key(_ANALYSIS, _likes),
    "plugins": Key(_ANALYSIS, _strings, _split),
    "verify": Key(_ANALYSIS, _verify),
    "front-end": Key(_ANALYSIS, Choice(FRONT_ENDS), str.strip),
    "fail-level": Key(_RUN, Choice(LEVELS), str.strip),
    "output-format": Key(_RUN, Choice(OUTPUT_FORMATS), str.strip),
    "include": Key(_RUN, _strings, _split),
    "exclude": Key(_RUN, _strings, _split),
    "extend-exclude": Key(_RUN, _strings, _split),
    "respect-gitignore": Key(_RUN, _boolean, _truth),
    "force-exclude": Key(_RUN, _boolean, _truth),
    "extend": Key(_RUN, _string),
    "cache-dir": Key(_RUN, _string, str),
    "jobs": Key(_RUN, _count, _number),
    "baseline": Key(_RUN, _string, str),
}

#: Settings whose items are rule selectors, checked against the rules once those are known.
SELECTOR_KEYS: Final = (
    "select", "ignore", "extend-select", "per-file-ignores", "per-file-select", "severity", "fixable", "unfixable",
    "extend-safe-fixes",
)  # fmt: skip


def find_mistakes(name: str, value: object) -> Iterator[Mistake]:
    """All that is wrong with `name = value`, and where inside the value."""
    key = KEYS.get(name)
    if key is not None:
        yield from key.check(value)
        return
    folded = name.replace("_", "-").lower()
    near = f"; did you mean `{folded}`?" if folded in KEYS else suggestion(name, KEYS)
    yield (), f"unknown setting{near}"


def parse_text(name: str, text: str) -> object:
    """The value that an environment variable's text stands for, still to be checked."""
    from_text = KEYS[name].from_text
    if from_text is None:
        raise ConfigError(
            "a table cannot be set by an environment variable", f"JAXLINT_{name.upper().replace('-', '_')}"
        )
    return from_text(text)
