"""What a probe is asked to do, and what it finds, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

CONFIRMED: Final = "confirmed"
REFUTED: Final = "refuted"
NOT_REPRODUCED: Final = "not-reproduced"
NOT_REACHED: Final = "not-reached"
INCONCLUSIVE: Final = "inconclusive"
VERDICTS: Final = (CONFIRMED, REFUTED, NOT_REPRODUCED, NOT_REACHED, INCONCLUSIVE)
PLATFORMS: Final = ("cpu", "cuda", "rocm", "tpu")

#: Seconds without a word from the child after which it is ended; the import of JAX and of the module count too.
TIMEOUT: Final = 120.0


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """One run of the prober, as the command line gives it.

    `targets` are PATH or PATH::QUALNAME (`--probe`), `paths` files and folders to check and probe whatever is flagged
    there. `args` are NAME=VALUE texts for every target. `python` None: the interpreter that runs jaxlint.
    `recorded` is the JSON report of an observed run, whose inputs are used; `verdicts` the file to store verdicts in.
    `settings` go to the check as if they
    stood on its command line, in the spelling of settings files.
    """

    targets: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    execute: bool = False
    python: str | None = None
    platform: str | None = None
    lower_for: tuple[str, ...] = ()
    timeout: float = TIMEOUT
    recorded: str | None = None
    output_format: str = "text"
    output_file: str | None = None
    html: str | None = None
    verdicts: str | None = None
    color: str = "auto"
    fail_on: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    config: tuple[str, ...] = ()
    isolated: bool = False


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


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict on one finding with its evidence, a line of text."""

    verdict: str
    evidence: str


@dataclass(slots=True)
class TargetRun:
    """What the child recorded of one target; `failure` says why it did not come to its end."""

    target: Target
    runs: list[Mapping[str, Any]] = field(default_factory=list)
    compiled: Mapping[str, Any] | None = None
    failure: str | None = None
    incomplete: bool = False
