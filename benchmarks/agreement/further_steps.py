"""Further steps of a value: functions of `operator` and `itertools`, classes that extend containers, JAX's own functions."""

from __future__ import annotations

from benchmarks.agreement.step import ANY, Step

_BAG = "class Bag{n}(dict):\n    def __getattr__(self, name):\n        return self[name]"
_LEVEL = "class Level{n}:\n    def __init__(self, w):\n        self.w = w\n\n"

CONTAINERS = [
    Step("dict subclass", ANY, None, "{a}['w']", "{a} = Bag{n}(w={v}, b=1)", _BAG),
    Step("dict subclass attribute", ANY, None, "{a}.w", "{a} = Bag{n}(w={v}, b=1)", _BAG),
    Step("dict subclass changed", ANY, None, "{a}.get('w')", "{a} = Bag{n}()\n{a}['w'] = {v}", _BAG),
    Step("list subclass", ANY, None, "{a}.last()", "{a} = Stack{n}([0, {v}])",
         "class Stack{n}(list):\n    def last(self):\n        return self[-1]"),
    Step("UserDict", ANY, None, "{a}['w']", "{a} = collections.UserDict(w={v})"),
    Step("ChainMap child", ANY, None, "{a}['w']", "{a} = collections.ChainMap({{'b': 1}}).new_child({{'w': {v}}})"),
    Step("ChainMap static", ANY, "pyint", "{a}['b']", "{a} = collections.ChainMap({{'w': {v}}}, {{'b': 3}})"),
    Step("MappingProxyType", ANY, None, "{a}['w']", "{a} = types.MappingProxyType({{'w': {v}}})", "import types"),
    Step("__slots__", ANY, None, "{a}.w", "{a} = Slim{n}({v})",
         "class Slim{n}:\n    __slots__ = ('w',)\n\n    def __init__(self, w):\n        self.w = w"),
    Step("keyword-only dataclass", ANY, None, "{a}.w", "{a} = Box{n}(w={v})",
         "@dataclasses.dataclass(kw_only=True, slots=True)\nclass Box{n}:\n    n: int = 1\n    w: jax.Array"),
    Step("object.__setattr__", ANY, None, "{a}.twice", "{a} = Box{n}({v})",
         "@dataclasses.dataclass(frozen=True)\nclass Box{n}:\n    w: jax.Array\n\n    def __post_init__(self):\n"
         "        object.__setattr__(self, 'twice', self.w * 2)"),
    Step("__dict__.update", ANY, None, "{a}.w", "{a} = Box{n}(w={v})",
         "class Box{n}:\n    def __init__(self, **given):\n        self.__dict__.update(given)"),
    Step("__float__ of size", "vec", "pyint", "len({a})", "{a} = Level{n}({v})",
         _LEVEL + "    def __len__(self):\n        return self.w.shape[0]"),
    Step("__neg__", ANY, None, "(-{a}).w", "{a} = Level{n}({v})", _LEVEL + "    def __neg__(self):\n        return Level{n}(-self.w)"),
    Step("__iadd__", ANY, None, "{a}.w", "{a} = Level{n}({v})\n{a} += 1",
         _LEVEL + "    def __iadd__(self, other):\n        self.w = self.w + other\n        return self"),
    Step("__matmul__", ANY, None, "({a} @ 2).w", "{a} = Level{n}({v})",
         _LEVEL + "    def __matmul__(self, other):\n        return Level{n}(self.w * other)"),
    Step("__next__", ANY, None, "next({a})", "{a} = Level{n}({v})", _LEVEL + "    def __next__(self):\n        return self.w"),
    Step("descriptor", ANY, None, "{a}.doubled", "{a} = Level{n}({v})",
         "class Doubled{n}:\n    def __get__(self, holder, cls):\n        return holder.w * 2\n\n\n" + _LEVEL + "    doubled = Doubled{n}()"),
    Step("cached_property", ANY, None, "{a}.doubled", "{a} = Level{n}({v})",
         _LEVEL + "    @functools.cached_property\n    def doubled(self):\n        return self.w * 2"),
    Step("dict merged", ANY, None, "({{'b': 1}} | {{'w': {v}}})['w']"),
    Step("dict.fromkeys", ANY, None, "dict.fromkeys(('a', 'w'), {v})['w']"),
    Step("popitem", ANY, None, "{a}", "_, {a} = {{'w': {v}}}.popitem()"),
    Step("setdefault", ANY, None, "{{'b': 1}}.setdefault('w', {v})"),
    Step("deque rotated left", ANY, None, "{a}[0]", "{a} = collections.deque([0])\n{a}.appendleft({v})"),
    Step("tree.transpose", ANY, None, "{a}[0]['w']",
         "{a} = jax.tree.transpose(jax.tree.structure({{'w': 0}}), jax.tree.structure([0]), {{'w': [{v}]}})"),
    Step("tree.reduce", ANY, None, "jax.tree.reduce(lambda p, q: p + q, {{'w': {v}, 'b': 1}})"),
    Step("tree.leaves_with_path", ANY, None, "jax.tree.leaves_with_path({{'w': {v}}})[0][1]"),
]  # fmt: skip

CALLS = [
    Step("operator.itemgetter", ANY, None, "operator.itemgetter('w')({{'w': {v}}})"),
    Step("operator.itemgetter of two", ANY, None, "{a}", "_, {a} = operator.itemgetter(0, 1)([1, {v}])"),
    Step("operator.methodcaller", "vec", "num", "operator.methodcaller('sum')({v})"),
    Step("operator.setitem", ANY, None, "{a}[0]", "{a} = [0, 1]\noperator.setitem({a}, 0, {v})"),
    Step("operator.concat", ANY, None, "operator.concat([0], [{v}])[1]"),
    Step("itertools.starmap", ANY, None, "list(itertools.starmap(operator.mul, [(2, {v})]))[0]"),
    Step("itertools.accumulate", ANY, None, "list(itertools.accumulate([{v}, {v}]))[1]"),
    Step("chain.from_iterable", ANY, None, "list(itertools.chain.from_iterable([[{v}], [{v}]]))[1]"),
    Step("takewhile", ANY, None, "list(itertools.takewhile(lambda q: q is not None, [{v}, None]))[0]"),
    Step("reduce", ANY, None, "functools.reduce(lambda p, q: p * q, [2, {v}])"),
    Step("*args of a dozen", ANY, None, "last{n}(*[{v} for _ in range(12)])", top="def last{n}(p, *others):\n    return others[-1]"),
    Step("*args, then one", ANY, None, "last{n}(*[1 for _ in range(2)], {v})", top="def last{n}(p, q, r):\n    return r"),
    Step("**kwargs of a dozen", ANY, None, "named{n}(**{{f'w{{i}}': {v} for i in range(12)}})", top="def named{n}(w3, **others):\n    return w3"),
    Step("partialmethod", ANY, None, "Model{n}().double({v})",
         top="class Model{n}:\n    def scale(self, gain, p):\n        return p * gain\n\n    double = functools.partialmethod(scale, 2)"),
    Step("MethodType", ANY, None, "types.MethodType(scale{n}, 2)({v})", top="import types\n\n\ndef scale{n}(gain, p):\n    return p * gain"),
    Step("nonlocal", ANY, None, "gather{n}({v})",
         top="def gather{n}(p):\n    total = 0\n\n    def add(q):\n        nonlocal total\n        total = total + q\n    add(p)\n    return total"),
    Step("__init_subclass__", ANY, None, "Base{n}.made['double']({v})",
         top="class Base{n}:\n    made = {{}}\n\n    def __init_subclass__(cls, name):\n        Base{n}.made[name] = cls.run\n\n\n"
         "class Double{n}(Base{n}, name='double'):\n    @staticmethod\n    def run(p):\n        return p * 2"),
    Step("registry of a class", ANY, None, "CALLS{n}['double']({v})",
         top="class Registry{n}(dict):\n    def register(self, function):\n        self[function.__name__] = function\n        return function\n\n\n"
         "CALLS{n} = Registry{n}()\n\n\n@CALLS{n}.register\ndef double(p):\n    return p * 2"),
    Step("ExitStack", ANY, None, "{a}", "with contextlib.ExitStack() as stack{n}:\n    {a} = stack{n}.enter_context(scope{n}({v}))",
         "import contextlib\n\n\n@contextlib.contextmanager\ndef scope{n}(p):\n    yield p * 2"),
    Step("linearize", "num", None, "{a}(1.0)", "_, {a} = jax.linearize(lambda p: p * p, {v})"),
    Step("linear_transpose", "num", None, "jax.linear_transpose(lambda p: p * 2, {v})({v})[0]"),
    Step("hessian", "num", None, "jax.hessian(lambda p: p ** 3)({v})"),
    Step("named_scope", ANY, None, "{a}", "with jax.named_scope('part'):\n    {a} = {v} * 2"),
    Step("jnp.piecewise", "num", None, "jnp.piecewise({v}, [{v} > 1], [lambda p: p, lambda p: -p])"),
    Step("jnp.select", "num", None, "jnp.select([{v} > 1], [{v}], 0.0)"),
    Step("lax.optimization_barrier", ANY, None, "lax.optimization_barrier({v})"),
    Step("lax.stop_gradient", "num", None, "lax.stop_gradient(jnp.asarray({v}))"),
]  # fmt: skip

FLOW = [
    Step("try finally", ANY, None, "{a}", "try:\n    {a} = {v} * 2\nfinally:\n    pass"),
    Step("suppress", ANY, None, "{a}", "{a} = {v}\nwith contextlib.suppress(KeyError):\n    {a} = {{}}['w']", "import contextlib"),
    Step("walrus in while", ANY, None, "{a}", "{a}, left{n} = {v}, 3\nwhile (left{n} := left{n} - 1) > 0:\n    {a} = {a} * 2"),
    Step("match rest", ANY, None, "{a}[0]", "match [0, {v}, 1]:\n    case [0, *{a}]:\n        pass\n    case _:\n        {a} = [1.0]"),
    Step("match mapping rest", ANY, None, "{a}['w']",
         "match {{'b': 0, 'w': {v}}}:\n    case {{'b': 0, **{a}}}:\n        pass\n    case _:\n        {a} = {{'w': 1.0}}"),
    Step("enumerate with start", ANY, None, "{a}", "{a} = 0\nfor i, part in enumerate([{v}, {v}], start=1):\n    {a} = {a} + i * part"),
    Step("reversed", ANY, None, "list(reversed([{v}, 0]))[1]"),
    Step("generator given on", ANY, None, "next(q for q in (p for p in [{v}]))"),
    Step("recursion over a dict", ANY, None, "deep{n}({{'a': {{'w': {v}}}}})",
         top="def deep{n}(tree):\n    for part in tree.values():\n        return deep{n}(part) if isinstance(part, dict) else part"),
]  # fmt: skip
