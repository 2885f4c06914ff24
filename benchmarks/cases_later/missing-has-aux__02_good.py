"""after general knowledge; slug: missing-has-aux; corrected twin"""
import jax
import jax.numpy as jnp


def rollout_return(policy, states, gamma):
    rewards = jnp.tanh(states @ policy)
    discounts = gamma ** jnp.arange(states.shape[0])
    return jnp.sum(discounts * rewards), rewards


policy_gradient = jax.value_and_grad(rollout_return, has_aux=True)


def improve(policy, states):
    (value, rewards), gradient = policy_gradient(policy, states, 0.99)
    return policy + 0.1 * gradient, rewards


def demonstrate():
    improve(jnp.ones(3), jnp.ones((5, 3)))
