"""Physics-informed network for u'' = -u with u(0) = 0 and u'(0) = 1."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Field(nn.Module):
    width: int = 16

    @nn.compact
    def __call__(self, t):
        h = jnp.tanh(nn.Dense(self.width)(t[None]))
        h = jnp.tanh(nn.Dense(self.width)(h))
        return nn.Dense(1)(h)[0]


def make_loss(model):
    def solution(params, t):
        return model.apply(params, t)  # expect: unwrapped-collection

    def residual(params, t):
        slope = jax.grad(solution, argnums=1)
        return jax.grad(slope, argnums=1)(params, t) + solution(params, t)

    def loss(params, times):
        interior = jax.vmap(residual, in_axes=(None, 0))(params, times)
        value, slope = jax.value_and_grad(solution, argnums=1)(params, jnp.float32(0.0))
        return jnp.mean(interior**2) + value**2 + (slope - 1.0) ** 2

    return loss


def train(model, key, times, steps):
    params = model.init(key, jnp.float32(0.0))["params"]
    loss, tx = make_loss(model), optax.adam(1e-2)

    def body(carry, _):
        params, opt_state = carry
        value, grads = jax.value_and_grad(loss)(params, times)
        updates, opt_state = tx.update(grads, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), value

    return jax.lax.scan(body, (params, tx.init(params)), None, length=steps)


def main():
    times = jnp.linspace(0.0, 2.0, 20)
    _, losses = train(Field(), jax.random.key(12), times, 100)
    print("loss", losses[0], "->", losses[-1])
    assert losses[-1] < losses[0]


if __name__ == "__main__":
    main()
