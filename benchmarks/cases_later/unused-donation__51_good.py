"""a whole batch donated to a function that gives one number; slug: unused-donation"""
import jax
import jax.numpy as jnp


def score(weights, batch):
    return jnp.mean(jnp.tanh(batch @ weights))


fast_score = jax.jit(score)
weights = jnp.ones(16)
result = fast_score(weights, jnp.ones((64, 16)))


def main():
    return result


def demonstrate():
    main()
