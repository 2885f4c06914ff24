import jax
import jax.numpy as jnp


def present_value(cash, rate):
    value = jnp.zeros(())
    for year in range(len(cash)):
        value += cash[year] / (1 + rate) ** (year + 1)
    return value


durations = jax.grad(present_value, argnums=1)


def ladder(cash, rates):
    result = jnp.zeros(len(rates))
    for i, rate in enumerate(rates):
        result[i] = -durations(cash, rate)
    return result


# --- what it should do
out = ladder(jnp.array([5.0, 105.0]), jnp.array([0.0, 0.05]))
assert abs(float(out[0]) - 215.0) < 1e-3
