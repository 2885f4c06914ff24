"""Programs without sense end soon, without a failure, and cost no other file its findings."""

from __future__ import annotations

import pytest

from benchmarks.nonsense import outcome_of, program


@pytest.mark.parametrize("seed", range(20))
def test_nonsense_ends_and_costs_no_other_file(seed: int) -> None:
    assert outcome_of(seed, program(seed)).problems == ()
