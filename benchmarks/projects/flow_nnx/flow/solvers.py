"""Integrators of dx/dt = v(x, t) from 0 to 1."""
import functools

import jax
import jax.numpy as jnp

SOLVERS = {}


def solver(name, *, order):
    """Register an integrator with its order."""

    def add(function):
        @functools.wraps(function)
        def run(velocity, x, *given, **named):
            return function(velocity, x, *given, **named)

        run.order = order
        SOLVERS[name] = run
        return run

    return add


@solver("euler", order=1)
def euler(velocity, x, steps=10):
    def step(x, t):
        return x + velocity(x, t) / steps, None

    return jax.lax.scan(step, x, jnp.arange(steps) / steps)[0]


@solver("heun", order=2)
def heun(velocity, x, steps=10):
    def step(i, x):
        t = i / steps
        slope = velocity(x, t)
        return x + (slope + velocity(x + slope / steps, t + 1 / steps)) / (2 * steps)

    return jax.lax.fori_loop(0, steps, step, x)


@solver("counted", order=1)
def counted(velocity, x, steps=10):
    """As many steps as the first velocity is long."""
    needed = jnp.ceil(steps * jnp.linalg.norm(velocity(x, 0.0))).astype(int)
    for i in range(needed):  # expect: traced-iteration-count
        x = x + velocity(x, i / needed) / needed
    return x


@solver("adaptive", order=2)
def adaptive(velocity, x, tolerance=1e-2):
    t, dt = 0.0, 0.5
    while t < 1.0:
        euler_step = velocity(x, t)
        heun_step = 0.5 * (euler_step + velocity(x + dt * euler_step, t + dt))
        error = dt * jnp.max(jnp.abs(heun_step - euler_step))
        while error > tolerance:  # expect: traced-while
            dt, error = dt / 2, error / 4
        x, t = x + dt * heun_step, t + dt
    return x


@solver("recorded", order=1)
def recorded(velocity, x, steps=10):
    """Keeps the way."""
    way = jnp.zeros((steps, *x.shape))
    for i in range(steps):
        x = x + velocity(x, i / steps) / steps
        way.at[i].set(x)  # expect: discarded-at-update
    return way
