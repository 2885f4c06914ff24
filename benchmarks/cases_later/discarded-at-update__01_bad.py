"""after general knowledge; slug: discarded-at-update"""
import jax
import jax.numpy as jnp


def apply_dirichlet(field, value):
    """Set the boundary of the field."""
    field.at[0, :].set(value)  # expect: discarded-at-update
    field.at[-1, :].set(value)  # expect: discarded-at-update
    return field


@jax.jit
def heat_step(field, alpha=0.1):
    lap = (
        jnp.roll(field, 1, 0) + jnp.roll(field, -1, 0) + jnp.roll(field, 1, 1) + jnp.roll(field, -1, 1) - 4 * field
    )
    return apply_dirichlet(field + alpha * lap, 5.0)


def demonstrate():
    assert float(heat_step(jnp.zeros((4, 4)))[0, 0]) == 0.0
