"""after general knowledge; slug: unbound-axis-name"""
import jax
import jax.numpy as jnp


def train_step(params, batch):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((batch @ p) ** 2))(params)
    grads = jax.lax.pmean(grads, axis_name="devices")  # expect: unbound-axis-name
    return params - 0.1 * grads, loss


p_train_step = jax.pmap(train_step, axis_name="device")


def train(params, batches):
    n = jax.local_device_count()
    params = jnp.stack([params] * n)
    for batch in batches:
        params, loss = p_train_step(params, batch.reshape(n, -1, batch.shape[-1]))
    return params, loss


def demonstrate():
    try:
        train(jnp.ones(2), [jnp.ones((4, 2))])
    except Exception as err:
        assert type(err).__name__ == 'NameError', repr(err)
    else:
        raise AssertionError('expected NameError')
