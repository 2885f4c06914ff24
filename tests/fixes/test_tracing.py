"""The fixes of the tracing family: branches, loops, conversions, NumPy, windows and containers."""

from __future__ import annotations

import pytest

from tests.linting import diagnostics, fixed

HEAD = """import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from scipy import special

TABLE = np.array([1.0, 2.0, 3.0])
RATES = [0.5, 0.25, 0.125]
NAMES = ["a", "b", "c"]
STEPS = (jnp.sin, jnp.cos)


def g(x):
    return x * 2


@jax.jit
def f(x, y, i):
"""


def body_of(statements: str, slug: str) -> str:
    """What the statements become in a traced function."""
    after = fixed(HEAD + _indented(statements), slug)
    assert after[: len(HEAD)] == HEAD
    return "\n".join(line[4:] for line in after[len(HEAD) :].splitlines())


def _indented(statements: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in statements.split("\n"))


BRANCHES = [
    ("return y if x > 0 else -y", "return jnp.where(x > 0, y, -y)"),
    ("return 2 * (y if x > 0 else -y)", "return 2 * jnp.where(x > 0, y, -y)"),
    ("return (1.0, y) if x > 0 else (y, 2.0)", "return (jnp.where(x > 0, 1.0, y), jnp.where(x > 0, y, 2.0))"),
    ("return y if x > 0 and not y < 1 else x",
     "return jnp.where(jnp.logical_and(x > 0, jnp.logical_not(y < 1)), y, x)"),
    ("return y if 0 < x < 1 else x", "return jnp.where(jnp.logical_and(0 < x, x < 1), y, x)"),
    ("return g(x) if x > 0 else g(y)", "return jax.lax.cond(x > 0, lambda: g(x), lambda: g(y))"),
    ("return x > 0 or y > 0", "return jnp.logical_or(x > 0, y > 0)"),
    ("return not x > 0", "return jnp.logical_not(x > 0)"),
    ("return max(x, y, 1.0)", "return jnp.maximum(x, jnp.maximum(y, 1.0))"),
    ("return min([x, y])", "return jnp.minimum(x, y)"),
    ("if x > 0:\n    y = y + 1\nreturn y", "y = jnp.where(x > 0, y + 1, y)\nreturn y"),
    ("if x > 0:\n    y += 1\nelse:\n    y -= x * 2\nreturn y", "y = jnp.where(x > 0, y + 1, y - x * 2)\nreturn y"),
    ("if x > 0:\n    y = 1.0  # why\nreturn y", "y = jnp.where(x > 0, 1.0, y)  # why\nreturn y"),
    (
        "if x > 0:  # why\n    # large\n    y = 1.0\nelse:  # else\n    y = 2.0\nreturn y",
        "# why\n# large\n# else\ny = jnp.where(x > 0, 1.0, 2.0)\nreturn y",
    ),
    ("if x > 0: y = 1.0\nelse: y = 2.0\nreturn y", "y = jnp.where(x > 0, 1.0, 2.0)\nreturn y"),
    (
        "if x > 0:\n    z = x\nelif y > 0:\n    z = y\nelse:\n    z = 0.0\nreturn z",
        "z = jnp.where(x > 0, x, jnp.where(y > 0, y, 0.0))\nreturn z",
    ),
    (
        "if x > 0:\n    a = x\n    b = y\nelse:\n    a = y\n    b = x\nreturn a, b",
        "condition = x > 0\na = jnp.where(condition, x, y)\nb = jnp.where(condition, y, x)\nreturn a, b",
    ),
    (
        "if x > y:\n    x = y + 0.0\n    y = 1.0\nreturn x, y",
        "condition = x > y\nx, y = jnp.where(condition, y + 0.0, x), jnp.where(condition, 1.0, y)\nreturn x, y",
    ),
    ("if x > 0:\n    return y\nelse:\n    return -y", "return jnp.where(x > 0, y, -y)"),
    ("if x > 0:\n    return y\nreturn -y", "return jnp.where(x > 0, y, -y)"),
    (
        "if x > 0:\n    return y\nif y > 0:\n    return x\nreturn 0.0",
        "return jnp.where(x > 0, y, jnp.where(y > 0, x, 0.0))",
    ),
    ("if x > 0:\n    return x, y\nreturn y, x", "return jnp.where(x > 0, x, y), jnp.where(x > 0, y, x)"),
    ("if x > 0:\n    z = g(x)\nelse:\n    z = g(y)\nreturn z",
     "z = jax.lax.cond(x > 0, lambda: g(x), lambda: g(y))\nreturn z"),
]  # fmt: skip

NO_BRANCHES = [
    "return y if x > 0 else None",
    "return [y] if x > 0 else y",
    "return f(y, x, i) if x > 0 else y",
    "return x or y",
    "if x > 0:\n    print(y)\nreturn y",
    "if x > 0:\n    z = y\n    y = z + 1\nreturn y",
    "if x > 0:\n    z = y\nreturn x",
    "if x > 0:\n    return y\ny = y + 1\nreturn y",
    "if x > 0:\n    raise ValueError\nreturn y",
    "if x is not None and x > 0:\n    y = 1.0\nreturn y",
    "if x > 0:\n    y = 1.0\nelse:\n    pass\nreturn y",
    "if x > 0:\n    return 'a'\nreturn 'b'",
    "return max(x, y, key=abs)",
]


@pytest.mark.parametrize(("before", "after"), BRANCHES)
def test_branches(before: str, after: str) -> None:
    assert body_of(before, "traced-branch") == after
    assert diagnostics(HEAD + _indented(after), "traced-branch") == []


@pytest.mark.parametrize("statements", NO_BRANCHES)
def test_branches_that_are_no_choice_between_values(statements: str) -> None:
    assert body_of(statements, "traced-branch") == statements


STATICS = [
    ("@jax.jit\ndef f(x, n, flag=True):\n    if flag:\n        x = x * 2\n    return x\n",
     '@functools.partial(jax.jit, static_argnames=("flag",))'),
    ("@jax.jit\ndef f(x, n, flag: bool):\n    return x if not flag else -x\n",
     '@functools.partial(jax.jit, static_argnames=("flag",))'),
    ('@functools.partial(jax.jit, static_argnames=("n",))\ndef f(x, n, flag=True):\n    return x if flag else -x\n',
     '@functools.partial(jax.jit, static_argnames=("n", "flag"))'),
    ('@functools.partial(jax.jit, static_argnames="n")\ndef f(x, n, flag=True):\n    return x if flag else -x\n',
     '@functools.partial(jax.jit, static_argnames=("n", "flag"))'),
    ("@functools.partial(jax.jit, donate_argnums=0)\ndef f(x, n, flag=True):\n    return x if flag else -x\n",
     '@functools.partial(jax.jit, donate_argnums=0, static_argnames=("flag",))'),
    ("def h(x, n, flag=True):\n    return x if flag else -x\n\n\nf = jax.jit(h)\nf(1.0, 2, False)\n",
     'f = jax.jit(h, static_argnames=("flag",))'),
]  # fmt: skip


@pytest.mark.parametrize(("source", "line"), STATICS)
def test_a_flag_becomes_static(source: str, line: str) -> None:
    after = fixed(f"import functools\n\nimport jax\n\n\n{source}\n\nf(1.0, 2, 3)\n", "traced-branch")
    assert line in after.splitlines()
    assert diagnostics(after, "traced-branch") == []


NO_STATICS = [
    "@jax.jit\n@jax.vmap\ndef f(x, n, flag=True):\n    return x if flag else -x\n",
    "@jax.jit\ndef f(x, n, flag=True):\n    flag = flag * x\n    return x if flag else -x\n",
    "@jax.jit\ndef f(x, flag: bool, /):\n    return x if flag else -x\n",
    "@jax.jit\ndef f(x, n, flag=True):\n    return x if flag else -x\n\n\nf(1.0, 2, jax.numpy.array(True))\n",
]


@pytest.mark.parametrize("source", NO_STATICS)
def test_what_cannot_be_static_is_not_made_so(source: str) -> None:
    assert "static_argnames" not in fixed(f"import jax\n\n\n{source}", "traced-branch")


def test_a_shape_makes_its_parameter_static() -> None:
    body = "    m = 2 * n\n    return jnp.zeros((m, 3))\n"
    source = f"from jax import jit\nimport jax.numpy as jnp\n\n\n@jit\ndef f(n):\n{body}"
    after = fixed(source, "traced-shape")
    assert after.startswith("import functools\n\nfrom jax import jit\n")
    assert '@functools.partial(jit, static_argnames=("n",))\n' in after


OTHERS = [
    ("numpy-on-tracer", "return np.sin(x)", "return jnp.sin(x)"),
    ("numpy-on-tracer", "return np.linalg.inv(x)", "return jnp.linalg.inv(x)"),
    ("numpy-on-tracer", "return special.expit(x)", "return jax.scipy.special.expit(x)"),
    ("numpy-on-tracer", "return np.dot(x, [1.0, 2.0])", "return jnp.dot(x, jnp.array([1.0, 2.0]))"),
    ("numpy-on-tracer", "return np.stack([x, y])", "return jnp.stack([x, y])"),
    ("numpy-on-tracer", "return TABLE[i]", "return jnp.asarray(TABLE)[i]"),
    ("numpy-on-tracer", "return np.maximum(np.exp(x), y)", "return jnp.maximum(jnp.exp(x), y)"),
    ("numpy-on-tracer", "return np.exp(x, out=y)", "return np.exp(x, out=y)"),
    ("numpy-on-tracer", "return np.unique(x)", "return np.unique(x)"),
    ("numpy-on-tracer", "return np.where(x)", "return np.where(x)"),
    ("numpy-on-tracer", "return np.hypot(*[x, y])", "return np.hypot(*[x, y])"),
    ("concretization", "return float(x)", "return jnp.asarray(x, dtype=float)"),
    ("concretization", "return int(x.sum()) + 1", "return jnp.asarray(x.sum(), dtype=int) + 1"),
    ("concretization", "return float(jnp.mean(x))", "return jnp.mean(x)"),
    ("concretization", "return (x * y).sum().item()", "return (x * y).sum()"),
    ("concretization", "return x.item()", "return x.reshape(())"),
    ("concretization", "return math.exp(x)", "return jnp.exp(x)"),
    ("concretization", "return math.log(x, 2)", "return math.log(x, 2)"),
    ("concretization", "return int(jnp.ceil(x.shape[0] / 2))", "return int(np.ceil(x.shape[0] / 2))"),
    (
        "concretization",
        "n = jnp.prod(jnp.array(x.shape))\nreturn x.reshape(int(n))",
        "n = np.prod(np.array(x.shape))\nreturn x.reshape(int(n))",
    ),
    ("concretization", "return jnp.ones(int(jnp.sqrt(x.size)))", "return jnp.ones(int(np.sqrt(x.size)))"),
    ("concretization", "return jnp.ones(int(jnp.sqrt(i)))", "return jnp.ones(int(jnp.sqrt(i)))"),
    (
        "concretization",
        "return jnp.ones(int(jnp.sum(jnp.array(x.shape), axis=0)))",
        "return jnp.ones(int(jnp.sum(jnp.array(x.shape), axis=0)))",
    ),
    ("concretization", "return jnp.zeros(int(x.sum()))", "return jnp.zeros(int(x.sum()))"),
    ("concretization", "return jnp.resize(x, (int(y[0]), 2))", "return jnp.resize(x, (int(y[0]), 2))"),
    ("concretization", "n = int(x.sum())\nreturn jnp.zeros(n)", "n = int(x.sum())\nreturn jnp.zeros(n)"),
    ("concretization", "return x.tolist()", "return x.tolist()"),
    ("traced-container-index", "return RATES[i]", "return jnp.array(RATES)[i]"),
    ("traced-container-index", "return [x, y][i]", "return jnp.array([x, y])[i]"),
    ("traced-container-index", "return STEPS[i](x)", "return jax.lax.switch(i, STEPS, x)"),
    ("traced-container-index", "return NAMES[i]", "return NAMES[i]"),
    ("traced-container-index", "return RATES[:i]", "return RATES[:i]"),
    ("traced-slice-bound", "return x[i : i + 3]", "return jax.lax.dynamic_slice_in_dim(x, i, 3)"),
    ("traced-slice-bound", "return x[:, i : i + 3]", "return jax.lax.dynamic_slice_in_dim(x, i, 3, axis=1)"),
    (
        "traced-slice-bound",
        "return x[i : i + 3, :, i : i + 2]",
        "return jax.lax.dynamic_slice_in_dim(jax.lax.dynamic_slice_in_dim(x, i, 3), i, 2, axis=2)",
    ),
    ("traced-slice-bound", "return x[i : i + 3, :2]", "return x[i : i + 3, :2]"),
    ("traced-slice-bound", "return x[i * 2 : i * 2 + 3]", "return jax.lax.dynamic_slice_in_dim(x, i * 2, 3)"),
    ("traced-slice-bound", "return x.at[i : i + 2].add(1.0)", "return x.at[i + jnp.arange(2)].add(1.0)"),
    ("traced-slice-bound", "return x.at[:i].set(y[:i])", "return jnp.where(jnp.arange(x.shape[0]) < i, y, x)"),
    ("traced-slice-bound", "return x[:i].sum()", "return x.sum(where=jnp.arange(x.shape[0]) < i)"),
    (
        "traced-slice-bound",
        "return jnp.sum(x[i:] * y[i:])",
        "return jnp.sum(x * y, where=jnp.arange(x.shape[0]) >= i)",
    ),
    ("traced-slice-bound", "return jnp.sum(x[:i] * y[1 : i + 1])", "return jnp.sum(x[:i] * y[1 : i + 1])"),
    ("traced-slice-bound", "return x[:i]", "return x[:i]"),
    ("traced-slice-bound", "n = x[:, :i]\nreturn n.sum() / len(n)", "n = x[:, :i]\nreturn n.sum() / len(n)"),
    ("traced-slice-bound", "return x[None, :i].sum()", "return x[None, :i].sum()"),
    ("traced-slice-bound", "return x[:i, 0].sum()", "return x[:i, 0].sum()"),
    ("traced-slice-bound", "return x.at[0, :i].set(1.0)", "return x.at[0, :i].set(1.0)"),
    ("traced-slice-bound", "return x[i : i + y]", "return x[i : i + y]"),
]


ELEMENTS = [
    ("[jnp.sin, g]", "h = xs[i]\nreturn h(x)"),
    ("[lambda v, k=k: v * k for k in range(12)]", "h = xs[i]\nreturn h(x)"),
    ("(functools.partial(g), jax.jit(g))", "return jax.vmap(xs[i])(x)"),
    ("[{'w': 1.0}, {'w': 2.0}]", "p = xs[i]\nreturn p['w'] * x"),
    ("[[jnp.sin, g], [g, jnp.cos]]", "h, k = xs[i]\nreturn h(k(x))"),
    ("[Point(), Point()]", "p = xs[i]\nreturn p.x * x"),
    ("[name.upper() for name in NAMES]", "p = xs[i]\nreturn TABLE[len(p)] * x"),
]


@pytest.mark.parametrize(("made", "statements"), ELEMENTS)
def test_no_array_is_made_of_elements_that_it_cannot_hold(made: str, statements: str) -> None:
    source = HEAD.replace("@jax.jit", f"class Point:\n    x = 1.0\n\n\nxs = {made}\n\n\n@jax.jit")
    source += _indented(statements)
    assert diagnostics(source, "traced-container-index")
    assert fixed(source, "traced-container-index") == source


@pytest.mark.parametrize(
    ("made", "read", "after"),
    [
        ("[g, jnp.sin]", "xs[i](x)", "jax.lax.switch(i, xs, x)"),
        ("[(1.0, 2.0), (3.0, 4.0)]", "xs[i]", "jnp.array(xs)[i]"),
        ("[[float(k)] for k in range(12)]", "xs[i]", "jnp.array(xs)[i]"),
        ("[Weight(), Weight()]", "xs[i]", "jnp.array(xs)[i]"),
    ],
)
def test_elements_that_an_array_or_a_switch_takes(made: str, read: str, after: str) -> None:
    weight = "class Weight:\n    def __jax_array__(self):\n        return jnp.ones(2)\n\n\n"
    head = HEAD.replace("@jax.jit", f"{weight}xs = {made}\n\n\n@jax.jit")
    assert fixed(head + f"    return {read}\n", "traced-container-index") == head + f"    return {after}\n"


@pytest.mark.parametrize(("slug", "before", "after"), OTHERS)
def test_other_fixes(slug: str, before: str, after: str) -> None:
    assert body_of(before, slug) == after


TEXTS = [
    ('line = f"{x:.2f} {y}"\nprint(line)\nreturn x', 'jax.debug.print("{:.2f} {}", x, y)\nreturn x'),
    ('line = "x " + str(x)\ny = y + 1\nprint(line)\nreturn y', 'y = y + 1\njax.debug.print("x {}", x)\nreturn y'),
    ('line = "%s" % x\nx = x + 1\nprint(line)\nreturn x', None),
    ('line = f"{x}"\nprint(line)\nreturn {line: x}', None),
    ('line = f"{x}"\nif x.ndim:\n    print(line)\nreturn x', None),
    ('line = f"{x}"  # why\nprint(line)\nreturn x', None),
]


@pytest.mark.parametrize(("before", "after"), TEXTS)
def test_texts_that_are_only_printed(before: str, after: str | None) -> None:
    assert body_of(before, "tracer-formatting") == (before if after is None else after)


LOOPS = [
    (
        "traced-iteration-count",
        "n = i.astype(int)\nt = 0.0\nfor k in range(n):\n    # each\n    t = t + x * k  # why\nreturn t",
        "n = i.astype(int)\nt = 0.0\n\ndef body(k, t):\n    # each\n    t = t + x * k  # why\n    return t\n\n"
        "t = jax.lax.fori_loop(0, n, body, t)\nreturn t",
    ),
    (
        "traced-iteration-count",
        "body = i.astype(int)\na, b = x, y\nfor _ in range(1, body):\n    c = a\n    a = b\n    b = c + a\nreturn a",
        "body = i.astype(int)\na, b = x, y\n\ndef body_1(_, carry):\n    a, b = carry\n    c = a\n    a = b\n"
        "    b = c + a\n"
        "    return a, b\n\na, b = jax.lax.fori_loop(1, body, body_1, (a, b))\nreturn a",
    ),
    (
        "traced-while",
        "while x > 1 and y > 0:\n    x = x / 2\nreturn x",
        "def condition(x):\n    return jnp.logical_and(x > 1, y > 0)\n\ndef body(x):\n    x = x / 2\n    return x\n\n"
        "x = jax.lax.while_loop(condition, body, x)\nreturn x",
    ),
]


@pytest.mark.parametrize(("slug", "before", "after"), LOOPS)
def test_loops(slug: str, before: str, after: str) -> None:
    assert body_of(before, slug) == after
    assert diagnostics(HEAD + _indented(after), slug) == []


NO_LOOPS = [
    ("traced-iteration-count", "n = i.astype(int)\nt = []\nfor k in range(n):\n    t.append(x)\nreturn t"),
    ("traced-iteration-count", "n = i.astype(int)\nt = x\nfor k in range(n):\n    t = t + k\nreturn t + k"),
    ("traced-iteration-count", "n = i.astype(int)\nt = x\nfor k in range(n):\n    t = t + k\n    break\nreturn t"),
    (
        "traced-iteration-count",
        "n = i.astype(int)\nt = x\nfor k in range(n):\n    if k > 1:\n        t = t + k\nreturn t",
    ),
    ("traced-iteration-count", "n = i.astype(int)\nfor k in range(n):\n    t = k\nreturn t"),
    ("traced-iteration-count", "n = i.astype(int)\nt = None\nfor k in range(n):\n    t = x + k\nreturn t"),
    ("traced-iteration-count", "n = i.astype(int)\nt = x\nfor k in range(0, n, 2):\n    t = t + k\nreturn t"),
    ("traced-iteration-count", "n = i.astype(int)\nt = x\nfor k in range(n): t = t + k\nreturn t"),
    ("traced-while", "while x > 1:\n    x = x / 2\nelse:\n    x = y\nreturn x"),
    ("traced-while", "while x > 1:\n    x = x / 2\n    return x\nreturn y"),
    ("traced-while", "while x > 1 and y is not None:\n    x = x / 2\nreturn x"),
]


@pytest.mark.parametrize(("slug", "statements"), NO_LOOPS)
def test_loops_that_do_more_than_computing(slug: str, statements: str) -> None:
    assert body_of(statements, slug) == statements


def test_no_loop_of_unknown_length_where_a_gradient_goes_backwards() -> None:
    source = (
        "import jax\n\n\ndef f(x):\n    while x > 1:\n        x = x / 2\n    return x\n\n\njax.jit(jax.grad(f))(3.0)\n"
    )
    assert fixed(source, "traced-while") == source


RUN = [("traced-branch", *pair) for pair in BRANCHES] + [case for case in (*OTHERS, *LOOPS) if case[1] != case[2]]


@pytest.mark.jax
@pytest.mark.parametrize(("slug", "before", "after"), RUN)
def test_the_fixed_code_gives_when_traced_what_the_other_gives_without(slug: str, before: str, after: str) -> None:
    import jax
    import numpy as np

    shape = () if slug in ("traced-branch", "traced-while", "concretization") or "RATES" in before else (4,)
    shape = () if slug == "traced-iteration-count" else (8,) if slug == "traced-slice-bound" else shape
    shape = (8,) if "x.shape[0] / 2" in before else shape
    shape = (5, 5) if ":, i" in before or "inv" in before else (2,) if "dot" in before else shape
    shape = (8, 2, 8) if ":, i : i + 2" in before else shape
    rng = np.random.default_rng(0)
    for _ in range(3):
        x, y = rng.uniform(0.5, 4.0, (2, *shape)).astype("float32")
        results = []
        for text, traced in ((before, False), (after, True)):
            names: dict[str, object] = {}
            exec(HEAD.replace("" if traced else "@jax.jit\n", "") + _indented(text), names)
            x, y, i = jax.numpy.array(x), jax.numpy.array(y), jax.numpy.array(1)
            results.append(names["f"](x, y, i))  # type: ignore[operator]
        for one, other in zip(*map(jax.tree.leaves, results), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5)
