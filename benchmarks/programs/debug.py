import jax
import jax.numpy as jnp


@jax.jit
def residual(x):
    r = jnp.sum(x**2)
    jax.debug.print(f"residual {r}")
    return r


# --- what it should do
import contextlib
import io

with contextlib.redirect_stdout(io.StringIO()) as text:
    residual(jnp.ones(2))
    jax.effects_barrier()
assert "residual 2.0" in text.getvalue()
