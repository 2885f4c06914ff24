"""Write the new name of something that moved: where it is read, imported or given by keyword."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import Named, import_of, name_of
from jaxlint.rules.migration._fix_imports import rename_imports
from jaxlint.syntax import ir


class Rename(NamedTuple):
    """A name, what to write instead, whether that means the same, and the release that brings it where not all have it.

    Without a new name the fix can only take an import away that nothing uses.
    """

    old: str
    new: str = ""
    same: str = "no"
    missing_until: str = ""


def rename(request: FixRequest, code: Code) -> Fix | None:
    """The fix of one read, call or import statement; all that it names, or nothing."""
    renames = [Rename(*word.split(" ")) for word in request.words]
    node = code.node(request.at)
    changes: tuple[Change, ...] | None
    match node:
        case ir.Import():
            changes = rename_imports(
                code, node, [(each.old, each.new if each.same != "no" else "") for each in renames]
            )
        case ir.Attribute() if len(renames) == 1 and renames[0].same != "no":
            changes = _read(code, node, renames[0])
        case ir.Call() if all(each.same != "no" for each in renames):
            changes = tuple(_keywords(code, node, renames))
        case _:
            changes = None
    if not changes:
        return None
    return code.fix(_title(renames), changes, *_applicability(renames))


def _title(renames: list[Rename]) -> str:
    new = [each.new.rpartition("(")[2] for each in renames if each.same != "no"]
    return f"Use {', '.join(f'`{name}`' for name in new)}" if new else "Remove the unused import"


def _applicability(renames: list[Rename]) -> tuple[Applicability, str]:
    later = next((each for each in renames if each.missing_until and each.same != "no"), None)
    if later is not None:
        return Applicability.UNSAFE, f"releases before {later.missing_until} do not have `{later.new}`"
    unlike = next((each for each in renames if each.same == "likely"), None)
    if unlike is not None:
        return Applicability.UNSAFE, f"`{unlike.new}` differs from `{unlike.old}` in some cases"
    return Applicability.SAFE, ""


def _read(code: Code, node: ir.Attribute, change: Rename) -> tuple[Change, ...] | None:
    named = _named(code, node.at, change.new)
    if named is None:
        return None
    return (Change(*code.span(node.at), named.text), *named.changes)


def _named(code: Code, at: int, new: str) -> Named | None:
    """What the file calls the new name, importing the module that holds it where `import jax` does not."""
    return name_of(code, at, new) or import_of(code, at, new)


def _keywords(code: Code, call: ir.Call, renames: list[Rename]) -> Iterator[Change]:
    given = {name for name, _ in call.keywords}
    by_name = {each.old.rstrip(")").partition("(")[2]: each.new for each in renames}
    if not given.isdisjoint(by_name.values()) or None in given:
        return
    for name, value in call.keywords:
        new = by_name.get(name or "")
        if new is not None:
            equals = code.token_before(code.outer(value.at)[0])
            yield Change(*code.token_before(equals[0]), new)
