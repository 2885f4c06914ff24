"""after general knowledge; slug: in-place-augmented-assignment"""
import jax
import jax.numpy as jnp


def init_params(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return {
        f"layer_{i}": {"w": jax.random.normal(k, (m, n)), "b": jnp.zeros(n)}
        for i, (k, m, n) in enumerate(zip(keys, sizes[:-1], sizes[1:]))
    }


def perturb(params, layer, unit, eps):
    weights = params[f"layer_{layer}"]["w"]
    weights[:, unit] += eps  # expect: in-place-augmented-assignment
    return params


def sensitivity(key):
    params = init_params(key, (3, 4, 2))
    return perturb(params, 0, 1, 1e-3)


def demonstrate():
    try:
        sensitivity(jax.random.key(0))
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
