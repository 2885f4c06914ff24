"""after general knowledge; slug: jit-in-loop; corrected twin"""
import jax
import jax.numpy as jnp


def rosenbrock(x, a, b):
    return jnp.sum(b * (x[1:] - x[:-1] ** 2) ** 2 + (a - x[:-1]) ** 2)


gradient = jax.jit(jax.grad(rosenbrock))


def continuation(x, stiffness, inner=3):
    """Follow the minimum while the valley gets steeper."""
    path = []
    for b in stiffness:
        for _ in range(inner):
            x = x - 1e-3 * gradient(x, 1.0, b)
        path.append(x)
    return path


def demonstrate():
    import jax._src.test_util as tu
    x = jnp.zeros(3)
    continuation(x, [1.0])
    with tu.count_jit_compilation_cache_miss() as misses:
        continuation(x, [10.0, 20.0, 30.0])
    assert misses() == 0, misses()
