"""What lowering does alike whichever parser's tree it walks: scopes, definitions, imports, chains, clocks.

What is still to be lowered is handed in as a function, since ordinals and indices are handed out in source order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from jaxlint.syntax import ir
from jaxlint.syntax.clocks import Clock
from jaxlint.syntax.scopes import Frame, absolute_module

#: Ordinals that modules share: a number of its own for each node would be a sixth of all memory that modules take.
_SHARED: Final = 1 << 13
_ORDINALS: Final = tuple(range(_SHARED))


class LoweringState:
    """The state of one lowering. `places[at]` is what the ordinal `at` stands for.

    `clocks` are the names that stand for clocks, each with its magic, which is empty where one stops.
    """

    __slots__ = ("class_count", "clocks", "frame", "function_count", "imports", "is_package", "name", "places")

    def __init__(self, name: str, *, is_package: bool, clocks: Mapping[str, str]) -> None:
        self.name = name
        self.is_package = is_package
        self.clocks = clocks
        self.places: list[Any] = []
        self.frame = Frame("")
        self.imports: set[str] = set()
        self.function_count = 0
        self.class_count = 0

    def place(self, place: object) -> int:
        """Hand out the next ordinal, for the span of `place`."""
        places = self.places
        at = len(places)
        places.append(place)
        return _ORDINALS[at] if at < _SHARED else at

    def module(self, body: ir.Block) -> ir.Module:
        """The module, when all of it is lowered."""
        return ir.Module(
            self.name, self.is_package, body, self.frame.scope(), tuple(sorted(self.imports)),
            self.function_count, self.class_count, len(self.places),
        )  # fmt: skip


# --- definitions


def define_function(  # noqa: PLR0913 - what a definition is made of, in order of the source
    cx: LoweringState,
    name: str,
    at: int,
    decorators: tuple[ir.Expr, ...],
    parameters: Callable[[], tuple[ir.Parameter, ...]],
    returns: Callable[[], ir.Expr | None],
    body: Callable[[], ir.Block],
    *,
    type_parameters: Iterable[str],
    is_async: bool,
) -> ir.Stmt:
    """A `def`, bound in the scope around, where its defaults and annotations belong."""
    index = cx.function_count
    cx.function_count += 1
    outer = cx.frame
    outer.bound.add(name)
    qualname = outer.qualname(name)
    lowered = parameters()
    annotation = returns()
    frame = cx.frame = Frame(f"{qualname}.<locals>.")
    frame.bound.update([parameter.name for parameter in lowered], type_parameters)
    before = len(cx.places)
    block = body()
    cx.frame = outer
    function = ir.Function(
        name, qualname, lowered, block, decorators, annotation, frame.scope(),
        is_async, frame.is_generator, False, len(cx.places) - before, index, at,
    )  # fmt: skip
    return ir.FunctionDefinition(function, at)


def define_lambda(
    cx: LoweringState,
    at: int,
    parameters: Callable[[], tuple[ir.Parameter, ...]],
    body: Callable[[], ir.Expr],
    body_place: object,
) -> ir.Expr:
    """A lambda: a function whose body returns its expression."""
    index = cx.function_count
    cx.function_count += 1
    outer = cx.frame
    qualname = outer.qualname("<lambda>")
    lowered = parameters()
    frame = cx.frame = Frame(f"{qualname}.<locals>.")
    frame.bound.update(parameter.name for parameter in lowered)
    before = len(cx.places)
    body_at = cx.place(body_place)
    block = (ir.Return(body(), body_at),)
    cx.frame = outer
    function = ir.Function(
        "<lambda>", qualname, lowered, block, (), None, frame.scope(),
        is_async=False, is_generator=frame.is_generator, is_lambda=True,
        node_count=len(cx.places) - before, index=index, at=at,
    )  # fmt: skip
    return ir.Lambda(function, at)


def define_class(  # noqa: PLR0913 - as above
    cx: LoweringState,
    name: str,
    at: int,
    decorators: tuple[ir.Expr, ...],
    arguments: Callable[[], tuple[tuple[ir.Expr, ...], tuple[tuple[str | None, ir.Expr], ...]]],
    body: Callable[[], ir.Block],
    *,
    type_parameters: Iterable[str],
) -> ir.Stmt:
    """A `class`, bound in the scope around, where its bases belong."""
    index = cx.class_count
    cx.class_count += 1
    outer = cx.frame
    outer.bound.add(name)
    qualname = outer.qualname(name)
    bases, keywords = arguments()
    frame = cx.frame = Frame(f"{qualname}.")
    frame.bound.update(type_parameters)
    block = body()
    cx.frame = outer
    cls = ir.Class(name, qualname, bases, keywords, decorators, block, frame.scope(), index, at)
    return ir.ClassDefinition(cls, at)


# --- imports


def import_modules(cx: LoweringState, names: Iterable[tuple[str, str | None]], place: object) -> ir.Stmt:
    """`import a.b, c as d`, of names with what they are bound to."""
    bindings: list[tuple[str, str]] = []
    modules: list[str] = []
    for module, local in names:
        modules.append(module)
        root = module.split(".", 1)[0]
        bindings.append((root, root) if local is None else (local, module))
    return _import(cx, bindings, modules, place)


def import_from(
    cx: LoweringState, module: str, level: int, names: Sequence[tuple[str, str | None]] | None, place: object
) -> ir.Stmt:
    """`from ..module import a, b as c`; `names` None stands for `*`."""
    absolute = absolute_module(cx.name, module, level, is_package=cx.is_package)
    if names is None:
        cx.imports.add(absolute)
        return ir.ImportStar(absolute, cx.place(place))
    separator = "" if absolute.endswith(".") else "."
    bindings = [(local or name, absolute + separator + name) for name, local in names]
    return _import(cx, bindings, [absolute], place)


def _import(cx: LoweringState, bindings: list[tuple[str, str]], modules: list[str], place: object) -> ir.Stmt:
    cx.frame.bound.update(local for local, _ in bindings)
    cx.imports.update(modules, (qualified for _, qualified in bindings))
    return ir.Import(tuple(bindings), tuple(modules), cx.place(place))


def declare_scope(cx: LoweringState, kind: str, names: Sequence[str], place: object) -> ir.Stmt:
    """`global` or `nonlocal`."""
    declared = cx.frame.globals if kind == "global" else cx.frame.nonlocals
    declared.update(names)
    return ir.ScopeDeclaration(kind, tuple(names), cx.place(place))


# --- chains


def if_chain(links: Sequence[tuple[int, ir.Expr, ir.Block]], orelse: ir.Block) -> ir.Stmt:
    """An `if` with its `elif`s: each stands alone in the `orelse` of the one before."""
    for number in range(len(links) - 1, 0, -1):
        at, test, body = links[number]
        orelse = (ir.If(test, body, orelse, is_elif=True, at=at),)
    at, test, body = links[0]
    return ir.If(test, body, orelse, is_elif=False, at=at)


def binary_spine(
    cx: LoweringState,
    spine: Sequence[Any],
    operator: Callable[[Any], str],
    lower: Callable[[Any, Any], ir.Expr],
) -> ir.Expr:
    """A left spine of binary operations, the outermost first, without recursion: it may be thousands of terms long."""
    if len(spine) > ir.CHAIN_LIMIT:
        at = cx.place(spine[0])
        first = lower(cx, spine[-1].left)
        return ir.BinaryChain(first, tuple([(operator(each), lower(cx, each.right)) for each in reversed(spine)]), at)
    ordinals = [cx.place(operation) for operation in spine]
    value = lower(cx, spine[-1].left)
    for operation, at in zip(reversed(spine), reversed(ordinals), strict=True):
        value = ir.BinaryOperation(operator(operation), value, lower(cx, operation.right), at)
    return value


def subscript(base: ir.Expr, elements: Sequence[ir.Expr], at: int) -> ir.Expr:
    """`base[elements]`; one tuple in parentheses is its elements."""
    if len(elements) == 1 and isinstance(elements[0], ir.SequenceDisplay) and elements[0].kind == "tuple":
        return ir.Subscript(base, elements[0].elements, at)
    return ir.Subscript(base, tuple(elements), at)


# --- clocks


def timed_line(
    cx: LoweringState,
    magic: str,
    line: Sequence[Any],
    expression: type,
    lower_rest: Callable[[Sequence[Any]], None],
    out: list[ir.Stmt],
) -> None:
    """A clock that starts and, where more follows on its line, stops behind that; alone, it runs on."""
    at = cx.place(line[0])
    cx.place(line[0].value)  # the walk that finds positions does not know clocks from other names
    rest = line[1:]
    is_dropped = magic.endswith("timeit") or (bool(rest) and all(isinstance(s, expression) for s in rest))
    out.append(Clock(magic, is_dropped, at))
    if rest:
        lower_rest(rest)
        out.append(Clock("", False, at))
