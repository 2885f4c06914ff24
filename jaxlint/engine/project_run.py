"""One project while it is checked: its settings, its files as they are loaded, and what else of it is looked up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.config import AnalysisSettings
from jaxlint.engine.cache import digest_of
from jaxlint.engine.load import Loaded, LoadFailure, LoadTask
from jaxlint.engine.parts import Part, connected
from jaxlint.engine.reporter import Shown
from jaxlint.engine.workers import Crash, Runner
from jaxlint.engine.x64 import is_mentioned_beside
from jaxlint.files.discovery import FoundFile, read_bytes
from jaxlint.files.module_index import ModuleIndex, module_name
from jaxlint.jaxapi.libraries import imports_jax
from jaxlint.progress import counted

if TYPE_CHECKING:
    from jaxlint.engine.part_cache import PartCache
    from jaxlint.syntax.source import SourceFile


class Brief(NamedTuple):
    """What is known of a file with this content and name before it is parsed.

    `names_jax`: it is read although no other file imports it. `agrees`: libcst reads it as CPython's parser does.
    """

    digest: bytes
    name: str
    is_package: bool
    names_jax: bool
    imports: tuple[str, ...]
    agrees: bool = False


_NONE: Final[Mapping[str, Brief]] = MappingProxyType({})


@dataclass(slots=True, eq=False)
class ProjectRun:
    """The state of a check of one project. `triage` lets CPython's parser read what it can.

    `analysed` are the files that concern JAX: what else the analysis asks for is read without looking for findings.
    `silent` are files that do not name JAX.
    `names` are those of modules by path, each with whether it is a package.
    `refused` are files that were to be read again by libcst, which could not; `differing` those it reads otherwise.
    `agreed` are files that it reads as CPython's parser does, with their digests; None where nobody keeps them.
    `kept` is where outcomes of groups of leaves are looked up, and kept.
    """

    root: str
    settings: AnalysisSettings
    index: ModuleIndex
    contents: dict[str, bytes]
    triage: bool
    files: list[FoundFile] = field(default_factory=list)
    shown: dict[str, Shown] = field(default_factory=dict)
    loaded: dict[str, Loaded] = field(default_factory=dict)
    analysed: frozenset[str] = frozenset()
    silent: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    differing: set[str] = field(default_factory=set)
    agreed: dict[str, bytes] | None = None
    kept: PartCache | None = None
    warnings: list[str] = field(default_factory=list)
    names: dict[str, tuple[str, bool]] = field(default_factory=dict)
    _speaks_of_x64: bool | None = None
    _chosen: frozenset[str] | None = None

    @property
    def x64(self) -> bool | None:
        """Whether 64-bit types are on: as the settings say, or because what runs the project speaks of them.

        None: the code that imports connect decides.
        """
        if self.settings.x64 is not None:
            return self.settings.x64
        if self._speaks_of_x64 is None:
            self._speaks_of_x64 = is_mentioned_beside(self.root)
        return True if self._speaks_of_x64 else None

    def decide(self, *, x64: bool | None, chosen: frozenset[str]) -> None:
        """Settle what would be looked for in files, and in the settings of all of them."""
        self._speaks_of_x64 = x64 is True
        self._chosen = chosen

    def task(self, path: str, *, whole: bool = False, triage: bool | None = None) -> LoadTask:
        """How a file is loaded, as the project's others are where `triage` is not given."""
        if path not in self.names:
            self.names[path] = module_name(path, self.index.roots)
        name, is_package = self.names[path]
        return LoadTask(
            path, name, is_package, self.contents.get(path), whole, self.triage if triage is None else triage
        )

    def parts(self) -> list[Part]:
        """The files that are analysed, in parts that have nothing to do with each other."""
        return connected({path: self.loaded[path].imports for path in self.analysed}, self.index.find)

    @property
    def rest(self) -> Part:
        """The other files: they could not be read, or do not concern JAX."""
        return tuple(file.path for file in self.files if file.path not in self.analysed)

    @property
    def chosen(self) -> frozenset[str]:
        """The slugs of the rules to run: of those that are shown somewhere."""
        if self._chosen is None:
            self._chosen = frozenset[str]().union(*{shown.rules for shown in self.shown.values()})
        return self._chosen

    def briefs(self) -> dict[str, Brief]:
        """What can be kept of the files that were asked for."""
        found = {}
        for file in self.files:
            loaded = self.loaded[file.path]
            if loaded.digest and loaded.failure is None and not loaded.language:
                task = self.task(file.path)
                names_jax = file.path not in self.silent
                agrees = self.is_agreed(file.path)
                found[file.path] = Brief(loaded.digest, task.name, task.is_package, names_jax, loaded.imports, agrees)
        return found

    def is_agreed(self, path: str) -> bool:
        """Whether libcst is known to read a file as CPython's parser does."""
        return self.agreed is not None and self.agreed.get(path) == self.loaded[path].digest

    def source(self, path: str) -> SourceFile | None:
        """A file that could be loaded."""
        loaded = self.loaded.get(path)
        return None if loaded is None else loaded.source


def load_files(
    project: ProjectRun,
    runner: Runner[LoadTask, Loaded],
    known: Mapping[str, Brief] = _NONE,
    *,
    briefly: bool = False,
) -> None:
    """Load the files that concern JAX: that name it, or are imported by those, or import them in any number of steps.

    What is `known` of them is put off.

    `briefly`: put off all of them, once it is known what they import.
    """

    def load(paths: Iterable[str], *, whole: bool) -> None:
        run_tasks(project, [project.task(path, whole=whole)._replace(brief=briefly) for path in paths], runner)

    project.loaded.update(_put_off(project, known))
    load([file.path for file in project.files if file.path not in project.loaded], whole=False)
    project.silent = {path for path, loaded in project.loaded.items() if is_silent(loaded)}
    wanted = {name for loaded in project.loaded.values() if not is_silent(loaded) for name in loaded.imports}
    imported = project.silent.intersection(filter(None, map(project.index.find, wanted)))
    concerned = sorted(imported | _importers(project, lambda paths: load(paths, whole=False)))
    for path in concerned:
        brief = known.get(path)
        if brief is not None and brief.digest == project.loaded[path].digest:
            project.loaded[path] = project.loaded[path]._replace(is_put_off=True)
    load([path for path in concerned if not project.loaded[path].is_put_off], whole=True)
    loaded = ((file.path, project.loaded[file.path]) for file in project.files)
    project.analysed = frozenset(path for path, each in loaded if each.source is not None or each.is_put_off)


def _importers(project: ProjectRun, load: Callable[[Sequence[str]], None]) -> set[str]:
    """The silent files that import one which imports JAX, or through others; `load` loads what is behind them."""
    importers: defaultdict[str, list[str]] = defaultdict(list)
    users: list[str] = []
    waiting = sorted(project.silent)
    while waiting:
        known = importers.keys() | project.silent
        for path in waiting:
            for target in filter(None, map(project.index.find, project.loaded[path].imports)):
                importers[target].append(path)
        behind = sorted(importers.keys() - known)
        load([path for path in behind if path not in project.loaded])
        new = [path for path in behind if imports_jax(project.loaded[path].imports)]
        waiting = sorted(set(behind).difference(new))
        users += new
    reached: set[str] = set()
    while users:
        found = set(importers[users.pop()]) - reached
        reached |= found
        users += found
    return reached & project.silent


def _put_off(project: ProjectRun, known: Mapping[str, Brief]) -> Iterator[tuple[str, Loaded]]:
    """The files that have the content, and the name, under which they are known."""
    for file in project.files:
        brief = known.get(file.path)
        if brief is None or file.path in project.contents:
            continue
        task = project.task(file.path)
        if (task.name, task.is_package) == (brief.name, brief.is_package) and _digest(file.path) == brief.digest:
            if brief.agrees and project.agreed is not None:
                project.agreed[file.path] = brief.digest
            yield file.path, Loaded(file.path, brief.digest, None, None, brief.imports, is_put_off=brief.names_jax)


def _digest(path: str) -> bytes | None:
    try:
        return digest_of(read_bytes(path))
    except OSError:
        return None


def digest_at(project: ProjectRun, path: str) -> bytes:
    """What tells the content of a file, loaded or not. Raises OSError."""
    known = project.loaded.get(path)
    return known.digest if known else digest_of(read_bytes(path))


def is_silent(loaded: Loaded) -> bool:
    """Whether a file does not name JAX."""
    return loaded.source is None and loaded.failure is None and not loaded.language and not loaded.is_put_off


def read_put_off(project: ProjectRun, paths: Iterable[str], runner: Runner[LoadTask, Loaded]) -> None:
    """Read what was put off after all."""
    run_tasks(project, [project.task(path, whole=True) for path in paths if project.loaded[path].is_put_off], runner)


def run_tasks(project: ProjectRun, tasks: Sequence[LoadTask], runner: Runner[LoadTask, Loaded]) -> None:
    """Load files."""
    for task, outcome in counted("reading files", runner.run(tasks), len(tasks)):
        project.loaded[task.path] = _crashed(task, outcome) if isinstance(outcome, Crash) else outcome


def _crashed(task: LoadTask, crash: Crash) -> Loaded:
    rule = "analysis-limited" if crash.is_timeout else "analysis-failed"
    return Loaded(task.path, b"", None, LoadFailure(rule, f"not analysed: {crash.reason}"), ())


def find_module(project: ProjectRun, runner: Runner[LoadTask, Loaded], name: str) -> SourceFile | None:
    """A module of the project by name, loaded when it is first asked for."""
    path = project.index.find(name)
    if path is None:
        return None
    loaded = project.loaded.get(path)
    if loaded is None or (loaded.source is None and loaded.failure is None):
        run_tasks(project, [project.task(path, whole=True)], runner)
    return project.source(path)
