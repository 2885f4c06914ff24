"""io-in-traced-code: input and output in traced code happen while tracing only."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.domain.values import Array, atoms_of
from jaxlint.analysis.events.effects import LibraryCall
from jaxlint.analysis.events.event import Operand
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Code
from jaxlint.fixes.deferred import REASON, deferred
from jaxlint.fixes.known_values import kinds_by_name, known_values
from jaxlint.rules.effects._fix_callback import as_callback
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir, walks

_KINDS = {
    "clock": "reads the clock",
    "io": "reads or writes",
    "environment": "reads the environment",
    "network": "uses the network",
    "process": "starts or queries a process",
    "experiment-logger": "logs",
}
_GIVEN = "a parameter's tracer shows its compiled shape and dtype, which may be intentional"
_SHOWS_SHAPE = "an array's tracer shows its shape and dtype, which may be intentional"
_READ = "the compiled function keeps the value as a constant, which may be intentional"
_MISSING = "it runs only where a file is missing, so running once may be intentional"
_WRITING = frozenset("wax+")
_OF_FILES = frozenset({"io", "network"})
_NUMBERS = frozenset({"int", "float", "complex"})


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A callback, which runs with the program: of the call, or of the `with` that holds the file."""
    statement = code.statement(request.at)
    if not isinstance(statement, ir.With):
        return as_callback(request, code) if "=traced" in request.words else None
    changes = deferred(code, statement, kinds_by_name(request.words), "write")
    return None if changes is None else code.fix("Write it in a callback", changes, Applicability.UNSAFE, REASON)


@rule("io-in-traced-code", code="JX406", category=Category.SUSPICIOUS, on=LibraryCall, fix=_fix)
def io_in_traced_code(call: LibraryCall) -> Iterator[Finding]:
    """Clocks, files, sockets, the environment and loggers in traced code."""
    if call.trace is None or not call.trace.is_run or call.at_compile_time:
        return
    if call.effect == "log" and not call.shows_shards:
        parts = call.traced_parts()
        if parts:
            yield _logged(call, parts)
    elif call.effect in _KINDS and call.trace.runs_once:
        message = f"`{call.text}` {_KINDS[call.effect]} once, during tracing, and not on later calls"
        parts = call.traced_parts() if call.effect in ("io", "experiment-logger") else ()
        meant = _MISSING if call.makes_missing and call.effect in _OF_FILES else _READ if _reads(call) else ""
        confidence = Confidence.POSSIBLE if meant or _is_a_flag(call) else Confidence.CERTAIN
        notes = (*call.traced_by(), FindingNote(meant, None)) if meant else call.traced_by()
        fix = call.fix_request(words=(*(("=traced",) if parts else ()), *known_values(call.frame)))
        yield call.diagnostic(message, notes=notes, confidence=confidence, fix=fix)


def _logged(call: LibraryCall, parts: tuple[Operand, ...]) -> Finding:
    """A log line that shows a tracer, as `print` would."""
    shown = parts[0]
    message = f"`{call.text}` logs the tracer of `{shown.text}`, {call.how_often}"
    if call.unformattable is not None and call.unformattable.traced:
        shown = call.unformattable
        message = f"`{shown.text}` is traced, so formatting it as a number raises"
    fix = call.fix_request(words=("=traced",))
    confidence, notes = shown.confidence_as_text, shown.evidence
    meant = "" if shown is call.unformattable else _meant(call, parts)
    if meant:
        confidence, notes = Confidence.POSSIBLE, (*notes, FindingNote(meant, None))
    return call.diagnostic(message, notes=notes, confidence=confidence, fix=fix)


def _meant(call: LibraryCall, parts: tuple[Operand, ...]) -> str:
    """Why tracers may be logged on purpose: nothing but a number has no shape to look at."""
    if all(_is_parameter(call, part.at) for part in parts):
        return _GIVEN
    atoms = (atom for part in parts for atom in atoms_of(part.value))
    has_number = any(isinstance(atom, Array) and atom.shape == () for atom in atoms)
    return "" if has_number else _SHOWS_SHAPE


def _reads(call: LibraryCall) -> bool:
    """Whether a file is read, or asked for: something is made of what the call gives, and it is not opened to write."""
    if call.effect != "io" or call.name == "builtins.input":
        return False
    modes = (*call.call.args[1:2], *(value for name, value in call.call.keywords if name == "mode"))
    texts = (mode.value for mode in modes if isinstance(mode, ir.Constant))
    if any(isinstance(text, str) and len(text) <= 3 and not _WRITING.isdisjoint(text) for text in texts):
        return False
    alone = (node for node in walks.statements(call.frame.body) if isinstance(node, ir.ExpressionStatement))
    return not any(node.value.at == call.at for node in alone)


def _is_parameter(call: LibraryCall, at: int) -> bool:
    """Whether what is logged is a parameter of the function, by its name."""
    function = call.frame.function
    names = {parameter.name for parameter in function.parameters} if function is not None else set()
    return any(isinstance(node, ir.Name) and node.at == at and node.id in names for node in walks.nodes(call.call))


def _is_a_flag(call: LibraryCall) -> bool:
    """Whether the environment is asked for a choice between programs, which is set before the process starts.

    What becomes a number is a value that the program computes with.
    """
    if call.effect != "environment":
        return False
    calls = (node for node in walks.nodes(call.frame.body) if isinstance(node, ir.Call) and node.at != call.at)
    return not any(walks.spelling(node.func) in _NUMBERS and call.at in walks.ordinals(node.args) for node in calls)
