import jax
import space.inner.part as part
from shop import even, fast_sum, first, forms, random, softened
from space.inner import part as again

summed = jax.jit(fast_sum)
prefix = jax.jit(first)
evened = jax.jit(even)
blank = jax.jit(part.blank)
fixed = jax.jit(again.blank, static_argnums=0)
formed = jax.jit(forms.slow_sum)


def eager(x):
    return softened(x)


def drawn(key):
    return random.normal(key) + random.normal(key)
