"""after loop over the rows of a traced sequence; slug: unrolled-loop"""
import jax
import jax.numpy as jnp


def gru_cell(params, h, x):
    z = jax.nn.sigmoid(x @ params["wz"] + h @ params["uz"])
    n = jnp.tanh(x @ params["wn"] + h @ params["un"])
    return (1 - z) * h + z * n


@jax.jit
def encode(params, xs):
    h = jnp.zeros(params["uz"].shape[0])
    for t in range(xs.shape[0]):  # expect: unrolled-loop
        h = gru_cell(params, h, xs[t])
    return h


def summarise(params, sequences):
    return jnp.stack([encode(params, s) for s in sequences])


def demonstrate():
    p = {k: jnp.eye(2) for k in ("wz", "uz", "wn", "un")}
    def size(n):
        return len(jax.make_jaxpr(encode)(p, jnp.ones((n, 2))).jaxpr.eqns[0].params["jaxpr"].eqns)
    assert size(64) > 7 * size(8)
