"""after general knowledge; slug: missing-has-aux; corrected twin"""
import haiku as hk
import jax
import jax.numpy as jnp


def model_fn(x):
    return hk.nets.MLP([8, 1])(x)


model = hk.without_apply_rng(hk.transform(model_fn))


def loss_fn(params, x, y):
    pred = model.apply(params, x)
    err = pred[:, 0] - y
    return jnp.mean(err ** 2), {"mae": jnp.mean(jnp.abs(err))}


@jax.jit
def update(params, x, y, lr=0.05):
    (loss, _), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, x, y)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss


def fit(x, y):
    params = model.init(jax.random.key(0), x)
    return update(params, x, y)


def demonstrate():
    fit(jnp.ones((4, 2)), jnp.ones(4))
