"""Keys that a mapped function is given for all rows, split into one for each where it is called."""

from __future__ import annotations

from typing import Any

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of, qualified_name
from jaxlint.fixes.rebinding import is_simple_target
from jaxlint.rules.random._fix_threading import NEW_NUMBERS
from jaxlint.syntax import ir


def map_over_argument(code: Code, at: int) -> Fix | None:
    """`vmap(f, in_axes=(None, 0))(key, xs)` as `vmap(f, in_axes=(0, 0))(split(key, xs.shape[0]), xs)`.

    The call at `at` has to be the only one of what was mapped, and `in_axes` is written out.
    """
    call = code.node(at)
    mapping = _mapping(code, call) if isinstance(call, ir.Call) else None
    axes = None if mapping is None else dict(mapping.keywords).get("in_axes")
    split = name_of(code, at, "jax.random.split")
    if not isinstance(axes, ir.SequenceDisplay) or split is None or call.keywords:
        return None
    if len(call.args) != len(axes.elements) or any(isinstance(given, ir.Starred) for given in call.args):
        return None
    pairs = list(zip(axes.elements, call.args, strict=True))
    keys = [
        pair for pair in pairs if isinstance(pair[0], ir.Constant) and pair[0].value is None and _is_key(code, pair)
    ]
    rows = next((given for axis, given in pairs if isinstance(axis, ir.Constant) and axis.value == 0), None)
    if len(keys) != 1 or rows is None or not is_simple_target(rows):
        return None
    axis, key = keys[0]
    text = f"{split.text}({code.segment(key.at)}, {code.segment(rows.at)}.shape[0])"
    changes = [*split.changes, Change(*code.outer(axis.at), "0"), Change(*code.outer(key.at), text)]
    return code.fix(f"Split `{code.segment(key.at)}` and map over the keys", changes, Applicability.UNSAFE, NEW_NUMBERS)


def _is_key(code: Code, pair: tuple[Any, Any]) -> bool:
    """Whether an argument is called a key."""
    name = code.segment(pair[1].at).rpartition(".")[2].lower()
    return is_simple_target(pair[1]) and ("key" in name or "rng" in name or name in ("k", "seed"))


def _mapping(code: Code, call: ir.Call) -> ir.Call | None:
    """The call of `vmap` that made what is called here, if this is the only call of that."""
    if isinstance(call.func, ir.Call):
        return call.func if _is_vmap(code, call.func) else None
    if not isinstance(call.func, ir.Name):
        return None
    name = call.func.id
    read = [node for node in code.owned(None) if isinstance(node, ir.Name) and node.id == name]
    made: list[Any] = []
    for node in read:
        parent = code.parent(node.at)
        if isinstance(parent, ir.Assign) and any(target.at == node.at for target in parent.targets):
            made.append(parent.value)
        elif node.at != call.func.at:
            return None
    for node in code.owned(None):
        if isinstance(node, ir.FunctionDefinition) and node.function.name == name:
            made += node.function.decorators if len(node.function.decorators) == 1 else [None]
    is_one = len(made) == 1 and isinstance(made[0], ir.Call) and _is_vmap(code, made[0])
    return made[0] if is_one else None


def _is_vmap(code: Code, call: ir.Call) -> bool:
    name = qualified_name(code, call.func)
    if name == "functools.partial" and call.args:
        name = qualified_name(code, call.args[0])
    return name == "jax.vmap"
