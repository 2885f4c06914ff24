"""a loss whose metrics hold the name of the phase; slug: non-array-result"""
import haiku as hk
import jax
import jax.numpy as jnp

net = hk.without_apply_rng(hk.transform(lambda x: hk.nets.MLP([8, 1])(x)))


def summarise(loss, predictions, phase):
    return {"loss": loss, "spread": jnp.std(predictions)}


def evaluate(params, x, y):
    predictions = net.apply(params, x)
    loss = jnp.mean((predictions - y) ** 2)
    return summarise(loss, predictions, "validation")


@jax.jit
def validate(params, x, y):
    return evaluate(params, x, y)


def main():
    x = jnp.ones((4, 2))
    params = net.init(jax.random.key(0), x)
    return validate(params, x, jnp.zeros((4, 1)))


def demonstrate():
    main()
