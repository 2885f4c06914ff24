"""Calls: arguments are evaluated, then the callee decides who interprets the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.idents import AttributeOf
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.state import UNSEEN
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    Array,
    Atom,
    BoundMethod,
    ClassValue,
    DictCell,
    FunctionValue,
    InstanceCell,
    Key,
    Leaves,
    Level,
    Made,
    Member,
    Object,
    Partial,
    Qualified,
    Reason,
    Transformed,
    Union,
    Unknown,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.machine import ended_paths, path_values
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.python import (
    attributes,
    classes,
    failures,
    functions,
    host_calls,
    iteration,
    library_uses,
    record_copies,
    special_methods,
    suited_callees,
    unseen_calls,
)
from jaxlint.analysis.typestate import async_dispatch, donated_calls, keys, rng_streams
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.domain.frames import Caveats
    from jaxlint.analysis.domain.state import State
    from jaxlint.analysis.machine.interpreter import Interpreter

_CALLABLE = (FunctionValue, BoundMethod, Partial, Transformed, Qualified, Member)


def evaluate(it: Interpreter, node: ir.Call) -> Value:
    """The value of a call expression."""
    known = _called_name(it, node.func.id) if isinstance(node.func, ir.Name) else None
    callee = it.eval(node.func) if known is None else known
    it.tables[Callees].by_call[it.frame.path, node.at] = callee
    if node.keywords and callee.__class__ is Qualified:
        library_uses.keywords_given(it, callee, node)
    effect = it.api.effect(callee.name) if isinstance(callee, Qualified) and it.frame.trace is not None else None
    if effect is None or effect.kind not in ("print", "log", "debug"):
        arguments = _arguments(it, node)
        if callee.__class__ is Qualified:
            library_uses.positions_given(it, callee, arguments, node)
        if it.frame.failed:
            return it.unknown("a call that is never made", node.at)
        if callee.__class__ is not Transformed and failures.refuses(it, callee, arguments):
            ended_paths.end(it, node.at, failures.REFUSED)
            return it.unknown(failures.REFUSED, node.at)
        return _returned(it, callee, dispatch(it, callee, arguments, node), node)
    outer, it.frame.output = it.frame.output, effect.kind
    arguments = _arguments(it, node)
    it.frame.output = outer
    return dispatch(it, callee, arguments, node)


def _returned(it: Interpreter, callee: Value, result: Value, node: ir.Call) -> Value:
    """What a call gave; the path ends where it surely gives nothing."""
    if isinstance(result, Unknown) and ended_paths.is_failure(result):
        is_refused = result.reason is not None and result.reason.what == failures.REFUSED
        ended_paths.end(it, node.at, failures.REFUSED if is_refused else "a call of a function that always raises")
    elif callee.__class__ is Qualified and it.api.has(callee.name, "never-returns"):
        ended_paths.end(it, node.at, "a call that never returns")
    return result


def _called_name(it: Interpreter, name: str) -> Value | None:
    """The value of a name that is called: it is code, so that being bound elsewhere makes no stale value.

    What was chosen by a test is what the same test chooses here.
    """
    frame = it.frame
    value = frame.state.env.get(name)
    if value is not None:
        return path_values.resolve(frame, value, frame.conditions) if value.__class__ is Union else value
    found = it.find_binding(name)
    if found is None:
        return None
    owner, value = found
    return path_values.resolve(owner, value, frame.all_conditions()) if value.__class__ is Union else value


def _arguments(it: Interpreter, node: ir.Call) -> Arguments:
    """Evaluate the arguments in order; starred ones are spread where their length is known."""
    arguments = Arguments()
    for argument in node.args:
        if isinstance(argument, ir.Starred):
            _spread_elements(it, arguments, it.eval(argument.value), argument.at)
        elif arguments.spread is not None:
            arguments.tail += (it.eval(argument),)
        else:
            arguments.positional.append(it.eval(argument))
            arguments.positional_at.append(argument.at)
    for name, argument in node.keywords:
        value = it.eval(argument)
        if name is None:
            _spread_keywords(it, arguments, value, argument.at)
        else:
            arguments.keywords[name] = value
            arguments.keyword_at[name] = argument.at
    return arguments


def _spread_elements(it: Interpreter, arguments: Arguments, value: Value, at: int) -> None:
    exact = iteration.exact_elements(it, value)
    if arguments.spread is not None:
        more = iteration.element(it, value, at) if exact is None else join_all(exact or (arguments.spread,))
        arguments.spread = join_all([arguments.spread, *arguments.tail, more])
        arguments.tail = ()
    elif exact is None:
        arguments.extra = True
        arguments.spread = iteration.element(it, value, at)
    else:
        arguments.positional.extend(exact)
        arguments.positional_at.extend([at] * len(exact))


def _spread_keywords(it: Interpreter, arguments: Arguments, value: Value, at: int) -> None:
    value = special_methods.container(it, value, at)
    cell = it.cell(value) if isinstance(value, Object) else None
    if isinstance(cell, DictCell) and all(isinstance(key, str) for key in cell.items):
        arguments.keywords.update(cell.items)
        arguments.keyword_at.update(dict.fromkeys(cell.items, at))
        if cell.rest is not None:
            _spread_more(arguments, cell.rest)
    else:
        _spread_more(arguments, None)


def _spread_more(arguments: Arguments, item: Value | None) -> None:
    """Arguments of unknown names are given, besides those that are given already: each is one of all these items."""
    if arguments.extra and (item is not None or arguments.named is not None):
        item = _of_either(arguments.named or UNKNOWN, item or UNKNOWN)
    arguments.extra, arguments.named = True, item


def _of_either(first: Value, second: Value) -> Value:
    """What one of two mappings gives a parameter; nobody knows which one does where one alone holds traced values."""
    return join_all([first, second]) if _holds_traced(first) is _holds_traced(second) else UNKNOWN


def _holds_traced(item: Value) -> bool:
    return any(isinstance(atom, Array | Leaves | Key) and atom.level is Level.TRACED for atom in atoms_of(item))


def dispatch(it: Interpreter, callee: Value, arguments: Arguments, node: ir.Expr) -> Value:
    """Call a value; where it is one of several, each is called on the same state and the results are joined."""
    if not isinstance(callee, Union):
        return _atom(it, callee, arguments, node)
    atoms = [atom for atom in callee.atoms if not is_none(atom)]
    atoms = suited_callees.of_several(it, atoms, arguments)
    if len(atoms) == 1:
        return _atom(it, atoms[0], arguments, node)
    before, outer = it.frame.state, it.frame.caveats
    caveats = outer._replace(one_of_several=True) if suited_callees.maps_more_or_less(atoms) else outer
    results: list[Value] = []
    ends: list[State | None] = []
    failed = ended_paths.failure(it, "calls that all raise", node.at)
    methods = [atom for atom in atoms if isinstance(atom, BoundMethod)]
    for atom in atoms:

        def one(atom: Atom = atom) -> bool:
            result = failed if failures.refuses(it, atom, arguments) else _atom(it, atom, arguments, node)
            if ended_paths.is_failure(result):
                return False
            results.append(result)
            return True

        if isinstance(atom, Qualified) and _may_be_counterpart(it, atom, atoms, node):
            it.frame.caveats = caveats._replace(suited=True)
        elif isinstance(atom, BoundMethod):
            it.frame.caveats = _of_one_method(it, atom, methods, arguments)
        else:
            it.frame.caveats = caveats
        if suited_callees.is_compiled_beside(it, atom, atoms):
            it.frame.caveats = it.frame.caveats._replace(one_is_compiled=True)
        ends.append(it.branch(before.fork(), one))
        it.frame.caveats = outer
    it.frame.state = before
    if it.resume(*ends):
        _keep_what_each_did(it, atoms, ends)
    return join_all(results) if results else failed


def _may_be_counterpart(it: Interpreter, function: Qualified, atoms: list[Atom], node: ir.Expr) -> bool:
    """Whether another callee is what a function of NumPy is in JAX, or may be: the same of a module that is not known.

    A library tells the module of an array, as `array_namespace(x)`, or the caller gives it.
    """
    other = it.api.counterpart(function.name)
    if not other or any(isinstance(atom, Qualified) and atom.name == other for atom in atoms):
        return bool(other)
    called = node.func if isinstance(node, ir.Call) else None
    base = called.base if isinstance(called, ir.Attribute) else None
    modules = atoms_of(it.peek(base.id) or UNKNOWN) if isinstance(base, ir.Name) else ()
    names = {atom.name for atom in modules if isinstance(atom, Qualified)}
    return function.name.rpartition(".")[0] in names and any(isinstance(atom, Unknown) for atom in modules)


def _keep_what_each_did(it: Interpreter, atoms: list[Atom], ends: list[State | None]) -> None:
    """An object whose method is one of several is changed as that method did: where it is called, it is the object.

    Where another method is called, the code has another object in its place, and no more to do with this one.
    """
    receivers = [
        {part.oid for part in atoms_of(atom.receiver) if isinstance(part, Object)}
        if isinstance(atom, BoundMethod)
        else set()
        for atom in atoms
    ]
    for number, (own, end) in enumerate(zip(receivers, ends)):
        others = set().union(*receivers[:number], *receivers[number + 1 :])
        if end is not None and len(own) == 1 and own.isdisjoint(others):
            (oid,) = own
            if oid in end.heap and end.heap[oid] is not it.frame.state.heap.get(oid):
                it.frame.state.write(oid, end.heap[oid])


def _of_one_method(it: Interpreter, method: BoundMethod, methods: list[BoundMethod], arguments: Arguments) -> Caveats:
    """What limits what may be said of one of several methods."""
    caveats = it.frame.caveats
    if any(cell.open for cell in _receivers(it, method)):  # of any class below the one that an annotation names
        takes_tree = caveats.one_of_methods or _takes_tree(arguments)
        return caveats._replace(one_of_methods=takes_tree, one_of_overrides=True)
    if len({id(each.function) for each in methods}) == 1:
        return caveats
    births = [cell.birth for each in methods for cell in _receivers(it, each)]
    by_type = any((birth.path, birth.at) in it.facts.made_by_type for birth in births)
    return caveats._replace(one_of_receivers=True, one_of_overrides=caveats.one_of_overrides or by_type)


def _receivers(it: Interpreter, method: BoundMethod) -> Iterator[InstanceCell]:
    cells = (it.cell(atom) for atom in atoms_of(method.receiver) if isinstance(atom, Object))
    return (cell for cell in cells if isinstance(cell, InstanceCell))


def _takes_tree(arguments: Arguments) -> bool:
    """Whether a tree of unknown structure is among the arguments: each of several functions may want another one."""
    return any(isinstance(atom, Leaves) for value in arguments.all() for atom in atoms_of(value))


def _atom(  # noqa: PLR0911 - dispatches on the kinds of values
    it: Interpreter, callee: Atom, arguments: Arguments, node: ir.Expr
) -> Value:
    match callee:
        case Qualified():
            return it.library.call(it, callee.name, arguments, node)
        case FunctionValue():
            return functions.call(it, callee, arguments, node.at)
        case BoundMethod():
            return dispatch(it, callee.function, arguments.before((callee.receiver,), {}), node)
        case Partial():
            return dispatch(it, callee.function, arguments.before(callee.args, callee.keywords), node)
        case Transformed():
            return it.library.call_transformed(it, callee, arguments, node)
        case ClassValue():
            return classes.instantiate(it, callee, arguments, node.at)
        case Member():
            return it.library.call_member(it, callee, arguments, node)
        case Made():
            return it.library.call_object(it, callee, "__call__", arguments, node)
        case Object():
            return _object(it, callee, arguments, node)
        case _:
            if it.frame.state.donated:
                donated_calls.unknown_method(it, callee, node)
            return call_unknown(it, callee, arguments, node)


def _object(it: Interpreter, callee: Object, arguments: Arguments, node: ir.Expr) -> Value:
    """An instance with `__call__`."""
    cell = it.cell(callee)
    if isinstance(cell, InstanceCell):
        method = it.attribute(callee, "__call__", node.at)
        if not isinstance(method, Unknown):
            note_eager_run(it, method)
            return dispatch(it, method, arguments, node)
    return call_unknown(it, callee, arguments, node)


def note_eager_run(it: Interpreter, method: Value) -> None:
    """Note that the code of a file itself runs a method as it is, or what it runs so does."""
    if it.frame.trace is None and isinstance(method, BoundMethod) and isinstance(method.function, FunctionValue):
        *_, outermost = it.frame.known_callers()
        if outermost.kind == "module":
            it.facts.run_eagerly.add((id(method.function.function), outermost.path))


def call_unknown(it: Interpreter, callee: Atom, arguments: Arguments, node: ir.Expr, what: str = "") -> Value:
    """A call we cannot see into: its result is unknown, and what it was given may have been used or changed."""
    method = node.func.attr if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) else ""
    ident = callee.ident if isinstance(callee, Unknown) else None
    if isinstance(ident, AttributeOf) and ident.name in record_copies.METHODS:
        copy = record_copies.changed_unknown(it, ident.base, arguments, node)
        if copy is not None:
            return copy
    if "rngs" in arguments.keywords:
        rng_streams.consume_rngs(it, arguments, node)
    it.facts.host_reads += 1
    unseen_calls.hand_to(it, callee, arguments.all())
    places = [*arguments.positional_at, *arguments.keyword_at.values()]
    drawn = False  # a model draws from the first key; what follows is what it is run on
    for position, value in enumerate(arguments.all()):
        at = places[position] if position < len(places) else -1
        if method == "apply" and rng_streams.is_never_drawn_from(it, node, position):
            continue
        if isinstance(value, Key) and not drawn and _draws_from(it, method, position, arguments):
            drawn = True
            detail = UNSEEN if method in ("apply", "init") else None
            many = it.api.has(f"*.{method}", "may-map-keys") and _holds_data(arguments)
            keys.use(it, value, keys.Action("consume", method, detail, many), node, at)
        else:
            escape(it, value, node.at, alone=_draws_alone(it, callee, method, arguments), given=at)
    if isinstance(callee, Unknown):
        attributes.forget_attributes(it, callee)
        host_calls.unknown_called(it, callee)
    if it.frame.state.clock is not None:
        async_dispatch.opaque_call(it, callee, arguments)
    return Unknown(it.ident(node.at), Reason(what or f"call of `{callee_text(it, node)}`", it.frame.path, node.at))


def callee_text(it: Interpreter, node: ir.Expr) -> str:
    """The callee as written, without subscripts and calls inside it."""
    target = node.func if isinstance(node, ir.Call) else node
    parts: list[str] = []
    while isinstance(target, ir.Attribute):
        parts.append(target.attr)
        target = target.base
    parts.append(target.id if isinstance(target, ir.Name) else "...")
    return ".".join(reversed(parts))


#: Keywords by which a call of `apply` shows that a Linen module runs: the key in it is an input like any other.
_OF_LINEN: Final = frozenset({"method", "mutable", "rngs"})


def _draws_from(it: Interpreter, method: str, position: int, arguments: Arguments) -> bool:
    """Whether methods of this name, on whatever object, draw from the key that stands there."""
    if it.api.has(f"*.{method}", "draws-given"):
        return True
    is_linen = not _OF_LINEN.isdisjoint(arguments.keywords)
    return position == 1 and not is_linen and it.api.has(f"*.{method}", "draws-second")


def _holds_data(arguments: Arguments) -> bool:
    """Whether arguments have what may have a row for each key."""
    return any(isinstance(atom, Array | Leaves | Unknown) for value in arguments.positional for atom in atoms_of(value))


def _draws_alone(it: Interpreter, callee: Atom, method: str, arguments: Arguments) -> bool:
    """Whether a method that nobody sees is given one thing alone, and does not just keep or show it."""
    is_only = len(arguments.positional) + len(arguments.keywords) == 1 and not arguments.extra
    return is_only and isinstance(callee, Unknown) and bool(method) and not it.api.has(f"*.{method}", "keeps-given")


def escape(it: Interpreter, value: Value, at: int, *, alone: bool = False, given: int = -1) -> None:
    """A value goes where we cannot see: keys may be consumed there, functions called, objects changed.

    `alone`: the call is given nothing else, so that it is likely to use a key up; `given`: where the value is written.
    """
    for atom in atoms_of(value):
        if isinstance(atom, Unknown):
            attributes.forget_attributes(it, atom)
    keys.pass_on(it, value, at, alone, given)


def is_callable(value: Value) -> bool:
    """Whether a value is surely something to call."""
    return isinstance(value, _CALLABLE)
