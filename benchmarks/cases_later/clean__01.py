"""after general knowledge; clean: branches on static things only: None, shapes, dtypes, flags, isinstance, dictionary membership"""
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames=("causal", "mode"))
def attend(q, k, v, mask=None, *, causal=False, mode="scaled"):
    scale = q.shape[-1] ** -0.5 if mode == "scaled" else 1.0
    logits = q @ k.T * scale
    if causal:
        logits = jnp.where(jnp.tril(jnp.ones(logits.shape, bool)), logits, -jnp.inf)
    if mask is not None:
        logits = jnp.where(mask, logits, -1e9)
    assert logits.ndim == 2 and v.shape[0] == k.shape[0]
    if not jnp.issubdtype(v.dtype, jnp.floating):
        v = v.astype(jnp.float32)
    return jax.nn.softmax(logits) @ v


def run(params, x):
    out = attend(x @ params["q"], x @ params["k"], x, causal=True)
    if "o" in params:
        out = out @ params["o"]
    return out


run_jit = jax.jit(run)


def demonstrate():
    run_jit({'q': jnp.eye(2), 'k': jnp.eye(2), 'o': jnp.eye(2)}, jnp.ones((3, 2)))
