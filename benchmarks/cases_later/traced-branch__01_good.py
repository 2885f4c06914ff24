"""after general knowledge; slug: traced-branch; corrected twin"""
import jax
import jax.numpy as jnp


class Clipper:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, grads):
        norm = global_norm(grads)
        scale = jnp.where(norm < self.limit, 1.0, self.limit / norm)
        return jax.tree.map(lambda g: g * scale, grads)


def global_norm(tree):
    return jnp.sqrt(sum(jnp.sum(leaf ** 2) for leaf in jax.tree.leaves(tree)))


def make_step(loss_fn, clipper, lr):
    def step(params, batch):
        grads = clipper(jax.grad(loss_fn)(params, batch))
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    return jax.jit(step)


def mse(params, batch):
    x, y = batch
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


def demonstrate():
    make_step(mse, Clipper(1.0), 0.1)({'w': jnp.ones(3), 'b': 0.0}, (jnp.ones((4, 3)), jnp.zeros(4)))
