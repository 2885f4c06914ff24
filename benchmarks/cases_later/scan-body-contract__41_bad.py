"""a recurrent cell written for a Python loop; slug: scan-body-contract"""
import jax
import jax.numpy as jnp


def cell(params, h, x):
    return jnp.tanh(params["wh"] @ h + params["wx"] @ x)


def unroll(params, xs):
    h0 = jnp.zeros(params["wh"].shape[0])
    last, hs = jax.lax.scan(lambda h, x: cell(params, h, x), h0, xs)  # expect: scan-body-contract
    return last, hs


def main():
    params = {"wh": jnp.eye(3), "wx": jnp.ones((3, 2))}
    return jax.jit(unroll)(params, jnp.ones((5, 2)))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
