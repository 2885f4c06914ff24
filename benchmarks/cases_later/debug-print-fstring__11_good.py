"""after f-string handed to debug.print; slug: debug-print-fstring; corrected twin"""
import jax
import jax.numpy as jnp


@jax.jit
def newton(x):
    f, df = jnp.cos(x) - x, -jnp.sin(x) - 1
    x_new = x - f / df
    jax.debug.print("x = {} residual = {}", x_new, f)
    return x_new


def solve(x, n):
    for _ in range(n):
        x = newton(x)
    return x


def demonstrate():
    import contextlib, io
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        solve(jnp.float32(1.0), 2)
        jax.effects_barrier()
    assert "Trac" not in text.getvalue()
