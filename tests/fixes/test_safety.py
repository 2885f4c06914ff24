"""Which fixes nobody has to read: where code always raises and nothing waits for that, it has no behaviour to keep."""

from __future__ import annotations

import pytest

from jaxlint.diagnostics import Applicability
from jaxlint.fixes.edits import apply
from tests.linting import diagnostics

HEAD = "import contextlib\nfrom functools import partial\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n"


def kinds(code: str, slug: str) -> list[str]:
    """How far the fix of each finding goes."""
    return [d.fix.applicability.value if d.fix else "none" for d in diagnostics(HEAD + code, slug)]


JIT = "@jax.jit\n"
THEN = "g = jax.jit(f)\ny = f(np.ones(()))\nz = g(2.0)\n"
STATIC = "@partial(jax.jit, static_argnums=1)\n"
ROOT = JIT + "def f(x):\n    return np.sqrt(x)\n"
PLAN = "def plan(n):\n    return 2 * jnp.arange(n)\n"
DECODE = JIT + "def f(x):\n    for side in plan(3):\n        x = jnp.roll(x, int(side))\n    return x\nf(np.ones(4))\n"
STORE = "x = jnp.zeros(3)\n"


@pytest.mark.parametrize(
    ("slug", "code", "kind"),
    [
        # NumPy on traced values
        ("numpy-on-tracer", ROOT, "safe"),
        ("numpy-on-tracer", ROOT + "y = f(2.0)\n", "safe"),
        ("numpy-on-tracer", "def f(x):\n    return np.sqrt(x)\n" + THEN, "unsafe"),
        ("numpy-on-tracer", "TABLE = np.ones(3)\n@jax.jit\ndef f(i):\n    return TABLE[i]\n", "safe"),
        # branches
        ("traced-branch", JIT + "def f(x):\n    return x if x > 0 else 0.1 * x\n", "safe"),
        ("traced-branch", JIT + "def f(x):\n    return x if x == 0 else 1 / x\n", "unsafe"),
        ("traced-branch", JIT + "def f(x):\n    return x if x > 0 else jnp.log(x)\n", "unsafe"),
        ("traced-branch", JIT + "def f(x, y):\n    return x if x > 0 else y\n", "unsafe"),
        ("traced-branch", JIT + "def f(x, n):\n    a = 1\n    if n > 9:\n        a = 2\n    return x * a\n", "safe"),
        ("traced-branch", JIT + "def f(x, n):\n    a = 0.1\n    if n > 9:\n        a *= 2\n    return x * a\n", "safe"),
        ("traced-branch", JIT + "def f(x):\n    return max(x, 0.0)\n", "safe"),
        ("traced-branch", "def f(x):\n    return x if x > 0 else 0.1 * x\n" + THEN, "unsafe"),
        # numbers
        ("concretization", JIT + "def f(x):\n    return 2 * float(x)\n", "safe"),
        ("concretization", "def f(x):\n    return 2 * float(x)\n" + THEN, "unsafe"),
        ("concretization", JIT + "def f(x):\n    return x[: int(jnp.ceil(x.shape[0] / 2))]\n", "safe"),
        ("concretization", JIT + "def f(x, n):\n    return x[: int(jnp.ceil(n / 2))]\n", "none"),
        # numbers that Python knew
        ("jnp-on-static-value", PLAN + DECODE, "safe"),
        ("jnp-on-static-value", PLAN + DECODE + "p = plan(3)\n", "unsafe"),
        ("jnp-on-static-value", PLAN.replace("arange(n)", "arange(0.5, n)") + DECODE, "unsafe"),
        ("jnp-on-static-value", PLAN.replace("arange(n)", "log2(n)[None]") + DECODE, "unsafe"),
        # tables
        ("traced-container-index", "R = [0.5, -1.0]\n@jax.jit\ndef f(i):\n    return R[i]\n", "safe"),
        ("traced-container-index", "R = [0.5, 1]\n@jax.jit\ndef f(i):\n    return R[i]\n", "unsafe"),
        ("traced-container-index", "R = [0.5, 1.0]\n@jax.jit\ndef f(i):\n    return R[i]\nR.append(2.0)\n", "unsafe"),
        ("traced-container-index", "R = [0.5, 1.0]\n@jax.jit\ndef f(i):\n    return R[i]\nR[0] = 2.0\n", "unsafe"),
        ("traced-container-index", "R = [0.5, 1.0]\ndef f(i):\n    return R[i]\nf(0)\njax.jit(f)(0)\n", "unsafe"),
        ("traced-container-index", JIT + "def f(x, i):\n    return [x, 2 * x][i]\n", "unsafe"),
        # static parameters
        ("traced-shape", JIT + "def f(x, n):\n    return jnp.zeros(n) + x\ny = f(1.0, 3)\n", "safe"),
        ("traced-shape", JIT + "def f(x, n):\n    return jnp.zeros(n) + x\n", "unsafe"),
        ("traced-shape", JIT + "def f(x, n):\n    return jnp.zeros(n) + x\ndef g(n):\n    f(1.0, n)\n", "unsafe"),
        ("static-name-mismatch",
         "@partial(jax.jit, static_argnames='wdith')\ndef f(x, width):\n    return x\n", "safe"),
        ("static-name-mismatch",
         "@partial(jax.jit, static_argnames='size')\ndef f(x, sizes, sized):\n    return x\n", "none"),
        ("static-name-mismatch", "@partial(jax.jit, static_argnums=2)\ndef f(x, n):\n    return x\n", "unsafe"),
        ("unhashable-static-argument",
         STATIC + "def f(x, shape):\n    return x.reshape(shape)\ny = f(jnp.ones(4), [2, 2])\n",
         "safe"),
        ("unhashable-static-argument",
         STATIC + "def f(x, s):\n    return x.reshape(s + [1])\ny = f(jnp.ones(4), [2, 2])\n",
         "unsafe"),
        ("array-as-static-argument",
         STATIC + "def f(x, w):\n    return x * w\ny = f(2.0, jnp.ones(2))\n", "safe"),
        # selections
        ("boolean-mask-index", JIT + "def f(x):\n    return x[x > 0].sum()\n", "safe"),
        ("boolean-mask-index", JIT + "def f(x, m):\n    return x[m > 0].sum()\n", "unsafe"),
        # dropped results
        ("discarded-at-update", STORE + "x.at[0].set(1)\nprint(x)\n", "safe"),
        ("discarded-at-update", STORE + "y = x\nx.at[0].set(1)\nprint(x)\n", "unsafe"),
        ("discarded-at-update", "def f(x):\n    x.at[0].set(1)\nf(jnp.ones(3))\n", "display-only"),
        ("in-place-array-method", STORE + "x.sort()\nprint(x)\n", "safe"),
        ("in-place-array-method", STORE + "np.add(x, 1, out=x)\nprint(x)\n", "safe"),
    ],
)  # fmt: skip
def test_what_always_raises_is_safe_where_it_means_one_thing(slug: str, code: str, kind: str) -> None:
    found = kinds(code, slug)
    assert found in ([kind], []) if kind == "none" else found == [kind]


@pytest.mark.parametrize(
    "handled",
    [
        "try:\n    y = f(2.0)\nexcept Exception:\n    y = 0\n",
        "try:\n    y = f(2.0)\nexcept TypeError:\n    pass\n",
        "with contextlib.suppress(TypeError):\n    y = f(2.0)\n",
        "import pytest\nwith pytest.raises(TypeError):\n    y = f(2.0)\n",
        "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"
        "        with self.assertRaises(TypeError):\n            f(2.0)\n",
    ],
)
def test_an_error_that_somebody_waits_for_is_behaviour(handled: str) -> None:
    assert kinds(ROOT + handled, "numpy-on-tracer") == ["unsafe"]


@pytest.mark.parametrize("handler", ["except Exception as e:\n    raise SystemExit(1) from e\n",
                                     "except Exception as e:\n    assert 'traced' in str(e)\n"])  # fmt: skip
def test_a_caller_that_gives_up_keeps_nothing(handler: str) -> None:
    assert kinds(f"{ROOT}try:\n    y = f(2.0)\n{handler}", "numpy-on-tracer") == ["safe"]


@pytest.mark.parametrize("handler", ["except TypeError:\n        x = x.at[i].set(v)", "except Exception:\n        pass",
                                     "except:\n        x = jnp.asarray(x)"])  # fmt: skip
def test_a_store_with_a_handler_around_it_is_no_finding(handler: str) -> None:
    code = f"def f(x, i, v):\n    try:\n        x[i] = v\n    {handler}\n    return x\nf(jnp.ones(3), 0, 1.0)\n"
    assert kinds(code, "in-place-item-assignment") == []
    assert kinds(code.replace("] = v", "] += v"), "in-place-augmented-assignment") == []


def test_a_store_to_a_parameter_of_a_compiled_function() -> None:
    code = JIT + "def f(u):\n    u[0] = 1.0\n    return u\nf(jnp.ones(3))\n"
    assert kinds(code, "in-place-item-assignment") == ["safe"]
    named = code.replace("u[0]", "u['a']").replace("f(jnp", "f({'a': 1.0})\nf(jnp")
    assert set(kinds(named, "in-place-item-assignment")) <= {"none"}


def test_a_conversion_of_numbers_that_jax_traced_needs_numpy_where_they_are_made() -> None:
    code = DECODE.replace("plan(", "jnp.arange(")
    (found,) = diagnostics(HEAD + code, "concretization", "jnp-on-static-value")[1:]
    assert found.fix is not None
    assert found.fix.applicability is Applicability.SAFE
    after = apply(HEAD + code, found.fix.edits)
    assert "np.arange(" in after.replace("jnp.", "")
    with pytest.raises(TypeError):
        exec(compile(HEAD + code, "before", "exec"), {})
    exec(compile(after, "after", "exec"), {})
