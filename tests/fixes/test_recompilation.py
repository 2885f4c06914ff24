"""The fixes of the recompilation, pytrees and performance families."""

from __future__ import annotations

import pytest

from jaxlint.diagnostics import Applicability
from tests.linting import diagnostics, fixed

IMPORTS = (
    "import time\nfrom dataclasses import dataclass\nfrom functools import partial\n\n"
    "import jax\nimport jax.numpy as jnp\n\n\n"
)


def _fixed(source: str, slug: str) -> str:
    after = fixed(IMPORTS + source, slug)
    assert after[: len(IMPORTS)] == IMPORTS
    return after[len(IMPORTS) :]


F = '@partial(jax.jit, static_argnames="n")\ndef f(x, n):\n    return jnp.full(n, x)\n\n\n'

ARGUMENTS = [
    ("f(1.0, [2, 3])\n", "f(1.0, (2, 3))\n"),
    ("f(1.0, n=[2])\n", "f(1.0, n=(2,))\n"),
    ("f(1.0, [2,])\n", "f(1.0, (2,))\n"),
    ("f(1.0, [\n    2,  # rows\n    3,\n])\n", "f(1.0, (\n    2,  # rows\n    3,\n))\n"),
    ("f(1.0, ([2], [3]))\n", "f(1.0, ((2,), (3,)))\n"),
    ("f(1.0, [i for i in (2, 3)])\n", "f(1.0, tuple([i for i in (2, 3)]))\n"),
    ("n = [2, 3]\nf(1.0, n)\n", "n = [2, 3]\nf(1.0, tuple(n))\n"),
    ("n = {2, 3}\nf(1.0, (n))\n", "n = {2, 3}\nf(1.0, frozenset(n))\n"),
    ("f(1.0, {'a': 1})\n", "f(1.0, {'a': 1})\n"),
    ("def g(c):\n    f(1.0, [2] if c else None)\n", "def g(c):\n    f(1.0, [2] if c else None)\n"),
    ("f(1.0, [[2, 3], [4]])\n", "f(1.0, ((2, 3), (4,)))\n"),
    ("n = [2]\nf(1.0, [n, (3,)])\n", "n = [2]\nf(1.0, (tuple(n), (3,)))\n"),
    ("n = {2}\nf(1.0, (n, {3}))\n", "n = {2}\nf(1.0, (frozenset(n), frozenset({3})))\n"),
    ("n = [[2], [3]]\nf(1.0, n)\n", "n = [[2], [3]]\nf(1.0, n)\n"),
    ("n = [[2], [3]]\nf(1.0, [n, 4])\n", "n = [[2], [3]]\nf(1.0, [n, 4])\n"),
    ("f(1.0, [[i] for i in range(20)])\n", "f(1.0, [[i] for i in range(20)])\n"),
    ("f(1.0, [{'a': 1}])\n", "f(1.0, [{'a': 1}])\n"),
    ("f(1.0, [jnp.ones(2)])\n", "f(1.0, [jnp.ones(2)])\n"),
    ("n = [[2], [3]]\nf(1.0, [*n, 4])\n", "n = [[2], [3]]\nf(1.0, [*n, 4])\n"),
    ("n = [2, 3]\nf(1.0, [*n, 4])\n", "n = [2, 3]\nf(1.0, (*n, 4))\n"),
]


@pytest.mark.parametrize(("before", "after"), ARGUMENTS)
def test_arguments_that_have_no_hash(before: str, after: str) -> None:
    assert _fixed(F + before, "unhashable-static-argument") == F + after


def test_the_default_and_the_annotation_of_a_static_list() -> None:
    before = '@partial(jax.jit, static_argnames="n")\ndef f(x, n: list[int] = [2]):\n    return jnp.full(n, x)\n'
    after = before.replace("list[int] = [2]", "tuple[int, ...] = (2,)")
    assert _fixed(before, "unhashable-static-argument") == after


ANNOTATIONS = [
    ("list[list[int]]", "tuple[tuple[int, ...], ...]"),
    ("list[tuple[int, list[int]]]", "tuple[tuple[int, tuple[int, ...]], ...]"),
    ("tuple[list[int], set[str]]", "tuple[tuple[int, ...], frozenset[str]]"),
    ("list[dict[str, int]]", "list[dict[str, int]]"),
    ("list[list[int] | None]", "list[list[int] | None]"),
]


@pytest.mark.parametrize(("before", "after"), ANNOTATIONS)
def test_all_of_an_annotation_is_hashable_after_the_fix(before: str, after: str) -> None:
    source = '@partial(jax.jit, static_argnames="n")\ndef f(x, n: {}):\n    return x\n'
    assert _fixed(source.format(before), "unhashable-static-argument") == source.format(after)


STATICS = [
    ('@partial(jax.jit, static_argnames="k")', "@jax.jit"),
    ("@partial(jax.jit, static_argnums=1)", "@jax.jit"),
    ("@jax.jit(static_argnums=1)", "@jax.jit"),
    ("@partial(jax.jit, static_argnums=1, donate_argnums=0)", "@partial(jax.jit, donate_argnums=0)"),
    ("@partial(jax.jit, donate_argnums=0, static_argnums=(1,))", "@partial(jax.jit, donate_argnums=0)"),
    ('@partial(jax.jit, static_argnames=("k", "m"))', '@partial(jax.jit, static_argnames=("m",))'),
    ('@partial(jax.jit, static_argnames=("m", "k"))', '@partial(jax.jit, static_argnames=("m",))'),
    ("@partial(jax.jit, static_argnums=(1, 2))", "@partial(jax.jit, static_argnums=(2,))"),
    ('@partial(jax.jit, static_argnames=["m", "k"])', '@partial(jax.jit, static_argnames=["m"])'),
]


@pytest.mark.parametrize(("before", "after"), STATICS)
def test_an_array_is_static_no_more(before: str, after: str) -> None:
    rest = "\ndef f(x, k, m=1):\n    return jnp.convolve(x, k) * m\n\n\nf(jnp.ones(4), jnp.ones(2))\n"
    assert _fixed(before + rest, "array-as-static-argument") == after + rest


BODIES = [
    ("return x * n", True),
    ("return jnp.roll(x, n)", True),
    ("return x if n > 2 else -x", False),
    ("for _ in range(n):\n        x = x * 2\n    return x", False),
    ("return {1: x}[n]", False),
    ("return g(x, n)", False),
]


@pytest.mark.parametrize(("body", "is_fixed"), BODIES)
def test_a_varying_parameter_is_traced_where_the_function_only_computes_with_it(body: str, is_fixed: bool) -> None:
    source = (
        "def g(x, n):\n    return x\n\n\n@partial(jax.jit, static_argnums=1)\n"
        f"def f(x, n):\n    {body}\n\n\ndef run(x, k):\n    for n in range(k):\n        x = f(x, n)\n    return x\n"
    )
    after = source.replace("@partial(jax.jit, static_argnums=1)", "@jax.jit") if is_fixed else source
    assert _fixed(source, "varying-static-argument") == after


VARYING = [
    ("", "n", True),
    ("", "float(x.sum())", True),
    ("class Rate:\n    pass\n\n\n", "Rate()", False),
    ("@dataclass(eq=False)\nclass Rate:\n    n: int\n\n\n", "Rate(3)", False),
    ("", "lambda: 3", False),
    ("", "partial(jnp.roll, shift=3)", False),
    ("", "jax.tree_util.Partial(jnp.roll, shift=3)", True),
    ("", 'f"{n}"', False),
]


@pytest.mark.parametrize(("head", "argument", "is_fixed"), VARYING)
def test_a_varying_parameter_stays_static_if_jax_cannot_trace_its_values(
    head: str, argument: str, is_fixed: bool
) -> None:
    source = (
        f"{head}@partial(jax.jit, static_argnums=1)\ndef f(x, value):\n    return jnp.add(x, value.n)\n\n\n"
        f"def run(x, k):\n    for n in range(k):\n        x = f(x, {argument})\n    return x\n"
    )
    assert diagnostics(IMPORTS + source, "varying-static-argument")
    after = source.replace("@partial(jax.jit, static_argnums=1)", "@jax.jit") if is_fixed else source
    assert _fixed(source, "varying-static-argument") == after


NAMES = [
    ('static_argnames="step"', 'static_argnames="steps"'),
    ("static_argnames=('step', 'mode')", "static_argnames=('steps', 'mode')"),
    ('static_argnames="steps, mode"', 'static_argnames=("steps", "mode")'),
    ('static_argnames=("steps, mode",)', 'static_argnames=("steps", "mode",)'),
    ("static_argnums=3", 'static_argnames="mode"'),
    ("static_argnums=(1, 3)", 'static_argnums=1, static_argnames="mode"'),
    ('static_argnames="st"', 'static_argnames="st"'),
    ('static_argnames="siz"', 'static_argnames="size"'),
    ('static_argnames="verbose"', 'static_argnames="verbose"'),
    ("static_argnums=7", "static_argnums=7"),
    ('donate_argnames="stat", static_argnums=1', 'donate_argnames="state", static_argnums=1'),
]


@pytest.mark.parametrize(("before", "after"), NAMES)
def test_options_that_name_nothing(before: str, after: str) -> None:
    head, rest = "@partial(jax.jit, ", ")\ndef f(state, steps, size, *, mode):\n    return state\n"
    assert _fixed(head + before + rest, "static-name-mismatch") == head + after + rest


def test_an_index_that_is_counted_from_one() -> None:
    before = "@partial(jax.jit, static_argnums=2)\ndef f(x, n):\n    return x\n"
    assert _fixed(before, "static-name-mismatch") == before.replace("=2", "=1")


METHODS = [
    ("class A:\n    ", "@jax.jit", "@partial(jax.jit, static_argnums=0)"),
    ("class A:\n    ", "@partial(jax.jit, static_argnums=1)", "@partial(jax.jit, static_argnums=(0, 1))"),
    ("class A:\n    ", "@partial(jax.jit, static_argnums=(1, 2))", "@partial(jax.jit, static_argnums=(0, 1, 2))"),
    ("class A:\n    ", '@partial(jax.jit, static_argnames="n")',
     '@partial(jax.jit, static_argnames="n", static_argnums=0)'),
    ("class A:\n    def set(self, r):\n        self.r = r\n\n    ", "@jax.jit", "@jax.jit"),
    ("@dataclass(frozen=True)\nclass A:\n    r: float\n\n    ", "@jax.jit", "@partial(jax.jit, static_argnums=0)"),
    ("@dataclass\nclass A:\n    r: object\n\n    ", "@jax.jit", "@jax.jit"),
    ("class A:\n    def __eq__(self, other):\n        return self.r == other.r\n\n    ", "@jax.jit", "@jax.jit"),
    ("class A:\n    __hash__ = None\n\n    ", "@jax.jit", "@jax.jit"),
    ("@dataclass\nclass B:\n    r: float\n\n\nclass A(B):\n    ", "@jax.jit", "@jax.jit"),
    ("class B:\n    def __eq__(self, other):\n        return self.r == other.r\n\n\nclass A(B):\n    ", "@jax.jit",
     "@jax.jit"),
    ("class B:\n    def __eq__(self, other):\n        return self.r == other.r\n\n\n"
     "class A(B):\n    def __hash__(self):\n        return hash(self.r)\n\n    ", "@jax.jit",
     "@partial(jax.jit, static_argnums=0)"),
    ("@dataclass(eq=False)\nclass A:\n    r: list\n\n    ", "@jax.jit", "@partial(jax.jit, static_argnums=0)"),
    ("@dataclass(frozen=True)\nclass A:\n    r: list[float]\n\n    ", "@jax.jit", "@jax.jit"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "before", "after"), METHODS)
def test_methods(head: str, before: str, after: str) -> None:
    rest = "\n    def f(self, x, n=1):\n        return self.r * x\n"
    assert _fixed(head + before + rest, "jit-method-self") == head + after + rest


def test_a_dataclass_of_numbers_is_registered() -> None:
    body = "    r: float\n    x: jax.Array\n\n    @jax.jit\n    def f(self):\n        return self.r * self.x\n"
    source = f"@dataclass\nclass A:\n{body}"
    assert _fixed(source, "jit-method-self") == f"@jax.tree_util.register_dataclass\n{source}"


def test_a_frozen_dataclass_of_arrays_is_registered_since_arrays_have_no_hash() -> None:
    source = (
        "@dataclass(frozen=True)\nclass A:\n    x: jax.Array\n\n    @jax.jit\n    def f(self):\n        return self.x\n"
    )
    assert _fixed(source, "jit-method-self") == f"@jax.tree_util.register_dataclass\n{source}"


LOOPS = [
    (
        "    for b in xs:\n        step = jax.jit(lambda w: w * 2)  # why\n        w = step(w)\n    return w\n",
        "    for b in xs:\n        step = jax.jit(lambda w: w * 2)  # why\n        w = step(w)\n    return w\n",
    ),
    (
        "    for b in xs:\n        step = jax.jit(lambda w: w * 2)\n        w = step(w)\n    return w\n",
        "    step = jax.jit(lambda w: w * 2)\n    for b in xs:\n        w = step(w)\n    return w\n",
    ),
    (
        "    for b in xs:\n        w = jax.jit(lambda w: w * b)(w)\n    return w\n",
        "    for b in xs:\n        w = jax.jit(lambda w: w * b)(w)\n    return w\n",
    ),
    (
        "    while w > 1:\n        w = jax.jit(lambda v: v / 2)(w)\n    return w\n",
        "    compiled = jax.jit(lambda v: v / 2)\n    while w > 1:\n        w = compiled(w)\n    return w\n",
    ),
    (
        "    for b in xs:\n        # once\n        @jax.jit\n        def step(w):\n            # twice\n"
        "            return w * 2\n\n        w = step(w)\n    return w\n",
        "    @jax.jit\n    def step(w):\n        # twice\n        return w * 2\n\n"
        "    for b in xs:\n        # once\n        w = step(w)\n    return w\n",
    ),
]


@pytest.mark.parametrize(("before", "after"), LOOPS)
def test_functions_that_are_compiled_in_a_loop(before: str, after: str) -> None:
    head = "def run(xs, w):\n"
    assert _fixed(head + before, "jit-in-loop") == head + after


def test_a_function_that_reads_what_the_loop_changes_stays_there() -> None:
    source = (
        "def run(xs, w):\n    total = 0.0\n\n    def loss(v):\n        return v * total\n\n"
        "    for b in xs:\n        w = jax.jit(jax.grad(loss))(w)\n        total = total + b\n    return w\n"
    )
    assert _fixed(source, "jit-in-loop") == source
    writing = source.replace(
        "        return v * total", "        nonlocal total\n        total = 1.0\n        return v"
    )
    assert _fixed(writing, "jit-in-loop") == writing


SAFETY = [
    ("jax.jit(lambda v: jnp.sum(v))", True),
    ("jax.jit(lambda v: jax.numpy.sum(v))", True),
    ("jax.jit(partial(jnp.sum, axis=0))", True),
    ("jax.jit(lambda v: v * scale)", False),
    ("jax.jit(lambda v: apply(jnp.sum, v))", False),
    ("jax.jit(lambda v: lookup(jax).sum(v))", False),
]


@pytest.mark.parametrize(("made", "is_safe"), SAFETY)
def test_what_reads_jax_alone_is_moved_safely_however_it_is_imported(made: str, is_safe: bool) -> None:
    source = f"{IMPORTS}def run(xs, scale, apply, lookup):\n    for b in xs:\n        b = {made}(b)\n    return b\n"
    for text in (source, source.replace("jax.jit", "jit").replace("import jax\n", "import jax\nfrom jax import jit\n")):
        found = [d.fix.applicability for d in diagnostics(text, "jit-in-loop") if d.fix]
        assert found == [Applicability.SAFE if is_safe else Applicability.UNSAFE]


TIMED = [
    (
        "    t = time.time()\n    for _ in range(9):\n        x = f(x)\n    return time.time() - t\n",
        "    t = time.time()\n    for _ in range(9):\n        x = f(x)\n"
        "    jax.block_until_ready(x)\n    return time.time() - t\n",
    ),
    (
        "    t = time.time()\n    f(x)\n    return time.time() - t\n",
        "    t = time.time()\n    jax.block_until_ready(f(x))\n    return time.time() - t\n",
    ),
    (
        "    ts = []\n    for _ in range(9):\n        t = time.time()\n        y = f(x)\n"
        "        ts.append(time.time() - t)\n    return ts\n",
        "    ts = []\n    for _ in range(9):\n        t = time.time()\n        y = jax.block_until_ready(f(x))\n"
        "        ts.append(time.time() - t)\n    return ts\n",
    ),
]


@pytest.mark.parametrize(("before", "after"), TIMED)
def test_clocks(before: str, after: str) -> None:
    head = "@jax.jit\ndef f(x):\n    return jnp.sin(x @ x)\n\n\ndef run(x):\n"
    assert _fixed(head + before, "unsynchronized-timing") == head + after


def test_what_a_loop_stores_in_an_attribute_is_waited_for() -> None:
    source = (
        "@jax.jit\ndef f(x):\n    return jnp.sin(x @ x)\n\n\nclass A:\n    def run(self, x):\n        t = time.time()\n"
        "        for _ in range(9):\n            self.x = f(x)\n        return time.time() - t\n"
    )
    after = source.replace("        return time", "        jax.block_until_ready(self.x)\n        return time")
    assert _fixed(source, "unsynchronized-timing") == after


TREES = [
    ("jax.tree.map(lambda x: 0 if x is None else x, {'a': None})\n", True),
    ("jax.tree.map(\n    lambda x: 0 if x is None else x,\n    {'a': None},\n)\n", True),
    ("jax.tree.map(lambda x, y: x + y, {'a': None}, {'a': 1})\n", False),
]


@pytest.mark.parametrize(("source", "is_fixed"), TREES)
def test_trees_with_none(source: str, is_fixed: bool) -> None:
    assert ("is_leaf=lambda leaf: leaf is None" in _fixed(source, "none-in-pytree")) == is_fixed


@pytest.mark.jax
def test_a_copy_is_donated() -> None:
    source = (
        "@partial(jax.jit, donate_argnums=0)\ndef f(x):\n    return x * 2\n\n\n"
        'x = {"w": jnp.ones(3)}\ny = jax.tree.map(f, x)\nz = f(x["w"])\n'
    )
    assert _fixed(source, "use-after-donate") == source
    source = (
        "@partial(jax.jit, donate_argnums=0)\ndef f(x):\n    return x * 2\n\n\nx = jnp.ones(3)\ny = f(x)\nz = x + y\n"
    )
    after = fixed(IMPORTS + source, "use-after-donate")
    assert "y = f(jax.tree.map(jnp.copy, x))\n" in after
    exec(after, {})
