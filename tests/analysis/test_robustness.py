"""Whatever code the analysis is given, it ends without a failure: fixtures with lines and words moved about."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jaxlint.analysis import analyse
from jaxlint.analysis.domain.findings import AnalysisOptions, Project
from jaxlint.rules.rule import registry
from jaxlint.syntax.source import Failure, read
from tests.rulebook_blocks import FIXTURES

FILES = sorted(FIXTURES.rglob("*.py"))
_WORD = re.compile(r"[A-Za-z_][\w.]*|\d+")


@cache
def lines_of(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").splitlines())


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A fixture in which some lines are dropped, repeated or swapped, or words taken from elsewhere in it."""
    lines = list(lines_of(draw(st.sampled_from(FILES))))
    for _ in range(draw(st.integers(1, 4))):
        here, there = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["drop", "repeat", "swap", "word", "word"])):
            case "drop":
                del lines[here]
            case "repeat":
                lines.insert(there, lines[here])
            case "swap":
                lines[here], lines[there] = lines[there], lines[here]
            case _:
                lines[here] = with_a_word_of(draw, lines[here], lines[there])
    return "\n".join(lines) + "\n"


def with_a_word_of(draw: st.DrawFn, line: str, other: str) -> str:
    mine, theirs = _WORD.findall(line), _WORD.findall(other)
    if not mine or not theirs:
        return line
    return line.replace(draw(st.sampled_from(mine)), draw(st.sampled_from(theirs)), 1)


def failures(text: str) -> list[tuple[str, str]] | None:
    """The files on which the interpreter failed; None for what is no Python."""
    source = read("mutated.py", text.encode(), "mutated", False)
    if isinstance(source, Failure):
        assert source.code == "syntax-error", source
        return None
    project = Project({source.path: source}, lambda _: None)
    return analyse(project, list(registry().values()), AnalysisOptions()).failures


@settings(max_examples=60)
@given(mutated())
def test_mutated_fixtures_do_not_fail(text: str) -> None:
    found = failures(text)
    assume(found is not None)
    assert found == []


ODD = [
    "def f(): return f\nf()()()\n",
    "x = x\n",
    "import operator as o\no.sub(1)\no.isub(1)\no.lt(1, 2, 3)\no.neg()\no.getitem([1])\n",
    "import operator as o\no.setitem([1], 0)\no.delitem([1])\no.concat()\n",
    "class A(A): pass\nA()\n",
    "class A:\n    def __getattr__(self, name): return self\nA().b.c()[0] + 1\n",
    "import jax\njax.jit(jax.jit)(jax.jit)\n",
    "import jax\n@jax.jit\ndef f(f): return f(f)\nf(f)\n",
    "import jax\njax.lax.scan(*[])\njax.lax.cond()\njax.vmap()\njax.random.split()\n",
    "import jax.numpy as jnp\njnp.zeros(-1)\njnp.zeros((1,) * 100)[0, 0, 0].at[()].set()\n",
    "from jax import random\nk = random.key(random.key(0))\nfor k in random.split(k, k): random.normal(k, k)\n",
    "a = []\na.append(a)\nfor b in a: b.extend(a)\n",
    "d = {}\nd[d] = d\nd |= d\n",
    "del x\nfor x in x: del x\n",
    "def f(*a, **k): return f(*a, *a, **k, **k)\nf(1, *f(), b=2, **f())\n",
    "def f(a, a1=(yield), *, b=lambda: f): yield from f\n[f async for f in f]\n",
    "match x:\n    case {**x}: pass\n    case [*_, a] | [a]: a\n    case A(b=c): c\n",
    "try: pass\nexcept* (A, B) as e: e\nelse: x\nfinally: return_ = e\n",
    "with a as (b, *c), d() as e[0]: b, c = c, b\n",
    "global x\nx: int = (x := 3)\n(lambda: (yield))()\n",
    "import a.b.c as d, e\nfrom . import *\nfrom .. import f\nfrom g import *\nd.e.f = e.d = f\n",
    "import jax\nclass M:\n    @jax.jit\n    @property\n    @classmethod\n    def f(self, x): return self.f\nM().f\n",
    "import functools, jax\nf = functools.partial(functools.partial, jax.jit)\nf(f)(f)(1)\n",
    "x = 1 if 1 < 2 < 3 else 1 / 0\ny = 10 ** 10 ** 10\nz = 'a' * 10 ** 12\nw = 1 << 10 ** 9\n",
    "x = 1 / 0\ny = 1 % 0\nz = 0 ** -1\nw = [][0]\nv = {}['a']\nu = ()[5]\nt = 'a'[9]\n",
    "r = (1, 2)[()]\ns = [1][()]\nfor i in r: s[()] = s[()]; del s[()]\n"
    "def f(x: list[()], y: set[()] | tuple[()]): return x[()]\nf(s, zip()[()])\n",
    "from dataclasses import dataclass\n@dataclass\nclass A:\n    a: 'A'\n    b: int = a\nA(1, 2, 3)\nA(a=A).a.a.b\n",
    "def f(x: int | None | (1, 2) | f()[3]): return x\nf(None)\n",
    "\N{GREEK SMALL LETTER PI} = 'caf\N{LATIN SMALL LETTER E WITH ACUTE}'\nf'{\N{GREEK SMALL LETTER PI}!r:>{10}}'\n",
]


@pytest.mark.parametrize("text", ODD)
def test_odd_code_does_not_fail(text: str) -> None:
    assert failures(text) in ([], None)


def test_odd_code_is_mostly_python() -> None:
    """So that the test above tests something."""
    assert sum(failures(text) is not None for text in ODD) >= len(ODD) - 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 80 + "1" + ")" * 80 + "\n",
        "x = a" + ".b" * 90 + "\n",
        "x = f" + "()" * 90 + "\n",
        "x = " + " + ".join(["y"] * 400) + "\n",
        "".join(f"def f{i}(x): return f{i + 1}(x) + f{i + 1}(x)\n" for i in range(40))
        + "def f40(x): return x\nf0(1)\n",
        "".join("    " * i + f"if a{i}:\n" for i in range(40)) + "    " * 40 + "pass\n",
        "".join("    " * i + f"for i{i} in r:\n" for i in range(15)) + "    " * 15 + "pass\n",
        "x = 0\n" + "x = x + 1\n" * 3000,
    ],
)
def test_large_code_ends(text: str) -> None:
    assert failures(text) == []


def test_a_module_that_holds_a_librarys_name_under_the_same_name(tmp_path: Path) -> None:
    """JAX's own sources are such a project: `jax.lax.add` of its module is the `jax.lax.add` of the tables."""
    texts = {
        "jax/__init__.py": "",
        "jax/lax.py": "from jax._src.lax.lax import add as add\n",
        "use.py": "from jax import lax\nfor i in range(2):\n    print(lax.add.__name__)\n",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--no-cache", str(tmp_path)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout


def test_a_large_object_is_set_up_twice() -> None:
    attributes = "\n".join(f"        self.a{n} = {n}" for n in range(20))
    text = f"""\
class Base:
    def set_up(self):
        return None

    def __init__(self):
        self.set_up()

class Large(Base):
    def __init__(self):
{attributes}
        Base.__init__(self)
        Base.__init__(self)

Large()
"""
    assert failures(text) == []
