"""Real editors with the real server: what a person sees and does in each, step by step."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import pytest

from tests.clients.editors import EDITORS, Editor
from tests.clients.steps import STEPS, Report


@pytest.fixture(scope="module", params=EDITORS, ids=lambda editor: editor.name)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of one editor, which is run once."""
    editor: Editor = request.param
    if editor.missing:
        pytest.skip(editor.missing)
    if importlib.util.find_spec("pygls") is None:
        pytest.skip("the server needs the extra `lsp`, which is not installed")
    report = editor.run(tmp_path_factory.mktemp(editor.program))
    assert "failure" not in report, report["failure"]
    assert report["missed"] == []
    return report


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_editor(seen: dict[str, Any], step: Callable[[Report], None]) -> None:
    step(seen)
