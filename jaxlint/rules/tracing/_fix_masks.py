"""Selections by a mask as computations of full shape: `jnp.where(mask, v, x)`, and reductions with `where=`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.comment_edits import keeps_comments
from jaxlint.fixes.imports import name_of, qualified_name
from jaxlint.fixes.names import is_stored_to, reads
from jaxlint.fixes.precedence import Level, binary_level, level_of
from jaxlint.fixes.rebinding import is_simple_target
from jaxlint.rules.tracing._fix_mask_slopes import TAME
from jaxlint.syntax import ir

#: Methods of `.at[...]` by the operator that does the same to the whole array.
_OPERATORS: Final = {"add": "+", "subtract": "-", "multiply": "*", "mul": "*", "divide": "/", "power": "**"}
_FUNCTIONS: Final = {"min": "minimum", "max": "maximum"}
#: Reductions that take `where=`; the latter need to be told what an empty selection gives.
_REDUCTIONS: Final = frozenset(
    {"sum", "mean", "prod", "any", "all", "std", "var", "nansum", "nanmean", "nanstd", "nanvar"}
)
_EXTREMES: Final = {"max": "-", "min": "", "amax": "-", "amin": ""}
#: What gives the places where a mask holds.
PLACES: Final = ("jax.numpy.where", "jax.numpy.nonzero")
_KEPT: Final = frozenset({"ddof", "dtype", "correction"})
#: Functions that work on each element alone, beside those whose derivative is a number wherever they are computed.
_ELEMENTWISE: Final = TAME | {
    "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "tan", "sinh", "cosh", "arcsin", "arccos",
    "power", "pow", "divide", "true_divide", "reciprocal", "hypot", "arctan2", "float_power",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mask:
    """A mask as written; `missing` says how many trailing axes it lacks, `dtype` what class of numbers it selects.

    `is_inner`: it lies along the last axis of several, so that it does not tell how much is selected.
    """

    at: int
    text: str
    missing: int = 0
    dtype: str = ""
    written: str = ""  # the index, where the mask is not what is written
    is_inner: bool = False

    @property
    def key(self) -> str:
        """The index by which other selections by the same mask are known."""
        return self.written or self.text

    def over(self, code: Code) -> str:
        """The mask as an argument, with the axes that it lacks."""
        node = code.node(self.at)
        if not self.missing:
            return f"({self.text})" if not self.written and level_of(node) < Level.NAMED else self.text
        base = f"({self.text})" if level_of(node) < Level.ATOM else self.text
        return f"{base}[..., {', '.join(['None'] * self.missing)}]"


def mask_of(code: Code, subscript: ir.Subscript, missing: int, dtype: str) -> Mask | None:
    """The mask that is the whole index of a subscript; `jnp.where(mask)` stands for the mask."""
    if len(subscript.index) != 1 or isinstance(subscript.index[0], (ir.Slice, ir.Starred)):
        return None
    index: Any = subscript.index[0]
    if isinstance(index, ir.Subscript) and _is_zero(index):
        index = index.base if isinstance(index.base, ir.Call) else index
    if isinstance(index, ir.Call) and qualified_name(code, index.func) in PLACES and len(index.args) == 1:
        index = index.args[0]
    return Mask(index.at, code.segment(index.at), missing, dtype)


def _is_zero(subscript: ir.Subscript) -> bool:
    match subscript.index:
        case (ir.Constant(value=0),):
            return True
        case _:
            return False


def first_or_count(code: Code, call: ir.Call) -> list[Change] | None:
    """`jnp.where(c)[0][0]` as `jnp.argmax(c)`, `len(jnp.where(c)[0])` as `jnp.count_nonzero(c)`."""
    name = qualified_name(code, call.func)
    if name not in (*PLACES, "jax.numpy.flatnonzero", "jax.numpy.argwhere") or len(call.args) != 1 or call.keywords:
        return None
    found: Any = call
    if name in PLACES:
        found = code.parent(call.at)
        if not isinstance(found, ir.Subscript) or not _is_zero(found):
            return None
    above = code.parent(found.at)
    is_first = isinstance(above, ir.Subscript) and above.base.at == found.at and _is_zero(above)
    if is_first and name != "jax.numpy.argwhere":
        wanted = "jax.numpy.argmax"
    elif _counts(code, above, found) and (name != "jax.numpy.argwhere" or getattr(above, "attr", "") != "size"):
        wanted = "jax.numpy.count_nonzero"
        above = code.parent(above.at) if isinstance(above, ir.Attribute) and above.attr == "shape" else above
    else:
        return None
    return _call_instead(code, above, wanted, call.args[0])


def only_first(code: Code, call: ir.Call) -> list[Change] | None:
    """`size=1` for places that have a name of which nothing but the first is read: `hits = jnp.where(c)[0]`."""
    places, name = code.parent(call.at), qualified_name(code, call.func)
    if name not in PLACES or len(call.args) != 1 or call.keywords or not isinstance(places, ir.Subscript):
        return None
    made, owner = code.parent(places.at), code.owner(call.at)
    if not _is_zero(places) or not isinstance(made, ir.Assign) or owner is None:
        return None
    target = made.targets[0]
    if len(made.targets) > 1 or not isinstance(target, ir.Name):
        return None
    uses = [code.parent(read.at) for read in reads(code, target.id, owner)]
    if not uses or not all(isinstance(use, ir.Subscript) and _is_zero(use) for use in uses):
        return None
    end = code.outer(call.args[0].at)[1]
    return [Change(end, end, ", size=1")]


def _call_instead(code: Code, node: Any, wanted: str, argument: Any) -> list[Change] | None:  # noqa: ANN401 - expressions
    named = name_of(code, node.at, wanted)
    start, end = code.span(node.at)
    text = "" if named is None else f"{named.text}({code.text[slice(*code.outer(argument.at))]})"
    if named is None or not keeps_comments(code, start, end, text):
        return None
    return [Change(start, end, text), *named.changes]


def update(code: Code, subscript: ir.Subscript, mask: Mask) -> list[Change] | None:
    """`x.at[mask].set(v)` as `jnp.where(mask, v, x)`, and the other methods alike."""
    method = code.parent(subscript.at)
    call = code.parent(method.at) if isinstance(method, ir.Attribute) else None
    where = name_of(code, subscript.at, "jax.numpy.where")
    if (
        not isinstance(call, ir.Call)
        or call.func.at != method.at
        or call.keywords
        or len(call.args) != 1
        or where is None
    ):
        return None
    if isinstance(call.args[0], ir.Starred):
        return None
    base: Any = subscript.base
    array, value = base.base, call.args[0]
    made = _updated(code, method.attr, array, value, mask)
    if made is None:
        return None
    text, changes = made
    kept = _argument(code, array, "")
    result = f"{where.text}({mask.over(code)}, {text}, {kept})"
    start, end = code.span(call.at)
    if not keeps_comments(code, start, end, result):
        return None
    return [Change(start, end, result), *where.changes, *changes]


def _updated(code: Code, method: str, array: Any, value: Any, mask: Mask) -> tuple[str, tuple[Change, ...]] | None:  # noqa: ANN401
    """What stands where the mask holds."""
    if method == "set":
        return _argument(code, value, mask.key), ()
    if not is_simple_target(array):
        return None
    if method in _OPERATORS:
        op = _OPERATORS[method]
        level = Level.SIGN if op == "**" else Level(binary_level(op) + 1)
        right = _text(code, value, mask.key)
        right = f"({right})" if level_of(value) < level else right
        return f"{code.segment(array.at)} {op} {right}", ()
    named = name_of(code, value.at, f"jax.numpy.{_FUNCTIONS[method]}") if method in _FUNCTIONS else None
    if named is None:
        return None
    return f"{named.text}({code.segment(array.at)}, {_argument(code, value, mask.key)})", named.changes


def _argument(code: Code, node: Any, mask: str) -> str:  # noqa: ANN401 - an expression
    text = _text(code, node, mask)
    return f"({text})" if level_of(node) < Level.NAMED else text


def _text(code: Code, node: Any, mask: str) -> str:  # noqa: ANN401 - an expression
    """The text of an expression without the selections by the mask in it."""
    start, end = code.span(node.at)
    parts, at = [], start
    for change in sorted(_unselected(code, node, mask)):
        parts.append(code.text[at : change.start])
        at = change.end
    return "".join((*parts, code.text[at:end]))


def _unselected(code: Code, node: Any, mask: str) -> Iterator[Change]:  # noqa: ANN401 - an expression
    """The changes that take `[mask]` off what is selected inside an expression."""
    for inner in (node, *code.inside(node)):
        if mask and _selects(code, inner, mask):
            yield _whole(code, inner)


def _whole(code: Code, subscript: ir.Subscript) -> Change:
    """The change that selects all along the axis of the mask: `x` for `x[:n]`, `x[b, :]` for `x[b, :n]`."""
    if len(subscript.index) == 1:
        return Change(*code.bracket(subscript), "")
    return Change(*code.span(subscript.index[-1].at), ":")


def _selects(code: Code, node: Any, mask: str) -> bool:  # noqa: ANN401 - a node
    if not isinstance(node, ir.Subscript) or (isinstance(node.base, ir.Attribute) and node.base.attr == "at"):
        return False
    last = node.index[-1]
    if (len(node.index) == 1 or isinstance(last, ir.Slice)) and code.segment(last.at) == mask:
        return True
    found = mask_of(code, node, 0, "")
    return found is not None and found.text == mask


@dataclass(slots=True)
class _Reading:
    """What is found on the way from a selection to the reductions that use it."""

    mask: Mask
    changes: dict[Change, None] = field(default_factory=dict)
    computed: list[Any] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)


def is_of_itself(code: Code, subscript: ir.Subscript, mask: Mask) -> bool:
    """Whether a mask compares the selected array itself with a number: `x > 0` for `x`."""
    match code.node(mask.at):
        case ir.Comparison(left=ir.Name(id=name), rest=((_, ir.Constant(value=int() | float())),)):
            return isinstance(subscript.base, ir.Name) and subscript.base.id == name
        case _:
            return False


class Reduction(NamedTuple):
    """The changes that give the mask to reductions, and the expressions that are then computed for all elements."""

    changes: list[Change]
    computed: list[Any]


def without_selection(code: Code, subscript: ir.Subscript, mask: Mask) -> list[Change] | None:
    """An update, or the reductions of what is selected, as computations of full shape."""
    if isinstance(subscript.base, ir.Attribute) and subscript.base.attr == "at":
        return update(code, subscript, mask)
    reduced = reduction(code, subscript, mask)
    return None if reduced is None else reduced.changes


def reduction(code: Code, subscript: ir.Subscript, mask: Mask) -> Reduction | None:
    """`x[mask].sum()` as `x.sum(where=mask)`; names that hold the selection are followed to their uses."""
    reading = _Reading(mask)
    if not _is_steady(code, mask) or not _follow(code, subscript, reading):
        return None
    return Reduction(list(reading.changes), reading.computed)


def _is_steady(code: Code, mask: Mask) -> bool:
    """Whether the names in the mask mean the same wherever the function reads them."""
    node, owner = code.node(mask.at), code.owner(mask.at)
    names = {n.id for n in (node, *code.inside(node)) if isinstance(n, ir.Name)}
    statement = code.statement(mask.at).at
    for other in code.owned(owner):
        if isinstance(other, ir.Name) and other.id in names and other.at > statement and is_stored_to(code, other):
            return False
    return True


def _follow(code: Code, atom: Any, reading: _Reading) -> bool:  # noqa: ANN401 - an expression
    """Go from a selection, or a name of one, to what uses it; False where that needs the shape."""
    if atom.at in reading.seen:
        return True
    reading.seen.add(atom.at)
    if isinstance(atom, ir.Subscript):
        reading.changes[_whole(code, atom)] = None
    node = atom
    while True:
        parent = code.parent(node.at)
        if _counts(code, parent, node):
            return _count(code, parent, reading)
        if isinstance(parent, ir.Assign):
            return _follow_name(code, parent, reading)
        if _is_reduction(code, parent, node):
            return _reduce(code, parent, node, reading)
        if not _is_elementwise(code, parent, node):
            return False
        node = parent


def _counts(code: Code, parent: Any, node: Any) -> bool:  # noqa: ANN401 - nodes
    """Whether the parent asks how many elements are selected."""
    match parent:
        case ir.Call(func=ir.Name(id="len"), args=(argument,)):
            return bool(argument.at == node.at)
        case ir.Attribute(attr="size"):
            return True
        case ir.Attribute(attr="shape"):
            above = code.parent(parent.at)
            first = above.index[:1] if isinstance(above, ir.Subscript) else ()
            return any(isinstance(each, ir.Constant) and each.value == 0 for each in first)
        case _:
            return False


def _count(code: Code, node: Any, reading: _Reading) -> bool:  # noqa: ANN401 - an expression
    if isinstance(node, ir.Attribute) and node.attr == "shape":
        node = code.parent(node.at)
    if reading.mask.is_inner or (reading.mask.missing and isinstance(node, ir.Attribute)):
        return False
    named = name_of(code, node.at, "jax.numpy.sum")
    if named is None:
        return False
    start, end = code.span(node.at)
    for change in list(reading.changes):
        if start <= change.start < end:
            del reading.changes[change]
    text = replace(reading.mask, missing=0).over(code)
    reading.changes |= dict.fromkeys((Change(start, end, f"{named.text}({text})"), *named.changes))
    return True


def _follow_name(code: Code, assign: ir.Assign, reading: _Reading) -> bool:
    target, owner = assign.targets[0], code.owner(assign.at)
    if len(assign.targets) != 1 or not isinstance(target, ir.Name) or owner is None:
        return False
    stores = [n for n in code.owned(owner) if isinstance(n, ir.Name) and n.id == target.id and is_stored_to(code, n)]
    found = list(reads(code, target.id, owner))
    if len(stores) != 1 or not found or not _gather(code, assign.value, reading):
        return False
    return all(_follow(code, read, reading) for read in found)


def _gather(code: Code, context: Any, reading: _Reading) -> bool:  # noqa: ANN401 - an expression
    """Take up what else is selected by the mask in an expression that becomes one of full shape."""
    reading.computed.append(context)
    for node in (context, *code.inside(context)):
        if _selects(code, node, reading.mask.key):
            reading.changes[_whole(code, node)] = None
            reading.seen.add(node.at)
        elif (isinstance(node, ir.Slice) and _is_apart(code, node, reading.mask.key)) or (
            isinstance(node, ir.Name)
            and (made := _made(code, node)) is not None
            and node.at not in reading.seen
            and _selects(code, made.value, reading.mask.key)
            and not _follow(code, made.value, reading)
        ):
            return False
    return True


def _is_apart(code: Code, part: ir.Slice, mask: str) -> bool:
    """Whether a slice makes something of another size than what the mask is put over."""
    bounds = [bound for bound in (part.lower, part.upper) if bound is not None]
    return code.segment(part.at) != mask and any(not isinstance(bound, ir.Constant) for bound in bounds)


def _made(code: Code, name: ir.Name) -> ir.Assign | None:
    """The statement that the name's value comes from, where there is one alone."""
    owner = code.owner(name.at)
    made = [
        node
        for node in code.owned(owner)
        if isinstance(node, ir.Assign) and any(isinstance(t, ir.Name) and t.id == name.id for t in node.targets)
    ]
    return made[0] if len(made) == 1 and owner is not None else None


def _is_elementwise(code: Code, parent: Any, node: Any) -> bool:  # noqa: ANN401 - nodes
    match parent:
        case ir.BinaryOperation() | ir.BinaryChain():
            return getattr(parent, "op", "") != "@"
        case ir.UnaryOperation():
            return bool(parent.op != "not")
        case ir.Comparison():
            return all(op in ("<", ">", "<=", ">=", "==", "!=") for op, _ in parent.rest)
        case ir.Attribute():
            return parent.attr == "astype"
        case ir.Call(func=func) if func.at == node.at:
            return isinstance(func, ir.Attribute) and func.attr == "astype"
        case ir.Call(func=func):
            module, _, member = (qualified_name(code, func) or "").rpartition(".")
            return module == "jax.numpy" and member in _ELEMENTWISE
        case _:
            return False


def _is_reduction(code: Code, parent: Any, node: Any) -> bool:  # noqa: ANN401 - nodes
    match parent:
        case ir.Attribute():
            call = code.parent(parent.at)
            is_called = isinstance(call, ir.Call) and call.func.at == parent.at
            return is_called and (parent.attr in _REDUCTIONS or parent.attr in _EXTREMES)
        case ir.Call(args=(first, *_)) if first.at == node.at:
            name = qualified_name(code, parent.func) or ""
            module, _, member = name.rpartition(".")
            return (module == "jax.numpy" and (member in _REDUCTIONS or member in _EXTREMES)) or name in _FILLED
        case _:
            return False


#: Functions of a whole array that another value at the other places leaves as they are.
_FILLED: Final = {
    "jax.numpy.linalg.norm": ("jax.numpy.linalg.norm", "0"),
    "jax.numpy.median": ("jax.numpy.nanmedian", "jax.numpy.nan"),
    "jax.numpy.count_nonzero": ("jax.numpy.count_nonzero", "0"),
}


def _reduce(code: Code, parent: Any, node: Any, reading: _Reading) -> bool:  # noqa: ANN401 - nodes
    """Give the mask to the reduction instead of its argument."""
    is_method = isinstance(parent, ir.Attribute)
    call = code.parent(parent.at) if is_method else parent
    others = call.args if is_method else call.args[1:]
    if others or any(key not in _KEPT for key, _ in call.keywords) or not _gather(code, node, reading):
        return False
    name = "" if is_method else qualified_name(code, call.func) or ""
    if name in _FILLED:
        return _fill(code, call, node, name, reading)
    text = f"where={reading.mask.over(code)}"
    member = parent.attr if is_method else name.rpartition(".")[2]
    changes: tuple[Change, ...] = ()
    if member in _EXTREMES:
        initial = _initial(code, call, _EXTREMES[member], reading.mask.dtype)
        if initial is None:
            return False
        text, changes = f"{text}, initial={initial[0]}", initial[1]
    reading.changes |= dict.fromkeys((code.with_argument(call, text), *changes))
    return True


def _initial(code: Code, call: ir.Call, sign: str, dtype: str) -> tuple[str, tuple[Change, ...]] | None:
    """What a maximum or minimum of nothing is."""
    if dtype in ("int", "uint", "bool"):
        return None
    named = name_of(code, call.at, "jax.numpy.inf")
    return None if named is None else (sign + named.text, named.changes)


def _fill(code: Code, call: ir.Call, node: Any, name: str, reading: _Reading) -> bool:  # noqa: ANN401 - nodes
    """Put a value that does not count in place of what is not selected."""
    function, value = _FILLED[name]
    called, where = name_of(code, call.at, function), name_of(code, call.at, "jax.numpy.where")
    filler = name_of(code, call.at, value) if value.startswith("jax") else None
    if called is None or where is None:
        return False
    start, end = code.outer(node.at)
    shown = value if filler is None else filler.text
    changes = [Change(start, start, f"{where.text}({reading.mask.over(code)}, "), Change(end, end, f", {shown})")]
    if function != name:
        changes.append(Change(*code.outer(call.func.at), called.text))
    extra = () if filler is None else filler.changes
    reading.changes |= dict.fromkeys((*changes, *called.changes, *where.changes, *extra))
    return True
