"""Frameworks that run the user's own code: modules of Linen, and functions that Haiku transforms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import (
    NONE,
    UNKNOWN,
    Arguments,
    BoundMethod,
    DictCell,
    InstanceCell,
    Leaves,
    Made,
    Object,
    Partial,
    Qualified,
    Reason,
    Static,
    Tuple,
    Value,
)
from jaxlint.analysis.jax import apply_contracts
from jaxlint.analysis.machine.ended_paths import is_failure
from jaxlint.analysis.python import arity, calls
from jaxlint.analysis.source.submodule_names import submodule_names
from jaxlint.analysis.typestate import keys, rng_streams

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import KeyUse
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler
    from jaxlint.syntax import ir

#: Parameters of those methods that are none of what they run.
_OPTIONS = frozenset({"rngs", "mutable", "method", "capture_intermediates"})


def call_module_method(
    it: Interpreter, receiver: Object | Made, name: str, arguments: Arguments, node: ir.Expr
) -> Value:
    """`model.apply(variables, x)` and `model.init(key, x)` run `__call__`, or the method named, on the rest."""
    inner = arguments.after(1)
    options = {option: inner.keywords.pop(option) for option in _OPTIONS & inner.keywords.keys()}
    if name != "apply":
        _use_initial(it, receiver, arguments, name, node)
    method = _method(it, receiver, options.get("method"), node)
    if not arity.accepts(method, inner):
        return it.unknown(f"`{name}` with arguments that its method does not take", node.at)  # another model is meant
    if name != "init":  # parameters are made as they are of models that then run compiled
        calls.note_eager_run(it, method)
    result, uses = rng_streams.used_by(it, lambda: it.call(method, inner, node))
    if is_failure(result):
        return result
    if name == "apply":
        apply_contracts.check(it, arguments, options, uses, node)
    if isinstance(receiver, Made):
        rng_streams.consume_rngs(it, arguments, node)
    rng_streams.consume(it, options.get("rngs"), uses.draws, node, arguments.keyword_at.get("rngs", -1), name)
    variables = _variables(it, node, apply_contracts.initial(it, node) if name != "apply" else {})
    if name == "init":
        return variables
    mutable = options.get("mutable")
    if name == "init_with_output" or not (mutable is None or (isinstance(mutable, Static) and not mutable.value)):
        return Tuple((result, variables))
    return result


def _variables(it: Interpreter, node: ir.Expr, known: dict[str, Value] | None = None) -> Value:
    """Parameters and states by name, of which some are known."""
    return it.allocate(DictCell(it.birth(node.at), known or {}, Leaves(it.frame.ambient, None, it.ident(node.at))))


def _use_initial(it: Interpreter, receiver: Object | Made, arguments: Arguments, name: str, node: ir.Expr) -> None:
    """The key of the parameters; one of several by name is used up where it stands."""
    first = arguments.positional[0] if arguments.positional else arguments.keywords.get("rngs")
    at = arguments.at(0, "rngs")
    if isinstance(first, Object):
        rng_streams.consume(it, first, frozenset({rng_streams.DEFAULT}), node, at, name)
    elif first is not None:
        cell = it.cell(receiver) if isinstance(receiver, Object) else None
        parts = submodule_names(it, cell.cls) if isinstance(cell, InstanceCell) else frozenset[str]()
        keys.use(it, first, rng_streams.drawing(rng_streams.DEFAULT, name, parts), node, at)


def _method(it: Interpreter, receiver: Object | Made, given: Value | None, node: ir.Expr) -> Value:
    """The method that runs: `__call__`, or the one that is given itself or by its name."""
    if isinstance(given, Static) and isinstance(given.value, str):
        return it.attribute(receiver, given.value, node.at)
    if given is None or (isinstance(given, Static) and given.value is None):
        return it.attribute(receiver, "__call__", node.at)
    if isinstance(given, BoundMethod) or not calls.is_callable(given):
        return given
    return BoundMethod(given, receiver)


# --- Haiku

_INIT, _APPLY, _APPLY_WITHOUT = "jaxlint.haiku.init", "jaxlint.haiku.apply", "jaxlint.haiku.apply_without_rng"


def made_with(it: Interpreter, name: str, target: Value, arguments: Arguments, node: ir.Expr) -> Value:
    """The object that runs a function later: a Haiku network, or one of a class that the tables know."""
    meaning = it.api.meaning(name)
    if meaning is not None and meaning.head == "network":
        options: dict[str, Value] = {"has_state": Static(meaning.first == "state", "bool")}
        pair = tuple(Partial(Qualified(what), (target,), options) for what in (_INIT, _APPLY))
        return Tuple(pair, ("init", "apply"))
    row = it.api.object(name)
    if row is None or row.kind != "class":
        return it.unknown(f"an object of `{name}`", node.at)
    return Made(it.ident(node.at), Reason(f"an object of `{name}`", it.frame.path, node.at), row.name)


def _without_rng(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """hk.without_apply_rng(network): `apply` takes no key."""
    network = arguments.first
    if not isinstance(network, Tuple) or network.names != ("init", "apply"):
        return it.unknown(f"call of `{name}`", node.at)
    init, apply = network.elements
    if isinstance(apply, Partial):
        apply = Partial(Qualified(_APPLY_WITHOUT), apply.args, apply.keywords)
    return Tuple((init, apply), network.names)


def _haiku(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`network.init(key, *args)`, `network.apply(params, [state], [key], *args)`."""
    function, *_ = arguments.positional
    inner = arguments.after(1)
    has_state = _is_true(inner.keywords.pop("has_state", UNKNOWN))
    skipped = 0 if name == _INIT else 1 + has_state
    rng = None if name == _APPLY_WITHOUT else inner.get(skipped, "rng")
    at, place = inner.at(skipped, "rng"), skipped
    for option in ("rng", "params", "state"):
        skipped -= inner.keywords.pop(option, None) is not None and option != "rng"
    given_by_name = "rng" in arguments.keywords
    inner = inner.after(skipped + (name != _APPLY_WITHOUT and not given_by_name))
    result, uses = rng_streams.used_by(it, lambda: it.call(function, inner, node))
    if name == _APPLY:
        rng_streams.note_network(it, node, place, draws=bool(uses.draws))
    if rng is not None and not _is_seed(rng) and (uses.draws or (name == _INIT and rng != NONE)):  # else it takes None
        surely = name == _INIT or _surely_draws(it, uses.draws)
        keys.use(it, rng, keys.Action("consume" if surely else "pass", name.rpartition(".")[2]), node, at)
    variables = _variables(it, node)
    if name == _INIT:
        return Tuple((variables, variables)) if has_state else variables
    return Tuple((result, variables)) if has_state else result


def _is_seed(rng: Value) -> bool:
    """Whether Haiku makes a key of this by itself: `network.init(0, x)`."""
    return isinstance(rng, Static) and rng.type == "int"


def _surely_draws(it: Interpreter, draws: Mapping[str, tuple[KeyUse, ...]]) -> bool:
    """Whether a function that was run draws under no test of its own: a setting may turn all of its noise off."""
    path = it.frame.all_conditions()
    return any(use.conditions == path for uses in draws.values() for use in uses)


def applies_variables(function: Value) -> bool:
    """Whether a function runs a network on the variables in its first argument, and gives none of them back."""
    while isinstance(function, Partial):
        function = function.function
    return isinstance(function, Qualified) and function.name in (_APPLY, _APPLY_WITHOUT)


def _is_true(value: Value) -> bool:
    return isinstance(value, Static) and value.value is True


SPECIAL: dict[str, Handler] = {
    **dict.fromkeys((_INIT, _APPLY, _APPLY_WITHOUT), _haiku),
    "without_rng": _without_rng,
}
