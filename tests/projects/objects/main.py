import jax
import jax.numpy as jnp
import lib.registration  # noqa: F401
from lib import CONFIG, Box, Point
from lib.config import LIMITS, SHAPE
from lib.nodes import Plain
from lib.taps import count, only_shapes, remember


@jax.jit
def distance(a: Point, b):
    if a.label == "origin":
        return b.norm
    if a.norm > b.norm:  # expect: traced-branch
        return a.norm
    return b.norm


@jax.jit
def configured(x):
    if CONFIG.is_deep and CONFIG.centred:
        x = x - x.mean()
    for name in CONFIG.names:
        if name == "a":
            x = x * CONFIG.scale
    for _ in range(CONFIG.depth):
        x = x + 1
    return jnp.clip(x, LIMITS["low"], LIMITS["high"])


@jax.jit
def remembered(x):
    remember("x", x)
    count("x")
    only_shapes("x", x)
    return x


reshaped = jax.jit(jnp.reshape, static_argnums=1)


def as_configured(x):
    return reshaped(x, SHAPE)  # expect: unhashable-static-argument


box = Box(0.5, 3)
boxed = jax.jit(box.scaled)
plain = jax.jit(Plain(0.5).scaled)


def main():
    one = jnp.float32(1.0)
    origin, p = Point(one, one, "origin"), Point(one, one)
    distance(origin, p), distance(p, origin), configured(jnp.ones(3)), remembered(one), boxed(one), plain(one)
