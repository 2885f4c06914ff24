"""How a run can prove or refute each rule's findings: what is watched, where, and what then decides.

`docs/verify.md` shows this table; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Errors by which JAX says that it was asked for what a tracer does not have.
TRACE_ERRORS: Final = frozenset(
    {
        "TracerBoolConversionError", "ConcretizationTypeError", "TracerArrayConversionError", "KeyReuseError",
        "TracerIntegerConversionError", "NonConcreteBooleanIndexError", "UnexpectedTracerError",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunProof:
    """One way of proof.

    `select` names the expressions whose values are watched and `watch` what of them; `judge` is what decides.
    `notes` begins the messages of those notes whose places are watched too; `errors` are further errors that, raised
    at the finding, confirm it if they say `says`. So they do at the note that begins with `inside` if a function raises
    them there that the transform at the finding runs, and at the transform that the note that begins with `taken`
    names. `by_anyone`: they need not be JAX's. `reasons` are those of the traces that confirm it, at the finding or
    where its note `call` points. Messages about what a trace returns end with `results`. `text` says it to people.
    """

    judge: str
    text: str
    select: str = "whole"
    watch: str = "value"
    notes: tuple[str, ...] = ()
    errors: frozenset[str] = frozenset()
    reasons: frozenset[str] = frozenset()
    inside: str = ""
    taken: str = ""
    says: str = ""
    call: str = ""
    results: str = ""
    by_anyone: bool = False


def _tracer(select: str, *errors: str) -> RunProof:
    text = "the value is a tracer during tracing; refuted if it is concrete"
    return RunProof("tracer", text, select, errors=frozenset(errors))


def _array(select: str) -> RunProof:
    text = "the value is a JAX array, or a read-only NumPy array; refuted otherwise"
    return RunProof("array", text, select, errors=frozenset({"TypeError", "AttributeError", "ValueError"}))


def _retraced(text: str, *reasons: str) -> RunProof:
    return RunProof("retraced", text, reasons=frozenset(reasons), call="the call")


def _refused(*errors: str) -> RunProof:
    return RunProof("error", "Flax raises there", errors=frozenset(errors))


_OF_STATICS: Final = ("static-value", "static-identity")
_IN_TRACE: Final = RunProof("in-trace", "the line runs during a trace, so compiled calls do not run it", "stored")
_STALE: Final = "the value is read during tracing, and changes later"
_CALLED_IN_TRACE: Final = RunProof("in-trace", "the line runs during a trace, so compiled calls do not run it", "whole")
_KEY_PAIR: Final = RunProof(
    "key-pair", "both places receive the same key", "arguments", "key", ("first ", "split here", "used", "folded")
)
_OBJECTS: Final = RunProof(
    "new-object", "JAX compiles more than one of the functions made there; refuted if JAX traces only one of several"
)
_REFUSALS: Final = frozenset({"ValueError", "TypeError"})
_ERROR: Final = RunProof("error", "JAX raises there", errors=frozenset({"TypeError", "ValueError", "RuntimeError"}))
_ERROR_AROUND: Final = RunProof(
    "error-around",
    "JAX raises there; inconclusive if JAX raises only at another line, where it takes the result of the function",
    errors=_REFUSALS,
)

RUN_PROOFS: Final[dict[str, RunProof]] = {
    "traced-branch": _tracer("tested", "ValueError"),
    "traced-while": _tracer("tested", "ValueError"),
    "traced-iteration-count": _tracer("arguments", "TypeError"),
    "concretization": _tracer("arguments", "TypeError"),
    "numpy-on-tracer": _tracer("arguments", "TypeError"),
    "traced-shape": _tracer("arguments", "TypeError"),
    "traced-slice-bound": _tracer("arguments", "IndexError", "TypeError"),
    "boolean-mask-index": _tracer("arguments", "IndexError"),
    "data-dependent-shape": _tracer("arguments"),
    "traced-container-index": _tracer("arguments", "TypeError"),
    "tracer-as-key": _tracer("whole", "TypeError"),
    "tracer-formatting": _tracer("formatted", "TypeError"),
    "print-in-traced-code": _tracer("formatted"),
    "debug-print-fstring": _tracer("formatted"),
    "cached-traced-function": RunProof(
        "leak", "the function returns a tracer to its cache; refuted if the value is concrete", "whole", "cache"
    ),
    "in-place-item-assignment": _array("bases"),
    "in-place-augmented-assignment": _array("bases"),
    "in-place-array-method": _array("bases"),
    "discarded-at-update": _array("whole"),
    "leaked-tracer": RunProof("leak", "the line stores a tracer; refuted if the value is concrete", "stored"),
    "global-mutation": _IN_TRACE,
    "captured-mutation": _IN_TRACE,
    "self-mutation": _IN_TRACE,
    "argument-mutation": _IN_TRACE,
    "host-rng-in-traced-code": _CALLED_IN_TRACE,
    "io-in-traced-code": _CALLED_IN_TRACE,
    "iterator-in-traced-code": RunProof(
        "in-trace", "the line runs during a trace, or JAX refuses the iterator", "arguments",
        errors=frozenset({"TypeError"}),
    ),
    "mutable-global-read": RunProof("stale", _STALE, "read", "outer"),
    "untracked-static-state": RunProof("stale", _STALE, "read", "outer"),
    "key-reuse": _KEY_PAIR,
    "parent-key-after-split": _KEY_PAIR,
    "fold-in-collision": _KEY_PAIR,
    "discarded-key-update": _KEY_PAIR,
    "key-reuse-in-loop": RunProof("key-again", "two iterations use the same key", "arguments", "key"),
    "constant-key": RunProof(
        "key-made", "the line makes the same key again, or makes a key during a trace", "whole", "made-key"
    ),
    "same-key-across-batch": RunProof(
        "key-shared", "all rows of the batch use one key", "arguments", "key", ("used here",)
    ),
    "use-after-donate": RunProof(
        "deleted",
        "the buffer of the array is deleted when the line uses the array",
        "whole",
        "deleted",
        errors=frozenset({"RuntimeError", "ValueError", "JaxRuntimeError", "XlaRuntimeError"}),
    ),
    "unhashable-static-argument": RunProof("unhashable", "the value is not hashable", errors=_REFUSALS),
    "array-as-static-argument": RunProof("unhashable", "the value is an array, or holds one", errors=_REFUSALS),
    "static-name-mismatch": _ERROR,
    "none-in-pytree": _ERROR,
    "missing-rng-stream": RunProof(
        "error", "Flax or Equinox raises there", errors=frozenset({"InvalidRngError", "RuntimeError"})
    ),
    "framework-state-escape": _refused("TraceContextError"),
    "immutable-collection": _refused("ModifyScopeVariableError"),
    "unwrapped-collection": _refused("ScopeCollectionNotFound", "ApplyScopeInvalidVariablesTypeError"),
    "unregistered-class-argument": _ERROR,
    "set-in-pytree": RunProof(
        "ended-foreign",
        "JAX raises there, or a trace returns the set",
        "whole",
        "returned",
        errors=_REFUSALS,
        results="cannot return",
    ),
    "unsortable-dict-keys": _ERROR,
    "tree-structure-mismatch": _ERROR,
    "shape-tuple-leaves": RunProof(
        "error-silent",
        "the line raises, because the function receives the integers of a shape; if the function accepts integers, no "
        "error occurs",
        errors=_REFUSALS,
        by_anyone=True,
    ),
    "unflatten-validation": RunProof(
        "error",
        "the initializer raises when JAX rebuilds an object",
        errors=frozenset({*_REFUSALS, "AssertionError", "AttributeError"}),
    ),
    "sequence-argument": _ERROR,
    "einsum-pattern-mismatch": RunProof("error", _ERROR.text, errors=frozenset({*_REFUSALS, "EinopsError"})),
    "non-array-result": RunProof(
        "ended-foreign",
        "JAX raises there, or a trace returns something that is not an array",
        "whole",
        "returned",
        errors=_REFUSALS,
    ),
    "branch-called-not-passed": _ERROR,
    "grad-non-scalar": _ERROR_AROUND,
    "missing-has-aux": _ERROR_AROUND,
    "grad-integer-input": _ERROR,
    "argnums-mismatch": _ERROR,
    "unbound-axis-name": RunProof(
        "error",
        "JAX raises there, or at the collective in a function that the line maps",
        errors=frozenset({"NameError"}),
        inside="the collective",
    ),
    "optimizer-state-misuse": _ERROR,
    "reverse-grad-through-while": RunProof(
        "error-around",
        "JAX raises there, or where the function is differentiated",
        errors=_REFUSALS,
        taken="differentiated by",
        says="Reverse-mode differentiation",
    ),
    "custom-derivative-incomplete": RunProof(
        "error-around", _ERROR_AROUND.text, errors=frozenset({*_REFUSALS, "AttributeError"})
    ),
    "axes-mismatch": _ERROR_AROUND,
    "scan-body-contract": RunProof(
        "ended-single",
        "JAX raises there, or the trace of a `scan` body does not return a pair",
        "whole",
        "returned",
        errors=_REFUSALS,
    ),
    "carry-type-mismatch": _ERROR_AROUND,
    "key-misuse": RunProof("error", _ERROR.text, errors=frozenset({*_REFUSALS, "IndexError"})),
    "unknown-mesh-axis": RunProof("error", _ERROR.text, errors=frozenset({*_REFUSALS, "RuntimeError"})),
    "spec-rank-mismatch": RunProof("error", _ERROR.text, errors=frozenset({*_REFUSALS, "AssertionError"})),
    "batch-not-divisible": _ERROR,
    "mixed-committed-devices": _ERROR,
    "device-grid": _ERROR,
    "pallas-ref-misuse": RunProof(
        "error-around", _ERROR_AROUND.text, errors=frozenset({*_REFUSALS, "AttributeError"})
    ),
    "recursive-traced-function": RunProof(
        "error", "the recursion ends in an error", errors=frozenset({"RecursionError"})
    ),
    "jit-method-self": RunProof(
        "method",
        "a call of the method raises, or JAX compiles the method again for another object",
        "whole",
        "transform",
    ),
    "jit-in-loop": _OBJECTS,
    "jit-in-function": _OBJECTS,
    "bound-method-jit": _OBJECTS,
    "varying-static-argument": _retraced("the call compiles again for another static value", *_OF_STATICS),
    "call-form-recompile": _retraced("the call compiles again because arguments are passed in another form", "kwargs"),
    "varying-shape": _retraced("the call compiles again for another shape", "shape", "pytree"),
    "weak-type-recompile": _retraced("the call compiles again for another dtype or weak type", "weak-type", "dtype"),
    "unsynchronized-timing": RunProof(
        "unready",
        "the clock is read before all arrays are ready",
        "whole",
        "clock",
        ("the work is dispatched",),
    ),
    "host-sync-in-loop": RunProof(
        "waited",
        "after the first iteration, the loop reads a value before it is ready; refuted if the value is not a JAX array",
        "formatted", "passes",
    ),
    "transfer-in-loop": RunProof(
        "copied", "two iterations pass the same NumPy array; refuted if the value is a JAX array", "whole", "passes"
    ),
    "array-built-in-loop": RunProof(
        "grown", "an iteration makes a longer array than the one before, outside traces", "whole", "passes"
    ),
    "loop-over-array": RunProof(
        "rows", "the loop iterates over a JAX array outside traces; refuted otherwise", "whole", "passes"
    ),
    "unjitted-hot-loop": RunProof("derived", "the function is differentiated several times, outside traces"),
    "unrolled-loop": RunProof(
        "unrolled", "a trace unrolls several iterations", "whole", "passes"
    ),
    "jnp-on-static-value": _tracer("whole"),
    "removed-api": RunProof(
        "error",
        "Python does not find the name",
        errors=frozenset({"AttributeError", "ImportError", "ModuleNotFoundError", "TypeError"}),
    ),
}  # fmt: skip

#: Rules of which no run can say much, and why.
UNPROVABLE: Final[dict[str, str]] = {
    "large-closure-constant": (
        'the report lists large constants only under "Not seen by check", and only if the compiled function is at '
        "another line than the finding"
    ),
    "swallowed-trace-error": (
        "the `except` clause hides the error; the finding about the tracing error itself has a verdict"
    ),
    "late-config": "JAX rarely raises an error, and a setting without effect changes no result",
    "silent-float64-truncation": "JAX raises no error, but only warns",
    "out-of-bounds-index": "JAX raises no error. A read returns the nearest element, and a write changes nothing",
    "numerical-idiom": "both forms return numbers, and which digits matter is unknown",
    "unconjugated-complex-gradient": "only the loss grows, and a run does not know which value is the loss",
    "where-gradient-nan": "whether a gradient is NaN depends on the numbers, and jaxlint does not watch the numbers",
    "import-time-jax": "whether the code does harm differs between the programs that import the module",
    "nan-comparison": "a run would show nothing new, because such a comparison always gives the same result",
    "legacy-prng-key": "nothing fails",
    "static-field-array": "the error usually occurs at another line, where JAX compares a second object with the first",
    "legacy-parallelism": "nothing fails",
    "unsharded-device-put": "nothing fails",
    "process-divergent-collective": "a run of one process does not show that the others hang",
    "missing-collective": "nothing fails",
    "unused-donation": "JAX raises no error, but at most warns when it compiles the function",
    "impure-callback": "how often JAX runs a callback depends on the program and the device",
    "pytree-registration-incomplete": "JAX usually raises no error, but builds an object that differs from the old one",
    "deprecated-api": "the program works until a release removes the name",
    "private-api": "the program works until a release changes the private name",
    "unavailable-api": "the installed release has the name, and only an older one lacks it",
}
