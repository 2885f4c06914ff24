"""The typestate of PRNG keys: what was done with each key on the paths to here, and which second use repeats it.

Under-approximates: a use is reported only where every key that the value can be was used before, on a path that
can be the same run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.identities import idents_of
from jaxlint.analysis.domain.idents import Constant, Derived, Ident, Item, Part, Row, made_at
from jaxlint.analysis.domain.state import ALONE, UNSEEN, WEIGHTED, KeyUse, Step
from jaxlint.analysis.domain.values import Key, Qualified, Static, Tuple, Union, Unknown, Value, atoms_of
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.random import KeyConflict, KeyMisuse
from jaxlint.analysis.machine.path_conditions import LAST, exclusive, is_first_time, recurs
from jaxlint.analysis.machine.questions import put_off
from jaxlint.analysis.machine.tables import Table
from jaxlint.analysis.typestate import (
    constant_keys,
    dropped_splits,
    helper_splits,
    key_arrays,
    key_broadcasts,
    key_sides,
)
from jaxlint.analysis.typestate.intended_reuse import (
    are_alternatives,
    of_a_benchmark,
    purpose,
    stands_in_for_an_unread,
)
from jaxlint.analysis.typestate.key_causes import (
    ONLY_DIVIDED,
    divergence,
    divided,
    draws_by_framework,
    first_use,
    forgets_a_key,
    of_an_override,
    of_an_unseen_class,
    only_divides,
)
from jaxlint.analysis.typestate.key_threading import UnkeptSplits, advancing_helper, unread_children
from jaxlint.analysis.typestate.left_out_options import of_an_option_left_out
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Which second action repeats which first one: (first, second) -> relation.
_CONFLICTS = {
    ("consume", "consume"): "reuse",
    ("consume", "split"): "reuse",
    ("split", "consume"): "parent",
    ("split", "split"): "parent",
    ("fold", "fold"): "same fold",
    ("split", "fold"): "collision",
    ("fold", "split"): "collision",
    ("pass", "consume"): "reuse",
    ("pass", "split"): "reuse",
    ("consume", "pass"): "reuse",
    ("split", "pass"): "parent",
    ("pass", "pass"): "reuse",
}


#: Uses of one key that later ones are compared with; the first ones, of which every later one is a repetition.
MAX_USES = 32

#: How many keys a split makes at least, where nothing is known of it.
_FEWEST_KEYS = 2


@dataclass(slots=True)
class _Reported(Table):
    """The misuses that rules were told of: which key, at which operation, and whether it was sure."""

    misuses: set[tuple[Ident, Place, bool]] = field(default_factory=set)


class Action(NamedTuple):
    """What a function does with a key; `many`: an array of keys may be as good as one. The rest is as in `KeyUse`."""

    kind: str
    function: str
    detail: Any = None
    many: bool = False


def use(it: Interpreter, value: Value | None, action: Action, node: ir.Expr, at: int = -1) -> None:
    """Something is done with a key."""
    if value is None:
        return
    operand = Operand(value, it.frame, at if at >= 0 else node.at)
    kind, function, detail, many = action
    if _is_generator(it, value):
        _misuse(it, operand, function, node)
        return
    if kind == "consume" and not many and isinstance(value, Key) and value.shape and it.wants(KeyMisuse):
        it.emit(KeyMisuse(it.frame, node.at, operand, function, "array of keys"))
    idents = list(idents_of(value))
    if not idents:
        _misuse(it, operand, function, node)
        return
    it.decide("key", node.at)
    chain = it.frame.chain(node.at)
    conditions, iterations = it.frame.all_conditions(), it.frame.all_iterations()
    unread = unread_children(it, it.frame.body).get(node.at, "") if kind == "split" else ""
    use_ = KeyUse(kind, function, detail, chain, conditions, iterations, is_first_time(it), unread)
    record(it, idents, use_, operand)


def record(
    it: Interpreter,
    idents: list[Ident],
    new: KeyUse,
    operand: Operand,
    helper: ir.Function | None = None,
    *,
    whole: bool = False,
) -> None:
    """Note a use of a key that is one of `idents`, and tell the rules if it repeats an earlier one.

    `helper` is the function that does it, where its summary is replayed; `whole`: an array of keys is used up row by
    row. Where only shapes are asked for, no number is drawn.
    """
    trace = it.frame.trace
    if trace is not None and not trace.draws:
        return
    for recording in () if whole else it.recordings:
        recording.uses.append((tuple(idents), new))
    keys = it.frame.state.keys
    is_one = len(idents) == 1 and not _may_be_another(operand.value)
    asked = new
    if not is_one:
        # One of several keys: which one is used depends on the path, so each of them may have been.
        new = new._replace(action="pass", detail=None)
    repeated = _repeated(it, keys, idents[0], new) if is_one else []
    if is_one and isinstance(idents[0], Row) and new.action in ("consume", "split"):
        if repeated:
            _note_each(it, [idents[0].base], new)  # that the row repeats a use says it all
        else:
            record(it, [idents[0].base], new, operand, whole=True)
    if repeated:
        _report(it, idents[0], repeated, new, operand, helper)
    elif is_one and not whole:
        key_broadcasts.tell(it, idents[0], new, operand, it.tables[constant_keys.ConstantKeys].made.get(idents[0]))
    elif not is_one:
        _tell_of_a_side(it, asked, operand)
    _note_each(it, idents, new)


def _tell_of_a_side(it: Interpreter, new: KeyUse, operand: Operand) -> None:
    """Tell the rules if one side of a test left a key that it had used, and the joined name is used again."""
    for side in key_sides.sides(it.frame, operand.value, new):
        repeated = [*filter(side.holds, _repeated(it, it.frame.state.keys, side.ident, side.use))]
        if repeated:
            _report(it, side.ident, repeated, side.use, operand, None, on_one_side=True)
            return


def _may_be_another(value: Value) -> bool:
    """Whether a value is a key that is known or one of which nothing is, not even which one."""
    return isinstance(value, Union) and any(isinstance(a, Unknown) and a.ident is None for a in value.atoms)


def _note_each(it: Interpreter, idents: list[Ident], new: KeyUse) -> None:
    keys = it.frame.state.keys
    for ident in idents:
        constant_keys.tell(it, ident, new)
        _note(keys, ident, new)
    if len(idents) == 1:
        key_arrays.note_element(keys, idents[0], new, _note)


def _note(keys: dict[Ident, tuple[KeyUse, ...]], ident: Ident, new: KeyUse) -> None:
    uses = keys.get(ident, ())
    if len(uses) < MAX_USES and new not in uses:
        keys[ident] = (*uses, new)


def record_later(it: Interpreter, ident: Ident, new: KeyUse, operand: Operand, body: Frame | None) -> None:
    """Tell the rules if a later pass of a compiled loop, whose body is over, repeats a use of the key it then has."""
    if it.frame.trace is not None and not it.frame.trace.draws:
        return
    repeated = _repeated(it, it.frame.state.keys, ident, new)
    if repeated:
        _report(it, ident, repeated, new, operand, None, body)


def pass_on(it: Interpreter, value: Value, at: int, alone: bool = False, given: int = -1) -> None:
    """A key is given to something we cannot see into, `alone` if with nothing else: it may be consumed there.

    `given` is where the key is written. One of several values is told as little as of any other use.
    """
    used = it.frame.state.keys
    found = [(a, i) for a in atoms_of(value) for i in idents_of(a) if isinstance(a, Key | Unknown) or i in used]
    if not any(isinstance(atom, Key) or ident in used for atom, ident in found):
        return
    idents = [ident for _, ident in found]
    is_key = any(isinstance(atom, Key) for atom, _ in found) or any(
        use.action != "pass" for ident in idents for use in used.get(ident, ())
    )
    detail = ALONE if alone and is_key else None
    new = KeyUse("pass", "", detail, it.frame.chain(at), it.frame.all_conditions(), it.frame.all_iterations())
    record(it, idents, new, Operand(value, it.frame, given if given >= 0 else at))


def _is_generator(it: Interpreter, value: Value) -> bool:
    """A random generator of NumPy or Python."""
    return isinstance(value, Qualified) and (
        value.name == "jaxlint.seeded" or it.api.has(value.name, "random-generator")
    )


def _misuse(it: Interpreter, operand: Operand, function: str, node: ir.Expr) -> None:
    """Nothing that has an identity: a seed or a NumPy generator in the place of a key."""
    value = operand.value
    given = node.args[0] if isinstance(node, ir.Call) and node.args else None
    is_none_literal = isinstance(given, ir.Constant) and given.value is None
    plain = isinstance(value, Static) and value.known and (value.type in ("int", "float", "str") or is_none_literal)
    if (plain or isinstance(value, Tuple) or _is_generator(it, value)) and it.wants(KeyMisuse):
        it.emit(KeyMisuse(it.frame, node.at, operand, function, "seed"))


# --- conflicts


def _repeated(it: Interpreter, keys: dict[Ident, tuple[KeyUse, ...]], ident: Ident, new: KeyUse) -> list[KeyUse]:
    """The earlier uses that `new` repeats, in order: those that are sure, else those in the same cell, else all.

    Uses whose numbers it repeats come before those after which it only divides the key, or nothing is drawn.
    """
    found = list(_conflicts(it, keys, ident, new))
    found = [use for use in found if not (only_divides(it, new, use) or dropped_splits.purpose(it, new, use))] or found
    sure = [use for use in found if _is_sure(it, use, new)]
    return sure or [use for use in found if not _is_in_other_cell(it, use, new)] or found


def _is_in_other_cell(it: Interpreter, earlier: KeyUse, new: KeyUse) -> bool:
    """Whether two uses stand in different cells: each is run by itself, and tutorials start anew from the same key."""
    mine, theirs = divergence(earlier.chain, new.chain), divergence(new.chain, earlier.chain)
    source = (_frame_of(it.frame, mine) or it.frame).module.source
    if source.layout is None or not mine.path == theirs.path == source.path:
        return False
    return source.layout.cell_at(source.offsets(mine.at)[0]) != source.layout.cell_at(source.offsets(theirs.at)[0])


def _conflicts(it: Interpreter, keys: dict[Ident, tuple[KeyUse, ...]], ident: Ident, new: KeyUse) -> Iterator[KeyUse]:
    """Earlier uses of the same key that `new` repeats; of an array of keys when it was consumed whole, or its keys."""
    for earlier in (*keys.get(ident, ()), *key_arrays.overlapping(keys, ident, new)):
        it.spend(1 + len(earlier.conditions) * len(new.conditions) // 64)
        if _repeats(it, earlier, new):
            yield earlier
    if isinstance(ident, Item | Part):
        for earlier in keys.get(ident.base, ()):
            if earlier.action == "consume" and new.action != "pass" and _repeats(it, earlier, new):
                yield earlier


def _repeats(it: Interpreter, earlier: KeyUse, new: KeyUse) -> bool:
    relation = _CONFLICTS.get((earlier.action, new.action))
    if relation is None or exclusive(earlier.conditions, new.conditions):
        return False
    if _is_derived(earlier, new) or not _gives_the_same(it, relation, earlier, new):
        return False
    if earlier.once and new.once and _place(earlier) == _place(new):
        return False  # the second time it is there
    if earlier.chain[-1].frame == new.chain[-1].frame < 0:
        return False  # of one summary: this was told when the summary was made
    if earlier.chain == new.chain:
        return earlier.iteration != new.iteration and not _once_per_loop(new, earlier)
    return not _in_other_pass_only(earlier, new)


def _is_derived(earlier: KeyUse, new: KeyUse) -> bool:
    """Whether one of two uses surely folds something into the key that the other does not."""
    if not isinstance(earlier.detail, Derived) or not isinstance(new.detail, Derived):
        return isinstance(earlier.detail, Derived) != isinstance(new.detail, Derived)
    return not earlier.detail.meets(new.detail)


def _gives_the_same(it: Interpreter, relation: str, earlier: KeyUse, new: KeyUse) -> bool:
    """Whether the same numbers may come of what two actions in this relation do with one key."""
    match relation:
        case "same fold":
            return bool(earlier.detail == new.detail)
        case "collision":
            return it.api.splits_by_folding and _may_collide(earlier, new)
        case _ if earlier.action == new.action == "split" and not it.api.splits_by_folding:
            return earlier.may_split_like(new)
        case _:
            is_one_function = earlier.action == new.action == "consume" and earlier.function == new.function
            return not (is_one_function and _are_shuffled_alike(earlier, new))


def _place(use: KeyUse) -> tuple[str, int]:
    return use.chain[-1].path, use.chain[-1].at


def _are_shuffled_alike(earlier: KeyUse, new: KeyUse) -> bool:
    """Whether the rows of two arrays are shuffled with one key: `x` and `y` stay aligned, as they must."""
    details = (earlier.detail, new.detail)
    is_of_rows = None not in details and WEIGHTED not in details
    return is_of_rows and details[0] != details[1] and not isinstance(new.detail, Derived)


def _may_collide(earlier: KeyUse, new: KeyUse) -> bool:
    """`split(key, n)[i]` is `fold_in(key, i)` for every number i below n."""
    fold, split = _fold_and_split(earlier, new)
    number, count = _constant(fold.detail), _constant(split.detail)
    if fold.detail == split.detail or (number is not None and not isinstance(number, int)):
        return False
    return not (isinstance(number, int) and isinstance(count, int)) or 0 <= number < count


def _fold_and_split(earlier: KeyUse, new: KeyUse) -> tuple[KeyUse, KeyUse]:
    return (earlier, new) if earlier.action == "fold" else (new, earlier)


def _beyond_small_splits(earlier: KeyUse, new: KeyUse) -> str:
    """What has to be assumed where a number such as 999 is folded, and the split makes an unknown number of keys.

    A split makes two keys or more, so it shares a key with the numbers 0 and 1.
    """
    if {earlier.action, new.action} != {"fold", "split"}:
        return ""
    fold, split = _fold_and_split(earlier, new)
    number = _constant(fold.detail)
    if not isinstance(number, int) or number < _FEWEST_KEYS or _constant(split.detail) is not None:
        return ""
    return f"the two share a key only if `split` makes more than {number} keys, which jaxlint does not know"


def _of_one_option(frame: Frame, earlier: KeyUse, new: KeyUse) -> str:
    """What has to be assumed where a function called from here folds or splits for one value of an option only."""
    if {earlier.action, new.action} != {"fold", "split"}:
        return ""
    around = frame.all_conditions()
    for use in (earlier, new):
        tests = [condition for condition in use.conditions if condition.outcome and condition not in around]
        if len(use.chain) > 1 and any(_is_text(condition.constant) for condition in tests):
            return f"the called function reaches `{use.function}` for one value of an option only"
    return ""


def _is_text(constant: Any) -> bool:
    """Whether a test compares with a text: constants are written as in Python."""
    return isinstance(constant, tuple) and constant[0] == "constant" and str(constant[1]).startswith(("'", '"'))


def _constant(detail: Any) -> Any:
    """The value of a detail that is a constant, else None."""
    return detail.value if isinstance(detail, Constant) else None


def _once_per_loop(use: KeyUse, other: KeyUse) -> bool:
    """Behind `if i == 0:` a use happens in one pass only.

    What `other`, of another pass, found just so is no test of the pass, unless it asks for the last one.
    """
    mine = [condition for condition in use.conditions if condition.constant is not None and condition.outcome]
    mine = [condition for condition in mine if not recurs(condition.test)]
    return any(condition.constant == LAST or condition not in other.conditions for condition in mine)


def _in_other_pass_only(earlier: KeyUse, new: KeyUse) -> bool:
    """Two places behind `i == 0` and `i == 1` tests of different passes."""
    return earlier.iteration != new.iteration and _once_per_loop(earlier, new) and _once_per_loop(new, earlier)


def _report(  # noqa: PLR0913 - what an event is made of
    it: Interpreter,
    ident: Ident,
    repeated: list[KeyUse],
    new: KeyUse,
    operand: Operand,
    helper: ir.Function | None,
    body: Frame | None = None,
    *,
    on_one_side: bool = False,
) -> None:
    """One report per key and operation: where the two uses part ways is what is wrong, however often it is run.

    `body` is the invocation of a loop's body that both uses stand in, where that is over.
    """
    if not it.wants(KeyConflict):
        return
    earlier = repeated[0]
    step = divergence(earlier.chain, new.chain)
    if step.frame < 0 or it.tables[UnkeptSplits].explain(_place(new)):
        return  # inside a call that is replayed, or a split whose next key is dropped: reported there
    frame = body if body is not None and body.serial == step.frame else _frame_of(it.frame, step)
    reported, place = it.tables[_Reported].misuses, Place(step.path, step.at)
    if frame is None or (ident, place, True) in reported or are_alternatives(it, frame, earlier, new):
        return  # in a call that is over: what it did twice was told in it
    why = purpose(it, frame, ident, earlier, new) or of_an_override(it.frame, ident)
    why = why or of_an_unseen_class(it, frame, ident, step.at)
    divides = only_divides(it, new, earlier)
    if divides and not stands_in_for_an_unread(it, frame, earlier, new):
        why = why or divided(new, earlier)
    elif divides and draws_by_framework(new, earlier):
        why = why or ONLY_DIVIDED
    why = why or _beyond_small_splits(earlier, new) or _of_one_option(frame, earlier, new)
    why = why or of_an_option_left_out(it, frame, earlier, new) or dropped_splits.purpose(it, new, earlier)
    in_loop = earlier.iteration != new.iteration and step in earlier.chain and not _is_made_below(ident, step, earlier)
    advancing = advancing_helper(it, frame, earlier, new, step, helper)
    if not (why or divides or in_loop or advancing[0]):
        why = helper_splits.purpose(it, frame, new, earlier)
    may_harm = not divides or (new.action != "split" and forgets_a_key(new, earlier))
    sure = not why and may_harm and _is_sure(it, earlier, new)
    if (ident, place, sure) in reported:
        return
    reported.add((ident, place, sure))
    across = _is_in_other_cell(it, earlier, new)
    first = first_use(it.frame.state.keys.get(ident) or (earlier,), new.chain)
    last = [use for use in repeated if _place(use) == _place(earlier)][-1]
    _emit(
        it,
        KeyConflict(
            frame,
            step.at,
            operand,
            earlier,
            last,
            new,
            in_loop,
            sure,
            ident,
            *advancing,
            first,
            across,
            why,
            divides,
            on_one_side,
        ),
    )


def _emit(it: Interpreter, event: KeyConflict) -> None:
    """Tell the rules, when the function is done if what becomes of the numbers is seen by then only."""
    why = of_a_benchmark(it, event.earlier, event.use) if event.sure else ""
    owner = event.frame
    if why is None and owner.kind == "function" and owner in it.frame.callers() and not it.frame.trying:
        put_off(it, owner, lambda: it.emit(_with_purpose(event, of_a_benchmark(it, event.earlier, event.use))))
    else:
        it.emit(_with_purpose(event, why))


def _with_purpose(event: KeyConflict, why: str | None) -> KeyConflict:
    return replace(event, purpose=why, sure=False) if why else event


def _is_made_below(ident: Ident, step: Step, earlier: KeyUse) -> bool:
    """Whether a key was made in the very call in which it was used first: an object keeps it from pass to pass."""
    return any(made_at(ident) > below.frame > step.frame for below in earlier.chain)


def _is_sure(it: Interpreter, earlier: KeyUse, new: KeyUse) -> bool:
    """Whether both uses are seen, and in one cell."""
    seen = all(use.action != "pass" and use.detail != UNSEEN for use in (earlier, new))
    return seen and not _is_in_other_cell(it, earlier, new)


def _frame_of(frame: Frame, step: Step) -> Frame | None:
    return next((caller for caller in frame.callers() if caller.serial == step.frame), None)
