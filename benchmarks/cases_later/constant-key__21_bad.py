"""after a default argument makes the key at each call of the noise layer; slug: constant-key"""
import jax
import jax.numpy as jnp


def add_noise(x, seed=0, scale=0.1):
    return x + scale * jax.random.normal(jax.random.PRNGKey(seed), x.shape)  # expect: constant-key


@jax.jit
def forward(w, x):
    return jnp.tanh(add_noise(x) @ w)


def train(w, xs):
    outs = []
    for x in xs:
        outs.append(forward(w, x))
    return outs


def demonstrate():
    a, b = train(jnp.eye(2), [jnp.ones(2), jnp.ones(2)])
    assert jnp.array_equal(a, b)
