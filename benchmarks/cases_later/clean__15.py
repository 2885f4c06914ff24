"""after general knowledge; clean: errors that are expected and handled; sets and None beside arrays on the host"""
import jax
import jax.numpy as jnp

SEEN = set()


def is_traceable(fn, x):
    try:
        jax.eval_shape(fn, x)
    except jax.errors.ConcretizationTypeError:
        return False
    return True


def branchy(x):
    return x if x.shape[0] > 2 else -x


def run(tree, skip=frozenset({"b"})):
    SEEN.update(tree)
    kept = {k: v for k, v in tree.items() if k not in skip}
    mask = {k: (None if k in skip else 1.0) for k in tree}
    scaled = jax.tree.map(lambda v: v * 2, kept)
    return scaled, [m for m in mask.values() if m is not None], is_traceable(branchy, jnp.ones(3))


def demonstrate():
    run({'a': jnp.ones(2), 'b': jnp.ones(1)})
