"""What a probe is asked to do, and what it finds, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

PLATFORMS: Final = ("cpu", "cuda", "rocm", "tpu")


@dataclass(frozen=True, slots=True)
class Spec:
    """One input set of a function: values as JSON for the child, and the sizes of named dimensions."""

    values: Mapping[str, Mapping[str, Any]]
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Target:
    """A function to probe: the outermost def, or a method, that holds what is looked at."""

    id: str
    path: str
    qualname: str
    line: int
    specs: tuple[Spec, ...]
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileOutline:
    """What the child's outline says of a file."""

    path: str
    error: str | None
    refused: Mapping[str, Any] | None
    functions: Sequence[Mapping[str, Any]]
    loose: Sequence[int]


@dataclass(slots=True)
class TargetRun:
    """What the child recorded of one target; `failure` says why it did not come to its end."""

    target: Target
    runs: list[Mapping[str, Any]] = field(default_factory=list)
    compiled: Mapping[str, Any] | None = None
    failure: str | None = None
    incomplete: bool = False
