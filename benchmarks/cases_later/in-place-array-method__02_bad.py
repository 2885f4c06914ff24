"""after general knowledge; slug: in-place-array-method"""
import jax
import jax.numpy as jnp


def top_candidates(scores, k):
    """The k best scores, best first."""
    ranked = -scores
    ranked.sort()  # expect: in-place-array-method
    return -ranked[:k]


def beam_step(log_probs, beam_scores, width):
    joint = (beam_scores[:, None] + log_probs).ravel()
    return top_candidates(joint, width)


search = jax.jit(beam_step, static_argnames="width")


def demonstrate():
    out = search(jnp.array([[0.0, 3.0], [1.0, 2.0]]), jnp.zeros(2), width=2)
    assert out.tolist() == [0.0, 3.0]
