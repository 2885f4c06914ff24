"""Dtypes and shapes behind assigned names: what is known for sure, and nothing else."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lsp_client import Client
from jaxlint.lsp.checks import Check
from jaxlint.syntax.deep_stack import run_deep
from tests.lsp.conftest import PUSH
from tests.lsp.test_checks import new_check, update
from tests.lsp.test_wire import hover

HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"


def shown(folder: Path, code: str) -> list[str]:
    """`name: form` for each hint of a file, in order."""
    check: Check = new_check(folder)
    update(check, HEAD + textwrap.dedent(code))
    return [f"{each.name}: {each.text}" for each in run_deep(check.assigned_arrays)]


KNOWN = {
    "a maker": ("x = jnp.zeros((3, 4), jnp.float32)", ["x: float32[3, 4]"]),
    "a scalar": ("x = jnp.ones((), jnp.int32)", ["x: int32[]"]),
    "an operation": (
        "x = jnp.zeros((3, 1), jnp.float32)\ny = x * jnp.ones((4,), jnp.float32)",
        ["x: float32[3, 1]", "y: float32[3, 4]"],
    ),
    "two targets": ("x = y = jnp.zeros(2, bool)", ["x: bool[2]", "y: bool[2]"]),
    "unpacking": ("a, b = jnp.zeros(2, jnp.int8), jnp.zeros(3, jnp.int8)", ["a: int8[2]", "b: int8[3]"]),
    "an annotated target": ("x: jax.Array = jnp.zeros(2, jnp.int8)", ["x: int8[2]"]),
    "one call": (
        "@jax.jit\ndef f(a):\n    b = a.T\n    return b\nf(jnp.zeros((2, 5), jnp.float32))",
        ["b: float32[5, 2]"],
    ),
    "no call": ("def f(a):\n    b = jnp.zeros(3, jnp.int32)\n    return b", ["b: int32[3]"]),
    "a body of a loop": (
        "@jax.jit\ndef f(a):\n    def body(c, x):\n        d = c + x\n        return d, d\n"
        "    total, rows = jax.lax.scan(body, jnp.zeros(4, jnp.float32), a)\n    return total\n"
        "f(jnp.zeros((7, 4), jnp.float32))",
        ["d: float32[4]", "total: float32[4]"],
    ),
    "without the mapped axis": (
        "def f(a):\n    b = a + 1\n    return b\njax.vmap(f)(jnp.zeros((7, 2), jnp.float32))",
        ["b: float32[2]"],
    ),
}  # fmt: skip

UNKNOWN = {
    "a parameter": "def f(a):\n    b = a + 1\n    return b",
    "an annotation": "def f(a: jax.Array):\n    b = a + 1\n    return b",
    "calls that differ": (
        "def f(a):\n    b = a + 1\n    return b\nf(jnp.zeros(2, jnp.int32)); f(jnp.zeros(3, jnp.int32))"
    ),
    "more calls than are looked into": (
        "def f(a):\n    b = a + 1\n    return b\n"
        + "".join(f"f(jnp.zeros({n}, jnp.int32))\n" for n in (2, 2, 3, 4, 5, 6, 7, 8, 9))
    ),
    "a recursion": (
        "def f(a, n):\n    b = a + 1\n    return b if n == 0 else f(jnp.stack([b, b]), n - 1)\n"
        "f(jnp.zeros(2, jnp.int32), unknown)"
    ),
    "branches that differ": "import sys\nn = 2 if sys.argv else 3\nx = jnp.zeros(n, jnp.int32)",
    "a size from outside": "import sys\nx = jnp.zeros(len(sys.argv), jnp.int32)",
    "an unknown dtype": "import sys\nx = jnp.zeros(3, sys.argv[0])",
    "a loop that grows": (
        "import sys\n"
        "def g(x):\n    for _ in sys.argv:\n        x = jnp.concatenate([x, x])\n    return x\n"
        "g(jnp.zeros(2, jnp.int32))"
    ),
    "a mask": "def h(a):\n    kept = a[a > 0]\n    return kept\nh(jnp.zeros(4, jnp.int32))",
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_is_shown(tmp_path: Path, name: str) -> None:
    code, expected = KNOWN[name]
    assert shown(tmp_path, code) == expected


@pytest.mark.jax
@pytest.mark.parametrize("name", [name for name, (code, _) in KNOWN.items() if "def " not in code])
def test_it_is_what_jax_makes(name: str) -> None:
    code, expected = KNOWN[name]
    names: dict[str, Any] = {}
    exec(HEAD + code, names)
    for each in expected:
        name, _, form = each.partition(": ")
        assert f"{names[name].dtype}{list(names[name].shape)}" == form


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_certain_is_not(tmp_path: Path, name: str) -> None:
    assert shown(tmp_path, UNKNOWN[name]) == []


def test_an_edit_of_what_is_imported_is_felt(tmp_path: Path) -> None:
    (tmp_path / "sizes.py").write_text("N = 3\n", encoding="utf-8")
    check = new_check(tmp_path)
    update(check, f"{HEAD}from sizes import N\nx = jnp.zeros(N, jnp.int32)\n")
    assert [each.text for each in run_deep(check.assigned_arrays)] == ["int32[3]"]
    (tmp_path / "sizes.py").write_text("N = 45\n", encoding="utf-8")
    check.others_changed()
    assert [each.text for each in run_deep(check.assigned_arrays)] == ["int32[45]"]


SOURCE = (
    HEAD
    + "weights = jnp.zeros((3, 4), jnp.float32)\n\n\n@jax.jit\ndef f(a):\n    b = a.T\n    return b\n\n\nf(weights)\n"
)


def test_hints_are_off_until_they_are_asked_for_and_hovers_are_not(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, SOURCE)
    client.published(uri, 1)
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    asked = {"textDocument": {"uri": uri}, "range": everywhere}
    assert client.request("textDocument/inlayHint", asked) is None
    assert "float32[3, 4]" in hover(client, uri, SOURCE, "weights =")
    assert "float32[4, 3]" in hover(client, uri, SOURCE, "b = a.T")
    client.notify("workspace/didChangeConfiguration", {"settings": {"jaxlint": {"shapeHints": True}}})
    hints = client.request("textDocument/inlayHint", asked)
    assert [(hint["label"], hint["position"]) for hint in hints] == [
        (": float32[3, 4]", {"line": 3, "character": 7}),
        (": float32[4, 3]", {"line": 8, "character": 5}),
    ]
    assert "in every call that is seen from this file" in hints[1]["tooltip"]
