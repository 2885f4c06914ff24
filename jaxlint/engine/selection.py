"""Which rules run where: selectors resolved against the rules that exist, the more specific one winning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from jaxlint.config import ConfigError, PathIgnores, SelectionLayer, ShownSettings, suggestion
from jaxlint.diagnostics import Category
from jaxlint.files.gitignore import matcher

ALL: Final = "ALL"
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


def specificity(selector: str, rule: Selectable) -> int:
    """How closely a selector names a rule: 0 not, 1 ALL, 2 its category, 3 its family, more a prefix, 99 itself."""
    if selector in (rule.slug, rule.code):
        return 99
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
    if selector == ALL or any(specificity(selector, rule) for rule in known):
        return None
    if selector in {category.value for category in Category}:
        return None  # a category may be empty for now
    names = {name for rule in known for name in (rule.slug, rule.code, rule.family, rule.category.value)}
    return f"unknown rule `{selector}`{suggestion(selector, sorted(names | {ALL}))}"


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules chosen for the files that share one configuration, and those whose fixes are offered."""

    rules: frozenset[str]
    fixable: frozenset[str]
    per_file_ignores: tuple[tuple[PathIgnores, frozenset[str]], ...]

    def shown_in(self, path: str) -> frozenset[str]:
        """The slugs of the rules whose findings are shown in `path`."""
        ignored = [slugs for entry, slugs in self.per_file_ignores if _matches(entry, path)]
        return self.rules.difference(*ignored) if ignored else self.rules


def resolve(
    settings: ShownSettings, rules: Mapping[str, Selectable], extra_ignores: Sequence[PathIgnores] = ()
) -> Selection:
    """The selection that settings make of `rules`. Raises ConfigError, with its place, for an unknown selector."""
    for layer in settings.selection:
        _check(layer, rules)
    for entry in settings.per_file_ignores:
        _check_path_ignores(entry, rules)
    for key, selectors in (("fixable", settings.fixable), ("unfixable", settings.unfixable)):
        for selector in selectors:
            if message := unknown_selector(selector, rules.values()):
                raise ConfigError(message, key=key)
    chosen = frozenset(rule.slug for rule in rules.values() if _is_on(rule, settings.selection))
    ignores = tuple(
        (entry, frozenset(r.slug for r in rules.values() if selects_any(entry.selectors, r)))
        for entry in (*settings.per_file_ignores, *extra_ignores)
    )
    fixable = frozenset(rule.slug for rule in rules.values() if _is_fixable(rule, settings))
    return Selection(chosen, fixable, ignores)


def _is_fixable(rule: Selectable, settings: ShownSettings) -> bool:
    """Whether the closest selector that names the rule is in `fixable`; on a tie `unfixable` wins."""
    wanted = max((specificity(s, rule) for s in settings.fixable), default=0)
    return wanted > max((specificity(s, rule) for s in settings.unfixable), default=0)


def _is_on(rule: Selectable, layers: Sequence[SelectionLayer]) -> bool:
    """Whether the closest selector that names the rule turns it on; on a tie `ignore` wins, a stronger layer before."""
    for layer in layers:
        chosen = (*(layer.select or ()), *layer.extend_select)
        selected = max((specificity(s, rule) for s in chosen), default=0)
        ignored = max((specificity(s, rule) for s in layer.ignore), default=0)
        if selected or ignored:
            return selected > ignored
        if layer.select is not None:
            return False
    return rule.enabled


def _check(layer: SelectionLayer, rules: Mapping[str, Selectable]) -> None:
    groups = (("select", layer.select or ()), ("ignore", layer.ignore), ("extend-select", layer.extend_select))
    for key, selectors in groups:
        for index, selector in enumerate(selectors):
            if message := unknown_selector(selector, rules.values()):
                raise layer.layer.error(key, message, (index,)) if layer.layer else ConfigError(message, key=key)


def _check_path_ignores(entry: PathIgnores, rules: Mapping[str, Selectable]) -> None:
    for index, selector in enumerate(entry.selectors):
        if message := unknown_selector(selector, rules.values()):
            place = (entry.pattern, index)
            layer = entry.layer
            raise layer.error("per-file-ignores", message, place) if layer else ConfigError(message)


@lru_cache(maxsize=65536)
def _is_matched(base: str, pattern: str, path: str) -> bool:
    if pattern.startswith("!"):
        return not _is_matched(base, pattern[1:], path)
    return matcher(base, (pattern,)).match_with_parents(path)


def _matches(entry: PathIgnores, path: str) -> bool:
    return _is_matched(entry.base, entry.pattern, path)
