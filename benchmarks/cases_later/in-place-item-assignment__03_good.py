"""after general knowledge; slug: in-place-item-assignment; corrected twin"""
import jax.numpy as jnp


def build_transition(n, edges):
    table = {"rate": jnp.zeros((n, n))}
    rate = table["rate"]
    for a, b, r in edges:
        rate = rate.at[a, b].set(r)
    return {"rate": rate}


def demonstrate():
    build_transition(2, [(0, 1, 0.5)])
