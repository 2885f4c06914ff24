"""clean: host loop around a compiled body, rows read once for a report"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def body(x):
    return 0.5 * (x + 2.0 / x), jnp.max(jnp.abs(x * x - 2.0))


def solve(x, tol, limit=50):
    for _ in range(limit):
        x, residual = body(x)
        if residual < tol:
            break
    return x


def table(values):
    rows = np.asarray(values)
    lines = []
    for row in rows:
        lines.append(" ".join(f"{v:.3f}" for v in row))
    return "\n".join(lines)


def demonstrate():
    table(solve(jnp.ones((3, 2)), 1e-3))
