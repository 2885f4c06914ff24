"""The typestate of PRNG keys: what was done with each key on the paths to here, and which second use repeats it.

Under-approximates: a use is reported only where every key that the value can be was used before, on a path that
can be the same run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis import walks
from jaxlint.analysis.conditions import exclusive
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.events.random import KeyBroadcast, KeyConflict, KeyHandedBack, KeyMade, KeyMisuse, KeyNotAdvanced
from jaxlint.analysis.iteration import target_names
from jaxlint.analysis.roles import entry_frame
from jaxlint.analysis.state import KeyUse, Step
from jaxlint.analysis.values import (
    Arguments,
    Array,
    Atom,
    DictCell,
    Ident,
    InstanceCell,
    Key,
    Leaves,
    Level,
    Object,
    Qualified,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    atoms_of,
    level_of,
)
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.frames import Frame, Trace
    from jaxlint.analysis.interpreter import Interpreter
    from jaxlint.jaxapi.rows import RandomRow

#: Transforms that run their function many times, with the same values for what it closes over.
REPEATING = frozenset(
    {"vmap", "pmap", "scan", "fori_loop", "while_loop", "map", "filter_vmap", "filter_pmap", "vectorize"}
)
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


def call(it: Interpreter, row: RandomRow, name: str, arguments: Arguments, node: ir.Expr) -> Value | None:
    """The value of a jax.random function, with what it does to its key; None where its result is an ordinary array."""
    position = row.params.positional.index(row.key) if row.key in row.params.positional else None
    key = None if row.key is None else arguments.get(position, row.key)
    at = arguments.at(position, row.key)
    level = _level(it, arguments)
    match row.role:
        case "creator":
            made = Key(it.ident(node.at), level, typed=name == "jax.random.key")
            _made(it, name, arguments, node, made)
            return made
        case "splitter":
            count = arguments.get(1, "num")
            amount = count.value if isinstance(count, Static) and count.known else 2 if count is None else None
            use(it, key, "split", name, amount, node, at)
            return Key(it.ident(node.at), level, _split_shape(amount), typed=_is_typed(key))
        case "folder":
            data = arguments.get(1, "data")
            if isinstance(data, Key) and it.wants(KeyMisuse):
                it.emit(KeyMisuse(it.frame, node.at, Operand(data, it.frame, arguments.at(1, "data")), name, "data"))
            use(it, key, "fold", name, _data(it, data), node, at)
            return Key(it.ident(node.at), level, typed=_is_typed(key))
        case "cloner" | "wrapper":
            return Key(it.ident(node.at), level, None if row.role == "wrapper" else ())
        case "consumer":
            use(it, key, "consume", name, None, node, at)
            return None
        case _:
            return None


def _is_typed(key: Value | None) -> bool:
    return isinstance(key, Key) and key.typed


def _level(it: Interpreter, arguments: Arguments) -> Level:
    levels = [level_of(atom) or Level.HOST for value in arguments.all() for atom in atoms_of(value)]
    return max([it.frame.ambient, *levels])


def _split_shape(amount: Any) -> Any:
    if isinstance(amount, int):
        return (amount,)
    return amount if isinstance(amount, tuple) and all(isinstance(n, int) for n in amount) else (None,)


def _data(it: Interpreter, value: Value | None) -> Any:
    """What tells two fold_in calls apart: a constant or the identity of the data."""
    if isinstance(value, Static) and value.known:
        return ("constant", value.value)
    ident = getattr(value, "ident", None)
    return ("fresh", it.fresh()) if ident is None else ident


def _made(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr, made: Key) -> None:
    """Remember a key made from a constant: what it is used for decides whether that is a mistake."""
    seed = arguments.get(0, "seed")
    if isinstance(seed, Key) and it.wants(KeyMisuse):
        it.emit(KeyMisuse(it.frame, node.at, Operand(seed, it.frame, arguments.at(0, "seed")), name, "data"))
    if isinstance(seed, Static) and seed.known and _is_fixed(it, node):
        at = arguments.at(0, "seed")
        operand = Operand(seed, it.frame, at if at >= 0 else node.at)
        event = KeyMade(it.frame, node.at, operand, name, bool(it.frame.all_iterations()))
        it.caches[("constant key", made.ident)] = event


def _is_fixed(it: Interpreter, node: ir.Expr) -> bool:
    """Whether the seed is a literal, or a name of the module: no parameter and no loop variable."""
    if not isinstance(node, ir.Call) or not node.args:
        return False
    seed = node.args[0]
    return isinstance(seed, ir.Constant) or (isinstance(seed, ir.Name) and seed.id not in it.frame.state.env)


def _tell_constant(it: Interpreter, ident: Ident, new: KeyUse) -> None:
    """A key made from a constant is drawn from in the very invocation that made it."""
    event = it.caches.get(("constant key", ident))
    if event is None or new.action not in ("consume", "split") or new.chain[-1].frame != event.frame.serial:
        return
    if it.wants(KeyMade):
        it.emit(event)


def use(
    it: Interpreter, value: Value | None, action: str, function: str, detail: Any, node: ir.Expr, at: int = -1
) -> None:
    """Something is done with a key."""
    if value is None:
        return
    operand = Operand(value, it.frame, at if at >= 0 else node.at)
    if _is_generator(value):
        _misuse(it, operand, function, node)
        return
    if action == "consume" and isinstance(value, Key) and value.shape and it.wants(KeyMisuse):
        it.emit(KeyMisuse(it.frame, node.at, operand, function, "array of keys"))
    idents = list(_idents(value))
    if not idents:
        _misuse(it, operand, function, node)
        return
    it.decide("key", node.at)
    chain = it.frame.chain(node.at)
    use_ = KeyUse(action, function, detail, chain, it.frame.all_conditions(), it.frame.all_iterations())
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
    row.
    """
    for recorder in () if whole else it.summaries.recorders:
        recorder.uses.append((tuple(idents), new))
    keys = it.frame.state.keys
    if (
        len(idents) == 1
        and isinstance(idents[0], tuple)
        and idents[0][0] == "rows"
        and new.action in ("consume", "split")
    ):
        record(it, [idents[0][1]], new, operand, whole=True)
    if len(idents) > 1:
        # One of several keys: which one is used depends on the path, so each of them may have been.
        new = new._replace(action="pass")
    conflict = next(_conflicts(keys, idents[0], new), None) if len(idents) == 1 else None
    if conflict is not None:
        _report(it, idents, conflict, new, operand, helper)
    elif len(idents) == 1 and not whole:
        _broadcast(it, idents[0], new, operand)
    for ident in idents:
        _tell_constant(it, ident, new)
        uses = keys.get(ident, ())
        if new not in uses:
            keys[ident] = (*uses, new)


def pass_on(it: Interpreter, atom: Atom, at: int) -> None:
    """A key is given to something we cannot see into: it may be consumed there."""
    ident = getattr(atom, "ident", None)
    if ident is None or not (isinstance(atom, Key) or ident in it.frame.state.keys):
        return
    chain = it.frame.chain(at)
    new = KeyUse("pass", "", None, chain, it.frame.all_conditions(), it.frame.all_iterations())
    record(it, [ident], new, Operand(atom, it.frame, at))


def _is_generator(value: Value) -> bool:
    """A random generator of NumPy or Python."""
    return isinstance(value, Qualified) and value.name.startswith(("numpy.random.", "random.", "jaxlint.seeded"))


def _idents(value: Value) -> Iterator[Ident]:
    for atom in atoms_of(value):
        if isinstance(atom, (Key, Unknown, Leaves, Array)) and atom.ident is not None:
            yield atom.ident


#: Functions that want a number where a key makes no sense.
_NUMERIC = frozenset({"builtins.int", "builtins.float", "numpy.random.default_rng", "numpy.random.seed", "random.seed"})


def tell_misuse(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """`int(key)`, `np.random.default_rng(key)`: a key is no number."""
    if name in _NUMERIC and arguments.positional and isinstance(arguments.positional[0], Key) and it.wants(KeyMisuse):
        operand = Operand(arguments.positional[0], it.frame, arguments.at(0, None))
        it.emit(KeyMisuse(it.frame, node.at, operand, name, "data"))


def _misuse(it: Interpreter, operand: Operand, function: str, node: ir.Expr) -> None:
    """Nothing that has an identity: a seed or a NumPy generator in the place of a key."""
    value = operand.value
    given = node.args[0] if isinstance(node, ir.Call) and node.args else None
    is_none_literal = isinstance(given, ir.Constant) and given.value is None
    plain = isinstance(value, Static) and value.known and (value.type in ("int", "float", "str") or is_none_literal)
    if (plain or isinstance(value, Tuple) or _is_generator(value)) and it.wants(KeyMisuse):
        it.emit(KeyMisuse(it.frame, node.at, operand, function, "seed"))


def not_advanced(it: Interpreter, target: ir.SequenceDisplay, source: ir.Expr) -> None:
    """`key, subkey = split(self.key)` in a method that never stores the next key: tell the rules."""
    frame = it.frame
    if not isinstance(source, ir.Call) or not source.args or frame.function is None or frame.cls is None:
        return
    parent = source.args[0]
    if not isinstance(parent, ir.Attribute) or not all(isinstance(e, ir.Name) for e in target.elements):
        return
    if frame.function.name in ("__init__", "setup", "__post_init__") or not it.wants(KeyNotAdvanced):
        return
    names = [e.id for e in target.elements if isinstance(e, ir.Name)]
    end = max(walks.ordinals((target, source)))
    read = set(names_read_after(frame.function.body, end))
    if any(name not in read for name in names) and parent.attr not in stored_attributes(frame.function.body):
        for ident in _idents(it.eval(parent)):  # one report per key: later draws repeat for this reason
            it.caches.setdefault("reported keys", set()).add((ident, True))
        it.emit(KeyNotAdvanced(frame, source.at, it.operand(it.eval(parent), parent)))


def names_read_after(node: Any, at: int) -> Iterator[str]:
    """Names that stand anywhere behind an ordinal."""
    if isinstance(node, ir.Name):
        if node.at > at:
            yield node.id
        return
    if isinstance(node, tuple):
        for child in node:
            if isinstance(child, tuple):
                yield from names_read_after(child, at)


def stored_attributes(node: Any) -> frozenset[str]:
    """The attributes that code assigns, of whatever object."""
    found: set[str] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ir.Assign | ir.AugmentedAssign):
            stack.extend(part.targets if isinstance(part, ir.Assign) else (part.target,))
            targets = part.targets if isinstance(part, ir.Assign) else (part.target,)
            flat = [e for t in targets for e in (t.elements if isinstance(t, ir.SequenceDisplay) else (t,))]
            found.update(e.attr for e in flat if isinstance(e, ir.Attribute))
        if isinstance(part, tuple):
            stack.extend(child for child in part if isinstance(child, tuple))
    return frozenset(found)


def handed_back(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """A function returns: tell the rules if a key that it was given goes back although it was split here."""
    if not it.wants(KeyHandedBack):
        return
    frame = it.frame
    for ident in _reachable(it, value):
        if ident is None or made_at(ident) >= frame.serial:
            continue
        for use_ in frame.state.keys.get(ident, ()):
            mine = use_.chain[-1].frame == frame.serial and use_.action == "split"
            if mine and not exclusive(use_.conditions, frame.all_conditions()):
                it.emit(KeyHandedBack(frame, node.at, it.operand(value, node), use_))
                return


def _reachable(it: Interpreter, value: Value, seen: frozenset[int] = frozenset()) -> Iterator[Ident]:
    """The identities of what may be keys in a returned value; objects may hold themselves."""
    if isinstance(value, Union):
        return  # one of several: which one goes back depends on the path
    for atom in atoms_of(value):
        if isinstance(atom, Tuple):
            for element in atom.elements:
                yield from _reachable(it, element, seen)
        elif isinstance(atom, Object) and atom.oid not in seen:
            cell = it.cell(atom)
            inner = seen | {atom.oid}
            if isinstance(cell, InstanceCell):
                for part in cell.attributes.values():
                    yield from _reachable(it, part, inner)
            elif isinstance(cell, DictCell):
                for part in cell.items.values():
                    yield from _reachable(it, part, inner)
        elif isinstance(atom, (Key, Unknown, Leaves, Array)) and atom.ident is not None:
            yield atom.ident


# --- conflicts


def _conflicts(keys: dict[Ident, tuple[KeyUse, ...]], ident: Ident, new: KeyUse) -> Iterator[KeyUse]:
    """Earlier uses of the same key that `new` repeats; of an array of keys when it was consumed whole."""
    for earlier in keys.get(ident, ()):
        if _repeats(earlier, new):
            yield earlier
    if isinstance(ident, tuple) and len(ident) == 3 and ident[0] in ("item", "slice"):
        for earlier in keys.get(ident[1], ()):
            if earlier.action == "consume" and new.action != "pass" and _repeats(earlier, new):
                yield earlier


def _repeats(earlier: KeyUse, new: KeyUse) -> bool:
    relation = _CONFLICTS.get((earlier.action, new.action))
    if relation is None or exclusive(earlier.conditions, new.conditions):
        return False
    if relation == "same fold" and earlier.detail != new.detail:
        return False
    if relation == "collision" and not _may_collide(earlier, new):
        return False
    if earlier.chain[-1].frame == new.chain[-1].frame < 0:
        return False  # of one summary: this was told when the summary was made
    if earlier.chain == new.chain:
        return earlier.iteration != new.iteration and not _once_per_loop(new)
    return not _in_other_pass_only(earlier, new)


def _may_collide(earlier: KeyUse, new: KeyUse) -> bool:
    """`split(key, n)[i]` is `fold_in(key, i)` for every number i below n."""
    fold = earlier if earlier.action == "fold" else new
    return not (isinstance(fold.detail, tuple) and fold.detail[0] == "constant" and not isinstance(fold.detail[1], int))


def _once_per_loop(use: KeyUse) -> bool:
    """Behind `if i == 0:` a use happens in one pass only."""
    return any(condition.constant is not None and condition.outcome for condition in use.conditions)


def _in_other_pass_only(earlier: KeyUse, new: KeyUse) -> bool:
    """Two places behind `i == 0` and `i == 1` tests of different passes."""
    return earlier.iteration != new.iteration and _once_per_loop(earlier) and _once_per_loop(new)


def _report(
    it: Interpreter,
    idents: list[Ident],
    earlier: KeyUse | None,
    new: KeyUse,
    operand: Operand,
    helper: ir.Function | None,
) -> None:
    """One report per key: where the two uses part ways is the operation that is wrong."""
    if earlier is None or not it.wants(KeyConflict):
        return
    sure = "pass" not in (earlier.action, new.action)
    reported = it.caches.setdefault("reported keys", set())
    key = (idents[0], sure)
    if key in reported:
        return
    reported.add(key)
    step = divergence(earlier, new)
    if step.frame < 0:
        return  # inside a call that is replayed: reported where it was interpreted
    frame = _frame_of(it.frame, step)
    in_loop = step in earlier.chain
    advancing = _advancing_helper(it, earlier, new, step, helper)
    it.emit(KeyConflict(frame, step.at, operand, earlier, new, in_loop, sure, idents[0], advancing))


def _advancing_helper(it: Interpreter, earlier: KeyUse, new: KeyUse, step: Step, helper: ir.Function | None) -> str:
    """The function in which the key was split both times, if it gives back a key that its callers dropped."""
    if earlier.action != "split" or new.action != "split" or new.chain[-1] == step:
        return ""
    if helper is None:
        inner = next((f for f in it.frame.callers() if f.caller is not None and f.caller.serial == step.frame), None)
        helper = None if inner is None else inner.function
    if helper is None:
        return ""
    advanced = set(_split_targets(helper.body))
    return helper.name if any(name in advanced for name in _returned_names(helper.body)) else ""


def _split_targets(node: Any) -> Iterator[str]:
    """Names that are assigned from a call of some `split`."""
    if isinstance(node, ir.Assign) and isinstance(node.value, ir.Call):
        callee = node.value.func
        name = callee.attr if isinstance(callee, ir.Attribute) else callee.id if isinstance(callee, ir.Name) else ""
        if name == "split":
            for target in node.targets:
                yield from target_names(target)
    if isinstance(node, tuple):
        for child in node:
            if isinstance(child, tuple):
                yield from _split_targets(child)


def _returned_names(body: ir.Block) -> Iterator[str]:
    """The names that a function hands back as they are, among others: in a tuple, or in a dict of it."""
    for node in body:
        if isinstance(node, ir.Return) and isinstance(node.value, ir.SequenceDisplay):
            for element in node.value.elements:
                values = [value for _, value in element.items] if isinstance(element, ir.DictDisplay) else [element]
                yield from (value.id for value in values if isinstance(value, ir.Name))


def divergence(earlier: KeyUse, new: KeyUse) -> Step:
    """The step of `new` in the last invocation that both uses share."""
    shared = new.chain[0]
    for mine, theirs in zip(new.chain, earlier.chain):
        if mine.frame != theirs.frame:
            break
        shared = mine
    return shared


def _frame_of(frame: Frame, step: Step) -> Frame:
    return next((caller for caller in frame.callers() if caller.serial == step.frame), frame)


def _broadcast(it: Interpreter, ident: Ident, new: KeyUse, operand: Operand) -> None:
    """A key from outside a repeated function drives each of its runs alike."""
    if new.action not in ("consume", "split") or not it.wants(KeyBroadcast):
        return
    trace = _repeating_trace(it.frame.trace, ident)
    if trace is None:
        return
    passed = ident in trace.unmapped
    frame = it.frame
    at = next((step.at for step in reversed(new.chain) if step.frame == frame.serial), new.chain[-1].at)
    if passed:
        inner = entry_frame(it.frame, trace)
        if inner is None or inner.caller is None:
            return
        frame, at = inner.caller, inner.call_at
    it.emit(KeyBroadcast(frame, at, operand, new, trace.transform, ident))


def _repeating_trace(trace: Trace | None, ident: Ident) -> Trace | None:
    while trace is not None:
        if trace.transform.rpartition(".")[2] in REPEATING and 0 < made_at(ident) < trace.entry:
            return trace
        trace = trace.parent
    return None


def made_at(ident: Ident) -> int:
    """The serial number at which an identity came to be: the youngest of its parts; 0 where it has none."""
    if not isinstance(ident, tuple) or not ident:
        return 0
    match ident:
        case ("at", _, int() as serial) | ("fresh", int() as serial) | ("parameter", int() as serial, _):
            return serial
        case ("result", int() as serial) | ("self", int() as serial) | ("object", int() as serial):
            return serial
        case ("again", int() as serial, _):
            return serial
        case ("global", *_):
            return 1
        case ("attribute", base, *_):
            return made_at(base)
        case ("rows", _, int() as serial):
            return serial
        case ("item" | "slice", base, index):
            return max(made_at(base), made_at(index))
        case _:
            return 0
