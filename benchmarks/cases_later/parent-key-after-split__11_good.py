"""after the parent key initialises one more layer; slug: parent-key-after-split; corrected twin"""
import jax
import jax.numpy as jnp


def linear(key, n_in, n_out):
    w_key, b_key = jax.random.split(key)
    return jax.random.normal(w_key, (n_in, n_out)), 0.1 * jax.random.normal(b_key, (n_out,))


def init_transformer_block(key, dim):
    q_key, k_key, v_key, out_key = jax.random.split(key, 4)
    block = {
        "q": linear(q_key, dim, dim),
        "k": linear(k_key, dim, dim),
        "v": linear(v_key, dim, dim),
    }
    block["out"] = linear(out_key, dim, dim)
    return block


def attend(block, x):
    q, k, v = (x @ block[n][0] + block[n][1] for n in "qkv")
    weights = jax.nn.softmax(q @ k.T / jnp.sqrt(x.shape[-1]))
    w, b = block["out"]
    return weights @ v @ w + b


def demonstrate():
    key = jax.random.key(0)
    block = init_transformer_block(key, 4)
    leaked = jax.random.normal(jax.random.split(key, 3)[0], (4, 4))
    same = jnp.array_equal(block["out"][0], leaked)
    assert not same
