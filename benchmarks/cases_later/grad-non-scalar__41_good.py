"""a haiku classifier whose loss keeps the batch; slug: none"""
import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(x):
    return hk.nets.MLP([8, 3])(x)


model = hk.without_apply_rng(hk.transform(network))


def loss(params, x, y):
    logits = model.apply(params, x)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, y)
    return losses.mean()


def main():
    x, y = jnp.ones((6, 4)), jnp.zeros(6, jnp.int32)
    params = model.init(jax.random.key(0), x)
    return jax.grad(loss)(params, x, y)


def demonstrate():
    main()
