"""after general knowledge; slug: carry-type-mismatch"""
import jax
import jax.numpy as jnp


def newton_step(state):
    x, _ = state
    delta = jnp.linalg.solve(jax.hessian(objective)(x), jax.grad(objective)(x))
    return {"x": x - delta, "delta": delta}


def objective(x):
    return jnp.sum(jnp.cosh(x))


def minimise(x0, tol=1e-5):
    def unfinished(state):
        return jnp.linalg.norm(state[1]) > tol

    return jax.lax.while_loop(unfinished, newton_step, (x0, jnp.ones_like(x0)))[0]  # expect: carry-type-mismatch


def demonstrate():
    try:
        minimise(jnp.ones(2))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
