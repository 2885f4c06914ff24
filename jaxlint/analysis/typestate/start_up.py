"""The order in which JAX is imported, started and configured on each path.

Under-approximates: code that only may run has started nothing, and neither has what other modules import before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.start_up import NOT_STARTED, Setting, StartUp
from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    Atom,
    DictCell,
    Key,
    Level,
    Object,
    Qualified,
    Static,
    Value,
    atoms_of,
)
from jaxlint.analysis.events.start_up import LateSetting
from jaxlint.analysis.machine.project_questions import about_all_files
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source import replaced_names
from jaxlint.analysis.typestate import exact_numbers, import_time
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.events.event import Operand
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import StartUpRow
    from jaxlint.syntax.source import SourceFile

ENVIRONMENT: Final = "os.environ"
_WIDTH: Final = "jax_enable_x64"
#: How a variable of the environment turns off what is off anyway.
_OFF: Final = frozenset({"", "0", "false", "n", "no", "off"})
#: Code that asks for them knows what has been imported.
_ASKS: Final = frozenset({"sys.modules", "importlib.reload"})
#: Functions that set variables of the environment.
_SETTERS: Final = frozenset({"os.environ.setdefault", "os.putenv", "os.environ.update"})


@dataclass(slots=True)
class _Setters(Table):
    """Whether a function sets anything that JAX reads, by name: nearly none does, and all calls come here."""

    by_name: dict[str, bool] = field(default_factory=dict)


@dataclass(slots=True)
class _InTime(Table):
    """Where modules set something before what reads it, as they are imported: later calls change it no more."""

    places: set[Place] = field(default_factory=set)


# --- what starts JAX


def imported(it: Interpreter, modules: tuple[str, ...], at: int) -> None:
    """Modules were imported: JAX may be among them, or what they did may have started it."""
    state = it.frame.state
    for name in modules:
        module = it.modules.get(name)
        if module is not None:
            inner = NOT_STARTED if module.frame is None else module.frame.state.started
        elif it.api.has(name, "imports-jax") or it.api.has(name.partition(".")[0], "imports-jax"):
            inner = StartUp(it.place(at))
        else:
            continue
        state.started = inner.after(state.started)


def library_call(it: Interpreter, name: str, arguments: Arguments, result: Value, at: int) -> None:
    """A function of a library was called outside of traced code."""
    if it.frame.trace is not None:
        return
    traits = it.api.traits(name)
    if "stops-backend" in traits:
        it.frame.state.started = it.frame.state.started._replace(backend=None)
    elif "starts-backend" in traits:
        _started(it, at)
        import_time.tell(it, "devices", arguments, at)
    elif it.api.is_of(name, "core"):
        computed(it, arguments, result, at, is_exact=exact_numbers.are_made(it, name, arguments))


def computed(it: Interpreter, arguments: Arguments, result: Value, at: int, *, is_exact: bool = False) -> None:
    """An operation outside of traced code, or compiled code, gave this; `is_exact`: 32 bits hold it exactly."""
    atoms = atoms_of(result)
    if not all(isinstance(atom, Array | Key) and atom.level in (Level.CONCRETE, Level.ANY) for atom in atoms):
        return
    _started(it, at)
    import_time.tell(it, "key" if isinstance(result, Key) else "array", arguments, at)
    started = it.frame.state.started
    before = started.exact if is_exact else started.arrays
    if before is None and all(map(_is_narrow, atoms)) and import_time.runs_now(it, it.frame):
        place = it.place(at)
        it.frame.state.started = started._replace(exact=place) if is_exact else started._replace(arrays=place)


def _is_narrow(atom: Atom) -> bool:
    """Whether an array has the default width, and keeps it."""
    return isinstance(atom, Array) and atom.dtype in ("float", "int") and not _may_give_way(atom)


def _may_give_way(array: Array) -> bool:
    """Whether an array may take the width of what it meets, as `jnp.log(2.0)` does: one number, made of numbers."""
    return array.weak or (array.shape == () and not array.strong)


def _started(it: Interpreter, at: int) -> None:
    started = it.frame.state.started
    if started.backend is None and import_time.runs_now(it, it.frame):
        it.frame.state.started = started._replace(backend=it.place(at))


# --- settings


def item_set(it: Interpreter, owner: Qualified, key: Value, stored: Operand, at: int, *, is_new: bool) -> None:
    """`owner[key] = stored`: a variable of the environment, perhaps.

    A value from elsewhere may be what the variable was before, unless it `is_new`.
    """
    made_here = is_new or all(isinstance(atom, Static) for atom in atoms_of(stored.value))
    if owner.name == ENVIRONMENT and isinstance(key, Static) and made_here:
        _set(it, key.value, stored.value, at)


def called(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """A call that sets variables or options, or that is one of those which come first."""
    if not it.wants(LateSetting) or not _may_set(it, name):
        return
    if _configures(it, name) and replaced_names.is_replaced(it, name):
        return
    value = arguments.get(1, "val")
    for setting, given in _settings(it, name, arguments):
        is_on = isinstance(value, Static) and value.value is True
        if setting == _WIDTH and (not is_on or _turns_off(it, it.frame.module.source.module)):
            continue
        _set(it, setting, given, node.at)


def _may_set(it: Interpreter, name: str) -> bool:
    known = it.tables[_Setters].by_name
    found = known.get(name)
    if found is None:
        found = name in _SETTERS or _configures(it, name) or it.api.start_up(name) is not None
        known[name] = found
    return found


def _settings(it: Interpreter, name: str, arguments: Arguments) -> Iterator[tuple[object, Value | None]]:
    """The names that a call sets, and their values; a function that must come first has none."""
    first = arguments.first
    match name:
        case "os.environ.setdefault" | "os.putenv":
            yield (first.value if isinstance(first, Static) else None), arguments.get(1, "value")
        case "os.environ.update":
            cell = it.cell(first) if isinstance(first, Object) else None
            yield from cell.items.items() if isinstance(cell, DictCell) else ()
            yield from arguments.keywords.items()
        case _ if _configures(it, name):
            yield (first.value if isinstance(first, Static) else None), arguments.get(1, "val")
        case _:
            yield name, None


def _configures(it: Interpreter, name: str) -> bool:
    meaning = it.api.meaning(name)
    return meaning is not None and meaning.head == "configure"


def _set(it: Interpreter, name: object, value: Value | None, at: int) -> None:
    """A setting is changed: too late, if what reads it has happened, and it is not in force already."""
    row = it.api.start_up(name) if isinstance(name, str) else None
    if row is None or not it.wants(LateSetting) or _leaves_off(row, value):
        return
    since, module = _since(it, row), it.frame.module.source.module
    if _is_settled(it, row, value, in_time=since is None):
        return
    in_time = it.tables[_InTime].places
    if since is None and not it.frame.state.started.is_open:
        in_time.add(it.place(at))
    elif it.frame.state.started.is_open and it.place(at) in in_time:
        return
    if since is None or _serves_others(it, module, row.name) or _may_be_set_before(it, row.name):
        return
    if not replaced_names.is_put_back(it, module, row.name):
        is_exact = row.last_read == "arrays" and it.frame.state.started.arrays is None
        is_repeated = row.kind == "variable" and _is_set_by_imports(it, it.frame.module.source, row.name)
        it.emit(LateSetting(it.frame, at, row, since, is_exact=is_exact, is_repeated=is_repeated))


def _leaves_off(row: StartUpRow, value: Value | None) -> bool:
    """Whether a variable turns 64-bit types off, which they are."""
    text = value.value if isinstance(value, Static) else None
    return row.name.lower() == _WIDTH and isinstance(text, str) and text.lower() in _OFF


def _is_set_by_imports(it: Interpreter, source: SourceFile, name: str) -> bool:
    """Whether a module of the project that a file imports, directly or not, sets a variable of this name as well."""
    seen, waiting = {source.path}, [source]
    while waiting:
        for module in waiting.pop().module.imports:
            other = it.project.find_module(module)
            if other is not None and other.path not in seen:
                if name in _variables_set(it, other.module):
                    return True
                seen.add(other.path)
                waiting.append(other)
    return False


@memoised
def _variables_set(_: Interpreter, module: ir.Module) -> frozenset[str]:
    """The constants by which a file sets anything: `os.environ["X"] = ...`, `os.environ.setdefault("X", ...)`."""
    found = set[object]()
    for node in walks.nodes(module.body):
        match node:
            case ir.Assign(targets=(ir.Subscript(index=(ir.Constant(value=name),)),)):
                found.add(name)
            case ir.Call(func=ir.Attribute(attr="setdefault" | "putenv"), args=(ir.Constant(value=name), *_)):
                found.add(name)
            case _:
                pass
    return frozenset(name for name in found if isinstance(name, str))


def _may_be_set_before(it: Interpreter, name: str) -> bool:
    """Whether a flag decides on a setting here that other files of the project make as well, in time as may be."""
    if not it.frame.conditions or it.frame.kind == "module":
        return False
    return _is_made_by_another(it, it.frame.path, name)


@about_all_files
def _is_made_by_another(it: Interpreter, path: str, name: str) -> bool:
    """Whether a file other than the one at `path` sets an option of this name."""
    return any(_makes(it, other.module, name) for other in it.project.files.values() if other.path != path)


@memoised
def _makes(_: Interpreter, module: ir.Module, name: str) -> bool:
    """Whether a file sets an option of this name."""
    return any(option == name for option, _ in options_set(module))


def options_set(module: ir.Module) -> Iterator[tuple[object, ir.Expr]]:
    """The options that a file sets by `config.update(option, value)`, as its code is written."""
    calls = (node for node in walks.nodes(module.body) if isinstance(node, ir.Call) and len(node.args) == 2)
    for option, value in (call.args for call in calls if walks.spelling(call.func) == ".update"):
        if isinstance(option, ir.Constant):
            yield option.value, value


def _is_settled(it: Interpreter, row: StartUpRow, value: Value | None, *, in_time: bool) -> bool:
    """Whether a setting may have been made in time as it is made again now; one that is made in time is noted."""
    if value is None:
        return False
    new = Setting(row.name, repr(value.value) if isinstance(value, Static) and value.known else None)
    started = it.frame.state.started
    if in_time:
        it.frame.state.started = started._replace(settled=started.settled | {new})
        return False
    return any(map(new.may_be, started.settled))


def _since(it: Interpreter, row: StartUpRow) -> Place | None:
    """Where what reads a setting for the last time has happened, if it surely has."""
    started = it.frame.state.started
    if row.last_read == "import":
        return started.imported
    return (started.arrays or started.exact) if row.last_read == "arrays" else started.backend


@memoised
def _turns_off(_: Interpreter, module: ir.Module) -> bool:
    """Whether a file turns 64-bit types off as well, or sets them back: then it compares the two."""
    calls = (node for node in walks.nodes(module.body) if isinstance(node, ir.Call) and len(node.args) == 2)
    given = (call.args[1] for call in calls if isinstance(call.args[0], ir.Constant) and call.args[0].value == _WIDTH)
    return any(not isinstance(value, ir.Constant) or value.value is not True for value in given)


@memoised
def _serves_others(it: Interpreter, module: ir.Module, name: str) -> bool:
    """Whether a file may set a variable for processes that it starts, or sets the option of its name as well."""
    names: dict[str, str] = {}
    for node in walks.nodes(module.body):
        if isinstance(node, ir.Import):
            names.update(node.bindings)
        elif isinstance(node, ir.Constant) and node.value == name.lower() != name:
            return True
    for node in walks.nodes(module.body):
        if isinstance(node, ir.Name | ir.Attribute):
            root, dot, rest = (walks.dotted(node) or "").partition(".")
            qualified = f"{names.get(root, root)}{dot}{rest}"
            if qualified in _ASKS or it.api.has(qualified, "starts-processes"):
                return True
    return False
