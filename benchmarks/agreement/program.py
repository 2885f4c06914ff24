"""Programs as they are put together: a draft that grows line by line, and what it is when it is done."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from random import Random

#: The head of every program; what it does not use does no harm.
PREAMBLE = """\
import collections
import dataclasses
import functools
import itertools
import math
import operator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
"""

#: Words that names of local variables begin with.
_NAMES = (
    "scale", "rate", "total", "level", "gain", "weight", "bias", "offset", "score", "value", "width", "energy", "drift",
    "limit", "margin", "ratio", "step", "shift", "mean", "peak", "signal", "amount", "factor", "target", "current",
    "change", "budget", "power", "speed", "angle",
)  # fmt: skip


@dataclass
class Program:
    """A program, what it was drawn from, and the line on which its hazard or look-alike stands.

    `hazard` names the kind of question that is asked; `way` the way of tracing; `used` everything else that coverage
    counts, as "kind: name".
    """

    name: str
    text: str
    family: str
    hazard: str
    way: str
    used: list[str]
    marked: int = 0

    def with_text(self, text: str) -> Program:
        """The same program with other lines."""
        return Program(self.name, text, self.family, self.hazard, self.way, self.used, self.marked)


@dataclass
class Draft:
    """A program that is being written: definitions before the function, its body, and what was used."""

    rng: Random
    top: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    serial: int = 0

    def number(self) -> int:
        """A number that no other name of this program has."""
        self.serial += 1
        return self.serial

    def name(self) -> str:
        """A fresh name for a local variable."""
        n = self.number()
        word = self.rng.choice(_NAMES)
        return f"{word}{n}"

    def use(self, kind: str, name: str) -> None:
        """Count something for coverage."""
        self.used.append(f"{kind}: {name}")

    def define(self, text: str) -> None:
        """Add a definition before the function."""
        self.top += ["", "", *text.strip("\n").split("\n")]

    def say(self, text: str) -> None:
        """Add statements to the function's body."""
        self.body += text.strip("\n").split("\n")


def indented(lines: list[str], by: int = 4) -> list[str]:
    """The lines, further right."""
    return [" " * by + line if line else line for line in lines]


def function(name: str, parameters: str, body: list[str], decorators: tuple[str, ...] = ()) -> list[str]:
    """The lines of a function."""
    return [*decorators, f"def {name}({parameters}):", *indented(body)]


def without_statement(text: str, line: int) -> str:
    """The program with `pass` in place of the innermost statement on this line, all lines where they were."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    around = [node for node in nodes if node.lineno <= line <= (node.end_lineno or node.lineno)]
    node = max(around, key=lambda each: each.lineno)
    lines = text.split("\n")
    lines[node.lineno - 1] = " " * node.col_offset + "pass"
    for number in range(node.lineno, node.end_lineno or node.lineno):
        lines[number] = ""
    return "\n".join(lines)
