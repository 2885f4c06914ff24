"""after general knowledge; slug: grad-non-scalar; corrected twin"""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

model = nn.Dense(3)


def loss_fn(params, x, labels):
    logits = model.apply({"params": params}, x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def train_step(params, x, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, labels)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def run():
    x = jnp.ones((4, 2))
    params = model.init(jax.random.key(0), x)["params"]
    return train_step(params, x, jnp.array([0, 1, 2, 0]))


def demonstrate():
    run()
