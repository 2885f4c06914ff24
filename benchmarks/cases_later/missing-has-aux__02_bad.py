"""after general knowledge; slug: missing-has-aux"""
import jax
import jax.numpy as jnp


def rollout_return(policy, states, gamma):
    rewards = jnp.tanh(states @ policy)
    discounts = gamma ** jnp.arange(states.shape[0])
    return jnp.sum(discounts * rewards), rewards


policy_gradient = jax.value_and_grad(rollout_return, has_aux=True)


def improve(policy, states):
    value, (gradient, rewards) = policy_gradient(policy, states, 0.99)  # expect: missing-has-aux
    return policy + 0.1 * gradient, rewards


def demonstrate():
    try:
        improve(jnp.ones(3), jnp.ones((5, 3)))
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
