"""The settings as a JSON Schema, made of the same keys and checks: for editors, and for SchemaStore."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jaxlint.config import schema
from jaxlint.config.documentation import DOCUMENTATION
from jaxlint.config.schema import KEYS, SELECTOR_KEYS, Choice

_STRING: Final = {"type": "string"}
_STRINGS: Final = {"type": "array", "items": _STRING}
_DOTTED: Final = {"type": "string", "pattern": r"^[^\W\d]\w*(\.[^\W\d]\w*)*$"}
#: Rules of another tool that is also named jaxlint.
_SELECTOR: Final = {"type": "string", "not": {"pattern": "^[Jj][LlDdMm][0-9]+$"}}
_LIKE: Final = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "anyOf": [{"required": ["like"]}, {"required": ["consumes-key"]}, {"required": ["returns"]}],
    "dependentRequired": {"args": ["like"], "statics": ["like"]},
    "properties": {
        "name": {**_DOTTED, "description": "The function that this row describes."},
        "like": {**_DOTTED, "description": "The function of JAX, or of a library, that it behaves like."},
        "consumes-key": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "Positions of the PRNG keys that it uses up.",
        },
        "returns": {"enum": list(schema.RETURNS), "description": "What it returns."},
        "args": {
            "type": "object",
            "additionalProperties": _STRING,
            "description": "For its parameters, the names of the matching parameters of that function.",
        },
        "statics": {**_STRINGS, "description": "Its static parameters."},
    },
}
_VERIFY: Final = {
    "type": "object",
    "properties": {
        "specs": {"type": "object", "additionalProperties": _STRING},
        "budgets": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
    },
}

#: What a check accepts, in the words of JSON Schema.
_SHAPES: Final[Mapping[object, dict[str, Any]]] = {
    schema._string: _STRING,
    schema._boolean: {"type": "boolean"},
    schema._strings: _STRINGS,
    schema._integers: {"type": "array", "items": {"type": "integer"}},
    schema._count: {"type": "integer", "minimum": 0},
    schema._version: {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+){1,3}$"},
    schema.TableOf(schema._strings): {"type": "object", "additionalProperties": _STRINGS},
    schema.TableOf(Choice(schema.LEVELS)): {"type": "object", "additionalProperties": {"enum": list(schema.LEVELS)}},
    schema._likes: {"type": "array", "items": _LIKE},
    schema._verify: _VERIFY,
}


def settings_schema() -> dict[str, Any]:
    """The schema of what stands in `[tool.jaxlint]`, or at the top of a `jaxlint.toml`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of jaxlint",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _property(name) for name in KEYS},
    }


def _property(name: str) -> dict[str, Any]:
    documented = DOCUMENTATION[name]
    described = {"description": documented.summary, **_shape(name)}
    return described if documented.default is None else {**described, "default": documented.default}


def _shape(name: str) -> dict[str, Any]:
    check = KEYS[name].check
    if isinstance(check, Choice):
        return {"enum": list(check.choices)}
    shape = _SHAPES[check]
    if name not in SELECTOR_KEYS:
        return shape
    if name == "severity":
        return {**shape, "propertyNames": _SELECTOR}
    selectors = {"type": "array", "items": _SELECTOR}
    return selectors if shape is _STRINGS else {"type": "object", "additionalProperties": selectors}
