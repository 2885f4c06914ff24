import jax.numpy as jnp


def moving_average(series, width):
    out = jnp.zeros(len(series) - width + 1)
    for i in range(len(out)):
        out[i] = series[i : i + width].mean()  # one window at a time
    return out


# --- what it should do
assert moving_average(jnp.arange(5.0), 2).tolist() == [0.5, 1.5, 2.5, 3.5]
