"""What the server can do, as the protocol writes it: known without the packages that speak the protocol."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.version import VERSION

NAME: Final = "jaxlint"
QUICK_FIX: Final = "quickfix"
FIX_ALL: Final = "source.fixAll.jaxlint"
OPEN_PAGE: Final = "jaxlint.openPage"
VERIFY: Final = "jaxlint.verify"
#: Notebooks whose Python cells a client is asked to keep in step.
NOTEBOOKS: Final = ("jupyter-notebook", "interactive")
#: Units that columns can be counted in; the first is what a client means that names none.
ENCODINGS: Final = ("utf-16", "utf-8", "utf-32")
_INCREMENTAL: Final = 2


def initialize_result(client: dict[str, Any]) -> dict[str, Any]:
    """The answer to `initialize` for a client with these capabilities."""
    capabilities = {
        "positionEncoding": _encoding(client),
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": True},
        "hoverProvider": True,
        "codeActionProvider": {"codeActionKinds": [QUICK_FIX, FIX_ALL]},
        "codeLensProvider": {"resolveProvider": False},
        "inlayHintProvider": {"resolveProvider": False},
        "executeCommandProvider": {"commands": [OPEN_PAGE, VERIFY]},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
        },
    }
    if _at(client, "notebookDocument") is not None:
        capabilities["notebookDocumentSync"] = _notebooks()
    if _at(client, "textDocument", "diagnostic") is not None:
        pulled = {"interFileDependencies": True, "workspaceDiagnostics": True, "identifier": NAME}
        capabilities["diagnosticProvider"] = pulled
    return {"capabilities": capabilities, "serverInfo": {"name": NAME, "version": VERSION}}


def _encoding(client: dict[str, Any]) -> str:
    """The first of the client's units that the server can count in."""
    wanted = _at(client, "general", "positionEncodings")
    known = (each for each in (wanted if isinstance(wanted, list) else ()) if each in ENCODINGS)
    return next(known, ENCODINGS[0])


def _notebooks() -> dict[str, Any]:
    kinds = [{"notebook": {"notebookType": kind}, "cells": [{"language": "python"}]} for kind in NOTEBOOKS]
    return {"notebookSelector": kinds, "save": True}


def _at(value: Any, *keys: str) -> Any:  # noqa: ANN401 - JSON
    """What stands under keys in objects within objects; None where nothing does."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
