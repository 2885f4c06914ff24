"""What is said of the draws, once there are any."""
import functools

import jax
import jax.numpy as jnp
import numpy as np

from . import smc, tree


@functools.partial(jax.jit, static_argnames=("probs", "axis"))
def quantiles(draws, probs, axis=0):
    return jax.tree.map(lambda x: jnp.stack([jnp.quantile(x, p, axis=axis) for p in probs]), draws)


@jax.jit
def rhat(draws):
    """Of draws (draw, chain, ...)."""
    n = draws.shape[0]
    within = draws.var(axis=0, ddof=1).mean(axis=0)
    between = draws.mean(axis=0).var(axis=0, ddof=1)
    return jnp.sqrt((n - 1) / n + between / within)


def effective_size(chain):
    """Of one chain of one number, on the host."""
    chain = np.asarray(chain) - np.mean(chain)
    n = len(chain)
    spectrum = np.fft.rfft(chain, 2 * n)
    correlation = np.fft.irfft(spectrum * spectrum.conj())[:n]
    correlation = correlation / correlation[0]
    cut = int(np.argmax(correlation < 0.05)) or n
    return n / (1 + 2 * correlation[1:cut].sum())


def intervals(draws, config):
    """The middle `level` of the draws, for each level."""
    ends = tuple((1 - level) / 2 for level in config.levels) + tuple((1 + level) / 2 for level in config.levels)
    return quantiles(draws, ends)


def summary(draws, config):
    table = {"rhat": jax.tree.map(rhat, draws), "size": {}}
    for name, values in draws.items():
        flat = np.asarray(values).reshape(len(values), -1)
        table["size"][name] = [effective_size(column) for column in flat.T]
    table["intervals"] = intervals(draws, config)
    return table


def bands(draws, config):
    return quantiles(draws, config.quantiles)  # expect: unhashable-static-argument


def replicate(model, key, draws):
    """A data set for each draw."""
    return jax.vmap(functools.partial(model.simulate, key))(draws)  # expect: same-key-across-batch


def replicate_each(model, key, draws):
    keys = jax.random.split(key, jax.tree.leaves(draws)[0].shape[0])
    return jax.vmap(model.simulate)(keys, draws)


def replicate_folded(model, key, draws):
    count = jax.tree.leaves(draws)[0].shape[0]

    def one(index, draw):
        return model.simulate(jax.random.fold_in(key, index), draw)

    return jax.vmap(one)(jnp.arange(count), draws)


def family_tree(generations):
    """How many particles live on from each generation, on the host."""
    return [smc.diversity(ancestors) for ancestors in generations]


def flatten(draws):
    """Chains one behind the other."""
    return jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), draws), tree.size(draws)
