"""after general knowledge; slug: discarded-at-update"""
import equinox as eqx
import jax
import jax.numpy as jnp


class Memory(eqx.Module):
    slots: jax.Array

    def write(self, index, value):
        self.slots.at[index].set(value)  # expect: discarded-at-update
        return self


@jax.jit
def remember(memory, index, value):
    return memory.write(index, value)


def demonstrate():
    assert float(remember(Memory(jnp.zeros(3)), 1, 5.0).slots[1]) == 0.0
