"""Programs that hand static arguments to compiled functions, hashable ones and others."""

from __future__ import annotations

from random import Random

from benchmarks.agreement.program import PREAMBLE, Draft, Program, function

_VALUES = {
    "int": "3", "str": "'fast'", "tuple": "(1, 2)", "None": "None", "bool": "True", "float": "0.5",
    "frozenset": "frozenset((1, 2))", "function": "jnp.sin", "lambda": "lambda p: p", "frozen dataclass": "Frozen(2)",
    "enum": "Mode.FAST", "bytes": "b'ab'", "dtype": "jnp.float32", "NamedTuple": "Pair(1, 2)", "range": "range(3)",
    "shape": "jnp.ones((2, 3)).shape", "str.join": "'-'.join(['a', 'b'])", "partial": "functools.partial(jnp.sum, axis=0)",
    "tuple()": "tuple([1, 2])", "sorted tuple": "tuple(sorted([2, 1]))", "plain object": "Plain()", "class": "Plain",
    "NumPy scalar": "np.float32(1.0)", "len": "len([1, 2])",
    "list": "[1, 2]", "dict": "{'a': 1}", "set": "{1, 2}", "NumPy array": "np.ones(3)", "JAX array": "jnp.ones(3)",
    "JAX number": "jnp.array(2)", "bytearray": "bytearray(b'ab')", "str.split": "'a b'.split()", "list()": "list((1, 2))",
    "tuple of list": "([1], 2)", "dataclass": "Loose(2)", "sorted": "sorted((2, 1))", "comprehension": "[i for i in range(2)]",
    "dict()": "dict(a=1)", "NamedTuple of list": "Pair([1], 2)", "list +": "[1] + [2]",
    "set()": "set((1, 2))", "dict.copy": "{'a': 1}.copy()", "np.arange": "np.arange(3)", "list of zip": "list(zip((1,), (2,)))",
    "frozen dataclass of list": "Frozen([1])", "collections.OrderedDict": "collections.OrderedDict(a=1)",
    "defaultdict": "collections.defaultdict(int)", "deque": "collections.deque([1])", "class with __eq__": "Equal()",
    "complex": "1j", "negative": "-1", "Ellipsis": "...", "date": "datetime.date(2020, 1, 1)", "Fraction": "fractions.Fraction(1, 2)",
    "Path": "pathlib.Path('a')", "method": "Plain().run", "nested tuple": "((1, 2), (3,))", "tuple of dtype": "(jnp.float32, 2)",
    "sum": "sum([1, 2])", "min": "min([2, 1])", "f-string": "f'{1}-{2}'", "ternary": "(1, 2) if len('ab') > 1 else [1]",
    "or": "None or (1, 2)", "dict.get": "{'a': (1,)}.get('a')", "int()": "int('3')", "hash": "hash('a')",
    "tuple of comprehension": "tuple(i for i in range(2))", "frozenset of list": "frozenset([1])", "Counter": "collections.Counter('a')",
    "ternary of list": "[1, 2] if len('ab') > 1 else (1, 2)", "or of list": "None or [1, 2]", "list in dict": "{'a': [1]}['a']",
    "nested list": "(1, (2, [3]))", "reversed list": "list(reversed([1, 2]))", "set comprehension": "{i for i in range(2)}",
    "dict comprehension": "{i: i for i in range(2)}", "ChainMap": "dict(collections.ChainMap({'a': 1}))", "list *": "[0] * 2",
    "vars": "vars(Config(1))", "NumPy zeros": "np.zeros((2,), int)", "tolist": "np.arange(2).tolist()", "jnp.arange": "jnp.arange(2)",
    "list of map": "list(map(int, '12'))", "array in tuple": "(np.ones(2), 1)", "JAX element": "jnp.ones(3)[0]",
    "dict.keys": "tuple({'a': 1}.keys())", "str.splitlines": "'a'.splitlines()", "JAX result": "jnp.sum(jnp.ones(2))",
}  # fmt: skip

_FORMS = {
    "static_argnames": ("fast = jax.jit(step, static_argnames='option')", "fast(jnp.ones(3), option={v})"),
    "static_argnames, positional": ("fast = jax.jit(step, static_argnames=('option',))", "fast(jnp.ones(3), {v})"),
    "static_argnums": ("fast = jax.jit(step, static_argnums=1)", "fast(jnp.ones(3), {v})"),
    "static_argnums tuple": ("fast = jax.jit(step, static_argnums=(1,))", "fast(jnp.ones(3), {v})"),
    "partial(jit)": ("fast = functools.partial(jax.jit, static_argnums=1)(step)", "fast(jnp.ones(3), {v})"),
    "bound first": ("fast = jax.jit(step, static_argnums=1)", "option = {v}\nfast(jnp.ones(3), option)"),
    "helper": ("fast = jax.jit(step, static_argnums=1)", "run({v})"),
    "helper, default": ("fast = jax.jit(step, static_argnums=1)", "run()"),
    "attribute": ("fast = jax.jit(step, static_argnums=1)", "config = Config({v})\nfast(jnp.ones(3), config.option)"),
    "checkpoint": ("fast = jax.checkpoint(step, static_argnums=(1,))", "fast(jnp.ones(3), {v})"),
    "**": ("fast = jax.jit(step, static_argnames=('option',))", "fast(jnp.ones(3), **{{'option': {v}}})"),
    "*": ("fast = jax.jit(step, static_argnums=(1,))", "fast(*(jnp.ones(3), {v}))"),
    "loop": ("fast = jax.jit(step, static_argnums=1)", "for option in ({v},):\n    fast(jnp.ones(3), option)"),
    "closure": ("fast = jax.jit(lambda x: step(x, {v}))", "fast(jnp.ones(3))"),
    "partial of step": ("fast = jax.jit(functools.partial(step, option={v}))", "fast(jnp.ones(3))"),
    "default": ("fast = jax.jit(step, static_argnums=1)", "fast(jnp.ones(3))"),
    "static_argnums negative": ("fast = jax.jit(step, static_argnums=-1)", "fast(jnp.ones(3), {v})"),
    "misnamed": ("fast = jax.jit(step, static_argnames='opton')", "fast(jnp.ones(3), option={v})"),
    "out of range": ("fast = jax.jit(step, static_argnums=2)", "fast(jnp.ones(3), option={v})"),
    "kept in a dict": (
        "fast = jax.jit(step, static_argnums=1)",
        "options = {{'o': {v}}}\nfast(jnp.ones(3), options['o'])",
    ),
    "kept in a list": ("fast = jax.jit(step, static_argnums=1)", "options = [{v}]\nfast(jnp.ones(3), options[-1])"),
    "returned": (
        "fast = jax.jit(step, static_argnums=1)",
        "def chosen():\n    return {v}\nfast(jnp.ones(3), chosen())",
    ),
    "through partial": (
        "fast = jax.jit(step, static_argnames='option')",
        "functools.partial(fast, option={v})(jnp.ones(3))",
    ),
    "through lambda": ("fast = jax.jit(step, static_argnums=1)", "(lambda o: fast(jnp.ones(3), o))({v})"),
    "inner call": ("fast = jax.jit(step, static_argnums=1)", "jax.jit(lambda p: fast(p, {v}))(jnp.ones(3))"),
    "vmap": ("fast = jax.jit(step, static_argnums=1)", "jax.vmap(lambda p: fast(p, {v}))(jnp.ones((2, 3)))"),
    "NamedTuple field": ("fast = jax.jit(step, static_argnums=1)", "pair = Pair({v}, 1)\nfast(jnp.ones(3), pair.a)"),
    "default of a method": (
        "fast = jax.jit(step, static_argnums=1)",
        "class Runner:\n    def run(self, option={v}):\n        return fast(jnp.ones(3), option)\nRunner().run()",
    ),
    "static on the class": ("fast = Model().step", "fast(jnp.ones(3), {v})"),
}

_TYPES = """\
@dataclasses.dataclass(frozen=True)
class Frozen:
    n: object


@dataclasses.dataclass
class Loose:
    n: int


class Pair(NamedTuple):
    a: object
    b: object


class Mode(enum.Enum):
    FAST = 1


class Plain:
    def run(self):
        return 1


class Equal:
    def __eq__(self, other):
        return True


class Config:
    def __init__(self, option):
        self.option = option
"""


def statics_program(rng: Random, name: str) -> Program:
    """A program of this family."""
    draft = Draft(rng)
    value = rng.choice(list(_VALUES))
    form = rng.choice(list(_FORMS))
    draft.use("static value", value)
    draft.use("static form", form)
    made, called = (text.format(v=_VALUES[value]) for text in _FORMS[form])
    step = function(
        "step", "x, option=None" if form != "default" else f"x, option={_VALUES[value]}", ["return x * 2.0"]
    )
    method = function(
        "step", "self, x, option", ["return x * 2.0"], ("@functools.partial(jax.jit, static_argnums=(0, 2))",)
    )
    run = function("run", "option" if form != "helper, default" else f"option={_VALUES[value]}",
                   ["return fast(jnp.ones(3), option)"])  # fmt: skip
    lines = [
        "import datetime",
        "import enum",
        "import fractions",
        "import pathlib",
        *PREAMBLE.rstrip("\n").split("\n"),
        "",
        "",
        *_TYPES.rstrip("\n").split("\n"),
        "",
        "",
    ]
    lines += [*step, "", "", "class Model:", *["    " + line for line in method], "", "", made, "", "", *run, "", ""]
    lines += [*function("main", "", called.split("\n")), "", "", "main()"]
    text = "\n".join(lines) + "\n"
    return Program(name, text, "statics", "static argument", form, draft.used)
