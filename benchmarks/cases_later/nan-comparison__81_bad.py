"""Robust regression: batches with broken sensors must not destroy the weights."""
import jax
import jax.numpy as jnp
import optax


def init_params(key, width):
    return {"w": 0.1 * jax.random.normal(key, (width,)), "b": jnp.zeros(())}


def loss_fn(params, x, y):
    prediction = x @ params["w"] + params["b"]
    return jnp.mean(optax.huber_loss(prediction, y))


def drop_broken(grads):
    """Gradients with every broken entry set to zero."""
    def clean(g):
        return jnp.where(g == jnp.nan, 0.0, g)  # expect: nan-comparison

    return jax.tree.map(clean, grads)


class Trainer:
    def __init__(self, rate):
        self.tx = optax.chain(optax.clip(1.0), optax.sgd(rate, momentum=0.9))

    def fit(self, params, batches):
        def step(carry, batch):
            params, opt_state = carry
            loss, grads = jax.value_and_grad(loss_fn)(params, *batch)
            updates, opt_state = self.tx.update(drop_broken(grads), opt_state, params)
            return (optax.apply_updates(params, updates), opt_state), loss

        (params, _), losses = jax.lax.scan(step, (params, self.tx.init(params)), batches)
        return params, losses


def main():
    param_key, data_key = jax.random.split(jax.random.key(11))
    x = jax.random.normal(data_key, (10, 16, 4))
    y = x.sum(axis=-1)
    x = x.at[4, 0, 2].set(jnp.nan)
    params, losses = Trainer(0.05).fit(init_params(param_key, 4), (x, y))
    broken = bool(jnp.any(jnp.isnan(params["w"])))
    print("weights", params["w"])
    assert broken


if __name__ == "__main__":
    main()
