"""The difference between two cache keys, without JAX."""

from __future__ import annotations

from typing import Any

import pytest

from jaxlint.verify.observe.reasons import Key, differences


def key(*leaves: list[Any], keywords: tuple[str, ...] = (), trees: dict[str, Any] | None = None, **context: str) -> Key:
    names = {leaf[0]: "static" if leaf[1] == "static" else 0 for leaf in leaves}
    return Key({leaf[0]: leaf for leaf in leaves}, trees or names, keywords, context, {})


def traced(kind: str, weak: bool = False, sharding: str = "") -> list[Any]:
    return ["x", "traced", kind, weak, sharding]


def static(
    text: str, number: int | None = None, by_identity: bool = False, fields: dict[str, str] | None = None
) -> list[Any]:
    return ["x", "static", "C", text, number, by_identity, fields]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (traced("f32[3]"), traced("f32[4]"), ["shape"]),
        (traced("f32[3]"), traced("f32[3,1]"), ["rank"]),
        (traced("f32[]"), traced("f32[0]"), ["rank"]),
        (traced("f32[3]"), traced("i32[3]"), ["dtype"]),
        (traced("f32[3]"), traced("i32[4]"), ["shape", "dtype"]),
        (traced("f32[]"), traced("f32[]", weak=True), ["weak-type"]),
        (traced("f32[4]"), traced("f32[4]", sharding="P('a')"), ["sharding"]),
        (traced("f32[]"), static("1"), ["static-vs-traced", "static-vs-traced"]),
        (static("1"), static("2"), ["static-value"]),
        (static("'aaa'", 1), static("'aaa'", 2), ["static-value"]),
        (static("nan", 1), static("nan", 1), ["static-value"]),
        (static("<C>", 1, True, {"a": "1"}), static("<C>", 2, True, {"a": "1"}), ["static-identity"]),
        (static("<C>", 1, True, {"a": "1"}), static("<C>", 1, True, {"a": "2"}), []),
        (static("<C>", 1, False, {"a": "1"}), static("<C>", 2, False, {"a": "1"}), []),
        (static("<C>", 1, False, {"a": "1"}), static("<C>", 2, False, {"a": "2"}), ["static-value"]),
    ],
)
def test_leaves(before: list[Any], now: list[Any], expected: list[str]) -> None:
    assert [d.reason for d in differences(key(before), key(now))] == expected


def test_forms_of_a_call() -> None:
    by_position, by_name = key(traced("f32[]")), key(traced("f32[]"), keywords=("x",))
    assert [(d.reason, d.argument) for d in differences(by_position, by_name)] == [("kwargs", "x")]
    more = key(traced("f32[]"), ["y", "traced", "f32[]", False, ""])
    assert [(d.reason, d.before, d.now) for d in differences(by_position, more)] == [("arity", "(x)", "(x, y)")]


def test_configuration() -> None:
    found = differences(key(jax_enable_x64="False"), key(jax_enable_x64="True"))
    assert [(d.reason, d.argument, d.before, d.now) for d in found] == [("config", "jax_enable_x64", "False", "True")]


def test_the_outermost_place_at_which_structures_part_is_named() -> None:
    outlines = {
        ("x", 0): {"x": "dict", "x['a']": "list of 2", "x['a'][0]": "array", "x['a'][1]": "array"},
        ("x", 1): {
            "x": "dict",
            "x['a']": "list of 3",
            "x['a'][0]": "array",
            "x['a'][1]": "array",
            "x['a'][2]": "array",
        },
    }
    before, now = (Key({}, {"x": number}, (), {}, outlines) for number in (0, 1))
    assert [(d.reason, d.argument, d.before, d.now) for d in differences(before, now)] == [
        ("pytree", "x['a']", "list of 2", "list of 3")
    ]
