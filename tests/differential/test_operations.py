"""Operations inside transforms are judged as JAX runs them; `benchmarks/operations.py` takes all of the tables."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from benchmarks.agreement.operations import Leaf, Operand, Operation
from benchmarks.agreement.pairs import TRANSFORMS, judged

pytestmark = pytest.mark.jax

VECTOR = np.array([0.5, 1.0, 2.0], np.float32)
OPERATIONS = [
    Operation("sin", [], [Operand("result", VECTOR, "jnp.sin({x})")], Leaf("y", "f", 1)),
    Operation("argmax", [], [Operand("result", VECTOR, "jnp.argmax({x})")], Leaf("y", "i", 0)),
    Operation("astype", [], [Operand("result", VECTOR, "{x}.astype(int)")], Leaf("y", "i", 1)),
    Operation("zeros", [], [Operand("argument 0", VECTOR[1], "jnp.zeros({x}.astype(int))")]),
]
CHOSEN = [each for each in TRANSFORMS if each.name in {"jit", "vmap", "grad", "jvp", "scan, xs", "vmap of jvp"}]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_an_operation_agrees_in_transforms(operation: Operation) -> None:
    _, pairs = judged(operation, Random(operation.name), CHOSEN)
    assert len(pairs) >= len(CHOSEN)
    assert [pair for pair in pairs if not pair.agrees] == []
