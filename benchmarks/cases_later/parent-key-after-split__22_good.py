"""after train step splits the state's key and hands the old one back; slug: parent-key-after-split; corrected twin"""
import jax
import jax.numpy as jnp


def create_state(seed):
    key = jax.random.PRNGKey(seed)
    key, sub = jax.random.split(key)
    return {"params": jax.random.normal(sub, (3,)), "key": key, "step": 0}


def noisy_loss(params, x, key):
    return jnp.sum((x @ params + 0.1 * jax.random.normal(key, (x.shape[0],))) ** 2)


@jax.jit
def train_step(state, x):
    key, noise_key = jax.random.split(state["key"])
    grads = jax.grad(noisy_loss)(state["params"], x, noise_key)
    return {
        "params": state["params"] - 0.01 * grads,
        "key": key,
        "step": state["step"] + 1,
    }


def train(x, steps):
    state = create_state(0)
    for _ in range(steps):
        state = train_step(state, x)
    return state


def demonstrate():
    a, b = create_state(0)["key"], train(jnp.ones((2, 3)), 2)["key"]
    assert not jnp.array_equal(a, b)
