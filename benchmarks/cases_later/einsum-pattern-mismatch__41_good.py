"""multi-head attention written with einsum; slug: none"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Attention(eqx.Module):
    wq: jax.Array
    wk: jax.Array
    heads: int = eqx.field(static=True)

    def __init__(self, dim, heads, key):
        kq, kk = jax.random.split(key)
        self.wq = jax.random.normal(kq, (dim, heads, dim // heads))
        self.wk = jax.random.normal(kk, (dim, heads, dim // heads))
        self.heads = heads

    def __call__(self, x):
        q = jnp.einsum("td,dhk->thk", x, self.wq)
        k = jnp.einsum("td,dhk->thk", x, self.wk)
        return jax.nn.softmax(jnp.einsum("thk,shk->hts", q, k))


def run():
    model = Attention(16, 4, jax.random.key(0))
    return eqx.filter_jit(model)(jnp.ones((10, 16)))


def demonstrate():
    run()
