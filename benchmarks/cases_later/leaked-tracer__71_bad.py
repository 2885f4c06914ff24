"""Classify two moons with haiku and report the accuracy of the last step."""

import haiku as hk
import jax
import jax.numpy as jnp
import optax


def moons(key, count):
    angle = jnp.linspace(0.0, jnp.pi, count)
    upper = jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)
    lower = jnp.stack([1.0 - jnp.cos(angle), 0.4 - jnp.sin(angle)], axis=1)
    points = jnp.concatenate([upper, lower])
    labels = jnp.repeat(jnp.arange(2), count)
    return points + 0.1 * jax.random.normal(key, points.shape), labels


net = hk.without_apply_rng(hk.transform(lambda x: hk.nets.MLP([32, 2])(x)))
optimizer = optax.adam(3e-2)


def loss_fn(params, points, labels):
    logits = net.apply(params, points)
    loss_fn.logits = logits  # expect: leaked-tracer
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    return losses.mean()


@jax.jit
def train_step(params, opt_state, points, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, points, labels)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def accuracy(logits, labels):
    return jnp.mean(jnp.argmax(logits, axis=-1) == labels)


def main():
    data_key, init_key = jax.random.split(jax.random.key(2))
    points, labels = moons(data_key, 64)
    params = net.init(init_key, points)
    opt_state = optimizer.init(params)
    for _ in range(60):
        params, opt_state, loss = train_step(params, opt_state, points, labels)
    score = accuracy(loss_fn.logits, labels)
    assert score > 0.9
    print("loss:", loss, "accuracy:", score)


if __name__ == "__main__":
    main()
