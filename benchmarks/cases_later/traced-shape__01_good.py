"""after general knowledge; slug: traced-shape; corrected twin"""
import jax
import jax.numpy as jnp


def one_hot_targets(labels, n_classes, smoothing=0.1):
    hard = jax.nn.one_hot(labels, n_classes)
    return hard * (1 - smoothing) + smoothing / n_classes


@jax.jit
def cross_entropy(logits, labels):
    n_classes = logits.shape[-1]
    return -jnp.mean(jnp.sum(one_hot_targets(labels, n_classes) * jax.nn.log_softmax(logits), axis=-1))


def demonstrate():
    cross_entropy(jnp.ones((2, 3)), jnp.array([0, 2]))
