"""after general knowledge; slug: branch-called-not-passed"""
import jax
import jax.numpy as jnp


def exploit(q_values):
    return jnp.argmax(q_values)


def explore(key, q_values):
    return jax.random.randint(key, (), 0, q_values.shape[0])


@jax.jit
def epsilon_greedy(key, q_values, epsilon):
    coin, draw = jax.random.split(key)
    greedy = jax.random.uniform(coin) > epsilon
    return jax.lax.cond(greedy, exploit(q_values), explore(draw, q_values))  # expect: branch-called-not-passed


def demonstrate():
    try:
        epsilon_greedy(jax.random.key(0), jnp.ones(3), 0.1)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
