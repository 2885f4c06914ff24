"""What a test tells about the names in it: `is None`, truth, isinstance; and the tests that are on the path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import orderings
from jaxlint.analysis.domain.lattice import union
from jaxlint.analysis.domain.orderings import Range
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    NONE,
    Array,
    Atom,
    FunctionValue,
    Iterable,
    Key,
    Leaves,
    Level,
    ModuleValue,
    Object,
    Qualified,
    Static,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    has_no_value,
    ident_of,
    is_none,
    level_of,
)
from jaxlint.analysis.python import attribute_tests, held_values, instance_classes
from jaxlint.analysis.python.dtype_tests import is_never_of_jax
from jaxlint.analysis.source import kept_tests
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Caveats, Frame, Trace
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.analysis.machine.interpreter import Interpreter

Keep = Callable[[Atom], bool]


class on_path:  # noqa: N801 - a context manager, entered too often for one made of a generator
    """Puts what a test's outcome says (`holding`) on the path, while one of its branches is interpreted."""

    __slots__ = ("caveats", "conditions", "frame")

    def __init__(
        self, it: Interpreter, test: ir.Expr, holding: tuple[Condition, ...], *, undecided: bool = False
    ) -> None:
        frame = self.frame = it.frame
        self.conditions, self.caveats = frame.conditions, frame.caveats
        frame.conditions = (*frame.conditions, *holding)
        frame.caveats = divided(frame, holding)
        if undecided and _asks_type(it, test):
            frame.caveats = frame.caveats._replace(type_asked=True)
        if undecided and any(not _RANK.isdisjoint(condition.names) for condition in holding):
            frame.caveats = frame.caveats._replace(rank_asked=True)
        if undecided and frame.trace is not None and frame.trace.is_hypothetical:
            doubted = _is_default(frame, holding) or _is_given(frame, frame.trace, holding)
            frame.caveats = frame.caveats._replace(defaulted=frame.caveats.defaulted or doubted)

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        self.frame.conditions, self.frame.caveats = self.conditions, self.caveats


def divided(frame: Frame, holding: tuple[Condition, ...]) -> Caveats:
    """The caveats of a frame behind a test: whether only some processes go on."""
    test = next((condition.divides for condition in holding if condition.divides >= 0), None)
    return frame.caveats if test is None else frame.caveats._replace(divided=(frame.path, test))


#: What a test asks that looks at the rank or the shape of an array.
_RANK = frozenset({".ndim", ".shape"})


def _is_default(frame: Frame, holding: tuple[Condition, ...]) -> bool:
    """Whether a parameter is found to be None, as which it is when it is not given."""
    found_none = [c.names for c in holding if c.outcome and c.constant == ("constant", "None")]
    parameters = frame.function.parameters if found_none and frame.function is not None else ()
    optional = {p.name for p in parameters if isinstance(p.default, ir.Constant) and p.default.value is None}
    return any(names <= optional for names in found_none)


def _is_given(frame: Frame, trace: Trace, holding: tuple[Condition, ...]) -> bool:
    """Whether an optional parameter is not at its default: given, it would be traced, and the test itself raise."""
    application, function = trace.application, frame.function
    target = None if application is None or not trace.is_compiled else application.target
    if application is None or function is None or not isinstance(target, FunctionValue):
        return False
    if target.function is not function:
        return False
    defaults = {
        parameter.name: parameter.default.value
        for number, parameter in enumerate(function.parameters)
        if isinstance(parameter.default, ir.Constant) and not application.statics.holds(number, parameter.name)
    }
    return any(_is_of_other(condition, defaults) for condition in holding)


def _is_of_other(condition: Condition, defaults: dict[str, Any]) -> bool:
    """Whether a parameter's default would let a test come out otherwise."""
    name, *others = condition.names or ("",)
    if others or name not in defaults or defaults[name] is None:
        return False
    if isinstance(condition.holds, Range):
        return orderings.is_number(defaults[name]) and not condition.holds.has(defaults[name])
    if condition.constant is None:
        return condition.test[0] == "name" and bool(defaults[name]) is not condition.outcome
    if condition.constant[0] != "constant":
        return False
    return (condition.constant == ("constant", repr(defaults[name]))) is not condition.outcome


def _asks_type(it: Interpreter, test: ir.Expr) -> bool:
    """Whether a test, or a part of it, asks for the type of a value, by itself or in a function."""
    match test:
        case ir.UnaryOperation(op="not"):
            return _asks_type(it, test.operand)
        case ir.BooleanOperation():
            return any(_asks_type(it, operand) for operand in test.operands)
        case _:
            return it.is_type_test(test.at)


@contextmanager
def scratch(it: Interpreter) -> Iterator[None]:
    """Undo narrowing done meanwhile; other changes to names are kept."""
    frame = it.frame
    before, caveats = frame.state.env.copy(), frame.caveats
    start = held_values.begin(it)
    yield
    held_values.end(it, start, frame.state)
    frame.caveats = caveats
    env = frame.state.env
    for name, value in before.items():
        if name in env and env[name] is not value and _is_narrowed(env[name], value):
            env[name] = value
    if frame.narrowed:
        frame.forget_narrowed(before.keys())


def _is_narrowed(now: Value, before: Value) -> bool:
    kept = atoms_of(before)
    return all(atom in kept for atom in atoms_of(now)) or all(map(is_none, atoms_of(now)))


def assume(it: Interpreter, test: ir.Expr, outcome: bool) -> bool:  # noqa: PLR0911 - dispatches on the kinds of tests
    """Narrow names by a test's outcome; False where the outcome cannot be."""
    match test:
        case ir.UnaryOperation(op="not"):
            return assume(it, test.operand, not outcome)
        case ir.BooleanOperation(op=op, operands=operands):
            return (_assume_each if outcome is (op == "and") else _assume_one)(it, operands, outcome)
        case ir.Comparison(left=left, rest=((("is" | "is not" | "==" | "!=") as op, ir.Constant(value=None)),)):
            wants_none = outcome is (op in ("is", "=="))
            return _keep(it, left, is_none if wants_none else _is_not_none, NONE if wants_none else None)
        case ir.Comparison(
            left=ir.Call(func=ir.Name(id="type"), args=(subject,)), rest=((("is" | "is not" | "==" | "!=") as op, cls),)
        ):
            return _assume_instance(it, subject, cls, outcome is (op in ("is", "==")))
        case ir.Comparison(
            left=ir.Attribute(attr="dtype", base=subject), rest=((("is" | "is not" | "==" | "!=") as op, kind),)
        ):
            return _assume_dtype(it, subject, kind, outcome is (op in ("is", "==")))
        case ir.Call(func=ir.Name(id="hasattr"), args=(subject, ir.Constant(value=str(name)))):
            return _assume_attribute(it, subject, name, outcome)
        case ir.Call(func=ir.Name(id="isinstance"), args=(subject, cls)):
            return _assume_instance(it, subject, cls, outcome)
        case ir.Call(func=ir.Name(id="callable"), args=(subject,)):
            may_be = instance_classes.may_be_called if outcome else instance_classes.may_be_data
            return _keep(it, subject, partial(may_be, it), None)
        case ir.Call():
            from jaxlint.analysis.python import predicates

            return predicates.assume(it, test, outcome)
        case ir.NamedExpression():
            return assume(it, test.target, outcome)
        case ir.Name() | ir.Attribute():
            return _assume_kept(it, test, outcome) and _assume_truth(it, test, outcome)
        case _:
            return True


def _assume_kept(it: Interpreter, node: ir.Expr, outcome: bool) -> bool:
    """Narrow by the test of types that a variable keeps, of the function at hand or of one around it."""
    test = _kept_test(it, node.id) if isinstance(node, ir.Name) else None
    return test is None or assume(it, test, outcome)


def _assume_truth(it: Interpreter, node: ir.Expr, outcome: bool) -> bool:
    """Narrow a name or an attribute to what is true, or false; one of a module is only asked whether it may be that."""
    keep = _may_be_true if outcome else _may_be_false
    value = _of_module(it, node)
    return _keep(it, node, keep, None) if value is None else any(map(keep, atoms_of(value)))


def _of_module(it: Interpreter, node: ir.Expr) -> Value | None:
    """What a name of a module around a function, or an attribute of a module of the project, is; else None."""
    match node:
        case ir.Attribute(base=ir.Name(id=name), attr=attr):
            module = it.peek(name)
            return it.module_attribute(module.module, attr) if isinstance(module, ModuleValue) else None
        case ir.Name(id=name):
            scope = it.frame.scope
            is_free = it.frame.function is not None and (name not in scope.bound or name in scope.globals)
            found = it.find_binding(name) if is_free and name not in it.frame.state.env else None
            return found[1] if found is not None and found[0].kind == "module" else None
        case _:
            return None


def _kept_test(it: Interpreter, name: str) -> ir.Expr | None:
    """The test that a variable keeps, if the names that it asks about mean the same here."""
    hidden: frozenset[str] = frozenset()
    for frame in it.frame.scopes():
        if frame.function is None or name in frame.scope.globals:
            return None
        if name in frame.scope.bound:
            test = kept_tests.kept_test(it, frame.function, name)
            return None if test is None or (kept_tests.asked_names(test) or hidden) & hidden else test
        hidden |= frame.scope.bound
    return None


def assume_no_array(it: Interpreter, node: ir.Expr) -> bool:
    """Narrow a name to what is no array; False where it is surely one."""
    return _keep(it, node, _is_no_array, None, tree=_doubted)


def assume_value(it: Interpreter, node: ir.Expr, outcome: bool) -> bool:
    """Narrow a name to what has a value while tracing, or to what has none; False where it cannot be that."""
    if outcome:
        _doubt_traces(it, node)
    return _keep(it, node, _has_value if outcome else _may_lack_value, None)


def _doubt_traces(it: Interpreter, node: ir.Expr) -> None:
    """Something was found to be no tracer: if nothing else is known of it, what follows may be meant for no trace."""
    value = None if it.frame.trace is None else _held(it, node)
    if value is not None and any(isinstance(atom, Unknown | Qualified) for atom in atoms_of(value)):
        it.frame.caveats = it.frame.caveats._replace(value_asked=True)


def _doubt_arrays(it: Interpreter, node: ir.Expr) -> None:
    """Something was found to be no array of JAX: if nothing else is known of it, traced code rarely comes here."""
    value = None if it.frame.trace is None else _held(it, node)
    if value is not None and all(atom.__class__ is Unknown for atom in atoms_of(value)):
        it.frame.caveats = it.frame.caveats._replace(array_asked=True)


def _may_lack_value(atom: Atom) -> bool:
    return has_no_value(atom) or not isinstance(atom, Array | Key) or atom.level > Level.CONCRETE


def _assume_each(it: Interpreter, tests: tuple[ir.Expr, ...], outcome: bool) -> bool:
    outcomes = [assume(it, test, outcome) for test in tests]  # every one narrows, even behind one that cannot be
    return all(outcomes)


def _assume_one(it: Interpreter, tests: tuple[ir.Expr, ...], outcome: bool) -> bool:
    """Narrow names to what they are where any of the tests comes out so; False where none can."""
    env = it.frame.state.env
    found: list[dict[str, Value]] = []
    for test in tests:
        with scratch(it):
            before = env.copy()
            if assume(it, test, outcome):
                found.append({name: value for name, value in env.items() if value is not before.get(name)})
    for name in found[0].keys() & env.keys() if found else ():
        if all(name in narrowed for narrowed in found):
            atoms = dict.fromkeys(atom for narrowed in found for atom in atoms_of(narrowed[name]))
            narrow(it, name, env[name], union(tuple(atoms)))
    return bool(found)


def _is_not_none(atom: Atom) -> bool:
    return not is_none(atom)


def _may_be_true(atom: Atom) -> bool:
    if isinstance(atom, Static) and atom.known:
        return bool(atom.value)
    return not (isinstance(atom, Tuple) and not atom.elements)


def _may_be_false(atom: Atom) -> bool:
    if isinstance(atom, Static) and atom.known:
        return not atom.value
    return not (isinstance(atom, Tuple) and atom.elements)


def _keep(
    it: Interpreter,
    node: ir.Expr,
    keep: Keep,
    instead_of_unknown: Value | None,
    tree: Callable[[Leaves], Atom] | None = None,
) -> bool:
    """Keep the atoms of a name that pass; `instead_of_unknown` replaces an unknown one.

    `tree` tells what a tree of unknown structure is after the test.
    """
    value = _held(it, node)
    if value is None:
        return True
    atoms = atoms_of(value)
    kept: list[Atom] = []
    for atom in atoms:
        if atom.__class__ is Unknown:
            # The None that an unknown value turns out to be keeps its identity: tests of both are the same test.
            kept.append(atom if instead_of_unknown is None else Static(None, "NoneType", ident_of(atom)))
        elif tree is not None and isinstance(atom, Leaves):
            kept.append(tree(atom))
        elif keep(atom) or (instead_of_unknown is NONE and isinstance(atom, Leaves)):
            kept.append(atom)
    if not kept:
        return False
    if len(kept) != len(atoms) or any(a is not b for a, b in zip(kept, atoms)):
        _put(it, node, value, union(tuple(kept)), keep)
    return True


def _doubted(tree: Leaves) -> Atom:
    """A tree that may not be there at all after a test."""
    return Unknown(ident_of(tree))


def _structured(tree: Leaves) -> Atom:
    """A tree that a test found to be a container."""
    return replace(tree, container=True)


def _held(it: Interpreter, node: ir.Expr) -> Value | None:
    """The value of a name, an attribute or an element that can be narrowed; None of any other expression."""
    if isinstance(node, ir.Name):
        return it.frame.state.env.get(node.id) or _from_around(it, node.id)
    return held_values.held(it, node)


def _put(it: Interpreter, node: ir.Expr, value: Value, narrowed: Value, keep: Keep) -> None:
    if isinstance(node, ir.Name):
        narrow(it, node.id, value, narrowed)
    else:
        held_values.put(it, node, narrowed, keep)


def _from_around(it: Interpreter, name: str) -> Value | None:
    """The value of a name of an enclosing function: narrowed here, it is so until paths join."""
    scope = it.frame.scope
    if it.frame.function is None or name in scope.bound or name in scope.globals or name in scope.nonlocals:
        return None
    found = it.find_binding(name)
    if found is None or found[0].function is None:
        return None
    it.frame.narrowed.add(name)
    return found[1]


def narrow(it: Interpreter, name: str, value: Value, narrowed: Value) -> None:
    """Put the narrowed value in the place of the value: under its name, and every one that was given the very same."""
    env = it.frame.state.env
    env[name] = narrowed
    identified = any(ident_of(atom) is not None for atom in atoms_of(value))
    for alias in [alias for alias, other in env.items() if other is value] if identified else ():
        env[alias] = narrowed


def _assume_attribute(it: Interpreter, subject: ir.Expr, name: str, outcome: bool) -> bool:
    """Narrow by hasattr. A tree of which it tells otherwise than of a leaf may be anything, but is no leaf."""
    tree = None if attribute_tests.of_arrays(it, Level.TRACED, name) in (outcome, None) else _doubted
    return _keep(it, subject, lambda atom: attribute_tests.has(it, atom, name) is not (not outcome), None, tree=tree)


def _assume_instance(it: Interpreter, subject: ir.Expr, cls: ir.Expr, outcome: bool) -> bool:
    """Narrow by isinstance: tracers are instances of Tracer and Array, never of int, float, ndarray, str, dict ..."""
    names = (instance_classes.class_names if outcome else instance_classes.some_names)(it, cls)
    if not outcome:
        if any(it.api.instances(name) == "tracer" for name in names):
            _doubt_traces(it, subject)
        _doubt_annotated(it, subject, it.eval(cls))
    elif instance_classes.is_of_project(it, it.eval(cls)):
        return _keep(it, subject, instance_classes.is_no_plain_array, None, tree=_doubted)
    if outcome and names and all(instance_classes.is_never_array(it, name) for name in names):
        may_be_tree = any(it.api.is_of(name, "of-jax") for name in names)
        kept = _structured if may_be_tree else _doubted
        return _keep(it, subject, instance_classes.is_no_plain_array, None, tree=kept)
    possible = _instances(it, names) if outcome else _others(it, names)
    tree = _structured if outcome and names and names <= CONTAINER_CLASSES else None
    can_be = possible is None or _keep(it, subject, possible, None, tree=tree)
    if not outcome and any(it.api.instances(name) == "array" for name in names):
        _doubt_arrays(it, subject)
    return can_be


def _assume_dtype(it: Interpreter, subject: ir.Expr, kind: ir.Expr, outcome: bool) -> bool:
    """Narrow by `x.dtype == object`, which no array of JAX has: what has it, no trace gave."""
    is_never = isinstance(kind, ir.Name | ir.Attribute | ir.Constant) and is_never_of_jax(it, it.eval(kind))
    if not outcome or not is_never:
        return True
    _doubt_traces(it, subject)
    return _keep(it, subject, _is_no_device_array, None, tree=_doubted)


def _doubt_annotated(it: Interpreter, subject: ir.Expr, cls: Value) -> None:
    """What an annotation says to be of a class of the project may be anything where a test finds that it is not."""
    value = _held(it, subject)
    atoms = () if value is None else atoms_of(value)
    kept = tuple(Unknown() if instance_classes.is_annotated_as(it, atom, cls) else atom for atom in atoms)
    if value is not None and kept != atoms:
        _put(it, subject, value, union(kept), instance_classes.is_no_plain_array)


def _instances(it: Interpreter, names: frozenset[str]) -> Keep | None:
    """Which values may be instances of one of these classes; None where that is not known."""
    if not names:
        return None
    kinds = {it.api.instances(name) for name in names}
    if kinds & {"tracer", "array"}:
        return _is_array
    if "host-array" in kinds:
        return _is_no_device_array
    if names <= CONTAINER_CLASSES:
        return partial(instance_classes.may_be_one_of, it, names)
    if names <= instance_classes.PYTHON_CLASSES:
        return partial(_is_no_tree, it)
    return _is_no_device_array if all(instance_classes.is_number_class(it, name) for name in names) else None


def _others(it: Interpreter, names: frozenset[str]) -> Keep | None:
    """Which values may be instances of none of these classes; None where that is not known."""
    kinds = {it.api.instances(name) for name in names}
    if "array" in kinds:
        return _is_no_array
    if "tracer" in kinds:
        return _is_untraced
    is_of_python = bool(names & (CONTAINER_CLASSES | instance_classes.PYTHON_CLASSES))
    return partial(instance_classes.may_be_another, it, names) if is_of_python else None


CONTAINER_CLASSES = frozenset(f"builtins.{name}" for name in ("tuple", "list", "dict", "set", "frozenset"))


def assume_array(it: Interpreter, node: ir.Expr, outcome: bool) -> bool:
    """Narrow by `equinox.is_array`: to what may be a JAX array, or to what is none; False where it cannot be that."""
    return _keep(it, node, _is_array if outcome else _is_no_device_array, None, tree=None if outcome else _doubted)


def _is_array(atom: Atom) -> bool:
    return isinstance(atom, (Array, Leaves, Key, Unknown))


def _is_no_array(atom: Atom) -> bool:
    return not isinstance(atom, (Array, Key)) and not has_no_value(atom)


def _is_no_tree(it: Interpreter, atom: Atom) -> bool:
    """Neither an array nor a container: what may be a number or a string, if it is not an object of some class."""
    is_container = isinstance(atom, Object) and isinstance(it.cell(atom), CONTAINERS)
    return _is_no_array(atom) and not is_container and not isinstance(atom, Leaves | Tuple | Iterable)


def _is_no_device_array(atom: Atom) -> bool:
    return not (isinstance(atom, Array) and atom.level is not Level.HOST) and not has_no_value(atom)


def _has_value(atom: Atom) -> bool:
    return not has_no_value(atom)


def _is_untraced(atom: Atom) -> bool:
    """Under `grad` alone, even what has a value is a tracer."""
    return not has_no_value(atom) and (level_of(atom) or Level.HOST) < Level.GRAD
