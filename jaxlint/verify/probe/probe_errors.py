"""Why a probe could not be made, or what ended it, in one line with the place of the fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def error_text(record: Mapping[str, Any]) -> str | None:
    """Why a probe could not be made, or what ended it, in one line; None where it came to its end."""
    missing = record.get("missing")
    problem = record.get("unavailable") or (f"no source for `{missing}`" if missing else None)
    error = record.get("error")
    if problem or not error:
        return problem
    frames = error["frames"]
    place = f" at line {frames[-1]['line']}" if frames else ""
    first = (error["message"].splitlines() or [""])[0]
    if record.get("stopped"):
        return f"stopped{place}: {first}"
    return f"{error['class']}{place}: {first}" if first else f"{error['class']}{place}"


def unprobed_reason(function: str, record: Mapping[str, Any]) -> str | None:
    """Why a function was not called; None where it was."""
    if "missing" in record:
        return missing_reason(function, record)
    return record.get("unavailable")


def missing_reason(function: str, record: Mapping[str, Any]) -> str:
    """What to add so that a parameter without a source has one."""
    name, kind = record["missing"], record.get("kind")
    if record.get("lost"):
        return (
            f"`{name}` of `{function}` was recorded with `{record['lost']}`, which is not there when the module is "
            f"imported: call `{function}` in the module, `def example(): return {function}(...)`"
        )
    if name in record["given"]:
        return f"`{function}` has no parameter `{name}`"
    if kind:
        return (
            f"`{name}` of `{function}` is a `{kind}`: record it from a run that traces `{function}`, "
            "`jaxlint verify --output-format json -o report.json -- python ...`, and add `--recorded report.json`; "
            f"or call `{function}` on one in the module, `def example(): return {function}({kind}(...), ...)`"
        )
    option = f"`--arg {name}=f32[...]`"
    comment = f"`# jaxlint: spec {name}=f32[...]` above `{function}`"
    run = "`--recorded report.json` of `jaxlint verify --output-format json -o report.json -- python ...`"
    return f"the type of `{name}` of `{function}` is unknown: add {option}, or {comment}, or {run}"
