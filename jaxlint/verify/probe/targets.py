"""From what is asked and found to targets: which functions to probe, with which inputs, for which findings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jaxlint.config import AnalysisSettings, ConfigError, SpecRow, suggestion
from jaxlint.diagnostics import Diagnostic
from jaxlint.files.module_index import import_roots, module_name
from jaxlint.verify import specs
from jaxlint.verify.probe.probe_model import FileOutline, Spec, Target
from jaxlint.verify.probe.proof_table import proof_of

_LOCALS: Final = ".<locals>"


@dataclass(frozen=True, slots=True)
class ModulePlan:
    """The targets of one file. `unplaced` are findings that belong to no function; `sys_path` lets its imports work."""

    path: str
    module: str
    root: str
    sys_path: tuple[str, ...]
    targets: tuple[Target, ...]
    findings: tuple[Diagnostic, ...]
    refused: str | None


@dataclass(frozen=True, slots=True)
class GivenInputs:
    """Input specs of the command line and of a recorded run, which hold for any file."""

    arguments: specs.InputSet
    recorded: Mapping[tuple[str, str], tuple[str, ...]]


def command_line_inputs(args: Sequence[str]) -> specs.InputSet:
    """The values of all `--arg NAME=VALUE`. Raises ConfigError, the column counted in the text of the option."""
    result: dict[str, specs.Value] = {}
    for text in args:
        try:
            found = specs.parse_assignments(text)
        except specs.SpecError as error:
            raise ConfigError(f"{error.message} (column {error.column} of `{text}`)", key="--arg") from None
        if not found:
            raise ConfigError("expected NAME=VALUE, such as `x=f32[3,4]`", key="--arg")
        twice = next((name for name in found if name in result), None)
        if twice is not None:
            raise ConfigError(f"`{twice}` is given twice", key="--arg")
        result.update(found)
    return result


def recorded_inputs(path: str | None) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Input specs by (absolute path, qualified name) from the JSON report of an observed run: `functions[].inputs`.

    Its paths are relative to the folder where it was made, which is to be the current one.
    """
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        functions = document["functions"]
        folder = os.getcwd()
        found = [(os.path.join(folder, f["path"]), f["name"], f.get("inputs") or ()) for f in functions]
        return {(os.path.normpath(file), name): tuple(map(str, inputs)) for file, name, inputs in found}
    except OSError as error:
        raise ConfigError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigError("is not a JSON report of `jaxlint verify`", path) from None


def plan_module(
    outline: FileOutline,
    wanted: Sequence[str] | None,
    findings: Sequence[Diagnostic],
    root: str,
    settings: AnalysisSettings,
    given: GivenInputs,
) -> ModulePlan:
    """The targets of one file: the functions `wanted` by name, all of them where that is empty.

    `wanted` None: those that hold findings. Of findings, those are kept that the targets can show.
    """
    roots = import_roots(root, settings.src)
    folder = os.path.dirname(outline.path)
    name, _ = module_name(outline.path, roots if _is_below(outline.path, roots) else (folder,))
    places = _Places(outline, name, settings.specs, given)
    chosen = [_named(outline, name) for name in wanted or ()] or list(_all(outline) if wanted is not None else ())
    if wanted:
        findings = [f for f in findings if any(_within(outline, qualname, f) for qualname in chosen)]
    else:
        chosen += [name for name in _holding(outline, findings) if name not in chosen]
    targets = [
        places.target(number, qualname, [f for f in findings if _within(outline, qualname, f)])
        for number, qualname in enumerate(chosen)
    ]
    refused = f"{outline.refused['reason']}" if outline.refused else None
    sys_path = tuple(dict.fromkeys((folder if "." not in name else roots[0], *roots)))
    return ModulePlan(outline.path, name, root, sys_path, tuple(targets), tuple(findings), refused)


def _is_below(path: str, roots: Sequence[str]) -> bool:
    """Whether a module is imported by its dotted name: every folder down from a root can be one of a package."""
    for root in roots:
        if path.startswith(os.path.join(root, "")):
            inner = os.path.relpath(os.path.dirname(path), root)
            return inner == "." or os.path.isfile(os.path.join(os.path.dirname(path), "__init__.py"))
    return False


def _named(outline: FileOutline, qualname: str) -> str:
    """The function that a person names, with or without `<locals>`. Raises ConfigError with the nearest name."""
    known = {function["qualname"]: function for function in outline.functions}
    short = {name.replace(_LOCALS, ""): name for name in known}
    if qualname in known or qualname in short:
        return str(short.get(qualname, qualname))
    raise ConfigError(f"there is no function `{qualname}`{suggestion(qualname, short)}", outline.path)


def _holding(outline: FileOutline, findings: Sequence[Diagnostic]) -> Iterator[str]:
    """The functions to call so that the findings may be run: for a nested one the outermost around it."""
    for function in outline.functions:
        qualname = function["qualname"]
        if _LOCALS not in qualname and any(_within(outline, qualname, finding) for finding in findings):
            yield qualname


def _all(outline: FileOutline) -> Iterator[str]:
    """The functions and methods that can be called by name; Python's own hooks are reached through others."""
    for function in outline.functions:
        name = function["qualname"]
        last = name.rpartition(".")[2]
        if _LOCALS not in name and (last == "__call__" or not last.startswith("__")):
            yield name


def _within(outline: FileOutline, qualname: str, finding: Diagnostic) -> bool:
    """Whether a function holds a finding, or the transform that takes what the flagged function returns."""
    outer = qualname.partition(_LOCALS)[0]
    function = next(f for f in outline.functions if f["qualname"] == outer)
    taken = proof_of(finding.rule).taken
    notes = [n for n in finding.notes if taken and n.path == finding.path and n.message.startswith(taken)]
    lines = [finding.span.line, *(note.span.line for note in notes if note.span is not None)]
    return any(function["first"] <= line <= function["end"] for line in lines)


@dataclass(frozen=True, slots=True)
class _Places:
    """Finds the input specs of the functions of one file, the stronger source first."""

    outline: FileOutline
    module: str
    rows: tuple[SpecRow, ...]
    given: GivenInputs

    def target(self, number: int, qualname: str, findings: Sequence[Diagnostic]) -> Target:
        outer = qualname.partition(_LOCALS)[0]
        function = next(f for f in self.outline.functions if f["qualname"] == outer)
        sets = self._sets(function)
        return Target(
            f"{self.outline.path}::{number}",
            self.outline.path,
            outer,
            function["line"],
            tuple(_spec(one, self.given.arguments) for one in sets),
            tuple(f.fingerprint for f in findings),
        )

    def _sets(self, function: Mapping[str, Any]) -> list[tuple[specs.InputSet, str]]:
        """The input sets of one function with the name of their source; one empty set where there is none."""
        written = [*self._comments(function), *self._settings(function["qualname"])]
        if written:
            return [(one, "spec") for one in written]
        texts = self.given.recorded.get((self.outline.path, function["qualname"]), ())
        recorded = [(self._recorded(text), "recorded run") for text in texts]
        return recorded or [({}, "spec")]

    def _comments(self, function: Mapping[str, Any]) -> Iterator[specs.InputSet]:
        for comment in function["specs"]:
            yield self._comment(comment)

    def _comment(self, comment: Mapping[str, Any]) -> specs.InputSet:
        try:
            return specs.parse_assignments(comment["text"], comment["column"])
        except specs.SpecError as error:
            raise ConfigError(error.message, self.outline.path, comment["line"], error.column) from None

    def _settings(self, qualname: str) -> Iterator[specs.InputSet]:
        known = {f"{self.module}.{f['qualname'].replace(_LOCALS, '')}" for f in self.outline.functions}
        for row in self.rows:
            if row.name.startswith(f"{self.module}.") and row.name not in known:
                raise row.error(f"there is no function `{row.name}`{suggestion(row.name, known)}")
            if row.name == f"{self.module}.{qualname}":
                try:
                    yield specs.parse_assignments(row.text)
                except specs.SpecError as error:
                    raise row.error(f"{error.message} (column {error.column} of the spec)") from None

    def _recorded(self, text: str) -> specs.InputSet:
        try:
            return specs.parse_assignments(text)
        except specs.SpecError as error:
            raise ConfigError(f"recorded inputs cannot be read: {error.message}", self.outline.path) from None


def _spec(one: tuple[specs.InputSet, str], arguments: specs.InputSet) -> Spec:
    """One input set as the child gets it; the command line overrides it parameter by parameter."""
    own, source = one
    merged = {**own, **arguments}
    sizes = specs.dimension_sizes(merged)
    values = {
        name: {
            "value": specs.as_json(value, sizes),
            "source": "command line" if name in arguments else source,
        }
        for name, value in merged.items()
    }
    return Spec(values, sizes)
