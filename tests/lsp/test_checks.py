"""A document checked again and again is found to hold what a fresh check of the same text finds, by both answers."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxlint.analysis.domain.cancellation import Cancelled
from jaxlint.diagnostics import Diagnostic
from jaxlint.lsp.checks import Check
from jaxlint.lsp.projects import Projects, ServerOptions
from jaxlint.lsp.texts import Text
from jaxlint.syntax.deep_stack import run_deep
from tests.rulebook_blocks import PAGES, without_marks

PIECES = [
    block.split("```")[0].split("\n", 1)[1]
    for page in sorted(PAGES.rglob("*.md"))
    for block in page.read_text(encoding="utf-8").split("```python bad")[1:2]
]


def go_on() -> bool:
    return False


def new_check(folder: Path) -> Check:
    projects = Projects(ServerOptions(isolated=True), folders=[str(folder)])
    check = projects.check(str(folder / "a.py"))
    assert check is not None
    return check


def update(check: Check, text: str, is_stopped: Callable[[], bool] = go_on) -> list[Diagnostic]:
    return run_deep(lambda: check.update(Text(text, "utf-16"), is_stopped))


def told(found: list[Diagnostic]) -> list[tuple[object, ...]]:
    return [(each.rule, each.span, each.message, each.notes, each.fingerprint) for each in found]


def versions(text: str, count: int, seed: int) -> list[str]:
    """The text with one statement more, one less, or one name for another: valid code, or nearly."""
    choose = random.Random(seed)
    found = []
    for _ in range(count):
        lines = text.split("\n")
        line = choose.randrange(len(lines))
        if choose.random() < 0.4:
            del lines[line]
        elif choose.random() < 0.5:
            blanks = lines[line][: len(lines[line]) - len(lines[line].lstrip())]
            lines.insert(line, f"{blanks}extra = 1")
        else:
            lines[line] = lines[line].replace("x", "y")
        text = "\n".join(lines)
        found.append(text)
    return found


@pytest.mark.parametrize("number", range(8))
def test_warm_and_fresh_agree(tmp_path: Path, number: int) -> None:
    choose = random.Random(number)
    text = "\n".join(without_marks(piece) for piece in choose.sample(PIECES, 5))
    warm = new_check(tmp_path)
    update(warm, text)
    for version in versions(text, 6, seed=number):
        quick = update(warm, version)
        whole = run_deep(lambda: warm.complete(go_on))
        assert [each[:2] for each in told(quick)] == [each[:2] for each in told(whole)]
        if not warm.file.mistakes:
            assert told(whole) == told(update(new_check(tmp_path), version))


CODE = textwrap.dedent(
    """\
    import jax
    import jax.numpy as jnp


    def positive(x):
        return x > 0


    @jax.jit
    def step(x):
        if positive(x):
            return x
        return -x


    @jax.jit
    def other(x):
        if x > 1:
            return x
        return jnp.sin(x)
    """
)


def lines(found: list[Diagnostic]) -> list[tuple[str, int]]:
    return [(each.rule, each.span.line) for each in found]


def test_an_edit_of_a_callee_is_felt_by_its_callers_at_once(tmp_path: Path) -> None:
    check = new_check(tmp_path)
    assert lines(update(check, CODE)) == [("traced-branch", 11), ("traced-branch", 18)]
    found = update(check, CODE.replace("return x > 0", "return x.ndim > 0"))
    assert lines(found) == [("traced-branch", 18)]


def test_a_deleted_function_is_felt_too(tmp_path: Path) -> None:
    check = new_check(tmp_path)
    update(check, CODE)
    found = update(check, CODE.replace("def positive(x):\n    return x > 0\n", ""))
    assert ("traced-branch", 9) not in lines(found)
    assert [rule for rule, _ in lines(found)] == ["traced-branch"]


def test_a_half_typed_function_hides_its_own_findings_only(tmp_path: Path) -> None:
    check = new_check(tmp_path)
    update(check, CODE)
    found = update(
        check, CODE.replace("        return jnp.sin(x)", "    return jnp.sin(").replace("    if x > 1", "    if x >")
    )
    assert [rule for rule, _ in lines(found)] == ["syntax-error", "traced-branch"]
    assert lines(update(check, CODE)) == [("traced-branch", 11), ("traced-branch", 18)]


def test_a_suppression_in_a_half_typed_function_is_not_unused(tmp_path: Path) -> None:
    check = new_check(tmp_path)
    text = "import jax\n\n\ndef draw(key):\n    x = jax.random.normal(key)\n"
    text += "    return x + jax.random.normal(key)  # jaxlint: ignore[key-reuse]\n"
    assert update(check, text) == []
    assert [each.rule for each in update(check, f"{text}    if (\n")] == ["syntax-error"]
    assert update(check, text) == []


def test_a_cancelled_analysis_leaves_what_was_known(tmp_path: Path) -> None:
    check = new_check(tmp_path)
    update(check, CODE)
    with pytest.raises(Cancelled):
        update(check, CODE.replace("x > 1", "x > 2"), lambda: True)
    assert lines(update(check, CODE.replace("x > 1", "x > 3"))) == [("traced-branch", 11), ("traced-branch", 18)]


def test_an_import_is_looked_at_once_and_again_when_it_changes(tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text("def positive(x):\n    return x.ndim > 0\n", encoding="utf-8")
    code = CODE.replace("def positive(x):\n    return x > 0\n", "from helper import positive\n")
    check = new_check(tmp_path)
    assert [rule for rule, _ in lines(update(check, code))] == ["traced-branch"]
    assert len(update(check, code.replace("x > 1", "x > 2"))) == 1
    helper.write_text("def positive(x):\n    return x > 0 + 0\n", encoding="utf-8")
    check.others_changed()
    assert len(run_deep(lambda: check.complete(go_on))) == 2
    assert len(update(check, code.replace("x > 1", "x > 3"))) == 2


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(
        "import a\n\n\ndef positive(x):\n    return a.LIMIT + x > 0\n", encoding="utf-8"
    )
    code = CODE.replace("def positive(x):\n    return x > 0\n", "from helper import positive\n\nLIMIT = 1\n")
    check = new_check(tmp_path)
    first = update(check, code)
    assert [rule for rule, _ in lines(first)] == ["traced-branch", "traced-branch"]
    again = update(check, code.replace("x > 1", "x > 2"))
    assert lines(again) == lines(first)
