"""What the files beside a project's code say that it needs: as requirements, file by file, the strongest kind first.

Nothing is executed: `setup.py` is parsed, and what it computes is not known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jaxlint.config.errors import ConfigError
from jaxlint.config.toml_document import MAX_BYTES, read_document

if TYPE_CHECKING:
    import ast


class Requirements(NamedTuple):
    """The requirements of one file: what the package itself needs, and what its extras, groups and tools do."""

    own: tuple[str, ...]
    others: tuple[str, ...] = ()


def requirement_files(folder: str) -> Iterator[tuple[Requirements, ...]]:
    """The files of a folder that say what is needed: metadata of the package, then pins of tools, then locks."""
    yield tuple(_read(folder, {"pyproject.toml": _of_pyproject, "setup.cfg": _of_setup_cfg, "setup.py": _of_setup_py}))
    yield (*_of_requirements_files(folder), *_read(folder, _PINS))
    yield tuple(_read(folder, _LOCKS))


def _read(folder: str, readers: Mapping[str, Callable[[str], Requirements]]) -> Iterator[Requirements]:
    for name, read in readers.items():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            yield read(path)


def _text(path: str) -> str:
    """The text of a file; empty where it cannot be read, or is no file of this kind by its size."""
    try:
        if os.path.getsize(path) > MAX_BYTES:
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


# --- metadata of the package


def _of_pyproject(path: str) -> Requirements:
    values = _toml(path)
    own = (*_texts(_table(values, "project").get("dependencies")), *_of_poetry(_poetry(values)))
    project = _table(values, "project")
    groups = (*_table(project, "optional-dependencies").values(), *_table(values, "dependency-groups").values())
    others = [text for requirements in groups for text in _texts(requirements)]
    for group in _table(_poetry(values), "group").values():
        others += _of_poetry(group if isinstance(group, dict) else {})
    return Requirements(own, tuple(others))


def _toml(path: str) -> Mapping[str, Any]:
    try:
        return read_document(path).values
    except ConfigError:  # told where its settings are read
        return {}


def _poetry(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return _table(_table(values, "tool"), "poetry")


def _of_poetry(table: Mapping[str, Any]) -> Iterator[str]:
    yield from _named(_table(table, "dependencies"))


def _named(table: Mapping[str, Any]) -> Iterator[str]:
    """Requirements that are written as `name = "version"`, or with the version in a table."""
    for name, version in table.items():
        wanted = version.get("version") if isinstance(version, dict) else version
        if isinstance(wanted, str):
            yield f"{name} {wanted}"


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _texts(values: object) -> Iterator[str]:
    yield from (text for text in values if isinstance(text, str)) if isinstance(values, list) else ()


def _of_setup_cfg(path: str) -> Requirements:
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(_text(path))
    except configparser.Error:
        return Requirements(())
    own = parser.get("options", "install_requires", fallback="").splitlines()
    section = "options.extras_require"
    extras = [text for _, text in parser.items(section)] if parser.has_section(section) else []
    return Requirements(tuple(own), tuple(line for text in extras for line in text.splitlines()))


def _of_setup_py(path: str) -> Requirements:
    import ast

    try:
        tree = ast.parse(_text(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Requirements(())
    assigned = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_setup(node.func))
    given = {keyword.arg: keyword.value for call in calls for keyword in call.keywords}
    own, extras = (tuple(_strings(given.get(name), assigned)) for name in ("install_requires", "extras_require"))
    return Requirements(own, extras)


def _is_setup(function: ast.expr) -> bool:
    return getattr(function, "attr", getattr(function, "id", "")) == "setup"


def _strings(value: ast.expr | None, assigned: Mapping[str, ast.expr]) -> Iterator[str]:
    """The strings in an expression, and in the lists of the module that it names: `core + ["flax"]`."""
    import ast

    for part in () if value is None else ast.walk(value):
        if isinstance(part, ast.Name) and part.id in assigned:
            yield from _strings(assigned[part.id], {})
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


# --- what tools install


_REQUIREMENTS_FILE: Final = re.compile(r"requirements[\w.-]*\.(?:txt|in)\Z", re.IGNORECASE)
_INCLUDED: Final = re.compile(r"(?:-r|--requirement)[ =]?\s*(\S+)")


def _of_requirements_files(folder: str) -> Iterator[Requirements]:
    inner = os.path.join(folder, "requirements")
    found = [(folder, name) for name in _listed(folder) if _REQUIREMENTS_FILE.match(name)]
    found += [(inner, name) for name in _listed(inner) if name.endswith((".txt", ".in"))]
    for directory, name in found:
        yield Requirements(tuple(_lines(os.path.join(directory, name), frozenset())))


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _lines(path: str, seen: frozenset[str]) -> Iterator[str]:
    """The lines of a file for pip, and of those that it names."""
    if path in seen:
        return
    for line in _text(path).replace("\\\n", " ").splitlines():
        text = re.split(r"(?:^|\s)#|\s--hash", line)[0].strip()
        included = _INCLUDED.match(text)
        if included is not None:
            yield from _lines(os.path.normpath(os.path.join(os.path.dirname(path), included[1])), seen | {path})
        elif not text.startswith("-"):
            yield text


_CONDA_ITEM: Final = re.compile(r"""\s*-\s*["']?(?:[\w.-]+::)?([^"'#]+)""")
_CONDA_PIN: Final = re.compile(r"\s*([\w.-]+)\s*=\s*([\w.*+!-]+)(?:=.*)?\s*\Z")


def _of_environment(path: str) -> Requirements:
    items = (match[1] for line in _text(path).splitlines() if (match := _CONDA_ITEM.match(line)))
    return Requirements(tuple(_of_conda(item.strip()) for item in items))


def _of_conda(item: str) -> str:
    """What conda means by `jax=0.4.20`: any build, and any release that starts so."""
    pinned = _CONDA_PIN.match(item)
    return item if pinned is None else f"{pinned[1]}=={pinned[2].rstrip('.*')}.*"


def _of_pipfile(path: str) -> Requirements:
    values = _toml(path)
    return Requirements(tuple(_named(_table(values, "packages"))), tuple(_named(_table(values, "dev-packages"))))


def _of_pixi_manifest(path: str) -> Requirements:
    return _of_pixi(_toml(path))


def _of_pixi_in_pyproject(path: str) -> Requirements:
    return _of_pixi(_table(_table(_toml(path), "tool"), "pixi"))


def _of_pixi(values: Mapping[str, Any]) -> Requirements:
    features = [each for each in _table(values, "feature").values() if isinstance(each, dict)]
    return Requirements(tuple(_of_feature(values)), tuple(text for each in features for text in _of_feature(each)))


def _of_feature(values: Mapping[str, Any]) -> Iterator[str]:
    """What one part of a pixi manifest installs; a bare version is that release, as conda reads it."""
    for key in ("dependencies", "pypi-dependencies"):
        for requirement in _named(_table(values, key)):
            name, _, version = requirement.partition(" ")
            yield f"{name} =={version}" if version[:1].isdigit() else requirement


_PINS: Final = {
    "environment.yml": _of_environment, "environment.yaml": _of_environment,
    "conda.yml": _of_environment, "conda.yaml": _of_environment, "Pipfile": _of_pipfile,
    "pixi.toml": _of_pixi_manifest, "pyproject.toml": _of_pixi_in_pyproject,
}  # fmt: skip


# --- what tools have chosen


_LOCKED: Final = re.compile(r"""^name = ["']([\w.-]+)["']\r?\nversion = ["']([\w.+!-]+)["']""", re.MULTILINE)


def _of_lock(path: str) -> Requirements:
    return Requirements(tuple(f"{name}=={version}" for name, version in _LOCKED.findall(_text(path))))


def _of_pipfile_lock(path: str) -> Requirements:
    import json

    try:
        values = json.loads(_text(path) or "{}")
    except (ValueError, RecursionError):
        return Requirements(())
    sections = (_table(values, key) if isinstance(values, dict) else {} for key in ("default", "develop"))
    own, others = (tuple(_named(section)) for section in sections)
    return Requirements(own, others)


_LOCKS: Final = {
    "uv.lock": _of_lock, "poetry.lock": _of_lock, "pdm.lock": _of_lock, "pylock.toml": _of_lock,
    "Pipfile.lock": _of_pipfile_lock,
}  # fmt: skip
