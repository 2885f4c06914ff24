"""Greedy decoding with a chain of logits processors."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Temperature:
    value: float

    def __call__(self, tokens, logits):
        return logits / self.value


@dataclass(frozen=True)
class RepetitionPenalty:
    penalty: float

    def __call__(self, tokens, logits):
        return logits.at[tokens].subtract(self.penalty)


@dataclass(frozen=True)
class Chain:
    processors: tuple

    def __call__(self, tokens, logits):
        for processor in self.processors:
            logits = processor(tokens, logits)
        return logits


def next_logits(params, token):
    return params["out"] @ jnp.tanh(params["embed"][token])


def make_decoder(processors, steps):
    @jax.jit
    def decode(params, prompt):
        tokens = jnp.concatenate([prompt, jnp.full(steps, prompt[-1])])

        def step(tokens, position):
            logits = next_logits(params, tokens[position - 1])
            token = jnp.argmax(processors(tokens, logits))
            return tokens.at[position].set(token), token

        _, generated = jax.lax.scan(step, tokens, prompt.shape[0] + jnp.arange(steps))
        return generated

    return decode


def main():
    embed_key, out_key = jax.random.split(jax.random.key(6))
    params = {
        "embed": jax.random.normal(embed_key, (20, 8)),
        "out": jax.random.normal(out_key, (20, 8)),
    }
    processors = Chain((Temperature(0.7), RepetitionPenalty(50.0)))
    generated = make_decoder(processors, steps=6)(params, jnp.array([3, 1]))
    assert len(set(generated.tolist())) == 6
    print("generated:", generated)


if __name__ == "__main__":
    main()
