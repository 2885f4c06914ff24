"""Greedy decoding that pads after a stop token."""
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Decoder:
    stop_tokens: frozenset
    pad_token: int = 0

    def is_stop(self, token):
        return jnp.isin(token, jnp.asarray(sorted(self.stop_tokens)))

    def decode(self, table, prompt, length):
        def step(carry, _):
            token, finished = carry
            following = jnp.argmax(table[token])
            following = jnp.where(finished, self.pad_token, following)
            finished = finished | self.is_stop(following)
            return (following, finished), following

        start = (jnp.asarray(prompt, dtype=jnp.int32), jnp.asarray(False))
        _, tokens = jax.lax.scan(step, start, None, length=length)
        return tokens


def bigram_table(successors):
    """Logits of a bigram model with one likely successor for each token."""
    return 5.0 * jax.nn.one_hot(jnp.asarray(successors), len(successors))


def main():
    table = bigram_table([1, 2, 3, 4, 5, 1])
    decoder = Decoder(stop_tokens=frozenset({4, 5}))
    tokens = decoder.decode(table, prompt=1, length=6)
    print("tokens", tokens)
    assert tokens.tolist() == [2, 3, 4, 0, 0, 0]


if __name__ == "__main__":
    main()
