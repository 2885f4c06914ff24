"""The header of a script counts more than the project for the libraries that it names."""

from __future__ import annotations

import pytest

from jaxlint.jaxapi.lifetimes import Lifetimes, Release
from jaxlint.jaxapi.scripts import script_releases

HEADER = """#!/usr/bin/env python
# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "jax>=0.4.30,<0.5",
#     "flax>=0.8",
#     "numpy",
# ]
#
# [tool.uv]
# exclude-newer = "2025-01-01T00:00:00Z"
# ///
import jax
"""


def test_bounds_are_read() -> None:
    old = HEADER.replace("jax>=0.4.30", "jax>=0.3.25")
    assert script_releases(old)[0].oldest is None  # nobody raised it
    assert script_releases(HEADER) == (Release("jax", "0.4.30", "0.4.999999"), Release("flax", "0.8", None))


@pytest.mark.parametrize(
    "text",
    [
        "import jax\n",
        HEADER.replace("# ///\n", ""),
        HEADER.replace("# /// script", "# /// other"),
        HEADER.replace('"numpy",', '"numpy'),
        '# /// script\n# dependencies = ["jax", 3]\n# ///\n',
        '# /// script\n# dependencies = "jax>=0.4.30"\n# ///\n',
        'TEXT = """\n    # /// script\n    # ///\n"""\n',
    ],
)
def test_others_have_none(text: str) -> None:
    assert script_releases(text) == ()


def test_the_project_counts_for_the_rest() -> None:
    project = Lifetimes((0, 10, 0), [Release("jax", "0.6.0", None), Release("flax", "0.10.0", None)])
    script = project.of_script([Release("jax", "0.4.30", None)])
    assert project.unavailable("jax.tree.map_with_path") is None
    assert script.unavailable("jax.tree.map_with_path") is not None
    assert (script.oldest("jax.jit"), script.oldest("flax.nnx.jit")) == ("0.4.30", "0.10.0")
    older = project.of_script([Release("jax", "0.4.20", "0.4.24")])
    assert project.removed("jax.tree_map") is not None
    assert older.removed("jax.tree_map") is None
