"""Outcomes of parts of projects kept on disk: after a change, only the parts that it touches are read and analysed.

What tells a part from others is the content of its files, the settings that hold there and this version; an outcome
holds while the modules that its analysis looked for are where they were, with the content they had. What each file
imports is kept as well, so that the parts are known before a file is parsed, and whether libcst reads it as CPython's
parser does.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.metadata import version
from typing import Any, Final

from jaxlint.config import Configuration
from jaxlint.engine.cache import (
    forget_old,
    package_stamp,
    read_entry,
    write_entry,
)
from jaxlint.engine.load import Loaded
from jaxlint.engine.part_outcome import PartOutcome, plain_outcome, read_outcome
from jaxlint.engine.parts import Part
from jaxlint.engine.project_run import Brief, ProjectRun, digest_at, is_silent
from jaxlint.version import VERSION

#: How many entries are kept, by folder.
_KEPT: Final = {"parts": 4000, "groups": 400}
_FOLDERS: Final = {"group": "groups"}
#: What `--statistics` calls files whose results an earlier run found.
KEPT: Final = "kept from an earlier run"


@dataclass(slots=True)
class PartCache:
    """The outcomes in the cache folder `folder`, under these settings and versions of plug-ins."""

    folder: str
    configuration: Configuration
    plugins: Sequence[str]
    _version: list[Any] = field(default_factory=list)

    # --- what files import

    def briefs(self, project: ProjectRun) -> dict[str, Brief]:
        """What is known of the files of a project, by path; each holds for one content."""
        with contextlib.suppress(Exception):  # an entry may hold anything
            stored = json.loads(read_entry(self._path("briefs", project.root, project.triage)))
            return {str(path): _brief(*values) for path, values in stored.items()}
        return {}

    def keep_briefs(self, project: ProjectRun) -> None:
        """Keep what is known now."""
        stored = {path: _plain_brief(brief) for path, brief in project.briefs().items()}
        self.write(self._path("briefs", project.root, project.triage), stored)

    # --- outcomes

    def find(self, project: ProjectRun, part: Part) -> PartOutcome | None:
        """The outcome of a part, if it still holds; whatever is wrong with the entry, it is then a miss."""
        path = self.path_of("part", project, (part,))
        try:
            stored = json.loads(read_entry(path))
            modules = {name: where for name, where in stored["asked"].items() if project.index.find(name) == where}
            others = [Loaded(other, *_other(*rest)) for other, *rest in stored["others"]]
            if len(modules) < len(stored["asked"]) or not all(
                digest_at(project, other.path) == other.digest for other in others
            ):
                return None
            outcome = read_outcome(stored, modules, {KEPT: len(part)})
        except Exception:  # an entry may hold anything
            return None
        for other in others:
            if other.path not in project.loaded or is_silent(project.loaded[other.path]):
                project.loaded[other.path] = other
        with contextlib.suppress(OSError):
            os.utime(path)
        return outcome

    def keep(self, project: ProjectRun, part: Part, outcome: PartOutcome) -> None:
        """Keep the outcome of a part."""
        asked = set(outcome.asked.values())
        others = [project.loaded[path] for path in sorted(filter(None, asked.difference(part)))]
        if all(project.loaded[path].digest for path in part) and all(other.digest for other in others):
            plain = [[other.path, other.digest.hex(), list(other.imports)] for other in others]
            self.write(self.path_of("part", project, (part,)), {**plain_outcome(outcome), "others": plain})

    def forget_old(self) -> None:
        """Leave the newest entries."""
        for folder, kept in _KEPT.items():
            with contextlib.suppress(OSError):
                forget_old(os.path.join(self.folder, VERSION, folder), kept)

    def path_of(self, what: str, project: ProjectRun, kinds: Sequence[Part]) -> str:
        """Where the outcome of files is kept that are of several kinds, as they are now."""
        folders = sorted({os.path.dirname(path) for paths in kinds for path in paths})
        settings = self.configuration.signature([*folders, project.root])
        files = [[_named(project, path) for path in paths] for paths in kinds]
        return self._path(what, project.root, project.triage, project.x64, settings, sorted(project.chosen), files)

    def _path(self, what: str, *key: object) -> str:
        if not self._version:
            self._version = [sys.version_info[:3], version("libcst"), package_stamp(), sorted(self.plugins)]
        text = repr((self._version, what, key)).encode("utf-8", "surrogateescape")
        folder = os.path.join(self.folder, VERSION, _FOLDERS.get(what, "parts"))
        return os.path.join(folder, f"{blake2b(text, digest_size=16).hexdigest()}.json")

    def write(self, path: str, stored: object) -> None:
        """Keep plain data, if that can be."""
        with contextlib.suppress(OSError):
            write_entry(path, json.dumps(stored))


def _named(project: ProjectRun, path: str) -> tuple[str, str, bool, bytes]:
    """What tells a file with its content from others."""
    task = project.task(path)
    return path, task.name, task.is_package, project.loaded[path].digest


# --- as plain data


def _plain_brief(brief: Brief) -> list[Any]:
    return [brief.digest.hex(), brief.name, brief.is_package, brief.names_jax, list(brief.imports), brief.agrees]


def _brief(digest: str, name: str, is_package: bool, names_jax: bool, imports: Sequence[str], agrees: bool) -> Brief:
    known = tuple(map(str, imports))
    return Brief(bytes.fromhex(digest), name, bool(is_package), bool(names_jax), known, bool(agrees))


def _other(digest: str, imports: Sequence[str]) -> tuple[bytes, None, None, tuple[str, ...], str, bool]:
    return bytes.fromhex(digest), None, None, tuple(map(str, imports)), "", True
