"""One step of a value on its way.

Kinds of values: `vec` three floats, `num` one float, `int` one whole number, `mask` three truth values, `flag` one,
`pyint` and `pynum` numbers of Python, which a trace knows. In the templates `{v}` is the value and `{n}` a fresh number.
"""

from __future__ import annotations

from typing import NamedTuple

ANY = "vec num int"
PYTHON = "pyint pynum"


class Step(NamedTuple):
    """One step: what it takes and gives (None: the same kind), and its text."""

    name: str
    takes: str
    gives: str | None
    result: str
    body: str = ""
    top: str = ""
