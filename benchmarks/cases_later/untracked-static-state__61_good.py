"""Guitar-string synthesiser (Karplus-Strong) with a settings object."""

from dataclasses import dataclass, replace
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Voice:
    damping: float
    period: int


def pluck(key, voice):
    return jax.random.uniform(key, (voice.period,), minval=-1.0, maxval=1.0)


def vibrate(line, voice):
    fresh = voice.damping * 0.5 * (line[0] + line[1])
    return jnp.roll(line, -1).at[-1].set(fresh), line[0]


@partial(jax.jit, static_argnames=("voice", "samples"))
def render(line, voice, samples):
    _, sound = jax.lax.scan(lambda carry, _: vibrate(carry, voice), line, length=samples)
    return sound


@jax.jit
def loudness(sound):
    return jnp.sqrt(jnp.mean(sound[-200:] ** 2))


def compare(key, dampings, samples=2000):
    voice = Voice(dampings[0], period=40)
    line = pluck(key, voice)
    levels = []
    for damping in dampings:
        voice = replace(voice, damping=damping)
        levels.append(loudness(render(line, voice, samples)))
    return levels


def main():
    print(compare(jax.random.key(33), dampings=(0.999, 0.95)))


if __name__ == "__main__":
    main()


def demonstrate():
    bright, dull = compare(jax.random.key(33), dampings=(0.999, 0.9), samples=800)
    assert bright > 2.0 * dull
