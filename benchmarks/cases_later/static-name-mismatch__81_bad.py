"""Greedy generator around a bigram model; the number of new tokens is static."""
import jax
import jax.numpy as jnp


class BigramModel:
    def __init__(self, key, vocabulary, width=16):
        embed_key, output_key = jax.random.split(key)
        self.embedding = jax.random.normal(embed_key, (vocabulary, width))
        self.output = jax.random.normal(output_key, (width, vocabulary))

    def params(self):
        return {"embedding": self.embedding, "output": self.output}


def logits(params, token):
    return jnp.tanh(params["embedding"][token]) @ params["output"]


class Generator:
    def __init__(self, model):
        self.params = model.params()
        self._compiled = jax.jit(self._generate, static_argnames=("max_len",))  # expect: static-name-mismatch

    @staticmethod
    def _generate(params, prompt, max_new_tokens):
        def step(token, _):
            token = jnp.argmax(logits(params, token), axis=-1)
            return token, token

        return jax.lax.scan(step, prompt, None, length=max_new_tokens)[1]

    def __call__(self, prompt, max_new_tokens=8):
        prompt = jnp.asarray(prompt, dtype=jnp.int32)
        return self._compiled(self.params, prompt, max_new_tokens=max_new_tokens)


def main():
    generator = Generator(BigramModel(jax.random.key(0), vocabulary=20))
    tokens = generator([3, 7])
    longer = generator([3, 7], max_new_tokens=12)
    print("tokens", tokens.T)
    assert tokens.shape == (8, 2) and longer.shape == (12, 2)


if __name__ == "__main__":
    main()
