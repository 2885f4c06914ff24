"""The server and clients that say they can do what real ones can: each message is checked against the protocol."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.lsp.conftest import environment
from tests.lsp.test_wire import CODE, applied

PROFILES = ("visual-studio-code", "neovim", "emacs")


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[sys.executable, "-m", "jaxlint", "server"], server_env=environment()),
    params=PROFILES,
)
async def editor(request: pytest.FixtureRequest, lsp_client: LanguageClient, project: Path):
    """A client with the capabilities of a real one; one of them asks for diagnostics itself."""
    capabilities = client_capabilities(request.param)
    if request.param == "neovim" and capabilities.text_document is not None:
        capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()
    folder = types.WorkspaceFolder(project.as_uri(), "a")
    parameters = types.InitializeParams(capabilities, root_uri=project.as_uri(), workspace_folders=[folder])

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_: types.RegistrationParams) -> None:
        """Agree, as real clients do."""

    await lsp_client.initialize_session(parameters)
    yield
    await lsp_client.shutdown_session()


def whole(text: str) -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))


async def diagnostics(editor: LanguageClient, uri: str) -> list[types.Diagnostic]:
    """What the editor would show: pushed, or asked for where the server offers that."""
    profile = editor.capabilities.text_document
    if profile is not None and profile.diagnostic is not None:
        identifier = types.TextDocumentIdentifier(uri)
        report = await editor.text_document_diagnostic_async(types.DocumentDiagnosticParams(identifier))
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        assert uri not in editor.diagnostics
        return list(report.items)
    await editor.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(editor.diagnostics[uri])


@pytest.mark.asyncio(loop_scope="function")
async def test_open_hover_fix_and_open_again(editor: LanguageClient, project: Path) -> None:
    uri = (project / "a.py").as_uri()
    editor.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, CODE)))
    found = await diagnostics(editor, uri)
    assert found[0].code == "JX301"
    identifier = types.TextDocumentIdentifier(uri)
    hover = await editor.text_document_hover_async(types.HoverParams(identifier, found[0].range.start))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "JX301" in hover.contents.value
    context = types.CodeActionContext(found, only=[types.CodeActionKind.QuickFix])
    offered = await editor.text_document_code_action_async(types.CodeActionParams(identifier, whole(CODE), context))
    fixes = [action for action in offered or () if isinstance(action, types.CodeAction) and action.is_preferred]
    texts = [applied(CODE, _edits(fix, uri)) for fix in fixes]
    text = next(text for text in texts if "values = values.at[0].set(2.0)" in text)
    event = types.TextDocumentContentChangeWholeDocument(text)
    version = types.VersionedTextDocumentIdentifier(2, uri)
    editor.text_document_did_change(types.DidChangeTextDocumentParams(version, [event]))
    after = await diagnostics(editor, uri)
    assert len(after) == len(found) - 1


@pytest.mark.asyncio(loop_scope="function")
async def test_a_fix_in_a_notebook_lands_in_its_cell(editor: LanguageClient, project: Path) -> None:
    uri = (project / "n.ipynb").as_uri()
    sources = {f"{uri}#a": "import jax.numpy as jnp\n!ls", f"{uri}#b": "  values = jnp.zeros(3)\n  values[0] = 2.0"}
    cells = [types.NotebookCell(types.NotebookCellKind.Code, name) for name in sources]
    notebook = types.NotebookDocument(uri, "jupyter-notebook", 1, cells)
    texts = [types.TextDocumentItem(name, "python", 1, text) for name, text in sources.items()]
    editor.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, texts))
    cell = types.TextDocumentIdentifier(f"{uri}#b")
    everywhere = types.Range(types.Position(0, 0), types.Position(1, 17))
    for kind in (types.CodeActionKind.QuickFix, types.CodeActionKind("source.fixAll")):
        context = types.CodeActionContext([], only=[kind])
        offered = await editor.text_document_code_action_async(types.CodeActionParams(cell, everywhere, context))
        fix = next(each for each in offered or () if isinstance(each, types.CodeAction) and "Disable" not in each.title)
        text = applied(sources[cell.uri], _edits(fix, cell.uri))
        assert text == "  values = jnp.zeros(3)\n  values = values.at[0].set(2.0)"


def _edits(action: types.CodeAction, uri: str) -> list[dict[str, object]]:
    assert action.edit is not None
    if action.edit.document_changes:
        [change] = action.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        edits = [edit for edit in change.edits if isinstance(edit, types.TextEdit)]
    else:
        edits = list((action.edit.changes or {})[uri])
    return [
        {
            "newText": edit.new_text,
            "range": {
                name: {"line": place.line, "character": place.character}
                for name, place in (("start", edit.range.start), ("end", edit.range.end))
            },
        }
        for edit in edits
    ]
