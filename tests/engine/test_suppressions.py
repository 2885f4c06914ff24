"""What directives silence, and what is said of those that do nothing or cannot be read."""

from __future__ import annotations

import pytest

from jaxlint.diagnostics import Category, Confidence, Diagnostic, Severity, Span
from jaxlint.engine.result import ENGINE_RULES
from jaxlint.engine.suppressions import Use, read_suppressions
from jaxlint.syntax.comments import Comment
from tests.cli.fake_analysis import RULES

KNOWN = {**RULES, **ENGINE_RULES}
SHOWN = frozenset(rule.slug for rule in KNOWN.values() if rule.enabled)


def comment(text: str, line: int = 1, last: int | None = None, *, own: bool = False, indent: int = 0, block: int = 0):
    return Comment(text, 0, line, 1, own, line, last or line, indent, block)


def found(line: int, rule: str = "key-reuse") -> Diagnostic:
    r = RULES[rule]
    return Diagnostic(
        "/a.py", Span(line, 1, line, 2), rule, r.code, r.family, r.category, Severity.ERROR, Confidence.CERTAIN, "m"
    )


def left(comments: list[Comment], *diagnostics: Diagnostic) -> list[int]:
    return [d.span.line for d in read_suppressions(comments, KNOWN).silence(diagnostics, (), KNOWN)]


@pytest.mark.parametrize(
    "text",
    [
        "# jaxlint: ignore", "# jaxlint: ignore[key-reuse]", "# jaxlint: ignore[JX201]", "# jaxlint: ignore[JX2]",
        "# jaxlint: ignore[random]", "# jaxlint: ignore[correctness]", "# jaxlint: ignore[ALL]",
        "# jaxlint: ignore[traced-branch, key-reuse] -- keys are equal on purpose", "#jaxlint:ignore[ key-reuse ]",
        "# type: ignore  # jaxlint: ignore[key-reuse]", "# jaxlint: ignore[key-reuse]  # more",
        "# noqa", "# noqa: JX201", "# NOQA:E501,JX201", "# noqa: E501 JX201", "# jaxlint: file-ignore[key-reuse]",
    ],
)  # fmt: skip
def test_what_silences(text: str) -> None:
    suppressions = read_suppressions([comment(text)], KNOWN)
    assert suppressions.mistakes == ()
    assert suppressions.silence([found(1)], (), KNOWN) == []


@pytest.mark.parametrize(
    "text", ["# noqa: E501", "# noqa: JX301", "# jaxlint: ignore[traced-branch]", "# jaxlint: spec x=f32[3]"]
)
def test_what_does_not(text: str) -> None:
    assert left([comment(text)], found(1)) == [1]


def test_an_ignore_covers_its_logical_line_and_a_file_ignore_the_file() -> None:
    assert left([comment("# jaxlint: ignore", 2, 4)], found(1), found(2), found(4), found(5)) == [1, 5]
    assert left([comment("# jaxlint: file-ignore[JX2]", 9)], found(1), found(20), found(2, "traced-branch")) == [2]


def test_disable_lasts_to_enable_or_the_end_of_the_block() -> None:
    disable = comment("# jaxlint: disable[key-reuse]", 2, own=True, block=20)
    lines = [found(n) for n in (1, 3, 9, 11, 20, 21)]
    assert left([disable], *lines) == [1, 21]
    assert left([disable, comment("# jaxlint: enable[key-reuse]", 10, own=True)], *lines) == [1, 11, 20, 21]
    assert left([disable, comment("# jaxlint: enable", 10, own=True)], *lines) == [1, 11, 20, 21]
    assert left([disable, comment("# jaxlint: enable[JX301]", 10, own=True)], *lines) == [1, 21]
    assert left([disable, comment("# jaxlint: enable", 10, own=True, indent=4)], *lines) == [1, 21]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# jaxlint: ingore[key-reuse]", "`ingore` is not a directive; did you mean `ignore`?"),
        ("# jaxlint:", "a directive is missing after `jaxlint:`"),
        ("# jaxlint: ignore[]", "`ignore[]` names no rule; leave the brackets out to mean all rules"),
        ("# jaxlint: ignore[key-resue]", "unknown rule `key-resue`; did you mean `key-reuse`?"),
        ("# jaxlint: ignore JX201", "`JX201` is not understood: rules stand in brackets, a reason after ` -- `"),
        (
            "# jaxlint: ignore[JX201] because",
            "`because` is not understood: rules stand in brackets, a reason after ` -- `",
        ),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    suppressions = read_suppressions([comment(text)], KNOWN)
    assert [m for _, m in suppressions.mistakes] == [message]


@pytest.mark.parametrize("text", ["# jaxlint: ignore[]", "# jaxlint: ignore[key-resue]", "# jaxlint: ignore JX201"])
def test_a_typing_error_does_not_silence_everything(text: str) -> None:
    assert left([comment(text)], found(1), found(1, "traced-branch")) == [1, 1]


def unused(text: str, *uses: Use, shown: frozenset[str] = SHOWN) -> list[str]:
    suppressions = read_suppressions([comment(text)], KNOWN)
    suppressions.silence([], uses, KNOWN)
    return [message for _, message in suppressions.unused(shown, KNOWN)]


def test_unused() -> None:
    use = Use("key-reuse", 1)
    assert unused("# jaxlint: ignore[key-reuse]") == ["unused suppression: `key-reuse` silences nothing here"]
    assert unused("# jaxlint: ignore[key-reuse, traced-branch]", use) == [
        "unused suppression: `traced-branch` silences nothing here"
    ]
    assert unused("# jaxlint: ignore") == ["unused suppression: there is nothing to silence here"]
    assert unused("# noqa: JX201, E501") == ["unused suppression: `JX201` silences nothing here"]
    assert unused("# jaxlint: ignore[key-reuse]", use) == []
    assert unused("# jaxlint: ignore", use) == []


def test_never_called_unused() -> None:
    assert unused("# noqa") == []
    assert unused("# noqa: E501") == []
    assert unused("# jaxlint: spec x=key") == []
    without = SHOWN - {"key-reuse"}
    assert unused("# jaxlint: ignore[key-reuse]", shown=without) == []
    assert unused("# jaxlint: ignore", shown=without) == []
    assert unused("# jaxlint: ignore[legacy-prng-key]") == []  # off by default, so it did not run


def test_category_of_fake_rules() -> None:
    assert RULES["legacy-prng-key"].category is Category.PEDANTIC
