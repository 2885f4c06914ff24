"""Denoising autoencoder in Flax, trained on random waves."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Denoiser(nn.Module):
    width: int = 32

    @nn.compact
    def __call__(self, x):
        size = x.shape[-1]
        x = nn.relu(nn.Dense(self.width)(x))
        return nn.Dense(size)(x)


def waves(key, count, size):
    phase_key, freq_key = jax.random.split(key)
    phase = jax.random.uniform(phase_key, (count, 1), maxval=6.28)
    freq = jax.random.uniform(freq_key, (count, 1), minval=1.0, maxval=4.0)
    return jnp.sin(freq * jnp.linspace(0.0, 6.28, size) + phase)


def corrupt(key, clean, level=0.3):
    return clean + level * jax.random.normal(key, clean.shape)


def make_step(model, optimizer):
    def loss_fn(params, noisy, clean):
        return jnp.mean((model.apply(params, noisy) - clean) ** 2)

    @jax.jit
    def step(params, opt_state, key):
        data_key, mask_key, noise_key = jax.random.split(key, 3)
        clean = waves(data_key, 16, 24)
        keep = jax.random.bernoulli(mask_key, 0.9, clean.shape)
        noisy = keep * corrupt(noise_key, clean)
        loss, grads = jax.value_and_grad(loss_fn)(params, noisy, clean)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    return step


def train(seed=0, steps=100):
    init_key, loop_key = jax.random.split(jax.random.key(seed))
    model, optimizer = Denoiser(), optax.adam(1e-2)
    params = model.init(init_key, jnp.zeros((1, 24)))
    opt_state = optimizer.init(params)
    step = make_step(model, optimizer)
    loss = None
    for _ in range(steps):
        loop_key, step_key = jax.random.split(loop_key)
        params, opt_state, loss = step(params, opt_state, step_key)
    return params, loss


if __name__ == "__main__":
    print("final loss", train()[1])


def demonstrate():
    model, optimizer = Denoiser(), optax.sgd(1e-2)
    params = model.init(jax.random.key(1), jnp.zeros((1, 24)))
    step = make_step(model, optimizer)
    error = None
    with jax.debug_key_reuse(True):
        try:
            step(params, optimizer.init(params), jax.random.key(2))
        except jax.errors.KeyReuseError as err:
            error = err
    assert error is None
