"""Lowering and compiling a target: seconds, operations, bytes, memory, and whether absent platforms would take it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax

from .boundary import boundary
from .inputs import Inputs


def report(function: Callable[..., Any], inputs: Inputs, job: dict[str, Any]) -> dict[str, Any]:
    """Lower the function on its inputs, compile it where the job asks for that, and lower it for other platforms."""
    jitted = jax.jit(boundary(function, inputs))
    result: dict[str, Any] = {"lowered_for": {p: lower_for(jitted, inputs, p) for p in job["lower_for"]}}
    if not job["compile"]:
        return result
    try:
        started = time.perf_counter()
        lowered = jitted.lower(*inputs.leaves())
        result["lower_seconds"] = time.perf_counter() - started
        started = time.perf_counter()
        compiled = lowered.compile()
        result["compile_seconds"] = time.perf_counter() - started
    except Exception as error:
        result["error"] = _line(error)
        return result
    result["cost"] = {**_cost(compiled), "memory": _memory(compiled)}
    return result


def lower_for(jitted: Any, inputs: Inputs, platform: str) -> str | None:
    """None where the function can be lowered for a platform, else why not, in one line."""
    try:
        if hasattr(jitted, "trace"):
            jitted.trace(*inputs.leaves()).lower(lowering_platforms=(platform,))
        else:
            from jax import export

            export.export(jitted, platforms=[platform])(*inputs.leaves())
    except Exception as error:
        return _line(error)
    return None


def _cost(compiled: Any) -> dict[str, float | None]:
    try:
        found = compiled.cost_analysis()
    except Exception:  # not every backend analyses
        found = None
    if isinstance(found, (list, tuple)):  # one per device in older releases
        found = found[0] if found else None
    return {"flops": (found or {}).get("flops"), "bytes_accessed": (found or {}).get("bytes accessed")}


def _memory(compiled: Any) -> dict[str, int | None]:
    try:
        found = compiled.memory_analysis()
    except Exception:
        found = None
    names = ("argument", "output", "temp", "generated_code")
    return {f"{name}_bytes": getattr(found, f"{name}_size_in_bytes", None) for name in names}


def _line(error: Exception) -> str:
    first = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {first}"[:300]
