"""Softmax regression on two blobs; the accuracy of the last step is reported."""
import jax
import jax.numpy as jnp
import optax


class Metrics:
    accuracy = None

    @classmethod
    def summary(cls):
        return {"accuracy in percent": jnp.round(100.0 * cls.accuracy, 1)}


def make_blobs(key, count):
    label_key, noise_key = jax.random.split(key)
    labels = jax.random.bernoulli(label_key, 0.5, (count,)).astype(jnp.int32)
    centres = jnp.array([[-1.5, 0.0], [1.5, 0.0]])
    return centres[labels] + jax.random.normal(noise_key, (count, 2)), labels


def loss_fn(params, x, labels):
    logits = x @ params["w"] + params["b"]
    Metrics.accuracy = jnp.mean(jnp.argmax(logits, axis=-1) == labels)  # expect: leaked-tracer
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def make_step(tx):
    @jax.jit
    def step(params, opt_state, x, labels):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, labels)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    return step


def main():
    x, labels = make_blobs(jax.random.key(0), 128)
    params = {"w": jnp.zeros((2, 2)), "b": jnp.zeros(2)}
    tx = optax.adam(0.1)
    step, opt_state = make_step(tx), tx.init(params)
    for _ in range(20):
        params, opt_state, loss = step(params, opt_state, x, labels)
    print("loss", loss, "metrics", Metrics.summary())


if __name__ == "__main__":
    main()
