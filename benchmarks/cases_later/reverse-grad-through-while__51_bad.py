"""tuning the step size of an inner solver; slug: reverse-grad-through-while"""
import jax
import jax.numpy as jnp
import optax
from jax import lax


def solve(log_step, matrix, rhs, tolerance=1e-3):
    step = jnp.exp(log_step)

    def unfinished(carry):
        x, residual, count = carry
        return (residual > tolerance) & (count < 100)

    def iterate(carry):
        x, _, count = carry
        x = x + step * (rhs - matrix @ x)
        return x, jnp.linalg.norm(rhs - matrix @ x), count + 1

    x, residual, _ = lax.while_loop(unfinished, iterate, (jnp.zeros_like(rhs), jnp.inf, 0))  # expect: reverse-grad-through-while
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
    try:
        main()
    except ValueError as err:
        return str(err)
    raise AssertionError("expected a failure")
