"""Equinox classifier trained with optax.adamw."""
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Classifier(eqx.Module):
    trunk: eqx.nn.MLP

    def __init__(self, inputs, classes, *, key):
        self.trunk = eqx.nn.MLP(inputs, classes, width_size=16, depth=1, key=key)

    def __call__(self, x):
        return self.trunk(x)


def batch_loss(model, x, labels):
    logits = jax.vmap(model)(x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def make_step(tx):
    @eqx.filter_jit
    def step(model, opt_state, x, labels):
        loss, grads = eqx.filter_value_and_grad(batch_loss)(model, x, labels)
        updates, opt_state = tx.update(grads, opt_state, eqx.filter(model, eqx.is_array))
        return eqx.apply_updates(model, updates), opt_state, loss

    return step


def main():
    model_key, data_key = jax.random.split(jax.random.key(6))
    x = jax.random.normal(data_key, (32, 4))
    labels = (x[:, 0] > 0).astype(jnp.int32)
    model = Classifier(4, 2, key=model_key)
    tx = optax.adamw(1e-2)
    step = make_step(tx)
    opt_state = tx.init(eqx.filter(model, eqx.is_array))
    for _ in range(10):
        model, opt_state, loss = step(model, opt_state, x, labels)
    print("loss", loss)
    assert loss.shape == ()


if __name__ == "__main__":
    main()
