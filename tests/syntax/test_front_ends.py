"""Both front ends make the same of a file, and what CPython's parser cannot take, or reads otherwise, is libcst's."""

from __future__ import annotations

import random
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest

from benchmarks.front_ends import ALONE, DIFFERENT, EQUAL, LEFT, compare, generated
from jaxlint.syntax import ir
from jaxlint.syntax.agreement import agree
from jaxlint.syntax.decode import decode
from jaxlint.syntax.deep_stack import run_deep
from jaxlint.syntax.documents import open_document
from jaxlint.syntax.source import Failure, SourceFile, clocks_of, read

sys.path.insert(0, str(Path(__file__).parent))
from notebook_files import of_code
from snippets import BLOCKS, LINES

_SEED = 22
_STANDARD = Path(sysconfig.get_paths()["stdlib"])


def _triaged(code: str) -> SourceFile:
    found = read("m.py", code.encode("utf-8", "surrogatepass"), "m", False, triage=True)
    assert isinstance(found, SourceFile), found
    return found


def _sample(count: int) -> list[Path]:
    small = sorted(path for path in _STANDARD.glob("*/*.py") if 1_000 < path.stat().st_size < 30_000)
    return random.Random(_SEED).sample(small, count)


@pytest.mark.parametrize("code", [*LINES, *BLOCKS])
def test_the_front_ends_agree_on_every_construct(code: str) -> None:
    outcome, difference = run_deep(lambda: compare(code + "\n"))
    assert outcome != DIFFERENT, difference


@pytest.mark.parametrize("path", _sample(15), ids=lambda path: path.name)
def test_they_agree_on_files_of_the_standard_library(path: Path) -> None:
    outcome, difference = run_deep(lambda: compare(decode(path.read_bytes()).text))
    if outcome == ALONE:
        pytest.skip(f"libcst refuses what Python takes: {difference}")  # `(y): int`, in the tests of annotations
    assert outcome in (EQUAL, LEFT), difference


def test_they_agree_on_modules_made_up() -> None:
    found = run_deep(lambda: [(compare(text), text) for text in generated(80, _SEED)])
    assert [(difference, text) for (outcome, difference), text in found if outcome == DIFFERENT] == []
    assert sum(outcome == EQUAL for (outcome, _), _ in found) > 40


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "a.ipynb",
            of_code("%time x = f(); y\n%matplotlib inline\nz = 1", "%%timeit\nawait g(é)", "!ls\n%time a; b = 1"),
        ),
        ("a.md", "# Ä\n\n```python\nx = f'{ü}'\n```\n\n1. é\n\n   ```python\n   if x:\n       y\n   ```\n".encode()),
    ],
)
def test_they_agree_on_documents(name: str, data: bytes) -> None:
    document = open_document(name, data)
    assert run_deep(lambda: compare(document.text, clocks_of(document.layout))) == (EQUAL, "")


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 99 + "1" + ")" * 99,  # nesting that only some versions take
        "ﬁ = 1\n",  # a name that Python normalises
        "f'{ﬁ}'\n",
        "print 'a'\n",
        "x = 0" + "9" * 4301,
        "del (a, b),\n",
    ],
)
def test_what_only_libcst_reads_is_read_by_libcst(code: str) -> None:
    found = read("m.py", code.encode(), "m", False, triage=True)
    alone = read("m.py", code.encode(), "m", False)
    if isinstance(alone, Failure):
        assert found == alone
    else:
        assert isinstance(found, SourceFile)
        assert agree(found.module, alone.module)


def test_a_name_keeps_its_spelling() -> None:
    assert [node.value.id for node in _triaged("ﬁ\n").module.body] == ["ﬁ"]  # type: ignore[union-attr]


@pytest.mark.parametrize("code", ["x = 1\0\n", "x = '\ud800'\n", "x = (\n", "match x:\n  case " + "{" * 9 + "}" * 9])
def test_what_neither_reads_is_refused_as_by_libcst(code: str) -> None:
    data = code.encode("utf-8", "surrogatepass")
    found = read("m.py", data, "m", False, triage=True)
    assert isinstance(found, Failure)
    assert found == read("m.py", data, "m", False)


def test_a_file_that_libcst_refuses_has_spans() -> None:
    code = "(y): int = 3\nz = ( y )\n"
    outcome, _ = run_deep(lambda: compare(code))
    found = _triaged(code)
    assert outcome == ALONE
    assert found.is_triaged
    statement = found.module.body[1]
    assert isinstance(statement, ir.Assign)
    assert found.segment(statement.value.at) == "y"


def test_warnings_of_the_parser_are_silent_even_as_errors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert _triaged("x = '\\d'\n").is_triaged


def test_libcst_is_not_loaded_for_what_it_need_not_read() -> None:
    program = (
        "import sys; from jaxlint.syntax.source import read;"
        "found = read('m.py', b'x = f(y)\\n', 'm', False, triage=True);"
        "print(found.span(0), [name for name in sys.modules if 'libcst' in name])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith(" []")


def test_agreement_tells_types_and_signs() -> None:
    assert agree(ir.Constant(1, 0), ir.Constant(1, 0))
    assert not agree(ir.Constant(1, 0), ir.Constant(True, 0))
    assert not agree(ir.Constant(0.0, 0), ir.Constant(-0.0, 0))
    assert not agree(ir.Return(None, 1), ir.Raise(None, None, 1))


@pytest.mark.parametrize("word", ["x" * 60_000, "é" * 60_000])
def test_a_syntax_error_behind_a_long_word_takes_no_time(word: str) -> None:
    found = read("m.py", f"{word} y\n".encode(), "m", False, triage=True)
    assert isinstance(found, Failure)
    assert (found.message, found.column) == ("invalid syntax near `y`", 60_002)
