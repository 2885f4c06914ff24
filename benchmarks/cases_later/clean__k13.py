"""clean: trace-time bookkeeping that is meant: shapes printed, a list local to the trace"""
import jax
import jax.numpy as jnp


@jax.jit
def forward(layers, x):
    print("compiling for", x.shape, x.dtype)
    outputs = []
    for w in layers:
        x = jnp.tanh(x @ w)
        outputs.append(x)
    stats = {}
    for i, out in enumerate(outputs):
        stats[f"layer{i}"] = out.mean()
    return x, stats


def run(batches):
    layers = [jnp.eye(3)] * 3
    return [forward(layers, b)[1] for b in batches]


def demonstrate():
    assert len(run([jnp.ones((2, 3))] * 2)[0]) == 3
