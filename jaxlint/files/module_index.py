"""Module names to and from paths: the import roots of a project, and the files that its imports name."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from jaxlint.config.roots import is_top


def package_parent(directory: str) -> str:
    """The nearest ancestor (or `directory` itself) that is no regular package."""
    while os.path.isfile(os.path.join(directory, "__init__.py")):
        parent = os.path.dirname(directory)
        if parent == directory:
            break
        directory = parent
    return directory


def import_roots(root: str, src: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """The folders in which absolute imports of the project at `root` are looked up, in order."""
    if src is not None:
        return src
    parent = package_parent(root)
    if parent != root:  # scripts in a source tree's top folder import its neighbours, whatever else stands there
        return (parent, root) if is_top(root) else (parent,)
    nested = os.path.join(root, "src")
    if not os.path.isdir(nested):
        return (root,)
    # As a package, its modules import each other relative to it, and so are named from above it.
    return (root, nested) if package_parent(nested) != nested else (nested, root)


def module_index(root: str, src: tuple[str, ...] | None, files: Iterable[str]) -> ModuleIndex:
    """The index of the project at `root`, with the folders of those `files` that are scripts."""
    folders = {os.path.dirname(path) for path in files}
    scripts = {folder for folder in folders if package_parent(folder) == folder}
    parent = package_parent(root)
    top = os.path.relpath(root, parent).split(os.sep)[0]
    boundary = os.path.join(parent, top, "") if src is None and parent != root else ""
    roots = import_roots(root, src)
    return ModuleIndex(roots, tuple(sorted(scripts.difference(roots))), boundary)


def module_name(path: str, roots: tuple[str, ...]) -> tuple[str, bool]:
    """The dotted name by which `path` is imported, and whether it is a package's `__init__.py`.

    A file below none of the roots is named from the nearest folder that is no package.
    """
    root = next((r for r in roots if path.startswith(os.path.join(r, ""))), None)
    if root is None:
        root = package_parent(os.path.dirname(path))
    parts = os.path.relpath(path, root).split(os.sep)
    stem = os.path.splitext(parts.pop())[0]
    is_package = stem == "__init__"
    if not is_package or not parts:
        parts.append(stem)
    return ".".join(parts), is_package


@dataclass(slots=True)
class ModuleIndex:
    """Finds the modules of a project by probing the file system: no walk, nothing imported.

    `scripts` are folders of scripts, each of which sees its own neighbours first: a name that they make ambiguous is
    not found, since a wrong module is worse than none; a folder of a namespace package looks the same, so that none of
    them is believed to replace a module of the standard library. Nothing outside `boundary` belongs to the project.
    Remembers each answer, the absent ones too: a result that was computed with them is valid while they hold.
    """

    roots: tuple[str, ...]
    scripts: tuple[str, ...] = ()
    boundary: str = ""
    answers: dict[str, str | None] = field(default_factory=dict)
    _listings: dict[str, frozenset[str]] = field(default_factory=dict)

    def find(self, name: str) -> str | None:
        """The file of the module `name`, or None where the project has none of that name."""
        if name not in self.answers:
            self.answers[name] = self._probe(name)
        return self.answers[name]

    def _probe(self, name: str) -> str | None:
        parts = name.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        first = next((found for root in self.roots if (found := self._own(root, parts))), None)
        folders = () if parts[0] in sys.stdlib_module_names else self.scripts
        others = {found for folder in folders if (found := self._own(folder, parts))}
        candidates = others | {first} if first else others
        return next(iter(candidates)) if len(candidates) == 1 else None

    def _own(self, root: str, parts: list[str]) -> str | None:
        """The module below a folder, if it belongs to the project."""
        found = self._probe_below(root, parts)
        return found if found and found.startswith(self.boundary) else None

    def _probe_below(self, root: str, parts: list[str]) -> str | None:
        directory = root
        for part in parts[:-1]:
            if part not in self._names(directory):
                return None
            directory = os.path.join(directory, part)
        names, last = self._names(directory), parts[-1]
        package = os.path.join(directory, last, "__init__.py")
        if last in names and os.path.isfile(package):
            return package
        module = os.path.join(directory, f"{last}.py")
        return module if f"{last}.py" in names and os.path.isfile(module) else None

    def _names(self, directory: str) -> frozenset[str]:
        """The names in one folder: a listing costs one system call and answers all probes of that folder."""
        if directory not in self._listings:
            try:
                self._listings[directory] = frozenset(os.listdir(directory))
            except OSError:
                self._listings[directory] = frozenset()
        return self._listings[directory]
