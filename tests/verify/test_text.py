"""The terminal report of a run: what cost most first, each reason once, and what would save it."""

from __future__ import annotations

from dataclasses import replace

from jaxlint.diagnostics import Applicability, Category, Confidence, Diagnostic, Fix, Severity, Span
from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.verify.model import (
    NOT_LOADED,
    Difference,
    EagerLine,
    FunctionCounts,
    JudgedFinding,
    Miss,
    Observation,
    Runtime,
    Site,
    Verdict,
)
from jaxlint.verify.report.terminal import text_lines

CALL = Site("/w/train.py", 60)


def miss(difference: Difference, seconds: float, transform: str = "jit", *, nested: bool = False) -> Miss:
    return Miss(difference, CALL, seconds, transform, nested, at=0.0)


def function(name: str, *misses: Miss, path: str = "/w/train.py", calls: int | None = None) -> FunctionCounts:
    return FunctionCounts(path, 31, name, calls, len(misses), len(misses), len(misses), 0, 0.0, 0.0, 1.0, misses)


def report(
    *functions: FunctionCounts, eager: tuple[EagerLine, ...] = (), findings: tuple[JudgedFinding, ...] = ()
) -> str:
    runtime = Runtime("cpu", "cpu", "0.10.2", "0.10.2", "3.11.7")
    run = Observation(("python", "train.py"), "exit code 0", runtime, True, functions, eager, findings, seconds=20.0)
    return "\n".join(text_lines(run, PathPrinter("/w"), Paint(enabled=False)))


def finding(line: int, verdict: Verdict) -> JudgedFinding:
    fix = Fix("Split `key`", Applicability.UNSAFE, ())
    diagnostic = Diagnostic(
        "/w/train.py", Span(line, 5, line, 8), "key-reuse", "JX201", "random", Category.CORRECTNESS, Severity.ERROR,
        Confidence.CERTAIN, "`key` was already used", fix=fix,
    )  # fmt: skip
    return JudgedFinding(diagnostic, verdict, "both places received the same key, outside any trace")


def unloaded(path: str) -> JudgedFinding:
    found = finding(5, Verdict.NOT_REACHED)
    return replace(found, diagnostic=replace(found.diagnostic, path=path), evidence=NOT_LOADED)


FIRST = miss(Difference("first"), 2.0)


def shapes(*sizes: int) -> list[Miss]:
    return [miss(Difference("shape", "x", "f32[1]", f"f32[{size}]"), 1.0) for size in sizes]


def test_a_reason_is_one_line_from_before_to_all_that_came_then() -> None:
    text = report(function("step", FIRST, *shapes(2, 3, 2), calls=9))
    assert "3 recompilations of 1 function cost 3.00 s, of 20.00 s that the program ran." in text
    assert "train.py:31  step  3.00 s lost: 4 traces, 4 compilations in 9 calls" in text
    assert "      3x shape  x: f32[1] -> f32[2], f32[3]  (3.00 s, called at line 60)" in text


def test_of_many_values_some_are_shown_and_the_rest_counted() -> None:
    text = report(function("step", FIRST, *shapes(2, 3, 4, 5, 6, 7)))
    assert "f32[1] -> f32[2], f32[3], f32[4], f32[5], ... 2 more" in text
    long = miss(Difference("static-value", "mode", "a" * 100, "b"), 1.0)
    assert f"mode: {'a' * 57}... -> b" in report(function("step", FIRST, long))


def test_the_costliest_reason_comes_first_and_each_has_its_help() -> None:
    weak = miss(Difference("weak-type", "lr", "f32[] weak", "f32[]"), 5.0)
    lines = report(function("step", FIRST, *shapes(2), weak)).splitlines()
    reasons = [line.split()[1] for line in lines if "x " in line and "called at" in line]
    assert reasons == ["weak-type", "shape"]
    helps = [line.strip() for line in lines if "help" in line]
    assert helps[0].startswith("help (lr): pass `jnp.asarray(value, dtype)`")
    assert helps[1].startswith("help (x): pad or bucket")


def test_two_helps_for_one_argument_are_told_apart_by_why() -> None:
    size = miss(Difference("rank", "x", "f32[1]", "f32[1,1]"), 0.5)
    text = report(function("step", FIRST, *shapes(2), size))
    assert "help (shape): pad or bucket" in text
    assert "help (rank): give the argument" in text


def test_a_call_from_another_file_is_named_with_it() -> None:
    text = report(function("step", FIRST, *shapes(2), path="/w/model.py"))
    assert "called at train.py:60" in text


def test_one_help_serves_all_arguments_that_it_would_save() -> None:
    both = [miss(Difference("static-value", name, "1", "2"), 1.0, "filter_jit") for name in ("n", "m")]
    text = report(function("step", FIRST, *both))
    assert text.count("help") == 1
    assert "help: pass it as an array, `jnp.asarray(value)`" in text


def test_new_functions_are_counted_not_shown_as_values() -> None:
    again = [miss(Difference("new-function-object", None, f"object {n}", f"object {n + 1}"), 0.1) for n in (1, 2)]
    assert "2x new-function-object  compiled 3 times; once would do" in report(function("f", FIRST, *again))


def test_what_was_never_compiled_again_is_short() -> None:
    inner = function("loss", miss(Difference("first"), 0.5, "grad", nested=True))
    unused = FunctionCounts("/w/train.py", 2, "unused", 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, ())
    library = function("scale", FIRST, path="/v/lib/python3.11/site-packages/optax/_src/base.py")
    text = report(inner, unused, library)
    assert "No recompilations: 2 functions traced." in text
    assert "Compiled once, or inside another function: nothing to do for 2 functions" in text
    assert "loss  1 trace, 1 compilation, inside others, 1.00 s" in text
    assert "    optax/_src/base.py:31  scale" in text
    assert "unused" not in text


def test_only_operations_compiled_again_are_listed() -> None:
    again = EagerLine("/w/train.py", 7, {"add": 3, "sin": 1}, 4, 0.4)
    once = EagerLine("/w/train.py", 9, {"add": 1, "sin": 1}, 2, 0.2)
    text = report(eager=(again, once))
    assert "    train.py:7  4 compilations, 400 ms  add 3x, sin 1x" in text
    assert "train.py:9" not in text
    assert "compiled once each: 2 compilations at 1 line, 200 ms" in text


def test_findings_are_in_order_of_weight_and_the_harmless_are_cut_short() -> None:
    found = [finding(line, Verdict.NOT_REACHED) for line in range(1, 41)] + [finding(99, Verdict.CONFIRMED)]
    lines = report(findings=tuple(found)).splitlines()
    start = lines.index("Findings: 1 confirmed, 40 not-reached")
    assert lines[start + 1] == "    confirmed    train.py:99:5  key-reuse: `key` was already used"
    assert lines[start + 3] == "        help: Split `key`"
    assert lines[-1] == "    ... and 10 more not-reached"
    assert sum("not-reached  train.py" in line for line in lines) == 30


def test_what_the_program_says_cannot_move_the_cursor() -> None:
    hostile = miss(Difference("static-value", "mode", "a\x1b[2J", "b\u202ec"), 1.0)
    text = report(function("step\x07", FIRST, hostile))
    assert "a\\x1b[2J -> b\\u202ec" in text
    assert "step\\x07" in text


def test_files_that_the_run_did_not_load_are_counted() -> None:
    """A check covers a whole project, and a run one program of it."""
    elsewhere = [unloaded(f"/w/other{number % 2}.py") for number in range(5)]
    text = report(findings=(finding(3, Verdict.NOT_REACHED), *elsewhere))
    assert "Findings: 6 not-reached" in text
    assert "5 findings not-reached, in 2 files that the run did not load" in text
    assert "train.py:3:5" in text
    assert "other0.py" not in text
