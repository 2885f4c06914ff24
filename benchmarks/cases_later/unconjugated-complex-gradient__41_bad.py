"""phase retrieval by plain descent; slug: unconjugated-complex-gradient"""
import jax
import jax.numpy as jnp


def misfit(field, intensity):
    return jnp.sum((jnp.abs(jnp.fft.fft(field)) ** 2 - intensity) ** 2)


def retrieve(intensity, steps, rate=1e-4):
    field = jnp.exp(1j * jnp.linspace(0.0, 3.0, intensity.shape[0]))
    for _ in range(steps):
        g = jax.grad(misfit)(field, intensity)
        field = field - rate * g  # expect: unconjugated-complex-gradient
    return field


def demonstrate():
    target = jnp.array([1.0, 4.0, 2.0, 3.0])
    start = jnp.exp(1j * jnp.linspace(0.0, 3.0, 4))
    before, after = misfit(start, target), misfit(retrieve(target, 50), target)
    assert not after < 0.5 * before
