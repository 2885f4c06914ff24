"""Advantage actor-critic with a haiku network."""

import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(observation):
    hidden = jax.nn.relu(hk.Linear(16)(observation))
    return hk.Linear(3)(hidden), hk.Linear(1)(hidden)[..., 0]


class A2C:
    def __init__(self, value_cost=0.5, learning_rate=1e-2):
        self.net = hk.without_apply_rng(hk.transform(network))
        self.optimizer = optax.adam(learning_rate)
        self.value_cost = value_cost
        self.update = jax.jit(self._make_update())

    def init(self, key, observation):
        params = self.net.init(key, observation)
        return params, self.optimizer.init(params)

    def _loss(self, params, batch):
        logits, values = self.net.apply(params, batch["obs"])
        advantage = batch["returns"] - values
        log_probs = jax.nn.log_softmax(logits)
        chosen = jnp.take_along_axis(log_probs, batch["actions"][:, None], axis=1)[:, 0]
        actor = -jnp.mean(chosen * jax.lax.stop_gradient(advantage))
        critic = jnp.mean(advantage**2)
        return actor + self.value_cost * critic, {"actor": actor, "critic": critic}

    def _make_update(self):
        def update(params, opt_state, batch):
            (loss, parts), grads = jax.value_and_grad(self._loss)(params, batch)  # expect: missing-has-aux
            updates, opt_state = self.optimizer.update(grads, opt_state, params)
            params = optax.apply_updates(params, updates)
            return params, opt_state, {"loss": loss, **parts}

        return update


def main():
    obs_key, act_key, init_key = jax.random.split(jax.random.key(0), 3)
    batch = {
        "obs": jax.random.normal(obs_key, (32, 5)),
        "actions": jax.random.randint(act_key, (32,), 0, 3),
        "returns": jnp.linspace(-1.0, 1.0, 32),
    }
    agent = A2C()
    params, opt_state = agent.init(init_key, batch["obs"])
    history = []
    for _ in range(30):
        params, opt_state, metrics = agent.update(params, opt_state, batch)
        history.append(metrics["critic"])
    assert history[-1] < history[0]
    print("critic loss:", history[0], "->", history[-1])


if __name__ == "__main__":
    main()
