"""after general knowledge; slug: unsortable-dict-keys; corrected twin"""
import jax
import jax.numpy as jnp


def edge_features(n_nodes):
    features = {str(i): jnp.ones(4) * i for i in range(n_nodes)}
    features["global"] = jnp.zeros(4)
    return features


@jax.jit
def message_pass(features):
    total = sum(features.values())
    return {name: f + 0.1 * total for name, f in features.items()}


def run(n_nodes=3):
    return message_pass(edge_features(n_nodes))


def demonstrate():
    run()
