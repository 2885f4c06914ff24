"""What JAX is told beside the arguments: 64 bits, the precision of products, kinds of keys, caches that are cleared."""

import jax
import jax.numpy as jnp
import numpy as np
from counted import ran


# reasons: first dtype
@jax.jit
def energy(x):
    ran("energy")
    return jnp.sum(x**2)


# reasons: first config
@jax.jit
def product(a, b):
    ran("product")
    return a @ b


# reasons: first
@jax.jit
def explicit(a, b):
    ran("explicit")
    return jnp.matmul(a, b, precision="highest")


# reasons: first config
@jax.jit
def same_argument(x):
    ran("same_argument")
    return jnp.cos(x)


# reasons: first cache-cleared
@jax.jit
def after_clearing(x):
    ran("after_clearing")
    return x - 1


# reasons: first rank
@jax.jit
def sample(key):
    ran("sample")
    return jax.random.normal(key, (3,))


# reasons: first
@jax.jit
def interpreted(x):
    ran("interpreted")
    return x + 1


def main():
    numbers = np.linspace(0.0, 1.0, 4)
    energy(numbers)
    x = jnp.ones(4)
    same_argument(x)
    jax.config.update("jax_enable_x64", True)
    energy(numbers)  # is float64 from here on
    same_argument(x)
    jax.config.update("jax_enable_x64", False)
    energy(numbers)
    same_argument(x)
    a = jnp.ones((3, 3))
    for _ in range(3):
        product(a, a)
        explicit(a, a)
        with jax.default_matmul_precision("float32"):
            product(a, a)
    after_clearing(x)
    jax.clear_caches()
    after_clearing(x)
    after_clearing(x)
    for seed in range(3):
        sample(jax.random.PRNGKey(seed))
        sample(jax.random.key(seed))
    interpreted(x)
    interpreted(x)


main()
