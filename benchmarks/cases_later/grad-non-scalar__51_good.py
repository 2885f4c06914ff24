"""the loss of each example differentiated at once; slug: grad-non-scalar"""
import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [(jax.random.normal(k, (m, n)) / m, jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def forward(params, x):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def cross_entropy(params, x, labels):
    log_probs = jax.nn.log_softmax(forward(params, x))
    picked = jnp.take_along_axis(log_probs, labels[:, None], axis=1)
    return -picked.mean()


@jax.jit
def update(params, x, labels):
    grads = jax.grad(cross_entropy)(params, x, labels)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def main():
    params = init(jax.random.key(0), (4, 8, 3))
    return update(params, jnp.ones((5, 4)), jnp.zeros(5, jnp.int32))


def demonstrate():
    main()
