"""What values are, where they flow and what traces them: the abstract interpreter and its findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlint.analysis.domain.findings import Analysis, AnalysisOptions, Project
    from jaxlint.analysis.project.explain import Explanation
    from jaxlint.analysis.project.found import Listener
    from jaxlint.analysis.project.leaf_groups import KeptGroups


def analyse(
    project: Project, rules: Sequence[Listener], options: AnalysisOptions, kept: KeptGroups | None = None
) -> Analysis:
    """Interpret a project and collect what the rules find; see `jaxlint.analysis.project.driver`."""
    from jaxlint.analysis.project.driver import analyse as run
    from jaxlint.analysis.project.leaf_groups import NOTHING_KEPT

    return run(project, rules, options, kept or NOTHING_KEPT)


def explain_place(
    project: Project,
    path: str,
    line: int,
    column: int | None,
    options: AnalysisOptions,
    rules: Sequence[Listener] = (),
) -> Explanation:
    """What the analysis knows of the code at a place; see `jaxlint.analysis.project.explain`."""
    from jaxlint.analysis.project.explain import explain_place as run

    return run(project, path, line, column, options, rules)
