"""after denoising autoencoder whose state holds the key; slug: key-reuse; corrected twin"""
import jax
import jax.numpy as jnp


def init_state(seed, width=8):
    key = jax.random.key(seed)
    key, sub = jax.random.split(key)
    return {"w": jax.random.normal(sub, (width, width)) * 0.1, "key": key, "step": 0}


def corrupt(key, x, rate):
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    return jnp.where(keep, x, 0.0)


def jitter(key, x, scale):
    return x + scale * jax.random.normal(key, x.shape)


def loss_fn(w, noisy, x):
    return jnp.mean((noisy @ w - x) ** 2)


@jax.jit
def train_step(state, x):
    key, mask_key, noise_key = jax.random.split(state["key"], 3)
    noisy = corrupt(mask_key, x, 0.3)
    noisy = jitter(noise_key, noisy, 0.1)
    grad = jax.grad(loss_fn)(state["w"], noisy, x)
    return {"w": state["w"] - 0.1 * grad, "key": key, "step": state["step"] + 1}


def demonstrate():
    used = []
    plain = jax.random.normal
    state = init_state(0)
    def spy(key, *a, **k):
        used.append(key)
        return plain(key, *a, **k)
    jax.random.normal = spy
    out = train_step(state, jnp.ones((4, 8)))
    assert out["step"] == 1
    u = jax.random.uniform(state["key"], (1000,))
    n = plain(state["key"], (1000,))
