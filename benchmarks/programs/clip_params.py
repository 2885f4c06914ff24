import jax.numpy as jnp

params = {"w": jnp.array([3.0, -3.0]), "b": jnp.zeros(1)}


def set_bias(params, value):
    params["b"].at[0].set(value)
    return params


# --- what it should do
assert set_bias(params, 2.0)["b"].tolist() == [2.0]
