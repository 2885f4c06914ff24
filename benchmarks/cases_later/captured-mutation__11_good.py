"""after activations appended to an outer list; slug: captured-mutation; corrected twin"""
import jax
import jax.numpy as jnp


def make_probe(layers):
    activations = []

    @jax.jit
    def forward(x):
        activations = []
        for w in layers:
            x = jnp.tanh(x @ w)
            activations.append(x)
        return x, activations

    return forward


def norms(layers, x):
    _, activations = make_probe(layers)(x)
    return [jnp.linalg.norm(a) for a in activations]


def demonstrate():
    norms([jnp.eye(2), jnp.eye(2)], jnp.ones(2))
