"""How a value travels from where it is traced to where it is asked: operations, containers, calls, inner transforms."""

from __future__ import annotations

from benchmarks.agreement import further_steps, wider_steps
from benchmarks.agreement.program import Draft
from benchmarks.agreement.step import ANY, PYTHON, Step

OPERATIONS = [
    Step("*", ANY, None, "{v} * 2"),
    Step("-", ANY, None, "-{v}"),
    Step("+", ANY, None, "{v} + 1"),
    Step("**", ANY, None, "{v} ** 2"),
    Step("r+", ANY, None, "1 + {v}"),
    Step("/", "vec num", None, "{v} / 2.0"),
    Step("%", "num int", None, "{v} % 3"),
    Step("//", "int", None, "{v} // 1"),
    Step("@", "vec", "num", "{v} @ jnp.ones(3)"),
    Step("abs", ANY, None, "abs({v})"),
    Step("round", "num", None, "round({v}, 1)"),
    Step("divmod", "int", None, "divmod({v}, 3)[1]"),
    Step("pow", "num", None, "pow({v}, 2)"),
    Step("sum", "vec", "num", "sum({v})"),
    Step(".sum", "vec", "num", "{v}.sum()"),
    Step(".mean", "vec", "num", "{v}.mean(axis=0)"),
    Step(".max", "vec", "num", "{v}.max()"),
    Step(".astype", "vec num", None, "jnp.asarray({v}).astype(jnp.float32)"),
    Step(".reshape", "vec", None, "{v}.reshape(3, 1)[:, 0]"),
    Step(".T", "vec", None, "{v}.T"),
    Step(".at", "vec", None, "{v}.at[0].set(0.25)"),
    Step("[0]", "vec", "num", "{v}[0]"),
    Step("[-1]", "vec", "num", "{v}[-1]"),
    Step("[::-1]", "vec", None, "{v}[::-1]"),
    Step(">", "vec", "mask", "{v} > 0.6"),
    Step("compare", "num int", "flag", "{v} >= 0.5"),
    Step("~", "mask flag", None, "jnp.logical_not({v})"),
    Step("jnp.any", "mask", "flag", "jnp.any({v})"),
    Step(".all", "mask", "flag", "{v}.all()"),
    Step("jnp.isfinite", "vec", "mask", "jnp.isfinite({v})"),
    Step("jnp.tanh", "vec num", None, "jnp.tanh({v})"),
    Step("jnp.where", "vec num", None, "jnp.where({v} > 0.1, {v}, 0.5)"),
    Step("jnp.where mask", "mask", "vec", "jnp.where({v}, 1.0, 0.5)"),
    Step("jnp.clip", ANY, None, "jnp.clip({v}, 0, 2)"),
    Step("jnp.maximum", ANY, None, "jnp.maximum({v}, 1)"),
    Step("jnp.sum", "vec", "num", "jnp.sum({v})"),
    Step("jnp.linalg.norm", "vec", "num", "jnp.linalg.norm({v})"),
    Step("jnp.dot", "vec", "num", "jnp.dot({v}, {v})"),
    Step("jnp.stack", "num", "vec", "jnp.stack([{v}, {v}, {v}])"),
    Step("jnp.array", "num", "vec", "jnp.array([{v}, 1.0, {v}])"),
    Step("jnp.concatenate", "vec", None, "jnp.concatenate([{v}[:1], {v}[1:]])"),
    Step("jnp.cumsum", "vec", None, "jnp.cumsum({v})"),
    Step("jnp.sort", "vec", None, "jnp.sort({v})"),
    Step("jnp.argmax", "vec", "int", "jnp.argmax({v})"),
    Step("jnp.take", "vec", "num", "jnp.take({v}, 1)"),
    Step("jnp.floor", "num", "int", "jnp.floor({v} + 1.0).astype(int)"),
    Step("jnp.full", "num", "vec", "jnp.full(3, {v})"),
    Step("jnp.zeros_like", "vec", None, "jnp.zeros_like({v})"),
    Step("jnp.ones", "vec", None, "jnp.ones({v}.shape)"),
    Step("jnp.arange static", "vec", None, "jnp.arange({v}.shape[0]) * 1.0"),
    Step("jnp.float32", "num", None, "jnp.float32({v})"),
    Step("jax.nn.relu", "vec num", None, "jax.nn.relu({v})"),
    Step("jax.nn.softmax", "vec", None, "jax.nn.softmax({v})"),
    Step("lax.stop_gradient", "vec num", None, "lax.stop_gradient({v})"),
    Step("lax.select", "vec", None, "lax.select({v} > 0.5, {v}, {v})"),
    Step("lax.dynamic_slice", "vec", "num", "lax.dynamic_slice({v}, (1,), (1,))[0]"),
    Step("jax.device_put", "vec num", None, "jax.device_put({v})"),
    Step("jax.scipy.special.logsumexp", "vec", "num", "jax.scipy.special.logsumexp({v})"),
    Step("math of Python", PYTHON, None, "{v} * 2"),
    Step("int of Python", "pynum", "pyint", "int({v}) + 1"),
]

#: After these a trace knows the value: the harmless twins.
KNOWN = [
    Step(".shape", "vec", "pyint", "{v}.shape[0]"),
    Step(".ndim", "vec", "pyint", "{v}.ndim + 1"),
    Step(".size", "vec", "pyint", "{v}.size"),
    Step("len", "vec", "pyint", "len({v})"),
    Step("np.shape", "vec", "pyint", "np.shape({v})[0]"),
    Step("jnp.shape", "vec", "pyint", "jnp.shape({v})[0]"),
    Step("np.ndim", ANY, "pyint", "np.ndim({v}) + 1"),
    Step("jnp.ndim", ANY, "pyint", "jnp.ndim({v}) + 1"),
    Step("is None", ANY, "pyint", "1 if {v} is None else 2"),
    Step("isinstance", ANY, "pyint", "2 if isinstance({v}, jax.Array) else 1"),
    Step("hasattr", ANY, "pyint", "2 if hasattr({v}, 'shape') else 1"),
    Step("dtype", "vec", "pyint", "{v}.dtype.itemsize"),
    Step("dtype ==", "vec", "pyint", "2 if {v}.dtype == jnp.float32 else 1"),
    Step("issubdtype", "vec", "pyint", "2 if jnp.issubdtype({v}.dtype, jnp.floating) else 1"),
    Step("len of list", "vec", "pyint", "len([q for q in {v}])"),
    Step("shape unpacked", "vec", "pyint", "{a}", "({a},) = {v}.shape"),
    Step("math.prod", "vec", "pyint", "math.prod({v}.shape)"),
    Step("tree leaves", ANY, "pyint", "len(jax.tree.leaves(({v}, {v})))"),
    Step("eval_shape", "vec", "pyint", "jax.eval_shape(jnp.sin, {v}).shape[0]"),
    Step("np of shape", "vec", "pyint", "int(np.prod({v}.shape))"),
    Step("zip", "vec", "pyint", "len(list(zip({v}, {v})))"),
    Step("callable", ANY, "pyint", "1 if callable({v}) else 2"),
    Step("str of type", ANY, "pyint", "len(type({v}).__name__) // 4"),
]

CONTAINERS = [
    Step("tuple", ANY, None, "{a}[0]", "{a} = ({v}, 1.0)"),
    Step("tuple unpacked", ANY, None, "{a}", "{a}, _ = {v}, 1.0"),
    Step("star unpacked", "vec", "num", "{a}", "{a}, *_ = {v}"),
    Step("list", ANY, None, "{a}[-1]", "{a} = [1.0, {v}]"),
    Step("list.append", ANY, None, "{a}[0]", "{a} = []\n{a}.append({v})"),
    Step("list.pop", ANY, None, "{a}.pop()", "{a} = [{v}]"),
    Step("list.extend", ANY, None, "{a}[1]", "{a} = [0]\n{a}.extend(({v}, {v}))"),
    Step("list +", ANY, None, "([0] + [{v}])[1]"),
    Step("list slice", ANY, None, "[0, {v}, 1][1:][0]"),
    Step("dict", ANY, None, "{a}['w']", "{a} = {{'w': {v}, 'n': 3}}"),
    Step("dict store", ANY, None, "{a}['w']", "{a} = {{}}\n{a}['w'] = {v}"),
    Step("dict()", ANY, None, "{a}['w']", "{a} = dict(w={v})"),
    Step("dict.get", ANY, None, "{a}.get('w', 0.0)", "{a} = {{'w': {v}}}"),
    Step("dict.setdefault", ANY, None, "{a}.setdefault('w', {v})", "{a} = {{}}"),
    Step("dict.items", ANY, None, "{a}", "for _, {a} in {{'w': {v}}}.items():\n    pass"),
    Step("dict.values", ANY, None, "list({{'w': {v}}}.values())[0]"),
    Step("dict |", ANY, None, "({{'a': 1}} | {{'w': {v}}})['w']"),
    Step("dict **", ANY, None, "{{**{{'w': {v}}}}}['w']"),
    Step("defaultdict", ANY, None, "{a}['w']", "{a} = collections.defaultdict(float)\n{a}['w'] = {v}"),
    Step("deque", ANY, None, "{a}.popleft()", "{a} = collections.deque([{v}])"),
    Step("OrderedDict", ANY, None, "{a}['w']", "{a} = collections.OrderedDict(w={v})"),
    Step("nested", ANY, None, "{a}['p'][1]", "{a} = {{'p': (0, {v})}}"),
    Step(
        "NamedTuple",
        ANY,
        None,
        "{a}.w",
        "{a} = Pair{n}({v}, 1)",
        "class Pair{n}(NamedTuple):\n    w: jax.Array\n    n: int = 1",
    ),
    Step("namedtuple", ANY, None, "{a}[0]", "{a} = Duo{n}({v}, 1)", "Duo{n} = collections.namedtuple('Duo{n}', 'w n')"),
    Step(
        "NamedTuple._replace",
        ANY,
        None,
        "{a}._replace(n=2).w",
        "{a} = Pair{n}({v}, 1)",
        "class Pair{n}(NamedTuple):\n    w: jax.Array\n    n: int = 1",
    ),
    Step(
        "dataclass",
        ANY,
        None,
        "{a}.w",
        "{a} = Box{n}({v})",
        "@dataclasses.dataclass\nclass Box{n}:\n    w: jax.Array\n    n: int = 1",
    ),
    Step(
        "dataclass replace",
        ANY,
        None,
        "dataclasses.replace({a}, w={v}).w",
        "{a} = Box{n}(1.0)",
        "@dataclasses.dataclass(frozen=True)\nclass Box{n}:\n    w: jax.Array",
    ),
    Step(
        "registered dataclass through tree.map",
        ANY,
        None,
        "jax.tree.map(lambda q: q * 1, {a}).w",
        "{a} = Box{n}({v}, 2)",
        "@functools.partial(jax.tree_util.register_dataclass, data_fields=['w'], meta_fields=['n'])\n"
        "@dataclasses.dataclass\nclass Box{n}:\n    w: jax.Array\n    n: int",
    ),
    Step(
        "flax.struct",
        ANY,
        None,
        "{a}.replace(n=3).w",
        "{a} = Box{n}(w={v})",
        "from flax import struct\n\n\n@struct.dataclass\nclass Box{n}:\n    w: jax.Array\n"
        "    n: int = struct.field(pytree_node=False, default=1)",
    ),
    Step(
        "flax.struct static",
        ANY,
        "pyint",
        "{a}.n",
        "{a} = jax.tree.map(lambda q: q * 1, Box{n}(w={v}))",
        "from flax import struct\n\n\n@struct.dataclass\nclass Box{n}:\n    w: jax.Array\n"
        "    n: int = struct.field(pytree_node=False, default=2)",
    ),
    Step(
        "equinox",
        ANY,
        None,
        "{a}.w",
        "{a} = Box{n}({v}, 2)",
        "import equinox as eqx\n\n\nclass Box{n}(eqx.Module):\n    w: jax.Array\n    n: int = eqx.field(static=True)",
    ),
    Step(
        "object",
        ANY,
        None,
        "{a}.w",
        "{a} = Box{n}({v})",
        "class Box{n}:\n    def __init__(self, w):\n        self.w = w",
    ),
    Step(
        "property",
        ANY,
        None,
        "{a}.twice",
        "{a} = Box{n}({v})",
        "class Box{n}:\n    def __init__(self, w):\n        self.w = w\n\n    @property\n    def twice(self):\n"
        "        return self.w * 2",
    ),
    Step("SimpleNamespace", ANY, None, "{a}.w", "{a} = types.SimpleNamespace(w={v})", "import types"),
    Step("tree.map", ANY, None, "{a}['w']", "{a} = jax.tree.map(lambda q: q + 1, {{'w': {v}, 'b': 1}})"),
    Step("tree.leaves", ANY, None, "jax.tree.leaves({{'w': {v}}})[0]"),
    Step("tree.flatten", ANY, None, "{a}[0]", "{a}, tree{n} = jax.tree.flatten([{v}])"),
    Step(
        "tree.unflatten",
        ANY,
        None,
        "jax.tree.unflatten(tree{n}, {a})['w']",
        "{a}, tree{n} = jax.tree.flatten({{'w': {v}}})",
    ),
    Step("tree.reduce", ANY, None, "jax.tree.reduce(operator.add, ({v}, {v}))"),
    Step("comprehension", ANY, None, "[q * 2 for q in ({v}, {v})][0]"),
    Step("dict comprehension", ANY, None, "{{name: q for name, q in (('w', {v}),)}}['w']"),
    Step("generator", ANY, None, "next(q for q in [{v}])"),
    Step("rows", "vec", "num", "[row for row in {v}][1]"),
    Step("list()", "vec", "num", "list({v})[2]"),
    Step("zip", "vec", "num", "{a}", "for {a}, _ in zip({v}, range(3)):\n    pass"),
    Step("enumerate", "vec", "num", "{a}", "for _, {a} in enumerate({v}):\n    pass"),
    Step("reversed", ANY, None, "list(reversed([1, {v}]))[0]"),
    Step("map", ANY, None, "list(map(jnp.abs, [{v}]))[0]"),
    Step("itertools.chain", ANY, None, "next(itertools.chain([{v}], [0]))"),
    Step("sorted by key", ANY, None, "sorted([(0, {v})], key=operator.itemgetter(0))[0][1]"),
    Step("functools.reduce", "vec", "num", "functools.reduce(lambda p, q: p + q, {v})"),
]

CALLS = [
    Step("helper", ANY, None, "helper{n}({v})", top="def helper{n}(p):\n    return p * 2"),
    Step(
        "helper two deep",
        ANY,
        None,
        "outer{n}({v})",
        top="def inner{n}(p):\n    return p + 1\n\n\ndef outer{n}(p):\n    q = inner{n}(p)\n    return q * 1",
    ),
    Step("identity", ANY, None, "same{n}({v})", top="def same{n}(p):\n    return p"),
    Step("lambda", ANY, None, "(lambda p: p + 1)({v})"),
    Step("lambda bound", ANY, None, "twice{n}({v})", "twice{n} = lambda p: p * 2"),
    Step(
        "method", ANY, None, "Model{n}().run({v})", top="class Model{n}:\n    def run(self, p):\n        return p * 2"
    ),
    Step(
        "staticmethod",
        ANY,
        None,
        "Model{n}.run({v})",
        top="class Model{n}:\n    @staticmethod\n    def run(p):\n        return p * 2",
    ),
    Step(
        "classmethod",
        ANY,
        None,
        "Model{n}.run({v})",
        top="class Model{n}:\n    gain = 2\n\n    @classmethod\n    def run(cls, p):\n        return p * cls.gain",
    ),
    Step(
        "inherited method",
        ANY,
        None,
        "Model{n}().run({v})",
        top="class Base{n}:\n    def run(self, p):\n"
        "        return self.change(p)\n\n\nclass Model{n}(Base{n}):\n    def change(self, p):\n        return p + 1",
    ),
    Step(
        "super",
        ANY,
        None,
        "Model{n}().run({v})",
        top="class Base{n}:\n    def run(self, p):\n        return p * 2\n\n\n"
        "class Model{n}(Base{n}):\n    def run(self, p):\n        return super().run(p) + 1",
    ),
    Step(
        "__call__",
        ANY,
        None,
        "Layer{n}(2)({v})",
        top="class Layer{n}:\n    def __init__(self, gain):\n"
        "        self.gain = gain\n\n    def __call__(self, p):\n        return p * self.gain",
    ),
    Step("default argument", ANY, None, "helper{n}({v})", top="def helper{n}(p, gain=2):\n    return p * gain"),
    Step("keyword", ANY, None, "helper{n}(gain={v})", top="def helper{n}(p=1, *, gain):\n    return gain * p"),
    Step("*args", ANY, None, "helper{n}(0, {v})", top="def helper{n}(*args):\n    return args[1]"),
    Step("**kwargs", ANY, None, "helper{n}(w={v})", top="def helper{n}(**kwargs):\n    return kwargs['w']"),
    Step(
        "*args passed on",
        ANY,
        None,
        "outer{n}({v}, 1)",
        top="def inner{n}(p, q):\n    return p * q\n\n\ndef outer{n}(*args):\n    return inner{n}(*args)",
    ),
    Step("closure", ANY, None, "read{n}()", "def read{n}():\n    return {v} * 2"),
    Step("nonlocal", ANY, None, "{a}", "{a} = 0\ndef write{n}():\n    nonlocal {a}\n    {a} = {v}\nwrite{n}()"),
    Step(
        "returned closure",
        ANY,
        None,
        "maker{n}({v})(1)",
        top="def maker{n}(p):\n    def inner(q):\n        return p * q\n    return inner",
    ),
    Step(
        "recursion",
        ANY,
        None,
        "peel{n}({v}, 2)",
        top="def peel{n}(p, depth):\n    if depth == 0:\n        return p\n    return peel{n}(p + 1, depth - 1)",
    ),
    Step(
        "recursion over a list",
        ANY,
        None,
        "add{n}([{v}, {v}])",
        top="def add{n}(parts):\n    if len(parts) == 1:\n"
        "        return parts[0]\n    return parts[0] + add{n}(parts[1:])",
    ),
    Step("functools.partial", ANY, None, "functools.partial(operator.mul, 2)({v})"),
    Step(
        "partial of helper",
        ANY,
        None,
        "functools.partial(helper{n}, gain=3)({v})",
        top="def helper{n}(p, gain):\n    return p * gain",
    ),
    Step(
        "decorated",
        ANY,
        None,
        "helper{n}({v})",
        top="def logged{n}(function):\n    @functools.wraps(function)\n"
        "    def wrapper(*args, **kwargs):\n        return function(*args, **kwargs)\n    return wrapper\n\n\n"
        "@logged{n}\ndef helper{n}(p):\n    return p * 2",
    ),
    Step("generator function", ANY, None, "next(parts{n}({v}))", top="def parts{n}(p):\n    yield p\n    yield p * 2"),
    Step("higher order", ANY, None, "apply{n}(abs, {v})", top="def apply{n}(function, p):\n    return function(p)"),
    Step(
        "table of functions",
        ANY,
        None,
        "table{n}['abs']({v})",
        top="table{n} = {{'abs': jnp.abs, 'neg': jnp.negative}}",
    ),
    Step(
        "early return",
        ANY,
        None,
        "helper{n}({v})",
        top="def helper{n}(p, flag=True):\n    if flag:\n        return p\n    return 0.0",
    ),
    Step("returns tuple", ANY, None, "helper{n}({v})[1]", top="def helper{n}(p):\n    return 1, p"),
    Step("static result", "vec", "pyint", "size{n}({v})", top="def size{n}(p):\n    return p.shape[0]"),
    Step("operator module", ANY, None, "operator.add({v}, 1)"),
    Step("context manager", ANY, None, "{a}", "with jax.named_scope('part'):\n    {a} = {v} * 1"),
]

FLOW = [
    Step("loop over range", ANY, None, "{a}", "{a} = 0\nfor _ in range(3):\n    {a} = {a} + {v}"),
    Step("loop +=", ANY, None, "{a}", "{a} = {v}\nfor _ in range(2):\n    {a} += 1"),
    Step("static if", ANY, None, "{a}", "if jnp.ndim({v}) < 2:\n    {a} = {v}\nelse:\n    {a} = 0"),
    Step("static ternary", ANY, None, "({v} if True else 0)"),
    Step("joined with a number", ANY, None, "{a}", "{a} = {v}\nif len(MODES) > 5:\n    {a} = 1.0"),
    Step(
        "match",
        ANY,
        None,
        "{a}",
        "match ('u', {v}):\n    case ('u', {a}):\n        pass\n    case _:\n        {a} = 1.0",
    ),
    Step(
        "match on mode",
        ANY,
        None,
        "{a}",
        "match MODES[0]:\n    case 'fast':\n        {a} = {v}\n    case _:\n        {a} = 0",
    ),
    Step("try", ANY, None, "{a}", "try:\n    {a} = {v} * 2\nfinally:\n    pass"),
    Step("walrus", ANY, None, "({a} := {v})"),
    Step("or default", ANY, None, "{a}", "{a} = None\nif {a} is None:\n    {a} = {v}"),
    Step(
        "while counter",
        ANY,
        None,
        "{a}",
        "{a} = {v}\nstep{n} = 0\nwhile step{n} < 2:\n    {a} = {a} * 1\n    step{n} += 1",
    ),
]

TRANSFORMS = [
    Step("jit", ANY, None, "jax.jit(lambda p: p * 2)({v})"),
    Step("jit helper", ANY, None, "fast{n}({v})", top="@jax.jit\ndef fast{n}(p):\n    return p * 2"),
    Step("jit constant", ANY, "num", "jax.jit(lambda p: 1.0)({v})"),
    Step("checkpoint", ANY, None, "jax.checkpoint(lambda p: p * 2)({v})"),
    Step("vmap", "vec", None, "jax.vmap(lambda p: p * 2)({v})"),
    Step("vmap jnp", "vec", None, "jax.vmap(jnp.sin)({v})"),
    Step("vmap helper", "vec", None, "jax.vmap(part{n}, in_axes=(0, None))({v}, 2.0)",
         top="def part{n}(p, q):\n    return p * q"),
    Step("grad", "num", None, "jax.grad(lambda p: p * p)({v})"),
    Step("grad of vector", "vec", None, "jax.grad(lambda p: jnp.sum(p * p))({v})"),
    Step("value_and_grad", "num", None, "jax.value_and_grad(lambda p: p * p)({v})[0]"),
    Step("jvp", "num", None, "jax.jvp(jnp.sin, ({v},), (1.0,))[0]"),
    Step("vjp", "num", None, "jax.vjp(jnp.sin, {v})[0]"),
    Step("vjp back", "num", None, "back{n}({v})[0]", "_, back{n} = jax.vjp(jnp.sin, {v})"),
    Step("jacfwd", "vec", "num", "jax.jacfwd(lambda p: p * 2)({v})[0, 0]"),
    Step("scan carry", "num", None, "lax.scan(lambda c, q: (c + q, q), {v}, jnp.ones(3))[0]"),
    Step("scan stacked", "vec", None, "lax.scan(lambda c, q: (c, q * 2), 0.0, {v})[1]"),
    Step("fori_loop", "num", None, "lax.fori_loop(0, 2, lambda i, p: p * 2.0, {v})"),
    Step("fori_loop captured", "num", None, "lax.fori_loop(0, 2, lambda i, p: p + {v}, 0.0)"),
    Step("while_loop", "num", None, "lax.while_loop(lambda p: p < 4.0, lambda p: p + 1.0, {v})"),
    Step("cond", ANY, None, "lax.cond(True, lambda p: p * 2, lambda p: p, {v})"),
    Step("cond by value", "num", None, "lax.cond({v} > 0.5, lambda p: p, lambda p: -p, {v})"),
    Step("cond captured", "num", None, "lax.cond(True, lambda: {v} * 2.0, lambda: {v})"),
    Step("switch", "num", None, "lax.switch(0, [lambda p: p, jnp.sin], {v})"),
    Step("lax.map", "vec", None, "lax.map(lambda p: p * 2, {v})"),
    Step("associative_scan", "vec", None, "lax.associative_scan(jnp.add, {v})"),
    Step("pure_callback", "num", None,
         "jax.pure_callback(lambda p: np.float32(p), jax.ShapeDtypeStruct((), jnp.float32), jnp.float32({v}))"),
    Step("custom_jvp", "num", None, "soft{n}({v})", top="@jax.custom_jvp\ndef soft{n}(p):\n    return p * 2.0\n\n\n"
         "@soft{n}.defjvp\ndef soft_rule{n}(primals, tangents):\n    return soft{n}(primals[0]), tangents[0] * 2.0"),
    Step("custom_vjp", "num", None, "hard{n}({v})", top="@jax.custom_vjp\ndef hard{n}(p):\n    return p * 2.0\n\n\n"
         "hard{n}.defvjp(lambda p: (p * 2.0, None), lambda _, g: (g * 2.0,))"),
    Step("jnp.vectorize", "vec", None, "jnp.vectorize(lambda p: p * 2)({v})"),
]  # fmt: skip

GROUPS = {
    "operation": OPERATIONS,
    "known": KNOWN,
    "container": CONTAINERS + wider_steps.CONTAINERS + further_steps.CONTAINERS,
    "call": CALLS + wider_steps.CALLS + further_steps.CALLS,
    "flow": FLOW + wider_steps.FLOW + further_steps.FLOW,
    "inner transform": TRANSFORMS,
}
_WEIGHTS = {"operation": 8, "known": 3, "container": 5, "call": 5, "flow": 2, "inner transform": 3}


def travel(draft: Draft, value: str, kind: str) -> tuple[str, str]:
    """Take one step: the value's expression and kind behind it."""
    group = draft.rng.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
    fitting = [step for step in GROUPS[group] if kind in step.takes.split()]
    if not fitting:
        return value, kind
    return take(draft, draft.rng.choice(fitting), value, kind, group)


def take(draft: Draft, step: Step, value: str, kind: str, group: str) -> tuple[str, str]:
    """Write this step."""
    draft.use(group, step.name)
    names = {"v": value, "n": draft.number(), "a": draft.name()}
    if step.top:
        draft.define(step.top.format(**names))
    if step.body:
        draft.say(step.body.format(**names))
    result = step.result.format(**names)
    gives = step.gives or kind
    if draft.rng.random() < 0.6 or not value.isidentifier():
        name = draft.name()
        draft.say(f"{name} = {result}")
        return name, gives
    return f"({result})", gives
