"""Multi-head attention in Haiku, written with einsum."""
import haiku as hk
import jax
import jax.numpy as jnp


class Attention(hk.Module):
    def __init__(self, heads, size, name=None):
        super().__init__(name=name)
        self.heads = heads
        self.size = size

    def project(self, x, name):
        projected = hk.Linear(self.heads * self.size, name=name)(x)
        return projected.reshape(*x.shape[:2], self.heads, self.size)

    def mix(self, weights, values):
        return jnp.einsum("bhqk,bkhd->bqhe", weights, values)  # expect: einsum-pattern-mismatch

    def __call__(self, x):
        query, key, value = (self.project(x, name) for name in ("query", "key", "value"))
        logits = jnp.einsum("bqhd,bkhd->bhqk", query, key) / self.size**0.5
        causal = jnp.tril(jnp.ones(logits.shape[-2:], dtype=bool))
        weights = jax.nn.softmax(jnp.where(causal, logits, -1e9))
        mixed = self.mix(weights, value)
        return hk.Linear(x.shape[-1], name="output")(mixed.reshape(*x.shape[:2], -1))


def network(x):
    x = x + Attention(heads=2, size=4)(hk.LayerNorm(-1, True, True)(x))
    return x + hk.nets.MLP([16, x.shape[-1]])(x)


def main():
    model = hk.without_apply_rng(hk.transform(network))
    data_key, init_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(data_key, (2, 5, 8))
    params = model.init(init_key, x)
    y = jax.jit(model.apply)(params, x)
    print("output", y.shape)
    assert y.shape == x.shape


if __name__ == "__main__":
    main()
