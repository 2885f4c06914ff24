"""The table of proofs: what a probe looks for, rule by rule; `docs/verify.md` shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jaxlint.verify.probe.probe_proofs import (
    ProbeProof,
    array_method,
    caches,
    changes,
    constant_key,
    dropped_key,
    formats,
    host_random,
    is_dropped,
    iterates,
    key_uses,
    new_function,
    once,
    prints,
    raises,
    raises_at_call,
    raises_in_transform,
    raises_inside,
    raises_or_refuses_result,
    raises_when_run,
    recurses,
    same_for_rows,
    swallows,
    unready,
    varies,
)


def proof_of(rule: str) -> ProbeProof:
    """The proof of a rule; for rules of plug-ins and of the engine, that there is none."""
    return PROBE_PROOFS.get(rule, _NONE)


def _unprovable(why: str) -> ProbeProof:
    return ProbeProof(f"no probe can confirm the finding: {why}")


_NONE: Final = ProbeProof("no proof is known for this rule")
_REUSE: Final = ("draw and draw", "draw and split", "split and draw", "split and split", "loop")
_LENGTHS: Final = (
    "a probe itself chooses the lengths of its inputs, so it cannot show how many iterations the loop has in the "
    "program"
)
_KEYS: Final = "the jaxpr consumes one key value twice; the probe follows key values through calls and slices"

PROBE_PROOFS: Final[Mapping[str, ProbeProof]] = {
    # arrays
    "in-place-item-assignment": ProbeProof("`TypeError` at the line", raises("TypeError")),
    "in-place-augmented-assignment": ProbeProof("`TypeError` at the line", raises("TypeError")),
    "discarded-at-update": ProbeProof(
        "no result of the jaxpr is computed from the line", is_dropped, reads_results=True
    ),
    "in-place-array-method": ProbeProof(
        "`TypeError`, `ValueError` or `AttributeError` at the line, or no result of the jaxpr is computed from the "
        "line",
        array_method, reads_results=True,
    ),
    "sequence-argument": ProbeProof("`TypeError` at the line", raises("TypeError", always=False)),
    "einsum-pattern-mismatch": ProbeProof(
        "`ValueError` or `EinopsError` at the line", raises("ValueError", "EinopsError")
    ),
    "silent-float64-truncation": _unprovable("JAX raises no error, but only warns, and a probe ignores warnings"),
    "out-of-bounds-index": _unprovable(
        "JAX raises no error. A read returns the nearest element, and a write changes nothing"
    ),
    "numerical-idiom": _unprovable("both forms return numbers, and which digits matter is unknown"),
    "import-time-jax": _unprovable(
        "JAX raises no error, and whether the code does harm differs between the programs that import the module"
    ),
    "late-config": _unprovable("JAX rarely raises an error, and a setting without effect changes no result"),
    "nan-comparison": _unprovable(
        "JAX raises no error, and a probe would show nothing new, because such a comparison always gives the same "
        "result"
    ),
    # random
    "key-reuse": ProbeProof(_KEYS, key_uses(*_REUSE)),
    "key-reuse-in-loop": ProbeProof(
        "as key-reuse; in a compiled loop, the key is the same in each iteration", key_uses(*_REUSE)
    ),
    "parent-key-after-split": ProbeProof(
        "as key-reuse: the parent key is consumed again", key_uses(*_REUSE, "split and fold_in")
    ),
    "discarded-key-update": ProbeProof(
        "no result is computed from the new key, or the old key is consumed again", dropped_key, reads_results=True
    ),
    "host-rng-in-traced-code": ProbeProof(
        "the generator's state changes during tracing; for sources without state, the line runs during tracing",
        host_random, traced=True,
    ),
    "constant-key": ProbeProof(
        "the line makes a key from a constant in traced code, or makes the same key more than once in one call",
        constant_key,
    ),
    "same-key-across-batch": ProbeProof(
        "the mapped function draws from one key, not from one per row", same_for_rows
    ),
    "key-misuse": ProbeProof(
        "`TypeError`, `IndexError` or `ValueError` at the line",
        raises("TypeError", "IndexError", "ValueError", always=False),
    ),
    "fold-in-collision": ProbeProof(
        "one key value is split and folded, split twice, or folded twice with the same data",
        key_uses("split and fold_in", "split and split", "fold_in and fold_in", "draw and draw"),
    ),
    "legacy-prng-key": _unprovable("JAX raises no error, because a legacy key is valid too"),
    # tracing
    "traced-branch": ProbeProof(
        "`TracerBoolConversionError` at the line, or `ValueError` at the line if the tested value has several elements",
        raises("ConcretizationTypeError", "ValueError", message="(?s)concrete|trace|ambiguous"), traced=True,
    ),
    "traced-while": ProbeProof(
        "`TracerBoolConversionError` at the line", raises("ConcretizationTypeError"), traced=True
    ),
    "traced-iteration-count": ProbeProof(
        "`TracerIntegerConversionError` at the line",
        raises("TracerIntegerConversionError", "ConcretizationTypeError"), traced=True,
    ),
    "concretization": ProbeProof(
        "`ConcretizationTypeError` or a subclass at the line",
        raises("ConcretizationTypeError", "TracerArrayConversionError", "TracerIntegerConversionError"), traced=True,
    ),
    "numpy-on-tracer": ProbeProof(
        "`TracerArrayConversionError` at the line", raises("TracerArrayConversionError"), traced=True
    ),
    "traced-shape": ProbeProof(
        "`ConcretizationTypeError` or `TypeError` at the line",
        raises("ConcretizationTypeError", "TypeError"), traced=True,
    ),
    "traced-slice-bound": ProbeProof(
        "`IndexError` at the line", raises("IndexError", "TracerIntegerConversionError"), traced=True
    ),
    "boolean-mask-index": ProbeProof(
        "`NonConcreteBooleanIndexError` at the line", raises("NonConcreteBooleanIndexError"), traced=True
    ),
    "data-dependent-shape": ProbeProof(
        "`ConcretizationTypeError` at the line", raises("ConcretizationTypeError"), traced=True
    ),
    "traced-container-index": ProbeProof(
        "`TracerIntegerConversionError` at the line", raises("TracerIntegerConversionError"), traced=True
    ),
    "tracer-as-key": ProbeProof(
        "`TypeError: unhashable` at the line", raises("TypeError", message="unhashable"), traced=True
    ),
    "tracer-formatting": ProbeProof("a formatted name holds a tracer", formats, traced=True),
    "leaked-tracer": ProbeProof(
        "after the line, a tracer is in a global variable, in a variable of an enclosing function, or in an object or "
        "a container from outside the function",
        changes("global", "captured", "parameter", inside=False, tracer=True), traced=True,
    ),
    "swallowed-trace-error": ProbeProof(
        "the `except` clause catches an error of JAX during tracing; if the clause never runs, no probe can confirm "
        "the finding",
        swallows, traced=True,
    ),
    "recursive-traced-function": ProbeProof(
        "the recursive call raises `RecursionError`, or an `if` in the function raises `TracerBoolConversionError`",
        recurses, traced=True,
    ),
    # effects
    "print-in-traced-code": ProbeProof("a printed value holds a tracer", prints, traced=True),
    "global-mutation": ProbeProof(
        "the variable differs before and after the line, during tracing",
        changes("global", "captured", inside=False), traced=True,
    ),
    "captured-mutation": ProbeProof(
        "the captured object differs before and after the line, during tracing",
        changes("global", "captured", inside=True), traced=True,
    ),
    "self-mutation": ProbeProof(
        "the attribute differs before and after the line, during tracing",
        changes("parameter", "captured", "global", inside=True), traced=True,
    ),
    "argument-mutation": ProbeProof(
        "the container differs before and after the line, during tracing",
        changes("parameter", inside=True), traced=True,
    ),
    "io-in-traced-code": ProbeProof("the line runs during tracing", once("it was run"), traced=True),
    "mutable-global-read": ProbeProof(
        "the line runs during tracing, so the program keeps the value", once("the value was read"), traced=True
    ),
    "iterator-in-traced-code": ProbeProof(
        "the iterator advances during tracing, or JAX rejects it", iterates, traced=True
    ),
    "cached-traced-function": ProbeProof(
        "after the trace, the cache of the function contains a tracer; a probe cannot inspect the cache of a method",
        caches, traced=True,
    ),
    "missing-rng-stream": ProbeProof(
        "`InvalidRngError` of Flax or `RuntimeError` of Equinox at the line",
        raises("InvalidRngError", "RuntimeError", message="(?s)key|PRNG|rng"),
    ),
    "framework-state-escape": ProbeProof(
        "`TraceContextError` at the line; if JAX copies the layer, no error occurs, so no probe can confirm the "
        "finding",
        raises("TraceContextError"),
    ),
    "immutable-collection": ProbeProof("`ModifyScopeVariableError` at the line", raises("ModifyScopeVariableError")),
    "unwrapped-collection": ProbeProof(
        "`ScopeCollectionNotFound` or a similar error at the line",
        raises("ScopeCollectionNotFound", "ApplyScopeInvalidVariablesTypeError"),
    ),
    "impure-callback": _unprovable(
        "a trace does not run the callback, and how often JAX runs it later depends on the program and the device"
    ),
    "debug-print-fstring": ProbeProof("a formatted name holds a tracer", formats, traced=True),
    # recompilation
    "unhashable-static-argument": ProbeProof(
        "the call of the compiled function raises `ValueError` or `TypeError`",
        raises_at_call("ValueError", "TypeError", message="hashable"),
    ),
    "array-as-static-argument": ProbeProof(
        "the call of the compiled function raises `ValueError` or `TypeError`",
        raises_at_call("ValueError", "TypeError", message="hashable"),
    ),
    "static-name-mismatch": ProbeProof(
        "`ValueError` at the line that applies `jit`, in a probe or when the module is imported", raises("ValueError")
    ),
    "jit-in-loop": ProbeProof("one call traces a function again for equal arguments", new_function(in_one_call=True)),
    "jit-in-function": ProbeProof("two equal calls trace the function twice", new_function(in_one_call=False)),
    "bound-method-jit": ProbeProof("two equal calls trace the method twice", new_function(in_one_call=False)),
    "untracked-static-state": ProbeProof(
        "the line runs during tracing, so the program keeps the value", once("the value was read"), traced=True
    ),
    "varying-static-argument": ProbeProof(
        "one call traces the function repeatedly, with a new static value each time", varies
    ),
    "call-form-recompile": ProbeProof(
        "one call traces the function again for equal arguments", new_function(in_one_call=True)
    ),
    "varying-shape": _unprovable(
        "a probe itself chooses the lengths of its inputs, so it cannot show which lengths the program uses"
    ),
    "weak-type-recompile": _unprovable(
        "a probe itself chooses one type for each input, so it cannot show which types the program uses"
    ),
    "unused-donation": _unprovable(
        "JAX raises no error, but at most warns when it compiles the function, and a probe ignores warnings"
    ),
    "large-closure-constant": _unprovable("a probe reports large constants only if `check` did not report them"),
    "jit-method-self": ProbeProof(
        "the call of the method raises `TypeError` or `ValueError`; if the method only uses an old value of an "
        "attribute, no probe can confirm the finding",
        raises_at_call("TypeError", "ValueError", message="(?s)JAX type|abstract array|hashable", of_target=True),
    ),
    "use-after-donate": ProbeProof(
        "the error for a deleted array at the line. The probe needs `--execute`, unless the line runs when the module "
        "is imported",
        raises_when_run("RuntimeError", "ValueError", message="deleted|donated"), needs_execute=True,
    ),
    # transforms
    "branch-called-not-passed": ProbeProof("`TypeError` at the line", raises("TypeError", message="callable")),
    "grad-non-scalar": ProbeProof(
        "`TypeError`, raised when the gradient is computed",
        raises_in_transform("TypeError", message="scalar-output|real-valued outputs"),
    ),
    "missing-has-aux": ProbeProof(
        "`TypeError`, raised when the gradient is computed",
        raises_in_transform("TypeError", message="scalar-output|two-element tuple"),
    ),
    "grad-integer-input": ProbeProof(
        "`TypeError` at the line", raises("TypeError", message="(real|complex)-valued inputs")
    ),
    "argnums-mismatch": ProbeProof(
        "`TypeError` or `ValueError`, raised when the gradient is computed",
        raises_in_transform("TypeError", "ValueError", message="positional arg"),
    ),
    "unbound-axis-name": ProbeProof(
        "`NameError` at the line, or at the collective in the function that the line maps",
        raises_inside("NameError", message="unbound axis"),
    ),
    "optimizer-state-misuse": ProbeProof(
        "`ValueError` or `TypeError` at the line; if the code only loses a result, no error occurs, so no probe can "
        "confirm the finding",
        raises("ValueError", "TypeError", always=False),
    ),
    "reverse-grad-through-while": ProbeProof(
        "`ValueError`, raised when the gradient is computed",
        raises_in_transform("ValueError", message="Reverse-mode"),
        taken="differentiated by",
    ),
    "unconjugated-complex-gradient": _unprovable(
        "JAX raises no error. Only the loss grows, and a probe does not know which value is the loss"
    ),
    "where-gradient-nan": _unprovable("whether a gradient is NaN depends on the numbers"),
    "custom-derivative-incomplete": ProbeProof(
        "`AttributeError` or `TypeError` at the line",
        raises("AttributeError", "TypeError", always=False),
    ),
    "axes-mismatch": ProbeProof("`ValueError` at the line", raises("ValueError", message="in_axes|vmap")),
    "scan-body-contract": ProbeProof(
        "`TypeError`, raised by the transform that runs the function",
        raises_in_transform("TypeError", message="must be a pair|boolean scalar|positional argument"),
    ),
    "carry-type-mismatch": ProbeProof(
        "`TypeError`, raised by the transform that compares the types",
        raises_in_transform("TypeError", message="must have (equal|the same|identical)"),
    ),
    # pytrees, performance
    "none-in-pytree": ProbeProof(
        "`ValueError`, `TypeError` or `AttributeError` at the line; if no error occurs, no probe can confirm the "
        "finding",
        raises("ValueError", "TypeError", "AttributeError", always=False),
    ),
    "shape-tuple-leaves": ProbeProof(
        "`TypeError` or `ValueError` at the line; if the mapped function accepts integers, no error occurs, so no "
        "probe can confirm the finding",
        raises("TypeError", "ValueError", always=False),
    ),
    "unregistered-class-argument": ProbeProof("`TypeError` at the line", raises("TypeError", always=False)),
    "set-in-pytree": ProbeProof(
        "`TypeError` at the line; if a result contains the set, the call of the function raises `TypeError`",
        raises_or_refuses_result(
            "TypeError", message="(?s)JAX type|abstract array|unhashable", results="cannot return"
        ),
    ),
    "unsortable-dict-keys": ProbeProof("`ValueError` at the line", raises("ValueError", always=False)),
    "static-field-array": ProbeProof(
        "`ValueError` or `TypeError` at the line, if the line also makes JAX compare the object; an error at another "
        "line does not count",
        raises("TypeError", "ValueError", always=False),
    ),
    "tree-structure-mismatch": ProbeProof("`ValueError` at the line", raises("ValueError", always=False)),
    "unflatten-validation": ProbeProof(
        "the initializer raises at the line", raises("AssertionError", "AttributeError", "TypeError", "ValueError")
    ),
    "pytree-registration-incomplete": _unprovable(
        "JAX usually raises no error, but builds an object that differs from the old one"
    ),
    "non-array-result": ProbeProof(
        "the call of the function raises `TypeError`",
        raises_at_call("TypeError", message="(?s)JAX type|abstract array"),
    ),
    "unsynchronized-timing": ProbeProof(
        "an array is not ready when the clock is read. The probe needs `--execute`, unless the line runs when the "
        "module is imported",
        unready, needs_execute=True,
    ),
    # sharding
    "unknown-mesh-axis": ProbeProof(
        "`ValueError` or `RuntimeError` at the line; on old JAX releases, also `KeyError`",
        raises("ValueError", "KeyError", "RuntimeError"),
    ),
    "spec-rank-mismatch": ProbeProof(
        "`ValueError` or `AssertionError` at the line", raises("ValueError", "AssertionError")
    ),
    "legacy-parallelism": _unprovable("JAX raises no error, and the result is right"),
    "unsharded-device-put": _unprovable("JAX raises no error, and the result is right"),
    "process-divergent-collective": _unprovable("a probe is one process, and does not show that the others hang"),
    "mixed-committed-devices": ProbeProof("`ValueError` at the line", raises("ValueError")),
    "missing-collective": _unprovable("JAX raises no error, and each device's result is valid on its own"),
    "batch-not-divisible": ProbeProof("`ValueError` at the line", raises("ValueError")),
    "device-grid": ProbeProof("`TypeError` or `ValueError` at the line", raises("TypeError", "ValueError")),
    # performance
    "host-sync-in-loop": _unprovable("the cost of a wait depends on the device"),
    "unrolled-loop": _unprovable(_LENGTHS),
    "jnp-on-static-value": _unprovable("JAX raises no error, and the result is right"),
    "transfer-in-loop": _unprovable("the cost of a copy depends on the device"),
    "loop-over-array": _unprovable(_LENGTHS),
    "unjitted-hot-loop": _unprovable("the loop only takes more time, and a probe does not measure time"),
    "array-built-in-loop": _unprovable(_LENGTHS),
    # transforms
    "pallas-ref-misuse": ProbeProof(
        "`AttributeError`, `TypeError` or `ValueError` at the line; if the kernel does not write an output, no error "
        "occurs, so no probe can confirm the finding",
        raises("AttributeError", "TypeError", "ValueError", always=False),
    ),
    # migration
    "removed-api": ProbeProof(
        "`AttributeError`, `ImportError` or `TypeError` at the line",
        raises("AttributeError", "ImportError", "ModuleNotFoundError", "TypeError"),
    ),
    "deprecated-api": _unprovable("the program works until a release removes the name"),
    "private-api": _unprovable("the program works until a release changes the private name"),
    "unavailable-api": _unprovable("the installed release has the name, and only an older one lacks it"),
}  # fmt: skip
