"""The fixes of boolean-mask-index and data-dependent-shape: what a mask selects, as computations of full shape."""

from __future__ import annotations

from typing import Any

import pytest

from tests.linting import diagnostics, fixed

HEAD = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x, y, mask):\n    mask = mask > 0\n"


def body_of(statements: str, slug: str) -> str:
    """What the statements become in a traced function."""
    lines = "".join(f"    {line}\n" for line in statements.split("\n"))
    after = fixed(HEAD + lines, slug)
    assert after[: len(HEAD)] == HEAD
    return "\n".join(line[4:] for line in after[len(HEAD) :].splitlines())


MASKS = [
    ("return x.at[mask].set(0.0)", "return jnp.where(mask, 0.0, x)"),
    ("return x.at[x < 0].set(-x[x < 0])", "return jnp.where(x < 0, -x, x)"),
    ("return x.at[mask].set(y[mask] * 2)", "return jnp.where(mask, y * 2, x)"),
    ("return x.at[mask].add(1.0)", "return jnp.where(mask, x + 1.0, x)"),
    ("return x.at[mask].multiply(y[mask] + 1)", "return jnp.where(mask, x * (y + 1), x)"),
    ("return x.at[mask].power(2)", "return jnp.where(mask, x ** 2, x)"),
    ("return x.at[mask].min(y[mask])", "return jnp.where(mask, jnp.minimum(x, y), x)"),
    ("return (x + y).at[mask].set(1.0)", "return jnp.where(mask, 1.0, x + y)"),
    ("return x.at[(mask)].set((y if x is None else 2.0))", "return jnp.where(mask, y if x is None else 2.0, x)"),
    ("return x.at[mask].set(1.0).at[~mask].set(2.0)", "return jnp.where(~mask, 2.0, jnp.where(mask, 1.0, x))"),
    ("return x.at[jnp.where(mask)].set(0.0)", "return jnp.where(mask, 0.0, x)"),
    ("return x[mask].sum()", "return x.sum(where=mask)"),
    ("return x[mask].mean(dtype=jnp.float32,)", "return x.mean(dtype=jnp.float32, where=mask)"),
    ("return jnp.sum(x[mask])", "return jnp.sum(x, where=mask)"),
    ("return jnp.mean((x[mask] - y[mask]) ** 2)", "return jnp.mean((x - y) ** 2, where=mask)"),
    ("return jnp.sum(jnp.abs(x[mask]))", "return jnp.sum(jnp.abs(x), where=mask)"),
    ("return ((x[mask] - 1) * 2).std(ddof=0)", "return ((x - 1) * 2).std(ddof=0, where=mask)"),
    ("return (x[mask] > 1).any()", "return (x > 1).any(where=mask)"),
    ("return x[mask].astype(float).sum()", "return x.astype(float).sum(where=mask)"),
    ("return jnp.max(x[mask])", "return jnp.max(x, where=mask, initial=-jnp.inf)"),
    ("return x[mask].min()", "return x.min(where=mask, initial=jnp.inf)"),
    ("return jnp.median(x[mask])", "return jnp.nanmedian(jnp.where(mask, x, jnp.nan))"),
    ("return jnp.linalg.norm(x[mask] - 1)", "return jnp.linalg.norm(jnp.where(mask, x - 1, 0))"),
    ("return len(x[mask]) + x[mask].size", "return jnp.sum(mask) + jnp.sum(mask)"),
    ("return x[mask].shape[0]", "return jnp.sum(mask)"),
    ("return x[mask].sum() / len(x[mask])", "return x.sum(where=mask) / jnp.sum(mask)"),
    ("v = x[mask]\nreturn v.sum()", "v = x\nreturn v.sum(where=mask)"),
    (
        "v = x[mask]\nw = y[mask]\nreturn jnp.mean((v - w) ** 2), v.size",
        "v = x\nw = y\nreturn jnp.mean((v - w) ** 2, where=mask), jnp.sum(mask)",
    ),
    ("v = jnp.log(x[mask])\nreturn v.mean() + v.std()",
     "v = jnp.log(x)\nreturn v.mean(where=mask) + v.std(where=mask)"),
    ("return jnp.sum(x[x > y])", "return jnp.sum(x, where=x > y)"),
    ("return jnp.sum(x[jnp.where(mask)])", "return jnp.sum(x, where=mask)"),
    ("return jnp.where(mask)[0][0]", "return jnp.argmax(mask)"),
    ("return jnp.flatnonzero(x > 1)[0]", "return jnp.argmax(x > 1)"),
    ("return len(jnp.where(x > 1)[0])", "return jnp.count_nonzero(x > 1)"),
    ("return jnp.nonzero(mask)[0].size + jnp.argwhere(mask).shape[0]",
     "return jnp.count_nonzero(mask) + jnp.count_nonzero(mask)"),
]  # fmt: skip

SLUGS = {True: "data-dependent-shape", False: "boolean-mask-index"}


def slug_of(before: str) -> str:
    return SLUGS["jnp.where(" in before or "nonzero" in before]


@pytest.mark.parametrize(("before", "after"), MASKS)
def test_masks(before: str, after: str) -> None:
    assert body_of(before, slug_of(before)) == after


@pytest.mark.parametrize("after", [after for _, after in MASKS])
def test_the_result_is_clean(after: str) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in after.split("\n"))
    assert [*diagnostics(source, "boolean-mask-index"), *diagnostics(source, "data-dependent-shape")] == []


UNFIXED = [
    "return x[mask]",
    "return jnp.sort(x[mask]).sum()",
    "return x[mask].sum(axis=0)",
    "return x[mask] @ y[mask]",
    "v = x[mask]\nreturn v.sum(), v",
    "v = x[mask]\nmask = ~mask\nreturn v.sum(), mask",
    "return x.at[mask, 0].set(1.0)",
    "return x.at[mask].set(1.0, mode='drop')",
    "return x.at[mask].apply(jnp.exp)",
    "return jnp.where(mask)",
    "return jnp.unique(x)",
    "return x.at[mask].set(\n    1.0,  # why\n)",
]


@pytest.mark.parametrize("statements", UNFIXED)
def test_what_needs_the_shape_has_no_fix(statements: str) -> None:
    assert body_of(statements, slug_of(statements)) == statements


def test_a_mask_of_rows_gets_the_axes_that_it_lacks() -> None:
    source = (
        "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f():\n    x = jnp.ones((4, 3))\n"
        "    rows = x.sum(1) > 2\n    return x.at[rows].set(0.0), x[rows].sum()\n"
    )
    after = "    return jnp.where(rows[..., None], 0.0, x), x.sum(where=rows[..., None])\n"
    assert fixed(source, "boolean-mask-index").endswith(after)


def test_the_smallest_of_integers_is_left_to_people() -> None:
    body = "    x = jnp.ones(4, jnp.int32)\n    return x[x > m].max()\n"
    source = f"import jax.numpy as jnp, jax\n\n@jax.jit\ndef f(m):\n{body}"
    assert fixed(source, "boolean-mask-index") == source


@pytest.mark.jax
@pytest.mark.parametrize(("before", "after"), MASKS)
def test_the_fixed_code_computes_what_the_mask_meant(before: str, after: str) -> None:
    """Masks work on concrete arrays: the traced function gives what the original gives without tracing."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    x, y, mask = jnp.array([1.5, -2.0, 3.0, 0.5]), jnp.array([1.0, 2.0, 0.5, 1.0]), jnp.array([1, 0, 1, 1])
    if "log" in before:
        x = jnp.abs(x)
    results = []
    for text, transform in ((before, lambda f: f), (after, jax.jit)):
        names = {"jnp": jnp}
        exec("def f(x, y, mask):\n    mask = mask > 0\n" + "".join(f"    {t}\n" for t in text.split("\n")), names)
        results.append(transform(names["f"])(x, y, mask))  # type: ignore[operator]
    for one, other in zip(*map(jax.tree.leaves, results), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


@pytest.mark.parametrize(
    ("value", "applicability"),
    [
        ("jnp.sum(x[x > 0])", "safe"),
        ("jnp.sum(jnp.square(x[x > 0]) / 2 + x[x > 0] ** 2)", "safe"),
        ("jnp.sum(jnp.where(x[x > 0] > 1, x[x > 0], 1.0))", "safe"),
        ("jnp.sum(jnp.sqrt(x[x > 0]))", "unsafe"),
        ("jnp.sum(1 / x[x > 0])", "unsafe"),
        ("jnp.sum(x[x > 0] ** 0.5)", "unsafe"),
        ("jnp.sum(jnp.exp(x[x < 80]))", "unsafe"),
    ],
)
def test_a_fix_is_safe_where_gradients_stay_numbers(value: str, applicability: str) -> None:
    source = "import jax\nimport jax.numpy as jnp\n\n\ndef f(x):\n"
    source += f"    return {value}\n\n\njax.jit(f)(jnp.zeros(3))\n"
    (found,) = {d.fix for d in diagnostics(source, "boolean-mask-index")}
    assert found is not None
    assert found.applicability.value == applicability
    before, after = source.replace("jax.jit(f)(jnp.zeros(3))", ""), fixed(source, "boolean-mask-index")
    eager, traced = _gradient(before, value), _gradient(after.replace("jax.jit(f)(jnp.zeros(3))", ""), value)
    assert (eager == traced) is (applicability == "safe")


def _gradient(source: str, value: str) -> list[float]:
    """The derivatives of the function of a program, where its mask leaves something out."""
    import jax

    names: dict[str, Any] = {}
    exec(source, names)
    at = names["jnp"].array([200.0 if "80" in value else 0.0, 4.0])
    return [float(each) for each in jax.grad(names["f"])(at)]
