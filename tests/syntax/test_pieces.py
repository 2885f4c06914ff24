"""A text that is parsed in pieces has the nodes and spans of one that is parsed at once, and takes less memory."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import jaxlint
from jaxlint.syntax import lower as by_libcst
from jaxlint.syntax.cpython import lower as by_cpython
from jaxlint.syntax.cpython.context import Unsupported
from jaxlint.syntax.cpython.spans import positions
from jaxlint.syntax.deep_stack import run_deep
from jaxlint.syntax.parse import Unparsable
from jaxlint.syntax.pieces import pieces
from jaxlint.syntax.source import read

_PACKAGE = Path(jaxlint.__file__).parent

#: What goes on behind a place that looks like the start of a definition.
_CONTINUED = {
    "a string": 'x = """\n\ndef not_code():\n    pass\n\nclass neither: ...\n"""\n',
    "a bracket": "x = (y\n\n@ z)\n",
    "a bracket with a string": 'x = [\n\n"""\n\ndef g(): pass\n"""]\n',
    "a backslash": "x = y \\\n\n@z\ndef f(): pass\n",
    "a decorator": "@a\n\n@b\n\nclass C:\n    pass\n",
    "a comment": "# x = (\n\ndef f(): pass\n",
    "a block": "if x:\n    y = 1\n\n\n    z = 2\n\ndef f():\n    return 1\n",
    "a formatted string": 'x = f"""é{y!r:>{w}}\n\n@deco {\nz}\n"""\n',
    "lines that end otherwise": "def f(): pass\r\n\r\ndef g():\r\n    é = f'ü{x + 1}'\r\n\n\r\n@h\r\nclass C: pass\r\n",
    "a page break": "x = 1\n\f\n\ndef f(ü): return ü\n",
}


def _by_cpython(text: str) -> object:
    try:
        return by_cpython.lower(text, "m", is_package=False), positions(text, "m", is_package=False)
    except Unsupported as refused:
        return str(refused)


def _by_libcst(text: str) -> object:
    try:
        return by_libcst.lower_text(text, "m", is_package=False)
    except Unparsable as refused:
        return str(refused)


def _at_once(text: str) -> object:
    return run_deep(lambda: (_by_cpython(text), _by_libcst(text)))


def _in_pieces(text: str, monkeypatch: pytest.MonkeyPatch, least: int = 1) -> object:
    with monkeypatch.context() as patch:
        patch.setattr(by_cpython, "LEAST_PIECE", least)
        patch.setattr(by_libcst, "LEAST_PIECE", least)
        return _at_once(text)


@pytest.mark.parametrize("what", _CONTINUED)
def test_what_goes_on_is_not_cut(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = "def before(x, /, *, y=1):\n    return x\n", "async def after(z): await z\n\nlast = 'ü' + 1\n"
    text = f"{before}\n{_CONTINUED[what]}\n{after}"
    assert _in_pieces(text, monkeypatch) == _at_once(text)


def test_texts_that_are_no_python_are_refused_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for broken in (
        "x = (\n\ndef f(): pass\n",
        '"""\n\ndef f(): pass\n',
        "@a\n\nx = 1\n",
        "x = 1 \\\n\ndef f(): pass )\n",
    ):
        text = f"def f(): pass\n\n{broken}\n\ndef g(): pass\n"
        assert _in_pieces(text, monkeypatch) == _at_once(text)


def test_modules_read_in_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted(_PACKAGE.glob("analysis/python/*.py"))
    for path in paths:
        text = path.read_text()
        assert _in_pieces(text, monkeypatch) == _at_once(text), path
    whole = "\n\n".join(path.read_text().replace("from __future__ import annotations", "") for path in paths[:12])
    assert _in_pieces(whole, monkeypatch, 5_000) == _at_once(whole)


def test_a_text_is_cut_into_pieces() -> None:
    text = "".join(f"x_{number} = {number}\n\ndef f_{number}(): pass\n\n" for number in range(40))
    found = list(pieces(text, 20, ast.parse, SyntaxError))
    assert len(found) > 20
    assert [ast.dump(node) for tree, _, _ in found for node in tree.body] == [
        ast.dump(node) for node in ast.parse(text).body
    ]
    assert "".join(text[start:end] for _, start, end in found) == text


def test_a_mistake_is_told_where_it_stands_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(): pass\n\n" * 50 + "def g():\n    x = = 1\n\n" + "def f(): pass\n\n" * 50
    expected = read("m.py", text.encode(), "m", False)
    monkeypatch.setattr(by_libcst, "LEAST_PIECE", 1)
    assert read("m.py", text.encode(), "m", False) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
def test_a_long_file_takes_little_memory(tmp_path: Path) -> None:
    """The tree of all of it would take more than 200 MB."""
    function = "\n\ndef f_{}(x, y):\n    z = [x + y * 2, (x, y), x[y + 1]]\n    return z, x.a(y), {{x: y, y: z}}\n"
    (tmp_path / "long.py").write_text("".join(function.format(number) for number in range(8_000)))
    code = """
        import resource
        import sys
        from jaxlint.syntax.source import read
        data = open(sys.argv[1], "rb").read()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert read("long.py", data, "long", False, want_positions=False, triage=True).is_triaged
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "long.py")]
    grown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(grown.stdout) < 120
