"""Real editors with the real server: what a person sees and does in each, step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.clients.editors import EDITORS, Client
from tests.clients.steps import EXTRA_STEPS, STEPS, Report, steps_of


@pytest.fixture(scope="module", params=EDITORS, ids=lambda editor: editor.name)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of one editor, which is run once."""
    editor: Client = request.param
    if editor.missing:
        pytest.skip(editor.missing)
    report = editor.run(tmp_path_factory.mktemp("client"))
    assert "failure" not in report, report["failure"]
    assert report["missed"] == []
    return report


@pytest.mark.parametrize("step", [*STEPS, *EXTRA_STEPS.values()], ids=lambda step: step.__name__)
def test_editor(seen: dict[str, Any], step: Callable[[Report], None]) -> None:
    if step not in steps_of(seen):
        pytest.skip("this editor, or this version of it, shows no such thing, or JAX is not installed")
    step(seen)
