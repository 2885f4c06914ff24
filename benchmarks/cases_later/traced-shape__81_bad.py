"""Q-learning targets for a batch of transitions."""
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Config:
    discount: float
    actions: int


@struct.dataclass
class Transition:
    state: jax.Array
    action: jax.Array
    reward: jax.Array
    next_state: jax.Array


def chosen_values(q_values, action, config):
    mask = jax.nn.one_hot(action, config.actions)  # expect: traced-shape
    return jnp.sum(q_values * mask, axis=-1)


@jax.jit
def td_errors(table, batch, config):
    best_next = jnp.max(table[batch.next_state], axis=-1)
    target = batch.reward + config.discount * best_next
    return target - chosen_values(table[batch.state], batch.action, config)


def collect(key, count, states, actions):
    state_key, action_key, next_key = jax.random.split(key, 3)
    return Transition(
        state=jax.random.randint(state_key, (count,), 0, states),
        action=jax.random.randint(action_key, (count,), 0, actions),
        reward=jnp.ones(count),
        next_state=jax.random.randint(next_key, (count,), 0, states),
    )


def main():
    config = Config(discount=0.9, actions=4)
    batch = collect(jax.random.key(5), 32, states=6, actions=config.actions)
    errors = td_errors(jnp.zeros((6, config.actions)), batch, config)
    print("mean error", errors.mean())
    assert errors.shape == (32,)


if __name__ == "__main__":
    main()
