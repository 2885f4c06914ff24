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
    at the finding, confirm it; `reasons` are those of the traces that do. `text` says it to people.
    """

    judge: str
    text: str
    select: str = "whole"
    watch: str = "value"
    notes: tuple[str, ...] = ()
    errors: frozenset[str] = frozenset()
    reasons: frozenset[str] = frozenset()


def _tracer(select: str, *errors: str) -> RunProof:
    text = "the value is a tracer while JAX traces; concrete then: refuted"
    return RunProof("tracer", text, select, errors=frozenset(errors))


def _array(select: str) -> RunProof:
    text = "the value is an array of JAX; anything else: refuted"
    return RunProof("array", text, select, errors=frozenset({"TypeError", "AttributeError", "ValueError"}))


def _retraced(text: str, *reasons: str) -> RunProof:
    return RunProof("retraced", text, reasons=frozenset(reasons))


def _refused(*errors: str) -> RunProof:
    return RunProof("error", "Flax raises there", errors=frozenset(errors))


_OF_STATICS: Final = ("static-value", "static-identity")
_IN_TRACE: Final = RunProof("in-trace", "it runs while JAX traces what it will not run again", "stored")
_STALE: Final = "it is read while tracing, and is another value later"
_CALLED_IN_TRACE: Final = RunProof("in-trace", "it runs while JAX traces what it will not run again", "whole")
_KEY_PAIR: Final = RunProof(
    "key-pair", "the same key comes to both places", "arguments", "key", ("first ", "split here", "used", "folded")
)
_OBJECTS: Final = RunProof(
    "new-object", "what is made there is compiled more than once; made again, traced once: refuted"
)
_REFUSALS: Final = frozenset({"ValueError", "TypeError"})
_ERROR: Final = RunProof("error", "JAX raises there", errors=frozenset({"TypeError", "ValueError", "RuntimeError"}))
_ERROR_AROUND: Final = RunProof(
    "error-around", "JAX raises there; it may do so where it takes the result, which no line shows", errors=_REFUSALS
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
    "tracer-formatting": _tracer("arguments", "TypeError"),
    "print-in-traced-code": _tracer("arguments"),
    "debug-print-fstring": _tracer("arguments"),
    "cached-traced-function": _tracer("arguments", "TypeError"),
    "in-place-item-assignment": _array("bases"),
    "in-place-augmented-assignment": _array("bases"),
    "in-place-array-method": _array("bases"),
    "discarded-at-update": _array("whole"),
    "leaked-tracer": RunProof("leak", "a tracer is stored there; a concrete value: refuted", "stored"),
    "global-mutation": _IN_TRACE,
    "captured-mutation": _IN_TRACE,
    "self-mutation": _IN_TRACE,
    "argument-mutation": _IN_TRACE,
    "host-rng-in-traced-code": _CALLED_IN_TRACE,
    "io-in-traced-code": _CALLED_IN_TRACE,
    "iterator-in-traced-code": RunProof("in-trace", _IN_TRACE.text, "arguments"),
    "mutable-global-read": RunProof("stale", _STALE, "whole", "global"),
    "untracked-static-state": RunProof("stale", _STALE, "whole", "global"),
    "key-reuse": _KEY_PAIR,
    "parent-key-after-split": _KEY_PAIR,
    "fold-in-collision": _KEY_PAIR,
    "discarded-key-update": _KEY_PAIR,
    "key-reuse-in-loop": RunProof("key-again", "the same key comes twice in one call", "arguments", "key"),
    "constant-key": RunProof(
        "key-made", "the same key is made again, or for all calls of a trace", "whole", "made-key"
    ),
    "same-key-across-batch": RunProof("key-shared", "the rows share the key", "arguments", "key", ("used here",)),
    "use-after-donate": RunProof(
        "deleted",
        "the buffer is gone when it is used",
        "whole",
        "deleted",
        errors=frozenset({"RuntimeError", "ValueError"}),
    ),
    "unhashable-static-argument": RunProof("unhashable", "the value has no hash", errors=_REFUSALS),
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
    "set-in-pytree": _ERROR_AROUND,
    "unsortable-dict-keys": _ERROR,
    "tree-structure-mismatch": _ERROR,
    "unflatten-validation": RunProof(
        "error",
        "it raises where JAX rebuilds an object",
        errors=frozenset({*_REFUSALS, "AssertionError", "AttributeError"}),
    ),
    "sequence-argument": _ERROR,
    "einsum-pattern-mismatch": RunProof("error", _ERROR.text, errors=frozenset({*_REFUSALS, "EinopsError"})),
    "non-array-result": RunProof(
        "ended-foreign",
        "JAX raises there, or a trace ends with what is no array",
        "whole",
        "returned",
        errors=_REFUSALS,
    ),
    "branch-called-not-passed": _ERROR,
    "grad-non-scalar": _ERROR_AROUND,
    "missing-has-aux": _ERROR_AROUND,
    "grad-integer-input": _ERROR,
    "argnums-mismatch": _ERROR,
    "unbound-axis-name": RunProof("error", _ERROR.text, errors=frozenset({"NameError"})),
    "optimizer-state-misuse": _ERROR,
    "reverse-grad-through-while": _ERROR_AROUND,
    "custom-derivative-incomplete": RunProof(
        "error-around", _ERROR_AROUND.text, errors=frozenset({*_REFUSALS, "AttributeError"})
    ),
    "axes-mismatch": _ERROR_AROUND,
    "scan-body-contract": RunProof(
        "ended-single",
        "JAX raises there, or the trace of a `scan` body ends with no pair",
        "whole",
        "returned",
        errors=_REFUSALS,
    ),
    "carry-type-mismatch": _ERROR_AROUND,
    "key-misuse": _ERROR,
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
    "jit-method-self": RunProof("method", "calls fail, or each object is compiled for itself", "whole", "transform"),
    "jit-in-loop": _OBJECTS,
    "jit-in-function": _OBJECTS,
    "bound-method-jit": _OBJECTS,
    "varying-static-argument": _retraced("the call is compiled again for another static value", *_OF_STATICS),
    "call-form-recompile": _retraced("the call is compiled again for another form of its arguments", "kwargs"),
    "varying-shape": _retraced("the call is compiled again for another shape", "shape", "pytree"),
    "weak-type-recompile": _retraced("the call is compiled again for another type of number", "weak-type", "dtype"),
    "unsynchronized-timing": RunProof(
        "unready",
        "the clock is read while arrays are still being computed",
        "whole",
        "clock",
        ("the work is dispatched",),
    ),
    "host-sync-in-loop": RunProof(
        "waited", "what is taken is still being computed, again in one call; no array of JAX: refuted",
        "arguments", "passes",
    ),
    "transfer-in-loop": RunProof(
        "copied", "the same array of NumPy comes again in one call; an array of JAX: refuted", "whole", "passes"
    ),
    "array-built-in-loop": RunProof(
        "grown", "a larger array than the last one is made in the same call, outside of any trace", "whole", "passes"
    ),
    "loop-over-array": RunProof(
        "rows", "an array of JAX is gone through outside of any trace; anything else: refuted", "whole", "passes"
    ),
    "unjitted-hot-loop": RunProof("derived", "the function is differentiated anew several times, in no trace"),
    "unrolled-loop": RunProof(
        "unrolled", "several elements are gone through while JAX traces what it will not run again", "whole", "passes"
    ),
    "jnp-on-static-value": _tracer("whole"),
    "removed-api": RunProof(
        "error",
        "Python finds no such name",
        errors=frozenset({"AttributeError", "ImportError", "ModuleNotFoundError", "TypeError"}),
    ),
}  # fmt: skip

#: Rules of which no run can say much, and why.
UNPROVABLE: Final[dict[str, str]] = {
    "large-closure-constant": 'the program\'s constants are looked at, and told under "Not seen by check"',
    "swallowed-trace-error": "what is swallowed is not seen; the tracing error itself is judged where it is found",
    "late-config": "a setting without effect leaves no trace in what is computed",
    "silent-float64-truncation": "JAX warns there itself, where the option is off",
    "out-of-bounds-index": "JAX clamps what is read there, and drops what is written",
    "numerical-idiom": "both forms give numbers, and which digits matter is not known",
    "unconjugated-complex-gradient": "the loss rises, and which loss is to fall is not known",
    "where-gradient-nan": "whether a gradient is NaN depends on the numbers",
    "import-time-jax": "which import comes first is another matter in each program",
    "nan-comparison": "what a comparison with NaN gives is known",
    "legacy-prng-key": "nothing fails",
    "static-field-array": "the error comes where a second object is compared with the first",
    "shape-tuple-leaves": "the numbers are as good a leaf to JAX as shapes are to the author",
    "legacy-parallelism": "nothing fails",
    "unsharded-device-put": "nothing fails",
    "process-divergent-collective": "one process passes the test, or does not; what hangs is the others",
    "missing-collective": "nothing fails",
    "unused-donation": "JAX warns once, where it compiles",
    "impure-callback": "how often JAX runs a callback depends on the program and the device",
    "pytree-registration-incomplete": "nothing fails where an object is rebuilt as another one",
    "deprecated-api": "the program works until a release removes the name",
    "private-api": "the program works until a release changes what is private",
    "unavailable-api": "the installed release has the name; an older one lacks it",
}
