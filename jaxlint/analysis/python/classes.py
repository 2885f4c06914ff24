"""Classes of the project: their namespaces, instances, fields and methods."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.class_fields import MODULE_METHODS, fields
from jaxlint.analysis.domain.class_fields import leaves as leaves_of
from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.frames import Frame, Trace
from jaxlint.analysis.domain.identities import given_attribute, instance_ident
from jaxlint.analysis.domain.idents import AttributeOf, Ident, OfObject, OfSelf
from jaxlint.analysis.domain.lattice import join, join_all
from jaxlint.analysis.domain.resolution_order import resolution_order
from jaxlint.analysis.domain.values import (
    CONTAINERS,
    MAX_ATOMS,
    NONE,
    UNKNOWN,
    Arguments,
    Array,
    ClassValue,
    FunctionValue,
    InstanceCell,
    Iterable,
    Leaves,
    Level,
    Made,
    Member,
    Object,
    Partial,
    Qualified,
    Reason,
    Ref,
    Super,
    Tuple,
    Unknown,
    Value,
    atoms_of,
    constant,
    is_none,
)
from jaxlint.analysis.events.effects import OuterRead
from jaxlint.analysis.events.event import Operand
from jaxlint.analysis.machine import dependencies
from jaxlint.analysis.machine.class_bases import open_ended
from jaxlint.analysis.machine.cycles import Cycles
from jaxlint.analysis.machine.levels import Destination, Lifting
from jaxlint.analysis.machine.run_facts import Callees, Subclasses
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import (
    class_hashes,
    class_makers,
    closure_constants,
    descriptors,
    field_defaults,
    field_specifiers,
    functions,
    open_instances,
    own_containers,
    record_classes,
    registrations,
    special_methods,
    stale_reads,
    static_fields,
)
from jaxlint.analysis.python.library_names import named_here
from jaxlint.analysis.source import (
    array_reads,
    compensated_effects,
    method_effects,
    ownership,
    set_up,
    sole_holders,
)
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Kinds whose constructor takes the annotated fields in order.
_WITH_FIELDS = frozenset({"dataclass", "pytree", "module", "namedtuple"})


def define(it: Interpreter, node: ir.ClassDefinition) -> None:
    """A class statement: its body is interpreted once, in a scope that its methods do not see."""
    cls = node.cls
    bases = tuple(it.eval(base) for base in cls.bases)
    keywords = {name: it.eval(keyword) for name, keyword in cls.keywords}
    decorators = tuple(_decorator(it, decorator) for decorator in cls.decorators)
    outer = it.frame
    value = ClassValue(cls, outer.module, {}, bases, decorators)
    it.tables[Cycles].classes.append(value)
    hears = find(it, value, "__init_subclass__", behind=True)
    value.kind = _kind(it, value, hears)
    value.after = _called_after(it, value) or value.after
    value.auxiliary = frozenset(
        name
        for given in decorators
        if isinstance(given, Partial)
        for name in registrations.strings(it, given.keywords.get("meta_fields", NONE))
    )
    frame = Frame(
        outer.module, cls.scope, it.fresh(), outer.state.of_call({}),
        closure=outer, caller=outer.caller, call_at=outer.call_at, ambient=outer.ambient, trace=outer.trace,
        depth=outer.depth, kind="class", qualname=cls.qualname, cls=value, caveats=outer.caveats,
    )  # fmt: skip
    value.namespace = frame.state.env
    with it.entering(frame):
        it.block(cls.body)
        value.namespace = frame.state.env
        field_specifiers.take_converters(it, value)
        value.auxiliary |= field_specifiers.take_static(value.namespace)
        field_specifiers.take_defaults(it, value.namespace)
        outer.pending.deferred.extend(frame.pending.deferred)
    outer.state.take_over(frame.state)
    outer.pending.definitions.append(value)
    for base in bases:
        if isinstance(base, ClassValue):
            it.tables[Subclasses].add(value, base)
    _tell_base(it, value, hears, {name: given for name, given in keywords.items() if name is not None})
    for written, decorator in zip(reversed(cls.decorators), reversed(decorators)):
        class_makers.run(it, decorator, value, written)
    if value.flatten is None:
        value.flatten = class_makers.flattening(it, value, hears)
    it.bind(cls.name, value)


def _tell_base(it: Interpreter, cls: ClassValue, method: Value | None, keywords: dict[str, Value]) -> None:
    """`__init_subclass__` of a base class is called with a class that derives from it."""
    if isinstance(method, FunctionValue):
        keywords.pop("metaclass", None)
        functions.call(it, method, Arguments([cls], keywords, [-1], dict.fromkeys(keywords, -1)), cls.cls.at)


def _decorator(it: Interpreter, node: ir.Expr) -> Value:
    """A decorator's value; of one that was given options, the function that took them."""
    value = it.eval(node)
    if isinstance(node, ir.Call) and isinstance(value, Qualified) and value.name == "jaxlint.identity":
        return it.tables[Callees].by_call.get((it.frame.path, node.at), value)
    return value


def _kind(it: Interpreter, value: ClassValue, hears: Value | None) -> str:
    """What decorators and base classes make of a class: the first of them that says more than "dataclass"."""
    by_decorator = itertools.chain.from_iterable(
        (it.api.class_kind(class_hashes.library_name(decorator)), *class_makers.kinds(it, decorator))
        for decorator in value.decorators
    )
    by_base = (
        it.api.class_kind(base.name) if isinstance(base, Qualified) else getattr(base, "kind", "")
        for base in value.bases
        if isinstance(base, Qualified | ClassValue)
    )
    heard = class_makers.kinds_by_base(it, hears)
    kinds = list(filter(None, itertools.chain(by_decorator, by_base, heard)))
    return next((kind for kind in kinds if kind != "dataclass"), kinds[0] if kinds else "")


def _called_after(it: Interpreter, value: ClassValue) -> str:
    """What the initializer that decorators write for a class or a base of it calls last; empty where it is Python's."""
    written = (node.func if isinstance(node, ir.Call) else node for node in value.cls.decorators)
    named = (it.api.called_after(named_here(it, node)) for node in written)
    inherited = (base.after for base in value.bases if isinstance(base, ClassValue) and base.after != value.after)
    return next(filter(None, itertools.chain(named, inherited)), "")


# --- lookup


def find(it: Interpreter, cls: ClassValue, name: str, *, behind: bool = False) -> Value | None:
    """The attribute `name` of a class or its bases in the project; `behind` leaves the class itself out."""
    if not behind:
        found = cls.namespace.get(name)
        if found is not None:
            return found
    bases = [base for base in cls.bases if isinstance(base, ClassValue) and base is not cls]
    if len(bases) == 1:
        return find(it, bases[0], name)
    inherited = (base.namespace.get(name) for base in resolution_order(cls)[1:]) if bases else ()
    return next((found for found in inherited if found is not None), None)


def class_of(it: Interpreter, value: Value) -> ClassValue | None:
    """The project class that a value is an instance of, if it is one."""
    if isinstance(value, Tuple):
        return value.cls
    cell = it.cell(value) if isinstance(value, Object) else None
    return cell.cls if isinstance(cell, InstanceCell) else None


def class_attribute(it: Interpreter, cls: ClassValue, name: str, receiver: Value, at: int) -> Value | None:
    """A class attribute or method seen from an instance; None where the class has none."""
    found = find(it, cls, name)
    return None if found is None else descriptors.bound(it, found, cls, receiver, at)


def instance_attribute(it: Interpreter, reference: Object, cell: InstanceCell, name: str, at: int) -> Value:
    """An attribute of an instance: set on it, found on its class, or unknown."""
    value = cell.attributes.get(name)
    if value is None and (known := dependencies.contents_of(it, cell)) is not None:
        value = it.entry(AttributeOf(known, name))
    _attribute_read(it, reference, cell, name, value, at)
    if value is not None:
        return value
    if cell.open and (brought := _brought_by_subclasses(it, cell, name, at)) is not None:
        return brought
    field = _field(it, cell.cls, name) if cell.cls.kind in _WITH_FIELDS else None
    if cell.open and name in method_effects.set_at_start(it, cell.cls):
        found = None  # an object of which nobody has seen the making has its own, whatever a field's default is
    else:
        found = find(it, cell.cls, name) if field is not None else class_attribute(it, cell.cls, name, reference, at)
    if field is not None and (_is_of_each(it, found) or _is_traced_leaf(cell, found, is_static=field[1])):
        found = None  # as a field's default: each object gets one of its own
    if found is not None:
        # The constructor puts a field's default into the object: no method is made of it.
        stays = field_defaults.stays(it, cell, name, found, of_field=field is not None)
        return found if stays else join(found, _given(it, reference, cell, name))
    if (cell.cls.kind == "module" and name in MODULE_METHODS) or (cell.cls.kind == "pytree" and name == "replace"):
        return Member(reference, name)
    found = it.library.inherited_attribute(it, reference, cell, name, at) or _from_initializer(
        it, reference, cell, name, at
    )
    found = found or own_containers.attribute(it, reference, cell, name)
    if field is None:  # each object has its fields, also those that `Cls(**fields)` does not show
        found = found or _computed(it, reference, cell, name, at)
    return _given(it, reference, cell, name) if found is None else found


def _is_of_each(it: Interpreter, default: Value | None) -> bool:
    """Whether a field's default is another one in each object: a container, or what its specifier is to make."""
    made = it.cell(default) if isinstance(default, Object) else None
    return isinstance(made, CONTAINERS) or (isinstance(made, InstanceCell) and made.open)


def _is_traced_leaf(cell: InstanceCell, default: Value | None, *, is_static: bool) -> bool:
    """Whether an array, which is a field's default, is traced as all leaves of the object are."""
    return cell.level is not None and not is_static and isinstance(default, Array)


def _computed(it: Interpreter, reference: Object, cell: InstanceCell, name: str, at: int) -> Value | None:
    """What `__getattr__` gives for an attribute that an object is known not to have."""
    has_all = not cell.open or bool(own_containers.kind_of(cell.cls))
    if not has_all or name.startswith("__"):
        return None
    return special_methods.call(it, reference, ("__getattr__",), ir.Constant(None, at), constant(name))


def _brought_by_subclasses(it: Interpreter, cell: InstanceCell, name: str, at: int) -> Value | None:
    """What subclasses have where a class only declares it, in an object of which an annotation says that class.

    None where there are none, or more than a value can be, or where the class has it.
    """
    if not it.tables[Subclasses].has_any(cell.cls) or isinstance(cell.ident, OfObject | OfSelf):
        return None
    own = find(it, cell.cls, name)
    if own is not None and not functions.only_declares(own):
        return None
    below = [(cls, cls.namespace.get(name)) for cls in it.tables[Subclasses].below(cell.cls)]
    brought = [(cls, found) for cls, found in below if found is not None and not functions.only_declares(found)]
    if not 0 < len(brought) <= MAX_ATOMS:
        return None
    options = []
    for cls, found in brought:
        receiver = it.allocate(replace(cell, cls=cls, label=cls.name))
        options.append(descriptors.bound(it, found, cls, receiver, at))
    return join_all(options)


def _from_initializer(it: Interpreter, reference: Object, cell: InstanceCell, name: str, at: int) -> Value | None:
    """What `__init__` puts into a module that is known by an annotation only, or `setup`: its layers and variables."""
    if cell.cls.kind not in ("module", "pytree") or cell.label == "self":
        return None
    value = open_instances.set_up(it, reference, cell).attributes.get(name)
    if isinstance(value, Made):  # another one in each instance
        value = replace(value, ident=AttributeOf(cell.ident, name), level=Level.ANY, origin=None)
    elif isinstance(value, Ref):
        value = Ref(Level.ANY)
    else:
        return None
    if cell.origin is None or cell.arrays is None:
        return value
    destination = Destination(cell.arrays, cell.origin, at, it.frame.serial)
    return Lifting(it, destination, arrays_only=True)(value)


#: What an annotation tells the structure of.
_STRUCTURES = (Tuple, Object, Iterable)


def _given(it: Interpreter, reference: Object, cell: InstanceCell, name: str) -> Value:
    """What an attribute of an object from outside can be; if that is an object, it is the same one each time.

    Inside a trace the object is the same as outside, by its identity, and its attributes are others.
    """
    key = given_attribute(cell, reference, name)
    known = it.entry(key)
    if known is not None:
        return known  # type: ignore[no-any-return]
    value = _by_annotation(it, reference, cell, name)
    if any(isinstance(atom, Object) for atom in atoms_of(value)):
        it.frame.state.write(key, value)
    return value


def _by_annotation(it: Interpreter, reference: Object, cell: InstanceCell, name: str) -> Value:
    """What a field can be by its annotation; anything for an attribute that is none."""
    from jaxlint.analysis.python.type_hints import annotated_in

    field = _field(it, cell.cls, name)
    ident = AttributeOf(instance_ident(cell, reference), name)
    missing = _missing(it, cell, name, ident)
    if field is None and not (cell.level is not None and name in leaves_of(cell.cls)):
        return missing
    annotation, is_static = field or (None, False)
    scope = cell.cls.module.frame or it.frame
    value = missing if annotation is None else annotated_in(it, scope, annotation, missing, cell.birth)
    value = missing if array_reads.contradicts(it, name, value) else value
    value = _host_arrays(it, cell, name, value, ident) or value
    if cell.level is None or is_static:
        return value
    leaves = Leaves(cell.level, cell.origin, ident, assumed=True)
    if cell.origin is None:
        return leaves
    lifting = Lifting(it, Destination(cell.level, cell.origin, cell.birth.at, cell.birth.frame))
    return join_all([lifting(a) if isinstance(a, _STRUCTURES) or is_none(a) else leaves for a in atoms_of(value)])


def _host_arrays(it: Interpreter, cell: InstanceCell, name: str, declared: Value, ident: Ident) -> Value | None:
    """The arrays of NumPy that the class's own initializer makes where the annotation declares arrays of JAX."""
    if not any(isinstance(atom, Array) and atom.level is not Level.HOST for atom in atoms_of(declared)):
        return None
    made = open_instances.settled(it, cell.cls).attributes.get(name)
    return replace(made, ident=ident) if isinstance(made, Array) and made.level is Level.HOST else None


def _attribute_read(
    it: Interpreter, reference: Object, cell: InstanceCell, name: str, value: Value | None, at: int
) -> None:
    """Traced code reads an attribute of an object from outside, which may be assigned again."""
    trace = it.frame.trace
    if trace is None or at < 0 or cell.level is not None or compensated_effects.is_handed_back(it):
        return
    if compensated_effects.is_undone(it, f".{name}"):
        return
    if value is not None:
        closure_constants.read(it, value, cell.birth.frame, at)
    if not it.wants(OuterRead):
        return
    if it.frame.function is not None and at in method_effects.stored_back(it, it.frame.function):
        return
    is_hook = it.frame.function is not None and at in method_effects.called_for_effect(it, it.frame.function)
    kept = [t for t in trace.crossed(cell.birth.frame) if t.is_stored and _keeps_attributes(it, t)]
    function = it.frame.function
    is_reassigned = name in method_effects.reassigned_attributes(it, cell.cls)
    is_told_of = is_reassigned and (bool(kept) or it.frame.cls is not None)  # as what its methods do
    is_static = bool(stale_reads.static_parameter(it, reference.oid))  # JAX keeps the object itself, and finds that
    if not (is_hook or is_told_of or (class_hashes.are_compared(cell.cls) and not is_static)):
        held = cell.cls.namespace.get(name) if value is None else value
        if held is None and cell.open and is_static:
            held = UNKNOWN
        stale_reads.note_part(it, stale_reads.Part(reference.oid, name), cell.birth.frame, held, at)
    if not kept or function is None or not is_reassigned:
        return
    if at in method_effects.called_for_effect(it, function):
        return  # of the hook that is called nothing goes into the program
    # Whoever makes this function runs first, each time that another one is made.
    makers = {id(frame.function) for frame in it.frame.scopes()}
    entries = [ownership.entry_frame(it.frame, each) for each in kept]
    programs = [entry.function for entry in entries if entry is not None and entry.function is not None]
    stores = [(f, at) for f, at in method_effects.stores_of(it, cell.cls, name) if id(f) not in makers]
    where = next((at for f, at in stores if not method_effects.makes_again(it, cell.cls, f, programs)), None)
    if where is not None and not sole_holders.is_held_by_program(it, kept[0], reference):
        operand = Operand(value or UNKNOWN, it.frame, at)
        place = Place(cell.cls.module.path, where)
        is_seen = not set_up.is_set_up(it, cell.cls, name, function.name)
        static = stale_reads.static_parameter(it, reference.oid)
        it.emit(OuterRead(it.frame, at, f"{static or 'self'}.{name}", operand, it.frame, place, is_seen, static))


def _keeps_attributes(it: Interpreter, trace: Trace) -> bool:
    """Whether what a compiled function read of objects stays in its program."""
    return it.api.has(trace.transform, "keeps-programs") and not it.api.has(trace.transform, "reads-attributes")


def _missing(it: Interpreter, cell: InstanceCell, name: str, ident: Ident) -> Unknown:
    return Unknown(ident, Reason(f"attribute `{name}` of `{cell.cls.name}`", cell.birth.path, cell.birth.at))


# --- fields and instances


def _field(it: Interpreter, cls: ClassValue, name: str) -> tuple[ir.Expr | None, bool] | None:
    """One of the fields."""
    return _fields(it, cls).get(name)


@memoised
def _fields(it: Interpreter, cls: ClassValue) -> dict[str, tuple[ir.Expr | None, bool]]:
    return fields(cls)


def instantiate(it: Interpreter, cls: ClassValue, arguments: Arguments, at: int) -> Value:
    """`Cls(...)`."""
    if cls.kind == "enum":
        return it.unknown(f"a member of `{cls.name}`", at)
    if cls.kind == "namedtuple":
        return _named_tuple(it, cls, arguments, at)
    if cls.kind == "typeddict":
        return record_classes.typed_dict(it, arguments, at)
    reference = it.allocate(InstanceCell(it.birth(at), cls, {}, open_ended(it, cls), cls.name, OfObject(it.fresh())))
    if it.frame.caveats.type_asked:
        it.facts.made_by_type.add((it.frame.path, at))
    initializer = find(it, cls, "__init__")
    own_containers.fill(it, reference, arguments if initializer is None else Arguments(), at)
    if isinstance(initializer, FunctionValue):
        functions.call(it, initializer, arguments.before((reference,), {}), at)
    elif cls.kind in _WITH_FIELDS:
        _fill_fields(it, cls, reference, arguments)
        after = find(it, cls, cls.after)
        if isinstance(after, FunctionValue):
            functions.call(it, after, Arguments([reference], positional_at=[at]), at)
    field_specifiers.convert(it, reference, at)
    static_fields.check(it, reference, arguments, at)
    return reference


def _named_tuple(it: Interpreter, cls: ClassValue, arguments: Arguments, at: int) -> Value:
    names = tuple(fields(cls))
    values = []
    for number, name in enumerate(names):
        value = arguments.get(number, name)
        if value is None:
            default = cls.namespace.get(name)
            value = field_defaults.or_spread(default, arguments, it.unknown(f"field `{name}`", at))
        values.append(value if value is not None else it.unknown(f"field `{name}`", at))
    return Tuple(tuple(values), names, cls)


def _fill_fields(it: Interpreter, cls: ClassValue, reference: Object, arguments: Arguments) -> None:
    cell = it.cell(reference)
    assert isinstance(cell, InstanceCell)
    attributes = dict(cell.attributes)
    for number, name in enumerate(fields(cls)):
        value = arguments.get(number, name)
        if value is None:
            value = _left_out(it, reference, cell, name, arguments)
        if value is not None:
            attributes[name] = value
    it.update(reference, replace(cell, cls=cls, attributes=attributes))


def _left_out(it: Interpreter, reference: Object, cell: InstanceCell, name: str, arguments: Arguments) -> Value | None:
    """What a new object has in a field that the call does not name; None where the class tells."""
    default = find(it, cell.cls, name)
    if not arguments.extra:
        return field_specifiers.made_default(it, default, cell.birth.at)
    if _is_of_each(it, default):
        return None
    return field_defaults.or_spread(default, arguments, _by_annotation(it, reference, cell, name))


def _find_behind(it: Interpreter, atom: Super, name: str) -> Value | None:
    """What follows a class in the order of the object's own class, which may have further bases."""
    own = class_of(it, atom.receiver)
    order = resolution_order(own) if own is not None and own is not atom.cls else []
    if atom.cls not in order:
        return find(it, atom.cls, name, behind=True)
    behind = order[order.index(atom.cls) + 1 :]
    return next((base.namespace[name] for base in behind if name in base.namespace), None)


def super_attribute(it: Interpreter, atom: Super, name: str, at: int) -> Value:
    """`super().name`."""
    found = _find_behind(it, atom, name)
    cell = it.cell(atom.receiver) if found is None and isinstance(atom.receiver, Object) else None
    if isinstance(atom.receiver, Object) and isinstance(cell, InstanceCell):
        found = own_containers.attribute(it, atom.receiver, cell, name)
        if found is not None:
            return found
    if found is None:
        return it.unknown(f"`{name}` of a base class outside the project", at)
    return descriptors.bound(it, found, atom.cls, atom.receiver, at)
