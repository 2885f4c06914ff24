"""Flag points: what flows through flagged expressions decides, and the program does not notice."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from jaxlint.diagnostics import Span
from jaxlint.verify.observe.watch_list import WatchPoint, instrumented_command, write_watch_list
from tests.verify.observing import PYTHON, Observed, observe, observe_code, verify

MISTAKES = '''\
"""A docstring, and what must come first."""
from __future__ import annotations

import os
import sys
import jax, jax.numpy as jnp
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
print(__doc__, __file__, sys.argv, __name__, __spec__, sys.path[0] == here)
log = []


@jax.jit
def branch(x, y=None):
    if x.sum() > 0:  # expect: traced-branch confirmed
        return x
    return -x


@jax.jit
def convert(x):
    return float(x)  # expect: concretization confirmed


@jax.jit
def remember(x):
    log.append(1)  # expect: captured-mutation confirmed
    print("x is", x)  # expect: print-in-traced-code confirmed
    return np.sin(x)  # expect: numpy-on-tracer confirmed


@jax.jit
def never(x):
    return float(x)  # expect: concretization not-reached


def twice(key):
    first = jax.random.normal(key)
    return first + jax.random.normal(key)  # expect: key-reuse confirmed


for function in (branch, convert, remember):
    try:
        function(jnp.ones(()))
    except jax.errors.JAXTypeError as error:
        print(type(error).__name__)
def store(x):
    x[0] = 1  # expect: in-place-item-assignment confirmed


x = jnp.zeros(3)
try:
    store(x)
except TypeError as error:
    print(error)
x.at[0].set(1)  # expect: discarded-at-update confirmed
twice(jax.random.key(0))
key = jax.random.key(1)
for _ in range(3):
    print(jax.random.uniform(key) > 2)  # expect: key-reuse-in-loop confirmed
'''


def verdicts(observed: Observed) -> dict[int, tuple[str, str]]:
    return {f["line"]: (f["rule"], f["verdict"]) for f in observed.judged}


def expected(code: str) -> dict[int, tuple[str, str]]:
    marks = [(n, line.partition("# expect: ")[2].split()) for n, line in enumerate(code.splitlines(), 1)]
    return {number: (words[0], words[1]) for number, words in marks if words}


def without_carets(text: str) -> list[str]:
    """Python 3.11 underlines a comparison that is tested, and no call in its place."""
    return [line for line in text.strip().splitlines() if line.strip(" ^~")]


def test_each_finding_gets_the_verdict_that_the_run_shows(tmp_path: Path) -> None:
    observed = observe_code(MISTAKES, tmp_path, "--isolated")
    assert verdicts(observed) == expected(MISTAKES)


def test_what_changes_under_vmap_alone_changes_once_for_the_whole_batch(tmp_path: Path) -> None:
    code = (
        "import jax\nimport jax.numpy as jnp\n\nrows = []\n\n\n"
        "def score(row):\n    rows.append(1)\n    return row.sum()\n\n\njax.vmap(score)(jnp.ones((3, 2)))\n"
    )
    (found,) = observe_code(code, tmp_path, "--isolated").judged
    assert (found["rule"], found["verdict"]) == ("captured-mutation", "confirmed")
    assert found["evidence"].endswith("once for the whole batch, not once for each element")


def test_the_program_prints_and_ends_as_without_points(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(MISTAKES, encoding="utf-8")
    plain = subprocess.run([PYTHON, "program.py", "a"], cwd=tmp_path, capture_output=True, text=True, check=False)
    observed = observe([PYTHON, "program.py", "a"], tmp_path, "--isolated")
    assert observed.out == plain.stdout
    assert observed.code == plain.returncode == 0


def test_an_error_at_a_point_is_shown_as_without_it(tmp_path: Path) -> None:
    code = MISTAKES + "branch(jnp.ones(3))\n"
    (tmp_path / "program.py").write_text(code, encoding="utf-8")
    plain = subprocess.run([PYTHON, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    observed = observe_code(code, tmp_path, "--isolated")
    assert observed.code == plain.returncode == 1
    theirs = observed.err.partition("Traceback")[2].partition("\n\njaxlint verify")[0]
    assert without_carets(theirs) == without_carets(plain.stderr.partition("Traceback")[2])


def test_an_imported_module_has_points_and_no_bytecode_of_ours(tmp_path: Path) -> None:
    (tmp_path / "part.py").write_text(MISTAKES.replace("sys.argv, __name__, __spec__,", ""), encoding="utf-8")
    (tmp_path / "main.py").write_text("import part\nprint(part.__file__)\n", encoding="utf-8")
    for _ in range(2):  # the second time, a .pyc of the first would be read
        observed = observe([PYTHON, "main.py"], tmp_path, "--isolated", str(tmp_path / "part.py"))
        assert set(verdicts(observed).values()) == set(expected(MISTAKES).values())
        assert not list(tmp_path.rglob("part*.pyc"))


@pytest.mark.parametrize(
    "command",
    [["-m", "part"], ["-c", "import runpy, sys; runpy.run_path(sys.argv[1])", "part.py"]],
    ids=["-m", "run_path"],
)
def test_ways_to_run_a_file(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "part.py").write_text(MISTAKES.replace("__name__, __spec__,", ""), encoding="utf-8")
    observed = observe([PYTHON, *command], tmp_path, "--isolated", str(tmp_path / "part.py"))
    assert observed.code == 0, observed.err
    assert set(verdicts(observed).values()) == set(expected(MISTAKES).values())


def test_what_is_no_mistake_is_refuted_by_what_came(tmp_path: Path) -> None:
    code = """
import jax, jax.numpy as jnp
import numpy as np

class Box:
    pass

def scaled(x, factor):
    if factor > 1:
        x = x * factor
    return x

def fill(table):
    table[0] = 1
    return table

box = Box()
box.step = jax.jit(scaled, static_argnums=1)
box.step(jnp.ones(3), 2)
fill(np.zeros(3))
"""
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    from jaxlint.verify.model import Verdict
    from tests.verify.judged import judged

    found = judged(program, [("traced-branch", "factor > 1"), ("in-place-item-assignment", "table[0]")])
    assert [verdict for verdict, _ in found] == [Verdict.REFUTED, Verdict.REFUTED]
    assert "the value is bool, not a tracer, in the trace by jit of `scaled`" in found[0][1]
    assert "ndarray" in found[1][1]


def test_a_module_that_pytest_rewrites_is_left_alone(tmp_path: Path) -> None:
    code = """
import jax

@jax.jit
def f(x):
    if x > 0:
        return x
    return -x

def test_f():
    try:
        f(1.0)
    except jax.errors.JAXTypeError:
        pass
"""
    (tmp_path / "test_it.py").write_text(code, encoding="utf-8")
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    observed = observe(command, tmp_path, "--isolated", str(tmp_path / "test_it.py"))
    finding = observed.judged[0]
    assert finding["verdict"] == "not-reached"
    assert finding["evidence"].startswith("module is rewritten by _pytest.assertion.rewrite")


def test_a_module_that_jaxtyping_rewrites_is_left_alone(tmp_path: Path) -> None:
    pytest.importorskip("jaxtyping")
    (tmp_path / "part.py").write_text("import jax\n@jax.jit\ndef f(x):\n    return float(x)\n", encoding="utf-8")
    main = "from jaxtyping import install_import_hook\nwith install_import_hook('part', None):\n    import part\n"
    (tmp_path / "main.py").write_text(main, encoding="utf-8")
    observed = observe([PYTHON, "main.py"], tmp_path, "--isolated", str(tmp_path / "part.py"))
    assert observed.code == 0, observed.err
    assert "rewritten by jaxtyping" in observed.judged[0]["evidence"]


def checked(cwd: Path, *options: str) -> dict[str, Any]:
    import os
    import sys

    from tests.verify.observing import ROOT

    command = [
        sys.executable,
        "-m",
        "jaxlint",
        "check",
        "--isolated",
        "--no-cache",
        "--output-format",
        "json",
        *options,
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_sources_that_changed_since_the_check_are_told(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MISTAKES, encoding="utf-8")
    code = "source = open('model.py').read()\nopen('model.py', 'w').write('# new\\n' + source)\nimport model\n"
    (tmp_path / "program.py").write_text(code, encoding="utf-8")
    observed = observe([PYTHON, "program.py"], tmp_path, "--isolated", "model.py")
    assert observed.code == 0
    assert {(f["verdict"], f["evidence"]) for f in observed.judged} == {CHANGED}


CHANGED = ("not-reached", "module has changed since the check")


def test_a_file_that_is_younger_than_the_check_is_not_trusted(tmp_path: Path) -> None:
    script, folder = tmp_path / "program.py", tmp_path / "records"
    script.write_text("print(1)\n", encoding="utf-8")
    folder.mkdir()
    span = Span(1, 1, 1, 9)
    wanted = [WatchPoint(1, 0, primary=True, path=str(script), span=span, select="whole", watch="value", raises=False)]
    command = [PYTHON, str(script)]
    write_watch_list(wanted, str(folder), script.stat().st_mtime)
    assert instrumented_command(command, wanted, str(folder)) == [PYTHON, str(folder / "script.pyc")]
    write_watch_list(wanted, str(folder), script.stat().st_mtime - 1)
    assert instrumented_command(command, wanted, str(folder)) == command


def test_stored_verdicts_are_shown_until_the_code_changes(tmp_path: Path) -> None:
    observed = observe_code(MISTAKES, tmp_path, "--isolated", "--verdicts", "verdicts.json")
    assert observed.code == 0
    shown = {
        d["line"]: d["verdict"] for d in checked(tmp_path, "--verdicts", "verdicts.json", "program.py")["diagnostics"]
    }
    assert shown == {line: verdict for line, (_, verdict) in expected(MISTAKES).items()}
    edited = MISTAKES.replace("log = []", "log = []\nnothing = 1\n").replace("return -x", "return -x + 0")
    (tmp_path / "program.py").write_text(edited, encoding="utf-8")
    again = checked(tmp_path, "--verdicts", "verdicts.json", "program.py")["diagnostics"]
    assert {d["rule"] for d in again if d["verdict"] is None} == {"traced-branch"}


def test_a_gate_on_confirmed_findings(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(MISTAKES, encoding="utf-8")
    done = verify("--isolated", "--fail-on", "confirmed", "--", PYTHON, "program.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "9 findings confirmed, and --fail-on confirmed allows none" in done.stderr


SHOWN = """\
import sys
import jax, jax.numpy as jnp
import numpy as np

class State:
    def __init__(self, x):
        self.x = x

@jax.jit
def show(x, n):
    print("x %s" % x)  # expect: print-in-traced-code confirmed
    print("x {}".format(x), file=sys.stderr)  # expect: print-in-traced-code confirmed
    print(str(x))  # expect: print-in-traced-code confirmed
    print("x is " + repr(x) + "!")  # expect: print-in-traced-code confirmed
    jax.debug.print("norm %s" % x)  # expect: debug-print-fstring confirmed
    return x

def edit(image):
    pixels = np.asarray(image)
    pixels[0] = 0.0  # expect: in-place-array-method confirmed

show(1.0, 2)
try:
    edit(jnp.ones(4))
except ValueError:
    pass
"""


def test_the_operands_of_a_formatting_are_what_is_watched(tmp_path: Path) -> None:
    observed = observe_code(SHOWN, tmp_path, "--isolated")
    assert verdicts(observed) == expected(SHOWN)


def test_what_may_hold_a_tracer_refutes_nothing(tmp_path: Path) -> None:
    code = """
import jax, jax.numpy as jnp
import numpy as np

class State:
    def __init__(self, x):
        self.x = x

def show(x):
    print(State(x))
    text = f"{x}"
    print(text)
    print("n %s" % (len("abc"),))
    for item in ([1.0], [x]):
        print(item)

def fill(table):
    table[0] = 1

jax.jit(show)(1.0)
fill([jnp.ones(2)])
fill(np.zeros(2))
"""
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    from tests.verify.judged import judged

    rule = "print-in-traced-code"
    calls = ["print(State(x))", "print(text)", 'print("n %s" % (len("abc"),))', "print(item)"]
    found = judged(program, [*((rule, call) for call in calls), ("in-place-item-assignment", "table[0]")])
    names = [verdict.value for verdict, _ in found]
    assert names == ["not-reproduced", "not-reproduced", "refuted", "confirmed", "refuted"]
    assert found[0][1] == "the value is State, which may hold a tracer"


KEPT = """\
import functools
import jax, jax.numpy as jnp

@functools.lru_cache  # expect: cached-traced-function confirmed
def positions(n):
    return jnp.arange(n)

class Kernel:
    @functools.cached_property  # expect: cached-traced-function confirmed
    def gram(self):
        return jnp.eye(3)

    def solve(self, x):
        return self.gram @ x

def window(n):
    return jnp.hanning(n)

cached = functools.cache(window)  # expect: cached-traced-function confirmed
jax.jit(lambda x: x + positions(3) + cached(3))(jnp.ones(3))
jax.jit(Kernel().solve)(jnp.ones(3))
print(cached.cache_info().currsize, positions.cache_info().currsize, positions.__name__, Kernel.gram.attrname)

class Optimizer:
    def __init__(self):
        self.rate = 1.0
        self.update = jax.jit(self._update)

    def _update(self, w):
        return w * self.rate  # expect: mutable-global-read confirmed

    def decay(self):
        self.rate = self.rate * 0.1

optimizer = Optimizer()
optimizer.update(1.0)
optimizer.decay()

def anneal(x, schedule):
    noise = 1.0

    @jax.jit
    def step(x):
        return x + noise  # expect: mutable-global-read confirmed

    for noise in schedule:
        x = step(x)
    return x

anneal(0.0, [1.0, 0.0])
samples = (0.5 * i for i in range(4))
jax.lax.scan(lambda a, x: (a + x, a), 0.0, samples)  # expect: iterator-in-traced-code confirmed
"""


def test_caches_enclosing_variables_and_attributes_are_watched(tmp_path: Path) -> None:
    observed = observe_code(KEPT, tmp_path, "--isolated")
    assert observed.out.startswith("1 1 positions gram\n")
    assert verdicts(observed) == expected(KEPT)


def test_a_value_that_is_assigned_anew_and_equal_is_not_stale(tmp_path: Path) -> None:
    code = """
import jax

@jax.jit
def update(w):
    return w * rate

rate = 1.5
update(1.0)
rate = float("1.5")
"""
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    from tests.verify.judged import judged

    (found,) = judged(program, [("mutable-global-read", "rate")])
    assert found[0].value == "not-reproduced"


def test_a_key_from_outside_is_the_same_in_each_iteration_of_a_loop(tmp_path: Path) -> None:
    code = """
import jax

def brownian(key, n):
    def step(position, _):
        position = position + jax.random.normal(key)
        return position, position

    return jax.lax.scan(step, 0.0, None, length=n)[1]

def own(keys):
    return jax.lax.scan(lambda a, key: (a, jax.random.uniform(key)), 0.0, keys)[1]

brownian(jax.random.key(0), 4)
own(jax.random.split(jax.random.key(1), 4))
"""
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    from tests.verify.judged import judged

    calls = ["jax.random.normal(key)", "jax.random.uniform(key)"]
    found = judged(program, [("same-key-across-batch", call) for call in calls])
    assert [verdict.value for verdict, _ in found] == ["confirmed", "inconclusive"]
