"""after updates computed and never applied; slug: optimizer-state-misuse; corrected twin"""
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


def loss(model, x, y):
    return jnp.mean((jax.vmap(model)(x) - y) ** 2)


@eqx.filter_jit
def make_step(model, opt_state, opt, x, y):
    value, grads = eqx.filter_value_and_grad(loss)(model, x, y)
    updates, opt_state = opt.update(grads, opt_state)
    model = eqx.apply_updates(model, updates)
    return model, opt_state, value


def fit(x, y, steps):
    model = eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0))
    opt = optax.sgd(0.05)
    opt_state = opt.init(eqx.filter(model, eqx.is_array))
    values = []
    for _ in range(steps):
        model, opt_state, value = make_step(model, opt_state, opt, x, y)
        values.append(value)
    return values


def demonstrate():
    v = fit(jnp.ones((4, 2)), jnp.ones((4, 1)), 3)
    assert v[2] < v[0]
