"""init/apply pairs of plain functions, and accumulators."""
import jax
import jax.numpy as jnp

INITIALISERS = {}


def initialiser(fn):
    INITIALISERS[fn.__name__] = fn
    return fn


@initialiser
def glorot(key, shape):
    return jax.random.normal(key, shape) * (2 / sum(shape)) ** 0.5


@initialiser
def uniform(key, shape):
    return jax.random.uniform(key, shape, minval=-1, maxval=1) / shape[0] ** 0.5


@initialiser
def zeros(key, shape):
    return jnp.zeros(shape)


def dense_init(key, sizes, kind):
    make = INITIALISERS[kind]
    return {"w": make(key, sizes), "b": jnp.zeros(sizes[1])}


def dense(params, x):
    return x @ params["w"].astype(x.dtype) + params["b"].astype(x.dtype)


def mlp_init(key, widths, kind="glorot"):
    keys = jax.random.split(key, len(widths) - 1)
    return [dense_init(k, pair, kind) for k, pair in zip(keys, zip(widths, widths[1:]))]


def mlp(params, x):
    for index, layer in enumerate(params):
        x = dense(layer, x)
        if index < len(params) - 1:
            x = jax.nn.silu(x)
    return x


def radial_basis(gaps, count, cutoff):
    centres = jnp.linspace(0.0, cutoff, count)
    return jnp.exp(-((gaps[:, None] - centres) ** 2))


def add_at(total, index, values):
    """`total` with `values` added at `index`; the same index may come many times."""
    return total.at[index].add(values)
