"""Inference for a small gradient-boosted tree ensemble."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Tree(NamedTuple):
    """Flat binary tree; the children of node i are left[i] and left[i] + 1."""

    feature: jax.Array
    threshold: jax.Array
    left: jax.Array  # -1 marks a leaf
    value: jax.Array


def child(tree, node, row):
    go_right = row[tree.feature[node]] > tree.threshold[node]
    return tree.left[node] + go_right.astype(jnp.int32)


def descend(tree, node, row):
    """Value of the leaf that the row reaches from a node."""
    leaf = jax.lax.while_loop(
        lambda node: tree.left[node] >= 0, lambda node: child(tree, node, row), node
    )
    return tree.value[leaf]


@jax.jit
def predict(forest, rows):
    def one_row(row):
        return sum(descend(tree, jnp.int32(0), row) for tree in forest)

    return jax.vmap(one_row)(rows)


def stump(feature, threshold, low, high):
    return Tree(
        feature=jnp.array([feature, 0, 0]),
        threshold=jnp.array([threshold, 0.0, 0.0]),
        left=jnp.array([1, -1, -1]),
        value=jnp.array([0.0, low, high]),
    )


def main():
    deep = Tree(
        feature=jnp.array([0, 0, 1, 0, 0]),
        threshold=jnp.array([0.5, 0.0, 0.2, 0.0, 0.0]),
        left=jnp.array([1, -1, 3, -1, -1]),
        value=jnp.array([0.0, -1.0, 0.0, 2.0, 3.0]),
    )
    forest = [stump(0, 0.5, -0.5, 0.5), deep]
    scores = predict(forest, jnp.array([[0.1, 0.9], [0.9, 0.1], [0.9, 0.9]]))
    assert jnp.allclose(scores, jnp.array([-1.5, 2.5, 3.5]))
    print("scores:", scores)


if __name__ == "__main__":
    main()
