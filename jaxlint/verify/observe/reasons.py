"""Why a function was traced again: what is different from the nearest of its earlier cache keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from jaxlint.verify.model import Difference

#: `[path, kind, ...]`, as the observer writes it.
Leaf: TypeAlias = "list[Any]"
_TYPE: Final = re.compile(r"(?P<dtype>.*?)\[(?P<shape>.*)\]")
#: What to name first where several things are different.
_ORDER: Final = (
    "static-vs-traced", "arity", "kwargs", "pytree", "rank", "shape", "dtype", "weak-type", "static-value",
    "static-identity", "sharding", "config",
)  # fmt: skip

#: Together they weigh more than what is different in values and types.
_STRUCTURAL: Final = frozenset({"static-vs-traced", "arity", "pytree", "new-function-object"})


@dataclass(frozen=True, slots=True)
class Key:
    """The arguments and the configuration of one trace, as far as JAX tells traces apart by them.

    `trees` holds the number of each argument's structure, or "static"; `outlines` the structures themselves, and
    `objects` how to make those arguments again that hold objects.
    """

    leaves: Mapping[str, Leaf]
    trees: Mapping[str, Any]
    keywords: tuple[str, ...]
    context: Mapping[str, str]
    outlines: Mapping[tuple[str, Any], Mapping[str, str]]
    objects: Mapping[str, Any] = field(default_factory=dict)


def differences(before: Key, now: Key) -> list[Difference]:
    """What is different, the weightiest first; empty where JAX could not tell the two apart by what is known."""
    found = list(_differences(before, now))
    return sorted(found, key=lambda difference: _ORDER.index(difference.reason))


def distance(found: list[Difference]) -> int:
    """How far apart two keys are: another structure outweighs other leaves in the same one."""
    return sum(3 if difference.reason in _STRUCTURAL else 1 for difference in found)


def _differences(before: Key, now: Key) -> Iterator[Difference]:
    if set(before.trees) != set(now.trees):
        yield Difference("arity", None, _arguments(before), _arguments(now))
    elif before.keywords != now.keywords:
        moved = sorted(set(before.keywords) ^ set(now.keywords))
        yield Difference("kwargs", ", ".join(moved) or None, _form(moved[0], before), _form(moved[0], now))
    for name in now.trees:
        if name in before.trees:
            yield from _tree_differences(name, before, now)
    for path, leaf in now.leaves.items():
        if path in before.leaves:
            yield from _leaf_differences(path, before.leaves[path], leaf)
    for name in sorted(set(before.context) | set(now.context)):
        old, new = before.context.get(name, "unset"), now.context.get(name, "unset")
        if old != new:
            yield Difference("config", name, old, new)


def _arguments(key: Key) -> str:
    return f"({', '.join(key.trees)})"


def _form(name: str, key: Key) -> str:
    return f"{name}=..." if name in key.keywords else f"{name} by position"


def _tree_differences(name: str, before: Key, now: Key) -> Iterator[Difference]:
    old, new = before.trees[name], now.trees[name]
    if old == new:
        return
    if "static" in (old, new):
        yield Difference("static-vs-traced", name, _role(old), _role(new))
        return
    yield _structure(name, before.outlines.get((name, old), {}), now.outlines.get((name, new), {}))


def _role(tree: object) -> str:
    return "static" if tree == "static" else "traced"


def _structure(name: str, old: Mapping[str, str], new: Mapping[str, str]) -> Difference:
    """The outermost place at which two structures part."""
    for path in sorted(set(old) | set(new), key=lambda path: (path.count("[") + path.count("."), path)):
        if old.get(path) != new.get(path):
            return Difference("pytree", path, old.get(path, "absent"), new.get(path, "absent"))
    return Difference("pytree", name, "another structure", "this structure")


def _leaf_differences(path: str, before: Leaf, now: Leaf) -> Iterator[Difference]:
    if before[1] != now[1]:
        yield Difference("static-vs-traced", path, describe(before), describe(now))
    elif now[1] == "static":
        yield from _static_differences(path, before, now)
    else:
        yield from _type_differences(path, before, now)


def describe(leaf: Leaf) -> str:
    """`f32[3,4]`, `f32[] weak`, `static 3`."""
    if leaf[1] == "static":
        return f"static {leaf[3]}"
    return f"{leaf[2]} weak" if leaf[1] == "traced" and leaf[3] else str(leaf[2])


def _type_differences(path: str, before: Leaf, now: Leaf) -> Iterator[Difference]:
    old, new = _TYPE.fullmatch(before[2]), _TYPE.fullmatch(now[2])
    texts = describe(before), describe(now)
    if old is None or new is None:
        if before[2] != now[2]:
            yield Difference("dtype", path, *texts)
        return
    if _rank(old["shape"]) != _rank(new["shape"]):
        yield Difference("rank", path, *texts)
    elif old["shape"] != new["shape"]:
        yield Difference("shape", path, *texts)
    if old["dtype"] != new["dtype"]:
        yield Difference("dtype", path, *texts)
    if now[1] == "traced":
        if bool(before[3]) != bool(now[3]):
            yield Difference("weak-type", path, *texts)
        if before[4] != now[4]:
            yield Difference("sharding", path, before[4] or "none", now[4] or "none")


def _rank(shape: str) -> int:
    return shape.count(",") + 1 if shape else 0


def _static_differences(path: str, before: Leaf, now: Leaf) -> Iterator[Difference]:
    _, _, kind, text, number, by_identity, fields, *_ = now
    is_same_object = number is not None and number == before[4]
    changed = _changed_fields(before[6] or {}, fields or {})
    if by_identity and before[2] == kind:
        if not is_same_object:
            old, new = _named(before[3], changed, 0), _named(text, changed, 1)
            is_plain = old == new
            yield Difference("static-identity", path, old, f"{new}, another object" if is_plain else new)
        return
    if before[2] != kind or before[3] != text:
        yield Difference("static-value", path, _valued(before), _valued(now))
    elif changed:
        yield Difference("static-value", path, _named(before[3], changed, 0), _named(text, changed, 1))
    elif number != before[4] and fields is None:
        yield Difference("static-value", path, text, f"{text}, differing further on")
    elif text == "nan":
        yield Difference("static-value", path, "nan", "nan, which equals nothing")


def _valued(leaf: Leaf) -> str:
    return str(leaf[3])


def _changed_fields(old: Mapping[str, str], new: Mapping[str, str]) -> list[tuple[str, str, str]]:
    names = sorted(set(old) | set(new))
    return [(n, old.get(n, "absent"), new.get(n, "absent")) for n in names if old.get(n) != new.get(n)]


def _named(text: str, changed: list[tuple[str, str, str]], side: int) -> str:
    """`<Config> with lr=0.1`: an object, and its fields that differ."""
    shown = ", ".join(f"{name}={values[side]}" for name, *values in changed[:3])
    return f"{text} with {shown}" if shown else text
