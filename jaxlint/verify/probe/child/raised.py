"""Errors of JAX's catalogue, told as the rule that is about them; other errors say nothing of tracing."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .hazards import Hazard
from .source_lines import SourceLines
from .stack import CONCRETE

_SIZED = re.compile("nonzero|unique|where|argwhere|flatnonzero|union1d|intersect1d|setdiff1d|setxor1d|bincount|repeat")
_NUMBERS = ("float", "int", "complex", "bool", "item", "tolist")

Lines = Callable[[Mapping[str, Any]], "tuple[ast.stmt | None, list[str]]"]


def hazard_of(error: Mapping[str, Any], sources: SourceLines) -> Hazard | None:
    """The defect that an exception shows, at the innermost line of the user's; None for any other exception."""
    frames = error["frames"]
    if not frames:
        return None
    last = frames[-1]
    statement, names = sources.statement(last["path"], last["line"]), sources.names(last["path"], last["line"])
    rule = _rule(error, statement, names)
    if rule is None:
        return None
    kinds = {kind for frame in frames for kind in frame["transforms"]}
    name = error["class"].rpartition(".")[2]
    first = (error["message"].splitlines() or [""])[0]
    return Hazard(rule, last["path"], last["line"], f"tracing ends here: {name}", first[:200], not kinds - CONCRETE)


def _rule(error: Mapping[str, Any], statement: ast.stmt | None, names: list[str]) -> str | None:
    kinds = {base.rpartition(".")[2] for base in error["bases"]}
    for kind, found in _BY_CLASS:
        if kind in kinds:
            return found(error["message"], statement, names)
    return next((rule for kind, text, rule in _BY_MESSAGE if kind in kinds and re.search(text, error["message"])), None)


def _boolean(_message: str, statement: ast.stmt | None, _names: list[str]) -> str:
    return "traced-while" if isinstance(statement, ast.While) else "traced-branch"


def _integer(_message: str, statement: ast.stmt | None, names: list[str]) -> str:
    if "range" in names:
        return "traced-iteration-count"
    is_indexed = statement is not None and any(isinstance(node, ast.Subscript) for node in ast.walk(statement))
    return "traced-container-index" if is_indexed and not names else "traced-shape" if names else "concretization"


def _concrete(message: str, _statement: ast.stmt | None, names: list[str]) -> str:
    if any(name in _NUMBERS for name in names):
        return "concretization"
    if any(_SIZED.fullmatch(name) for name in names) or re.search("size argument|data-dependent", message):
        return "data-dependent-shape"
    return "traced-shape" if re.search("[Ss]hape|statically specified|axis|static", message) else "concretization"


def _always(rule: str) -> Callable[[str, ast.stmt | None, list[str]], str]:
    return lambda _message, _statement, _names: rule


_BY_CLASS: tuple[tuple[str, Callable[[str, ast.stmt | None, list[str]], str]], ...] = (
    ("TracerBoolConversionError", _boolean),
    ("TracerArrayConversionError", _always("numpy-on-tracer")),
    ("NonConcreteBooleanIndexError", _always("boolean-mask-index")),
    ("TracerIntegerConversionError", _integer),
    ("UnexpectedTracerError", _always("leaked-tracer")),
    ("KeyReuseError", _always("key-reuse")),
    ("ConcretizationTypeError", _concrete),
    ("RecursionError", _always("recursive-traced-function")),
)

#: Errors of Python's own classes that JAX raises: class, what the message says, rule.
_BY_MESSAGE = (
    ("TypeError", r"does not support item assignment|arrays are immutable", "in-place-item-assignment"),
    ("TypeError", r"unhashable type: '?\w*Tracer", "tracer-as-key"),
    ("ValueError", r"[Nn]on-hashable static arguments", "unhashable-static-argument"),
    ("TypeError", r"[Ss]hapes must be 1D sequences of (concrete|integer)", "traced-shape"),
    ("IndexError", r"[Aa]rray slice indices must have static|[Ss]lice entries must be static", "traced-slice-bound"),
    ("TypeError", r"unsupported format string passed to \w*Tracer", "tracer-formatting"),
    ("ValueError", r"jitted function has invalid arg(names|nums)|was not found in signature", "static-name-mismatch"),
    ("TypeError", r"is not a valid JAX type|Cannot interpret value of type|as an abstract array",
     "unregistered-pytree"),
    ("AttributeError", r"Tracer.* has no attribute '(fill|resize|put|partition|itemset|setflags)'",
     "in-place-array-method"),
)  # fmt: skip


def swallowed(entries: list[dict[str, Any]], sources: SourceLines) -> Iterator[Hazard]:
    """Tracing errors that a handler of the user's caught without naming them."""
    for entry in entries:
        handler = _handler(sources, entry["path"], entry["handler"])
        if handler is None or re.search("Tracer|Concret|jax", handler):
            continue
        what = f"`except {handler}` catches JAX's own tracing error".replace("except `", "except`")
        yield Hazard(
            "swallowed-trace-error", entry["path"], entry["handler"], what,
            f"{entry['class']} of line {entry['line']} was caught here", entry["own"],
        )  # fmt: skip


def _handler(sources: SourceLines, path: str, line: int) -> str | None:
    """The classes that the handler at a line names, as written; None where no handler is there."""
    statement = sources.statement(path, line)
    handlers = statement.handlers if isinstance(statement, ast.Try) else []
    found = next((h for h in handlers if h.lineno <= line <= (h.end_lineno or h.lineno)), None)
    return None if found is None else "" if found.type is None else ast.unparse(found.type)
