"""The functions and classes that programs draw random numbers with."""

HELPERS = """\
MODES = ("fast", "slow")
LAYERS = (1.0, 2.0)
SAMPLERS = {"normal": jax.random.normal, "uniform": jax.random.uniform}


def draw(p):
    return jax.random.normal(p, (3,))


def number(p):
    return jax.random.normal(p)


def draw_all(parts):
    return sum(jax.random.uniform(p, (3,)) for p in parts)


def scaled(scale, key):
    return scale * jax.random.normal(key, (3,))


def both(key):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (3,)) + draw(second)


def sample(sampler, key):
    return sampler(key, (3,))


def apply(x, rngs):
    return x * jax.random.bernoulli(rngs["noise"], 0.5, (3,))


def pair(first, second):
    return jax.random.normal(first, (3,)) + jax.random.uniform(second, (3,))


def default(given, key):
    key = key if given is None else given
    return jax.random.normal(key, (3,))


def same(p):
    return p


def chosen(key, flag):
    if flag:
        return jax.random.normal(key, (3,))
    return jax.random.uniform(key, (3,))


def used(key):
    noise = jax.random.normal(key, (3,))
    return key, noise


def three(key):
    first, second, third = jax.random.split(key, 3)
    return first, second, third


def named(key):
    first, second, third = jax.random.split(key, 3)
    return {"p": first, "q": second, "r": third}


def keys_for(key):
    init, noise, rest = jax.random.split(key, 3)
    return Keys(init=init, noise=noise, next=rest)


def spread(key, depth):
    if depth == 0:
        return [key]
    left, right = jax.random.split(key)
    return spread(left, depth - 1) + spread(right, depth - 1)


def key_stream(key):
    while True:
        key, sub = jax.random.split(key)
        yield sub


def stuck_stream(key):
    while True:
        yield key


def key_source(key):
    def next_key():
        nonlocal key
        key, sub = jax.random.split(key)
        return sub

    return next_key


def walk(carry, _):
    q, total = carry
    q, sub = jax.random.split(q)
    return (q, total + jax.random.normal(sub, (3,))), None


class KeyMaker:
    def __init__(self, key):
        self.key = key

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub

    def __call__(self):
        return self.next()

    def take(self, count):
        return [self.next() for _ in range(count)]


class Ring:
    def __init__(self, key):
        self.keys = jax.random.split(key, 3)

    def __getitem__(self, index):
        return self.keys[index]


class Lazy:
    def __init__(self, key):
        self.key = key

    @property
    def first(self):
        return jax.random.fold_in(self.key, 1)

    @property
    def second(self):
        return jax.random.fold_in(self.key, 2)

    @property
    def third(self):
        return jax.random.fold_in(self.key, 3)


class Sampler:
    def __init__(self, key):
        self.key = key

    def sample(self):
        return jax.random.normal(self.key, (3,))

    def other(self):
        return jax.random.uniform(self.key, (3,))


class Child(Sampler):
    def sample(self):
        return super().sample() * 2.0


class Tools:
    @staticmethod
    def noise(key):
        return jax.random.normal(key, (3,))

    @classmethod
    def spread(cls, key):
        return 2.0 * cls.noise(key)


class Stuck:
    def __init__(self, key):
        self.key = key

    def draw(self):
        return jax.random.normal(self.key, (3,))


class Walker:
    def __init__(self, key):
        self.key = key
        self.out = jnp.zeros(3)

    def step(self):
        self.key, sub = jax.random.split(self.key)
        self.out = self.out + jax.random.normal(sub, (3,))


class Layer:
    def __init__(self, key):
        first, second = jax.random.split(key)
        self.weight = jax.random.normal(first, (3,))
        self.bias = jax.random.normal(second, (3,))


class Noise:
    def draw(self, p):
        return jax.random.normal(p, (3,))

    def __call__(self, p):
        return self.draw(p)


class Box:
    def __init__(self, key):
        self.key = key

    def get(self):
        return self.key


class Pair(NamedTuple):
    key: jax.Array
    n: int


class Keys(NamedTuple):
    init: jax.Array
    noise: jax.Array
    next: jax.Array


@dataclasses.dataclass
class Held:
    key: jax.Array
    n: int = 1


class State(NamedTuple):
    key: jax.Array
    out: jax.Array

    def advance(self):
        key, sub = jax.random.split(self.key)
        return State(key, self.out + jax.random.normal(sub, (3,)))

    def keep(self):
        return self._replace(out=self.out + jax.random.normal(self.key, (3,)))


@struct.dataclass
class Struct:
    key: jax.Array
    out: jax.Array
    n: int = struct.field(pytree_node=False, default=1)

    def advance(self):
        key, sub = jax.random.split(self.key)
        return self.replace(key=key, out=self.out + jax.random.normal(sub, (3,)))
"""
