import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(4)(x)
        x = nn.Dropout(0.5, deterministic=not train)(x)
        return nn.Dense(1)(x)


def loss(params, model, x, y, key):
    prediction = model.apply({"params": params}, x, train=True)
    return jnp.mean((prediction - y) ** 2)


def gradient(x, y, key):
    model = Net()
    params = model.init(key, x, train=False)["params"]
    return jax.grad(loss)(params, model, x, y, key)


# --- what it should do
grads = gradient(jnp.ones((2, 3)), jnp.ones((2, 1)), jax.random.key(0))
assert sorted(grads) == ["Dense_0", "Dense_1"]
