"""What makes a verification fail: more recompilations than allowed, a confirmed finding, a function over its budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jaxlint.text import plural
from jaxlint.verify.model import FunctionCounts, Observation, Verdict
from jaxlint.verify.verify_options import VerifyOptions


def failures(observation: Observation, options: VerifyOptions, budgets: Mapping[str, int]) -> list[str]:
    """One sentence for each gate that fails. `budgets` allow functions, by dotted name, so many traces."""
    return list(_failures(observation, options, budgets))


def _failures(observation: Observation, options: VerifyOptions, budgets: Mapping[str, int]) -> Iterator[str]:
    allowed, found = options.max_recompiles, observation.recompilations
    if allowed is not None and found > allowed:
        yield f"{plural(found, 'recompilation')}, and --max-recompiles allows {allowed}"
    if options.fail_on == "confirmed":
        confirmed = sum(finding.verdict is Verdict.CONFIRMED for finding in observation.findings)
        if confirmed:
            yield f"{plural(confirmed, 'finding')} confirmed, and --fail-on confirmed allows none"
    if options.fail_on == "observed" and observation.observed:
        yield f"{plural(len(observation.observed), 'finding')} observed, and --fail-on observed allows none"
    for name, budget in budgets.items():
        for function in observation.functions:
            if names(function, name) and function.traces > budget:
                yield f"`{function.name}` was traced {function.traces} times, and its budget allows {budget}"


def names(function: FunctionCounts, dotted: str) -> bool:
    """Whether `dotted`, such as `package.module.step`, ends in the module and name of the function."""
    qualified = function.name.replace(".<locals>", "")
    module = function.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".").replace("\\", ".")
    return qualified == dotted or f"{module}.{qualified}".endswith(f".{dotted}")
