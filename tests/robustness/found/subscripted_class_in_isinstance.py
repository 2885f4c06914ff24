import jax
import jaxtyping as jt

Ids = jt.Int[jax.Array, "n"]


def count(ids):
    if isinstance(ids, Ids):
        return 1
    return 0
