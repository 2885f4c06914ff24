"""Decision tree inference: the tree is stored as flat arrays."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Tree(NamedTuple):
    feature: jax.Array
    threshold: jax.Array
    left: jax.Array
    right: jax.Array
    value: jax.Array


def child_of(tree, node, row):
    goes_left = row[tree.feature[node]] < tree.threshold[node]
    return jnp.where(goes_left, tree.left[node], tree.right[node])


def descend(tree, node, row):
    leaf = jax.lax.while_loop(
        lambda n: tree.left[n] >= 0,
        lambda n: child_of(tree, n, row),
        node,
    )
    return tree.value[leaf]


@jax.jit
def predict(tree, rows):
    return jax.vmap(lambda row: descend(tree, jnp.int32(0), row))(rows)


def small_tree():
    return Tree(
        feature=jnp.array([0, 0, 1, 0, 0]),
        threshold=jnp.array([0.5, 0.0, 0.3, 0.0, 0.0]),
        left=jnp.array([1, -1, 3, -1, -1]),
        right=jnp.array([2, -1, 4, -1, -1]),
        value=jnp.array([0.0, 10.0, 0.0, 20.0, 30.0]),
    )


def main():
    rows = jnp.array([[0.1, 0.9], [0.9, 0.1], [0.9, 0.9]])
    predictions = predict(small_tree(), rows)
    print("predictions", predictions)
    assert jnp.array_equal(predictions, jnp.array([10.0, 20.0, 30.0]))


if __name__ == "__main__":
    main()
