"""Records what JAX traces and compiles in the process that loads it; needs nothing but the standard library.

Runs in the user's interpreter, on any JAX from 0.4.30. Nothing in it may change the program: what goes wrong here is
swallowed, counted and told (`records.guarded`).
"""

from __future__ import annotations

from . import cells, changes, host, lifecycle, modules, points, records, runs, transforms

_armed = False


def arm() -> None:
    """Start recording, and wait for JAX to be imported. Doing so twice is doing so once."""
    global _armed  # noqa: PLW0603 - one process is armed once
    if _armed:
        return
    _armed = True
    lifecycle.start()
    lifecycle.after_fork(runs.forget)
    modules.on_import("jax", transforms.install)
    for name, install in transforms.LATER.items():
        modules.on_import(name, install)
    modules.on_import("IPython.core.compilerop", cells.install)
    records.guarded(points.arm)()
    records.guarded(host.arm)()
    changes.arm()
