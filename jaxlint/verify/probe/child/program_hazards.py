"""What the program that a call was traced to, and the traces on the way to it, show of the user's lines."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from . import key_flow, programs
from .hazards import SHARED_KEY, Hazard
from .source_lines import SourceLines
from .stack import CONCRETE

#: Bytes from which on a constant in a program is worth a line; an observed run has the same.
LARGE_CONSTANT = 2**20
_MANY_TRACES = 3
_ROWS = {"vmap", "pmap", "shard_map"}
#: Uses of one key that draw the same numbers, by what they are, with the rule that is about each.
_REUSE = {
    "draw and draw": "key-reuse", "split and split": "key-reuse", "draw and split": "key-reuse",
    "split and draw": "parent-key-after-split", "loop": "key-reuse-in-loop",
}  # fmt: skip
_KEY_MAKERS = ("key", "PRNGKey")
_HARMLESS_CALLS = ("block_until_ready", "copy_to_host_async")

Under = Mapping[tuple[str, int], set[str]]


def of_program(closed: Any, files: Container[str], sources: SourceLines, under: Under) -> Iterator[Hazard]:
    """The defects that a jaxpr shows."""
    uses = key_flow.KeyUses(files)
    uses.read(closed)
    for entry in key_flow.described(uses.uses):
        yield from _of_key(entry, sources, under)
    yield from _thrown_away(closed, files, sources, under)
    yield from _large_constants(closed, files)
    yield from _donated(closed, files)


def _own(under: Under, path: str, line: int) -> bool:
    """Whether only the probe traced a line."""
    return not under.get((path, line), set()) - CONCRETE


def _of_key(entry: Mapping[str, Any], sources: SourceLines, under: Under) -> Iterator[Hazard]:
    if not entry["lines"]:
        return
    path, line = entry["lines"][-1]
    places = [lines[-1][1] for lines in entry["all_lines"] if lines]
    shown = " and ".join(f"line {place}" for place in dict.fromkeys(places))
    own = _own(under, path, line)
    kinds = under.get((path, line), set())
    if entry["what"] in _REUSE and not entry["constant"]:
        rule = _REUSE[entry["what"]]
        if rule == "key-reuse" and len(set(places)) == 1 and len(places) > 1:
            rule = "key-reuse-in-loop"
        what = "the same key is used again, so the same numbers are drawn"
        yield Hazard(rule, path, line, what, f"{entry['what']}, at {shown}", own)
    elif entry["what"] == "single draw" and entry["rank"] == 0 and kinds & _ROWS and SHARED_KEY not in kinds:
        what = "one key serves every row of the mapped function, so all rows draw the same numbers"
        yield Hazard("same-key-across-batch", path, line, what, f"one draw from one key, at {shown}", own)
    elif entry["what"] == "constant seed" and entry["drawn"] and _is_meant(sources, path, line, kinds):
        what = "the seed is a constant of the compiled function: every call draws the same numbers"
        yield Hazard("constant-key", path, line, what, "what is drawn depends on literals alone", own)


def _is_meant(sources: SourceLines, path: str, line: int, kinds: Container[str]) -> bool:
    """Whether a key is made there from a number written in place, not as a default, and for what will be run."""
    made = [c for c in sources.calls(path, line) if getattr(c.func, "attr", getattr(c.func, "id", "")) in _KEY_MAKERS]
    is_literal = any(call.args and isinstance(call.args[0], ast.Constant) for call in made)
    is_default = any("None" in ast.unparse(test) for test in sources.tests(path, line))
    return is_literal and not is_default and "eval_shape" not in kinds


def _thrown_away(closed: Any, files: Container[str], sources: SourceLines, under: Under) -> Iterator[Hazard]:
    """Statements that are one call of JAX whose result nothing uses."""
    by_line: defaultdict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for equation in programs.equations(closed.jaxpr, files):
        by_line[equation["path"], equation["line"]].append(equation)
    for (path, line), own in by_line.items():
        statement = sources.statement(path, line)
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
            continue
        if any(equation["used"] for equation in own) or not _is_pure(statement.value):
            continue
        names = ", ".join(dict.fromkeys(equation["primitive"] for equation in own))
        what = "the result is thrown away, and arrays are not changed in place"
        yield Hazard(
            "discarded-at-update", path, line, what, f"nothing uses what is computed ({names})", _own(under, path, line)
        )


def _is_pure(call: ast.Call) -> bool:
    """Whether a call is an update through `.at`, or a function of `jnp`, `lax` and their like by its spelling."""
    text = ast.unparse(call.func)
    is_library = text.startswith(("jnp.", "jax.numpy.", "jax.lax.", "lax."))
    return (".at[" in text or is_library) and not text.endswith(_HARMLESS_CALLS)


def _large_constants(closed: Any, files: Container[str]) -> Iterator[Hazard]:
    """Arrays that a program holds as constants, at the first line that uses each."""
    seen: set[int] = set()
    for jaxpr, constants in _with_constants(closed):
        large = {
            id(variable): constant
            for variable, constant in zip(jaxpr.constvars, constants, strict=False)
            if getattr(constant, "nbytes", 0) >= LARGE_CONSTANT and id(constant) not in seen
        }
        seen |= {id(constant) for constant in large.values()}
        for equation in jaxpr.eqns:
            used = [large.pop(id(atom)) for atom in equation.invars if id(atom) in large]
            lines = programs.user_lines(equation, files)
            for constant in used if lines else ():
                size = f"{constant.nbytes / 2**20:.0f} MiB"
                what = f"an array of {size} from outside becomes a constant of the compiled function"
                shape = f"{constant.dtype}{list(constant.shape)}"
                yield Hazard("large-closure-constant", *lines[0], what, shape, jaxpr is closed.jaxpr)


def _with_constants(closed: Any) -> Iterator[tuple[Any, Sequence[Any]]]:
    yield closed.jaxpr, closed.consts
    waiting = [closed.jaxpr]
    while waiting:
        for equation in waiting.pop().eqns:
            for value in equation.params.values():
                for entry in value if isinstance(value, (tuple, list)) else (value,):
                    inner = getattr(entry, "jaxpr", entry)
                    if hasattr(inner, "eqns"):
                        yield inner, getattr(entry, "consts", ())
                        waiting.append(inner)


def _donated(closed: Any, files: Container[str]) -> Iterator[Hazard]:
    """Arrays that a compiled function was given for good, and that the caller uses again."""
    gone: dict[int, int] = {}
    place = ("", 0)
    for equation in closed.jaxpr.eqns:
        lines = programs.user_lines(equation, files)
        again = next((gone[id(atom)] for atom in equation.invars if id(atom) in gone), None)
        if again is not None and lines:
            what = "the array was donated to a compiled function, and is used after the call"
            yield Hazard("use-after-donate", *lines[0], what, f"donated at line {again}")
        donated = equation.params.get("donated_invars", ())
        results = {(v.aval.shape, v.aval.dtype) for v in equation.outvars if hasattr(v.aval, "shape")}
        for atom, is_donated in zip(equation.invars, donated, strict=False):
            if is_donated and lines and (atom.aval.shape, atom.aval.dtype) in results:
                gone[id(atom)] = lines[0][1]
                place = lines[0]
    if any(id(atom) in gone for atom in closed.jaxpr.outvars):
        what = "the array was donated to a compiled function, and is handed back after the call"
        yield Hazard("use-after-donate", *place, what, f"donated at line {place[1]}")


# --- traces


def of_traces(
    calls: Sequence[Sequence[Mapping[str, Any]]], closed: Any, files: Container[str], sources: SourceLines
) -> Iterator[Hazard]:
    """Compiled functions that one call traces again and again, or that an equal call traces anew.

    What is compiled inside of a compiled function is part of that one, and costs nothing of its own.
    """
    compiled = [[t for t in call if _is_compiled(t)] for call in calls]
    runs = _runs(closed, files)
    for call in compiled:
        by_place: defaultdict[tuple[str, int, tuple[str, int]], list[Mapping[str, Any]]] = defaultdict(list)
        for trace in call:
            by_place[trace["path"], trace["line"], tuple(trace["call"])].append(trace)
        for (_, _, place), traces in by_place.items():
            found = _again(traces, place, runs[place], is_bounded=sources.is_in_short_loop(*place))
            if found is not None:
                yield found
    if len(compiled) > 1:
        yield from _in_both(compiled[0], compiled[1], runs)


def _is_compiled(trace: Mapping[str, Any]) -> bool:
    is_run = "jit" in trace["transforms"] and not {"eval_shape", "pallas_call"} & set(trace["transforms"])
    return is_run and bool(trace["outermost"]) and bool(trace["call"][0])


def _again(
    traces: Sequence[Mapping[str, Any]], place: tuple[str, int], runs: int, *, is_bounded: bool
) -> Hazard | None:
    """Why one line of one call traced one function several times."""
    name, count = traces[0]["function"], len(traces)
    equal = Counter(repr((trace["arguments"], trace["captured"])) for trace in traces).most_common(1)[0][1]
    what = f"`{name}` is compiled again and again at this line"
    if equal > 1:
        return Hazard("jit-in-loop", *place, what, f"{equal} traces for equal arguments: a new function each time")
    for argument in traces[0]["arguments"]:
        values = list(dict.fromkeys(str(trace["arguments"].get(argument)) for trace in traces))
        if len(values) < 2:
            continue
        shown = f"{count} traces: `{argument}` was {', then '.join(values[:4])}"
        if values[0].removesuffix(" weak") == values[1].removesuffix(" weak"):
            return Hazard("weak-type-recompile", *place, what, shown)
        if count >= _MANY_TRACES and count >= runs and not is_bounded:
            is_static = any(argument in trace["static"] for trace in traces)
            return Hazard("varying-static-argument" if is_static else "varying-shape", *place, what, shown)
    return None


def _in_both(
    first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]], runs: Counter[tuple[str, int]]
) -> Iterator[Hazard]:
    """Functions that are compiled anew by an equal call, and not used again within one."""
    for trace in second:
        path, line = trace["call"]
        if sum(_is_same(other, trace) for other in first) == 1 and runs[path, line] <= 1:
            what = f"`{trace['function']}` is made and compiled anew at each call"
            yield Hazard("jit-in-function", path, line, what, "two equal calls, two traces of two functions")


def _is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[key] == other[key] for key in ("path", "line", "arguments", "call"))


def _runs(closed: Any, files: Container[str]) -> Counter[tuple[str, int]]:
    """How often a program runs compiled functions of the user's, by the line of the call."""
    found: Counter[tuple[str, int]] = Counter()
    for equation in closed.jaxpr.eqns if closed is not None else ():
        lines = programs.user_lines(equation, files) if equation.primitive.name in ("jit", "pjit") else ()
        found.update(lines[:1])
    return found
