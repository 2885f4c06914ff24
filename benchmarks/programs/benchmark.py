import time

import jax
import jax.numpy as jnp


@jax.jit
def matmul(a, b):
    return a @ b


a = jnp.ones((64, 64))
matmul(a, a).block_until_ready()
start = time.perf_counter()
c = matmul(a, a)
elapsed = time.perf_counter() - start
print(f"{elapsed * 1e3:.3f} ms")

# --- what it should do
assert c[0, 0] == 64
