"""Top-k sampling of the next token for a batch of sequences."""
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Sampler:
    temperature: float = 1.0
    top_k: int = 20

    def restrict(self, logits):
        values, tokens = jax.lax.top_k(logits, self.top_k)
        return values / self.temperature, tokens

    def __call__(self, key, logits):
        def one_sequence(row_key, row):
            values, tokens = self.restrict(row)
            choice = jax.random.categorical(row_key, values)
            return tokens[choice]

        return jax.vmap(one_sequence)(jax.random.split(key, logits.shape[0]), logits)


def next_logits(table, last_tokens):
    return table[last_tokens]


def generate(key, table, prompt, sampler, length):
    def step(tokens, step_key):
        tokens = sampler(step_key, next_logits(table, tokens))
        return tokens, tokens

    _, generated = jax.lax.scan(step, prompt, jax.random.split(key, length))
    return generated.T


def main():
    table_key, sample_key = jax.random.split(jax.random.key(21))
    table = jax.random.normal(table_key, (50, 50))
    prompt = jnp.zeros(16, dtype=jnp.int32)
    text = generate(sample_key, table, prompt, Sampler(), length=8)
    same = bool(jnp.all(text == text[0]))
    print(text[:2])
    assert not same


if __name__ == "__main__":
    main()
