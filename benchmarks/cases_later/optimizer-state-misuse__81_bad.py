"""Fit a small Haiku network to a sine wave; the whole run is one scan."""
import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(x):
    return hk.nets.MLP([16, 16, 1], activation=jnp.tanh)(x)


class Fitter:
    def __init__(self, rate):
        self.net = hk.without_apply_rng(hk.transform(network))
        self.tx = optax.adam(rate)

    def loss(self, params, x, y):
        return jnp.mean((self.net.apply(params, x) - y) ** 2)

    def run(self, params, x, y, steps):
        def body(carry, _):
            params, opt_state = carry
            value, grads = jax.value_and_grad(self.loss)(params, x, y)
            updates, _ = self.tx.update(grads, opt_state, params)  # expect: optimizer-state-misuse
            params = optax.apply_updates(params, updates)
            return (params, opt_state), value

        return jax.lax.scan(body, (params, self.tx.init(params)), None, length=steps)


def adam_count(opt_state):
    return int(optax.tree_utils.tree_get(opt_state, "count"))


def main():
    x = jnp.linspace(-3.0, 3.0, 64)[:, None]
    y = jnp.sin(x)
    fitter = Fitter(3e-3)
    params = fitter.net.init(jax.random.key(1), x)
    (params, opt_state), losses = fitter.run(params, x, y, 200)
    print("loss", losses[0], "->", losses[-1])
    assert adam_count(opt_state) == 0


if __name__ == "__main__":
    main()
