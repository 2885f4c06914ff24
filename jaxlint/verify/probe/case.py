"""One finding in one run of its target: what the child recorded of it, in the words that proofs ask in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jaxlint.diagnostics import Diagnostic
from jaxlint.verify.model import Judgement, Verdict

#: Transforms under which values keep a number when nothing else traces.
_CONCRETE: Final = frozenset({"grad", "custom derivative"})
_VOUCHED: Final = ("command line", "spec", "recorded run")
_OF_TRACING: Final = (
    "ConcretizationTypeError", "TracerArrayConversionError", "TracerIntegerConversionError",
    "NonConcreteBooleanIndexError", "UnexpectedTracerError",
)  # fmt: skip
#: How JAX names a function in a message.
_NAMED: Final = re.compile(r"<function ([^ ]+) at 0x")
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class ProbeCase:
    """A finding and one run. `text` is the source of the finding's span, `target` the function that was called."""

    finding: Diagnostic
    run: Mapping[str, Any]
    text: str
    target: str = ""

    # --- what happened

    @property
    def sightings(self) -> Sequence[Mapping[str, Any]]:
        """What was seen of the flagged place, once for each call."""
        found: Sequence[Mapping[str, Any]] = self.run["points"].get(self.finding.fingerprint, ())
        return found

    @property
    def hits(self) -> int:
        """How often the flagged place was run, in all calls."""
        return sum(sighting["hits"] for sighting in self.sightings)

    @property
    def completed(self) -> int:
        """How often it was run to its end."""
        return sum(sighting["completed"] for sighting in self.sightings)

    @property
    def mode(self) -> str:
        """`trace`: called on abstract inputs; `jit`: the same, as `jax.jit` of the function; `execute`: run."""
        return str(self.run["mode"])

    @property
    def transforms(self) -> list[str]:
        """The program's own transforms under which the place was run."""
        return list(dict.fromkeys(kind for sighting in self.sightings for kind in sighting["transforms"]))

    @property
    def is_asked(self) -> bool:
        """Whether a person or a recorded run says what the arguments are, and so that the function is traced."""
        return any(argument["source"] in _VOUCHED for argument in self.run["inputs"].values())

    @property
    def is_traced(self) -> bool:
        """Whether the place was run while something traced it: the program itself, or `jax.jit` where that is asked."""
        return self.hits > 0 and (bool(set(self.transforms) - _CONCRETE) or (self.mode == "jit" and self.is_asked))

    @property
    def once(self) -> bool:
        """Whether the second of two equal calls did not run the place again."""
        return len(self.sightings) > 1 and self.sightings[0]["hits"] > 0 and self.sightings[1]["hits"] == 0

    @property
    def changes(self) -> list[Mapping[str, Any]]:
        """What the place changed."""
        return [change for sighting in self.sightings for change in sighting["changes"]]

    @property
    def values(self) -> dict[str, str]:
        """What the names of the flagged expression stood for, tracers first."""
        return {name: value for sighting in reversed(self.sightings) for name, value in sighting["values"].items()}

    @property
    def formatted(self) -> list[str]:
        """The formatted names that stood for tracers."""
        names = self.run["formatted"].get(self.finding.fingerprint, ())
        return [name for name in names if self.values.get(name, "").startswith("a tracer")]

    def covers(self, path: str, line: int) -> bool:
        """Whether a place lies on the flagged lines."""
        return path == self.finding.path and self.finding.span.line <= line <= self.finding.span.end_line

    def is_noted(self, path: str, line: int) -> bool:
        """Whether a place lies where one of the finding's notes points."""
        noted = ((n.path, n.span) for n in self.finding.notes if n.span is not None)
        return any(path == own and span is not None and span.line <= line <= span.end_line for own, span in noted)

    @property
    def identifiers(self) -> frozenset[str]:
        """The names in the flagged source."""
        return frozenset(_IDENTIFIER.findall(self.text))

    # --- the error

    @property
    def error(self) -> Mapping[str, Any] | None:
        """The exception that ended the run."""
        found: Mapping[str, Any] | None = self.run["error"]
        return found

    @property
    def raised_here(self) -> Mapping[str, Any] | None:
        """The frame of the flagged place, if the run's exception came from there or from an operation it names."""
        frames = [] if self.error is None else self.error["frames"]
        own = next((f for f in reversed(frames) if self.covers(f["path"], f["line"])), None)
        if own is None:
            return None
        last = frames[-1]
        is_last = self.covers(last["path"], last["line"]) or self.is_noted(last["path"], last["line"])
        return own if is_last else None

    @property
    def raised_in_decorated(self) -> bool:
        """Whether the exception came from a place that a note names, in a function that the flagged place decorates.

        The program's own transforms led there: that the probe calls the function without them does not count.
        """
        frames = [] if self.error is None else self.error["frames"]
        if not frames or not self.is_noted(frames[-1]["path"], frames[-1]["line"]):
            return False
        last = frames[-1]
        decorates = last["path"] == self.finding.path and last["first"] <= self.finding.span.line < last["line"]
        return decorates and bool(last["transforms"])

    def is_error(self, classes: Iterable[str], message: str = "") -> bool:
        """Whether the exception is of one of the classes, and its text matches."""
        if self.error is None:
            return False
        names = {name.rpartition(".")[2] for name in self.error["bases"]}
        return bool(names & set(classes)) and re.search(message, self.error["message"], re.IGNORECASE) is not None

    @property
    def blames_another(self) -> bool:
        """Whether the exception says that another function than the target got what JAX cannot take."""
        named = None if self.error is None else _NAMED.search(self.error["message"])
        return named is not None and named[1] != self.target

    @property
    def has_seen(self) -> bool:
        """Whether the flagged place was run, or the exception came from there."""
        return self.hits > 0 or self.raised_here is not None

    @property
    def error_text(self) -> str:
        """`TracerBoolConversionError at line 7`."""
        if self.error is None:
            return ""
        frames = self.error["frames"]
        place = f" at line {frames[-1]['line']}" if frames else ""
        if self.run.get("stopped"):
            return f"stopped{place}"
        return f"{self.error['class'].rpartition('.')[2]}{place}"

    @property
    def error_reason(self) -> str:
        """The exception with the first line of its message."""
        first = self.error["message"].splitlines()[0] if self.error and self.error["message"] else ""
        return f"{self.error_text}: {first}"[:200]

    @property
    def is_artefact(self) -> bool:
        """Whether the exception is one of tracing, where only the probe traces and nobody asked for that."""
        frame = self.raised_here
        if frame is None or self.mode in ("execute", "import") or not self.is_error(_OF_TRACING):
            return False
        return not set(frame["transforms"]) - _CONCRETE and not (self.is_asked and not frame["transforms"])

    # --- answers

    @property
    def inputs(self) -> str:
        """`with x=f32[3,4]`, and where values come from that nobody vouches for."""
        return inputs_text(self.run)

    @property
    def how(self) -> str:
        """In what way the target was called."""
        if self.mode in ("execute", "import"):
            return "executed" if self.mode == "execute" else "when the module is imported"
        kinds = self.transforms or (self.raised_here or {}).get("transforms") or []
        return f"traced by {', '.join(kinds)}" if kinds else "traced as `jax.jit` would"

    def confirmed(self, what: str) -> Judgement:
        """The finding is right: what shows it."""
        return Judgement(Verdict.CONFIRMED, f"{what}{self.inputs} ({self.how})")

    def refuted(self, what: str) -> Judgement:
        """Positive proof of the contrary; only where every input comes from a person or a run."""
        verdict = Verdict.REFUTED if self.run["vouched"] else Verdict.NOT_REPRODUCED
        return Judgement(verdict, f"{what}{self.inputs} ({self.how})")

    def not_reproduced(self, what: str) -> Judgement:
        """The place was run and the symptom did not show."""
        return Judgement(Verdict.NOT_REPRODUCED, f"{what}{self.inputs} ({self.how})")

    def inconclusive(self, what: str) -> Judgement:
        """Nothing can be said, and why."""
        return Judgement(Verdict.INCONCLUSIVE, f"{what}{self.inputs}")

    def unseen(self) -> Judgement:
        """The place was not run: the run ended before, or went another way."""
        if self.error is not None:
            return self.inconclusive(f"the call ended before this line: {self.error_reason}")
        return Judgement(Verdict.NOT_REACHED, f"the call did not come to this line{self.inputs}")


def inputs_text(run: Mapping[str, Any]) -> str:
    """` with x=f32[3,4]`, or ` as called at line 7`; empty where a call takes nothing."""
    arguments = run["inputs"]
    if run.get("site"):
        return f" as called at line {run['site']}"
    if not arguments:
        return ""
    shown = ", ".join(f"{name}={_short(argument)}" for name, argument in arguments.items())
    return f" with {shown}"


def _short(argument: Mapping[str, str]) -> str:
    known = ("command line", "spec")
    source = "" if argument["source"] in known else f" ({argument['source']})"
    return f"{argument['text'][:60]}{source}"
