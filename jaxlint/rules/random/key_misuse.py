"""key-misuse: keys are not data, and data are not keys."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.values import Array, Static
from jaxlint.analysis.events.random import KeyMisuse
from jaxlint.analysis.machine.path_conditions import mention
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.random._fix_derive import derive
from jaxlint.rules.rule import rule


@rule("key-misuse", code="JX209", category=Category.SUSPICIOUS, on=KeyMisuse, fix=derive)
def key_misuse(misuse: KeyMisuse) -> Iterator[Finding]:
    """Arithmetic or indexing on a key, or a seed in place of a key."""
    name = misuse.function.replace("jax.random.", "random.", 1)
    if misuse.how == "seed":
        message = (
            f"`{name}` takes a key, but `{misuse.operand.text}` is a Python value; make a key with `jax.random.key`"
        )
    elif misuse.how == "array of keys":
        message = (
            f"`{name}` takes one key, but `{misuse.operand.text}` is an array of keys; map over them with `jax.vmap`"
        )
    elif misuse.how == "data":
        message = f"`{misuse.operand.text}` is a key, but `{name}` expects a number here"
    elif misuse.how == "fraction":
        message = (
            f"`{name}` casts `{misuse.operand.text}` to an integer, so all fractions between two integers give one key"
        )
    elif misuse.how == "indexing":
        message = f"`{misuse.operand.text}` is one key, not an array of keys; indexing it raises `IndexError`"
    else:
        message = f"`{misuse.text}` does arithmetic on a key; derive keys with `split` or `fold_in`"
    # A test of the value on the path here may have told keys and other things apart.
    tested = mention(misuse.frame, misuse.operand.text.partition(".")[0].partition("[")[0])
    sureness = Confidence.POSSIBLE if tested else _sureness(misuse)
    yield misuse.diagnostic(message, confidence=sureness, fix=_request(misuse))


def _sureness(misuse: KeyMisuse) -> Confidence:
    """A float in an array may count steps, an annotation may be wrong, and so may the number of mapped axes."""
    value = misuse.operand.value
    if misuse.may_be_word or misuse.frame.caveats.one_of_several:
        return Confidence.POSSIBLE
    if misuse.how != "fraction" or not isinstance(value, Array):
        return Confidence.CERTAIN
    return Confidence.POSSIBLE if value.assumed else Confidence.LIKELY


def _request(misuse: KeyMisuse) -> FixRequest | None:
    if misuse.how == "arithmetic":
        return misuse.fix_request(words=("left" if misuse.is_left else "right",))
    value = misuse.operand.value
    is_seed = misuse.how == "seed" and isinstance(value, Static) and value.type == "int"
    is_written = misuse.operand.frame is misuse.frame and misuse.operand.at != misuse.at
    return misuse.fix_request(misuse.operand.at, words=("seed",)) if is_seed and is_written else None
