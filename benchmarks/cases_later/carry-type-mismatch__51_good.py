"""an LSTM-like cell whose carry changes its container; slug: carry-type-mismatch"""
import haiku as hk
import jax
import jax.numpy as jnp


def step(gate, state, x):
    hidden, memory = state["hidden"], state["memory"]
    gates = gate(jnp.concatenate([x, hidden], axis=-1))
    update, new = jnp.split(gates, 2, axis=-1)
    memory = jax.nn.sigmoid(update) * memory + jnp.tanh(new)
    return {"hidden": jnp.tanh(memory), "memory": memory}, memory


def network(xs):
    start = {"hidden": jnp.zeros((2, 4)), "memory": jnp.zeros((2, 4))}
    gate = hk.Linear(8)
    gate(jnp.zeros((2, 7)))  # makes the parameters
    state, outputs = hk.scan(lambda state, x: step(gate, state, x), start, xs)
    return outputs


def main():
    model = hk.transform(network)
    xs = jnp.ones((5, 2, 3))
    params = model.init(jax.random.key(0), xs)
    return model.apply(params, None, xs)


def demonstrate():
    main()
