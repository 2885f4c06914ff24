"""Only modules of JAX's frameworks are run by `init` and `apply`."""

from __future__ import annotations

import pytest

from tests.analysis.places import kinds

MODEL = """
import jax
import {library} as nn

class Net(nn.Module):
    def __call__(self, x):
        return x

def start(seed):
    variables = Net().init(jax.random.key(seed), 1.0)
    return variables
"""


@pytest.mark.parametrize(("library", "is_run"), [("flax.linen", True), ("torch.nn", False)])
def test_init_runs_modules_of_jax(library: str, is_run: bool) -> None:
    [kind] = kinds(MODEL.format(library=library), 10, 12)["variables"]
    assert kind.startswith("dict") == is_run
