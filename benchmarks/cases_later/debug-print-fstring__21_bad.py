"""after format call given to debug.print in a scan; slug: debug-print-fstring"""
import jax
import jax.numpy as jnp


def body(carry, x):
    carry = 0.5 * carry + x
    jax.debug.print("carry: {}".format(carry))  # expect: debug-print-fstring
    return carry, carry


def smooth(xs):
    return jax.lax.scan(body, 0.0, xs)[1]


def demonstrate():
    import contextlib, io
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        smooth(jnp.ones(3))
        jax.effects_barrier()
    assert "Trac" in out.getvalue() or "JitTracer" in out.getvalue(), out.getvalue()
