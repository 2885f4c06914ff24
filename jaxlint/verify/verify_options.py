"""The options of `jaxlint verify`."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxlint.engine.command_line import SettingsOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """The options of `verify` as given, with the `paths` to check.

    `probe` are PATH or PATH::QUALNAME, `arg` NAME=VALUE texts for each of them. `python` None: the interpreter that
    runs jaxlint. `recorded` is the JSON report of an observed run, whose inputs are used; `verdicts` the file to store
    verdicts in; `fail_on` a verdict; `timeout` is in seconds.
    """

    paths: tuple[str, ...] = ()
    settings: SettingsOptions = field(default_factory=SettingsOptions)
    report_format: str = "text"
    output_file: str | None = None
    html: str | None = None
    color: str = "auto"
    timeout: float | None = None
    fail_on: str | None = None
    verdicts: str | None = None
    count_calls: bool = False
    max_recompiles: int | None = None
    probe: tuple[str, ...] = ()
    arg: tuple[str, ...] = ()
    recorded: str | None = None
    execute: bool = False
    python: str | None = None
    platform: str | None = None
    lower_for: tuple[str, ...] = ()

    @property
    def destinations(self) -> tuple[str, ...]:
        """The files to be written."""
        return tuple(filter(None, (self.output_file, self.verdicts, self.html)))
