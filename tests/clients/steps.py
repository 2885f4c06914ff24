"""What a person must see in an editor, step by step, told by the editor's own report."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.clients.project import ROOT, SOURCE

Report = Mapping[str, Any]

#: Code, line, column, end line and end column of what is found, from 1, in characters.
FOUND = [("JX101", 9, 29, 9, 33), ("JX301", 10, 8, 10, 13), ("JX201", 17, 14, 17, 43)]
FIXED = SOURCE.replace("y[0] = 1.0", "y = y.at[0].set(1.0)")
_SECOND = "second = jax.random.normal(key, shape)"


def places(diagnostics: Sequence[Mapping[str, Any]]) -> list[tuple[str, int, int, int, int]]:
    return [(one["code"], one["line"], one["column"], one["end_line"], one["end_column"]) for one in diagnostics]


def shows_diagnostics_on_opening(seen: Report) -> None:
    assert places(seen["opened"]) == FOUND


def shows_what_callers_do_to_a_file_that_is_not_open(seen: Report) -> None:
    [(name, line, message)] = seen["closed"]
    assert (name, line) == ("library.py", 2)
    assert "traced" in message


def shows_what_led_to_a_finding(seen: Report) -> None:
    told = [(*one["evidence"], one["message"]) for one in seen["opened"]]
    assert any("`n` is a parameter of `step`, traced by `jax.jit`" in text for text in told[1])


def follows_the_settings_of_the_editor(seen: Report) -> None:
    assert seen["configured"] == "JX101 JX301"


def shows_a_summary_of_the_rule_on_hover(seen: Report) -> None:
    assert "traced-branch" in seen["hover"]
    assert "what to write instead" in seen["hover"]


def shows_what_is_traced_beside_it(seen: Report) -> None:
    assert seen["hints"] == [[8, " traced"], [8, " traced"]]


def shows_the_shape_of_an_assigned_array(seen: Report) -> None:
    assert "float32[3, 4]" in seen["shape_hover"]
    assert seen["shapes"] == [[21, ": float32[3, 4]"]]


def applies_a_quick_fix(seen: Report) -> None:
    assert seen["fixed"] == FIXED


def takes_back_what_is_fixed(seen: Report) -> None:
    assert seen["after_fix"] == "JX301 JX201"


def undoes_a_fix_in_one_step(seen: Report) -> None:
    assert seen["undone"] == SOURCE


def fixes_all_as_the_command_line_does(seen: Report) -> None:
    assert seen["all_fixed"] == fixed_by_command()


def ignores_a_finding_in_its_line(seen: Report) -> None:
    assert seen["ignored"] == seen["all_fixed"].replace(_SECOND, f"{_SECOND}  # jaxlint: ignore[key-reuse]")
    assert seen["after_ignoring"] == ""


def follows_typing(seen: Report) -> None:
    assert [one["code"] for one in seen["typed"]] == ["JX201"]
    assert "`key` was already used" in seen["typed"][-1]["message"]


def keeps_findings_of_untouched_parts(seen: Report) -> None:
    assert seen["half_typed"].split() == ["JX201", "JXE01"]


def ends_with_the_editor(seen: Report) -> None:
    assert seen["stopped"]


STEPS: tuple[Callable[[Report], None], ...] = (
    shows_diagnostics_on_opening,
    shows_what_led_to_a_finding,
    follows_the_settings_of_the_editor,
    shows_a_summary_of_the_rule_on_hover,
    applies_a_quick_fix,
    takes_back_what_is_fixed,
    undoes_a_fix_in_one_step,
    fixes_all_as_the_command_line_does,
    ignores_a_finding_in_its_line,
    follows_typing,
    keeps_findings_of_untouched_parts,
    ends_with_the_editor,
)


def verifies_a_function_after_it_asked(seen: Report) -> None:
    assert "code of the project runs" in seen["verified"]["asked"]
    assert "confirmed: `y` is a JAX array" in seen["verified"]["told"]


#: What not every editor can show, or only with JAX installed, by the name of it in the report of one that can.
EXTRA_STEPS = {
    "shapes": shows_the_shape_of_an_assigned_array,
    "closed": shows_what_callers_do_to_a_file_that_is_not_open,
    "hints": shows_what_is_traced_beside_it,
    "verified": verifies_a_function_after_it_asked,
}


def steps_of(seen: Report) -> list[Callable[[Report], None]]:
    """The steps of one editor's scenario."""
    return [*STEPS, *(step for name, step in EXTRA_STEPS.items() if name in seen)]


@cache
def fixed_by_command() -> str:
    """The source after `jaxlint check --fix`."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "train.py")
        file.write_text(SOURCE, encoding="utf-8")
        command = [sys.executable, "-m", "jaxlint", "check", "--fix", "--no-cache", "--isolated", str(file)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, env=environment, capture_output=True, check=False)
        return file.read_text(encoding="utf-8")
