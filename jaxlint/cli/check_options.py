"""The options of `jaxlint check`, and what a run with them is for."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from jaxlint.config.errors import ConfigError
from jaxlint.engine.command_line import SettingsOptions


class Mode(Enum):
    """What a run is for; the value is the option that asks for it."""

    CHECK = ""
    FIX = "--fix"
    DIFF = "--diff"
    ADD_IGNORE = "--add-ignore"
    WRITE_BASELINE = "--write-baseline"
    PRUNE_BASELINE = "--prune-baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of `check` beside those of its settings, as given.

    `also_write` are formats with the files that get a report in them.
    `add_ignore` is the reason and `write_baseline` the file, both empty where the option stands alone.
    """

    settings: SettingsOptions = field(default_factory=SettingsOptions)
    fix: bool = False
    unsafe_fixes: bool = False
    fix_only: bool = False
    diff: bool = False
    show_fixes: bool = False
    exit_non_zero_on_fix: bool = False
    add_ignore: str | None = None
    write_baseline: str | None = None
    prune_baseline: bool = False
    output_file: str | None = None
    also_write: tuple[tuple[str, str], ...] = ()
    quiet: bool = False
    statistics: bool = False
    diff_base: str | None = None
    shard: str | None = None
    exit_zero: bool = False
    show_files: bool = False
    show_settings: bool = False
    verdicts: tuple[str, ...] = ()
    hide_refuted: bool = False
    color: str = "auto"

    @property
    def mode(self) -> Mode:
        """What the run is for. Raises ConfigError where two options say different things."""
        asked = {
            Mode.FIX: self.fix or self.fix_only,
            Mode.DIFF: self.diff,
            Mode.ADD_IGNORE: self.add_ignore is not None,
            Mode.WRITE_BASELINE: self.write_baseline is not None,
            Mode.PRUNE_BASELINE: self.prune_baseline,
        }
        chosen = [mode for mode, is_asked in asked.items() if is_asked]
        if chosen == [Mode.FIX, Mode.DIFF]:
            return Mode.DIFF
        if len(chosen) > 1:
            raise ConfigError(f"{chosen[0].value} and {chosen[1].value} cannot be used together")
        if "\n" in (self.add_ignore or "") or "\r" in (self.add_ignore or ""):
            raise ConfigError("the reason must be one line", key=Mode.ADD_IGNORE.value)
        return chosen[0] if chosen else Mode.CHECK
