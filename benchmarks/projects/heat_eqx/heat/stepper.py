import equinox as eqx
import jax
import jax.numpy as jnp


class Stepper(eqx.Module):
    """Advances a field; subclasses say how one step goes."""

    dt: float = 0.01

    @eqx.filter_jit
    def advance(self, term, field, grid, steps: int):
        def body(_, value):
            return self.limit(self.once(term, value, grid))

        return jax.lax.fori_loop(0, steps, body, field)

    def limit(self, field):
        return field

    def once(self, term, field, grid):
        raise NotImplementedError


class Euler(Stepper):
    def once(self, term, field, grid):
        return field + self.dt * term.rate(field, grid)


class Clamped(Euler):
    ceiling: float = 2.0

    def limit(self, field):
        while jnp.abs(field).max() > self.ceiling:  # expect: traced-while
            field = 0.5 * field
        return field


class Midpoint(Stepper):
    """Clean: two rates, flags that are static."""

    damped: bool = eqx.field(static=True, default=False)

    def once(self, term, field, grid):
        half = field + 0.5 * self.dt * term.rate(field, grid)
        new = field + self.dt * term.rate(half, grid)
        return 0.99 * new if self.damped else new
