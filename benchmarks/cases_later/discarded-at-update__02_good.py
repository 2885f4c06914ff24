"""after general knowledge; slug: discarded-at-update; corrected twin"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Memory(eqx.Module):
    slots: jax.Array

    def write(self, index, value):
        return Memory(self.slots.at[index].set(value))


@jax.jit
def remember(memory, index, value):
    return memory.write(index, value)


def demonstrate():
    assert float(remember(Memory(jnp.zeros(3)), 1, 5.0).slots[1]) == 5.0
