"""after general knowledge; slug: traced-iteration-count; corrected twin"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Diffusion(eqx.Module):
    kernel: jax.Array
    n_steps: int = eqx.field(static=True)

    def __call__(self, field):
        for _ in range(self.n_steps):
            field = jnp.convolve(field, self.kernel, mode="same")
        return field


@jax.jit
def apply(model, field):
    return model(field)


def run():
    return apply(Diffusion(jnp.ones(3) / 3, 4), jnp.ones(8))


def demonstrate():
    run()
