"""Which files a run checks: folders walked in order, ignored and excluded ones left out, odd ones never followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from jaxlint.config import ConfigError, Configuration, RunSettings
from jaxlint.config.roots import marked_root, project_root, repository_root
from jaxlint.files.gitignore import Matcher, matcher
from jaxlint.text import escape

#: Larger files are not read: no person wrote them.
MAX_BYTES: Final = 8 * 1024 * 1024
#: Notebooks hold pictures; the code in them is no longer than that of other files.
MAX_NOTEBOOK: Final = 128 * 1024 * 1024
MARKDOWN: Final = ("*.md", "*.markdown", "*.qmd")
STDIN: Final = "-"
IGNORE_FILE: Final = ".gitignore"
_GITIGNORE_LIMIT: Final = 1024 * 1024


class FileStamp(NamedTuple):
    """What tells, without reading a file, that it has not changed."""

    size: int
    modified_ns: int
    inode: int


class FoundFile(NamedTuple):
    """One file to check: its absolute path, the root of its project, and its stamp (None for standard input)."""

    path: str
    root: str
    stamp: FileStamp | None


@dataclass(slots=True)
class Discovery:
    """The files of a run, in order of path, and what a person should know about those left out."""

    files: list[FoundFile] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def discover(
    paths: Sequence[str], configuration: Configuration, working_directory: str, *, markdown: bool = False
) -> Discovery:
    """Find the files that `paths` name, in folders those of Markdown too where that is asked for.

    Raises ConfigError for a path that does not exist, and for an empty one: it would mean the current folder, where
    somebody has written a variable that is not set.
    """
    walk = _Walk(configuration, MARKDOWN if markdown else ())
    for path in paths:
        if not path:
            raise ConfigError("a path is empty; `.` is the current folder")
        absolute = os.path.normpath(os.path.join(working_directory, path))
        if os.path.isdir(absolute):
            walk.folder(absolute)
        elif os.path.lexists(absolute):
            walk.file(absolute)
        else:
            raise ConfigError("no such file or folder", path)
    found = sorted(walk.found.values())
    discovery = Discovery(found, walk.warnings)
    if not found:
        discovery.warnings.append(f"no Python files found under {', '.join(escape(path) for path in paths)}")
    return discovery


def is_left_out(path: str, configuration: Configuration) -> bool:
    """Whether a run that comes upon the file would leave it out: by `exclude`, or by a .gitignore file."""
    return _Walk(configuration).leaves_out(path)


def stdin_file(filename: str | None, working_directory: str) -> FoundFile:
    """Standard input as a file to check, named and placed by `--stdin-filename`."""
    if filename is None:
        return FoundFile(os.path.join(working_directory, "<stdin>"), project_root(working_directory), None)
    path = os.path.normpath(os.path.join(working_directory, filename))
    return FoundFile(path, project_root(os.path.dirname(path)), None)


def read_bytes(path: str, limit: int | None = None) -> bytes:
    """The content of a regular file of at most `limit` bytes, which its name gives; OSError says in one line why not.

    Opened without blocking and checked after opening, so that a pipe or a device can neither hang nor flood the run.
    """
    if limit is None:
        limit = MAX_NOTEBOOK if path.endswith(".ipynb") else MAX_BYTES
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError("not a regular file")
        data = file.read(min(status.st_size, limit) + 1)
        if len(data) > status.st_size:  # it grows, or does not say its size
            data += file.read(limit + 1 - len(data))
    if len(data) > limit:
        raise OSError(f"larger than {limit // (1024 * 1024)} MiB")
    return data


def stamp_of(status: os.stat_result) -> FileStamp:
    """The stamp of a file that was looked at."""
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ino)


@dataclass(slots=True)
class _Walk:
    """Collects files; a file that two arguments name is found once."""

    configuration: Configuration
    also: tuple[str, ...] = ()
    found: dict[str, FoundFile] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    _ignores: dict[str, Matcher | None] = field(default_factory=dict)

    def file(self, path: str) -> None:
        """A file named by the user: taken whatever its name, unless exclusion is forced."""
        directory = os.path.dirname(path)
        settings = self.configuration.run(directory)
        if settings.force_exclude and self._is_left_out(path, settings):
            return
        try:
            status = os.stat(path)
        except OSError:
            self.found[path] = FoundFile(path, project_root(directory), FileStamp(0, 0, 0))
            return
        self.found.setdefault(path, FoundFile(path, project_root(directory), stamp_of(status)))

    def folder(self, argument: str) -> None:
        """A folder named by the user: walked, never through a link to another folder."""
        settings = self.configuration.run(argument)
        if settings.force_exclude and self._is_left_out(argument, settings, is_folder=True):
            return
        ignores = self._ignores_above(argument) if settings.respect_gitignore else []
        if any(m.match_with_parents(argument, is_folder=True) for m in ignores):
            ignores = []  # the user named an ignored folder: its own rules hold, those that hide it do not
        pending = [(argument, ignores)]
        while pending:
            directory, above = pending.pop()
            pending.extend(self._visit(directory, argument, above))

    def _visit(self, directory: str, argument: str, above: list[Matcher]) -> Iterator[tuple[str, list[Matcher]]]:
        settings = self.configuration.run(directory)
        root = marked_root(directory) or argument
        own = self._ignore_file(directory) if settings.respect_gitignore else None
        ignores = [own, *above] if own else above
        leave_out = _exclusions(settings)
        include = matcher(settings.include.base, (*settings.include.patterns, *self.also))
        for entry in _entries(directory):
            path = entry.path
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder and not include.match(path, is_folder=False):
                continue
            if any(m.match(path, is_folder=is_folder) for m in leave_out) or _is_ignored(path, is_folder, ignores):
                continue
            if is_folder:
                yield path, ignores
            elif (status := _regular(entry)) is not None:
                self.found.setdefault(path, FoundFile(path, root, stamp_of(status)))

    def leaves_out(self, path: str) -> bool:
        """Whether a file that nobody named is left out."""
        return self._is_left_out(path, self.configuration.run(os.path.dirname(path)))

    def _is_left_out(self, path: str, settings: RunSettings, *, is_folder: bool = False) -> bool:
        ignores = self._ignores_above(path) if settings.respect_gitignore else []
        return any(m.match_with_parents(path, is_folder=is_folder) for m in (*_exclusions(settings), *ignores))

    def _ignores_above(self, path: str) -> list[Matcher]:
        """The .gitignore files from the folder above `path` up to the repository's root, the nearest first."""
        directory = os.path.dirname(path)
        top = repository_root(path) or repository_root(directory)
        found: list[Matcher] = []
        if top is None or top == path:
            return found
        while True:
            own = self._ignore_file(directory)
            if own is not None:
                found.append(own)
            if directory == top:
                return found
            directory = os.path.dirname(directory)

    def _ignore_file(self, directory: str) -> Matcher | None:
        if directory not in self._ignores:
            own = self._ignores[directory] = _read_ignore_file(directory)
            for line in own.unreadable if own else ():
                where = os.path.join(directory, IGNORE_FILE)
                self.warnings.append(f"{where}: the pattern `{line}` is not complete, and matches nothing")
        return self._ignores[directory]


def _exclusions(settings: RunSettings) -> list[Matcher]:
    return [matcher(p.base, p.patterns) for p in (settings.exclude, *settings.extend_exclude)]


def _is_ignored(path: str, is_folder: bool, ignores: list[Matcher]) -> bool:
    """Git's rule: the nearest .gitignore that speaks of the path decides."""
    verdicts = (m.match(path, is_folder=is_folder) for m in ignores)
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _read_ignore_file(directory: str) -> Matcher | None:
    path = os.path.join(directory, IGNORE_FILE)
    try:
        text = read_bytes(path, _GITIGNORE_LIMIT).decode("utf-8", "surrogateescape")
    except OSError:
        return None
    return Matcher(directory, text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))


def _entries(directory: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return list(entries)
    except OSError:
        return []  # a folder that may not be listed hides its files from us as from its owner's tools


def _regular(entry: os.DirEntry[str]) -> os.stat_result | None:
    """The status of a regular file, through links; None for pipes, devices, dangling links and loops."""
    try:
        status = entry.stat()
    except OSError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None
