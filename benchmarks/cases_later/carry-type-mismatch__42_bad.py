"""an inner solver that carries a half-precision iterate; slug: carry-type-mismatch"""
import jax
import jax.numpy as jnp


def contraction(z, x):
    return jnp.tanh(0.5 * z + x)


def fixed_point(x, steps=30):
    z0 = jnp.zeros(x.shape, jnp.bfloat16)

    def body(_, z):
        return contraction(z, x)

    return jax.lax.fori_loop(0, steps, body, z0)  # expect: carry-type-mismatch


def main():
    return jax.jit(fixed_point)(jnp.ones(4))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
