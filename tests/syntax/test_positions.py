"""Spans are those of libcst's own provider, whatever the file."""

from __future__ import annotations

import pickle
import random
import sys
import sysconfig
from pathlib import Path

import pytest

from jaxlint.diagnostics import Span
from jaxlint.syntax import ir
from jaxlint.syntax.decode import decode
from jaxlint.syntax.deep_stack import run_deep
from jaxlint.syntax.extents import extents, provided_offsets
from jaxlint.syntax.lower import lower
from jaxlint.syntax.parse import parse
from jaxlint.syntax.source import SourceFile, read

sys.path.insert(0, str(Path(__file__).parent))
from walk import nodes, placed

_SITE = Path(sysconfig.get_paths()["purelib"])
_SEED = 20


def _sample(count: int) -> list[Path]:
    files = [path for package in ("jax", "flax", "libcst", "click") for path in (_SITE / package).rglob("*.py")]
    small = sorted(path for path in files if 1_000 < path.stat().st_size < 30_000)
    return random.Random(_SEED).sample(small, count)


@pytest.mark.parametrize("path", _sample(25), ids=lambda path: str(path.relative_to(_SITE)))
def test_recorder_agrees_with_the_public_provider(path: Path) -> None:
    text, _ = decode(path.read_bytes())
    lowered = lower(parse(text), "m", is_package=False)
    assert extents(text, lowered) == extents(text, lowered, locate=provided_offsets)


@pytest.mark.parametrize("path", _sample(10), ids=lambda path: str(path.relative_to(_SITE)))
def test_every_ordinal_once_names_read_back_and_pickling_keeps_all(path: Path) -> None:
    source = read(str(path), path.read_bytes(), "m", False, want_positions=True)
    assert isinstance(source, SourceFile)
    found = placed(source.module)
    assert sorted(node.at for node in found) == list(range(source.module.node_count))  # type: ignore[attr-defined]
    assert all(source.segment(node.at) == node.id for node in found if isinstance(node, ir.Name))
    starts = list(source.positions.starts)  # type: ignore[union-attr]
    assert starts == sorted(starts)
    again = pickle.loads(pickle.dumps(source, 5))
    assert again == source
    lazy = read(str(path), path.read_bytes(), "m", False, want_positions=False)
    assert isinstance(lazy, SourceFile)
    assert lazy.positions is None
    assert lazy.span(0) == source.span(0)
    assert lazy.positions == source.positions


@pytest.mark.parametrize(
    ("code", "kind", "segment"),
    [
        ("if (a):\n    b\nelse:\n    c\n", ir.If, "if (a)"),
        ("while a :\n  b\n", ir.While, "while a"),
        ("async def f():\n  async for x in (y) : z\n", ir.For, "async for x in (y)"),
        ("with (a as b, c) : d\n", ir.With, "with (a as b, c)"),
        ("with a as b: d\n", ir.With, "with a as b"),
        ("try :\n  a\nexcept :\n  b\n", ir.Try, "try"),
        ("try :\n  a\nexcept :\n  b\n", ir.Handler, "except"),
        ("try:\n  a\nexcept* (A) as e: b\n", ir.Handler, "except* (A) as e"),
        ("match (a):\n  case [b] if (c): d\n", ir.Match, "match (a)"),
        ("match (a):\n  case [b] if (c): d\n", ir.MatchCase, "case [b] if (c)"),
        ("@d\ndef f(a: int = 1): b\n", ir.FunctionDefinition, "f"),
        ("@d\ndef f(a: int = 1): b\n", ir.Parameter, "a"),
        ("class C(D): b\n", ir.ClassDefinition, "C"),
        ("x = (lambda a: a)\n", ir.Lambda, "lambda a: a"),
        ("x = ( a + b )\n", ir.BinaryOperation, "a + b"),
        ("from a import (b, c,)  # d\n", ir.Import, "from a import (b, c,)"),
        ("from a import b, c ; d\n", ir.Import, "from a import b, c"),
        ("f(* a)\n", ir.Starred, "* a"),
        ("x[a : b]\n", ir.Slice, "a : b"),
        ("f'{ a !r}'\n", ir.FormattedValue, "{ a !r}"),
    ],
)
def test_special_spans(code: str, kind: type, segment: str) -> None:
    source = read("m.py", code.encode(), "m", False)
    assert isinstance(source, SourceFile)
    node = next(x for x in nodes(source.module) if isinstance(x, kind))
    assert source.segment(node.at) == segment  # type: ignore[attr-defined]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_columns_are_code_points_whatever_the_line_ends(newline: str) -> None:
    data = b"\xef\xbb\xbf" + newline.join(["é = 1", "\tü = '😀'; y"]).replace("\t", "").encode()
    source = read("m.py", data, "m", False)
    assert isinstance(source, SourceFile)
    last = next(x for x in nodes(source.module.body[-1]) if isinstance(x, ir.Name))
    assert source.span(last.at) == Span(2, 10, 2, 11)
    assert source.encoding == "utf-8-sig"


def test_the_provider_stands_in_when_libcst_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxlint.syntax import recorder

    code = "if (a): b\n"
    lowered = lower(parse(code), "m", is_package=False)
    expected = extents(code, lowered)

    def broken(*_: object) -> None:
        raise AttributeError

    monkeypatch.setattr(recorder, "record", broken)
    assert run_deep(lambda: extents(code, lowered)) == expected


@pytest.mark.parametrize(
    "code",
    [
        'f"{a}{{{b!r}}} {c.d[0]:>{width}.{n}f}"\n',
        "f'{x = }{ y=!r:#x}{f\"{z}\"}'\n",
        "(f'{a}'  # here\n 'plain' f\"{(b)}\" rf'\\{c}')\n",
        'f"""\n{\n a +\n b}\n{c:\n}"""\n',
        "f'{f(x, *y, k=[i for i in z])}{a, b}{lambda_ if u else {1: 2}[1]}'\n",
        "f'{(lambda q: q)(1)}{x!s}{y:=^10}' + f''\n",
    ],
)
def test_fields_of_strings_are_found_without_the_package_of_libcst(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxlint.syntax import token_walk
    from jaxlint.syntax.token_extents import counted_positions

    lowered = lower(parse(code), "m", is_package=False)
    expected = extents(code, lowered, locate=provided_offsets)
    monkeypatch.setattr(token_walk, "_generated", None)
    found = run_deep(lambda: counted_positions(code, lowered))
    assert [found.offsets(at) for at in found.ordinals] == [expected[at] for at in range(len(lowered.nodes))]
