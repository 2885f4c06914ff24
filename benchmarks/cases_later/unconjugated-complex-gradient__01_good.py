"""after general knowledge; slug: unconjugated-complex-gradient; corrected twin"""
import jax
import jax.numpy as jnp


def beam_loss(weights, steering, target):
    response = jnp.abs(steering @ weights)
    return jnp.mean((response - target) ** 2)


@jax.jit
def adapt(weights, steering, target, lr=0.1):
    grads = jax.grad(beam_loss)(weights, steering, target)
    return weights - lr * jnp.conj(grads)


def calibrate(key, n=4, steps=20):
    phase = jax.random.uniform(key, (n, n), maxval=6.28)
    steering = jnp.exp(1j * phase)
    weights = jnp.ones(n, dtype=jnp.complex64) * (1 + 1j)
    target = jnp.zeros(n)
    history = []
    for _ in range(steps):
        weights = adapt(weights, steering, target)
        history.append(beam_loss(weights, steering, target))
    return history


def demonstrate():
    h = calibrate(jax.random.key(0))
    assert float(h[-1]) < float(h[0])
