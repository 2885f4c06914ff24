"""Node classification on a small ring graph with a graph convolution."""

import jax
import jax.numpy as jnp
import numpy as np


# --- the graph -------------------------------------------------------------
def ring(nodes):
    index = jnp.arange(nodes)
    adjacency = jnp.zeros((nodes, nodes))
    adjacency = adjacency.at[index, (index + 1) % nodes].set(1.0)
    return jnp.maximum(adjacency, adjacency.T)


def normalised(adjacency):
    """Symmetric normalisation with self-loops, as in Kipf and Welling."""
    np.fill_diagonal(adjacency, 1.0)  # expect: in-place-array-method
    inverse_root = adjacency.sum(axis=1) ** -0.5
    return inverse_root[:, None] * adjacency * inverse_root[None, :]


# --- the network -----------------------------------------------------------
def gcn(params, graph, features):
    hidden = jax.nn.relu(graph @ features @ params["first"])
    return graph @ hidden @ params["second"]


def loss_fn(params, graph, features, labels):
    log_probs = jax.nn.log_softmax(gcn(params, graph, features))
    return -jnp.mean(jnp.take_along_axis(log_probs, labels[:, None], axis=1))


@jax.jit
def step(params, graph, features, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, graph, features, labels)
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), loss


# --- training --------------------------------------------------------------
def main():
    feature_key, first_key, second_key = jax.random.split(jax.random.key(2), 3)
    graph = normalised(ring(12))
    features = jax.random.normal(feature_key, (12, 5))
    labels = (jnp.arange(12) < 6).astype(jnp.int32)
    params = {
        "first": 0.3 * jax.random.normal(first_key, (5, 8)),
        "second": 0.3 * jax.random.normal(second_key, (8, 2)),
    }
    losses = []
    for _ in range(60):
        params, loss = step(params, graph, features, labels)
        losses.append(loss)
    assert losses[-1] < losses[0]
    print("loss:", losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
