"""The fixes of the pytrees family: classes that are registered, and texts that become static."""

from __future__ import annotations

import pytest

from tests.linting import diagnostics, fixed

HEAD = """from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class State:
    x: jax.Array
    t: float


@jax.jit
def pool(x, how):
    return x.mean() if how == "mean" else x.max()


@jax.jit
def move(state):
    return state.x * state.t


"""

#: What stands below the head, a part of what the whole becomes, and whether the fix is safe.
CASES = [
    ("move(State(jnp.ones(2), 0.5))", "@jax.tree_util.register_dataclass\n@dataclass", True),
    ("move(State(jnp.ones(2), 0.5))\njax.tree.map(print, [1])", "@jax.tree_util.register_dataclass\n@data", False),
    ('pool(jnp.ones(3), "mean")', '@functools.partial(jax.jit, static_argnames=("how",))', True),
    ('pool(jnp.ones(3), how="mean")', '@functools.partial(jax.jit, static_argnames=("how",))', True),
    ('pool(jnp.ones(3), "mean")\npool(jnp.ones(3), 2)', '@functools.partial(jax.jit, static_argnames=("how",))', False),
]


@pytest.mark.parametrize(("code", "after", "is_safe"), CASES, ids=[code for code, _, _ in CASES])
def test_the_fix(code: str, after: str, is_safe: bool) -> None:
    source = HEAD + code + "\n"
    (found,) = diagnostics(source, "unregistered-class-argument")
    assert found.fix is not None
    assert found.fix.applicability.value == ("safe" if is_safe else "unsafe")
    assert after in fixed(source, "unregistered-class-argument")


@pytest.mark.parametrize("code", [code for code, _, is_safe in CASES if is_safe])
def test_jax_takes_what_it_refused(code: str) -> None:
    with pytest.raises(TypeError):
        exec(compile(HEAD + code, "before", "exec"), {})
    exec(compile(fixed(HEAD + code + "\n", "unregistered-class-argument"), "after", "exec"), {})


def test_a_class_with_other_fields_is_left_alone() -> None:
    source = HEAD.replace("t: float", "t: str") + "move(State(jnp.ones(2), 's'))\n"
    (found,) = diagnostics(source, "unregistered-class-argument")
    assert found.fix is None


#: What a function of trees is given, a part of what it becomes, and whether the fix is safe.
CONTAINERS = [
    ("{1.5, 2.5}", "scale([1.5, 2.5])", True),
    ('{"e": {1.5, 2.5}}', 'scale({"e": [1.5, 2.5]})', True),
    ("{one, 2.0}", "scale([one, 2.0])", False),
    ("{n / 2 for n in range(3)}", "scale([n / 2 for n in range(3)])", False),
    ("table.values()", "scale(list(table.values()))", False),
    ("(table.values())", "scale(list(table.values()))", False),
    ("n for n in [one, one]", "scale(list(n for n in [one, one]))", False),
    ("(n) * 2 for n in [one]", "scale(list((n) * 2 for n in [one]))", False),
    ("((n) * 2 for n in [one])", "scale(list((n) * 2 for n in [one]))", False),
]
TREES = """import jax
import jax.numpy as jnp


@jax.jit
def scale(tree):
    return jax.tree.map(lambda leaf: leaf * 2.0, tree)


one, table = jnp.ones(()), {"a": 1.0}
"""


@pytest.mark.parametrize(("given", "after", "is_safe"), CONTAINERS, ids=[given for given, _, _ in CONTAINERS])
def test_a_list_in_place_of_what_is_no_container(given: str, after: str, is_safe: bool) -> None:
    source = f"{TREES}scale({given})\n"
    with pytest.raises(TypeError):
        exec(compile(source, "before", "exec"), {})
    (found,) = diagnostics(source, "set-in-pytree")
    assert found.fix is not None
    assert found.fix.applicability.value == ("safe" if is_safe else "unsafe")
    assert after in fixed(source, "set-in-pytree")
    exec(compile(fixed(source, "set-in-pytree"), "after", "exec"), {})


@pytest.mark.parametrize("use", ["known = seen | {3.5}", "seen.add(1.0)", "1.5 in seen"])
def test_a_set_that_is_used_as_one_needs_a_look(use: str) -> None:
    source = f"{TREES}def f():\n    seen = {{1.5, 2.5}}\n    {use}\n    return scale(seen)\nf()\n"
    assert [d.fix.applicability.value for d in diagnostics(source, "set-in-pytree") if d.fix] == ["unsafe"]
    plain = source.replace(f"    {use}\n", "")
    assert [d.fix.applicability.value for d in diagnostics(plain, "set-in-pytree") if d.fix] == ["safe"]
