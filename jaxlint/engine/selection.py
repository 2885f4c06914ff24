"""Which rules run where: selectors resolved against the rules that exist, the more specific one winning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from jaxlint.config import ConfigError, PathSelectors, RuleSeverity, ShownSettings, refuse, suggestion
from jaxlint.diagnostics import Category, Severity
from jaxlint.engine.former_rules import RETIRED, current, told
from jaxlint.files.gitignore import matcher

if TYPE_CHECKING:
    from jaxlint.config.layers import Layer

ALL: Final = "ALL"
_ITSELF: Final = 99
_CODE_PREFIX: Final = re.compile(r"[A-Z]+[0-9]*")


class Selectable(Protocol):
    """What selectors look at: the identity of a rule, the engine's own included."""

    @property
    def slug(self) -> str: ...  # noqa: D102
    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def family(self) -> str: ...  # noqa: D102
    @property
    def category(self) -> Category: ...  # noqa: D102
    @property
    def enabled(self) -> bool: ...  # noqa: D102
    @property
    def preview(self) -> bool: ...  # noqa: D102


def specificity(selector: str, rule: Selectable) -> int:
    """How closely a selector names a rule: 0 not, 1 ALL, 2 its category, 3 its family, more a prefix, 99 itself."""
    selector = current(selector)
    if selector in (rule.slug, rule.code):
        return _ITSELF
    if selector == rule.family:
        return 3
    if selector == rule.category.value:
        return 2
    if selector == ALL:
        return 1
    is_prefix = _CODE_PREFIX.fullmatch(selector) and rule.code.startswith(selector)
    return 3 + len(selector) if is_prefix else 0


def selects_any(selectors: Iterable[str], rule: Selectable) -> bool:
    """Whether one of the selectors names the rule."""
    return any(specificity(selector, rule) for selector in selectors)


def unknown_selector(selector: str, rules: Iterable[Selectable]) -> str | None:
    """Why a selector names no rule, with the nearest one that does; None when it names some."""
    known = list(rules)
    if selector == ALL or selector in RETIRED or any(specificity(selector, rule) for rule in known):
        return None
    if selector in {category.value for category in Category}:
        return None  # a category may be empty for now
    names = {name for rule in known for name in (rule.slug, rule.code, rule.family, rule.category.value)}
    return f"unknown rule `{selector}`{suggestion(selector, sorted(names | {ALL}))}"


#: A pattern of files, and the slugs of the rules that are meant for them.
_InFiles: TypeAlias = "tuple[PathSelectors, frozenset[str]]"


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules chosen for the files that share one configuration, and those whose fixes are offered.

    The unsafe fixes of those in `trusted` count as safe. `in_tests` are left out of tests unless `per_file_select`
    names them; `severities` are those that are not a category's own.
    """

    rules: frozenset[str]
    fixable: frozenset[str]
    per_file_ignores: tuple[_InFiles, ...]
    per_file_select: tuple[_InFiles, ...] = ()
    in_tests: tuple[_InFiles, ...] = ()
    trusted: frozenset[str] = frozenset()
    severities: Mapping[str, Severity] = field(default_factory=dict)

    def shown_in(self, path: str) -> frozenset[str]:
        """The slugs of the rules whose findings are shown in `path`."""
        usual = self.rules.difference(*_meant(self.in_tests, path))
        return usual.union(*_meant(self.per_file_select, path)).difference(*_meant(self.per_file_ignores, path))


def _meant(entries: Iterable[_InFiles], path: str) -> list[frozenset[str]]:
    return [slugs for entry, slugs in entries if _matches(entry, path)]


def resolve(
    settings: ShownSettings, rules: Mapping[str, Selectable], in_tests: Sequence[PathSelectors] = ()
) -> Selection:
    """The selection that settings make of `rules`. Raises ConfigError, with its place, for unknown selectors."""
    refuse(_unknown(settings, rules.values()))

    def in_files(entries: Sequence[PathSelectors]) -> tuple[_InFiles, ...]:
        return tuple((e, frozenset(r.slug for r in rules.values() if selects_any(e.selectors, r))) for e in entries)

    def added_in_files(entries: Sequence[PathSelectors]) -> tuple[_InFiles, ...]:
        return tuple(
            (e, frozenset(r.slug for r in rules.values() if _turns_on(e.selectors, r, settings))) for e in entries
        )

    return Selection(
        rules=frozenset(rule.slug for rule in rules.values() if _is_on(rule, settings)),
        fixable=frozenset(rule.slug for rule in rules.values() if _is_fixable(rule, settings)),
        per_file_ignores=in_files(settings.per_file_ignores),
        per_file_select=added_in_files(settings.per_file_select),
        in_tests=in_files(in_tests),
        trusted=frozenset(rule.slug for rule in rules.values() if selects_any(settings.trusted_fixes, rule)),
        severities=_severities(settings.severities, rules.values()),
    )


def _severities(chosen: Sequence[RuleSeverity], rules: Iterable[Selectable]) -> dict[str, Severity]:
    """The severities of rules that are named, each by its closest selector; on a tie by the stronger layer."""
    found = {}
    for rule in rules:
        closest = max(chosen, key=lambda entry: specificity(entry.selector, rule), default=None)
        if closest is not None and specificity(closest.selector, rule):
            found[rule.slug] = closest.severity
    return found


def _is_fixable(rule: Selectable, settings: ShownSettings) -> bool:
    """Whether the closest selector that names the rule is in `fixable`; on a tie `unfixable` wins."""
    wanted = max((specificity(s, rule) for s in settings.fixable), default=0)
    return wanted > max((specificity(s, rule) for s in settings.unfixable), default=0)


def _is_on(rule: Selectable, settings: ShownSettings) -> bool:
    """Whether the closest selector that names the rule turns it on; on a tie `ignore` wins, a stronger layer before."""
    for layer in settings.selection:
        selected = _turns_on((*(layer.select or ()), *layer.extend_select), rule, settings)
        ignored = max((specificity(s, rule) for s in layer.ignore), default=0)
        if selected or ignored:
            return selected > ignored
        if layer.select is not None:
            return False
    return rule.enabled and (settings.preview or not rule.preview)


def _turns_on(selectors: Iterable[str], rule: Selectable, settings: ShownSettings) -> int:
    """How closely one of the selectors names the rule: one in preview by its name alone, unless previews are asked for.

    0: not at all.
    """
    closest = max((specificity(selector, rule) for selector in selectors), default=0)
    return closest if settings.preview or not rule.preview or closest == _ITSELF else 0


def with_unknown(error: ConfigError, rules: Iterable[Selectable]) -> list[ConfigError]:
    """All mistakes in settings that cannot be followed, with those selectors beside them that name no rule."""
    known, found = list(rules), list(error.all)
    for selector, place in error.selectors:
        if message := unknown_selector(selector, known):
            found.append(ConfigError(message, place.path, place.line, place.column, place.key))
    return sorted(found, key=lambda each: each.line or 0) if all(each.path == error.path for each in found) else found


def _unknown(settings: ShownSettings, rules: Iterable[Selectable]) -> Iterator[ConfigError]:
    """An error, with its place, for each selector of the settings that names no rule."""
    known = list(rules)
    for key, selector, inside, layer in _named(settings):
        if message := unknown_selector(selector, known):
            yield layer.error(key, message, inside) if layer else ConfigError(message, key=key)


def _named(settings: ShownSettings) -> Iterator[tuple[str, str, tuple[str | int, ...], Layer | None]]:
    """All selectors of the settings: the setting, the selector, where inside the setting it stands, and the layer."""
    for layer in settings.selection:
        groups = (("select", layer.select or ()), ("ignore", layer.ignore), ("extend-select", layer.extend_select))
        for key, selectors in groups:
            yield from ((key, selector, (index,), layer.layer) for index, selector in enumerate(selectors))
    for entry in (*settings.per_file_ignores, *settings.per_file_select):
        for index, selector in enumerate(entry.selectors):
            yield entry.key, selector, (entry.pattern, index), entry.layer
    for chosen in settings.severities:
        yield "severity", chosen.selector, (chosen.selector,), chosen.layer
    lists = (
        ("fixable", settings.fixable),
        ("unfixable", settings.unfixable),
        ("extend-safe-fixes", settings.trusted_fixes),
    )
    for key, selectors in lists:
        yield from ((key, selector, (), None) for selector in selectors)


def former_names(settings: ShownSettings) -> Iterator[str]:
    """A line for each selector that names a rule as it was named before."""
    for key, selector, _, _ in _named(settings):
        if message := told(selector):
            yield f"{key}: {message}"


def nothing_selected(settings: ShownSettings, selection: Selection) -> Iterator[str]:
    """A line where an empty `select` turns every rule off: often a variable that is not set."""
    is_empty = any(layer.select is not None and not any(layer.select) for layer in settings.selection)
    if is_empty and not selection.rules and not selection.per_file_select:
        yield "no rule is on: `select` is empty"


@lru_cache(maxsize=65536)
def _is_matched(base: str, pattern: str, path: str) -> bool:
    if pattern.startswith("!"):
        return not _is_matched(base, pattern[1:], path)
    return matcher(base, (pattern,)).match_with_parents(path)


def _matches(entry: PathSelectors, path: str) -> bool:
    return _is_matched(entry.base, entry.pattern, path)
