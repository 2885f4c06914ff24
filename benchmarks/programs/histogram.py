import jax.numpy as jnp


def histogram(values, bins, lo, hi):
    counts = jnp.zeros(bins, dtype=jnp.int32)
    for v in values:
        b = int((v - lo) / (hi - lo) * bins)
        if 0 <= b < bins:
            counts[b] += 1
    return counts


# --- what it should do
assert histogram([0.1, 0.2, 0.9], 2, 0.0, 1.0).tolist() == [2, 1]
