"""Forward pass of a small decoder stack over a list of layer parameters."""

import jax
import jax.numpy as jnp


def init_layer(key, dim):
    names = ("query", "key", "value", "out")
    keys = jax.random.split(key, len(names))
    scale = dim**-0.5
    return {n: scale * jax.random.normal(k, (dim, dim)) for n, k in zip(names, keys)}


def attention(layer, x):
    length, dim = x.shape
    query, key, value = (x @ layer[name] for name in ("query", "key", "value"))
    scores = query @ key.T * dim**-0.5
    mask = jnp.tril(jnp.ones((length, length), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
    return weights @ value @ layer["out"]


class Decoder:
    def __init__(self, key, depth, dim):
        self.layers = [init_layer(k, dim) for k in jax.random.split(key, depth)]

    def parameters(self):
        return self.layers


def run_layers(layers, x):
    def block(i, x):
        return x + attention(layers[i], x)  # expect: traced-container-index

    return jax.lax.fori_loop(0, len(layers), block, x)


@jax.jit
def encode(layers, x):
    x = run_layers(layers, x)
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


def main():
    model_key, x_key = jax.random.split(jax.random.key(12))
    decoder = Decoder(model_key, depth=4, dim=16)
    x = jax.random.normal(x_key, (10, 16))
    encoded = encode(decoder.parameters(), x)
    assert encoded.shape == (10, 16)
    expected = x
    for layer in decoder.layers:
        expected = expected + attention(layer, expected)
    expected = expected / jnp.linalg.norm(expected, axis=-1, keepdims=True)
    assert jnp.allclose(encoded, expected, atol=1e-4)
    print("first row:", encoded[0, :4])


if __name__ == "__main__":
    main()
