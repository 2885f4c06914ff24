"""What IPython adds to Python is masked, character for character; IPython itself says what that is."""

from __future__ import annotations

import ast
import re
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from IPython.core.inputtransformer2 import TransformerManager

from jaxlint.syntax.documents import open_document
from jaxlint.syntax.magics import Masked, mask_cell
from jaxlint.syntax.source import Failure, read
from tests.syntax.notebook_files import of_code

PREFIX = "_0"
RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

#: A cell and what becomes of it.
CELLS = [
    ("x = 1", "x = 1"),
    ("%matplotlib inline", "pass              "),
    ("!ls -l", "pass  "),
    ("!ls", "..."),
    ("!l", "()"),
    ("?f", "()"),
    ("f?", "()"),
    ("jnp.dot??", "pass     "),
    ("x = !ls -l", "x = _0    "),
    ("a, b = %magic x", "a, b = _0      "),
    ("x = a % b", "x = a % b"),
    ("x = (a\n% b)", "x = (a\n% b)"),
    ('"""\n%time\n!x?\n"""', '"""\n%time\n!x?\n"""'),
    ("# why?\n# %time", "# why?\n# %time"),
    ("x = 'a?'  # b?", "x = 'a?'  # b?"),
    ("if a:\n    !ls 'x\n", "if a:\n    pass  \n"),
    ("!a \\\n  b\nx", "pass\n   \nx"),
    ("%time f(x)", "_0t;  f(x)"),
    ("%timeit f(x)", "_0r;    f(x)"),
    ("%timeit -n 10 -r3 -o f(x)", "_0r;" + " " * 17 + "f(x)"),
    ("%time y = f(x)  # jaxlint: ignore", "_0t;  y = f(x)  # jaxlint: ignore"),
    ("for n in s:\n    %timeit f(n)", "for n in s:\n    _0r;    f(n)"),
    ("%time for i in s: f(i)", "pass" + " " * 18),
    ("%timeit -x f(x)", "pass           "),
    ("%time", "pass "),
    ("%%time\nf(x)", "_0T   \nf(x)"),
    ("\n%%timeit -n 3\nf(x)", "\n_0R          \nf(x)"),
    ("x\n%%time\nf(x)", "x\npass  \nf(x)"),
    ("%%bash\nls 'x\n\tif", "pass  \n     \n   "),
    ("%%capture out\n!ls\nx = 1", "pass         \n...\nx = 1"),
    ("pip install -U jax", "pass              "),
    ("cd ..", "pass "),
    ("run make.py -n 3", "pass            "),
    ("load_ext autoreload\nautoreload 2", "pass               \npass        "),
    ("cat $name", "pass     "),
    ("'''\nrun it\n'''", "'''\nrun it\n'''"),
    ("run = 2\nrun -x", "run = 2\nrun -x"),
    ("ls = 3\nls - 1", "ls = 3\nls - 1"),
    ("time = 1\ntime if x else y", "time = 1\ntime if x else y"),
    ("timeit -n 5 f(x)", "_0r;        f(x)"),
    ("%time f(a,\n  b)", "_0t;  f(a,\n  b)"),
    ("z = !", "z = 0"),
    ("%time f(a, \\\n  b)", "_0t;  f(a, \\\n  b)"),
    ("x = 1 # \ud800", "x = 1 # \ufffd"),
    ("  x = 1\n\n  if x:\n    y", "\f\fx = 1\n\n\f\fif x:\n\f\f  y"),
    (" \n\tx = 1\r\n\t%time f(x)", " \n\fx = 1\r\n\f_0t;  f(x)"),
    ("  x = (1,\n2)\n  !ls 'a", "\f\fx = (1,\n2)\n\f\fpass  "),
    ("  %%time\n  x = 1", "\f\f_0T   \n\f\fx = 1"),
    ("%%time\n\n   x = 1\n   y", "_0T   \n\n\f\f\fx = 1\n\f\f\fy"),
    (" %%time\n   x = 1\n   y", "\f_0T   \n\f\f\fx = 1\n\f\f\fy"),
    ("  %%bash\n  ls 'x", "\f\fpass  \n\f\f     "),
    ("   # x\ny", "\f\f\f# x\ny"),
    ("#@title a\n\n%%bash\nls 'x", "#@title a\n\npass  \n     "),
    ("# a\n%%time\nx = 1", "# a\n_0T   \nx = 1"),
    ("x = 1  # a\n%%time", "x = 1  # a\npass  "),
]


@pytest.mark.parametrize(("cell", "expected"), CELLS)
def test_cells(cell: str, expected: str) -> None:
    assert mask_cell(cell, PREFIX).text == expected


LINES = st.sampled_from(
    [
        "x = 1", "y = (1,", "2)", "if x:", "    y", "    !ls", "    %time f(x)", "%time f(x)", "%timeit -n 1 f(x)",
        "!ls 'a", "%%time", "%%bash", "%%capture", "f?", "?f", "a = !ls", "a, b = %x y", "# a?", "'''", '"""',
        "\\", "", "!a \\", "x % y", "% y", "print(f'{x!r}?')", "\t", "%", "!", "?", "%%", "x = y \\", "@f",
        "x = '%'", "def g():", "z = !", "/f x",
    ]
)  # fmt: skip


@RELAXED
@given(st.lists(LINES | st.text("ab%!?'\"#\\( )=\n\r\t;é", max_size=12), max_size=7), st.sampled_from(["\n", "\r\n"]))
def test_nothing_moves(lines: list[str], newline: str) -> None:
    cell = newline.join(lines)
    masked = mask_cell(cell, PREFIX)
    assert len(masked.text) == len(cell)
    assert re.findall(r"\r\n|\r|\n", masked.text) == re.findall(r"\r\n|\r|\n", cell)
    at = 0
    for mask in masked.masks:
        assert at <= mask.start <= mask.end <= len(cell)
        assert as_blanks(masked.text[at : mask.start]) == as_blanks(cell[at : mask.start]), "changed outside of a mask"
        at = mask.end
    assert as_blanks(masked.text[at:]) == as_blanks(cell[at:])


def as_blanks(text: str) -> str:
    """A text whose margin, if it has one, is blank."""
    return text.replace("\f", " ").replace("\t", " ")


@settings(RELAXED, max_examples=400)
@given(st.lists(LINES, max_size=6))
def test_what_ipython_runs_can_be_parsed(lines: list[str]) -> None:
    """Python that IPython makes of a cell, where it can be parsed, is Python as we mask the cell."""
    cell = "\n".join(lines)
    if compiles(transformed(cell)) and not _is_odd(cell):
        assert compiles(mask_cell(cell, PREFIX).text)


@RELAXED
@given(st.lists(LINES, max_size=6))
def test_python_stays_as_it_is(lines: list[str]) -> None:
    cell = "\n".join(lines)
    if compiles(cell):
        assert mask_cell(cell, PREFIX) == Masked(cell)


def transformed(cell: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return TransformerManager().transform_cell(cell)
        except SyntaxError:
            return "("


def compiles(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError:
            return False
    return True


def _is_odd(cell: str) -> bool:
    """Where all is fine to IPython, as in a cell for a magic, or its tokenizer gives up."""
    return cell.lstrip().startswith("%%") or "'''" in cell or '"""' in cell or "\\" in cell


def test_names_for_clocks_stand_nowhere_else() -> None:
    document = open_document("n.ipynb", of_code("_0 = 1\n_1x = 2", "%time f(_2, _3)"))
    assert document.layout is not None
    names = document.layout.clocks
    assert names
    assert not any(name in document.written for name in names)
    assert any(name in document.text for name in names)


def test_a_timed_cell_ends_before_the_next() -> None:
    document = open_document("n.ipynb", of_code("%%time\nf(x)", "y"))
    assert document.text == "_0T   \nf(x)\n_0s\ny\n"
    assert document.written == "%%time\nf(x)\n_0s\ny\n"


@RELAXED
@given(st.lists(st.lists(LINES, max_size=4).map("\n".join), max_size=4))
def test_any_cells_are_read_or_told(cells: list[str]) -> None:
    found = read("n.ipynb", of_code(*cells), "n", False)
    if isinstance(found, Failure):
        assert found.code == "syntax-error"
        assert found.line <= open_document("n.ipynb", of_code(*cells)).text.count("\n") + 1
