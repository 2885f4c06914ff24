import jax
import jax.numpy as jnp


class Base:
    def scale(self, x):
        return x

    @jax.jit
    def first(self, x):
        Base.calls = 1
        return self.scale(x)

    @jax.jit
    def second(self, x):
        return self.scale(x) + 1


class Derived(Base):
    def scale(self, x):
        return jnp.sin(x)
