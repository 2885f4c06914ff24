"""Known findings kept in a file and left out of reports, by fingerprint: edits elsewhere do not bring them back."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.result import ENGINE_RULES, Result
from jaxlint.files.console import write_file
from jaxlint.files.discovery import read_bytes
from jaxlint.text import unicode_path

DEFAULT_NAME: Final = "jaxlint-baseline.json"
VERSION: Final = 2
#: Its fingerprints hold the names of variables: `Diagnostic.former`.
_FORMER: Final = 1
_MAX_BYTES: Final = 64 * 1024 * 1024


class Entry(NamedTuple):
    """One known finding. `path` is POSIX, relative to the folder of the baseline."""

    path: str
    rule: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings, with how often each is known, in the file at `path`, whose form has a version."""

    path: str
    known: Mapping[Entry, int]
    version: int = VERSION

    def entry(self, diagnostic: Diagnostic) -> Entry:
        """What a diagnostic is known as."""
        is_former = self.version == _FORMER and diagnostic.former
        name = diagnostic.former if is_former else diagnostic.fingerprint
        return Entry(_relative(diagnostic.path, self.path), diagnostic.rule, name)

    def unknown(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Those of all diagnostics of some files that are not known; what the engine always reports is never known."""
        left = Counter(self.known)
        kept = []
        for diagnostic in diagnostics:
            entry = self.entry(diagnostic)
            if left[entry] > 0 and not _is_always_reported(diagnostic):
                left[entry] -= 1
            else:
                kept.append(diagnostic)
        return kept

    def hide(self, result: Result) -> Result:
        """The result without what is known."""
        kept = self.unknown(result.diagnostics)
        return replace(result, diagnostics=tuple(kept), baselined=len(result.diagnostics) - len(kept))

    def missing(self, result: Result) -> Counter[Entry]:
        """What is known and not among the diagnostics of a result from which nothing was hidden."""
        left = Counter(self.known)
        left.subtract(self.entry(diagnostic) for diagnostic in result.diagnostics)
        return +left

    def stale(self, result: Result, is_checked: Callable[[str, str], bool]) -> Counter[Entry]:
        """What will not be found again: `is_checked` (path, rule) says where a rule was asked; or the file is gone."""
        folder = os.path.dirname(self.path)

        def is_stale(entry: Entry) -> bool:
            path = os.path.normpath(os.path.join(folder, entry.path))
            return is_checked(path, entry.rule) or not os.path.exists(path)

        return Counter({entry: count for entry, count in self.missing(result).items() if is_stale(entry)})

    def without(self, entries: Mapping[Entry, int]) -> Baseline:
        """The baseline less some entries."""
        return replace(self, known=+(Counter(self.known) - Counter(entries)))

    def write(self) -> None:
        """Replace the file. Raises ConfigError where that cannot be done."""
        rows = [{**entry._asdict(), "count": count} for entry, count in sorted(self.known.items())]
        text = json.dumps({"jaxlint_baseline": self.version, "findings": rows}, indent=1)
        write_file(self.path, [text])


def baseline_of(path: str, diagnostics: Iterable[Diagnostic]) -> Baseline:
    """The baseline that knows all these diagnostics but those about the check itself, to be written to `path`."""
    empty = Baseline(path, {})
    return Baseline(path, Counter(empty.entry(d) for d in diagnostics if d.rule not in ENGINE_RULES))


def read_baseline(path: str) -> Baseline:
    """The baseline in a file. Raises ConfigError, with the place, for one that is missing or cannot be understood."""
    try:
        document = json.loads(read_bytes(path, _MAX_BYTES))
    except FileNotFoundError:
        raise ConfigError("there is no such baseline; --write-baseline makes one", path) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    except json.JSONDecodeError as error:
        raise ConfigError(f"is not a baseline: {error.msg}", path, error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise ConfigError("is not a baseline: it is not JSON in UTF-8", path) from None
    version = document.get("jaxlint_baseline") if isinstance(document, dict) else None
    if version is None:
        raise ConfigError("is not a baseline: `jaxlint_baseline` is missing", path)
    if version not in (_FORMER, VERSION) or isinstance(version, bool):
        raise ConfigError(f"is a baseline of version {version!r}; this jaxlint reads up to version {VERSION}", path)
    rows = document.get("findings")
    if not isinstance(rows, list):
        raise ConfigError("is not a baseline: `findings` is not an array", path)
    known = Counter(dict(_row(row, number, path) for number, row in enumerate(rows, start=1)))
    return Baseline(path, known, version)


def _row(row: Any, number: int, path: str) -> tuple[Entry, int]:  # noqa: ANN401 - JSON
    names = ("path", "rule", "fingerprint")
    count = row.get("count", 1) if isinstance(row, dict) else None
    is_well = isinstance(row, dict) and all(isinstance(row.get(name), str) for name in names)
    if not is_well or not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ConfigError(
            f"finding {number} needs `path`, `rule` and `fingerprint` as strings and `count` from 1", path
        )
    return Entry(row["path"], row["rule"], row["fingerprint"]), count


def _relative(path: str, baseline: str) -> str:
    folder = os.path.dirname(baseline)
    try:
        relative = os.path.relpath(path, folder)
    except ValueError:  # another drive
        relative = path
    posix = unicode_path(relative).replace(os.sep, "/")
    return posix.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _is_always_reported(diagnostic: Diagnostic) -> bool:
    rule = ENGINE_RULES.get(diagnostic.rule)
    return rule is not None and rule.always
