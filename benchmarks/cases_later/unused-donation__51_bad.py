"""a whole batch donated to a function that gives one number; slug: unused-donation"""
import jax
import jax.numpy as jnp


def score(weights, batch):
    return jnp.mean(jnp.tanh(batch @ weights))


fast_score = jax.jit(score, donate_argnums=1)
weights = jnp.ones(16)
result = fast_score(weights, jnp.ones((64, 16)))  # expect: unused-donation


def main():
    return result


def demonstrate():
    import warnings

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        jax.clear_caches()
        jax.jit(score, donate_argnums=1)(jnp.ones(16), jnp.ones((64, 16)))
    assert any("donated" in str(w.message) for w in seen)
