"""Where a statement surely raises the path ends: `why` and the statistics say so, and cells of notebooks go on."""

from __future__ import annotations

from textwrap import dedent

from tests.analysis.places import said
from tests.linting import diagnostics

RAISING = """
    import jax

    def double(x):
        return 2 * x

    def draw(key, x):
        double(x, 3)
        return jax.random.normal(key), jax.random.normal(key)
"""


def test_why_says_that_the_code_before_raises() -> None:
    assert said(RAISING, 8, 12) == [
        "this code is not reached: the code before always raises; `double(x, 3)` is a call with arguments that the "
        "function does not take"
    ]


def cells(*sources: str) -> str:
    """A script of cells."""
    return "\n".join(f"# %%\n{dedent(source).strip()}\n" for source in sources)


def test_a_cell_that_raises_does_not_end_the_next_one() -> None:
    drawing = "first, second = jax.random.normal(key), jax.random.normal(key)"
    raising = "def double(x):\n    return 2 * x\n\ndouble(1, 3)\n" + drawing
    script = cells("import jax\nkey = jax.random.key(0)", raising, drawing)
    assert [d.span.line for d in diagnostics(script, "key-reuse") if d.span] == [13]
    assert diagnostics(script.replace("# %%", "#"), "key-reuse") == []


def test_a_call_in_a_cell_sees_what_was_bound_before_it() -> None:
    first = "import jax\n\ndef loss(x):\n    return x"
    second = "def slope(x):\n    return jax.value_and_grad(loss)(x)"
    call, again = "slope(1.0)", "def loss(x):\n    return x, x"
    assert diagnostics(cells(first, second, call, again), "missing-has-aux") == []
    assert len(diagnostics(cells(first, second, again, call), "missing-has-aux")) == 1
    assert len(diagnostics(cells(first, second, call, again, call), "missing-has-aux")) == 1
