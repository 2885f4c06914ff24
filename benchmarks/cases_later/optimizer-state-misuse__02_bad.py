"""after general knowledge; slug: optimizer-state-misuse"""
import jax
import jax.numpy as jnp
import optax

optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-2, weight_decay=0.1))


def loss(params, batch):
    return jnp.mean((batch["x"] @ params["w"] - batch["y"]) ** 2)


@jax.jit
def train_step(params, opt_state, batch):
    grads = jax.grad(loss)(params, batch)
    updates, opt_state = optimizer.update(grads, opt_state)  # expect: optimizer-state-misuse
    return optax.apply_updates(params, updates), opt_state


def train(batch):
    params = {"w": jnp.ones(2)}
    return train_step(params, optimizer.init(params), batch)


def demonstrate():
    try:
        train({'x': jnp.ones((3, 2)), 'y': jnp.ones(3)})
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
