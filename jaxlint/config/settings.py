"""Settings as they hold: layers merged into one frozen value, the strongest first."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from jaxlint.config.dependency import Bounds
from jaxlint.config.errors import ConfigError
from jaxlint.config.layers import Layer
from jaxlint.diagnostics import Confidence, Severity

DEFAULT_INCLUDE: Final = ("*.py", "*.ipynb")
DEFAULT_TESTS: Final = ("test_*.py", "*_test.py", "conftest.py", "**/tests/**")
#: Families whose mistakes are the point of many tests: fixed seeds, equal draws, wasted time.
IGNORED_IN_TESTS: Final = ("random", "performance")
DEFAULT_EXCLUDE: Final = (
    ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".jaxlint_cache", ".mypy_cache",
    ".nox", ".pants.d", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv",
    "__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns in the syntax of .gitignore, relative to the folder `base`."""

    base: str
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectionLayer:
    """What one source says of which rules run. `select` is None where it leaves the choice to weaker layers."""

    select: tuple[str, ...] | None
    ignore: tuple[str, ...]
    extend_select: tuple[str, ...]
    layer: Layer | None = None


@dataclass(frozen=True, slots=True)
class PathSelectors:
    """Selectors that are meant for the files which match one pattern relative to `base`. `key` is the setting."""

    base: str
    pattern: str
    selectors: tuple[str, ...]
    layer: Layer | None = None
    key: str = "per-file-ignores"


@dataclass(frozen=True, slots=True)
class RuleSeverity:
    """The severity of the rules that a selector names."""

    selector: str
    severity: Severity
    layer: Layer


@dataclass(frozen=True, slots=True)
class LikeRow:
    """One `[[tool.jaxlint.like]]` row as written: what a function of the project is like."""

    name: str
    like: str | None
    consumes_key: tuple[int, ...]
    returns: str | None
    arguments: tuple[tuple[str, str], ...]
    statics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpecRow:
    """One entry of `[tool.jaxlint.verify.specs]` as written: a function's dotted name and one set of inputs for it."""

    name: str
    text: str
    layer: Layer

    def error(self, message: str) -> ConfigError:
        """The error for a mistake in this entry, at its place."""
        return self.layer.error("verify", message, ("specs", self.name))


@dataclass(frozen=True, slots=True)
class ShownSettings:
    """Which findings of a file are shown; from the file's nearest configuration. Strongest selection first."""

    selection: tuple[SelectionLayer, ...]
    per_file_ignores: tuple[PathSelectors, ...]
    per_file_select: tuple[PathSelectors, ...]
    preview: bool
    severities: tuple[RuleSeverity, ...]
    fixable: tuple[str, ...]
    unfixable: tuple[str, ...]
    trusted_fixes: tuple[str, ...]
    min_confidence: Confidence


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """What the analysis believes of a project; from the project's root alone. `src` None: found by looking.

    `budgets` allow functions, by dotted name, so many traces in one observed run. `front_end` is one of FRONT_ENDS.
    """

    target_jax: str | None
    releases: tuple[Bounds, ...]
    x64: bool | None
    src: tuple[str, ...] | None
    tests: tuple[str, ...]
    likes: tuple[LikeRow, ...]
    plugins: tuple[str, ...]
    budgets: tuple[tuple[str, int], ...] = ()
    specs: tuple[SpecRow, ...] = ()
    front_end: str = "ast"


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How files are found and the run is done. `cache_dir` None: at the project's root; `jobs` 0: one per processor."""

    output_format: str | None
    include: Patterns
    exclude: Patterns
    extend_exclude: tuple[Patterns, ...]
    respect_gitignore: bool
    force_exclude: bool
    cache_dir: str | None
    jobs: int
    baseline: str | None
    fail_level: Severity = Severity.INFO


@dataclass(frozen=True, slots=True)
class Layers:
    """Layers in order of strength, strongest first, with the look-ups that merge them."""

    layers: tuple[Layer, ...] = field(default=())

    def find(self, key: str) -> tuple[Any, str] | None:
        """The strongest value of `key` and the folder it is relative to."""
        return next(((layer.values[key], layer.base) for layer in self.layers if key in layer.values), None)

    def get(self, key: str, default: Any) -> Any:  # noqa: ANN401 - each key has its own checked type
        """The strongest value of `key`."""
        found = self.find(key)
        return default if found is None else found[0]

    def path(self, key: str) -> str | None:
        """The strongest value of `key` as an absolute path."""
        found = self.find(key)
        return None if found is None else os.path.normpath(os.path.join(found[1], os.path.expanduser(found[0])))

    def shown(self) -> ShownSettings:
        """The settings that select what is shown."""
        return ShownSettings(
            selection=tuple(_selection(self.layers)),
            per_file_ignores=tuple(self._path_selectors("per-file-ignores")),
            per_file_select=tuple(self._path_selectors("per-file-select")),
            preview=self.get("preview", False),
            severities=tuple(
                RuleSeverity(selector, Severity(level), layer)
                for layer in self.layers
                for selector, level in layer.values.get("severity", {}).items()
            ),
            fixable=tuple(self.get("fixable", ["ALL"])),
            unfixable=tuple(self.get("unfixable", [])),
            trusted_fixes=tuple(self.get("extend-safe-fixes", [])),
            min_confidence=Confidence(self.get("min-confidence", "likely")),
        )

    def _path_selectors(self, key: str) -> Iterator[PathSelectors]:
        for layer in self.layers:
            for pattern, selectors in layer.values.get(key, {}).items():
                yield PathSelectors(layer.base, pattern, tuple(selectors), layer, key)

    def analysis(self, declared: Sequence[Bounds] = ()) -> AnalysisSettings:
        """The settings that the analysis of a project follows, whose dependencies allow these releases."""
        of_jax = next((bounds for bounds in declared if bounds.library == "jax"), Bounds("jax", None, None))
        oldest = self.get("oldest-jax", of_jax.oldest)
        found = self.find("src")
        x64 = self.get("x64", "auto")
        return AnalysisSettings(
            target_jax=self.get("target-jax", of_jax.newest),
            releases=(of_jax._replace(oldest=oldest), *(each for each in declared if each.library != "jax")),
            x64=None if x64 == "auto" else x64,
            src=None if found is None else tuple(os.path.normpath(os.path.join(found[1], p)) for p in found[0]),
            tests=tuple(self.get("tests", DEFAULT_TESTS)),
            likes=tuple(_like_row(row) for layer in self.layers for row in layer.values.get("like", ())),
            plugins=tuple(self.get("plugins", ())),
            budgets=tuple(self.get("verify", {}).get("budgets", {}).items()),
            specs=tuple(_specs(self.layers)),
            front_end=self.get("front-end", "ast"),
        )

    def run(self, base: str) -> RunSettings:
        """The settings of the whole run; default patterns are relative to `base`."""
        return RunSettings(
            output_format=self.get("output-format", None),
            include=self._patterns("include", DEFAULT_INCLUDE, base),
            exclude=self._patterns("exclude", DEFAULT_EXCLUDE, base),
            extend_exclude=tuple(
                Patterns(layer.base, tuple(layer.values["extend-exclude"]))
                for layer in self.layers
                if layer.values.get("extend-exclude")
            ),
            respect_gitignore=self.get("respect-gitignore", True),
            force_exclude=self.get("force-exclude", False),
            cache_dir=self.path("cache-dir"),
            jobs=self.get("jobs", 0),
            baseline=self.path("baseline"),
            fail_level=Severity(self.get("fail-level", "info")),
        )

    def _patterns(self, key: str, default: Sequence[str], base: str) -> Patterns:
        found = self.find(key)
        return Patterns(base, tuple(default)) if found is None else Patterns(found[1], tuple(found[0]))


def _selection(layers: Sequence[Layer]) -> list[SelectionLayer]:
    """The layers that speak of rules, down to the first that says `select`: that one overrules all weaker ones."""
    result = []
    for layer in layers:
        select, ignore, extend = (layer.values.get(key) for key in ("select", "ignore", "extend-select"))
        if select is None and not ignore and not extend:
            continue
        chosen = None if select is None else tuple(select)
        result.append(SelectionLayer(chosen, tuple(ignore or ()), tuple(extend or ()), layer))
        if select is not None:
            break
    return result


def _specs(layers: Sequence[Layer]) -> list[SpecRow]:
    """The input specs of all layers; of two for one function the stronger layer's."""
    result: dict[str, SpecRow] = {}
    for layer in layers:
        for name, text in layer.values.get("verify", {}).get("specs", {}).items():
            result.setdefault(name, SpecRow(name, text, layer))
    return list(result.values())


def _like_row(row: dict[str, Any]) -> LikeRow:
    return LikeRow(
        name=row["name"],
        like=row.get("like"),
        consumes_key=tuple(row.get("consumes-key", ())),
        returns=row.get("returns"),
        arguments=tuple(sorted(row.get("args", {}).items())),
        statics=tuple(row.get("statics", ())),
    )
