"""a physics system whose masses are a static field; slug: static-field-array"""
import flax.struct
import jax
import jax.numpy as jnp


@flax.struct.dataclass
class System:
    positions: jax.Array
    velocities: jax.Array
    masses: jax.Array = flax.struct.field(pytree_node=False)


def forces(system):
    offset = system.positions[:, None] - system.positions[None]
    distance = jnp.sum(offset**2, axis=-1) + jnp.eye(len(system.positions))
    pull = system.masses[:, None] * system.masses[None] / distance**1.5
    return -jnp.sum(pull[..., None] * offset, axis=1)


@jax.jit
def leapfrog(system, dt):
    velocities = system.velocities + dt * forces(system) / system.masses[:, None]
    return system.replace(positions=system.positions + dt * velocities, velocities=velocities)


def main():
    positions = jnp.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    ends = []
    for speed in (0.0, 0.1):
        system = System(positions, jnp.full((3, 2), speed), jnp.array([1.0, 0.5, 0.25]))  # expect: static-field-array
        ends.append(leapfrog(system, 0.01).positions)
    return ends


def demonstrate():
    try:
        main()
    except Exception as err:
        return str(err)
    raise AssertionError("expected a failure")
