"""What comments in the code silence: directives read, applied to diagnostics, and judged when they do nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlint.config.errors import suggestion
from jaxlint.diagnostics import Diagnostic, Span
from jaxlint.engine.selection import Selectable, specificity, unknown_selector
from jaxlint.text import escape

if TYPE_CHECKING:
    from jaxlint.syntax.comments import Comment

_DIRECTIVE: Final = re.compile(
    r"#\s*jaxlint\s*:\s*(?P<kind>[\w-]*)\s*(?P<brackets>\[(?P<selectors>[^\]\n]*)\])?\s*(?P<rest>[^\n]*)"
)
_NOQA: Final = re.compile(r"#\s*noqa\b(?P<colon>\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*))?", re.IGNORECASE)
_OUR_CODE: Final = re.compile(r"JXE?[0-9]+")
_SILENCING: Final = ("ignore", "file-ignore", "disable")
_KINDS: Final = (*_SILENCING, "enable")
#: Comments of ours that silence nothing: input specs, read by `verify`.
_OTHER_KINDS: Final = ("spec",)


class Use(NamedTuple):
    """A finding at any confidence: proof that a suppression of its rule on its line is of use."""

    rule: str
    line: int


@dataclass(slots=True, eq=False)
class Directive:
    """One directive in a comment: the lines it covers and the selectors it names; no selectors means every rule."""

    kind: str
    selectors: tuple[str, ...]
    comment: Comment
    first_line: int
    last_line: int
    used: set[str] = field(default_factory=set)

    @property
    def is_idle(self) -> bool:
        """Whether it silenced nothing; a bare `# noqa` may be meant for another tool and is never called idle."""
        return not self.used and self.kind != "noqa"

    def silences(self, rule: Selectable, line: int) -> list[str]:
        """The selectors by which the directive covers a rule on a line; `*` where it names none."""
        if not self.first_line <= line <= self.last_line:
            return []
        if not self.selectors:
            return ["*"]
        return [selector for selector in self.selectors if specificity(selector, rule)]


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The directives of one file, and what is wrong with those that cannot be read."""

    directives: tuple[Directive, ...]
    mistakes: tuple[tuple[Span, str], ...]

    def silence(
        self, diagnostics: Sequence[Diagnostic], uses: Iterable[Use], rules: Mapping[str, Selectable]
    ) -> list[Diagnostic]:
        """The diagnostics that no directive covers; directives remember what they were good for."""
        for use in uses:
            self._cover(rules[use.rule], use.line)
        return [d for d in diagnostics if not self._cover(rules[d.rule], d.span.line)]

    def _cover(self, rule: Selectable, line: int) -> bool:
        is_covered = False
        for directive in self.directives:
            selectors = directive.silences(rule, line)
            directive.used.update(selectors)
            is_covered = is_covered or bool(selectors)
        return is_covered

    def unused(self, shown: frozenset[str], rules: Mapping[str, Selectable]) -> Iterator[tuple[Span, str]]:
        """The place of each directive that silences nothing, with what of it does not, if all it names was run."""
        for directive in self.directives:
            idle = [s for s in directive.selectors if s not in directive.used and _was_run(s, shown, rules)]
            if directive.selectors and idle:
                names = ", ".join(f"`{escape(selector)}`" for selector in idle)
                yield comment_span(directive.comment), f"unused suppression: {names} silences nothing here"
            elif not directive.selectors and directive.is_idle and _was_run(None, shown, rules):
                yield comment_span(directive.comment), "unused suppression: there is nothing to silence here"


def read_suppressions(comments: Sequence[Comment], rules: Mapping[str, Selectable]) -> Suppressions:
    """Read the directives of a file's comments."""
    directives: list[Directive] = []
    mistakes: list[tuple[Span, str]] = []
    for comment in comments:
        match = _DIRECTIVE.search(comment.text)
        if match is None:
            directives.extend(_noqa(comment))
        elif match["kind"] not in _OTHER_KINDS:
            problems = list(_problems(match, rules))
            mistakes.extend((comment_span(comment), problem) for problem in problems)
            if match["kind"] in _KINDS:
                directives.extend(_directive(match, comment, rules))
    return Suppressions(tuple(_closed(directives)), tuple(mistakes))


def comment_span(comment: Comment) -> Span:
    """The place of a comment."""
    return Span(comment.line, comment.column, comment.line, comment.column + len(comment.text))


def _selectors(match: re.Match[str]) -> list[str]:
    return [part.strip() for part in (match["selectors"] or "").split(",") if part.strip()]


def _problems(match: re.Match[str], rules: Mapping[str, Selectable]) -> Iterator[str]:
    """What a person should correct in a directive."""
    kind, rest = match["kind"], match["rest"]
    if kind not in _KINDS:
        near = suggestion(kind, (*_KINDS, *_OTHER_KINDS))
        yield f"`{escape(kind)}` is not a directive{near}" if kind else "a directive is missing after `jaxlint:`"
        return
    if match["brackets"] and not _selectors(match):
        yield f"`{kind}[]` names no rule; leave the brackets out to mean all rules"
    elif rest and not rest.startswith(("--", "#")):
        yield f"`{escape(rest)}` is not understood: rules stand in brackets, a reason after ` -- `"
    for selector in _selectors(match):
        if message := unknown_selector(selector, rules.values()):
            yield message


def _directive(match: re.Match[str], comment: Comment, rules: Mapping[str, Selectable]) -> Iterator[Directive]:
    """The directive that a comment gives; none where nothing it names exists, lest a typing error silence all."""
    kind, rest = match["kind"], match["rest"]
    selectors = tuple(s for s in _selectors(match) if unknown_selector(s, rules.values()) is None)
    is_bare = not match["brackets"] and (not rest or rest.startswith(("--", "#")))
    if not selectors and not is_bare:
        return
    match kind:
        case "file-ignore":
            yield Directive(kind, selectors, comment, comment.file_first, comment.file_last)
        case "disable":
            yield Directive(kind, selectors, comment, comment.line, comment.block_end or comment.last_line)
        case "enable":
            yield Directive(kind, selectors, comment, comment.line, comment.line)
        case _:
            yield Directive(kind, selectors, comment, comment.first_line, comment.last_line)


def _noqa(comment: Comment) -> Iterator[Directive]:
    """`# noqa` as other linters have it: bare, or with codes of which only ours concern us."""
    match = _NOQA.search(comment.text)
    if match is None or comment.is_own_line:
        return
    codes = tuple(code for code in re.split(r"[\s,]+", (match["codes"] or "").upper()) if _OUR_CODE.fullmatch(code))
    if codes or not match["colon"]:
        yield Directive("noqa", codes, comment, comment.first_line, comment.last_line)


def _closed(directives: Iterable[Directive]) -> Iterator[Directive]:
    """Directives that silence, each `disable` ended by the first `enable` that answers it."""
    everything = list(directives)
    for index, directive in enumerate(everything):
        if directive.kind == "enable":
            continue
        if directive.kind == "disable":
            ends = (d for d in everything[index + 1 :] if _answers(d, directive))
            end = next(ends, None)
            if end is not None:
                directive.last_line = min(directive.last_line, end.comment.line)
        yield directive


def _answers(enable: Directive, disable: Directive) -> bool:
    """Whether an `enable` ends a `disable`: in its block, at its indentation, for all rules or the same ones."""
    is_near = enable.kind == "enable" and enable.comment.line <= disable.last_line
    same_indentation = enable.comment.indentation == disable.comment.indentation
    same_rules = not enable.selectors or (bool(disable.selectors) and set(disable.selectors) <= set(enable.selectors))
    return is_near and same_indentation and same_rules


def _was_run(selector: str | None, shown: frozenset[str], rules: Mapping[str, Selectable]) -> bool:
    """Whether all rules that a selector means ran on this file, so that its silence means something.

    Rules that are off by default need not have run, unless the selector names nothing else.
    """
    meant = [rule for rule in rules.values() if selector is None or specificity(selector, rule)]
    expected = [rule for rule in meant if rule.enabled and not rule.preview] or meant
    return bool(expected) and all(rule.slug in shown for rule in expected)
