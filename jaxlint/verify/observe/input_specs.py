"""The inputs of a trace as an input spec, which a probe can make again: types and Python constants, never numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jaxlint.verify.observe.reasons import Key, Leaf
from jaxlint.verify.specs import (
    DTYPES,
    ArraySpec,
    DictSpec,
    KeySpec,
    ListSpec,
    NameSpec,
    NoneSpec,
    ObjectSpec,
    ScalarSpec,
    StaticSpec,
    TupleSpec,
    Value,
    spec_text,
)

#: How many sets of inputs are kept for one function: the first ones.
MAX_INPUTS: Final = 8
_TYPE: Final = re.compile(r"(?P<dtype>[a-z]+\d*|key<\w+>)\[(?P<dims>[\d,]*)\]")
_VARIADIC: Final = re.compile(r"(?P<name>\w+)\[\d+\]")
_ENTRY: Final = re.compile(r"\[('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")\]")
_SEQUENCE: Final = re.compile(r"(?P<kind>tuple|list) of (?P<count>\d+)")
#: Weakly typed scalars come from Python numbers.
_NUMBERS: Final = {"f32": "float", "f64": "float", "i32": "int", "i64": "int"}


class _UnspeakableError(Exception):
    """The grammar of input specs has no word for it."""


def inputs_text(key: Key) -> str:
    """`x=f32[3] n=static:2`: the arguments for which the grammar has words. Empty where there are none."""
    return " ".join(f"{name}={spec_text(value)}" for name, value in _values(key).items())


def _values(key: Key) -> dict[str, Value]:
    """The arguments by parameter; what `*args` takes as one tuple, and nothing of it where one has no word."""
    values: dict[str, Value] = {}
    variadic: dict[str, list[Value] | None] = {}
    for name in key.trees:
        found = _VARIADIC.fullmatch(name)
        value = _argument(name, key)
        if found is None:
            if value is not None and name.isidentifier():
                values[name] = value
            continue
        known = variadic.setdefault(found["name"], [])
        if value is None or known is None:
            variadic[found["name"]] = None
        else:
            known.append(value)
    return {**values, **{name: TupleSpec(tuple(items)) for name, items in variadic.items() if items is not None}}


def _argument(name: str, key: Key) -> Value | None:
    own = {path: leaf for path, leaf in key.leaves.items() if _is_within(path, name)}
    outline = key.outlines.get((name, key.trees[name]), {})
    used: list[str] = []
    try:
        value = _leaf(own[name]) if name in own else _built(name, own, outline, used)
    except _UnspeakableError:
        return _of_objects(key.objects.get(name), own)
    return value if name in own or len(used) == len(own) else None


def _of_objects(made: Any, leaves: Mapping[str, Leaf]) -> Value | None:  # noqa: ANN401 - JSON
    """An argument with objects in it, as the observer described it."""
    used: list[str] = []
    try:
        value = _described(made, leaves, used) if made is not None else None
    except _UnspeakableError:
        return None
    arrays = {path for path, leaf in leaves.items() if leaf[1] != "static"}
    return value if set(used) == arrays else None


def _described(made: Any, leaves: Mapping[str, Leaf], used: list[str]) -> Value:  # noqa: ANN401 - JSON
    match made:
        case ["leaf", path] if path in leaves:
            used.append(path)
            return _leaf(leaves[path])
        case ["none"]:
            return NoneSpec()
        case ["static", text]:
            return StaticSpec(text)
        case ["dict", entries]:
            return DictSpec(tuple((name, _described(entry, leaves, used)) for name, entry in entries))
        case ["tuple" | "list" as kind, entries]:
            items = tuple(_described(entry, leaves, used) for entry in entries)
            return TupleSpec(items) if kind == "tuple" else ListSpec(items)
        case ["name", module, name]:
            return NameSpec(module, name)
        case ["object", module, name, inner]:
            return ObjectSpec(module, name, _described(inner, leaves, used))
        case _:
            raise _UnspeakableError


def _is_within(path: str, name: str) -> bool:
    return path.startswith(name) and path[len(name) : len(name) + 1] in ("", "[", ".")


def _built(path: str, leaves: Mapping[str, Leaf], outline: Mapping[str, str], used: list[str]) -> Value:
    """The value at a path of a structure. Raises _UnspeakableError for containers of a type of their own."""
    if path in leaves:
        used.append(path)
        return _leaf(leaves[path])
    kind = outline.get(path, "")
    if kind == "None":
        return NoneSpec()
    if kind == "dict":
        inner = _entries(path, outline)
        return DictSpec(tuple((name, _built(at, leaves, outline, used)) for name, at in inner))
    sequence = _SEQUENCE.fullmatch(kind)
    if sequence is None:
        raise _UnspeakableError
    items = tuple(_built(f"{path}[{n}]", leaves, outline, used) for n in range(int(sequence["count"])))
    return TupleSpec(items) if sequence["kind"] == "tuple" else ListSpec(items)


def _entries(path: str, outline: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The names in a dictionary with their paths. Raises _UnspeakableError for keys that are no names."""
    for other in outline:
        rest = other[len(path) :] if other.startswith(path) else ""
        found = _ENTRY.fullmatch(rest)
        if found is not None:
            yield ast.literal_eval(found[1]), other
        elif rest.startswith("[") and rest.count("[") == 1:
            raise _UnspeakableError


def _leaf(leaf: Leaf) -> Value:
    if leaf[1] == "static":
        return _constant(leaf)
    found = _TYPE.fullmatch(leaf[2])
    if found is None:
        raise _UnspeakableError
    dtype, dims = found["dtype"], tuple(int(dim) for dim in found["dims"].split(",") if dim)
    if dtype.startswith("key"):
        return KeySpec(dims)
    if dtype not in DTYPES:
        raise _UnspeakableError
    is_number = leaf[1] == "traced" and leaf[3] and not dims and dtype in _NUMBERS
    return ScalarSpec(_NUMBERS[dtype]) if is_number else ArraySpec(dtype, dims)


def _constant(leaf: Leaf) -> Value:
    is_exact = leaf[7]
    if not is_exact:
        raise _UnspeakableError
    return NoneSpec() if leaf[3] == "None" else StaticSpec(leaf[3])
