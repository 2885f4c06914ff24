"""The text of programs with effects: what traced code changes or reads of what is outside, and what only seems to."""

from __future__ import annotations

from typing import NamedTuple

#: Ends the line on which the effect is written.
MARK = "  # here"


class Effect(NamedTuple):
    """What is defined before, what the function does, and what is done after each call.

    `outer` are statements of the enclosing function, where the traced function is defined inside one.
    """

    name: str
    body: str
    top: str = ""
    outer: str = ""
    after: str = ""
    shown: str = ""
    parameter: str = ""


def _change(name: str, body: str, top: str, shown: str) -> Effect:
    """An effect on something that a module holds."""
    return Effect(name, body + MARK, top, shown=shown)


def _inner(name: str, body: str, outer: str, shown: str) -> Effect:
    """An effect on something that the function around holds."""
    return Effect(name, body + MARK, outer=outer, shown=shown)


def _read(name: str, body: str, top: str, after: str) -> Effect:
    """A read of what is changed after each call."""
    return Effect(name, body + MARK, top, after=after)


_BOX = "class Box:\n    def __init__(self):\n        self.n = 0\n        self.log = []"
_METER = (
    "class Meter:\n    def __init__(self):\n        self.n = 0\n\n    def add(self, by):\n        self.n = self.n + by"
)

CHANGES = [
    Effect("print", "print('value', x.sum())" + MARK),
    Effect("print of text", "print(f'value {x.sum()}')" + MARK),
    Effect("print of an element", "print(x[0], x[1], sep=', ')" + MARK),
    Effect("print by another name", "show = print\nshow(x)" + MARK),
    Effect("sys.stdout.write", "sys.stdout.write(str(x.sum()))" + MARK, "import sys"),
    Effect("pprint", "pprint.pprint(x)" + MARK, "import pprint"),
    Effect("helper with print", "tell(x)", "def tell(p):\n    print('p', p.sum())" + MARK),
    Effect("print to a buffer", "print('value', x.sum(), file=BUFFER)" + MARK, "import io\nBUFFER = io.StringIO()",
           shown="BUFFER.getvalue()"),
    Effect("write to a buffer", "BUFFER.write('a')" + MARK, "import io\nBUFFER = io.StringIO()", shown="BUFFER.getvalue()"),
    Effect("queue", "QUEUE.put(1)" + MARK, "import queue\nQUEUE = queue.Queue()", shown="QUEUE.qsize()"),
    _change("global count", "global COUNT\nCOUNT += 1", "COUNT = 0", "COUNT"),
    _change("global tracer", "global LAST\nLAST = x.sum()", "LAST = None", "str(LAST)"),
    _change("global dict of tracers", "global LAST\nLAST = {'x': x}", "LAST = None", "str(LAST)"),
    _change("globals()", "globals()['COUNT'] = COUNT + 1", "COUNT = 0", "COUNT"),
    _change("global list", "LOG.append(1)", "LOG = []", "LOG"),
    _change("global list of tracers", "LOG.append(x.sum())", "LOG = []", "str(LOG)"),
    _change("global list of tuples", "LOG.append((x, x.sum()))", "LOG = []", "str(LOG)"),
    _change("global list +=", "global LOG\nLOG += [1]", "LOG = []", "LOG"),
    _change("list.extend", "LOG.extend([1, 2])", "LOG = []", "LOG"),
    _change("list.insert", "LOG.insert(0, 1)", "LOG = []", "LOG"),
    _change("list.pop", "LOG.pop()", "LOG = [1] * 40", "len(LOG)"),
    _change("list item", "LOG[0] = LOG[0] + 1", "LOG = [0]", "LOG"),
    _change("list item +=", "LOG[0] += 1", "LOG = [0]", "LOG"),
    _change("list slice", "LOG[:] = [*LOG, 1]", "LOG = []", "LOG"),
    _change("del of an item", "del LOG[0]", "LOG = [1] * 40", "len(LOG)"),
    _change("global dict", "STATS['n'] = STATS.get('n', 0) + 1", "STATS = {}", "STATS"),
    _change("global dict +=", "STATS['n'] += 1", "STATS = {'n': 0}", "STATS"),
    _change("global dict of a tracer", "STATS['last'] = x", "STATS = {}", "str(STATS)"),
    _change("dict.update", "STATS.update({'n': STATS['n'] + 1})", "STATS = {'n': 0}", "STATS"),
    _change("nested dict", "STATS['a']['n'] += 1", "STATS = {'a': {'n': 0}}", "STATS"),
    _change("list in a dict", "STATS['log'].append(1)", "STATS = {'log': []}", "STATS"),
    _change("dict.setdefault", "STATS.setdefault('log', []).append(1)", "STATS = {}", "STATS"),
    _change("operator.setitem", "operator.setitem(STATS, 'n', STATS['n'] + 1)", "STATS = {'n': 0}", "STATS"),
    _change("global set", "SEEN.add(len(SEEN))", "SEEN = set()", "SEEN"),
    _change("set.update", "SEEN.update({len(SEEN)})", "SEEN = set()", "SEEN"),
    _change("deque", "RECENT.appendleft(1)", "RECENT = collections.deque()", "RECENT"),
    _change("collections.Counter", "TALLY['n'] += 1", "TALLY = collections.Counter()", "TALLY"),
    _change("Counter.update", "TALLY.update(['n'])", "TALLY = collections.Counter()", "TALLY"),
    _change("defaultdict", "TALLY['n'].append(1)", "TALLY = collections.defaultdict(list)", "TALLY"),
    _change("heapq", "heapq.heappush(HEAP, 1)", "import heapq\nHEAP = []", "HEAP"),
    _change("bisect", "bisect.insort(HEAP, 1)", "import bisect\nHEAP = []", "HEAP"),
    _change("NumPy item", "HITS[0] += 1.0", "HITS = np.zeros(2)", "HITS"),
    _change("NumPy slice", "HITS[:] = HITS + 1.0", "HITS = np.zeros(2)", "HITS"),
    _change("NumPy fill", "HITS.fill(HITS[0] + 1.0)", "HITS = np.zeros(2)", "HITS"),
    _change("np.copyto", "np.copyto(HITS, HITS + 1.0)", "HITS = np.zeros(2)", "HITS"),
    _change("np.put", "np.put(HITS, 0, HITS[0] + 1.0)", "HITS = np.zeros(2)", "HITS"),
    _change("np.add.at", "np.add.at(HITS, 0, 1.0)", "HITS = np.zeros(2)", "HITS"),
    _change("NumPy out=", "np.add(HITS, 1.0, out=HITS)", "HITS = np.zeros(2)", "HITS"),
    _change("global object", "BOX.n += 1", f"{_BOX}\n\n\nBOX = Box()", "BOX.n"),
    _change("global object's list", "BOX.log.append(1)", f"{_BOX}\n\n\nBOX = Box()", "BOX.log"),
    _change("object in a list", "BOXES[0].n += 1", f"{_BOX}\n\n\nBOXES = [Box()]", "BOXES[0].n"),
    _change("setattr", "setattr(BOX, 'n', BOX.n + 1)", f"{_BOX}\n\n\nBOX = Box()", "BOX.n"),
    _change("__dict__", "BOX.__dict__['n'] = BOX.n + 1", f"{_BOX}\n\n\nBOX = Box()", "BOX.n"),
    _change("vars", "vars(BOX).update(n=BOX.n + 1)", f"{_BOX}\n\n\nBOX = Box()", "BOX.n"),
    _change("object's tracer", "BOX.last = x.sum()", f"{_BOX}\n\n\nBOX = Box()", "str(BOX.__dict__)"),
    _change("object's list of tracers", "BOX.log.append(x)", f"{_BOX}\n\n\nBOX = Box()", "str(BOX.log)"),
    _change("class attribute", "Box.count += 1", "class Box:\n    count = 0", "Box.count"),
    _change("class attribute's tracer", "Box.last = x", "class Box:\n    last = None", "str(Box.last)"),
    _change("class attribute's list", "Box.log.append(1)", "class Box:\n    log = []", "Box.log"),
    _change("dataclass", "CONFIG.n += 1", "@dataclasses.dataclass\nclass Config:\n    n: int = 0\n\n\nCONFIG = Config()",
            "CONFIG.n"),
    _change("list of a NamedTuple", "PAIR.log.append(1)",
            "class Pair(NamedTuple):\n    log: list\n    n: int\n\n\nPAIR = Pair([], 1)", "PAIR.log"),
    _change("SimpleNamespace", "SPACE.n += 1", "import types\nSPACE = types.SimpleNamespace(n=0)", "SPACE.n"),
    _change("function attribute", "helper.calls += 1", "def helper():\n    pass\n\n\nhelper.calls = 0", "helper.calls"),
    Effect("method of a global object", "METER.add(1)", f"{_METER}{MARK}\n\n\nMETER = Meter()", shown="METER.n"),
    Effect("__call__ of a global object", "COUNTED(x)",
           "class Counted:\n    calls = 0\n\n    def __call__(self, p):\n        self.calls += 1" + MARK
           + "\n        return p\n\n\nCOUNTED = Counted()", shown="COUNTED.calls"),
    Effect("__setitem__", "TABLE['n'] = 1",
           "class Table:\n    def __init__(self):\n        self.rows = []\n\n    def __setitem__(self, key, value):\n"
           "        self.rows.append(value)" + MARK + "\n\n\nTABLE = Table()", shown="TABLE.rows"),
    Effect("property", "BOX.size = 1",
           "class Box:\n    log = ()\n\n    @property\n    def size(self):\n        return 0\n\n    @size.setter\n"
           "    def size(self, value):\n        self.log = (*self.log, value)" + MARK + "\n\n\nBOX = Box()", shown="BOX.log"),
    Effect("classmethod", "Box.bump()",
           "class Box:\n    n = 0\n\n    @classmethod\n    def bump(cls):\n        cls.n += 1" + MARK, shown="Box.n"),
    Effect("helper with a global", "bump()", "COUNT = 0\n\n\ndef bump():\n    global COUNT\n    COUNT += 1" + MARK,
           shown="COUNT"),
    Effect("helper changes its argument", "note(LOG, 1)", "LOG = []\n\n\ndef note(log, item):\n    log.append(item)" + MARK,
           shown="LOG"),
    Effect("helper's mutable default", "note(1)", "def note(item, log=[]):\n    log.append(item)" + MARK,
           shown="note.__defaults__"),
    Effect("helper's cache", "note(1)", "CACHE = {}\n\n\ndef note(item):\n    CACHE[len(CACHE)] = item" + MARK, shown="CACHE"),
    Effect("mutable default", "seen.append(1)" + MARK, parameter="seen=[]", shown="step.__defaults__"),
    Effect("mutable default dict", "seen[len(seen)] = 1" + MARK, parameter="seen={}", shown="step.__defaults__"),
    _inner("nonlocal", "nonlocal count\ncount += 1", "count = 0", "count"),
    _inner("nonlocal tracer", "nonlocal last\nlast = x", "last = None", "str(last)"),
    _inner("captured list", "seen.append(1)", "seen = []", "seen"),
    _inner("captured list of tracers", "seen.append(x)", "seen = []", "str(seen)"),
    _inner("captured dict", "stats['n'] = stats['n'] + 1", "stats = {'n': 0}", "stats"),
    _inner("captured dict.update", "stats.update(n=stats['n'] + 1)", "stats = {'n': 0}", "stats"),
    _inner("captured NumPy buffer", "hits[0] += 1.0", "hits = np.zeros(2)", "hits"),
    _inner("captured object", "box.n += 1", f"{_BOX}\n\nbox = Box()", "box.n"),
    _inner("captured object's tracer", "box.last = x.sum()", f"{_BOX}\n\nbox = Box()", "str(box.__dict__)"),
    _inner("bound method", "note(1)", "seen = []\nnote = seen.append", "seen"),
    _inner("deque", "recent.append(1)", "recent = collections.deque()", "recent"),
    _inner("alias", "mine = seen\nmine.append(1)", "seen = []", "seen"),
    _inner("element", "mine = rows[0]\nmine.append(1)", "rows = [[]]", "rows"),
    _inner("loop over rows", "for row in rows:\n    row.append(1)", "rows = [[], []]", "rows"),
    Effect("closure", "bump()", outer=f"count = 0\ndef bump():\n    nonlocal count\n    count += 1{MARK}", shown="count"),
    Effect("made closure", "x = x + bump()", "def make_counter():\n    n = 0\n\n    def add():\n        nonlocal n\n        n += 1" + MARK
           + "\n        return n\n\n    return add", "bump = make_counter()", shown="bump()"),
    _inner("counter", "x = x + next(numbers)", "numbers = itertools.count()", "numbers"),
    _inner("iterator", "x = x + next(numbers)", "numbers = iter([1.0] * 40)", "len(list(numbers))"),
    _inner("generator", "x = x + next(numbers)", "numbers = (float(i) for i in range(40))", "len(list(numbers))"),
    _inner("map", "x = x + next(numbers)", "numbers = map(float, range(40))", "len(list(numbers))"),
    _inner("zip", "x = x + next(numbers)[0]", "numbers = zip([1.0] * 40)", "len(list(numbers))"),
    _inner("cycle", "x = x + next(numbers)", "numbers = itertools.cycle((1.0, 2.0))", "next(numbers)"),
    Effect("loop over an iterator", f"for number in numbers:{MARK}\n    x = x + number", outer="numbers = iter([1.0] * 40)",
           shown="len(list(numbers))"),
    Effect("generator function", "x = x + next(numbers)" + MARK, "def series():\n    n = 0.0\n    while True:\n"
           "        n += 1.0\n        yield n", "numbers = series()", shown="next(numbers)"),
    Effect("NumPy's random numbers", "x = x * np.random.rand(3)" + MARK, "np.random.seed(0)"),
    Effect("NumPy's normal numbers", "x = x + np.random.normal()" + MARK, "np.random.seed(0)"),
    Effect("NumPy's generator", "x = x + RNG.random()" + MARK, "RNG = np.random.default_rng(0)"),
    Effect("NumPy's RandomState", "x = x + RNG.rand()" + MARK, "RNG = np.random.RandomState(0)"),
    Effect("Python's random numbers", "x = x * random.random()" + MARK, "import random\nrandom.seed(0)"),
    Effect("Python's generator", "x = x * RNG.uniform(0.0, 1.0)" + MARK, "import random\nRNG = random.Random(0)"),
    Effect("helper with random numbers", "x = x * noise()", "import random\nrandom.seed(0)\n\n\ndef noise():\n"
           "    return random.random()" + MARK),
    Effect("time", "x = x + time.time()" + MARK, "import time"),
    Effect("perf_counter", "start = time.perf_counter()\nx = x * (time.perf_counter() - start)" + MARK, "import time"),
    Effect("monotonic", "x = x + monotonic()" + MARK, "from time import monotonic"),
    _change("list.remove", "LOG.remove(1)", "LOG = [1] * 40", "len(LOG)"),
    _change("list of a comprehension", "[LOG.append(i) for i in range(2)]", "LOG = []", "LOG"),
    _change("list *=", "global LOG\nLOG *= 2", "LOG = [1]", "len(LOG)"),
    _change("tuple bound again", "global LOG\nLOG = (*LOG, 1)", "LOG = ()", "LOG"),
    _change("tuple of tracers", "global LOG\nLOG = (*LOG, x)", "LOG = ()", "str(LOG)"),
    _change("dict |=", "global STATS\nSTATS |= {len(STATS): 1}", "STATS = {}", "STATS"),
    _change("dict.pop", "STATS.pop(len(STATS) - 1)", "STATS = dict.fromkeys(range(40))", "len(STATS)"),
    _change("del of a dict item", "del STATS[len(STATS) - 1]", "STATS = dict.fromkeys(range(40))", "len(STATS)"),
    _change("OrderedDict", "STATS[len(STATS)] = 1", "STATS = collections.OrderedDict()", "STATS"),
    _change("set.discard", "SEEN.discard(len(SEEN) - 1)", "SEEN = set(range(40))", "len(SEEN)"),
    _change("deque.popleft", "RECENT.popleft()", "RECENT = collections.deque([1] * 40)", "len(RECENT)"),
    _change("bytearray", "BYTES.append(1)", "BYTES = bytearray()", "len(BYTES)"),
    _change("environment", "os.environ['JAXLINT_COUNT'] = str(int(os.environ['JAXLINT_COUNT']) + 1)",
            "import os\nos.environ['JAXLINT_COUNT'] = '0'", "os.environ['JAXLINT_COUNT']"),
    _change("np.maximum.at", "np.maximum.at(HITS, 0, HITS[0] + 1.0)", "HITS = np.zeros(2)", "HITS"),
    _change("buffer of an object", "BOX.hits += 1", "class Box:\n    def __init__(self):\n        self.hits = np.zeros(2)\n\n\n"
            "BOX = Box()", "BOX.hits"),
    _change("item of a buffer of an object", "BOX.hits[0] += 1",
            "class Box:\n    def __init__(self):\n        self.hits = np.zeros(2)\n\n\nBOX = Box()", "BOX.hits"),
    _change("dict of an object", "BOX.stats['n'] = BOX.stats.get('n', 0) + 1",
            "class Box:\n    def __init__(self):\n        self.stats = {}\n\n\nBOX = Box()", "BOX.stats"),
    _change("dict of lists of tracers", "STATS['x'].append(x)", "STATS = {'x': []}", "str(STATS)"),
    _change("object in an object", "BOX.inner.n += 1",
            "class Inner:\n    n = 0\n\n\nclass Box:\n    def __init__(self):\n        self.inner = Inner()\n\n\nBOX = Box()",
            "BOX.inner.n"),
    Effect("method with a list", "TRACKER.note(x)", "class Tracker:\n    def __init__(self):\n        self.seen = []\n\n"
           "    def note(self, p):\n        self.seen.append(p)" + MARK + "\n\n\nTRACKER = Tracker()", shown="str(TRACKER.seen)"),
    Effect("inherited method", "TRACKER.note(1)", "class Base:\n    n = 0\n\n    def note(self, by):\n        self.n += by" + MARK
           + "\n\n\nclass Tracker(Base):\n    pass\n\n\nTRACKER = Tracker()", shown="TRACKER.n"),
    Effect("decorator that counts", "x = doubled(x)", "CALLS = []\n\n\ndef counted(function):\n    @functools.wraps(function)\n"
           "    def wrapper(*args):\n        CALLS.append(1)" + MARK + "\n        return function(*args)\n    return wrapper\n\n\n"
           "@counted\ndef doubled(p):\n    return p * 2.0", shown="CALLS"),
    Effect("context manager", "with Timer():\n    x = x * 1.0", "ENTERED = []\n\n\nclass Timer:\n    def __enter__(self):\n"
           "        ENTERED.append(1)" + MARK + "\n        return self\n\n    def __exit__(self, *_):\n        return None",
           shown="ENTERED"),
    Effect("static method", "Tools.note(1)", "LOG = []\n\n\nclass Tools:\n    @staticmethod\n    def note(item):\n"
           "        LOG.append(item)" + MARK, shown="LOG"),
    Effect("helper two deep", "outer(x)", "LOG = []\n\n\ndef inner(p):\n    LOG.append(p)" + MARK
           + "\n\n\ndef outer(p):\n    inner(p * 2.0)", shown="str(LOG)"),
    Effect("callback in a list", "for hook in HOOKS:\n    hook(x)", "LOG = []\n\n\ndef note(p):\n    LOG.append(1)" + MARK
           + "\n\n\nHOOKS = [note]", shown="LOG"),
    Effect("callback by keyword", "x = applied(x, hook=note)", "LOG = []\n\n\ndef note(p):\n    LOG.append(1)" + MARK
           + "\n\n\ndef applied(p, hook=None):\n    if hook is not None:\n        hook(p)\n    return p", shown="LOG"),
    Effect("choice", "x = x * random.choice([1.0, 2.0, 3.0, 4.0, 5.0])" + MARK, "import random\nrandom.seed(1)"),
    Effect("NumPy's permutation", "x = x * np.random.permutation(3)" + MARK, "np.random.seed(0)"),
    Effect("NumPy's uniform numbers", "noise = np.random.uniform(size=3)" + MARK + "\nx = x + noise", "np.random.seed(0)"),
    Effect("time_ns of a helper", "x = x * now()", "import time\n\n\ndef now():\n    return time.time()" + MARK),
]  # fmt: skip

READS = [
    _read("global number", "x = x * RATE", "RATE = 1.0", "RATE = RATE + 1.0"),
    _read("global number, set by a helper", "x = x * RATE",
          "RATE = 1.0\n\n\ndef set_rate():\n    global RATE\n    RATE = RATE + 1.0", "set_rate()"),
    _read("global array", "x = x * WEIGHT", "WEIGHT = jnp.ones(3)", "WEIGHT = WEIGHT + 1.0"),
    _read("global NumPy array", "x = x * WEIGHT", "WEIGHT = np.ones(3)", "WEIGHT[0] = WEIGHT[0] + 1.0"),
    _read("global flag", "x = x * 2.0 if FLAG else x", "FLAG = True", "FLAG = not FLAG"),
    Effect("helper reads a global", "x = x * scale()", "RATE = 1.0\n\n\ndef scale():\n    return RATE" + MARK,
           after="RATE = RATE + 1.0"),
    _read("dict item", "x = x * SETTINGS['rate']", "SETTINGS = {'rate': 1.0}", "SETTINGS['rate'] = SETTINGS['rate'] + 1.0"),
    _read("dict item, +=", "x = x * SETTINGS['rate']", "SETTINGS = {'rate': 1.0}", "SETTINGS['rate'] += 1.0"),
    _read("dict item, updated", "x = x * SETTINGS['rate']", "SETTINGS = {'rate': 1.0}",
          "SETTINGS.update(rate=SETTINGS['rate'] + 1.0)"),
    _read("dict.get", "x = x * SETTINGS.get('rate', 1.0)", "SETTINGS = {}", "SETTINGS['rate'] = 2.0"),
    _read("in a dict", "x = x * 2.0 if 'rate' in SETTINGS else x", "SETTINGS = {}", "SETTINGS['rate'] = 2.0"),
    _read("list item", "x = x * RATES[0]", "RATES = [1.0]", "RATES[0] = RATES[0] + 1.0"),
    _read("list length", "x = x * len(RATES)", "RATES = [1.0]", "RATES.append(1.0)"),
    Effect("loop over a list", f"for rate in RATES:{MARK}\n    x = x * rate", "RATES = [1.0]", after="RATES.append(2.0)"),
    _read("sum of a list", "x = x * sum(RATES)", "RATES = [1.0]", "RATES.append(2.0)"),
    _read("object's attribute", "x = x * CONFIG.rate", "class Config:\n    def __init__(self):\n        self.rate = 1.0\n\n\n"
          "CONFIG = Config()", "CONFIG.rate = CONFIG.rate + 1.0"),
    _read("object's attribute, by setattr", "x = x * CONFIG.rate",
          "class Config:\n    def __init__(self):\n        self.rate = 1.0\n\n\nCONFIG = Config()",
          "setattr(CONFIG, 'rate', CONFIG.rate + 1.0)"),
    _read("object's attribute, by a method", "x = x * CONFIG.rate",
          "class Config:\n    def __init__(self):\n        self.rate = 1.0\n\n    def grow(self):\n        self.rate += 1.0\n\n\n"
          "CONFIG = Config()", "CONFIG.grow()"),
    _read("class attribute", "x = x * Config.rate", "class Config:\n    rate = 1.0", "Config.rate = Config.rate + 1.0"),
    _read("SimpleNamespace", "x = x * SPACE.rate", "import types\nSPACE = types.SimpleNamespace(rate=1.0)", "SPACE.rate += 1.0"),
    _read("dataclass", "x = x * CONFIG.rate",
          "@dataclasses.dataclass\nclass Config:\n    rate: float = 1.0\n\n\nCONFIG = Config()", "CONFIG.rate += 1.0"),
    Effect("local", "x = x * rate" + MARK, outer="rate = 1.0", after="rate = rate + 1.0"),
    Effect("local +=", "x = x * rate" + MARK, outer="rate = 1.0", after="rate += 1.0"),
    Effect("local array", "x = x * weight" + MARK, outer="weight = jnp.ones(3)", after="weight = weight * 2.0"),
    Effect("local dict", "x = x * settings['rate']" + MARK, outer="settings = {'rate': 1.0}", after="settings['rate'] += 1.0"),
    Effect("local list", "x = x * rates[0]" + MARK, outer="rates = [1.0]", after="rates[0] += 1.0"),
    Effect("local object", "x = x * space.rate" + MARK, "import types", "space = types.SimpleNamespace(rate=1.0)",
           "space.rate += 1.0"),
    _read("maximum of a list", "x = x * max(RATES)", "RATES = [1.0]", "RATES.append(RATES[-1] + 1.0)"),
    _read("comprehension", "x = x * sum([rate * 2.0 for rate in RATES])", "RATES = [1.0]", "RATES.append(2.0)"),
    _read("last item", "x = x * RATES[-1]", "RATES = [1.0]", "RATES.append(RATES[-1] + 1.0)"),
    Effect("items of a dict", f"for rate in SETTINGS.values():{MARK}\n    x = x * rate", "SETTINGS = {'rate': 2.0}",
           after="SETTINGS[len(SETTINGS)] = 2.0"),
    Effect("enumerate", f"for _, rate in enumerate(RATES):{MARK}\n    x = x * rate", "RATES = [1.0]", after="RATES.append(2.0)"),
    _read("truth of a list", "x = x * 2.0 if RATES else x", "RATES = []", "RATES.append(2.0)"),
    _read("in a set", "x = x * 2.0 if 'on' in FLAGS else x", "FLAGS = set()", "FLAGS.add('on')"),
    _read("length of a dict", "x = x * len(SETTINGS)", "SETTINGS = {'rate': 1.0}", "SETTINGS[len(SETTINGS)] = 2.0"),
    _read("tuple bound again", "x = x * RATES[0]", "RATES = (1.0,)", "RATES = (RATES[0] + 1.0,)"),
    _read("nested dict", "x = x * SETTINGS['opt']['rate']", "SETTINGS = {'opt': {'rate': 1.0}}", "SETTINGS['opt']['rate'] += 1.0"),
    _read("nested object", "x = x * CONFIG.opt.rate",
          "class Opt:\n    def __init__(self):\n        self.rate = 1.0\n\n\nclass Config:\n    def __init__(self):\n"
          "        self.opt = Opt()\n\n\nCONFIG = Config()", "CONFIG.opt.rate += 1.0"),
    _read("dict of a class", "x = x * Config.table['rate']", "class Config:\n    table = {'rate': 1.0}",
          "Config.table['rate'] += 1.0"),
    _read("dict of an object", "x = x * CONFIG.table['rate']",
          "class Config:\n    def __init__(self):\n        self.table = {'rate': 1.0}\n\n\nCONFIG = Config()",
          "CONFIG.table['rate'] += 1.0"),
    _read("text", "x = x * 2.0 if MODE == 'fast' else x", "MODE = 'fast'", "MODE = 'slow'"),
    _read("match on a global", "match MODE:\n    case 'fast':\n        x = x * 2.0", "MODE = 'fast'", "MODE = 'slow'"),
    Effect("property", "x = x * CONFIG.scale",
           "class Config:\n    def __init__(self):\n        self.rate = 1.0\n\n    @property\n    def scale(self):\n"
           "        return self.rate * 2.0" + MARK + "\n\n\nCONFIG = Config()", after="CONFIG.rate += 1.0"),
    Effect("method that reads", "x = CONFIG.scaled(x)",
           "class Config:\n    def __init__(self):\n        self.rate = 1.0\n\n    def scaled(self, p):\n"
           "        return p * self.rate" + MARK + "\n\n\nCONFIG = Config()", after="CONFIG.rate += 1.0"),
    Effect("helper reads a dict", "x = x * scale()", "SETTINGS = {'rate': 1.0}\n\n\ndef scale():\n    return SETTINGS['rate']" + MARK,
           after="SETTINGS['rate'] += 1.0"),
    Effect("closure's variable", "x = x * rate" + MARK, outer="rate = 1.0\ndef grow():\n    nonlocal rate\n    rate = rate + 1.0",
           after="grow()"),
]  # fmt: skip

#: What is printed of shapes and constants says when JAX compiles, and is meant: it is not among them.
HARMLESS = [
    Effect("local list", "parts = []\nparts.append(x)\nx = sum(parts)" + MARK),
    Effect("local dict", "stats = {'n': 0}\nstats['n'] += 1" + MARK),
    Effect("local dict of arrays", "stats = {}\nstats['x'] = x\nx = stats['x'] * 1.0" + MARK),
    Effect("local buffer", "hits = np.zeros(2)\nhits[0] = 1.0" + MARK),
    Effect("local nonlocal", "total = 0\ndef add():\n    nonlocal total\n    total += 1\nadd()" + MARK),
    Effect("local object", "box = Box()\nbox.n = x.sum()" + MARK, "class Box:\n    n = 0"),
    Effect("method of a local object", "box = Box()\nbox.add(x)\nx = sum(box.parts)" + MARK,
           "class Box:\n    def __init__(self):\n        self.parts = []\n\n    def add(self, p):\n        self.parts.append(p)"),
    Effect("local deque", "recent = collections.deque()\nrecent.append(x)\nx = recent.pop()" + MARK),
    Effect("local iterator", "numbers = iter((1.0, 2.0))\nx = x + next(numbers)" + MARK),
    Effect("local counter", "numbers = itertools.count()\nx = x + next(numbers)" + MARK),
    Effect("local generator", "x = x + sum(float(i) for i in range(3))" + MARK),
    Effect("local buffer of text", "out = io.StringIO()\nprint('hidden', file=out)" + MARK, "import io"),
    Effect("seeded generator", "x = x + random.Random(0).random()" + MARK, "import random"),
    Effect("seeded NumPy generator", "x = x + np.random.default_rng(0).random()" + MARK),
    Effect("jax.debug.print", "jax.debug.print('x {}', x.sum())" + MARK),
    Effect("jax.debug.callback", "jax.debug.callback(lambda p: print('p', float(p)), x.sum())" + MARK),
    Effect("callback keeps a list", "jax.debug.callback(lambda p: LOG.append(float(p)), x.sum())" + MARK, "LOG = []"),
    Effect("read of a constant global", "x = x * RATE" + MARK, "RATE = 2.0"),
    Effect("read of a constant dict", "x = x * SETTINGS['rate']" + MARK, "SETTINGS = {'rate': 2.0}"),
    Effect("read of a constant object", "x = x * CONFIG.rate" + MARK, "class Config:\n    rate = 2.0\n\n\nCONFIG = Config()"),
    Effect("read of a table filled before", "x = x * TABLE['rate']" + MARK, "TABLE = {}\nTABLE['rate'] = 2.0"),
    Effect("read of a list filled before", "x = x * sum(RATES)" + MARK, "RATES = []\nfor i in range(3):\n    RATES.append(1.0 * i)"),
    Effect("default taken before", "x = x * rate" + MARK, "RATE = 1.0", parameter="rate=RATE", after="RATE = RATE + 1.0"),
    Effect("global that the name hides", "RATE = 2.0\nx = x * RATE" + MARK, "RATE = 1.0", after="RATE = RATE + 1.0"),
    Effect("copy changed", "mine = dict(STATS)\nmine['n'] = 2" + MARK, "STATS = {'n': 1}", shown="STATS"),
    Effect("list of a copy", "mine = list(LOG)\nmine.append(x)" + MARK, "LOG = [1]", shown="LOG"),
    Effect("slice of a list", "mine = LOG[:]\nmine.append(x)" + MARK, "LOG = [1]", shown="LOG"),
    Effect("sum of lists", "mine = LOG + [x]" + MARK, "LOG = [1]", shown="LOG"),
    Effect("dict of a copy", "mine = {**STATS, 'x': x}\nmine['n'] = 3" + MARK, "STATS = {'n': 1}", shown="STATS"),
    Effect("copy.copy", "mine = copy.copy(STATS)\nmine['n'] = 3" + MARK, "import copy\nSTATS = {'n': 1}", shown="STATS"),
    Effect("copy.deepcopy", "mine = copy.deepcopy(STATS)\nmine['a']['n'] = 3" + MARK, "import copy\nSTATS = {'a': {'n': 1}}",
           shown="STATS"),
    Effect("NumPy copy", "mine = HITS.copy()\nmine[0] = 1.0" + MARK, "HITS = np.zeros(2)", shown="HITS"),
    Effect("dataclasses.replace", "mine = dataclasses.replace(CONFIG, n=2)" + MARK,
           "@dataclasses.dataclass\nclass Config:\n    n: int = 0\n\n\nCONFIG = Config()", shown="CONFIG.n"),
    Effect("helper's own list", "x = gathered(x)",
           "def gathered(p):\n    parts = []\n    parts.append(p)\n    return parts[0]" + MARK),
    Effect("helper changes a local list", "parts = []\nnote(parts, x)\nx = parts[0] * 1.0",
           "def note(log, item):\n    log.append(item)" + MARK),
    Effect("helper changes a local object", "box = Box()\nfill(box, x)\nx = box.n * 1.0",
           "class Box:\n    n = 0\n\n\ndef fill(box, p):\n    box.n = p" + MARK),
    Effect("closure over a local list", "parts = []\ndef note(p):\n    parts.append(p)\nnote(x)\nx = parts[0] * 1.0" + MARK),
    Effect("carry of a dict", "def body(carry, _):\n    carry['x'] = carry['x'] * 2.0\n    return carry, None\n"
           "x = lax.scan(body, {'x': x}, None, length=2)[0]['x']" + MARK),
    Effect("while carry of a dict", "def body(carry):\n    carry['n'] = carry['n'] + 1\n    carry['x'] = carry['x'] * 2.0\n"
           "    return carry\nx = lax.while_loop(lambda c: c['n'] < 2, body, {'n': 0, 'x': x})['x']" + MARK),
    Effect("argument of an inner jit", "def inner(tree):\n    tree['x'] = tree['x'] * 2.0\n    return tree\n"
           "x = jax.jit(inner)({'x': x})['x']" + MARK),
    Effect("tree.map with a local list", "parts = []\njax.tree.map(parts.append, {'x': x})\nx = parts[0] * 1.0" + MARK),
    Effect("instance made inside", "x = Layer(x).weight" + MARK, "class Layer:\n    def __init__(self, p):\n"
           "        self.weight = p\n        self.parts = [p]\n        self.parts.append(p)"),
    Effect("sorted copy", "x = x * sorted(RATES)[0]" + MARK, "RATES = [2.0, 1.0]", shown="RATES"),
    Effect("local set", "seen = set()\nseen.add(1)\nx = x * len(seen)" + MARK),
    Effect("local Counter", "tally = collections.Counter()\ntally['n'] += 1\nx = x * tally['n']" + MARK),
    Effect("local defaultdict", "parts = collections.defaultdict(list)\nparts['x'].append(x)\nx = parts['x'][0] * 1.0" + MARK),
    Effect("local closure with state", "def make():\n    n = 0\n    def add():\n        nonlocal n\n        n += 1\n        return n\n"
           "    return add\nx = x * make()()" + MARK),
    Effect("local list of an object", "box = Box()\nbox.log.append(x)\nx = box.log[0] * 1.0" + MARK,
           "class Box:\n    def __init__(self):\n        self.log = []"),
    Effect("dict of a NamedTuple", "pair = Pair({}, 1)\npair.table['x'] = x\nx = pair.table['x'] * 1.0" + MARK,
           "class Pair(NamedTuple):\n    table: dict\n    n: int"),
    Effect("keyword arguments changed", "x = applied(x=x, gain=2.0)", "def applied(**options):\n    gain = options.pop('gain')" + MARK
           + "\n    return options['x'] * gain"),
    Effect("grown before the first call", "x = x * len(LOG)" + MARK, "LOG = [1]\nLOG.append(2)"),
    Effect("same value set again", "x = x * SETTINGS['rate']" + MARK, "SETTINGS = {'rate': 2.0}", after="SETTINGS['rate'] = 2.0"),
    Effect("another key set", "x = x * SETTINGS['rate']" + MARK, "SETTINGS = {'rate': 2.0}", after="SETTINGS['other'] = 2.0"),
    Effect("another attribute set", "x = x * CONFIG.rate" + MARK, "class Config:\n    def __init__(self):\n        self.rate = 1.0\n"
           "        self.calls = 0\n\n\nCONFIG = Config()", after="CONFIG.calls += 1"),
    Effect("list grown that is read by index", "x = x * RATES[0]" + MARK, "RATES = [2.0]", after="RATES.append(3.0)"),
    Effect("context manager without effects", "with contextlib.nullcontext():\n    x = x * 1.0" + MARK, "import contextlib"),
    Effect("decorated helper", "x = doubled(x)" + MARK, "def plain(function):\n    @functools.wraps(function)\n"
           "    def wrapper(*args):\n        return function(*args)\n    return wrapper\n\n\n@plain\ndef doubled(p):\n    return p * 2.0"),
    Effect("random numbers of JAX", "x = x + jax.random.normal(jax.random.key(0), (3,))" + MARK),
    Effect("shape kept", "n = x.shape[0]\nx = x * n" + MARK, "SHAPES = []", shown="SHAPES"),
]  # fmt: skip
