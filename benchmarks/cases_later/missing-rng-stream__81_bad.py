"""Tiny causal language model: one attention block with dropout."""
import flax.linen as nn
import jax
import optax


class Block(nn.Module):
    width: int
    rate: float

    @nn.compact
    def __call__(self, h, mask, deterministic):
        attended = nn.MultiHeadDotProductAttention(num_heads=2)(nn.LayerNorm()(h), mask=mask)
        h = h + nn.Dropout(self.rate, deterministic=deterministic)(attended)
        return h + nn.Dense(self.width)(nn.gelu(nn.LayerNorm()(h)))


class LanguageModel(nn.Module):
    vocabulary: int
    width: int = 16
    rate: float = 0.1

    @nn.compact
    def __call__(self, tokens, deterministic):
        h = nn.Embed(self.vocabulary, self.width)(tokens)
        h = Block(self.width, self.rate)(h, nn.make_causal_mask(tokens), deterministic)
        return nn.Dense(self.vocabulary)(h)


class Trainer:
    def __init__(self, model):
        self.model = model

    def loss(self, params, tokens, dropout_key):
        variables = {"params": params}
        logits = self.model.apply(variables, tokens[:, :-1], deterministic=False)  # expect: missing-rng-stream
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


def main():
    token_key, init_key, dropout_key = jax.random.split(jax.random.key(8), 3)
    tokens = jax.random.randint(token_key, (4, 9), 0, 12)
    trainer = Trainer(LanguageModel(vocabulary=12))
    params = trainer.model.init(init_key, tokens[:, :-1], deterministic=True)["params"]
    loss, grads = jax.value_and_grad(trainer.loss)(params, tokens, dropout_key)
    print("loss", loss, "gradient norm", optax.global_norm(grads))


if __name__ == "__main__":
    main()
