"""after general knowledge; slug: traced-while; corrected twin"""
import equinox as eqx
import jax
import jax.numpy as jnp


class FixedPoint(eqx.Module):
    weight: jax.Array
    tol: float = 1e-4

    def __call__(self, x):
        def going(state):
            return state[1] > self.tol

        def iterate(state):
            z, _ = state
            new = jnp.tanh(self.weight @ z + x)
            return new, jnp.max(jnp.abs(new - z))

        return jax.lax.while_loop(going, iterate, (jnp.zeros_like(x), jnp.inf))[0]


@eqx.filter_jit
def predict(layer, xs):
    return jax.vmap(layer)(xs)


def demonstrate():
    assert predict(FixedPoint(0.1 * jnp.eye(3)), jnp.ones((2, 3))).shape == (2, 3)
