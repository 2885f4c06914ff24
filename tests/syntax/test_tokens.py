"""Counting tokens finds the very spans that code generation finds, on any syntax, and says so when it cannot."""

from __future__ import annotations

import io
import random
import sys
import sysconfig
import tokenize
from pathlib import Path

import pytest

from jaxlint.syntax import positions, token_extents
from jaxlint.syntax.decode import decode
from jaxlint.syntax.deep_stack import run_deep
from jaxlint.syntax.extents import extents
from jaxlint.syntax.lower import Lowered, lower
from jaxlint.syntax.parse import parse
from jaxlint.syntax.positions import PositionTable, compute_positions
from jaxlint.syntax.token_extents import counted_positions, token_positions
from jaxlint.syntax.token_walk import Mismatch
from jaxlint.syntax.tokens import scan_tokens

sys.path.insert(0, str(Path(__file__).parent))
from snippets import BLOCKS, LINES

_SITE = Path(sysconfig.get_paths()["purelib"])
_SEED = 21


def _sample(count: int) -> list[Path]:
    packages = ("jax", "flax", "numpy", "libcst", "hypothesis", "mypy", "pip")
    files = [path for package in packages for path in (_SITE / package).rglob("*.py")]
    small = sorted(path for path in files if 1_000 < path.stat().st_size < 30_000)
    return random.Random(_SEED).sample(small, min(count, len(small)))


def _lowered(code: str) -> Lowered:
    return lower(parse(code), "m", is_package=False)


def _spans(table: PositionTable) -> list[tuple[int, int]]:
    return list(zip(table.starts, table.ends, strict=True))


def _segments(code: str, spans: list[tuple[int, int]]) -> list[str]:
    return [code[start:end] for start, end in spans]


def _assert_agrees(code: str) -> None:
    lowered = _lowered(code)
    found, expected = _spans(counted_positions(code, lowered)), extents(code, lowered)
    assert _segments(code, found) == _segments(code, expected)
    assert found == expected


@pytest.mark.parametrize("path", _sample(30), ids=lambda path: str(path.relative_to(_SITE)))
def test_counting_agrees_with_the_recorder_on_real_files(path: Path) -> None:
    _assert_agrees(decode(path.read_bytes()).text)


def _indented(code: str) -> str:
    return "def g():\n\tif a:\n" + "".join(f"\t\t{line}\n" for line in code.split("\n"))


@pytest.mark.parametrize("code", LINES + BLOCKS)
def test_counting_agrees_with_the_recorder_on_any_syntax(code: str) -> None:
    _assert_agrees(code)
    _assert_agrees(f"é = '日本'\n{code}\n# é\n".replace("\n", "\r\n"))
    if "import *" not in code:
        run_deep(lambda: _assert_agrees(_indented(code)))


@pytest.mark.parametrize("path", _sample(12), ids=lambda path: str(path.relative_to(_SITE)))
def test_tokens_are_those_of_the_standard_library(path: Path) -> None:
    text = decode(path.read_bytes()).text
    kinds = {tokenize.OP, tokenize.NAME, tokenize.NUMBER, tokenize.STRING}
    if sys.version_info >= (3, 12):
        kinds |= {tokenize.FSTRING_START, tokenize.FSTRING_MIDDLE, tokenize.FSTRING_END}
        if 'f"' in text or "f'" in text:
            pytest.skip("the standard library splits formatted strings")
    expected = [token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in kinds]
    found = _segments(text, list(zip(*scan_tokens(text), strict=True)))
    assert found == [piece for token in expected for piece in (token if token == "..." else [token])]


@pytest.mark.parametrize(
    ("code", "tokens"),
    [
        ("a=.5+1.e5-1..real", "a = .5 + 1.e5 - 1. . real"),
        ('if"a"in"b":rb"c"', 'if "a" in "b" : rb "c"'.replace("rb ", "rb")),
        ("0x1Ff+1_0j if 1else 2", "0x1Ff + 1_0j if 1 else 2"),
        ("f(*a,**b)->c:=d", "f ( * a , ** b ) -> c := d"),
        ("x[...,a:=1]", "x [ . . . , a := 1 ]"),
        ("a#'\n'b'#\"", "a 'b'"),
        ("a\\\n  .b", "a . b"),
        ("'''a'b''''c'\"\"", "'''a'b''' 'c' \"\""),
        ("'a\\'b'", "'a\\'b'"),
        ("कि=℘.é", "कि = ℘ . é"),
        ("", ""),
        ("# a", ""),
    ],
)
def test_tokens(code: str, tokens: str) -> None:
    assert _segments(code, list(zip(*scan_tokens(code), strict=True))) == tokens.split()


@pytest.mark.parametrize("text", ["a + c", "a + b; c", "a +", "", "(a) + b", "ab + b"])
def test_another_text_than_the_tree_s_is_noticed(text: str) -> None:
    assert token_positions("a + b", _lowered("a + b")) is not None
    assert token_positions(text, _lowered("a + b")) is None


def test_the_recorder_stands_in_where_counting_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "if (a): b\n"
    lowered = _lowered(code)
    expected = compute_positions(code, lowered)

    def astray(*_: object) -> int:
        raise Mismatch

    monkeypatch.setattr(token_extents, "body", astray)
    assert token_positions(code, lowered) is None
    assert positions.compute_positions(code, lowered) == expected


def test_quotes_inside_their_own_strings_are_split_anew_a_few_times_only() -> None:
    code = 'f"{x["#"]}" + a\n'
    _assert_agrees(code * 10)
    assert token_positions(code * 30, _lowered(code * 30)) is None
    assert _spans(compute_positions(code * 30, _lowered(code * 30))) == extents(code * 30, _lowered(code * 30))
