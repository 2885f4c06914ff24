"""a trainer that compiles its own method at each step; slug: bound-method-jit"""
import jax
import jax.numpy as jnp
import optax


class Trainer:
    def __init__(self, features):
        self.tx = optax.sgd(0.1)
        self.params = jnp.zeros(features)
        self.opt_state = self.tx.init(self.params)
        self.losses = []

    def update(self, params, opt_state, x, y):
        loss, grads = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(params)
        updates, opt_state = self.tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    def step(self, x, y):
        out = jax.jit(self.update)(self.params, self.opt_state, x, y)  # expect: bound-method-jit
        self.params, self.opt_state, loss = out
        self.losses.append(loss)


def main():
    trainer = Trainer(3)
    x, y = jnp.ones((4, 3)), jnp.ones(4)
    for _ in range(10):
        trainer.step(x, y)
    return trainer.losses


def demonstrate():
    import jax._src.test_util as tu

    main()
    with tu.count_jit_compilation_cache_miss() as misses:
        main()
    assert misses() >= 8, misses()
