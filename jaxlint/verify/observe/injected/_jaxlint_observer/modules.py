"""Runs something once a module has been imported, without importing it first."""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from . import records

_Install = Callable[[ModuleType], None]
_waiting: dict[str, _Install] = {}


def on_import(name: str, install: _Install) -> None:
    """Call `install` with the module `name` as soon as it is executed; now, where it is already."""
    module = sys.modules.get(name)
    if module is not None:
        records.guarded(install)(module)
        return
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    _waiting[name] = install


class _Finder(importlib.abc.MetaPathFinder):
    """Finds nothing itself: lets the others find a module that is waited for, and hooks into its loader."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        install = _waiting.pop(name, None)
        if install is None:
            return None
        spec = _find_elsewhere(self, name, path, target)
        if spec is None or spec.loader is None:
            _waiting[name] = install
        else:
            _hook(spec.loader, install)
        return spec


def _find_elsewhere(
    own: _Finder, name: str, path: Sequence[str] | None, target: ModuleType | None
) -> importlib.machinery.ModuleSpec | None:
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        if finder is own or find is None:
            continue
        spec: importlib.machinery.ModuleSpec | None = find(name, path, target)
        if spec is not None:
            return spec
    return None


def _hook(loader: Any, install: _Install) -> None:
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        with contextlib.suppress(AttributeError):
            del loader.exec_module
        execute(module)
        records.guarded(install)(module)

    try:
        loader.exec_module = exec_module
    except AttributeError as error:  # a loader that takes no attributes: the module stays as it is
        records.fault("hook", error)
