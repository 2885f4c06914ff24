"""Sensitivity analysis of an epidemic model with respect to its rates."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Compartments(NamedTuple):
    susceptible: jax.Array
    infected: jax.Array
    removed: jax.Array


def derivative(state, infection, recovery):
    new_cases = infection * state.susceptible * state.infected
    removed = recovery * state.infected
    return Compartments(-new_cases, new_cases - removed, removed)


def attack_rate(infection, recovery, days=60, dt=0.5):
    start = Compartments(jnp.float32(0.99), jnp.float32(0.01), jnp.float32(0.0))

    def euler(state, _):
        slope = derivative(state, infection, recovery)
        return jax.tree.map(lambda s, d: s + dt * d, state, slope), None

    final, _ = jax.lax.scan(euler, start, length=int(days / dt))
    return final.removed


def mean_attack_rate(rates, imports):
    infections, recoveries = rates
    return jnp.mean(jax.vmap(attack_rate)(infections + imports, recoveries))


class Sensitivity:
    def __init__(self):
        self.gradient = jax.jit(jax.value_and_grad(mean_attack_rate, argnums=(0, 2)))  # expect: argnums-mismatch

    def elasticities(self, rates, imports):
        level, grads = self.gradient(rates, imports)
        return jax.tree.map(lambda g: g / level, grads)


def main():
    rates = (jnp.array([0.3, 0.5, 0.7]), jnp.array([0.2, 0.2, 0.25]))
    by_rate, by_import = Sensitivity().elasticities(rates, jnp.float32(0.01))
    print("infection", by_rate[0], "recovery", by_rate[1], "imports", by_import)
    return by_rate


if __name__ == "__main__":
    main()


def demonstrate():
    try:
        main()
    except (ValueError, TypeError) as err:
        assert "argnums" in str(err) or "positional" in str(err)
    else:
        raise AssertionError("no error")
