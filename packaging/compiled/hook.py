"""The switch of the build: with `HATCH_BUILD_HOOK_ENABLE_CUSTOM=1`, a wheel also contains what mypyc compiled.

Without it, hatchling does not read this file, and the wheel is pure.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledModules(BuildHookInterface):
    """Adds the compiled modules to a wheel, each beside its source, where Python prefers it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the wheel only points to a checkout."""
        if version != "standard":
            return
        sys.path.insert(0, str(Path(self.root, "packaging", "compiled")))
        from build_compiled import compile_package

        self._folder = Path(tempfile.mkdtemp(prefix="jaxlint-wheel-"))
        for path in compile_package(Path(self.root), self._folder):
            build_data["force_include"][str(path)] = path.relative_to(self._folder).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was compiled; the wheel has it."""
        if version == "standard":
            shutil.rmtree(self._folder)
