"""Fingerprints and causes as a project meets them: renamed variables, baselines of both versions, suppressions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import real_jaxlint_here

FOUR = """\
import jax


def draw(key, n):
    a = jax.random.normal(key, (n,))
    b = jax.random.uniform(key, (n,))
    c = jax.random.normal(key, (n,))
    return a, b, c, jax.random.normal(key, (n,))
"""
#: Uses of one key that fixes of two rules tell apart.
MIXED = """\
import jax


def mixed(key):
    k1, k2 = jax.random.split(key)
    a = jax.random.normal(key)
    b = jax.random.normal(key)
    c = jax.random.fold_in(key, 0)
    return a, b, jax.random.normal(c), jax.random.normal(k1), jax.random.normal(k2)
"""
#: As many calls as fixes that find one at a time would need rounds.
HELPED = """\
import jax


def helper(key):
    key, subkey = jax.random.split(key)
    return jax.random.normal(subkey), key


def helped(key):
""" + "".join(f"    a{i}, _ = helper(key)\n" for i in range(15))


def check(folder: Path, source: str, *arguments: str) -> str:
    (folder / "a.py").write_text(source, encoding="utf-8")
    done = real_jaxlint_here("check", "a.py", "--isolated", "--no-cache", "-j1", *arguments, cwd=folder)
    assert done.code in (0, 1), done.err
    return done.out


def found(folder: Path, source: str, *arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(check(folder, source, "--output-format", "json", *arguments))
    return document


def test_each_further_use_has_a_name_of_its_own_and_all_have_one_cause(tmp_path: Path) -> None:
    report = found(tmp_path, FOUR)
    shown = report["diagnostics"]
    assert [d["line"] for d in shown] == [6, 7, 8]
    assert len({d["fingerprint"] for d in shown}) == 3
    assert {d["cause"] for d in shown} == {shown[0]["fingerprint"]}
    assert report["summary"]["causes"] == 1
    assert "Found 3 errors (1 cause) in 1 file." in check(tmp_path, FOUR)
    silenced = FOUR.replace("uniform(key, (n,))", "uniform(key, (n,))  # jaxlint: ignore[key-reuse]")
    left = found(tmp_path, silenced)["diagnostics"]
    assert [(d["line"], d["fingerprint"], d["cause"]) for d in left] == [
        (d["line"], d["fingerprint"], d["cause"]) for d in shown[1:]
    ]


def test_fingerprints_survive_renamed_variables(tmp_path: Path) -> None:
    before = [d["fingerprint"] for d in found(tmp_path, FOUR)["diagnostics"]]
    renamed = FOUR.replace("key,", "rng,").replace("n)", "size)").replace("(n,", "(size,")
    assert [d["fingerprint"] for d in found(tmp_path, renamed)["diagnostics"]] == before
    moved = FOUR.replace("    a =", "    extra = n + 1\n    a =")
    assert [d["fingerprint"] for d in found(tmp_path, moved)["diagnostics"]] == before
    others = found(tmp_path, FOUR.replace("jax.random.normal", "jax.random.gumbel"))["diagnostics"]
    assert [d["fingerprint"] in before for d in others] == [True, False, False]


def test_a_baseline_of_the_former_version_holds_and_is_upgraded(tmp_path: Path) -> None:
    sarif = json.loads(check(tmp_path, FOUR, "--output-format", "sarif"))
    names = [result["partialFingerprints"] for result in sarif["runs"][0]["results"]]
    rows = [{"path": "a.py", "rule": "key-reuse", "fingerprint": names[0]["jaxlint/v1"], "count": 1}]
    known = tmp_path / "known.json"
    known.write_text(json.dumps({"jaxlint_baseline": 1, "findings": rows}), encoding="utf-8")
    report = found(tmp_path, FOUR, "--baseline", "known.json")
    assert [d["line"] for d in report["diagnostics"]] == [7, 8]  # the use that is known hides no other
    assert report["summary"]["baselined"] == 1
    check(tmp_path, FOUR, "--write-baseline=known.json")
    document = json.loads(known.read_text(encoding="utf-8"))
    assert document["jaxlint_baseline"] == 2
    assert {row["fingerprint"] for row in document["findings"]} == {name["jaxlint/v2"] for name in names}
    assert not found(tmp_path, FOUR.replace("key,", "rng,"), "--baseline", "known.json")["diagnostics"]


@pytest.mark.parametrize("source", [FOUR, MIXED, HELPED], ids=["four", "mixed", "helped"])
def test_fixes_of_many_uses_settle(tmp_path: Path, source: str) -> None:
    check(tmp_path, source, "--fix", "--unsafe-fixes")
    fixed = (tmp_path / "a.py").read_text(encoding="utf-8")
    assert fixed != source
    assert not found(tmp_path, fixed)["diagnostics"]
    assert "fold_in(subkey," not in fixed  # a key that was drawn from
