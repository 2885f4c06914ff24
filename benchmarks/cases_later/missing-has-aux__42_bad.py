"""batch statistics returned beside the loss; slug: missing-has-aux"""
import jax
import jax.numpy as jnp
from flax import linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Dense(8)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        return nn.Dense(1)(x)


net = Net()


def loss_fn(params, stats, x, y):
    out, changed = net.apply({"params": params, "batch_stats": stats}, x, mutable=["batch_stats"])
    return jnp.mean((out[:, 0] - y) ** 2), changed["batch_stats"]


@jax.jit
def step(variables, x, y):
    grad_fn = jax.value_and_grad(loss_fn)  # expect: missing-has-aux
    (loss, stats), grads = grad_fn(variables["params"], variables["batch_stats"], x, y)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, variables["params"], grads)
    return {"params": params, "batch_stats": stats}, loss


def main():
    x, y = jnp.ones((6, 4)), jnp.zeros(6)
    return step(net.init(jax.random.key(0), x), x, y)


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
