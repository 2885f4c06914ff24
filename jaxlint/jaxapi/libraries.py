"""The libraries around JAX, whatever release is targeted, and the words by which a file shows that it uses one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from jaxlint.jaxapi import parsers
from jaxlint.jaxapi.rows import LibraryRow
from jaxlint.jaxapi.tables import read_lines


@cache
def libraries() -> Mapping[str, LibraryRow]:
    """The libraries by the name of their top package."""
    header, *lines = (line.split("\t") for line in read_lines("libraries"))
    rows = (parsers.library(dict(zip(header, line, strict=True))) for line in lines)
    return {row.name: row for row in rows}


@cache
def mention() -> re.Pattern[bytes]:
    """What a source file holds that may use JAX or a library built on it: any of their words."""
    words = sorted({word for row in libraries().values() for word in row.words})
    parts = [re.escape(word.strip("*")) for word in words if word.startswith("*")]
    whole = [re.escape(word) for word in words if not word.startswith("*")]
    return re.compile(rf"{'|'.join(parts)}|\b(?:{'|'.join(whole)})\b".encode())


def imports_jax(modules: Iterable[str]) -> bool:
    """Whether one of these modules belongs to JAX or to a library that is built on it."""
    tops = (libraries().get(module.partition(".")[0]) for module in modules)
    return any(row is not None and row.words for row in tops)
