"""after general knowledge; slug: missing-has-aux"""
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
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)  # expect: missing-has-aux
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss


def fit(x, y):
    params = model.init(jax.random.key(0), x)
    return update(params, x, y)


def demonstrate():
    try:
        fit(jnp.ones((4, 2)), jnp.ones(4))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
