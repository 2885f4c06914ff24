"""a hierarchical regression with a group axis too many; slug: einsum-pattern-mismatch"""
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro import handlers


def traced(function):
    return handlers.trace(handlers.seed(function, jax.random.key(0)))


def model(x, groups, y=None):
    with numpyro.plate("groups", 3):
        slope = numpyro.sample("slope", dist.Normal(0.0, 1.0).expand([2]).to_event(1))
    design = x.reshape(-1, 2)
    chosen = jax.nn.one_hot(groups, 3)
    mean = jnp.einsum("nf,ng,gf->n", design, chosen, jnp.ones((3, 2)))
    numpyro.sample("y", dist.Normal(mean + slope.sum(), 1.0), obs=y)


def main():
    x, groups = jnp.ones((6, 2)), jnp.array([0, 0, 1, 1, 2, 2])
    return traced(model).get_trace(x, groups)


def demonstrate():
    main()
