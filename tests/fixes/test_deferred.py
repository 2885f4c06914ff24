"""Statements that become callbacks, keys that become rows, and what else is found while tracing: text and result."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.linting import fixed

os.environ.setdefault("JAX_PLATFORMS", "cpu")

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"


def after(code: str, slug: str) -> str:
    """What the fixes of a rule make of a module that starts with the usual imports."""
    text = fixed(HEAD + code, slug)
    assert text.startswith(HEAD), text
    return text.removeprefix(HEAD)


def run(code: str) -> dict[str, Any]:
    """The names of a module that JAX has run."""
    import jax

    names: dict[str, Any] = {}
    exec(compile(HEAD + code, "module", "exec"), names)
    jax.effects_barrier()
    return names


def finish(value: Any) -> None:
    """Wait for a value and for the callbacks behind it."""
    import jax

    value.block_until_ready()
    jax.effects_barrier()


ASSERT = "@jax.jit\ndef f(x, flag=True):\n    y = 2 * x\n    assert (y > 0).all(), 'y'  # positive\n    return y\n"


def test_an_assertion_becomes_a_function_with_its_comment() -> None:
    assert after(ASSERT, "traced-branch") == (
        "@jax.jit\ndef f(x, flag=True):\n    y = 2 * x\n\n    def check(y):\n"
        "        assert (y > 0).all(), 'y'  # positive\n\n    jax.debug.callback(check, y)\n    return y\n"
    )


def test_it_runs_at_each_call_and_fails_where_it_should() -> None:
    names = run(after(ASSERT, "traced-branch"))
    assert float(names["f"](1.0)) == 2.0
    with pytest.raises(Exception, match="y"):
        finish(names["f"](-1.0))


@pytest.mark.parametrize(
    "statement",
    [
        "if flag: assert y > 0",  # on one line with what guards it
        "z = 1; assert y > 0",
        "assert y > 0; z = 1",
        'assert y > 0, """many\n    lines"""',
        "assert y > 0 and \\\n        y < 9",
        "assert all(v > 0 for v in [y])",  # a scope of its own
        "assert (z := y) > 0",
        "assert check(y) and known(flag) is y > 0",  # what `known` is nobody knows
    ],
)
def test_an_assertion_that_cannot_move_stays(statement: str) -> None:
    code = f"@jax.jit\ndef f(y, flag=True):\n    known, check = globals()['k'], bool\n    {statement}\n    return y\n"
    assert "jax.debug.callback" not in after(code, "traced-branch")


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ("seen.append(y)", "jax.debug.callback(lambda y: seen.append(y), y)"),
        ("seen . append( y ) # why", "jax.debug.callback(lambda y: seen . append( y ), y) # why"),
        ("z = 1; seen.append(y)", "z = 1; jax.debug.callback(lambda y: seen.append(y), y)"),
        ("seen.append((x, y))", "jax.debug.callback(lambda x, y: seen.append((x, y)), x, y)"),
        ("seen.append(1)", "seen.append(1)"),  # no value of the run
        ("seen.append(str)", "seen.append(str)"),
        ("seen.append(y); z = len(seen)", "seen.append(y); z = len(seen)"),  # the trace looks at it
        ("seen.pop(y)", "seen.pop(y)"),
    ],
)
def test_a_list_takes_the_values_of_each_run(before: str, wanted: str) -> None:
    code = "seen = [0]\n@jax.jit\ndef f(x):\n    y = 2 * x\n    {}\n    return y\n"
    assert after(code.format(before), "captured-mutation") == code.format(wanted)


def test_the_list_holds_one_value_for_each_call() -> None:
    code = "seen = []\n@jax.jit\ndef f(x):\n    y = 2 * x\n    seen.append(y)\n    return y\nf(1.0)\nf(2.0)\n"
    assert [float(each) for each in run(after(code, "captured-mutation"))["seen"]] == [2.0, 4.0]


MAPPED = (
    "def f(key, x):\n    return x + jax.random.normal(key)\n"
    "def g(key, xs):\n    return jax.vmap(f, in_axes=({}, 0))({}, xs)\n"
)


def test_a_broadcast_key_is_split_where_it_is_given() -> None:
    wanted = MAPPED.format("0", "jax.random.split(key, xs.shape[0])")
    assert after(MAPPED.format("None", "key"), "same-key-across-batch") == wanted
    drawn = run(f"{wanted}y = g(jax.random.key(0), jnp.zeros(3))\n")["y"]
    assert len(set(drawn.tolist())) == 3


@pytest.mark.parametrize(
    "use",
    [
        "m = jax.vmap(f, in_axes=(None, 0))\na = m(key, xs)\nb = m(key, xs)\n",  # two calls
        "AXES = (None, 0)\na = jax.vmap(f, in_axes=AXES)(key, xs)\n",
        "a = jax.vmap(f, in_axes=(None, 0))(key, make())\n",  # evaluated twice
    ],
)
def test_a_broadcast_key_that_others_share_stays(use: str) -> None:
    code = f"def f(key, x):\n    return x + jax.random.normal(key)\ndef run(key, xs, make):\n    {use.strip()}\n"
    code = code.replace("\na", "\n    a").replace("\nb", "\n    b")
    assert after(code, "same-key-across-batch") == code


@pytest.mark.parametrize(
    ("slug", "before", "wanted"),
    [
        ("in-place-array-method",
         "x = jnp.ones(2)\nnp.add(x, 1, out=x)  # a\ny = x\n",
         "x = jnp.ones(2)\nx = jnp.add(x, 1)  # a\ny = x\n"),
        ("in-place-array-method", "x = jnp.ones(2)\nnp.add(x, 1, out=x, where=x > 0)\ny = x\n", None),
        ("in-place-item-assignment",
         "d = {'a': jnp.ones(2)}\nd['a'][0] = 2\n",
         "d = {'a': jnp.ones(2)}\nd['a'] = d['a'].at[0].set(2)\n"),
        ("data-dependent-shape",
         "@jax.jit\ndef f(x):\n    i = jnp.where(x > 0)[0]\n    return x[i[0]]\ny = f(jnp.ones(2))\n",
         "@jax.jit\ndef f(x):\n    i = jnp.where(x > 0, size=1)[0]\n    return x[i[0]]\ny = f(jnp.ones(2))\n"),
        ("data-dependent-shape", "@jax.jit\ndef f(x):\n    i = jnp.where(x > 0)[0]\n    return x[i[1]]\n", None),
        ("concretization",
         "@jax.jit\ndef f(xs):\n    i = int(xs[0])\n    return {'a': float(xs[i])}\ny = f(jnp.ones(3))\n",
         "@jax.jit\ndef f(xs):\n    i = jnp.asarray(xs[0], dtype=int)\n"
         "    return {'a': jnp.asarray(xs[i], dtype=float)}\n"
         "y = f(jnp.ones(3))\n"),
    ],
)  # fmt: skip
def test_other_forms(slug: str, before: str, wanted: str | None) -> None:
    found = after(before, slug)
    assert found == (before if wanted is None else wanted)
    if wanted is not None:
        run(found)
