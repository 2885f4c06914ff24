"""What each setting means, for `jaxlint config`, the JSON Schema and `--show-settings`: one entry for each key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jaxlint.config.settings import DEFAULT_EXCLUDE, DEFAULT_INCLUDE, DEFAULT_TESTS


@dataclass(frozen=True, slots=True)
class Documentation:
    """One setting for a reader. `default` is None where there is no fixed one, and `summary` says what holds then.

    `example` is the setting in TOML, as it stands below `[tool.jaxlint]`.
    """

    summary: str
    example: str
    default: object = None


_SELECTORS: Final = "Rules are named by slug, code, code prefix, family or category; ALL names all."

DOCUMENTATION: Final[Mapping[str, Documentation]] = {
    "select": Documentation(
        f"The rules to run, instead of those that are on by default. {_SELECTORS}", 'select = ["random", "JX301"]', []
    ),
    "ignore": Documentation(f"Rules to leave out. {_SELECTORS}", 'ignore = ["print-in-traced-code"]', []),
    "extend-select": Documentation(
        f"Rules to run beside those that are selected otherwise. {_SELECTORS}", 'extend-select = ["pedantic"]', []
    ),
    "per-file-ignores": Documentation(
        "Rules to leave out in files that match a pattern in the syntax of .gitignore, relative to the settings file.",
        'per-file-ignores = { "experiments/**" = ["random"] }',
        {},
    ),
    "per-file-select": Documentation(
        "Rules to run in files that match a pattern, beside those that are selected otherwise; patterns as in"
        " `per-file-ignores`, which is stronger.",
        'per-file-select = { "src/core/**" = ["pedantic"] }',
        {},
    ),
    "severity": Documentation(
        "Other severities for rules than those of their categories: error, warning or info."
        " Of several selectors that name a rule the closest one counts.",
        'severity = { "print-in-traced-code" = "info", "performance" = "warning" }',
        {},
    ),
    "preview": Documentation(
        "Whether rules in preview run as their category says; without it only those that `select` names themselves.",
        "preview = true",
        False,
    ),
    "fixable": Documentation(f"The rules whose fixes may be made. {_SELECTORS}", 'fixable = ["arrays"]', ["ALL"]),
    "unfixable": Documentation(f"Rules whose fixes are never made. {_SELECTORS}", 'unfixable = ["JX2"]', []),
    "extend-safe-fixes": Documentation(
        f"Rules whose unsafe fixes are made like safe ones, by `--fix`, hooks and editors. {_SELECTORS}",
        'extend-safe-fixes = ["print-in-traced-code"]',
        [],
    ),
    "min-confidence": Documentation(
        "The least sure findings to show: certain, likely (one assumption) or possible (part of it is unknown).",
        'min-confidence = "certain"',
        "likely",
    ),
    "target-jax": Documentation(
        "The JAX version that the code is written for; by default the newest that the project's dependencies allow.",
        'target-jax = "0.4.30"',
    ),
    "oldest-jax": Documentation(
        "The oldest JAX version that the code supports; by default the lower bound in the project's dependencies.",
        'oldest-jax = "0.4.30"',
    ),
    "x64": Documentation(
        'Whether 64-bit types are on (`jax_enable_x64`); "auto": they are if anything in view speaks of the option.',
        "x64 = true",
        "auto",
    ),
    "src": Documentation(
        "The folders that absolute imports are looked up in, relative to the settings file; by default `src`, where it"
        " exists, and the root of the project.",
        'src = ["lib"]',
    ),
    "tests": Documentation(
        "Patterns of test files, which are spared the random and performance families.",
        'tests = ["checks/**"]',
        list(DEFAULT_TESTS),
    ),
    "like": Documentation(
        "What functions are like that the analysis cannot see into: a function of JAX, or what they do with keys.",
        'like = [{ name = "mylib.step", like = "jax.jit" }]',
        [],
    ),
    "plugins": Documentation(
        "Distributions whose rules run beside those that ship; they must be allowed by `--allow-plugins` as well.",
        'plugins = ["my-rules"]',
        [],
    ),
    "verify": Documentation(
        "Settings of `jaxlint verify`: `specs` gives the inputs of functions by their qualified names.",
        'verify = { specs = { "pkg.mod.f" = "x=f32[n,4]" } }',
        {},
    ),
    "front-end": Documentation(
        "What reads the files: ast, Python's own parser, and libcst those that findings are shown of; or libcst all of"
        " them, which takes twice as long and must find the same.",
        'front-end = "libcst"',
        "ast",
    ),
    "fail-level": Documentation(
        "The least severity of a finding that makes `jaxlint check` exit with 1; milder ones are shown all the same.",
        'fail-level = "error"',
        "info",
    ),
    "output-format": Documentation(
        "The format of the report; by default full on a terminal, else concise.", 'output-format = "grouped"'
    ),
    "include": Documentation(
        "Patterns of the files to check below folders, relative to the settings file.",
        'include = ["*.py"]',
        list(DEFAULT_INCLUDE),
    ),
    "exclude": Documentation(
        "Patterns of what to leave out, instead of the usual folders.",
        'exclude = ["third_party"]',
        list(DEFAULT_EXCLUDE),
    ),
    "extend-exclude": Documentation(
        "Patterns of what to leave out beside `exclude`.", 'extend-exclude = ["generated/**"]', []
    ),
    "respect-gitignore": Documentation(
        "Whether to leave out what .gitignore files name.", "respect-gitignore = false", True
    ),
    "force-exclude": Documentation(
        "Whether to leave out excluded files even when they are named, as hooks name them.",
        "force-exclude = true",
        False,
    ),
    "extend": Documentation(
        "Another settings file whose settings hold where this one is silent, relative to this file.",
        'extend = "../jaxlint.toml"',
    ),
    "cache-dir": Documentation(
        "Where results are kept, relative to the settings file; by default at the root of the project.",
        'cache-dir = "build/jaxlint"',
        ".jaxlint_cache",
    ),
    "jobs": Documentation("Processes to use; 0 means one per processor.", "jobs = 4", 0),
    "baseline": Documentation(
        "A file of findings that are known and not shown, relative to the settings file.",
        'baseline = "jaxlint-baseline.json"',
    ),
}
