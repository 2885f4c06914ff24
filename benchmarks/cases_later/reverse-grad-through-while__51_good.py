"""tuning the step size of an inner solver; slug: reverse-grad-through-while"""
import jax
import jax.numpy as jnp
import optax
from jax import lax


def solve(log_step, matrix, rhs, tolerance=1e-3):
    step = jnp.exp(log_step)

    def iterate(x, _):
        return x + step * (rhs - matrix @ x), None

    x, _ = lax.scan(iterate, jnp.zeros_like(rhs), length=20)
    return x


def objective(log_step, matrix, rhs, truth):
    return jnp.sum((solve(log_step, matrix, rhs) - truth) ** 2)


matrix = jnp.array([[2.0, 0.3], [0.3, 1.0]])
truth = jnp.array([1.0, -1.0])
optimizer = optax.sgd(0.1)


def main():
    log_step = jnp.array(-2.0)
    state = optimizer.init(log_step)
    for _ in range(2):
        grads = jax.grad(objective)(log_step, matrix, matrix @ truth, truth)
        updates, state = optimizer.update(grads, state)
        log_step = optax.apply_updates(log_step, updates)
    return log_step


def demonstrate():
    main()
