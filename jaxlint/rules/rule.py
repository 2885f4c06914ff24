"""The shape of a rule, how one is declared, and the registry of those that ship."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.version import rule_address

_SHIPPED: Final = "jaxlint.rules."

#: A rule's body: a pure generator of findings about one event. `Any` in, since each rule names its own event type.
Check = Callable[[Any], Iterator[Any]]
#: A rule's fix: what mends one finding in the file that it is in, or None. It runs only for findings that are shown.
Fixer = Callable[[FixRequest, Code], "Fix | None"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. Its prose is rules/<family>/<slug>.md; `check` sees each event of a type in `on`.

    `yields_to` names rules that speak for this one where both report the same operation. `fix` mends the findings
    that come with a request for it; it stands in the rule's own file or in one that its family shares. A rule in
    `preview` runs where it is named or previews are asked for. `url` is the address of its page, if it has one. Of the
    findings with one cause, a rule that speaks `once_per_cause` shows the first.
    """

    slug: str
    code: str
    family: str
    category: Category
    on: tuple[type, ...]
    check: Check
    enabled: bool
    yields_to: tuple[str, ...]
    summary: str
    fix: Fixer | None = None
    preview: bool = False
    url: str | None = None
    once_per_cause: bool = False


def rule(  # noqa: PLR0913 - each part of a declaration by its keyword
    slug: str,
    *,
    code: str,
    category: Category,
    on: type | tuple[type, ...],
    enabled: bool | None = None,
    yields_to: tuple[str, ...] = (),
    fix: Fixer | None = None,
    preview: bool = False,
    family: str | None = None,
    url: str | None = None,
    once_per_cause: bool = False,
) -> Callable[[Check], Rule]:
    """Turn a generator of findings into a `Rule`.

    The family is the package the rule's file stands in, or the name of a module that is in no package. The summary is
    the first line of the docstring. `enabled` overrides the category's default.
    """

    def declare(check: Check) -> Rule:
        return Rule(
            slug=slug,
            code=code,
            family=family or _family(check.__module__),
            category=category,
            on=on if isinstance(on, tuple) else (on,),
            check=check,
            enabled=category.on_by_default if enabled is None else enabled,
            yields_to=yields_to,
            summary=(check.__doc__ or "").strip().partition("\n")[0],
            fix=fix,
            preview=preview,
            url=url or (rule_address(slug) if check.__module__.startswith(_SHIPPED) else None),
            once_per_cause=once_per_cause,
        )

    return declare


def _family(module: str) -> str:
    """The package that a module stands in; the module itself where it stands in none."""
    package, _, name = module.rpartition(".")
    return package.rpartition(".")[2] or name


@cache
def registry() -> Mapping[str, Rule]:
    """The shipped rules by slug, in the order of their codes: every `Rule` in a module of jaxlint/rules/<family>/."""
    import jaxlint.rules as package

    found = {}
    for family in pkgutil.iter_modules(package.__path__):
        if not family.ispkg:
            continue
        parent = importlib.import_module(f"jaxlint.rules.{family.name}")
        for module in pkgutil.iter_modules(parent.__path__):
            loaded = importlib.import_module(f"{parent.__name__}.{module.name}")
            found.update({r.slug: r for r in vars(loaded).values() if isinstance(r, Rule)})
    return dict(sorted(found.items(), key=lambda item: item[1].code))
