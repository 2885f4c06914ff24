"""Compare two optimizers on a small matrix factorisation."""

import jax
import jax.numpy as jnp
import optax


def init(key, rows, columns, rank):
    left_key, right_key = jax.random.split(key)
    return {
        "left": 0.3 * jax.random.normal(left_key, (rows, rank)),
        "right": 0.3 * jax.random.normal(right_key, (columns, rank)),
    }


def reconstruction_loss(params, ratings, mask):
    error = mask * (params["left"] @ params["right"].T - ratings)
    return jnp.sum(error**2) / jnp.sum(mask)


@jax.jit
def train_step(params, opt_state, ratings, mask, optimizer):
    loss, grads = jax.value_and_grad(reconstruction_loss)(params, ratings, mask)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def fit(params, ratings, mask, optimizer, steps=100):
    opt_state = optimizer.init(params)
    losses = []
    for _ in range(steps):
        params, opt_state, loss = train_step(params, opt_state, ratings, mask, optimizer)  # expect: unregistered-class-argument
        losses.append(loss)
    return params, jnp.stack(losses)


def main():
    truth_key, mask_key, init_key = jax.random.split(jax.random.key(31), 3)
    truth = init(truth_key, 20, 15, 3)
    ratings = truth["left"] @ truth["right"].T
    mask = jax.random.bernoulli(mask_key, 0.7, ratings.shape).astype(jnp.float32)
    start = init(init_key, 20, 15, 3)
    adam = optax.adam(5e-2)
    momentum = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(0.5, momentum=0.9))
    _, adam_losses = fit(start, ratings, mask, adam)
    _, momentum_losses = fit(start, ratings, mask, momentum)
    assert adam_losses[-1] < adam_losses[0]
    assert momentum_losses[-1] < momentum_losses[0]
    print("adam:", adam_losses[-1], "momentum:", momentum_losses[-1])


if __name__ == "__main__":
    main()
