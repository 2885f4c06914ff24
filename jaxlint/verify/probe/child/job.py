"""One job: the module is imported, and each of its targets is traced, executed or compiled as the job says."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from .guard import refusal
from .outline import read_tree

Job = dict[str, Any]


class RefusedError(ImportError):
    """A module of the project would run a program when it is imported."""


class _GuardedFinder(importlib.abc.MetaPathFinder):
    """Refuses modules below the project's folders that would run a program; finds nothing itself."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = tuple(os.path.join(folder, "") for folder in folders)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:  # noqa: ARG002 - Python's own signature
        """Look where Python would, and object before it loads."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        origin = None if spec is None else spec.origin
        if origin and origin.endswith(".py") and origin.startswith(self.folders) and "site-packages" not in origin:
            found = refusal(read_tree(origin)[0])
            if found is not None:
                raise RefusedError(f"{origin}: {found['reason']}")


def run(job: Job, records: Any) -> None:
    """Do a probe job; what happens goes out as records."""
    started = time.perf_counter()
    if not _start_jax(job, records):
        return
    from .stack import ProjectFiles, described_error

    files = ProjectFiles(job["files"], job["roots"])
    sys.path[:] = [*job["sys_path"], *(entry for entry in sys.path if entry)]
    sys.argv = [job["path"]]
    sys.meta_path.insert(0, _GuardedFinder(job["roots"]))
    from .probing import ImportWatch, probe
    from .raised import hazard_of
    from .source_lines import SourceLines

    watch = ImportWatch(job, files)
    try:
        with watch.watching():
            module = _imported(job["module"], job["path"])
    except BaseException as error:  # whatever a module does on import, a SystemExit too, is an answer
        described = described_error(error, files)
        found = hazard_of(described, SourceLines())
        observed = [] if found is None else [found._asdict()]
        refused = isinstance(error, RefusedError)
        records.write("import-failed", error=described, refused=refused, observed=observed, inputs={})
        return
    records.write("imported", seconds=time.perf_counter() - started, run=watch.as_json())
    tree = read_tree(job["path"])[0]
    for target in job["targets"]:
        records.write("begin", target=target["id"])
        try:
            probe(module, tree, target, job, records)
        except Exception as error:  # a defect of the prober costs one target
            reason = (str(error).splitlines() or [""])[0]
            what = f"the prober itself failed: {type(error).__name__}: {reason} (please report it)"
            records.write("run", target=target["id"], unavailable=what)
        records.write("end", target=target["id"])


def _imported(name: str, path: str) -> ModuleType:
    """The module of a file: by its name, as its own imports know it, or by its place where that name is taken."""
    module = sys.modules.get(name) or importlib.import_module(name)
    if os.path.realpath(getattr(module, "__file__", None) or "") == os.path.realpath(path):
        return module
    spec = importlib.util.spec_from_file_location(f"_jaxlint_probed_{name.replace('.', '_')}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded as a module")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _start_jax(job: Job, records: Any) -> bool:
    """Say which JAX it is and, if a platform is asked for, make sure that it is the one in use."""
    import jax
    import jaxlib

    versions = {
        "jax": jax.__version__,
        "jaxlib": getattr(jaxlib, "__version__", ""),
        "python": ".".join(map(str, sys.version_info[:3])),
    }
    wanted = job["platform"]
    if not wanted:
        records.write("target", platform=None, device_kind=None, **versions)
        return True
    platform, kind, problem = _backend(jax)
    if platform != wanted:
        problem = problem or "JAX finds no such device"
        records.write("platform-absent", wanted=wanted, found=platform, message=_missing_plugin(wanted) or problem)
        return False
    records.write("target", platform=platform, device_kind=kind, **versions)
    return True


#: The package that each platform needs beside JAX, any of several.
_PLUGINS = {
    "cuda": ("jax_cuda13_plugin", "jax_cuda12_plugin", "jax_cuda11_plugin"),
    "rocm": ("jax_rocm7_plugin", "jax_rocm60_plugin"),
    "tpu": ("libtpu",),
}


def _missing_plugin(platform: str) -> str:
    """What JAX lacks for a platform; empty where it is there, or nothing is known of it."""
    import importlib.util

    wanted = _PLUGINS.get(platform, ())
    if not wanted or any(importlib.util.find_spec(name) for name in wanted):
        return ""
    return f"JAX has no support for it here: none of {', '.join(wanted)} is installed"


def _backend(jax: Any) -> tuple[str | None, str | None, str]:
    """The platform that JAX computes on and its kind of device; why there is none."""
    try:
        name = jax.default_backend()
        device = jax.devices()[0]
    except Exception as error:
        return None, None, next(iter(str(error).strip().splitlines()), "")
    if name == "gpu":
        version = getattr(device.client, "platform_version", "")
        name = "rocm" if "rocm" in version.lower() else "cuda"
    return name, device.device_kind, ""
