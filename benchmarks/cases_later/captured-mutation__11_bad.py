"""after activations appended to an outer list; slug: captured-mutation"""
import jax
import jax.numpy as jnp


def make_probe(layers):
    activations = []

    def forward(x):
        for w in layers:
            x = jnp.tanh(x @ w)
            activations.append(x)  # expect: captured-mutation
        return x

    return jax.jit(forward), activations


def norms(layers, x):
    forward, activations = make_probe(layers)
    forward(x)
    return [jnp.linalg.norm(a) for a in activations]


def demonstrate():
    try:
        norms([jnp.eye(2), jnp.eye(2)], jnp.ones(2))
    except Exception as err:
        assert type(err).__name__ == 'UnexpectedTracerError', repr(err)
    else:
        raise AssertionError('expected UnexpectedTracerError')
