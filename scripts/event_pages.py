"""The page of the documentation that lists the events, made from their docstrings and fields."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator

from jaxlint.analysis import events
from jaxlint.analysis.events.event import Event

HEAD = """\
# Events

A rule of a [plug-in](plugins.md) receives one of these events. The interpreter emits an event at each operation that a
rule may report. In addition to its own fields, each event has `frame`, `at`, `text`, `trace`, `place` and `diagnostic`.
This page is generated from the docstrings.
"""
INHERITED = frozenset(dir(Event)) | {"confidence"}


def events_page() -> str:
    """Every event by module: its import, what it stands for, its fields and properties."""
    parts = [HEAD]
    for name in sorted(module.name for module in pkgutil.iter_modules(events.__path__)):
        module = importlib.import_module(f"{events.__name__}.{name}")
        found = [value for value in vars(module).values() if is_event(value, module.__name__)]
        if found and name != "event":
            parts += [f"## {name}\n", f"{inspect.getdoc(module)}\n", *map(entry, found)]
    return "\n".join(parts)


def is_event(value: object, module: str) -> bool:
    """Whether a module defines this, and it is an event."""
    return isinstance(value, type) and issubclass(value, Event) and value.__module__ == module


def entry(event: type[Event]) -> str:
    """One event as a section."""
    lines = [f"### {event.__name__}\n", f"`from {event.__module__} import {event.__name__}`\n"]
    lines.append(f"{inspect.getdoc(event)}\n")
    members = [*fields(event), *properties(event)]
    if members:
        lines += ["| member | type | |", "|---|---|---|", *members, ""]
    return "\n".join(lines)


def fields(event: type[Event]) -> Iterator[str]:
    """A row for each field that the event adds to those of every event."""
    own = {name: kind for cls in reversed(event.__mro__) for name, kind in inspect.get_annotations(cls).items()}
    return (f"| `{name}` | `{code(str(kind))}` | |" for name, kind in own.items() if name not in INHERITED)


def properties(event: type[Event]) -> Iterator[str]:
    """A row for each public property and method of its own."""
    for name, value in vars(event).items():
        if name.startswith("_") or name in INHERITED or not isinstance(value, property | type(properties)):
            continue
        function = value.fget if isinstance(value, property) else value
        kind = code(str(inspect.get_annotations(function)["return"]))
        text = (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
        yield f"| `{name}{'' if isinstance(value, property) else '(...)'}` | `{kind}` | {text} |"


def code(text: str) -> str:
    """Text that may stand in a cell of a table."""
    return text.replace("|", "\\|")
