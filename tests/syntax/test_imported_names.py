"""What a module imports is the same whether its statements are skimmed or it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.syntax.imported_names import imported_names
from jaxlint.syntax.source import SourceFile, read

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = [*sorted((ROOT / "jaxlint" / "syntax").rglob("*.py")), *sorted((ROOT / "examples").rglob("*.py"))]
WRITTEN = """
import a.b, c as d, e.f as g; from . import h
from .. import i, j as k
from ..l.m import *
from .......n import o
try:
    import p
except* ValueError:
    import q
else:
    import r
finally:
    import s
match t:
    case 1:
        from u import (v,
            w as x)
class A:
    async def y(self):
        async with z:
            while True: import aa
        for _ in ab:
            if _: pass
            elif __: import ac
            else: import ad
"""


def imports(text: str, *, is_package: bool) -> tuple[str, ...]:
    source = read("/place.py", text.encode(), "one.two.three", is_package)
    assert isinstance(source, SourceFile)
    return source.module.imports


@pytest.mark.parametrize("is_package", [False, True])
@pytest.mark.parametrize("text", [WRITTEN, *(path.read_text(encoding="utf-8") for path in FILES)])
def test_skimmed_as_read(text: str, is_package: bool) -> None:
    if "except*" in text and imported_names(text, "", is_package=False) is None:
        text = text.replace("except*", "except")
    assert imported_names(text, "one.two.three", is_package=is_package) == imports(text, is_package=is_package)


def test_what_is_refused_has_none() -> None:
    assert imported_names("import", "", is_package=False) is None
