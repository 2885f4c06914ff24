"""an equinox loss that returns its accuracy too; slug: missing-has-aux"""
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


def loss_fn(model, x, y):
    logits = jax.vmap(model)(x)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
    accuracy = jnp.mean(jnp.argmax(logits, -1) == y)
    return loss, accuracy


@eqx.filter_jit
def step(model, opt_state, x, y):
    (loss, acc), grads = eqx.filter_value_and_grad(loss_fn)(model, x, y)  # expect: missing-has-aux
    updates, opt_state = opt.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss, acc


opt = optax.adam(1e-3)


def main():
    model = eqx.nn.MLP(4, 3, 8, 1, key=jax.random.key(0))
    state = opt.init(eqx.filter(model, eqx.is_array))
    return step(model, state, jnp.ones((5, 4)), jnp.zeros(5, jnp.int32))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
