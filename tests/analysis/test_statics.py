"""Static parameters are read from every way to spell them; what cannot be read claims nothing."""

from __future__ import annotations

import pytest

from tests.analysis.places import said
from tests.linting import marked_lines

TEMPLATE = """
import functools
import jax

NUMBERS = (1, 2)

def step(x, n, mode="fast"):
    return x

{use}
"""


def statics(use: str) -> str:
    """What the header of `step` says of its static parameters."""
    sentence = said(TEMPLATE.format(use=use), 6, 5)[0]
    return sentence.partition("static: ")[2]


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("f = jax.jit(step, static_argnums=1)", "`n`"),
        ("f = jax.jit(step, static_argnums=(1, 2))", "`n`, `mode`"),
        ("f = jax.jit(step, static_argnums=[1])", "`n`"),
        ("f = jax.jit(step, static_argnums=-1)", "`mode`"),
        ("f = jax.jit(step, static_argnums=NUMBERS)", "`n`, `mode`"),
        ("f = jax.jit(step, static_argnames='n')", "`n`"),
        ("f = jax.jit(step, static_argnames=('n', 'mode'))", "`n`, `mode`"),
        ("f = functools.partial(jax.jit, static_argnames=['mode'])(step)", "`mode`"),
        ("f = jax.jit(step, static_argnums=(1,), static_argnames='mode')", "`n`, `mode`"),
        ("f = jax.jit(step, static_argnames=None)", ""),
        ("f = jax.jit(step)", ""),
        ("f = jax.jit(step, static_argnums=unknown())", ""),
    ],
)
def test_spellings(use: str, expected: str) -> None:
    assert statics(use) == expected


def test_positions_of_older_releases_leave_open_what_is_static() -> None:
    text = TEMPLATE.format(use="f = jax.jit(step, None, None, (1,))\nf(1.0, 3)")
    assert "`x`: unknown: `x`, which may be static at line 6" in said(text, 7)


def test_a_static_parameter_stays_a_python_value() -> None:
    text = TEMPLATE.format(use="f = jax.jit(step, static_argnums=1)\nf(1.0, 3)")
    assert "`n`: static int 3" in said(text, 6)
    assert "`x`: traced array, float[], weak; `x` is a parameter of `step` at line 6, traced by `jax.jit`" in said(
        text, 6
    )


OF_ANOTHER_LIBRARY = """
import jax
import jax.numpy as jnp
from simple_pytree import Pytree, {name}

class Total(Pytree):
    mode: str = {name}()
    total: jax.Array

    def __init__(self, mode):
        self.mode = mode
        self.total = jnp.zeros(())

    def added(self, x):
        if self.mode == "sum":
            return self.total + x.sum()
        return self.total

@jax.jit
def add(total, x):
    return total.added(x)

add(Total("sum"), jnp.ones(3))
"""


def test_a_field_that_another_library_calls_static() -> None:
    assert not marked_lines(OF_ANOTHER_LIBRARY.format(name="static_field"))
    assert marked_lines(OF_ANOTHER_LIBRARY.format(name="field"))
