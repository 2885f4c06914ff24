"""Calibrated sensors as a flax PyTreeNode."""

import jax
import jax.numpy as jnp
from flax import struct


class Sensor(struct.PyTreeNode):
    gain: jax.Array
    offsets: jax.Array = struct.field(pytree_node=False)
    unit: str = struct.field(pytree_node=False, default="mV")

    def read(self, signal):
        return self.gain * signal + self.offsets


def calibrate(dark_frames, gain):
    """Build a sensor from frames taken with the shutter closed."""
    offsets = jnp.median(dark_frames, axis=0)
    return Sensor(gain=jnp.asarray(gain), offsets=offsets)  # expect: static-field-array


@jax.jit
def reconstruct(sensor, frames):
    corrected = jax.vmap(sensor.read)(frames)
    centred = corrected - corrected.mean(axis=0)
    return jnp.sqrt((centred**2).mean(axis=0))


class Array:
    """Several sensors that look at the same scene."""

    def __init__(self, sensors):
        self.sensors = sensors

    def noise_level(self, frames):
        levels = [reconstruct(sensor, frames) for sensor in self.sensors]
        return jnp.stack(levels).mean(axis=0)


def main():
    dark_a, dark_b, scene = jax.random.split(jax.random.key(3), 3)
    sensors = [
        calibrate(0.1 * jax.random.normal(dark_a, (9, 4)), 1.0),
        calibrate(0.2 * jax.random.normal(dark_b, (9, 4)), 1.5),
    ]
    frames = jax.random.normal(scene, (32, 4))
    level = Array(sensors).noise_level(frames)
    assert level.shape == (4,)
    print("noise level:", level)


if __name__ == "__main__":
    main()
