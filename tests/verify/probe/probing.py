"""Running the prober inside the test's process, on a file in a folder of its own."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from jsonschema import Draft202012Validator

from jaxlint.engine.command_line import SettingsOptions
from jaxlint.verify.probe import probe_command
from jaxlint.verify.probe.sandbox import Child
from jaxlint.verify.verify_options import VerifyOptions
from tests.verify.observing import SCHEMA

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"


_children: dict[tuple[str, str | None], Child] = {}


class _Kept:
    """A child that serves the next test too: JAX is imported once. It is as fresh: each job runs in a fork."""

    def __init__(self, python: str, platform: str | None, timeout: float) -> None:
        self.child = _children.setdefault((python, platform), Child(python, platform, timeout))
        self.child.timeout = timeout

    def __enter__(self) -> Child:
        return self.child

    def __exit__(self, *_: object) -> None:
        pass


def end_children() -> None:
    """End what was kept."""
    while _children:
        _children.popitem()[1].__exit__()


@dataclass(frozen=True)
class Outcome:
    code: int
    report: dict[str, Any]

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        """(rule, verdict) of each finding, in order of place."""
        return [(f["rule"], f["verdict"]) for f in self.report["findings"]]

    @property
    def evidence(self) -> str:
        """All evidence, line by line."""
        return "\n".join(f["evidence"] for f in self.report["findings"])


def written(folder: Path, code: str, name: str = "model.py", head: str = HEAD) -> Path:
    """A module with the usual imports."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + textwrap.dedent(code).strip() + "\n", encoding="utf-8")
    return path


def probed(path: Path, function: str | None = None, *args: str, **options: Any) -> Outcome:
    """The report of a probe: of one function by name, else of all that is flagged."""
    report = path.parent / "report.json"
    chosen: dict[str, Any] = {"probe": (f"{path}::{function}",)} if function else {"paths": (str(path),)}
    given = VerifyOptions(
        **chosen,
        settings=SettingsOptions(isolated=options.pop("isolated", True), **options.pop("settings", {})),
        arg=args,
        report_format="json",
        output_file=str(report),
        **options,
    )
    with mock.patch.object(probe_command, "Child", _Kept):
        code = probe_command.run_probe(given)
    document = json.loads(report.read_text()) if report.exists() else {}
    if document:
        Draft202012Validator(SCHEMA).validate(document)
    return Outcome(code, document)
