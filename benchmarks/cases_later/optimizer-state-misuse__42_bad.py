"""weight decay without the parameters; slug: optimizer-state-misuse"""
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Trainer:
    def __init__(self, model, rate):
        self.optim = optax.adamw(rate)
        self.state = self.optim.init(eqx.filter(model, eqx.is_array))
        self.model = model

    def step(self, x, y):
        grads = eqx.filter_grad(lambda m: jnp.mean((jax.vmap(m)(x) - y) ** 2))(self.model)
        updates, self.state = self.optim.update(grads, self.state)  # expect: optimizer-state-misuse
        self.model = eqx.apply_updates(self.model, updates)


def main():
    trainer = Trainer(eqx.nn.Linear(2, 1, key=jax.random.key(0)), 1e-2)
    trainer.step(jnp.ones((3, 2)), jnp.zeros((3, 1)))


def demonstrate():
    try:
        main()
    except Exception as err:
        assert type(err).__name__ == 'ValueError', repr(err)
    else:
        raise AssertionError('expected ValueError')
