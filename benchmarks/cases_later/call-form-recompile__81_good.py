"""Two-body orbit: symplectic Euler, one compiled step."""
import sys

import jax
import jax.numpy as jnp


def acceleration(position):
    return -position / jnp.linalg.norm(position) ** 3


def step(position, velocity, dt):
    velocity = velocity + dt * acceleration(position)
    return position + dt * velocity, velocity


compiled_step = jax.jit(step)


def integrate(position, velocity, dt, steps):
    jax.block_until_ready(compiled_step(position, velocity, dt))
    for _ in range(steps):
        position, velocity = compiled_step(position, velocity, dt)
    return position, velocity


def energy(position, velocity):
    return 0.5 * velocity @ velocity - 1.0 / jnp.linalg.norm(position)


def count_traces(code, function, *arguments):
    """How often Python ran the code, and the result."""
    runs = []

    def watch(frame, event, _):
        if event == "call" and frame.f_code is code:
            runs.append(1)

    sys.setprofile(watch)
    try:
        return function(*arguments), len(runs)
    finally:
        sys.setprofile(None)


def main():
    position, velocity = jnp.array([1.0, 0.0]), jnp.array([0.0, 1.0])
    end, traces = count_traces(step.__code__, integrate, position, velocity, 0.01, 50)
    print("energy", energy(position, velocity), energy(*end), "traces", traces)
    assert traces == 1


if __name__ == "__main__":
    main()
