"""after results stored with .at in an eager loop; slug: array-built-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def solve(a, b):
    return jnp.linalg.solve(a, b)


def sweep(a, rhs):
    return jnp.stack([solve(a, b) for b in rhs])


def main(count):
    rhs = [jnp.full((3,), float(i)) for i in range(count)]
    return sweep(jnp.eye(3), rhs)


def demonstrate():
    assert main(20).shape == (20, 3)
