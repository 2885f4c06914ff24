"""after general knowledge; slug: grad-non-scalar"""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

model = nn.Dense(3)


def loss_fn(params, x, labels):
    logits = model.apply({"params": params}, x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels)


@jax.jit
def train_step(params, x, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, labels)  # expect: grad-non-scalar
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def run():
    x = jnp.ones((4, 2))
    params = model.init(jax.random.key(0), x)["params"]
    return train_step(params, x, jnp.array([0, 1, 2, 0]))


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
