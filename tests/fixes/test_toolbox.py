"""The parts that fixes are made of, on small files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.diagnostics import Applicability, Edit, Fix, Span
from jaxlint.fixes.code import Code
from jaxlint.fixes.edits import Placed, choose, put
from jaxlint.fixes.edits import place as placed
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import fresh_name
from jaxlint.fixes.precedence import Level, operand, right_operand
from jaxlint.fixes.statement_edits import after, before
from jaxlint.syntax import ir
from jaxlint.syntax.positions import LineIndex
from jaxlint.syntax.source import Failure, read


def code(text: str) -> Code:
    source = read("block.py", text.encode(), "block", False)
    assert not isinstance(source, Failure), source
    return Code(source)


def place(file: Code, segment: str) -> int:
    """The ordinal of the last node with this text."""
    return [at for at in file.order if file.segment(at) == segment][-1]


def put_all(file: Code, *changes: object) -> str:
    return put(file.text, sorted(Placed(*change) for change in changes))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "segment", "outer"),
    [
        ("y = (x)\n", "x", "(x)"),
        ("y = ((x  # why\n))\n", "x", "((x  # why\n))"),
        ("f(x)\n", "x", "x"),
        ("f((x))\n", "x", "(x)"),
        ("(f)(x)\n", "f", "(f)"),
        ("f((yield_), x)\n", "x", "x"),
        ("y = f'{(x)}'\n", "x", "(x)"),
        ("y = (a), (x)\n", "x", "(x)"),
        ("def f(a=(x)): pass\n", "x", "x"),
        ("class A(x): pass\n", "x", "x"),
        ("y = (1, x)\n", "1, x", "(1, x)"),
        ("y = a[(x)]\n", "x", "(x)"),
    ],
)
def test_the_parentheses_of_an_expression(text: str, segment: str, outer: str) -> None:
    file = code(text)
    start, end = file.outer(place(file, segment))
    assert file.text[start:end] == outer


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("if a:\n    # why\n    x = 1  # y\n", "if a:\n    # why\n    new\n    x = 1  # y\n    last\n"),
        ("x = 1", "new\nx = 1\nlast"),
        ("a; x = 1; b\n", "a; new; x = 1; last; b\n"),
        ("a; x = 1;\n", "a; new; x = 1;\nlast\n"),
        ("if a: x = 1\n", "if a: new; x = 1; last\n"),
        ("if a: b; x = 1\n", "if a: b; new; x = 1; last\n"),
        ("\tx = (\n\t1)  # y\r\n".join(("if a:\r\n", "")), "if a:\r\n\tnew\r\n\tx = (\n\t1)  # y\r\n\tlast\r\n"),
    ],
)
def test_statements_beside_a_statement(text: str, wanted: str) -> None:
    file = code(text)
    statement = file.statement(next(at for at in file.order if file.segment(at).startswith("x = ")))
    last = after(file, statement, "last")
    assert last is not None
    assert put_all(file, before(file, statement, "new"), last) == wanted


def test_before_a_decorated_function() -> None:
    file = code("x = 1\n\n\n@a.b\n@c\nasync def f():\n    pass\n")
    function = file.node(place(file, "f"))
    assert put_all(file, before(file, function, "new")) == "x = 1\n\n\nnew\n@a.b\n@c\nasync def f():\n    pass\n"
    plain = code("async def f():\n    pass\n")
    assert put_all(plain, before(plain, plain.node(place(plain, "f")), "new")).startswith("new\nasync def f")
    assert after(file, function, "last") is None


@pytest.mark.parametrize(
    ("text", "qualified", "name", "wanted"),
    [
        ("import jax\nHERE\n", "jax.random.split", "jax.random.split", None),
        ("from jax import random as jr\nHERE\n", "jax.random.split", "jr.split", None),
        ("from jax.random import split\nHERE\n", "jax.random.split", "split", None),
        ("import jax.numpy as jnp\nHERE\n", "jax.numpy.where", "jnp.where", None),
        ("import jax\nHERE\n", "jax.numpy.where", "jnp.where", "import jax\nimport jax.numpy as jnp\nHERE\n"),
        (
            "import os\n\nimport jax  # why\nimport numpy as np\nfrom x import y\n\ndef f():\n    HERE\n",
            "jax.numpy.where",
            "jnp.where",
            "import os\n\nimport jax  # why\nimport jax.numpy as jnp\nimport numpy as np\nfrom x import y\n\n"
            "def f():\n    HERE\n",
        ),
        ('"""Doc."""\nHERE\n', "jax.debug.print", "jax.debug.print", '"""Doc."""\n\nimport jax\nHERE\n'),
        ("import numpy as jnp\nimport jax\nHERE\n", "jax.numpy.where", "jax.numpy.where", None),
        ("def f(jnp):\n    import jax\n    HERE\n", "jax.numpy.where", "jax.numpy.where", None),
        ("from numpy import x\nHERE\n", "jax.lax.cond", "jax.lax.cond", "import jax\nfrom numpy import x\nHERE\n"),
    ],
)
def test_the_name_of_a_thing(text: str, qualified: str, name: str, wanted: str | None) -> None:
    file = code(text)
    named = name_of(file, place(file, "HERE"), qualified)
    assert named is not None
    assert named.text == name
    assert put_all(file, *named.changes) == (wanted or text)


@pytest.mark.parametrize(
    "text",
    [
        "jax = 1\nHERE\n",
        "def f(jax):\n    HERE\n",
        "import jax\njax = 2\ndef f():\n    HERE\n",
        "def f():\n    jax = 2\n    def g():\n        HERE\n",
    ],
)
def test_a_taken_name_is_not_imported(text: str) -> None:
    file = code(text)
    assert name_of(file, place(file, "HERE"), "jax.random.split") is None


def test_fresh_names() -> None:
    file = code(
        "key = 1\ndef f(a, subkey):\n    def g(subkey_1): subkey_2\n    HERE\ndef h():\n    for keys in a: THERE\n"
    )
    assert fresh_name(file, place(file, "HERE"), "subkey") == "subkey_1"
    assert fresh_name(file, place(file, "HERE"), "key") == "key"
    assert fresh_name(file, place(file, "THERE"), "subkey") == "subkey"
    assert fresh_name(file, place(file, "THERE"), "keys") == "keys_1"


@pytest.mark.parametrize(
    ("text", "level", "wanted"),
    [
        ("a + b", Level.PRODUCT, "(a + b)"),
        ("a * b", Level.PRODUCT, "a * b"),
        ("f(a)[0].b", Level.ATOM, "f(a)[0].b"),
        ("1", Level.ATOM, "(1)"),
        ("-a", Level.POWER, "(-a)"),
        ("lambda: a", Level.CONDITIONAL, "(lambda: a)"),
        ("a, b", Level.YIELD, "(a, b)"),
        ("(a +\n b)", Level.TUPLE, "(a +\n b)"),
    ],
)
def test_operands(text: str, level: Level, wanted: str) -> None:
    file = code(f"x = {text}\n")
    value = file.statement(file.order[0]).value
    assert operand(file, value.at, level) == wanted


def test_right_operands() -> None:
    file = code("x = a - b\ny = a ** b\nz = -a\n")
    at = {text: place(file, text) for text in ("a - b", "a ** b", "-a")}
    assert right_operand(file, at["a - b"], "-") == "(a - b)"
    assert right_operand(file, at["a ** b"], "**") == "a ** b"
    assert right_operand(file, at["-a"], "**") == "-a"


def test_owners() -> None:
    file = code("@d\ndef f(a=E):\n    class A:\n        B = [C for x in y]\n    return lambda: D\n")
    names = {name: file.owner(place(file, name)) for name in "dEBCD"}
    assert names["d"] is names["E"] is None
    assert names["B"] is names["C"]
    assert isinstance(names["B"], ir.Class)
    assert isinstance(names["D"], ir.Function)
    assert names["D"].is_lambda


EDITS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 4), st.sampled_from(["", "a", "b"])).map(
        lambda e: Edit("f", Span(1, e[0] + 1, 1, e[0] + e[1] + 1), e[2])
    ),
    min_size=1, max_size=3,
)  # fmt: skip


@given(st.lists(EDITS, max_size=12))
def test_fixes_that_are_chosen_never_touch_the_same_text(fixes: list[list[Edit]]) -> None:
    lines = LineIndex("x" * 40)
    made = []
    for edits in fixes:
        own = placed(lines, edits)
        if not any(touch(one, other) for number, one in enumerate(own) for other in own[:number]):
            made.append(Fix("", Applicability.SAFE, tuple(edits)))
    chosen, edits = choose(lines, made)
    assert edits == sorted({edit for fix in chosen for edit in placed(lines, fix.edits)})
    assert not any(touch(one, other) for number, one in enumerate(edits) for other in edits[:number])
    for fix in made:
        if fix not in chosen:
            assert any(touch(one, other) for one in placed(lines, fix.edits) for other in edits if one != other)


def touch(one: Placed, other: Placed) -> bool:
    if one.start == one.end and other.start == other.end:
        return one.start == other.start
    if one.start == other.start and one.start != one.end and other.start != other.end:
        return True
    if one.start == one.end:
        return other.start < one.start < other.end
    if other.start == other.end:
        return one.start < other.start < one.end
    return max(one.start, other.start) < min(one.end, other.end)
