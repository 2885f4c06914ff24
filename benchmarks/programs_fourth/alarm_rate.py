import jax
import jax.numpy as jnp


@jax.jit
def alarm_rate(readings, limit):
    alarms = 0
    for reading in readings:
        if reading > limit:
            alarms += 1
    return alarms / len(readings)


# --- what it should do
assert abs(float(alarm_rate(jnp.array([1.0, 5.0, 7.0, 2.0]), 4.0)) - 0.5) < 1e-6
