import jax
import jax.numpy as jnp


@jax.jit
def advance(position, velocity, dt):
    position = position + dt * velocity
    print(f"position: {position}")
    return position


# --- what it should do
import contextlib
import io

seen = io.StringIO()
with contextlib.redirect_stdout(seen):
    advance(1.0, 2.0, 0.5)
    advance(2.0, 2.0, 0.5)
    jax.effects_barrier()
assert "2.0" in seen.getvalue() and "3.0" in seen.getvalue()
