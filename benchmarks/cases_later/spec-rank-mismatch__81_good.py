"""Ranking model whose rows are spread over a mesh."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 4)


def build_mesh():
    return Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("data", "model"))


def ranking_loss(scores, clicks):
    return -jnp.sum(clicks * jax.nn.log_softmax(scores))


def make_step(mesh, rate):
    activations = NamedSharding(mesh, P("data", "model"))
    rows = NamedSharding(mesh, P("data"))

    def loss(params, x, clicks):
        hidden = jnp.tanh(jnp.einsum("bi,ih->bh", x, params["hidden"]))
        hidden = jax.lax.with_sharding_constraint(hidden, activations)
        scores = jnp.einsum("bh,h->b", hidden, params["score"])
        scores = jax.lax.with_sharding_constraint(scores, rows)
        return ranking_loss(scores, clicks)

    @jax.jit
    def step(params, x, clicks):
        value, grads = jax.value_and_grad(loss)(params, x, clicks)
        return jax.tree.map(lambda p, g: p - rate * g, params, grads), value

    return step


def init_params(key, inputs, width):
    hidden_key, score_key = jax.random.split(key)
    return {
        "hidden": jax.random.normal(hidden_key, (inputs, width)),
        "score": jax.random.normal(score_key, (width,)),
    }


def main():
    param_key, data_key = jax.random.split(jax.random.key(0))
    params = init_params(param_key, inputs=4, width=8)
    x = jax.random.normal(data_key, (16, 4))
    clicks = jax.nn.one_hot(3, 16)
    step = make_step(build_mesh(), rate=0.1)
    params, first = step(params, x, clicks)
    params, second = step(params, x, clicks)
    print("loss", first, second)
    assert second < first


if __name__ == "__main__":
    main()
