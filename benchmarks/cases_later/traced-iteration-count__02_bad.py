"""after general knowledge; slug: traced-iteration-count"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Diffusion(eqx.Module):
    kernel: jax.Array
    n_steps: int

    def __call__(self, field):
        for _ in range(self.n_steps):  # expect: traced-iteration-count
            field = jnp.convolve(field, self.kernel, mode="same")
        return field


@jax.jit
def apply(model, field):
    return model(field)


def run():
    return apply(Diffusion(jnp.ones(3) / 3, 4), jnp.ones(8))


def demonstrate():
    try:
        run()
    except Exception as err:
        assert type(err).__name__ == 'TracerIntegerConversionError', repr(err)
    else:
        raise AssertionError('expected TracerIntegerConversionError')
