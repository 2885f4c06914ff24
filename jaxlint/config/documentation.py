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


_SELECTORS: Final = "Select rules by slug, code, code prefix, family or category, or ALL."

DOCUMENTATION: Final[Mapping[str, Documentation]] = {
    "select": Documentation(
        f"Run only these rules, instead of the default ones. {_SELECTORS}", 'select = ["random", "JX301"]', []
    ),
    "ignore": Documentation(f"Do not run these rules. {_SELECTORS}", 'ignore = ["print-in-traced-code"]', []),
    "extend-select": Documentation(
        f"Run these rules in addition to the selected ones. {_SELECTORS}", 'extend-select = ["pedantic"]', []
    ),
    "per-file-ignores": Documentation(
        "Do not run these rules in matching files. Patterns use .gitignore syntax, relative to the settings file.",
        'per-file-ignores = { "experiments/**" = ["random"] }',
        {},
    ),
    "per-file-select": Documentation(
        "Also run these rules in matching files. `per-file-ignores` takes precedence.",
        'per-file-select = { "src/core/**" = ["pedantic"] }',
        {},
    ),
    "severity": Documentation(
        "Override the severity of rules: error, warning or info. If several selectors match a rule, the most specific"
        " one wins.",
        'severity = { "print-in-traced-code" = "info", "performance" = "warning" }',
        {},
    ),
    "preview": Documentation(
        "Run preview rules like stable ones. Otherwise a preview rule runs only if `select` names it by slug or code.",
        "preview = true",
        False,
    ),
    "fixable": Documentation(f"Apply only the fixes of these rules. {_SELECTORS}", 'fixable = ["arrays"]', ["ALL"]),
    "unfixable": Documentation(f"Never apply the fixes of these rules. {_SELECTORS}", 'unfixable = ["JX2"]', []),
    "extend-safe-fixes": Documentation(
        f"Treat the unsafe fixes of these rules as safe, so that `--fix`, hooks and editors apply them. {_SELECTORS}",
        'extend-safe-fixes = ["print-in-traced-code"]',
        [],
    ),
    "min-confidence": Documentation(
        "Minimum confidence to report: certain, likely (rests on one assumption) or possible (some code is unknown, or"
        " may be intended).",
        'min-confidence = "certain"',
        "likely",
    ),
    "target-jax": Documentation(
        "JAX version that the code runs on. Defaults to the newest version that the project's dependencies allow.",
        'target-jax = "0.4.30"',
    ),
    "oldest-jax": Documentation(
        "Oldest JAX version that the code supports. Defaults to the lower bound in the project's dependencies.",
        'oldest-jax = "0.4.30"',
    ),
    "x64": Documentation(
        'Whether 64-bit types are enabled (`jax_enable_x64`). "auto" assumes so if the project mentions that option.',
        "x64 = true",
        "auto",
    ),
    "src": Documentation(
        "Folders in which absolute imports are resolved, relative to the settings file. Defaults to the project root,"
        " and `src` if it exists.",
        'src = ["lib"]',
    ),
    "tests": Documentation(
        "Patterns of test files. The random and performance rules are off in tests by default.",
        'tests = ["checks/**"]',
        list(DEFAULT_TESTS),
    ),
    "like": Documentation(
        "Describe functions that jaxlint cannot analyze, by a JAX function they act like or by what they do with keys.",
        'like = [{ name = "mylib.step", like = "jax.jit" }]',
        [],
    ),
    "plugins": Documentation(
        "Distributions that add rules. Each must also be allowed with `--allow-plugins`.",
        'plugins = ["my-rules"]',
        [],
    ),
    "verify": Documentation(
        "Settings of `jaxlint verify`. `specs` maps the qualified name of a function to its inputs. `budgets` maps it"
        " to how often one run may trace it.",
        'verify = { specs = { "pkg.mod.f" = "x=f32[n,4]" }, budgets = { "pkg.mod.f" = 2 } }',
        {},
    ),
    "front-end": Documentation(
        "Parser: `ast`, which is fast, or `libcst`, which finds the same in twice the time. With `ast`, files with"
        " findings are parsed again with libcst.",
        'front-end = "libcst"',
        "ast",
    ),
    "fail-level": Documentation(
        "Exit with 1 only for findings of this severity or above. All findings are still reported.",
        'fail-level = "error"',
        "info",
    ),
    "output-format": Documentation(
        "Report format. Defaults to full on a terminal, and to concise elsewhere.", 'output-format = "grouped"'
    ),
    "include": Documentation(
        "Patterns of files to check in folders, relative to the settings file.",
        'include = ["*.py"]',
        list(DEFAULT_INCLUDE),
    ),
    "exclude": Documentation(
        "Patterns of paths to skip, instead of the default ones.",
        'exclude = ["third_party"]',
        list(DEFAULT_EXCLUDE),
    ),
    "extend-exclude": Documentation(
        "Patterns of paths to skip, in addition to `exclude`.", 'extend-exclude = ["generated/**"]', []
    ),
    "respect-gitignore": Documentation("Skip files that .gitignore ignores.", "respect-gitignore = false", True),
    "force-exclude": Documentation(
        "Skip excluded files even if they are named on the command line, as hooks do.",
        "force-exclude = true",
        False,
    ),
    "extend": Documentation(
        "Inherit the settings of another file, relative to this one. Settings given here take precedence.",
        'extend = "../jaxlint.toml"',
    ),
    "cache-dir": Documentation(
        "Cache directory, relative to the settings file. Defaults to `.jaxlint_cache` in the project root.",
        'cache-dir = "build/jaxlint"',
        ".jaxlint_cache",
    ),
    "jobs": Documentation("Number of processes; 0 uses every CPU.", "jobs = 4", 0),
    "baseline": Documentation(
        "Do not report the findings listed in this file. The path is relative to the settings file.",
        'baseline = "jaxlint-baseline.json"',
    ),
}
