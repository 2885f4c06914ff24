"""What a client asks of a place: actions, explanations, words between the lines, and a verification."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from jaxlint.diagnostics import Diagnostic
from jaxlint.lsp import actions, hover, inlay, verification
from jaxlint.lsp.capabilities import FIX_ALL, OPEN_PAGE, VERIFY
from jaxlint.lsp.open_documents import Document, Part, overlaps
from jaxlint.lsp.server import Server
from jaxlint.report.page_address import installed_page
from jaxlint.text import escape

if TYPE_CHECKING:
    from jaxlint.lsp.checks import Check

_RUN: Final = "Run it"


def add_features(server: Server) -> None:
    """Add them to a server."""
    _add_actions(server)
    _add_hover(server)
    _add_inlay(server)
    _add_commands(server)


async def _ask(ls: Server, document: Document, question: Callable[[Check], Any], otherwise: Any) -> Any:  # noqa: ANN401
    """What the check of a document answers, once it knows this version; else what stands for no answer."""
    await ls.scheduler.findings(document.uri)

    def work() -> Any:  # noqa: ANN401 - what the question gives
        check = ls.scheduler.projects.check(document.path)
        return otherwise if check is None or check.file.text != document.text.code else question(check)

    return await ls.worker.run(work)


# --- actions


def _add_actions(server: Server) -> None:
    options = types.CodeActionOptions(code_action_kinds=list(actions.KINDS))

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        found = ls.document_of(params.text_document.uri)
        if found is None:
            return []
        document, part = found
        only = params.context.only
        offered: list[types.CodeAction] = []
        if actions.wants(only, types.CodeActionKind.QuickFix):
            offered += await _quick_fixes(ls, document, part, params.range)
        if only is not None and actions.wants(only, FIX_ALL):
            texts = [each.text.code for each in document.parts]
            fixed = await _ask(ls, document, lambda check: check.fixed(texts), None)
            every = None if fixed is None else actions.fix_all(document, fixed, ls.client)
            offered += [every] if every else []
        return offered


async def _quick_fixes(ls: Server, document: Document, part: Part, where: types.Range) -> list[types.CodeAction]:
    findings = await ls.scheduler.fixable(document.uri)
    if findings is None or findings.document is not document:
        return []
    found = [(diagnostic, shown) for _, diagnostic, shown in ls.converted(findings)]
    offered = list(actions.for_findings(document, part, where, found, ls.client))
    line, _ = document.place(part, where.start)
    name = await _ask(ls, document, lambda check: check.function_at(line), "")
    if name and document.path.endswith(".py"):
        offered.append(actions.verifying(document.uri, name))
    return offered


# --- explanations


def _add_hover(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        found = ls.document_of(params.text_document.uri)
        if found is None:
            return None
        document, part = found
        text = await _hover(ls, document, part, params.position)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text)) if text else None


async def _hover(ls: Server, document: Document, part: Part, position: types.Position) -> str:
    line, column = document.place(part, position)
    code = document.text.line(line - 1)
    rules = hover.suppressed_at(code, column)
    if rules:
        return hover.joined([hover.of_rule(rule) for rule in rules])
    here = await _findings_at(ls, document, part, position)
    pieces = [hover.of_finding(diagnostic) for diagnostic in here]
    word = hover.word_at(code, column)
    if word is not None:
        notes = await _ask(ls, document, lambda check: check.explain(line, column), [])
        pieces.insert(0, hover.of_name(notes, line, word))
    return hover.joined(pieces)


async def _findings_at(ls: Server, document: Document, part: Part, position: types.Position) -> list[Diagnostic]:
    findings = await ls.scheduler.findings(document.uri)
    if findings is None or findings.document is not document:
        return []
    place = types.Range(position, position)
    return [found for own, found, shown in ls.converted(findings) if own is part and overlaps(shown.range, place)]


# --- between the lines


def _add_inlay(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        found = ls.document_of(params.text_document.uri)
        if found is None or not (ls.settings.inlay_hints or ls.settings.shape_hints):
            return None
        document, part = found

        def hints(check: Check) -> list[types.InlayHint]:
            shown: list[types.InlayHint] = []
            if ls.settings.inlay_hints:
                shown += inlay.hints(document, part, params.range, check.source, check.traced_functions())
            if ls.settings.shape_hints:
                shown += inlay.shapes(document, part, params.range, check.source, check.assigned_arrays())
            return shown

        return await _ask(ls, document, hints, [])  # type: ignore[no-any-return]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        found = ls.document_of(params.text_document.uri)
        if found is None or not ls.settings.code_lens or not found[0].path.endswith(".py"):
            return None
        document, part = found
        figures = ls.figures.get(document.path, {})

        def lenses(check: Check) -> list[types.CodeLens]:
            return list(inlay.lenses(document, part, check.source, check.traced_functions(), figures))

        return await _ask(ls, document, lenses, [])  # type: ignore[no-any-return]


# --- commands


def _add_commands(server: Server) -> None:
    @server.command(OPEN_PAGE)
    async def open_page(ls: Server, rule: str) -> None:
        uri = installed_page(rule)
        if uri is not None:
            await ls.window_show_document_async(types.ShowDocumentParams(uri, take_focus=True))

    @server.command(VERIFY)
    async def verify(ls: Server, uri: str, name: str) -> None:
        document = ls.scheduler.documents.get(uri)
        if document is not None:
            ls.later(_verify(ls, document, name))


async def _verify(ls: Server, document: Document, name: str) -> None:
    """Ask, and if the person agrees, verify and tell."""
    if await _is_unsaved(ls, document):
        _show(ls, f"save {escape(document.path)} first: a verification runs what is on disk", types.MessageType.Warning)
        return
    python = ls.settings.python or "this Python"
    request = types.ShowMessageRequestParams(
        types.MessageType.Info,
        f"jaxlint: {verification.question(document.path, name, python)}",
        [types.MessageActionItem(_RUN), types.MessageActionItem("Cancel")],
    )
    answer = await ls.window_show_message_request_async(request)
    if answer is None or answer.title != _RUN:
        return
    outcome = await _with_progress(ls, document, name)
    if outcome is None:
        return
    ls.figures.setdefault(document.path, {})[name] = outcome.figures
    kind = types.MessageType.Warning if outcome.is_failure else types.MessageType.Info
    _show(ls, outcome.message, kind)
    workspace = ls.client_capabilities.workspace
    if ls.settings.code_lens and workspace and workspace.code_lens and workspace.code_lens.refresh_support:
        ls.workspace_code_lens_refresh(None)


async def _is_unsaved(ls: Server, document: Document) -> bool:
    on_disk = await ls.worker.run(lambda: ls.scheduler.projects.text(document.path))
    return on_disk is None or on_disk.code != document.text.code


async def _with_progress(ls: Server, document: Document, name: str) -> verification.Outcome | None:
    """Verify while the client shows that something goes on; None where the person cancelled it."""
    root = await ls.worker.run(lambda: ls.scheduler.projects.root(document.path))
    work = asyncio.ensure_future(
        verification.verify(document.path, name, root, ls.settings.python, ls.settings.verify_timeout)
    )
    window = ls.client_capabilities.window
    token = str(uuid.uuid4())
    shows = bool(window and window.work_done_progress)
    if shows:
        await ls.work_done_progress.create_async(token)
        ls.work_done_progress.tokens[token].add_done_callback(lambda _: work.cancel())
        begin = types.WorkDoneProgressBegin(title=f"Verifying {name}", cancellable=True)
        ls.work_done_progress.begin(token, begin)
    try:
        return await work
    except asyncio.CancelledError:
        return None
    finally:
        if shows:
            ls.work_done_progress.end(token, types.WorkDoneProgressEnd())


def _show(ls: Server, message: str, kind: types.MessageType) -> None:
    ls.window_show_message(types.ShowMessageParams(kind, f"jaxlint: {message}"))
