"""How a probe proves each rule: one row per rule, the table of `docs/verify.md` and the judge in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jaxlint.verify.model import Judgement, Verdict
from jaxlint.verify.probe.case import ProbeCase

Judge = Callable[[ProbeCase], Judgement]


@dataclass(frozen=True, slots=True)
class ProbeProof:
    """How one rule is proved. `text` is what a person reads; `traced` says that the rule speaks of traced code.

    `taken` begins the messages of notes about where the flagged function is called, so that this is probed, too.
    `judge` None: a probe cannot prove the rule, and `text` says why.
    """

    text: str
    judge: Judge | None = None
    traced: bool = False
    needs_execute: bool = False
    reads_results: bool = False
    taken: str = ""


# --- proofs by an exception


def _artefact(case: ProbeCase) -> Judgement:
    """The error is there because the probe traces; in the program, as far as was seen, values have numbers here."""
    hint = "say with `--arg` what is traced, or add `--execute`"
    return case.inconclusive(f"{case.error_text}, but nothing in the program was seen to trace this; {hint}")


def raises(*classes: str, message: str = "", always: bool = True) -> Judge:
    """An exception of one of the classes at the flagged line. `always`: where nothing is raised, nothing is wrong."""

    def judge(case: ProbeCase) -> Judgement:
        if case.raised_here is not None:
            if not case.is_error(classes, message):
                return case.inconclusive(f"another error stops the call at this line: {case.error_reason}")
            if case.is_artefact:
                return _artefact(case)
            return case.confirmed(case.error_reason)
        return _not_raised(case) if always else _untraced(case)

    return judge


def raises_inside(*classes: str, message: str) -> Judge:
    """An exception at the flagged line, or inside the function that it decorates."""
    at_line = raises(*classes, message=message)

    def judge(case: ProbeCase) -> Judgement:
        if case.raised_in_decorated and case.is_error(classes, message):
            return case.confirmed(case.error_reason)
        return at_line(case)

    return judge


def _not_raised(case: ProbeCase) -> Judgement:
    if not case.hits:
        return case.unseen()
    if not case.completed:
        return case.inconclusive(f"the call ended inside this line: {case.error_reason}")
    if case.finding.fingerprint in case.run["always"]:
        return case.refuted("the expression was evaluated and nothing was raised")
    return case.not_reproduced("the line was run and nothing was raised")


def raises_at_call(*classes: str, message: str, of_target: bool = False) -> Judge:
    """An exception of a jitted function's call, which may be raised before any line of the user's is run.

    `of_target`: the flagged function itself is called, so an exception about another one says nothing.
    """

    def judge(case: ProbeCase) -> Judgement:
        is_about = case.is_error(classes, message) and not (of_target and case.blames_another)
        if is_about and (case.raised_here is not None or not (case.error or {})["frames"]):
            return case.confirmed(case.error_reason)
        if case.raised_here is not None:
            return raises(*classes, message=message)(case)
        return _untraced(case)

    return judge


def raises_or_refuses_result(*classes: str, message: str, results: str) -> Judge:
    """An exception at the flagged line; if the finding is about a result, of the call that takes this."""
    at_line, at_call = raises(*classes, always=False), raises_at_call(*classes, message=message)
    return lambda case: (at_call if case.finding.message.endswith(results) else at_line)(case)


def raises_in_transform(*classes: str, message: str) -> Judge:
    """An exception of the transform that runs the flagged function, raised where that is called."""

    def judge(case: ProbeCase) -> Judgement:
        if not case.is_error(classes, message):
            return _not_raised(case)
        return _artefact(case) if case.is_artefact else case.confirmed(case.error_reason)

    return judge


def raises_when_run(*classes: str, message: str) -> Judge:
    """An exception that only concrete values raise."""

    def judge(case: ProbeCase) -> Judgement:
        if case.mode not in ("execute", "import"):
            return case.inconclusive("only a run can show it; add `--execute`")
        return raises(*classes, message=message)(case)

    return judge


# --- proofs by what a line does while it is traced


def _counted(case: ProbeCase) -> str:
    if case.once:
        return "; of two equal calls only the first ran the line"
    return ""


def _untraced(case: ProbeCase) -> Judgement:
    """What to say of a line that did not show the symptom."""
    if not case.hits:
        return case.unseen()
    if not case.completed:
        return case.inconclusive(f"the call ended inside this line: {case.error_reason}")
    if case.finding.family in ("effects", "tracing") and not case.is_traced:
        return case.not_reproduced("the line was run, but not while JAX traced")
    return case.not_reproduced("the line was run, and the symptom did not show")


def changes(*holders: str, inside: bool, tracer: bool = False) -> Judge:
    """Something outside the function was changed while the line was traced."""

    def judge(case: ProbeCase) -> Judgement:
        found = [
            change
            for change in case.changes
            if change["holder"] in holders
            and (change["tracer"] or not tracer)
            and (any(mark in change["path"] for mark in ".[{") or not inside)
        ]
        if not case.is_traced:  # what differentiates leaves tracers behind as well
            found = [change for change in found if change["lifted"] and "grad" in case.transforms]
        if not found:
            return _untraced(case)
        change = found[0]
        what = f"`{change['path']}` became {change['after']} (it was {change['before']}) while JAX traced"
        return case.confirmed(what + _counted(case))

    return judge


def once(what: str) -> Judge:
    """The line is run while something traces it: not again by an equal call, or once for all rounds and rows."""

    def judge(case: ProbeCase) -> Judgement:
        if case.is_traced:
            return case.confirmed(f"{what} while JAX traced" + _counted(case))
        return _untraced(case)

    return judge


def prints(case: ProbeCase) -> Judgement:
    """A line prints a tracer."""
    printed = [entry for call in case.run["printed"] for entry in call if case.covers(entry["path"], entry["line"])]
    if case.is_traced and any(entry["tracer"] for entry in printed):
        return case.confirmed("it printed a tracer, not a number" + _counted(case))
    if case.is_traced and printed:
        return case.refuted("what it printed holds no tracer")
    return _untraced(case)


def iterates(case: ProbeCase) -> Judgement:
    """An iterator that the function did not make advances while JAX traces."""
    moved = [change["path"] for change in case.changes if change["holder"] == "iterator"]
    if case.is_traced and moved:
        return case.confirmed(f"the iterator `{moved[0]}` advanced while JAX traced" + _counted(case))
    if case.raised_here is not None and case.is_error(("TypeError",), "JAX type|abstract array|generator|iterator"):
        return case.confirmed(case.error_reason)
    return once("the iterator advanced")(case) if "next" in case.identifiers else _untraced(case)


def host_random(case: ProbeCase) -> Judgement:
    """The state of a generator of the host moves while JAX traces."""
    drawn = [change["path"] for change in case.changes if change["holder"] == "random"]
    if case.is_traced and drawn:
        return case.confirmed(f"the state of `{drawn[0]}` moved while JAX traced" + _counted(case))
    return once("it drew on the host")(case) if case.identifiers & _ENTROPY else _untraced(case)


def formats(case: ProbeCase) -> Judgement:
    """A name that is formatted stands for a tracer."""
    if case.is_traced and case.completed and case.formatted:
        name = case.formatted[0]
        return case.confirmed(f"`{name}` was {case.values[name]} when it was formatted")
    return _untraced(case)


def caches(case: ProbeCase) -> Judgement:
    """The cache of a traced function keeps a tracer."""
    if case.run["leaked"]:
        names = ", ".join(f"`{entry['function']}`" for entry in case.run["leaked"])
        return case.confirmed(f"the cache of {names} holds a tracer after the trace")
    return _untraced(case)


def swallows(case: ProbeCase) -> Judgement:
    """A handler catches JAX's own error."""
    for entry in case.run["swallowed"]:
        if case.covers(entry["path"], entry["handler"]):
            return case.confirmed(f"{entry['class']} of line {entry['line']} was caught here while JAX traced")
    return _untraced(case)


def recurses(case: ProbeCase) -> Judgement:
    """A traced function calls itself until something stops it."""
    if case.is_error(("RecursionError", "ConcretizationTypeError")) and case.error is not None:
        frames = case.error["frames"]
        inside = {frame["function"] for frame in frames} & case.identifiers
        if case.is_error(("RecursionError",)) or any(case.covers(f["path"], f["line"]) for f in frames) or inside:
            return case.confirmed(case.error_reason)
    return _not_raised(case)


# --- proofs by the jaxpr


def is_dropped(case: ProbeCase) -> Judgement:
    """Nothing that the program gives back is computed from the line."""
    own = [e for e in case.run["equations"] if case.covers(e["path"], e["line"])]
    if own and not any(equation["used"] for equation in own):
        if "grad" in case.transforms and case.finding.fingerprint not in case.run["thrown"]:
            return case.not_reproduced("no gradient depends on what the line computes")
        if case.run["escaped"] or any(change["tracer"] for change in case.changes):
            return case.not_reproduced("no result is computed from it, but something keeps a traced value")
        names = ", ".join(dict.fromkeys(equation["primitive"] for equation in own))
        return case.confirmed(f"nothing in the program uses what the line computes ({names})")
    updates = [e for e in own if e["primitive"].startswith(("scatter", "dynamic_update", "select"))]
    if updates and all(equation["used"] for equation in updates):
        return case.refuted("the program uses what the line computes")
    return _untraced(case)


def array_method(case: ProbeCase) -> Judgement:
    """A method that arrays do not have, or that leaves them as they are."""
    if case.raised_here is not None:
        return raises("TypeError", "ValueError", "AttributeError")(case)
    dropped = is_dropped(case)
    return dropped if dropped.verdict is Verdict.CONFIRMED else _untraced(case)


def key_uses(*kinds: str) -> Judge:
    """Two uses of one value of a key, of which the flagged line makes one."""

    def judge(case: ProbeCase) -> Judgement:
        for entry in _of_line(case, kinds):
            places = [lines[-1][1] for lines in entry["all_lines"] if lines]
            lines = " and ".join(f"line {line}" for line in dict.fromkeys(places))
            if entry["what"] == "loop":
                return case.confirmed(f"each round of the loop uses the same key at {lines}")
            return case.confirmed(f"{entry['what']} use the same key at {lines}")
        return _no_key(case)

    return judge


def _of_line(case: ProbeCase, kinds: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    for entry in case.run["keys"]:
        if entry["what"] not in kinds:
            continue
        places = [place for lines in entry["all_lines"] for place in lines]
        is_round = entry["what"] == "loop" and any(case.is_noted(*place) for place in places)
        if is_round or any(case.covers(*place) for place in places):
            yield entry


def _no_key(case: ProbeCase) -> Judgement:
    if case.hits and case.mode in ("execute", "import"):
        return case.not_reproduced("keys are followed in the trace, not in the run")
    return (
        case.unseen()
        if case.error is not None or not case.hits
        else case.not_reproduced("the line was run; no key was used twice")
    )


def dropped_key(case: ProbeCase) -> Judgement:
    """A new key is made and not used, or the old one is used again."""
    own = [e for e in case.run["equations"] if case.covers(e["path"], e["line"])]
    made = [e for e in own if e["primitive"] in ("random_split", "random_fold_in", "random_unwrap", "random_wrap")]
    if made and not any(equation["used"] for equation in made) and not case.run["escaped"]:
        return case.confirmed("nothing in the program uses the new key")
    return key_uses("draw and split", "split and draw", "split and split", "draw and draw", "loop")(case)


def constant_key(case: ProbeCase) -> Judgement:
    """What is drawn depends on literals alone, and is drawn again and again."""
    own = list(_of_line(case, ("constant seed",)))
    if own and case.is_traced:
        return case.confirmed("the seed is a constant of the program, the same in every call")
    passes = max(Counter(entry["number"] for entry in own).values(), default=0)
    if passes > 1:
        return case.confirmed(f"{passes} passes of one call made the same key")
    return _no_key(case)


def same_for_rows(case: ProbeCase) -> Judgement:
    """All rows of a mapped function, or all rounds of a loop, draw from one key."""
    mapped = {"vmap", "pmap", "shard_map"} & set(case.transforms)
    for entry in _of_line(case, ("loop", "single draw")):
        if entry["what"] == "loop":
            return case.confirmed("each step of the loop draws from the same key")
        if mapped and entry["rank"] == 0:
            return case.confirmed(f"one draw from one key serves every row of the {'/'.join(mapped)}")
    return _no_key(case)


# --- proofs by counting traces


def _traces(case: ProbeCase) -> list[list[Mapping[str, Any]]]:
    """The traces of what the flagged source defines or names, for each call."""
    return [[trace for trace in call if _is_named(case, trace)] for call in case.run["traces"]]


def _is_named(case: ProbeCase, trace: Mapping[str, Any]) -> bool:
    if trace["name"] == "<lambda>":
        return case.covers(trace["path"], trace["line"])
    return trace["name"] in case.identifiers or case.covers(trace["path"], trace["line"])


def _most_repeated(traces: Sequence[Mapping[str, Any]]) -> tuple[str, int]:
    """The function that was traced most often for equal arguments."""
    counts = Counter((t["path"], t["line"], t["function"], repr((t["arguments"], t["captured"]))) for t in traces)
    if not counts:
        return "", 0
    (_, _, name, _), count = counts.most_common(1)[0]
    return str(name), count


def new_function(*, in_one_call: bool) -> Judge:
    """A function is traced again for equal arguments: `in_one_call` by one call of the target, else by the second."""

    def judge(case: ProbeCase) -> Judgement:
        calls = _traces(case)
        name, count = max((_most_repeated(call) for call in calls), key=lambda pair: pair[1], default=("", 0))
        if not count or case.mode == "jit":
            return _untraced(case) if case.hits else case.unseen()
        if count > 1:
            return case.confirmed(
                f"one call traced `{name}` {count} times for equal arguments: a new function each time"
            )
        if not in_one_call:
            name, count = _most_repeated([trace for call in calls for trace in call])
            if count > 1:
                return case.confirmed(
                    f"{len(calls)} equal calls traced `{name}` {count} times: a new function each time"
                )
        if len(calls) > 1 and case.error is None:
            return case.refuted(f"{len(calls)} calls, 1 trace of `{name}`")
        return case.not_reproduced(f"`{name}` was traced once")

    return judge


def varies(case: ProbeCase) -> Judgement:
    """One line traces a function again and again, for another static value each time."""
    for call in case.run["traces"]:
        by_function: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
        for trace in call:
            if case.covers(*trace["call"]):
                by_function.setdefault((trace["path"], trace["line"]), []).append(trace)
        for traces in by_function.values():
            if found := _varying(traces):
                return case.confirmed(found)
    return _untraced(case)


def _varying(traces: Sequence[Mapping[str, Any]]) -> str:
    what = f"{len(traces)} traces of `{traces[0]['function']}`"
    for name in traces[0]["static"]:
        values = list(dict.fromkeys(str(trace["arguments"].get(name)) for trace in traces))
        if len(values) > 1:
            return f"{what}: `{name}` was {', then '.join(values[:4])}"
    if len(traces) > 1 and len({repr(trace["arguments"]) for trace in traces}) == 1:
        objects = [n for n in traces[0]["static"] if traces[0]["arguments"][n].startswith("a ")]
        return f"{what}: `{objects[0]}` was another object each time" if objects else ""
    return ""


def unready(case: ProbeCase) -> Judgement:
    """An array is still being computed when the line is run."""
    if case.mode not in ("execute", "import"):
        return case.inconclusive("only a run can show it; add `--execute`")
    waiting = [name for sighting in case.sightings for name in sighting["unready"]]
    if waiting:
        return case.confirmed(f"`{waiting[0]}` was not computed yet when the clock was read")
    return _untraced(case)


#: Sources of randomness whose state cannot be looked at.
_ENTROPY: Final = frozenset({"urandom", "uuid1", "uuid4", "secrets", "default_rng", "RandomState", "SystemRandom"})
