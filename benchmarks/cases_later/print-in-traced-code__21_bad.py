"""after print in a lax.cond branch and in a while body; slug: print-in-traced-code"""
import jax
import jax.numpy as jnp


def shrink(x):
    print("halving", x)  # expect: print-in-traced-code
    return x / 2


def keep(x):
    return x


@jax.jit
def clip_step(x):
    return jax.lax.cond(jnp.abs(x) > 1.0, shrink, keep, x)


def demonstrate():
    import contextlib, io
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for _ in range(3):
            clip_step(jnp.float32(8.0))
        jax.effects_barrier()
    assert out.getvalue().count("halving") == 1
