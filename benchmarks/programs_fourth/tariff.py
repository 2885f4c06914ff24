import jax
import jax.numpy as jnp


@jax.jit
def price(use, settings):
    if settings["plan"] == "night":
        rate = 0.5
    else:
        rate = 1.0
    if use > 100.0:
        return use * rate * 1.2
    elif use > 50.0:
        return use * rate * 1.1
    return use * rate


# --- what it should do
assert abs(float(price(60.0, {"plan": "night"})) - 33.0) < 1e-4
