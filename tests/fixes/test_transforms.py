"""The fixes of the transforms family: pairs, auxiliary results, axes, floats and functions that were called."""

from __future__ import annotations

import jax
import pytest

from tests.linting import diagnostics, fixed

HEAD = """import jax
import jax.numpy as jnp


def add(c, x):
    return c + x


def scale(x, factor):
    return x * factor


def loss(w, x):
    return jnp.mean((x @ w) ** 2), x


def step(i, x):
    return x + i


def centre(x):
    return x - jax.lax.pmean(x, "i")


w, xs, x = jnp.ones(2), jnp.ones((3, 2)), jnp.ones(3)
"""

#: A function whose derivative with respect to what it does not read is zero.
CLIP = """
@jax.custom_vjp
def clip(x, least, most):
    return x


clip.defvjp(lambda x, least, most: (x, None), lambda _, g: (g,))
jax.grad(clip)(0.5, 1.0, 2.0)
"""

#: The rule, what stands below the head, a part of what it becomes, and whether the fix is safe.
CASES = [
    ("scan-body-contract", "last, _ = jax.lax.scan(add, 0.0, x)", "return c + x, None", True),
    ("scan-body-contract", "last = jax.lax.scan(add, 0.0, x)[0]", "return c + x, None", True),
    ("scan-body-contract", "last = jax.lax.scan(add, 0.0, x)[0]\nadd(1, 2)", "return c + x, None", False),
    ("scan-body-contract", "last, _ = jax.lax.scan(lambda c, x: c + x, 0.0, x)", "lambda c, x: (c + x, None)", True),
    ("missing-has-aux", "(v, a), g = jax.value_and_grad(loss)(w, xs)", "jax.value_and_grad(loss, has_aux=True)", True),
    ("missing-has-aux", "v, g = jax.value_and_grad(loss)(w, xs)", "jax.value_and_grad(loss, has_aux=True)", False),
    ("missing-has-aux", "h = jax.value_and_grad(loss)\n(v, a), g = h(w, xs)", "grad(loss, has_aux=True)", True),
    ("missing-has-aux", "g = jax.grad(loss, argnums=0,)(w, xs)", "jax.grad(loss, argnums=0, has_aux=True)", False),
    ("axes-mismatch", "jax.vmap(scale)(x, 2.0)", "jax.vmap(scale, in_axes=(0, None))(x, 2.0)", True),
    ("axes-mismatch", "jax.vmap(scale, in_axes=0)(x, 2.0)", "jax.vmap(scale, in_axes=(0, None))", True),
    ("axes-mismatch", "jax.vmap(scale, in_axes=(0, 0))(x, 2.0)", "jax.vmap(scale, in_axes=(0, None))", True),
    ("axes-mismatch", "m = jax.vmap(scale, in_axes=(0,))\nm(x, 2.0)", "jax.vmap(scale, in_axes=(0, None))", True),
    ("axes-mismatch", "jax.vmap(scale, in_axes=(0, None))(2.0, x)", "jax.vmap(scale, in_axes=(None, 0))", False),
    ("axes-mismatch", "jax.vmap(scale, (0, None))(x, factor=2.0)", "jax.vmap(scale, (0, None))(x, 2.0)", True),
    ("grad-integer-input", "jax.grad(jnp.square)(-3)", "jax.grad(jnp.square)(-3.0)", True),
    ("grad-integer-input", "jax.jacfwd(jnp.square)(jnp.arange(3))", "(jnp.arange(3).astype(float))", False),
    ("branch-called-not-passed", "jax.lax.fori_loop(0, 3, step(0, x), x)", "jax.lax.fori_loop(0, 3, step, x)", True),
    ("branch-called-not-passed", "jax.lax.map(jnp.sin(x), x)", "jax.lax.map(jnp.sin, x)", True),
    ("custom-derivative-incomplete", CLIP, "(g, None, None)", True),
    ("custom-derivative-incomplete", CLIP.replace("return x", "return x * most"), "(g, None, None)", False),
    ("unbound-axis-name", "jax.vmap(centre)(x)", 'jax.vmap(centre, axis_name="i")(x)', True),
    ("unbound-axis-name", "jax.vmap(centre, 0,)(x)", 'jax.vmap(centre, 0, axis_name="i")(x)', True),
    ("unbound-axis-name", "jax.vmap(jax.vmap(centre), axis_name='j')(xs)", '(jax.vmap(centre, axis_name="i"),', False),
    ("sequence-argument", "jnp.sum([x, x])", "jnp.sum(jnp.asarray([x, x]))", True),
]

#: Code that stays as it is: somebody else needs it so, or what is meant is not known.
KEPT = [
    ("scan-body-contract", "last, sums = jax.lax.scan(add, 0.0, x)\nprint(sums)"),
    ("missing-has-aux", "jax.grad(lambda w: (w, w, w))(1.0)"),
    ("axes-mismatch", "m = jax.vmap(scale)\nm(x, 2.0)\nm(x, x)"),
    ("axes-mismatch", "jax.vmap(scale)(2.0, 3.0)"),
    ("axes-mismatch", "jax.vmap(scale)(x, w)"),
    ("grad-integer-input", "jax.grad(jnp.square)(0x3)"),
    ("grad-integer-input", "jax.grad(lambda t: t['a'] * 2.0)({'a': 3})"),
    ("branch-called-not-passed", "jax.lax.fori_loop(0, 3, scale(x, 2.0)[0], x)"),
    ("unbound-axis-name", "jax.vmap(centre, axis_name='j')(x)"),
]


@pytest.mark.parametrize(("slug", "code", "after", "is_safe"), CASES, ids=[code for _, code, _, _ in CASES])
def test_the_fix(slug: str, code: str, after: str, is_safe: bool) -> None:
    source = HEAD + code + "\n"
    (found,) = diagnostics(source, slug)
    assert found.fix is not None
    assert found.fix.applicability.value == ("safe" if is_safe else "unsafe")
    assert after in fixed(source, slug)


@pytest.mark.parametrize(("slug", "code"), [case[:2] for case in CASES], ids=[f"run {code}" for _, code, _, _ in CASES])
def test_jax_takes_what_it_refused(slug: str, code: str) -> None:
    with pytest.raises((TypeError, ValueError, NameError)):
        exec(compile(HEAD + code, "before", "exec"), {})
    with jax.checking_leaks():
        exec(compile(fixed(HEAD + code + "\n", slug), "after", "exec"), {})


@pytest.mark.parametrize(("slug", "code"), KEPT, ids=[code for _, code in KEPT])
def test_no_fix(slug: str, code: str) -> None:
    (found,) = diagnostics(HEAD + code + "\n", slug)
    assert found.fix is None
