# ruff: noqa: E501 - tables of code
"""No bytes crash, hang or blow up the front end: what it cannot take is one Failure."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.syntax.limits import MAX_BRACKET_DEPTH, MAX_CHAIN
from jaxlint.syntax.source import Failure, SourceFile, read

CODES = {"syntax-error", "unreadable-file", "analysis-limited", "analysis-failed"}

DEEP = {
    "parentheses": "'(' * n + '1' + ')' * n",
    "unclosed": "'(' * n",
    "lists": "'[' * n + ']' * n",
    "calls": "'f(' * n + ')' * n",
    "f-string": "'f\"{' + '(' * n + '1' + ')' * n + '}\"'",
    "f-strings": "'f\"{' * n + '1' + '}\"' * n",
    "sum": "'+'.join(['a'] * n)",
    "sum in brackets": "'(' + '\\n+'.join(['a'] * n) + ')'",
    "power": "'**'.join(['a'] * n)",
    "attributes": "'a' + '.b' * n",
    "method calls": "'a' + '.b()' * n",
    "calls of calls": "'a' + '()' * n",
    "subscripts": "'a' + '[0]' * n",
    "not": "'not ' * n + 'a'",
    "minus": "'-' * n + 'a'",
    "lambda": "'lambda: ' * n + 'a'",
    "conditional": "'a if b else ' * n + 'a'",
    "elif": "'if a: pass\\n' + 'elif a: pass\\n' * n",
    "blocks": "''.join(' ' * i + 'if a:\\n' for i in range(n)) + ' ' * n + 'pass'",
    "import": "'import a' + '.b' * n",
    "patterns": "'match x:\\n case ' + '[' * n + ']' * n + ': pass'",
    "mapping patterns": "'match x:\\n case ' + '{1:' * 12 + 'a' + '}' * 12 + ': pass'",
}

_PROGRAM = """
import sys
from jaxlint.syntax.source import Failure, read
n = int(sys.argv[2])
found = read("m.py", (eval(sys.argv[1]) + "\\n").encode(), "m", False, want_positions=True)
print(found.code if isinstance(found, Failure) else "read")
"""


@pytest.mark.parametrize("expression", DEEP.values(), ids=DEEP.keys())
@pytest.mark.parametrize("size", [3000, 20_000])
def test_monsters_cost_one_file_and_little_time(expression: str, size: int) -> None:
    if "range" in expression and size > 5000:
        pytest.skip("quadratic in size by itself")
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, expression, str(size)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.strip() in {"analysis-limited", "syntax-error"}
    assert time.monotonic() - start < 40


@pytest.mark.parametrize(
    "code",
    [
        "(" * MAX_BRACKET_DEPTH + "1" + ")" * MAX_BRACKET_DEPTH,
        "+".join(["a"] * MAX_CHAIN),
        "x = [" + "-1, " * 5000 + "]",
        "f(" + "a=b.c, " * 100 + ")",
        "x = (" + '"a"\n' * 900 + ")",
        "x = " + " and ".join(["a"] * 400),
        "if a: pass\n" + "elif a: pass\n" * 400,
        "x = '" + "(" * 1000 + "'",
        "# " + "(" * 1000,
        "x = " + "9" * 4000,
        "a\n" * 3000,
        "x = '" + "a" * 200_000 + "'",
    ],
    ids=range(12),
)
def test_what_is_merely_big_is_read(code: str) -> None:
    assert isinstance(read("m.py", (code + "\n").encode(), "m", False, want_positions=True), SourceFile)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"x = (\n", ("syntax-error", 1, 5)),
        (b"a = 1\nb = = 2\n", ("syntax-error", 2, 5)),
        (b"a = 1\ndef f(:\n    pass\n", ("syntax-error", 2, 7)),
        (b"ok\nx = 'abc\nok\n", ("syntax-error", 2, 5)),
        (b"'''ok'''\nx = '''abc\n", ("syntax-error", 2, 5)),
        (b"ok\nx = $\n", ("syntax-error", 2, 5)),
        (b"ok\nx\0\n", ("syntax-error", 2, 2)),
        (b"if x:\n\ty\n        z\n", ("syntax-error", 3, 9)),
        (b"  x\n", ("syntax-error", 1, 3)),
        (b"ok\nx = '\xff'\n", ("unreadable-file", 2, 6)),
        (b"# coding: nonsense\n", ("unreadable-file", 1, 1)),
        (b"\n# coding: rot13\n", ("unreadable-file", 2, 1)),
        (b"\xef\xbb\xbf# coding: latin-1\n", ("unreadable-file", 1, 1)),
        (b"# coding: ascii\nx = '\xe9'\n", ("unreadable-file", 2, 6)),
    ],
)
def test_failures_tell_where(data: bytes, expected: tuple[str, int, int]) -> None:
    found = read("m.py", data, "m", False)
    assert isinstance(found, Failure)
    assert (found.code, found.line, found.column) == expected
    assert "\n" not in found.message
    assert len(found.message) < 120


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'", "# -*- coding: latin-1 -*-\nx = 'é'"),
        (
            b"#!/bin/sh\n# vim: set fileencoding=cp1252 :\n'\x80'\n",
            "#!/bin/sh\n# vim: set fileencoding=cp1252 :\n'€'\n",
        ),
        (b"x = 1\n# coding: ascii\n'\xc3\xa9'\n", "x = 1\n# coding: ascii\n'é'\n"),
        (b"x\r\ny\rz\n", "x\r\ny\rz\n"),
        (b"\x0cx = 1\n\x0c\n", "\x0cx = 1\n\x0c\n"),
        (b"\xef\xbb\xbfx", "x"),
    ],
)
def test_text_is_kept_as_it_is(data: bytes, text: str) -> None:
    found = read("m.py", data, "m", False, want_positions=True)
    assert isinstance(found, SourceFile)
    assert found.text == text


_FRAGMENTS = st.sampled_from(
    ["x", " ", "\n", "    ", "(", ")", "[", "]", "{", "}", "'", '"', '"""', "f'", "{", "=", "==", ":", ",", ".", "\\", "#",
     "# jaxlint: ignore", "# noqa", "def f(a):", "if x:", "elif", "else:", "class A:", "lambda", "not ", "1", "0x", "b'",
     "\r", "\r\n", "\t", "\x0c", "\0", "é", "import a", "from . import b", "*", "**", "yield", "await ", "async ", "match x:",
     "case _:", "@", ":=", "->", "return", "t'", "\ufeff", "del ", "global x", ";", "try:", "except* E:", "type X = "],
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=60).map(str.encode), st.binary(max_size=60), st.lists(_FRAGMENTS, max_size=25).map(
    lambda parts: "".join(parts).encode()
)))  # fmt: skip
def test_any_bytes_give_a_source_file_or_a_failure(data: bytes) -> None:
    found = read("m.py", data, "m", False, want_positions=True)
    if isinstance(found, Failure):
        assert found.code in CODES
        assert found.line >= 1
        assert found.column >= 1
        return
    for at in range(found.module.node_count):
        start, end = found.offsets(at)
        assert 0 <= start <= end <= len(found.text)
