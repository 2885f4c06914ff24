"""What is known of a value, in plain words: its kind, dtype, shape and key state; what made it traced or unknown."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable as Many
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import values
from jaxlint.analysis.domain.application import short_name
from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.domain.values import (
    Array,
    Atom,
    Dim,
    FunctionValue,
    Key,
    Leaves,
    Level,
    Object,
    Origin,
    Reason,
    Static,
    Value,
    atoms_of,
    is_none,
)
from jaxlint.analysis.machine.path_conditions import exclusive

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.state import KeyUse

#: Tells where a node is, for a reader of the file in question: from path and ordinal to " at line 3", or to nothing.
Locate = Callable[[str, int], str]

#: Containers in containers are described this deep, and this many of their elements.
MAX_DEPTH = 2
MAX_ELEMENTS = 4
#: The longest constant shown in full, and the longest chain of evidence.
MAX_CONSTANT = 40
MAX_CHAIN = 4

_LEVELS = {
    Level.HOST: "NumPy",
    Level.CONCRETE: "concrete",
    Level.ANY: "JAX",
    Level.GRAD: "differentiated",
    Level.MAPPED: "mapped",
    Level.TRACED: "traced",
}
_VERBS = {"consume": "consumed", "split": "split", "fold": "folded", "pass": "passed on"}


class Describer:
    """Words for values as they are in one frame now."""

    def __init__(self, frame: Frame, locate: Locate, held: Callable[[int], Any]) -> None:
        self.frame = frame
        self.locate = locate
        self.held = held  # the cell of an object

    def sentence(self, value: Value) -> str:
        """The kind of a value, the uses of it as a key, and the chain back to what made it traced."""
        return "; ".join([self.kind(value), *self._key_uses(value), *self._chain(value)])

    def kind(self, value: Value, depth: int = 0) -> str:
        """The kinds that a value can be, without evidence."""
        atoms = atoms_of(value)
        if len(atoms) == 1:
            return self._atom(atoms[0], depth)
        ordered = sorted(atoms, key=is_none, reverse=True)
        return "one of: " + ", ".join(self._atom(atom, depth + 1) for atom in ordered)

    def _atom(self, atom: Atom, depth: int) -> str:  # noqa: PLR0911 - dispatches on the kinds of values
        match atom:
            case values.Made(level=level, cls=cls):
                return f"object of `{cls}`" + (", traced" if level.has_no_value else "")
            case values.Unknown():
                return self._unknown(atom.reason)
            case Static():
                return _static(atom)
            case Array() | Leaves() | Key():
                return _array(atom, ", " if depth == 0 else " ")
            case values.Tuple():
                name = f"named tuple `{atom.cls.name}`" if atom.cls is not None else "tuple"
                return f"{name} of {len(atom.elements)}{self._listed('(', atom.elements, ')', depth)}"
            case values.Iterable():
                return f"{atom.kind} of unknown length of: {self._nested(atom.element, depth)}"
            case Object():
                return self._object(self.held(atom.oid), depth)
            case _:
                return self._callable(atom, depth)

    def _nested(self, value: Value, depth: int) -> str:
        return "..." if depth >= MAX_DEPTH else self.kind(value, depth + 1)

    def _listed(self, opening: str, elements: Many[Value], closing: str, depth: int) -> str:
        shown = list(elements)
        if not shown or depth >= MAX_DEPTH:
            return ""
        parts = [self.kind(element, depth + 1) for element in shown[:MAX_ELEMENTS]]
        return f": {opening}{', '.join(parts + ['...'] * (len(shown) > MAX_ELEMENTS))}{closing}"

    def _unknown(self, reason: Reason | None) -> str:
        if reason is None:
            return "unknown"
        return f"unknown: {reason.what}{self.locate(reason.path, reason.at)}"

    def _object(self, cell: Any, depth: int) -> str:
        match cell:
            case values.ListCell() if cell.elements is None:
                return f"list of unknown length of: {self._nested(cell.element, depth)}"
            case values.ListCell():
                elements = cell.elements or ()
                return f"list of {len(elements)}{self._listed('[', elements, ']', depth)}"
            case values.DictCell():
                return self._dict(cell, depth)
            case values.SetCell():
                return f"set of: {self._nested(cell.element, depth)}"
            case values.InstanceCell():
                return _instance(cell)
            case _:
                return "object"

    def _dict(self, cell: values.DictCell, depth: int) -> str:
        if depth >= MAX_DEPTH:
            return "dict"
        items = [f"{key!r}: {self.kind(value, depth + 1)}" for key, value in list(cell.items.items())[:MAX_ELEMENTS]]
        if len(cell.items) > MAX_ELEMENTS:
            items.append("...")
        if cell.rest is not None:
            items.append(f"other keys: {self.kind(cell.rest, depth + 1)}")
        return "dict {" + ", ".join(items) + "}"

    def _callable(self, atom: Atom, depth: int) -> str:  # noqa: PLR0911 - dispatches on the kinds of values
        match atom:
            case FunctionValue():
                return function_label(atom)
            case values.BoundMethod() if isinstance(atom.function, FunctionValue):
                return f"method `{atom.function.function.qualname}`"
            case values.BoundMethod() | values.Partial():
                return f"{self._nested(atom.function, depth)} with arguments bound"
            case values.Transformed():
                return f"`{atom.application.short_name}` of {self._nested(atom.application.target, depth)}"
            case values.ClassValue():
                return f"class `{atom.name}`" + (f", a {atom.kind}" if atom.kind else "")
            case values.Qualified():
                return f"`{atom.name}`"
            case values.ModuleValue():
                return f"module `{atom.module.source.name}`"
            case values.Member():
                return f"`.{atom.name}` of: {self._nested(atom.receiver, depth)}"
            case values.Ref():
                return "mutable reference"
            case values.Update():
                return f"`.at{'[...]' * atom.indexed}` of: {self._nested(atom.array, depth)}"
            case values.Super():
                return f"`super()` of class `{atom.cls.name}`"
            case _:
                return "object"

    # --- key states

    def _key_uses(self, value: Value) -> list[str]:
        """What was done with a value as a key, on paths that can lead here."""
        atoms = atoms_of(value)
        uses = [use for atom in atoms for use in self._uses_of(values.ident_of(atom))]
        if not uses:
            return ["not used yet"] if any(isinstance(atom, Key) for atom in atoms) else []
        words = list(dict.fromkeys(self._use(use) for use in uses))
        return ["already " + ", ".join(words[:MAX_ELEMENTS] + ["..."] * (len(words) > MAX_ELEMENTS))]

    def _uses_of(self, ident: Ident) -> list[KeyUse]:
        here = self.frame.all_conditions()
        uses: tuple[KeyUse, ...] = self.frame.state.keys.get(ident, ()) if ident is not None else ()
        return [use for use in uses if not exclusive(use.conditions, here)]

    def _use(self, use: KeyUse) -> str:
        by = f" by `{short_name(use.function)}`" if use.function else ""
        step = use.chain[-1]
        return f"{_VERBS[use.action]}{by}{self.locate(step.path, step.at)}"

    # --- evidence

    def _chain(self, value: Value) -> list[str]:
        """The steps back from a traced value; what traces the frame itself is said once, of the invocation."""
        steps: list[str] = []
        origin = values.origin_of(value)
        trace = self.frame.trace
        while origin is not None and (trace is None or origin is not trace.origin):
            step = self._step(origin)
            if step not in steps:
                steps.append(step)
            origin = origin.parent
        if len(steps) > MAX_CHAIN:
            steps = [*steps[:2], "...", *steps[-2:]]
        return steps

    def _step(self, origin: Origin) -> str:
        what = f"result of {origin.detail}" if origin.kind in ("result", "operation") else origin.detail
        what = what.replace("result of result of", "result of", 1)
        thing, comma, rest = what.removesuffix(" here").partition(", ")
        return f"{thing}{self.locate(origin.path, origin.at)}{comma}{rest}"


def function_label(value: FunctionValue) -> str:
    """A function as people name it."""
    return "this lambda" if value.function.is_lambda else f"function `{value.function.qualname}`"


def _static(atom: Static) -> str:
    if is_none(atom):
        return "None"
    if not atom.known:
        return f"static {atom.type}" if atom.type else "static value"
    text = repr(atom.value)
    shown = text if len(text) <= MAX_CONSTANT else text[: MAX_CONSTANT - 3] + "..."
    return f"static {atom.type} {shown}" if atom.type else f"static {shown}"


def _array(atom: Array | Leaves | Key, separator: str) -> str:
    level = _LEVELS[atom.level]
    if isinstance(atom, Leaves):
        words = [f"{level} array or pytree of {level} arrays"]
    elif isinstance(atom, Array):
        words = [f"{level} array", *_dtype_and_shape(atom)]
    else:
        kind = "PRNG key" if atom.shape == () else "PRNG key or array of keys"
        kind = f"array of PRNG keys{separator}shape {_dims(atom.shape)}" if atom.shape else kind
        words = [kind if atom.level < Level.GRAD else f"{level} {kind}"]
    if isinstance(atom, Array | Leaves) and atom.assumed:
        words.append("by its annotation or a convention")
    return separator.join(words)


def _dtype_and_shape(atom: Array) -> list[str]:
    if atom.dtype is not None:
        words = [atom.dtype + ("" if atom.shape is None else _dims(atom.shape))]
    elif atom.shape is not None:
        words = [f"shape {_dims(atom.shape)}" if atom.shape else "scalar"]
    else:
        words = []
    return [*words, "weak"] if atom.weak else words


def _dims(shape: tuple[Dim, ...] | None) -> str:
    return "[" + ", ".join("?" if dim is None else str(dim) for dim in shape or ()) + "]"


def _instance(cell: values.InstanceCell) -> str:
    leaves = "" if cell.level is None else f", a pytree of {_LEVELS[cell.level]} arrays"
    return f"instance of `{cell.cls.name}`{leaves}"
