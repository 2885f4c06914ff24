"""`jaxlint check` with a baseline: written, left out of the report, and pruned."""

from __future__ import annotations

import json
import os
from typing import Final

from jaxlint.cli.check_options import CheckOptions
from jaxlint.config.roots import OWN_FILE, PYPROJECT
from jaxlint.engine.baseline import DEFAULT_NAME, Baseline, baseline_of
from jaxlint.engine.check_paths import permitted_plugins, request_of
from jaxlint.engine.command_line import Inputs
from jaxlint.engine.exit_codes import CLEAN
from jaxlint.engine.result import Result
from jaxlint.files.console import warn, write_stderr
from jaxlint.report.paths import PathPrinter
from jaxlint.text import plural

_SHARED: Final = f"[tool.jaxlint] in {PYPROJECT}"


def write_known(inputs: Inputs, options: CheckOptions, result: Result) -> int:
    """`--write-baseline`: all that is found is known from now on."""
    chosen = options.write_baseline or inputs.configuration.run(inputs.anchor).baseline or DEFAULT_NAME
    made = baseline_of(os.path.normpath(os.path.join(inputs.working_directory, chosen)), result.diagnostics)
    made.write()
    where = PathPrinter(inputs.working_directory)(made.path)
    write_stderr(f"Wrote {plural(sum(made.known.values()), 'finding')} to {where}.")
    if inputs.configuration.run(inputs.anchor).baseline != made.path:
        folder = inputs.configuration.settings_folder(inputs.anchor)
        written = json.dumps(PathPrinter(folder)(made.path))
        is_own = os.path.isfile(os.path.join(folder, OWN_FILE))
        write_stderr(f"Next: commit the file, then run with --baseline {where}, or add")
        write_stderr(f"`baseline = {written}` to {f'the top of {OWN_FILE}' if is_own else _SHARED}.")
    return CLEAN


def hide_known(inputs: Inputs, options: CheckOptions, known: Baseline, result: Result) -> Result:
    """The result without what the baseline knows; what it knows and nobody finds any more is told, or pruned."""
    if known.missing(result):
        from jaxlint.engine.session import shown_rules

        plugins, _ = permitted_plugins(inputs, options.settings)
        shown = shown_rules(request_of(inputs, plugins))
        stale = known.stale(result, lambda path, rule: rule in shown.get(path, ()))
        count = plural(sum(stale.values()), "finding")
        where = PathPrinter(inputs.working_directory)(known.path)
        if stale and options.prune_baseline:
            known.without(stale).write()
            write_stderr(f"Removed {count} from {where}.")
        elif stale:
            rules = ", ".join(sorted({entry.rule for entry in stale}))
            warn([f"{where}: {count} of {rules} no longer found; --prune-baseline removes them"])
    return known.hide(result)
