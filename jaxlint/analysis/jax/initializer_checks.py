"""Initializers of pytree classes that ask something of their leaves, or convert them.

JAX makes objects anew with tracers, and with what stands for leaves: None, `object()`, numbers of axes, shapes. As
measured, Equinox and nnx do so without the initializer.

Under-approximates: only what an initializer does always, or behind tests that do not ask for the type of a leaf. What
an option turns off that unflattening always gives as the same constant is not done then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.values import ClassValue, FunctionValue, Static
from jaxlint.analysis.events.pytrees import InitializerCheck
from jaxlint.analysis.jax import option_tests, unflattening
from jaxlint.analysis.python.library_names import named_in
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What is asked of the type of an array.
_OF_TYPE: Final = frozenset({"ndim", "shape", "dtype", "size"})
#: Functions that tell arrays from what stands for them.
_GUARDS: Final = frozenset(
    {"isinstance", "hasattr", "type", "getattr", "callable", "is_array", "is_array_like", "is_inexact_array", "isarray"}
)
#: Comparisons that need the values of arrays, and methods that make a number of them.
_OF_VALUE: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})
_REDUCTIONS: Final = frozenset({"any", "all", "sum", "min", "max", "mean", "item"})
_CONVERSIONS: Final = frozenset({"float", "int", "bool", "complex"})


class _Check(NamedTuple):
    """Something that an initializer asks of a leaf: value, type (of the array), host or array (conversions)."""

    at: int
    leaf: str
    kind: str


def check(it: Interpreter, cls: ClassValue) -> None:
    """Tell the rules of a class whose initializer JAX runs for each object that it makes anew."""
    if not it.wants(InitializerCheck) or cls.kind != "pytree":
        return
    by = unflattening.runs_initializer(it, cls)
    initializer = unflattening.initializer(it, cls) if by else None
    if initializer is None or initializer.module is not cls.module:
        return
    # What fails at the first check does not come to the next one.
    found = next(_Scan(it, cls, initializer).block(initializer.function.body), None)
    if found is not None:
        it.emit(InitializerCheck(it.frame, found.at, cls.name, initializer.function.name, found.leaf, found.kind, by))


class _Scan:
    """Goes through the code of one initializer."""

    def __init__(self, it: Interpreter, cls: ClassValue, initializer: FunctionValue) -> None:
        self.it, self.initializer = it, initializer
        parameters = [parameter.name for parameter in initializer.function.parameters]
        self.own = parameters[0] if parameters else ""
        leaves, static = class_fields.leaves(cls), class_fields.statics(cls)
        known = leaves or frozenset(class_fields.fields(cls))
        self.attributes = known - static
        self.parameters = frozenset(
            target.attr_of for target in _stored(initializer.function.body, self.own) if target.name in self.attributes
        ) & frozenset(parameters)
        self.options = _options(unflattening.options(it, cls, initializer), initializer.function)

    def block(self, body: ir.Block) -> Iterator[_Check]:
        """The checks in a block, up to where the initializer leaves what is no array alone."""
        for statement in body:
            match statement:
                case ir.If(test=test, body=inner, orelse=orelse):
                    decided = option_tests.decided(test, self.options)
                    if decided is None:
                        yield from self._behind(statement)
                    else:
                        yield from self.block(inner if decided else orelse)
                    if self._ends(statement, decided):
                        return
                case ir.Assert(test=test) if option_tests.decided(test, self.options) is None:
                    found = None if self._guards(test) else self._asked(test)
                    if found is not None:
                        yield found._replace(at=statement.at)
                case ir.Assign(value=value) | ir.ExpressionStatement(value=value):
                    yield from self._conversions(value)
                case _:
                    continue

    def _behind(self, statement: ir.If) -> Iterator[_Check]:
        """The checks in and behind a test that no option decides."""
        test, raises = statement.test, any(isinstance(part, ir.Raise) for part in statement.body)
        if self._guards(test):
            if raises:
                self._let_pass(test)
        elif self._is_missing(test):
            yield from self.block(statement.orelse)  # the rest makes a leaf where none was given
        elif raises and (found := self._asked(test)) is not None:
            yield found._replace(at=statement.at)
        else:
            yield from self.block(statement.body)
            yield from self.block(statement.orelse)

    def _ends(self, statement: ir.If, decided: bool | None) -> bool:
        """Whether the initializer is done: what is no array returns at this test, or all do so that an option sends."""
        if decided is None:
            return self._guards(statement.test) and any(isinstance(part, ir.Return) for part in statement.body)
        return any(isinstance(p, ir.Return | ir.Raise) for p in (statement.body if decided else statement.orelse))

    def _guards(self, test: ir.Expr) -> bool:
        """Whether a test tells arrays from what stands for them."""
        called = (part.func for part in walks.nodes(test) if isinstance(part, ir.Call))
        return any(walks.spelling(function).lstrip(".") in _GUARDS for function in called)

    def _let_pass(self, test: ir.Expr) -> None:
        """Forget leaves of which only one type comes behind a test that raises: `if not isinstance(x, np.ndarray)`."""
        tested = {self._leaf(part).removeprefix(f"{self.own}.") for part in walks.nodes(test)}
        self.attributes, self.parameters = self.attributes - tested, self.parameters - tested

    def _is_missing(self, test: ir.Expr) -> bool:
        """Whether a test asks if a leaf is not there: `x is None`."""
        match test:
            case ir.Comparison(left=left, rest=(("is", ir.Constant(value=None)),)):
                return bool(self._leaf(left))
            case _:
                return False

    def _leaf(self, node: ir.Expr) -> str:
        """The text of an expression that is a leaf: a field, or the parameter that it is taken from."""
        match node:
            case ir.Name(id=name) if name in self.parameters:
                return name
            case ir.Attribute(base=ir.Name(id=own), attr=attr) if own == self.own and attr in self.attributes:
                return f"{own}.{attr}"
            case _:
                return ""

    def _asked(self, test: Any, *, is_compared: bool = False) -> _Check | None:
        """What a test asks of the first leaf that it looks at, but for whether that is there, or empty."""
        match test:
            case ir.Comparison(rest=rest):
                is_of_value = all(operator in _OF_VALUE for operator, _ in rest)
                if not is_of_value or any(
                    isinstance(other, ir.Constant) and type(other.value) is str for _, other in rest
                ):
                    return None
                is_compared = True
            case ir.Attribute(base=base, attr=attr) if self._leaf(base):
                return _Check(test.at, f"{self._leaf(base)}.{attr}", "type") if attr in _OF_TYPE else None
            case ir.Call(func=ir.Attribute(base=base, attr=attr)) if self._leaf(base):
                return _Check(test.at, self._leaf(base), "value") if attr in _REDUCTIONS else None
            case ir.Call(func=ir.Name()):
                return None
            case ir.Name() | ir.Attribute() if is_compared and self._leaf(test):
                return _Check(test.at, self._leaf(test), "value")
        parts = (self._asked(part, is_compared=is_compared) for part in _children(test))
        return next((found for found in parts if found is not None), None)

    def _conversions(self, value: ir.Expr) -> Iterator[_Check]:
        """Leaves that are made numbers or arrays."""
        for part in walks.nodes(value):
            if not isinstance(part, ir.Call) or not part.args or not self._leaf(part.args[0]):
                continue
            name = named_in(self.it, self.initializer, part.func)
            leaf = self._leaf(part.args[0])
            is_number = isinstance(part.func, ir.Name) and part.func.id in _CONVERSIONS
            if is_number or (name is not None and self.it.api.has(name, "to-host")):
                yield _Check(part.at, leaf, "host")
            elif name is not None and self.it.api.has(name, "to-device"):
                yield _Check(part.at, leaf, "array")


class _Store(NamedTuple):
    """An attribute of the object, and the name that it is taken from."""

    name: str
    attr_of: str


def _stored(body: ir.Block, own: str) -> Iterator[_Store]:
    """`self.name = parameter`, also where a function is called with the parameter alone."""
    for target, value in walks.assignments(body):
        match target:
            case ir.Attribute(base=ir.Name(id=base), attr=attr) if base == own:
                source = value.args[0] if isinstance(value, ir.Call) and value.args else value
                if isinstance(source, ir.Name):
                    yield _Store(attr, source.id)


def _options(given: dict[str, Static], function: ir.Function) -> dict[str, Static]:
    """What constants an initializer is given, by the text that reads them: a name, or the attribute that keeps it."""
    own = function.parameters[0].name if function.parameters else ""
    targets = walks.assignment_targets(function.body)
    changes = Counter(walks.dotted(part) for target in targets for part in walks.nodes(target))
    if function.name != "__init__":
        return {f"{own}.{name}": value for name, value in given.items() if not changes[f"{own}.{name}"]}
    known = {name: value for name, value in given.items() if not changes[name]}
    stored = ((walks.dotted(target), walks.dotted(value)) for target, value in walks.assignments(function.body))
    return known | {text: known[name] for text, name in stored if name in known and changes[text] == 1}


def _children(node: Any) -> Iterator[Any]:
    """The nodes right below one."""
    for part in node:
        if isinstance(part, tuple):
            if hasattr(part, "at"):
                yield part
            else:
                yield from _children(part)
