import jax.numpy as jnp


def simulate(n_cells, n_steps, alpha):
    temperature = jnp.zeros(n_cells)
    temperature[0] = 100.0
    for _ in range(n_steps):
        change = temperature[:-2] - 2 * temperature[1:-1] + temperature[2:]
        temperature[1:-1] += alpha * change
    return temperature


# --- what it should do
rod = simulate(6, 3, 0.1)
assert float(rod[0]) == 100.0
assert float(rod[1]) > 0.0
