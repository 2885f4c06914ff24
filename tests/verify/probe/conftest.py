"""Children that tests keep are ended with the session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.verify.probe.probing import end_children


@pytest.fixture(autouse=True, scope="session")
def _children() -> Iterator[None]:
    yield
    end_children()
