import jax
import jax.numpy as jnp


def sweep(xs, lrs):
    results = []
    for lr in lrs:
        step = jax.jit(lambda w, g: w - 0.1 * g)
        results.append(lr * step(xs, xs))
    return results


# --- what it should do
assert sweep(jnp.ones(1), [1.0])[0].tolist() == [jnp.float32(0.9)]
