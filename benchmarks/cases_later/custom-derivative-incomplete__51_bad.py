"""a clipped gradient whose backward rule forgets a cotangent; slug: custom-derivative-incomplete"""
import equinox as eqx
import jax
import jax.numpy as jnp


def make_clip(limit):
    @jax.custom_vjp
    def clipped(x, scale):
        return x * scale

    def forward(x, scale):
        return x * scale, (x, scale)

    def backward(residuals, g):
        x, scale = residuals
        g = jnp.clip(g, -limit, limit)
        return (g * scale,)  # expect: custom-derivative-incomplete

    clipped.defvjp(forward, backward)
    return clipped


clip = make_clip(1.0)


@eqx.filter_jit
def loss(model, x):
    return jnp.sum(clip(model(x), 2.0))


def main():
    model = eqx.nn.Linear(3, 2, key=jax.random.key(0))
    return eqx.filter_grad(loss)(model, jnp.ones(3))


def demonstrate():
    try:
        main()
    except Exception as err:
        return str(err)
    raise AssertionError("expected a failure")
