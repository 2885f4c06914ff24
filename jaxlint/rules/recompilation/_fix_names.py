"""Options of `jit` that name what is not there, mended by what they seem to mean."""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches
from typing import Any, Final, NamedTuple

from jaxlint.fixes.code import Change, Code
from jaxlint.rules.recompilation._fix_options import option
from jaxlint.syntax import ir
from jaxlint.syntax.ir import ParameterKind

#: How alike two names are of which one is the other, misspelt: some letters, or a word written shorter.
_MISSPELT: Final = 0.8


class Repair(NamedTuple):
    """The changes that mend options of `jit`, and what was guessed, if anything was."""

    changes: list[Change]
    guess: str = ""


def repaired(code: Code, call: ir.Call, function: ir.Function) -> Repair | None:
    """What mends all options of a call; None where one cannot be."""
    names = [p.name for p in function.parameters if p.kind in (ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY)]
    changes: list[Change] = []
    guessed = ""
    for key in ("static_argnames", "donate_argnames"):
        mended = _names(code, option(call, key), names)
        if mended is None:
            return None
        changes += mended.changes
        guessed = mended.guess or guessed
    for key in ("static_argnums", "donate_argnums"):
        moved = _numbers(code, call, key, function)
        if moved is None:
            return None
        changes += moved.changes
        guessed = moved.guess or guessed
    return Repair(changes, guessed) if changes else None


def _elements(value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - an expression
    return value.elements if isinstance(value, ir.SequenceDisplay) else (value,)


def _names(code: Code, value: Any, names: list[str]) -> Repair | None:  # noqa: ANN401 - an expression
    """The changes that make each text the name of a parameter."""
    if value is None:
        return Repair([])
    elements = _elements(value)
    if not all(isinstance(element, ir.Constant) and isinstance(element.value, str) for element in elements):
        return None
    listed = {element.value for element in elements}
    changes, guessed = [], ""
    for element in elements:
        if element.value in names:
            continue
        several = [part.strip() for part in element.value.split(",")]
        if len(several) > 1 and all(part in names for part in several):
            text = ", ".join(f'"{part}"' for part in several)
            changes.append(Change(*code.span(element.at), f"({text})" if element.at == value.at else text))
            continue
        close = _closest(element.value, [name for name in names if name not in listed])
        if close is None:
            return None
        written = code.segment(element.at)
        changes.append(Change(*code.span(element.at), written.replace(element.value, close)))
        if not _is_misspelt(element.value, close, names):
            guessed = f"`{close}` is the closest name"
    return Repair(changes, guessed)


def _is_misspelt(wrong: str, meant: str, names: list[str]) -> bool:
    """Whether a name can be no other one, misspelt: it is much like that, and like no other."""
    alike = {name: SequenceMatcher(None, wrong.lower(), name.lower()).ratio() for name in names}
    return alike.pop(meant) >= _MISSPELT and all(ratio < _MISSPELT for ratio in alike.values())


def _closest(wrong: str, names: list[str]) -> str | None:
    """The one name that goes on where the wrong one stops, or is most like it."""
    longer = [name for name in names if name.startswith(wrong)]
    if len(longer) == 1:
        return longer[0]
    close = get_close_matches(wrong, names, 2, 0.7)
    return close[0] if close and (len(close) == 1 or not longer) else None


def _numbers(code: Code, call: ir.Call, key: str, function: ir.Function) -> Repair | None:
    """The changes that make each index one of a positional parameter; keyword-only ones are named instead."""
    value = option(call, key)
    if value is None:
        return Repair([])
    elements = _elements(value)
    if not all(isinstance(element, ir.Constant) and isinstance(element.value, int) for element in elements):
        return None
    count = sum(p.kind <= ParameterKind.POSITIONAL for p in function.parameters)
    wrong = [element for element in elements if not -count <= element.value < count]
    if not wrong:
        return Repair([])
    index = wrong[0].value
    if len(wrong) > 1 or not 0 <= index <= len(function.parameters):
        return None
    is_named = index < len(function.parameters) and function.parameters[index].kind is ParameterKind.KEYWORD_ONLY
    other = key.replace("argnums", "argnames")
    if is_named and option(call, other) is None:
        return _named(code, key, value, wrong[0], function.parameters[index].name)
    if len(elements) > 1 or index != count or count == 0 or is_named:
        return None
    return Repair([Change(*code.span(wrong[0].at), str(index - 1))], "indices count from 0")


def _named(code: Code, key: str, value: Any, element: Any, name: str) -> Repair:  # noqa: ANN401
    """Name a keyword-only parameter, which has no index."""
    elements = _elements(value)
    kept = [code.segment(other.at) for other in elements if other.at != element.at]
    named = f'{key.replace("argnums", "argnames")}="{name}"'
    start, end = code.outer(value.at)
    if not kept:
        return Repair([Change(code.token_before(code.token_before(start)[0])[0], end, named)])
    shown = kept[0] if len(kept) == 1 else f"({', '.join(kept)})"
    return Repair([Change(start, end, f"{shown}, {named}")])
