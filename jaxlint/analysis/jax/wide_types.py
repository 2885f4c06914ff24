"""Dtypes of 64 bits that are asked for while JAX computes in 32.

Under-approximates: code that speaks of the option anywhere in view may have turned it on, and a dtype that comes from
a parameter, or is chosen, may be another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import Arguments, Array, Level, Member, Qualified, Static, Tuple, Value, atoms_of
from jaxlint.analysis.events.arrays import WideDtype
from jaxlint.analysis.jax import array_types, wide_numbers
from jaxlint.analysis.machine.project_questions import about_all_files
from jaxlint.analysis.machine.tables import Table, memoised
from jaxlint.analysis.source import reaching_definitions
from jaxlint.mentions import speaks_of_width
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import FunctionRow, RandomRow
    from jaxlint.syntax.source import SourceFile

#: What 64-bit types become, as measured on JAX 0.10.2.
_CUT: Final = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}
#: Names that stand for the default type of a kind, as well as for the wide one.
_DEFAULTS: Final = frozenset({"int_", "float_", "complex_", "uint"})
#: Parameters that take the dtype of the result.
_PARAMETERS: Final = frozenset({"dtype", "new_dtype", "preferred_element_type"})
#: First parameters that tell what an array is made of.
_CONTENT: Final = frozenset({"a", "object", "operand", "x"})
#: Methods of arrays that take the dtype of the result first.
_METHODS: Final = frozenset({"astype", "view"})


@dataclass(slots=True)
class _Spoken(Table):
    """Whether some code in view speaks of the option, and the paths of the files that were looked at.

    `extent` is how many modules were in view when all were.
    """

    of: bool = False
    seen: set[str] = field(default_factory=set)
    extent: int = 0


@dataclass(slots=True)
class _Takers(Table):
    """By name, the functions of JAX that may be given a dtype, and the dtypes that are called themselves."""

    by_name: dict[str, FunctionRow | RandomRow | str | None] = field(default_factory=dict)


def library_call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> None:
    """A function of JAX was called: with such a dtype, or it is such a type itself."""
    if not it.wants(WideDtype):
        return
    known = it.tables[_Takers].by_name
    if name not in known:
        known[name] = _taker(it, name)
    row = known[name]
    if row is None:
        return
    if isinstance(row, str):
        if arguments.positional and isinstance(node, ir.Call):
            _tell(it, row, node.func, arguments.first, node)
        return
    of = _content(row, arguments)
    for number, value in enumerate(arguments.positional):
        if value.__class__ in _NAMED and row.params.at(number) in _PARAMETERS:
            _asked(it, value, arguments.positional_at[number], of, node)
    for parameter in _PARAMETERS.intersection(arguments.keywords):
        _asked(it, arguments.keywords[parameter], arguments.keyword_at.get(parameter, -1), of, node)


def _taker(it: Interpreter, name: str) -> FunctionRow | RandomRow | str | None:
    if not it.api.is_of(name, "core"):
        return None
    own = array_types.dtype_name(Qualified(name))
    if own is not None:
        return own if own in _CUT else None
    row = it.api.function(name) or it.api.random(name)
    return None if row is None or row.returns.head in ("static", "dtype", "unknown", "function") else row


def _content(row: FunctionRow | RandomRow, arguments: Arguments) -> Value | None:
    """What an array is made of; the empty shape stands for a single number. None if that is not known."""
    first = row.params.at(0)
    given = arguments.get(0, first)
    is_one = first == "shape" and isinstance(given, Tuple) and not given.elements
    return given if first in _CONTENT or is_one else None


_NAMED: Final = frozenset({Qualified, Static})


def method_call(it: Interpreter, callee: Member, arguments: Arguments, node: ir.Expr) -> None:
    """A method was called, of an array of JAX perhaps."""
    if callee.name in _METHODS and it.wants(WideDtype):
        asked = arguments.get(0, "dtype")
        if asked is not None and all(isinstance(a, Array) and a.level > Level.HOST for a in atoms_of(callee.receiver)):
            _asked(it, asked, arguments.at(0, "dtype"), callee.receiver, node)


def _asked(it: Interpreter, value: Value, at: int, of: Value | None, node: ir.Expr) -> None:
    """A dtype was given at `at`, for an array made of `of`: tell if it is wide, and surely this one."""
    dtype = array_types.dtype_name(value)
    written = walks.expression_at(node, at)
    if dtype in _CUT and written is not None and not _may_be_chosen(it, written):
        _tell(it, dtype, written, of, node)


def _may_be_chosen(it: Interpreter, written: ir.Expr) -> bool:
    """Whether an expression names what a caller, a test or a setting chooses."""
    match written:
        case ir.Constant():
            return False
        case ir.Attribute():
            return not isinstance(_named(it, written), Qualified)
        case ir.Name(id=name):
            frame = next((frame for frame in it.frame.scopes() if name in frame.state.env), None)
            return frame is None or _is_chosen_in(it, frame, name)
        case _:
            return True


def _is_chosen_in(it: Interpreter, frame: Frame, name: str) -> bool:
    """Whether a name is a parameter of the function whose frame this is, or is bound in more than one way there."""
    function = frame.function
    if function is not None and name in {parameter.name for parameter in function.parameters}:
        return True
    bound = reaching_definitions.known_bindings(it, frame.body, name)
    return len(bound) > 1 or not all(each.always and isinstance(each.value, _SETTLED) for each in bound)


#: Expressions that choose nothing.
_SETTLED: Final = (ir.Attribute, ir.Constant, ir.Name)


def _named(it: Interpreter, written: ir.Attribute) -> Value | None:
    base = written.base
    while isinstance(base, ir.Attribute):
        base = base.base
    return it.peek(base.id) if isinstance(base, ir.Name) else None


def _tell(it: Interpreter, dtype: str, written: ir.Expr, of: Value | None, node: ir.Expr) -> None:
    x64 = it.options.x64
    if x64 is False or (x64 is None and not _is_spoken_of(it)):
        text = it.frame.module.text(written.at)
        is_default = text.rpartition(".")[2] in _DEFAULTS
        enough = wide_numbers.why_narrow_is_enough(it, dtype, of, node)
        it.emit(WideDtype(it.frame, node.at, dtype, _CUT[dtype], text, is_default, enough))


def _is_spoken_of(it: Interpreter) -> bool:
    """Whether any module in view speaks of the option: one that is checked, was imported, or stands around this one."""
    if _files_speak_of_it(it):
        return True
    spoken = it.tables[_Spoken]
    for source in () if spoken.of else _in_view(it):
        if source.path not in spoken.seen:
            spoken.seen.add(source.path)
            if speaks_of_width(source.text):
                spoken.of = True
                break
    return spoken.of


@about_all_files
def _files_speak_of_it(it: Interpreter) -> bool:
    """Whether a file of the project does."""
    return any(speaks_of_width(source.text) for source in it.project.files.values())


def _in_view(it: Interpreter) -> Iterator[SourceFile]:
    spoken = it.tables[_Spoken]
    if spoken.extent != len(it.modules):
        spoken.extent = len(it.modules)
        yield from (module.source for module in it.modules.values() if module.path not in it.project.files)
    yield from _around(it, it.frame.module.source.module)


@memoised
def _around(it: Interpreter, module: ir.Module) -> tuple[SourceFile, ...]:
    """The packages around the module at hand, and what configures its tests."""
    parts = it.frame.module.source.name.split(".")
    names = [".".join(parts[:length]) for length in range(1, len(parts))]
    names += [f"{name}.conftest" for name in names] + ["conftest"]
    return tuple(source for source in map(it.project.find_module, names) if source is not None)
