"""Settings as they are documented: the JSON Schema accepts what the checks accept, every example is valid."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.config import ConfigError
from jaxlint.config.documentation import DOCUMENTATION
from jaxlint.config.json_schema import settings_schema
from jaxlint.config.layers import Layer, checked
from jaxlint.config.schema import KEYS, OUTPUT_FORMATS
from tests.cli.command_line import jaxlint_here

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
VALIDATOR = jsonschema.Draft202012Validator(settings_schema())

_WORDS = st.sampled_from(
    [
        "ALL", "JX2", "random", "JL001", "jd12", "JM", "auto", "likely", "certain", "0.4.30", "1.2.3.4", "1", "v1",
        "a.b", "a..b", "1a", "é.b", "array", "keys", "", "name", "like", "returns", "statics", *OUTPUT_FORMATS[:3],
    ]
)  # fmt: skip
#: No whole float: to JSON, 2.0 is an integer, to TOML it is none.
_SCALARS = _WORDS | st.booleans() | st.integers(-2, 9) | st.just(0.5)
_LIST = st.lists(_SCALARS, max_size=2)
_NAMES = st.dictionaries(_WORDS, _SCALARS, max_size=2)
_FIELDS = {
    "name": _WORDS, "like": _WORDS, "returns": _WORDS, "consumes-key": _LIST, "args": _NAMES, "statics": _LIST,
    "odd": _SCALARS,
}  # fmt: skip
_LIKE_ROWS = st.fixed_dictionaries({}, optional=_FIELDS)
_VALUES = (
    _SCALARS
    | st.lists(_SCALARS, max_size=3)
    | st.dictionaries(_WORDS, _SCALARS | st.lists(_SCALARS, max_size=2), max_size=2)
    | st.lists(_LIKE_ROWS, max_size=2)
    | st.fixed_dictionaries({"specs": st.dictionaries(_WORDS, _SCALARS, max_size=2)})
)


def accepted(values: dict[str, Any]) -> bool:
    try:
        checked(Layer(values, "/", "test"))
    except ConfigError:
        return False
    return True


@given(st.sampled_from([*KEYS, "unknown", "Select", "min_confidence"]), _VALUES)
@settings(max_examples=600, deadline=None)
def test_schema_and_checks_accept_the_same(name: str, value: Any) -> None:
    assert VALIDATOR.is_valid({name: value}) == accepted({name: value})


@pytest.mark.parametrize("name", KEYS)
@given(value=_VALUES)
@settings(max_examples=40, deadline=None)
def test_schema_and_checks_accept_the_same_for_each_key(name: str, value: Any) -> None:
    assert VALIDATOR.is_valid({name: value}) == accepted({name: value})


def test_like_rows() -> None:
    like = {"name": "a.b", "like": "jax.jit", "args": {"x": "y"}, "statics": ["n"]}
    consumes = {"name": "a", "consumes-key": [0], "returns": "key"}
    wrong = ({"name": "a", "args": {}, "returns": "key"}, {"like": "a"}, {}, {"name": "a"}, {**like, "statics": [1]})
    for row in (like, consumes, *wrong):
        assert VALIDATOR.is_valid({"like": [row]}) == accepted({"like": [row]}) == (row in (like, consumes))


def test_every_setting_is_documented_and_every_example_valid() -> None:
    assert DOCUMENTATION.keys() == KEYS.keys()
    jsonschema.Draft202012Validator.check_schema(settings_schema())
    for name, documented in DOCUMENTATION.items():
        values = tomllib.loads(documented.example)
        assert values.keys() == {name}
        assert accepted(values)
        assert VALIDATOR.is_valid(values)
        assert documented.default is None or accepted({name: documented.default})


def test_the_published_schema_is_the_one_that_is_made() -> None:
    published = json.loads((ROOT / "docs" / "settings.schema.json").read_text(encoding="utf-8"))
    assert published == settings_schema(), "jaxlint config --json-schema > docs/settings.schema.json"


# --- jaxlint config


def test_all_settings_are_listed(tmp_path: Path) -> None:
    done = jaxlint_here("config", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()[: len(KEYS)]] == list(KEYS)


@pytest.mark.parametrize("name", KEYS)
def test_one_setting_is_explained(tmp_path: Path, name: str) -> None:
    done = jaxlint_here("config", name, cwd=tmp_path)
    assert done.code == 0
    assert DOCUMENTATION[name].example in done.out
    assert ("environment:" in done.out) == (KEYS[name].from_text is not None)


def test_an_unknown_setting(tmp_path: Path) -> None:
    done = jaxlint_here("config", "min_confidense", cwd=tmp_path)
    assert (done.code, done.err) == (
        2,
        "jaxlint: error: unknown setting `min_confidense`; did you mean `min-confidence`?\n",
    )


def test_the_schema_is_printed(tmp_path: Path) -> None:
    assert json.loads(jaxlint_here("config", "--json-schema", cwd=tmp_path).out) == settings_schema()
