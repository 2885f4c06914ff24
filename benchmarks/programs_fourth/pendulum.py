import jax
import jax.numpy as jnp


@jax.jit
def swing(angle, speed, dt, n_steps):
    print(f"swinging from {angle:.2f}")
    for _ in range(n_steps):
        speed = speed - dt * jnp.sin(angle)
        angle = angle + dt * speed
    assert jnp.isfinite(angle)
    return float(angle)


# --- what it should do
assert abs(float(swing(0.1, 0.0, 0.01, 10)) - 0.0995) < 1e-3
