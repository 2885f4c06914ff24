import jax
import jax.numpy as jnp


def seed_fire(forest, row, column):
    forest.at[row, column].set(2)
    return forest


def burn(forest):
    burning = forest == 2
    spread = jnp.roll(burning, 1, 0) | jnp.roll(burning, -1, 0)
    forest[burning] = 0
    forest[spread & (forest == 1)] = 2
    return forest


# --- what it should do
forest = burn(seed_fire(jnp.ones((5, 5), int), 2, 2))
assert int(forest[2, 2]) == 0 and int(forest[1, 2]) == 2 and int(forest[3, 2]) == 2
