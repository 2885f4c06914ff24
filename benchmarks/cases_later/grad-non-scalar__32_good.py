"""after value loss of a batch, per example; slug: grad-non-scalar"""

import haiku as hk
import jax
import jax.numpy as jnp


def critic(observations):
    values = hk.nets.MLP([16, 1])(observations)
    return jnp.squeeze(values, axis=-1)


network = hk.without_apply_rng(hk.transform(critic))


def td_loss(params, observations, returns):
    error = network.apply(params, observations) - returns
    return 0.5 * jnp.mean(jnp.square(error))


def learn(params, observations, returns):
    grads = jax.grad(td_loss)(params, observations, returns)
    return jax.tree.map(lambda p, g: p - 1e-2 * g, params, grads)


def main():
    observations = jnp.ones((6, 4))
    params = network.init(jax.random.key(0), observations)
    return learn(params, observations, jnp.zeros(6))


def demonstrate():
    assert main()
