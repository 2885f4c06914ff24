import collections

import jax
import jax.numpy as jnp

requests = collections.Counter()


@jax.jit
def perplexity(logits, token, totals):
    loss = -jax.nn.log_softmax(logits)[token]
    requests["scored"] += 1  # expect: captured-mutation
    totals["loss"] = totals["loss"] + loss  # expect: argument-mutation
    return jnp.exp(loss)


def score(all_logits, tokens):
    totals = {"loss": jnp.zeros(())}
    each = [perplexity(logits, token, totals) for logits, token in zip(all_logits, tokens)]
    return each, totals["loss"]


@jax.jit
def add(totals, loss):
    totals["loss"] = totals["loss"] + loss
    return totals
