"""after equinox inference dropout key in an evaluation loop; slug: key-reuse-in-loop"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    linear: eqx.nn.Linear
    dropout: eqx.nn.Dropout

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 32, key=key)
        self.dropout = eqx.nn.Dropout(0.5)

    def __call__(self, x, *, key):
        return self.dropout(self.linear(x), key=key)


@eqx.filter_jit
def forward(net, x, key):
    return net(x, key=key)


def mc_dropout(net, x, key, passes):
    outputs = []
    for _ in range(passes):
        outputs.append(forward(net, x, key))  # expect: key-reuse-in-loop
    return jnp.stack(outputs)


def demonstrate():
    out = mc_dropout(Net(jax.random.key(0)), jnp.ones(3), jax.random.key(1), 4)
    assert float(out.std(axis=0).max()) == 0.0
