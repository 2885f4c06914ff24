"""From what runs recorded to one verdict per finding: the surest proof of all runs, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jaxlint.diagnostics import Diagnostic
from jaxlint.verify.model import JudgedFinding, Judgement, Verdict
from jaxlint.verify.probe.case import ProbeCase
from jaxlint.verify.probe.module_runs import ModuleRun
from jaxlint.verify.probe.probe_errors import missing_reason
from jaxlint.verify.probe.probe_model import TargetRun
from jaxlint.verify.probe.probe_proofs import ProbeProof
from jaxlint.verify.probe.proof_table import proof_of

#: A run that reached the place says more than one that did not; only one that confirms says more than one that refutes
#: nothing.
_ORDER: Final = (Verdict.CONFIRMED, Verdict.NOT_REPRODUCED, Verdict.REFUTED, Verdict.INCONCLUSIVE, Verdict.NOT_REACHED)


#: What a target says of findings that it does not hold counts only where it saw them.
_SILENT: Final = (Verdict.INCONCLUSIVE, Verdict.NOT_REACHED)


def judge_probe(finding: Diagnostic, module: ModuleRun, text: str) -> JudgedFinding:
    """The verdict on one finding; `text` is the source of its span."""
    judgement = _judgement(finding, module, text)
    return JudgedFinding(finding, judgement.verdict, judgement.evidence)


def _judgement(finding: Diagnostic, module: ModuleRun, text: str) -> Judgement:
    proof = proof_of(finding.rule)
    if module.plan.refused:
        reason = f'the module is not imported: {module.plan.refused}; put it under `if __name__ == "__main__":`'
        return Judgement(Verdict.INCONCLUSIVE, f"{reason}, or observe it: `jaxlint verify -- python ...`")
    if module.import_error is not None:
        return _on_import(finding, proof, module.import_error["error"], text)
    if module.failure is not None:
        return Judgement(Verdict.INCONCLUSIVE, f"the module could not be imported: {module.failure}")
    own = [run for run in module.targets if finding.fingerprint in run.target.findings]
    others = [run for run in module.targets if finding.fingerprint not in run.target.findings]
    found = [judgement for run in own for judgement in _of_target(finding, proof, run, text)]
    seen = [j for run in others for j in _of_target(finding, proof, run, text, only_seen=True)]
    found += [judgement for judgement in seen if judgement.verdict not in _SILENT]
    if proof.judge is not None and module.imported is not None:
        on_import = proof.judge(ProbeCase(finding, module.imported, text))
        found += [on_import] if on_import.verdict is not Verdict.NOT_REACHED else []
    return _surest(found or [Judgement(Verdict.NOT_REACHED, "no function that was probed runs this line")])


def _surest(judgements: Sequence[Judgement]) -> Judgement:
    return min(judgements, key=lambda judgement: _ORDER.index(judgement.verdict))


def _on_import(finding: Diagnostic, proof: ProbeProof, error: Mapping[str, Any], text: str) -> Judgement:
    """What the failed import of the module says of a finding: that it is the reason, or nothing."""
    lists = ("always", "thrown", "keys", "equations", "traces", "swallowed", "printed", "leaked")
    run = {"mode": "import", "error": error, "points": {}, "inputs": {}, "formatted": {}, "vouched": True}
    run.update({name: [] for name in lists}, escaped=False)
    case = ProbeCase(finding, run, text)
    if case.raised_here is not None and proof.judge is not None:
        judgement = proof.judge(case)
        if judgement.verdict is Verdict.CONFIRMED:
            return Judgement(Verdict.CONFIRMED, f"{case.error_reason}, when the module is imported")
    return Judgement(Verdict.INCONCLUSIVE, f"the module cannot be imported: {case.error_reason}")


def _of_target(
    finding: Diagnostic, proof: ProbeProof, run: TargetRun, text: str, *, only_seen: bool = False
) -> list[Judgement]:
    """What the calls of a target say of a finding; `only_seen`: those calls alone that came to it."""
    if proof.judge is None:
        return [Judgement(Verdict.INCONCLUSIVE, proof.text)]
    result = []
    for record in run.runs:
        if "missing" in record:
            result.append(Judgement(Verdict.INCONCLUSIVE, missing_reason(run.target.qualname, record)))
        elif "unavailable" in record:
            result.append(Judgement(Verdict.INCONCLUSIVE, record["unavailable"]))
        else:
            case = ProbeCase(finding, record, text, run.target.qualname)
            if case.has_seen or not only_seen:
                result.append(proof.judge(case))
    if run.failure is not None:
        result.append(Judgement(Verdict.INCONCLUSIVE, f"while `{run.target.qualname}` was called: {run.failure}"))
    return result or [Judgement(Verdict.INCONCLUSIVE, f"`{run.target.qualname}` was not called")]
