"""Equinox recurrent network that learns to sum a short sequence."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Summer(eqx.Module):
    cell: eqx.nn.GRUCell
    readout: eqx.nn.Linear

    def __init__(self, width, *, key):
        cell_key, readout_key = jax.random.split(key)
        self.cell = eqx.nn.GRUCell(1, width, key=cell_key)
        self.readout = eqx.nn.Linear(width, 1, key=readout_key)

    def __call__(self, sequence):
        def scan_fn(state, value):
            return self.cell(value[None], state), None

        state, _ = jax.lax.scan(scan_fn, jnp.zeros(self.cell.hidden_size), sequence)
        return self.readout(state)[0]


def loss_fn(model, sequences, totals):
    return jnp.mean((jax.vmap(model)(sequences) - totals) ** 2)


def make_step(optimizer):
    @eqx.filter_jit
    def step(model, opt_state, sequences, totals):
        loss, grads = eqx.filter_value_and_grad(loss_fn)(model, sequences, totals)
        weights = eqx.filter(model, eqx.is_inexact_array)
        updates, opt_state = optimizer.update(grads, opt_state, weights)
        return eqx.apply_updates(model, updates), opt_state, loss

    return step


def train(seed=0, steps=100):
    model_key, data_key = jax.random.split(jax.random.key(seed))
    model = Summer(8, key=model_key)
    optimizer = optax.adam(optax.cosine_decay_schedule(1e-2, steps))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    step = make_step(optimizer)
    sequences = jax.random.normal(data_key, (32, 6))
    totals = sequences.sum(axis=1)
    loss = None
    for _ in range(steps):
        model, opt_state, loss = step(model, opt_state, sequences, totals)
    return model, opt_state, loss


if __name__ == "__main__":
    print("loss", train()[2])


def demonstrate():
    _, opt_state, loss = train(steps=5)
    count = int(optax.tree_utils.tree_get_all_with_path(opt_state, "count")[0][1])
    assert jnp.isfinite(loss)
    assert count == 5
