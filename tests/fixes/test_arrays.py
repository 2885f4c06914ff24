"""The fixes of the arrays family: what they write, how safe they call it, and that JAX then does what NumPy did."""

from __future__ import annotations

import io
import os
import random
import re
import tokenize
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.fixes.edits import apply
from tests.linting import diagnostics, fixed

os.environ.setdefault("JAX_PLATFORMS", "cpu")

STORE, AUGMENT, DISCARD, METHOD = (
    "in-place-item-assignment", "in-place-augmented-assignment", "discarded-at-update", "in-place-array-method",
)  # fmt: skip
HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nx = jnp.zeros((3, 3))\ni = jnp.array([0, 1])\n"


def only(before: str, slug: str) -> tuple[str, str]:
    """The text after the fixes of a rule, and the applicability of the first."""
    found = [d for d in diagnostics(before, slug) if d.fix]
    return fixed(before, slug), found[0].fix.applicability.value if found and found[0].fix else "none"


@pytest.mark.parametrize(
    ("slug", "before", "after", "applicability"),
    [
        # the forms of a store
        (STORE, "x[0] = 1", "x = x.at[0].set(1)", "safe"),
        (STORE, "x [ 0 ]=1", "x = x .at[ 0 ].set(1)", "safe"),
        (STORE, "(x)[0] = (1)", "x = (x).at[0].set(1)", "safe"),
        (STORE, "x[0] = 1, 2, 3", "x = x.at[0].set((1, 2, 3))", "safe"),
        (STORE, "x[0] = (1, 2, 3)", "x = x.at[0].set((1, 2, 3))", "safe"),
        (STORE, "x[0] = y = 1", "value = y = 1\nx = x.at[0].set(value)", "safe"),
        (STORE, "x[0], y = 1, 2  # a", "value, y = 1, 2  # a\nx = x.at[0].set(value)", "safe"),
        (STORE, "x[0], x[1] = x[1], x[0]",
         "value, value_1 = x[1], x[0]\nx = x.at[0].set(value)\nx = x.at[1].set(value_1)", "safe"),
        (STORE, "def f(a: jax.Array):\n    a[0], a[1] = a[1], a[0]\n    return a",
         "def f(a: jax.Array):\n    value, value_1 = a[1], a[0]\n    a = a.at[0].set(value)\n"
         "    a = a.at[1].set(value_1)\n    return a", "unsafe"),
        (STORE, "j, x[j] = 0, 1", "j, x[j] = 0, 1", "none"),
        (STORE, "x[0] = 1 + \\\n  2", "x = x.at[0].set(1 + \\\n  2)", "safe"),
        (STORE, "x[  # a\n  0] = (  # b\n  1  # c\n)", "x = x.at[  # a\n  0].set(  # b\n  1  # c\n)", "safe"),
        (STORE, "if True: x[0] = 1; y = 2", "if True: x = x.at[0].set(1); y = 2", "safe"),
        (STORE, "x[[0, 1]] = 1", "x = x.at[jnp.array([0, 1])].set(1)", "safe"),
        (STORE, "x[i] = 1", "x = x.at[i].set(1)", "safe"),
        (STORE, "x[0][1] = 1", "x = x.at[0].set(x[0].at[1].set(1))", "unsafe"),
        (STORE, "for x[0] in range(2): pass", "for x[0] in range(2): pass", "none"),
        # augmented
        (AUGMENT, "x[0, 1:] += 1", "x = x.at[0, 1:].add(1)", "safe"),
        (AUGMENT, "x[i] += 1", "x = x.at[i].add(1)", "unsafe"),
        (AUGMENT, "x[0] -= 1 + 2", "x = x.at[0].subtract(1 + 2)", "safe"),
        (AUGMENT, "x[..., None] *= 2", "x = x.at[..., None].multiply(2)", "safe"),
        (AUGMENT, "x[0] /= 2", "x = x.at[0].divide(2)", "safe"),
        (AUGMENT, "x[0] **= -2", "x = x.at[0].power(-2)", "safe"),
        (AUGMENT, "x[0] //= 1 + 1", "x = x.at[0].set(x[0] // (1 + 1))", "safe"),
        (AUGMENT, "x[0] %= -2", "x = x.at[0].set(x[0] % -2)", "safe"),
        (AUGMENT, "x[0] %= (  # why\n  2)", "x = x.at[0].set(x[0] % (  # why\n  2))", "safe"),
        (AUGMENT, "x @= x; x[:] @= x", "x @= x; x = x.at[:].set(x[:] @ x)", "safe"),
        (AUGMENT, "x[f()] //= 2", "x[f()] //= 2", "none"),
        # masks
        (STORE, "@jax.jit\ndef f(x):\n    x = x + 1\n    x[x > 2] = 0.\n    return x\nf(x)",
         "@jax.jit\ndef f(x):\n    x = x + 1\n    x = jnp.where(x > 2, 0., x)\n    return x\nf(x)", "unsafe"),
        (AUGMENT, "@jax.jit\ndef f(y):\n    x = y + 1\n    m = x > 2\n    x[m] += y[m]\n    return x\nf(x)",
         "@jax.jit\ndef f(y):\n    x = y + 1\n    m = x > 2\n    x = jnp.where(m, x + y, x)\n    return x\nf(x)",
         "unsafe"),
        (STORE, "@jax.jit\ndef f(x, y):\n    m = x > 2\n    x[m] = y\n    return x\nf(x, x)",
         "@jax.jit\ndef f(x, y):\n    m = x > 2\n    x[m] = y\n    return x\nf(x, x)", "none"),
        (STORE, "x[x > 2] = 0", "x = x.at[x > 2].set(0)", "safe"),
        # who else holds it
        (STORE, "def f():\n    x[0] = 1\nf()", "def f():\n    x[0] = 1\nf()", "display-only"),
        (STORE, "def f():\n    global x\n    x[0] = 1\nf()",
         "def f():\n    global x\n    x = x.at[0].set(1)\nf()", "unsafe"),
        (STORE, "def f(a):\n    a[0] = 1\n    return a\nf(x)",
         "def f(a):\n    a = a.at[0].set(1)\n    return a\nf(x)", "safe"),
        (STORE, "def f(a):\n    a[0] = 1\n    return a.sum()\nf(x)",
         "def f(a):\n    a = a.at[0].set(1)\n    return a.sum()\nf(x)", "unsafe"),
        (STORE, "def f(a):\n    a = a + 1\n    if a is not None:\n        a[0] = 1\n    return a.sum()\nf(x)",
         "def f(a):\n    a = a + 1\n    if a is not None:\n        a = a.at[0].set(1)\n    return a.sum()\nf(x)",
         "safe"),
        (STORE, "def f(a, b):\n    if b:\n        a = a + 1\n    else:\n        a[0] = 1\n    return a.sum()\nf(x, 0)",
         "def f(a, b):\n    if b:\n        a = a + 1\n    else:\n        a = a.at[0].set(1)\n"
         "    return a.sum()\nf(x, 0)",
         "unsafe"),
        (STORE, "def f(a):\n    a[0] = 1\nf(x)", "def f(a):\n    a[0] = 1\nf(x)", "display-only"),
        (STORE, "for r in [x, x]:\n    r[0] = 1", "for r in [x, x]:\n    r[0] = 1", "display-only"),
        (STORE, "for r in [x, x]:\n    r[0] = 1\n    print(r)",
         "for r in [x, x]:\n    r = r.at[0].set(1)\n    print(r)", "unsafe"),
        (STORE, "def f():\n    a = jnp.zeros(3)\n    b = a\n    b[0] = 1\n    return a, b\nf()",
         "def f():\n    a = jnp.zeros(3)\n    b = a\n    b = b.at[0].set(1)\n    return a, b\nf()", "unsafe"),
        (STORE, "def f():\n    a = jnp.zeros(3)\n    b = a\n    a[0] = 1\n    return a, b\nf()",
         "def f():\n    a = jnp.zeros(3)\n    b = a\n    a = a.at[0].set(1)\n    return a, b\nf()", "unsafe"),
        (STORE, "def f(a):\n    a[0] = 1\n    return a\nf(x), f(np.zeros(3))",
         "def f(a):\n    a[0] = 1\n    return a\nf(x), f(np.zeros(3))", "none"),
        (STORE, "d = {'a': x}\nd['a'][0] = 1", "d = {'a': x}\nd['a'] = d['a'].at[0].set(1)", "unsafe"),
        # results thrown away
        (DISCARD, "x.at[0].set(1)", "x = x.at[0].set(1)", "unsafe"),
        (DISCARD, "(x.at[0].set(1))", "x = (x.at[0].set(1))", "unsafe"),
        (DISCARD, "def f():\n    x.at[0].set(1)\nf()", "def f():\n    x.at[0].set(1)\nf()", "display-only"),
        (DISCARD, "def f():\n    a = jnp.ones(3)\n    a.at[0].get()\n    return a.sum()\nf()",
         "def f():\n    a = jnp.ones(3)\n    a.at[0].get()\n    return a.sum()\nf()", "none"),
        # methods
        (METHOD, "x.sort(axis=1)", "x = x.sort(axis=1)", "unsafe"),
        (METHOD, "x.fill(1 + 1)", "x = x.at[...].set(1 + 1)", "unsafe"),
        (METHOD, "np.copyto(x, np.ones(3))", "x = x.at[...].set(np.ones(3))", "unsafe"),
        (METHOD, "np.add.at(x, (0, 1), 2.)", "x = x.at[(0, 1)].add(2.)", "unsafe"),
        (METHOD, "np.add.at(x, [0, 0], 2.)", "x = x.at[jnp.array([0, 0])].add(2.)", "unsafe"),
        (METHOD, "np.add.at(x, 0,  # a\n  2.)", "np.add.at(x, 0,  # a\n  2.)", "none"),
        (METHOD, "np.fill_diagonal(x, 1.)", "x = jnp.fill_diagonal(x, 1., inplace=False)", "unsafe"),
        (METHOD, "h = np.asarray(x); h.sort()", "h = np.asarray(x); h.sort()", "none"),
        (METHOD, "np.random.shuffle(x)", "np.random.shuffle(x)", "none"),
    ],
)  # fmt: skip
def test_fix(slug: str, before: str, after: str, applicability: str) -> None:
    assert only(f"{HEAD}{before}\n", slug) == (f"{HEAD}{after}\n", applicability)


CONFIG = 'jax.config.update("jax_num_cpu_devices", 3)'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # a variable that is moved first stands between the imports
        ('import os\nimport jax\nimport jax.numpy as jnp\nx = jnp.ones(3)\n'
         f'os.environ["JAX_PLATFORMS"] = "cpu"\n{CONFIG}\n',
         'import os\nos.environ["JAX_PLATFORMS"] = "cpu"\n\nimport jax\nimport jax.numpy as jnp\n\n'
         f'{CONFIG}\nx = jnp.ones(3)\n'),
        (f"import os\nTOP = 1\nimport jax\nimport jax.numpy as jnp\nx = jnp.ones(3)\n{CONFIG}\n",
         f"import os\nTOP = 1\nimport jax\nimport jax.numpy as jnp\n\n{CONFIG}\nx = jnp.ones(3)\n"),
        # statements that may not run, or that the program reads before
        *((text, text) for text in (
            f"import jax\nimport sys\nk = jax.random.key(0)\nif len(sys.argv) > 1:\n    {CONFIG}\n",
            f"import jax\nk = jax.random.key(0)\ntry:\n    {CONFIG}\nexcept RuntimeError:\n    pass\n",
            f"import jax\nk = jax.random.key(0)\ndef f():\n    {CONFIG}\nf()\n",
            f"import jax\n{CONFIG.replace('3', '4')}\nk = jax.random.key(0)\n{CONFIG}\n",
        )),
    ],
)  # fmt: skip
def test_late_setting(before: str, after: str) -> None:
    assert fixed(before, "late-config") == after


CLASSES = """import dataclasses
from typing import NamedTuple
import jax, jax.numpy as jnp
class N(NamedTuple):
    x: jax.Array
@dataclasses.dataclass
class D:
    x: jax.Array
@dataclasses.dataclass(frozen=True)
class F:
    x: jax.Array
class P:
    def __init__(self, x): self.x = x
class Q(P):
    def put(self): self.x[0] = 1.
"""


@pytest.mark.parametrize(
    ("slug", "before", "after"),
    [
        (AUGMENT, "x[0] -= 1 + 2", "x = x.at[0].set(x[0] - (1 + 2))"),
        (AUGMENT, "x[0] += 1", "x = x.at[0].add(1)"),
        (METHOD, "np.subtract.at(x, 0, 1)", "np.subtract.at(x, 0, 1)"),
        (METHOD, "np.add.at(x, 0, 1)", "x = x.at[0].add(1)"),
    ],
)
def test_updates_are_those_of_the_targeted_release(slug: str, before: str, after: str) -> None:
    """`.at[...].subtract` is younger than the others."""
    assert fixed(HEAD + before, slug, "0.4.30") == HEAD + after


@pytest.mark.parametrize(
    ("before", "after", "applicability"),
    [
        ("s = N(jnp.zeros(2)); s.x[0] = 1.", "s = N(jnp.zeros(2)); s = s._replace(x=s.x.at[0].set(1.))", "safe"),
        ("s = D(jnp.zeros(2)); s.x[0] = 1.", "s = D(jnp.zeros(2)); s.x = s.x.at[0].set(1.)", "safe"),
        ("s = F(jnp.zeros(2)); s.x[0] = 1.",
         "s = F(jnp.zeros(2)); s = dataclasses.replace(s, x=s.x.at[0].set(1.))", "safe"),
        ("s = P(jnp.zeros(2)); s.x[0] = 1.", "s = P(jnp.zeros(2)); s.x = s.x.at[0].set(1.)", "safe"),
        ("class T(P):\n    x = jnp.zeros(2)\n    def __init__(self): pass\ns = T(); s.x[0] = 1.",
         "class T(P):\n    x = jnp.zeros(2)\n    def __init__(self): pass\ns = T(); s.x = s.x.at[0].set(1.)", "unsafe"),
        ("s = P(P(jnp.zeros(2))); s.x.x[0] = 1.", "s = P(P(jnp.zeros(2))); s.x.x = s.x.x.at[0].set(1.)", "unsafe"),
    ],
)  # fmt: skip
def test_attributes_are_replaced_as_their_class_lets_them(before: str, after: str, applicability: str) -> None:
    text, how = only(f"{CLASSES}{before}\n", STORE)
    assert (text, how) == (f"{CLASSES}{after}\n", applicability)
    names: dict[str, object] = {}
    exec(compile(f"{text}\nresult = s.x if not isinstance(s.x, P) else s.x.x\n", "<fixed>", "exec"), names)
    assert np.asarray(names["result"]).tolist() == [1.0, 0.0]


def test_the_reason_is_told() -> None:
    (found,) = diagnostics(f"{HEAD}def f(a):\n    a[0] = 1\nf(x)\n", STORE)
    assert found.fix is not None
    assert found.fix.reason == "the caller of `f` keeps the old `a`, and `a` is not read again here"


# --- properties

INDEX = st.sampled_from(
    ["0", "-1", "1:", "::2", "...", "None, 0", "(0)", "\n    0,  # which\n", "k", "k + 1 if k else 0"]
)
VALUE = st.sampled_from(["1", "-2", "(3)", "k + 1", "k if k else 2", "(  # v\n  4)", "x.sum()", "1 + \\\n  2", "5 - k"])
OPERATOR = st.sampled_from(["=", "+=", "-=", "*=", "//=", "%="])
ENDING = st.sampled_from(["", "  # note", " ;", "; y = 1", "; y = 2  # x[0] = 1"])
PREFIX = st.sampled_from(["", "if k is not None: ", "z = 0; "])


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A module that stores into an array `x` in many ways; `ARRAY` stands for the library that makes it."""
    lines = []
    for _ in range(draw(st.integers(1, 6))):
        store = f"x[{draw(INDEX)}] {draw(OPERATOR)} {draw(VALUE)}"
        lines.append(f"{draw(PREFIX)}{store}{draw(ENDING)}")
    if draw(st.booleans()):
        body = "\n".join(f"\t{line}" for text in lines for line in text.split("\n"))
        lines = [f"def f(x, k):  # says f\n{body}\n\treturn x", "x = f(x, 1)"]
    end = draw(st.sampled_from(["", "\n"]))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    text = "\n".join(["import ARRAY as xp  # library", "x = xp.arange(4, 8)", "k = 1", *lines]) + end
    return text.replace("\n", newline)


def all_fixed(text: str) -> str:
    while (after := fixed(fixed(text, STORE), AUGMENT)) != text:
        text = after
    return text


def comments(text: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        if token.type == tokenize.COMMENT:
            yield token.string


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs())
def test_fixing_keeps_the_rest_and_settles(program: str) -> None:
    before = program.replace("ARRAY", "jax.numpy")
    after = all_fixed(before)
    compile(after, "<fixed>", "exec")
    assert not [d for slug in (STORE, AUGMENT) for d in diagnostics(after, slug)]
    assert all_fixed(after) == after
    assert set(comments(before)) <= set(comments(after))
    for newline, other in (("\r\n", r"(?<!\r)\n"), ("\n", r"\r")):
        if newline in before and not re.search(other, before):
            assert not re.search(other, after)
    assert before.endswith("\n") == after.endswith("\n")


@settings(max_examples=15, deadline=None, derandomize=True)
@given(programs(), st.randoms(use_true_random=False))
def test_the_order_of_fixes_makes_no_difference(program: str, order: random.Random) -> None:
    before = program.replace("ARRAY", "jax.numpy")
    text = before
    while fixes := [d.fix for slug in (STORE, AUGMENT) for d in diagnostics(text, slug) if d.fix]:
        text = apply(text, order.choice(fixes).edits)
    assert text == all_fixed(before)


@pytest.mark.jax
@settings(max_examples=15, deadline=None, derandomize=True)
@given(programs())
def test_the_fixed_program_does_on_jax_what_it_did_on_numpy(program: str) -> None:
    results = []
    for text in (program.replace("ARRAY", "numpy"), all_fixed(program.replace("ARRAY", "jax.numpy"))):
        names: dict[str, object] = {}
        exec(compile(text, "<program>", "exec"), names)
        results.append(np.asarray(names["x"]).tolist())
    assert results[0] == results[1]
