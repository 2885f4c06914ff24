"""What a client may do about a finding: fix it, silence it, read its page, or verify the function that it is in."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lsprotocol import types

from jaxlint.diagnostics import Applicability, Diagnostic, Edit, Span
from jaxlint.lsp.capabilities import FIX_ALL, OPEN_PAGE, VERIFY
from jaxlint.lsp.open_documents import Document, Part, overlaps, uri_of

KINDS: Final = (types.CodeActionKind.QuickFix, FIX_ALL)

_HEADING: Final = re.compile(r"(?:#![^\n]*\n)?(?:#[^\n]*coding[:=][^\n]*\n)?")
_FILE_IGNORE: Final = re.compile(r"^#\s*jaxlint\s*:\s*file-ignore\s*\[(?P<rules>[^\]\n]*)\]", re.MULTILINE)
_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+\Z")


@dataclass(frozen=True, slots=True)
class Client:
    """What the client can do with actions: edits that name a version, and showing a document."""

    takes_versions: bool = False
    shows_documents: bool = False


def wants(kinds: Sequence[str] | None, kind: str) -> bool:
    """Whether a client that asks for these kinds of actions wants one of this kind; without kinds, it wants all."""
    return kinds is None or any(kind == wanted or kind.startswith(f"{wanted}.") for wanted in kinds)


def for_findings(
    document: Document,
    part: Part,
    where: types.Range,
    found: Iterable[tuple[Diagnostic, types.Diagnostic]],
    client: Client,
) -> Iterator[types.CodeAction]:
    """The actions for the findings at a place of a part; fixes first."""
    here = [
        (diagnostic, shown)
        for diagnostic, shown in found
        if document.part_at(diagnostic.span.line) is part and overlaps(shown.range, where)
    ]
    for diagnostic, shown in here:
        yield from _fixes(document, diagnostic, shown, client)
    for diagnostic, shown in here:
        if diagnostic.family != "engine":
            yield from _silencing(document, diagnostic, shown, client)
    for rule, shown in {diagnostic.rule: shown for diagnostic, shown in here if diagnostic.family != "engine"}.items():
        if client.shows_documents:
            command = types.Command("Open the page", OPEN_PAGE, arguments=[rule])
            yield types.CodeAction(f"Open the page of {rule}", types.CodeActionKind.QuickFix, [shown], command=command)


def verifying(uri: str, name: str) -> types.CodeAction:
    """The action that verifies a function."""
    command = types.Command("Verify", VERIFY, arguments=[uri, name])
    return types.CodeAction(f"Verify `{name}` with JAX", types.CodeActionKind.QuickFix, command=command)


def fix_all(document: Document, texts: Sequence[str], client: Client) -> types.CodeAction | None:
    """The action that gives the parts of a document these texts; None where they have them."""
    edits = [
        edit
        for part, text in zip(document.parts, texts, strict=True)
        for edit in _differences(document, part.text.code, text, part.first)
    ]
    if not edits:
        return None
    return types.CodeAction("Fix all jaxlint problems", FIX_ALL, edit=_workspace_edit(document, edits, client))


def _fixes(
    document: Document, diagnostic: Diagnostic, shown: types.Diagnostic, client: Client
) -> Iterator[types.CodeAction]:
    fix = diagnostic.fix
    if fix is None or fix.applicability is Applicability.DISPLAY_ONLY:
        return
    is_safe = fix.applicability is Applicability.SAFE
    title = fix.title if is_safe else f"{fix.title} (may change what it does{f': {fix.reason}' if fix.reason else ''})"
    edit = _workspace_edit(document, fix.edits, client)
    yield types.CodeAction(title, types.CodeActionKind.QuickFix, [shown], is_preferred=is_safe or None, edit=edit)


def _silencing(
    document: Document, diagnostic: Diagnostic, shown: types.Diagnostic, client: Client
) -> Iterator[types.CodeAction]:
    """Comments that silence a rule on the line, and in the file; a cell is a file of its own for them."""
    from jaxlint.edit.add_ignores import ignore_edits
    from jaxlint.fixes.edits import put
    from jaxlint.syntax import documents

    text = document.text.code
    edits = ignore_edits(documents.Document(text, text, "utf-8", document.layout), [diagnostic])
    line = list(_differences(document, text, put(text, edits)))
    for title, changes in (
        (f"Disable {diagnostic.rule} for this line", line),
        (f"Disable {diagnostic.rule} for this file", [_file_ignore(document, diagnostic)]),
    ):
        edit = _workspace_edit(document, changes, client)
        yield types.CodeAction(title, types.CodeActionKind.QuickFix, [shown], edit=edit)


def _file_ignore(document: Document, diagnostic: Diagnostic) -> Edit:
    """A rule more in the comment of the file that silences some, or such a comment below the first lines."""
    part = document.part_at(diagnostic.span.line)
    text = part.text.code
    known = _FILE_IGNORE.search(text)
    if known is not None:
        rules = [rule.strip() for rule in known["rules"].split(",") if rule.strip()]
        at, new = known.end("rules"), f"{', ' if rules else ''}{diagnostic.rule}"
    else:
        heading = _HEADING.match(text)
        at, new = heading.end() if heading else 0, f"# jaxlint: file-ignore[{diagnostic.rule}]\n"
    line = text.count("\n", 0, at) + 1 + part.first
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return Edit(document.path, Span(line, column, line, column), new)


def _differences(document: Document, old: str, new: str, above: int = 0) -> Iterator[Edit]:
    """What makes a text another, line by line; `above` it are lines of the document."""
    before, after = _LINE.findall(old), _LINE.findall(new)
    for tag, first, last, start, end in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _line_edit(document, first + above, "".join(before[first:last]), "".join(after[start:end]))


def _line_edit(document: Document, first: int, old: str, new: str) -> Edit:
    """Whole lines replaced, but for what stays of the first and last: an edit never reaches into the next part."""
    shorter = min(len(old), len(new))
    same = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    ends = next((i for i in range(shorter - same) if old[-1 - i] != new[-1 - i]), shorter - same)
    start, stop = old[:same], old[: len(old) - ends]
    return Edit(document.path, Span(*_after(first, start), *_after(first, stop)), new[same : len(new) - ends])


def _after(line: int, text: str) -> tuple[int, int]:
    """Line and column, from 1, behind a text that starts on a line, from 0."""
    return line + text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1


def _workspace_edit(document: Document, edits: Iterable[Edit], client: Client) -> types.WorkspaceEdit:
    by_part: dict[str, tuple[int | None, list[Any]]] = {}
    for edit in edits:
        if edit.path != document.path:
            plain = types.Range(
                types.Position(edit.span.line - 1, edit.span.column - 1),
                types.Position(edit.span.end_line - 1, edit.span.end_column - 1),
            )
            by_part.setdefault(uri_of(edit.path), (None, []))[1].append(types.TextEdit(plain, edit.text))
            continue
        part = document.part_at(edit.span.line)
        by_part.setdefault(part.uri, (part.version, []))[1].append(types.TextEdit(part.range(edit.span), edit.text))
    if not client.takes_versions:
        return types.WorkspaceEdit(changes={uri: edits for uri, (_, edits) in by_part.items()})
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), edits)
            for uri, (version, edits) in by_part.items()
        ]
    )
