import jax
import jax.numpy as jnp


@jax.jit
def grow(population, capacity):
    hours = 0
    while population < 0.9 * capacity:
        population = population + 0.5 * population * (1 - population / capacity)
        hours += 1
        if hours > 100:
            break
    return hours, population


def compare(capacities):
    return jax.vmap(grow, in_axes=(0, None))(1.0, capacities)


# --- what it should do
hours, population = grow(1.0, 10.0)
assert float(population) >= 9.0 and int(hours) > 0
