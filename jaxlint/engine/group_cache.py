"""Outcomes of groups of leaves kept on disk: after a change of one leaf, the other groups of its part stay as they are.

An outcome holds for the library of the part and the files of the group, with their contents, while questions about all
files have the answers that they had, and the modules that were looked for are where they were, as they were.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.engine.cache import read_entry
from jaxlint.engine.parts import Part
from jaxlint.engine.plain_groups import plain_group, read_group
from jaxlint.engine.project_run import ProjectRun, digest_at

if TYPE_CHECKING:
    from jaxlint.analysis.machine.project_questions import Question
    from jaxlint.analysis.project.leaf_groups import GroupOutcome
    from jaxlint.engine.part_cache import PartCache
    from jaxlint.syntax.source import SourceFile


@dataclass(frozen=True, slots=True)
class GroupCache:
    """The outcomes of the groups of one part. `library` are its other files, `look_for` finds and loads a module."""

    entries: PartCache
    project: ProjectRun
    library: Part
    look_for: Callable[[str], SourceFile | None]

    def find(self, group: Part, answer: Callable[[Question], bool]) -> GroupOutcome | None:
        """What a group came to, if that still holds; whatever is wrong with the entry, it is then a miss."""
        path = self._path(group)
        try:
            stored = json.loads(read_entry(path))
            if not all(self._stands(*module) for module in stored["modules"]):
                return None
            outcome = read_group(stored, frozenset(name for name, *_ in stored["modules"]))
            if any(answer(question) is not before for question, before in outcome.answers.items()):
                return None
        except Exception:  # an entry may hold anything
            return None
        for name in outcome.modules:
            self.look_for(name)
        with contextlib.suppress(OSError):
            os.utime(path)
        return outcome

    def keep(self, group: Part, outcome: GroupOutcome) -> None:
        """Keep what a group came to."""
        own = {*self.library, *group}
        modules = list(self._modules(outcome.modules, own))
        if all(self.project.loaded[path].digest for path in own):
            self.entries.write(self._path(group), {**plain_group(outcome), "modules": modules})

    def _modules(self, names: Iterable[str], own: set[str]) -> Iterator[list[Any]]:
        """The modules by name, each with where it is, and with its digest if that is not in the key."""
        for name in sorted(names):
            where = self.project.index.find(name)
            digest = None if where is None or where in own else self.project.loaded[where].digest.hex()
            yield [name, where, digest]

    def _stands(self, name: str, where: str | None, digest: str | None) -> bool:
        """Whether a module is where it was, with the content that it had."""
        if self.project.index.find(name) != where:
            return False
        return where is None or digest is None or digest_at(self.project, where).hex() == digest

    def _path(self, group: Part) -> str:
        return self.entries.path_of("group", self.project, (self.library, group))
