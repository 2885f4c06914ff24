"""Langevin sampling from a mixture of two wells with a Haiku energy network."""

from functools import partial

import haiku as hk
import jax
import jax.numpy as jnp


def energy_fn(x):
    hidden = jnp.tanh(hk.Linear(16)(x))
    wells = 0.5 * jnp.sum((jnp.abs(x) - 1.5) ** 2)
    return wells + 0.01 * jnp.squeeze(hk.Linear(1)(hidden))


energy = hk.without_apply_rng(hk.transform(energy_fn))


def kick(key, index, shape):
    return jax.random.normal(key + index, shape)  # expect: key-misuse


def langevin_step(index, x, params, key, step_size):
    drift = jax.grad(energy.apply, argnums=1)(params, x)
    noise = kick(key, index, x.shape)
    return x - step_size * drift + (2.0 * step_size) ** 0.5 * noise


@partial(jax.jit, static_argnames="num_steps")
def run_chain(params, start, key, num_steps):
    body = partial(langevin_step, params=params, key=key, step_size=1e-2)
    return jax.lax.fori_loop(0, num_steps, body, start)


def run_ensemble(params, key, chains=16, num_steps=400):
    start_key, noise_key = jax.random.split(key)
    starts = jax.random.normal(start_key, (chains, 2))
    keys = jax.random.split(noise_key, chains)
    return jax.vmap(partial(run_chain, num_steps=num_steps), in_axes=(None, 0, 0))(
        params, starts, keys
    )


def main():
    init_key, sample_key = jax.random.split(jax.random.key(21))
    params = energy.init(init_key, jnp.zeros(2))
    final = run_ensemble(params, sample_key)
    print("spread", final.std(axis=0))


if __name__ == "__main__":
    main()


def demonstrate():
    init_key, sample_key = jax.random.split(jax.random.key(21))
    params = energy.init(init_key, jnp.zeros(2))
    try:
        run_ensemble(params, sample_key, chains=2, num_steps=3)
    except TypeError as err:
        assert "key" in str(err)
    else:
        raise AssertionError("no error")
