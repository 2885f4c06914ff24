"""Calls about objects: their text, identity, type and attributes, copies of them, and those of libraries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.domain.values import (
    FALSE,
    NONE,
    STATIC,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    TRUE,
    UNKNOWN,
    Arguments,
    Array,
    Atom,
    ClassValue,
    DictCell,
    InstanceCell,
    Key,
    Level,
    ListCell,
    Object,
    Qualified,
    Ref,
    Static,
    Super,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    constant,
    has_no_value,
)
from jaxlint.analysis.events.event import Operand, has_no_hash
from jaxlint.analysis.events.tracing import Hashed
from jaxlint.analysis.machine.levels import copied
from jaxlint.analysis.python import (
    attribute_tests,
    attributes,
    instance_classes,
    record_copies,
    registrations,
    stores,
    text_and_hash,
)
from jaxlint.analysis.python.instance_classes import is_never_array, is_never_one_of, is_never_traced, names_of
from jaxlint.jaxapi.names import KEY_DTYPE
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler


def _text(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    for position in range(len(arguments.positional)):
        how = name.rpartition(".")[2]
        operand = Operand.argument(arguments, position, it.frame, node.at)
        spec = how == "format" and len(arguments.positional) > 1
        methods = ("__repr__",) if how == "repr" else text_and_hash.AS_TEXT
        text_and_hash.formatted(it, operand.value, ir.Constant(None, operand.at), how, spec, methods)
    return STATIC_STR


def _hash(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if arguments.positional and has_no_hash(arguments.first) and it.wants(Hashed):
        it.emit(Hashed(it.frame, node.at, Operand.argument(arguments, 0, it.frame, node.at), "hash()"))
    return STATIC_INT


def _isinstance(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Keys and arrays of JAX are instances of jax.Array, traced ones of Tracer; whatever else, we do not decide."""
    cls = arguments.get(1, None)
    known = _is_constant_of(arguments.first, cls)
    if known is None:
        known = _is_of_kind(it, arguments.first, cls)
    if known is not None:
        return constant(known)
    classes = cls.elements if isinstance(cls, Tuple) else () if cls is None else (cls,)
    if any(_is_of_arrays(it, arguments.first, each) for each in classes):
        return TRUE
    if isinstance(cls, ClassValue) and all(_is_made_of(it, atom, cls) for atom in atoms_of(arguments.first)):
        return TRUE
    is_array = all(isinstance(atom, Key | Array) for atom in atoms_of(arguments.first))
    if is_array and cls is not None and instance_classes.is_of_project(it, cls):
        return FALSE
    if cls is not None and _is_none_of(it, arguments.first, names_of(cls)):
        return FALSE
    return _type_test(it, name, arguments, node)


def _is_of_arrays(it: Interpreter, value: Value, cls: Value) -> bool:
    """Whether a value is surely an instance of a class of arrays of JAX, or of tracers."""
    kind = it.api.instances(cls.name) if isinstance(cls, Qualified) else ""
    least = Level.CONCRETE if kind == "array" else Level.GRAD
    is_of = (isinstance(atom, Key | Array) and atom.level >= least for atom in atoms_of(value))
    return kind in ("array", "tracer") and all(is_of)


def _is_none_of(it: Interpreter, value: Value, names: frozenset[str]) -> bool:
    """Whether a value is surely an instance of none of these classes of libraries."""
    if not names:
        return False
    if all(is_never_traced(it, name) for name in names) and all(map(has_no_value, atoms_of(value))):
        return True
    if all(is_never_array(it, name) for name in names) and _is_plain_array(value):
        return True
    return all(is_never_one_of(it, names, atom) for atom in atoms_of(value))


def _is_plain_array(value: Value) -> bool:
    """Whether a value is surely one of JAX's arrays; who asks does not rely on an annotation."""
    return all(
        isinstance(atom, Key) or (isinstance(atom, Array) and not atom.assumed and atom.level is not Level.HOST)
        for atom in atoms_of(value)
    )


def _is_made_of(it: Interpreter, atom: Atom, cls: ClassValue) -> bool:
    """Whether an object was made by calling this class of the project."""
    cell = it.cell(atom) if isinstance(atom, Object) else None
    return isinstance(cell, InstanceCell) and cell.cls is cls and not cell.open and not cls.cls.keywords


#: Classes of which a constant of the source code is an instance, or is not.
_CONSTANTS: Final = {f"builtins.{cls.__name__}": cls for cls in (bool, int, float, complex, str, bytes)}


def _is_constant_of(value: Value, cls: Value | None) -> bool | None:
    """Whether a constant is an instance of one of Python's own classes; None where either is something else."""
    parts = cls.elements if isinstance(cls, Tuple) else (cls,)
    classes = [_CONSTANTS.get(part.name) if isinstance(part, Qualified) else None for part in parts]
    if not isinstance(value, Static) or not value.known or None in classes:
        return None
    return isinstance(value.value, tuple(known for known in classes if known is not None))


def _is_of_kind(it: Interpreter, value: Value, cls: Value | None) -> bool | None:
    """Whether a value is a dict, tuple or class, where one alone is asked for; None where that is not known."""
    name = cls.name if isinstance(cls, Qualified) else ""
    outcomes = {_is_atom_of_kind(it, atom, name) for atom in atoms_of(value)} if name in _KINDS else {None}
    return outcomes.pop() if len(outcomes) == 1 else None


#: Python's own containers, and `type`: an array, a key or another of these is none of them.
_KINDS: Final = frozenset({"builtins.dict", "builtins.tuple", "builtins.list", "builtins.set", "builtins.type"})


def _is_atom_of_kind(it: Interpreter, atom: Atom, name: str) -> bool | None:
    match atom:
        case Array() | Key():
            return False
        case ClassValue():
            return name == "builtins.type"
        case Tuple():
            return name == "builtins.tuple"
        case Object():
            cell = it.cell(atom)
            if isinstance(cell, DictCell):
                return name == "builtins.dict"
            return False if isinstance(cell, ListCell) and name != "builtins.list" else None
        case _:
            return None


def _type_test(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """The outcome of a test of some type, undecided."""
    ident = it.ident(node.at)
    it.facts.type_outcomes.add(ident)
    return Static(type="bool", ident=ident)


def _callable(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Functions and classes can be called; data of Python and arrays cannot; of other values, nothing is decided."""
    atoms = atoms_of(arguments.first)
    if all(not instance_classes.may_be_data(it, atom) for atom in atoms):
        return TRUE
    if all(not instance_classes.may_be_called(it, atom) for atom in atoms):
        return FALSE
    return _type_test(it, name, arguments, node)


def _hasattr(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """What arrays have is known, and what containers lack; of other objects, the test is not decided."""
    asked = arguments.get(1, None)
    attribute = asked.value if isinstance(asked, Static) and isinstance(asked.value, str) else None
    outcome = None if attribute is None else attribute_tests.outcome(it, arguments.first, attribute)
    return _type_test(it, name, arguments, node) if outcome is None else constant(outcome)


def _issubdtype(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`jnp.issubdtype(key.dtype, jax.dtypes.prng_key)`."""
    dtypes = [value.name for value in arguments.positional if isinstance(value, Qualified)]
    return TRUE if dtypes == [KEY_DTYPE, KEY_DTYPE] else STATIC_BOOL


def _outside_traces(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """Whether nothing is being traced."""
    if it.frame.trace is not None:
        return FALSE
    return TRUE if it.frame.ambient is Level.CONCRETE else STATIC_BOOL


def _always(value: Value) -> Handler:
    """A function of which nothing else is known than what kind of value it gives."""

    def give(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
        return value

    return give


def _getattr(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    key = arguments.get(1, None)
    if not isinstance(key, Static) or not isinstance(key.value, str):
        return it.unknown("getattr", node.at)
    outcome = attribute_tests.outcome(it, arguments.first, key.value) if len(arguments.positional) > 2 else True
    if outcome is False:
        return arguments.positional[2]
    found = it.attribute(arguments.first, key.value, node.at)
    return found if outcome else join(found, arguments.positional[2])


def _super(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    for frame in it.frame.callers():
        if frame.cls is not None and frame.function is not None and frame.function.parameters:
            receiver = frame.state.env.get(frame.function.parameters[0].name)
            if receiver is not None:
                return Super(frame.cls, receiver)
    return it.unknown("super()", node.at)


def _type(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = arguments.first
    cell = it.cell(value) if isinstance(value, Object) else None
    return cell.cls if isinstance(cell, InstanceCell) else Static(type="type")


def _replace(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """dataclasses.replace(x, **changes)."""
    value = arguments.first
    cell = it.cell(value) if isinstance(value, Object) else None
    if isinstance(value, Object) and isinstance(cell, InstanceCell):
        return record_copies.changed(it, value, cell, arguments, node.at)
    if isinstance(value, Unknown):
        given = Arguments(keywords=arguments.keywords)
        copy = record_copies.changed_unknown(it, attributes.current(it, value.ident), given, node)
        return copy or it.unknown(name, node.at)
    return it.unknown("dataclasses.replace", node.at)


def _copy(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = copied(it, arguments.first) if name == "copy.deepcopy" else arguments.first
    cell = it.cell(value) if isinstance(value, Object) else None
    if cell is None:
        return value
    return it.allocate(replace(cell, birth=it.birth(node.at)))


def _cast(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return arguments.positional[1] if len(arguments.positional) > 1 else UNKNOWN


def _new_ref(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return Ref(it.frame.ambient)


def _configure(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`jax.config.update`: a module that turns compilation off has it off from there on."""
    frame = it.frame
    flag, value = arguments.first, arguments.get(1, "val")
    names_flag = isinstance(flag, Static) and it.api.has(f"{name.rpartition('.')[0]}.{flag.value}", "off-in-traces")
    if names_flag and isinstance(value, Static) and value.known and frame.kind == "module" and not frame.conditions:
        frame.caveats = frame.caveats._replace(eager=bool(value.value))
    return NONE


def _namespace(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """types.SimpleNamespace: an object with these attributes, which anybody may change."""
    nothing = ir.Scope(frozenset(), frozenset(), frozenset())
    plain = ir.Class("SimpleNamespace", "SimpleNamespace", (), (), (), (), nothing, -1, node.at)
    cls = ClassValue(plain, it.frame.module, {"__eq__": UNKNOWN}, ())
    return it.allocate(InstanceCell(it.birth(node.at), cls, dict(arguments.keywords), label="namespace"))


def _setattr(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    named = arguments.get(1, None)
    is_named = isinstance(named, Static) and isinstance(named.value, str)
    if isinstance(node, ir.Call) and len(node.args) == len(arguments.positional) == 3 and is_named:
        target = ir.Attribute(node.args[0], str(getattr(named, "value", "")), node.at)
        stores.bind(it, target, arguments.positional[2], node.args[2])
    elif arguments.positional:
        for atom in atoms_of(arguments.positional[0]):
            _open_up(it, atom)
    return NONE


def _vars(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return it.attribute(arguments.first, "__dict__", node.at) if arguments.positional else STATIC


def _open_up(it: Interpreter, atom: Atom) -> None:
    """Any attribute of an object may have been set: those that it had are no longer known."""
    cell = it.cell(atom) if isinstance(atom, Object) else None
    if isinstance(atom, Object) and isinstance(cell, InstanceCell):
        it.update(atom, replace(cell, attributes=dict.fromkeys(cell.attributes, UNKNOWN), open=True))


#: Functions that make an object whose methods the tables list under its class.
_INSTANCES = {
    "logging.getLogger": "logging.Logger",
    "builtins.open": "io.TextIOWrapper",
    "pathlib.Path": "pathlib.Path",
}


def _library_instance(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """An object of a library class, known by the class's name: its methods are found in the tables."""
    return Qualified(_INSTANCES[name])


def _generator(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A random generator of the host, known by its class; one with a seed draws the same numbers in each trace."""
    if it.frame.trace is not None and not isinstance(arguments.first, Unknown):
        return Qualified("jaxlint.seeded")  # as meant
    meaning = it.api.meaning(name)
    return Qualified(name if meaning is None else meaning.first)


SPECIAL: dict[str, Handler] = {
    **dict.fromkeys((f"builtins.{n}" for n in ("str", "repr", "format", "ascii")), _text),
    "builtins.issubclass": _always(STATIC_BOOL),
    "builtins.hasattr": _hasattr,
    "builtins.callable": _callable,
    "builtins.isinstance": _isinstance,
    "issubdtype": _issubdtype,
    "outside_traces": _outside_traces,
    **dict.fromkeys((f"builtins.{n}" for n in ("id", "dir", "ord")), _always(STATIC)),
    "builtins.hash": _hash,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    "builtins.object.__setattr__": _setattr,
    "builtins.vars": _vars,
    "builtins.super": _super,
    "builtins.type": _type,
    "configure": _configure,
    "new_ref": _new_ref,
    "random.Random": _generator,
    "types.SimpleNamespace": _namespace,
    "dataclasses.replace": _replace,
    "copy.copy": _copy,
    "copy.deepcopy": _copy,
    "typing.cast": _cast,
    "register_class": registrations.register,
    "generator": _generator,
    **dict.fromkeys(_INSTANCES, _library_instance),
}
