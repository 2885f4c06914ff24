"""Tests as values: when two tests on a path are the same, and which outcomes exclude each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain import orderings
from jaxlint.analysis.domain.idents import made_at
from jaxlint.analysis.domain.orderings import Order, Range
from jaxlint.analysis.domain.state import Condition
from jaxlint.analysis.machine import asked_values
from jaxlint.analysis.machine.asked_values import signature
from jaxlint.analysis.machine.spent_flags import spent
from jaxlint.analysis.machine.tables import memoised
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


#: Pairs of conditions that are compared one by one; more are looked up by their tests.
MAX_PAIRS = 40
#: Stands for the number of a loop's last pass, which is not known.
LAST = "last"


class Outcomes(NamedTuple):
    """What is known to hold where a test came out true, and where it came out false."""

    true: tuple[Condition, ...]
    false: tuple[Condition, ...]

    def of(self, outcome: bool) -> tuple[Condition, ...]:
        """What holds where the test came out as `outcome`."""
        return self.true if outcome else self.false

    def holding(self, true: Range | Order | None, false: Range | Order | None) -> Outcomes:
        """The same, where it is also known what the first test found where it came out true, and where false."""
        return Outcomes(_first(self.true, holds=true), _first(self.false, holds=false))

    def of_test(self, test: Any) -> Outcomes:
        """The same, of a test that is equal for all comparisons of two values."""
        return Outcomes(_first(self.true, test=test), _first(self.false, test=test))


def _first(conditions: tuple[Condition, ...], **changes: Any) -> tuple[Condition, ...]:
    """Conditions of which the first is changed."""
    first, *others = conditions
    return (first._replace(**changes), *others)


def outcomes_of(  # noqa: PLR0911 - dispatches on the kinds of tests
    interpreter: Interpreter, test: ir.Expr
) -> Outcomes:
    """What either outcome of `test` tells."""
    match test:
        case ir.UnaryOperation(op="not"):
            inner = outcomes_of(interpreter, test.operand)
            return Outcomes(inner.false, inner.true)
        case ir.BooleanOperation(op=op, operands=operands):
            whole = _either(interpreter, test, test, None)
            parts = [outcomes_of(interpreter, operand) for operand in operands]
            if op == "and":
                return Outcomes((*(condition for part in parts for condition in part.true), *whole.true), whole.false)
            return Outcomes(whole.true, (*(condition for part in parts for condition in part.false), *whole.false))
        case ir.Comparison(rest=((("!=" | "is not") as op, right),)):
            positive = ir.Comparison(test.left, (("==" if op == "!=" else "is", right),), test.at)
            inner = outcomes_of(interpreter, positive)
            return Outcomes(inner.false, inner.true)
        case ir.BinaryOperation(op="&"):
            parts = [outcomes_of(interpreter, operand) for operand in (test.left, test.right)]
            return Outcomes(parts[0].true + parts[1].true, _either(interpreter, test, test, None).false)
        case ir.Comparison(rest=((("==" | "is"), ir.Constant(value=value) as literal),)) if not orderings.is_number(
            value
        ):
            return _either(interpreter, test, test.left, ("constant", repr(literal.value)))
        case ir.Comparison(left=left, rest=((("in" | "not in") as op, ir.SequenceDisplay(elements=elements)),)) if (
            constants := _constants(interpreter, elements)
        ):
            among = _among(interpreter, test, left, elements, constants)
            return among if op == "in" else Outcomes(among.false, among.true)
        case ir.Comparison(rest=((("<" | "<=" | ">" | ">=" | "=="), _),)):
            return _compared(interpreter, test)
        case ir.Comparison(rest=(("is", _),)):
            return _with_constant(interpreter, test) or _either(interpreter, test, test, None)
        case ir.Comparison(left=left, rest=(_, _, *_)):
            return _chained(interpreter, test, (left, *(operand for _, operand in test.rest)))
        case _:
            return _either(interpreter, test, test, None)


def _compared(interpreter: Interpreter, test: ir.Comparison) -> Outcomes:
    """What a comparison tells: of a number, where one side is a number that is known, and else of the two sides."""
    left, ((op, right),) = test.left, test.rest
    found = orderings.with_number(test, lambda node: asked_values.number(interpreter, node))
    if found is not None:
        constant = ("constant", repr(found.true.low)) if op == "==" else None
        return _either(interpreter, test, found.subject, constant).holding(found.true, found.false)
    equal = _with_constant(interpreter, test) if op == "==" else None
    if equal is not None:
        return equal
    sides = (signature(interpreter, left), signature(interpreter, right))
    outcomes = _either(interpreter, test, test, None)
    if sides[0] == sides[1]:
        return outcomes
    return outcomes.of_test(("order", frozenset(sides))).holding(*orderings.order(op, *sides))


def _with_constant(interpreter: Interpreter, test: ir.Comparison) -> Outcomes | None:
    """What `==` and `is` tell of one side, where the other one is a constant; None where neither is."""
    left, ((_, right),) = test.left, test.rest
    for subject, other in ((left, right), (right, left)):
        known = asked_values.constant(interpreter, other)
        if known is not None:
            return _either(interpreter, test, subject, known)
    return None


def _chained(interpreter: Interpreter, test: ir.Comparison, operands: tuple[ir.Expr, ...]) -> Outcomes:
    """What `a < b < c` tells: where it is true, so is each of its comparisons."""
    whole = _either(interpreter, test, test, None)
    each = [
        outcomes_of(interpreter, ir.Comparison(left, ((op, right),), test.at))
        for left, (op, right) in zip(operands, test.rest)
    ]
    return Outcomes((*whole.true, *(condition for part in each for condition in part.true)), whole.false)


def _constants(interpreter: Interpreter, elements: tuple[ir.Expr, ...]) -> list[tuple[str, str]]:
    """What the elements of a display are, if each is a constant."""
    constants = [asked_values.constant(interpreter, element) for element in elements]
    known = [constant for constant in constants if constant is not None]
    return known if len(known) == len(constants) else []


def _among(
    interpreter: Interpreter,
    test: ir.Expr,
    left: ir.Expr,
    elements: tuple[ir.Expr, ...],
    constants: list[tuple[str, str]],
) -> Outcomes:
    """What `left in (a, b)` tells of constants: not to be among them is to be none of them."""
    each = [_either(interpreter, test, left, constant) for constant in constants]
    none = tuple(condition for one in each for condition in one.false)
    if len(each) == 1:
        return Outcomes(each[0].true, none)
    literals = [element.value for element in elements if isinstance(element, ir.Constant)]
    numbers = list(filter(orderings.is_number, literals))
    if len(numbers) == len(elements):
        between = _either(interpreter, test, left, None).holding(Range(min(numbers), max(numbers)), None)
        return Outcomes((*_either(interpreter, test, test, None).true, between.true[0]), none)
    among = _either(interpreter, test, left, ("among", frozenset(constants)))
    return Outcomes(among.true, (*among.false, *none))


def _either(interpreter: Interpreter, test: ir.Expr, subject: ir.Expr, constant: Any) -> Outcomes:
    traced = interpreter.is_traced_test(test.at)
    divides = test.at if (interpreter.frame.serial, test.at) in interpreter.facts.process_tests else -1
    asked, names = signature(interpreter, subject), _names(interpreter, test)
    true = Condition(asked, True, constant, traced, names, divides)
    outcomes = Outcomes((true,), (Condition(asked, False, constant, traced, names, divides),))
    last = _outcome_for_last(test)
    if last is None:
        return outcomes
    more = Condition(("last", test.at), True, LAST, traced)
    return Outcomes((true, more), outcomes.false) if last else Outcomes(outcomes.true, (*outcomes.false, more))


def _outcome_for_last(test: ir.Expr) -> bool | None:
    """The outcome, if any, that holds for the last number below a bound only: `i == n - 1`, not `i < n - 1`."""
    match test:
        case ir.Comparison(left=ir.Name(), rest=((op, ir.BinaryOperation(op="-", right=ir.Constant())),)):
            return {"==": True, ">=": True, "<": False}.get(op)
        case _:
            return None


def exclusive(first: tuple[Condition, ...], second: tuple[Condition, ...]) -> bool:
    """Whether no run can take both paths.

    Under-approximates: of arithmetic, only comparisons with one number, and of the same two values, are seen.
    """
    if not first or not second:
        return False
    if len(first) * len(second) > MAX_PAIRS:
        by_test: dict[Any, list[Condition]] = {}
        for condition in second:
            by_test.setdefault(condition.test, []).append(condition)
        return any(_exclude(a, b) for a in first for b in by_test.get(a.test, ()))
    return any(a.test == b.test and _exclude(a, b) for a in first for b in second)


def _exclude(a: Condition, b: Condition) -> bool:
    """Whether two conditions on the same test exclude each other."""
    if a.constant is not None and a.constant == b.constant:
        return a.outcome is not b.outcome
    if a.holds is not None and b.holds is not None:
        return orderings.are_apart(a.holds, b.holds)
    if _asks_truth(a) or _asks_truth(b):
        return _contradicts_truth(a, b) if _asks_truth(a) else _contradicts_truth(b, a)
    is_none = _NONE in (a[1:3], b[1:3]) and any(isinstance(one.holds, Range) for one in (a, b))
    return is_none or _are_constants(a, b)


#: The outcome and the constant of a value that was found to be None, of which no order is asked.
_NONE = (True, ("constant", "None"))


def _are_constants(a: Condition, b: Condition) -> bool:
    """Whether both were found to be constants of one kind, others each: that a value is two of them, no run finds."""
    if not (a.outcome and b.outcome):
        return False
    mine, theirs = _alternatives(a), _alternatives(b)
    return mine.isdisjoint(theirs) and len({kind for kind, _ in mine | theirs}) == 1 if mine and theirs else False


def _alternatives(condition: Condition) -> frozenset[tuple[str, str]]:
    """The constants one of which a value was found to be."""
    match condition.constant:
        case ("among", frozenset() as constants):
            return constants
        case (str(), str()) as constant:
            return frozenset({constant})
        case _:
            return frozenset()


def _asks_truth(condition: Condition) -> bool:
    """Whether a condition is the truth of a value, and no comparison of it."""
    return condition.constant is None and condition.holds is None


#: What is false, of the literals that code compares with.
_FALSE = frozenset(map(repr, (None, False, 0, 0.0, "", b"")))


def _contradicts_truth(truth: Condition, other: Condition) -> bool:
    """Whether a value cannot be true, or false, where another test of it came out as it did."""
    if _asks_truth(other):
        return truth.outcome is not other.outcome
    if isinstance(other.holds, Range):
        is_zero = other.holds == Range(0, 0)
        return is_zero if truth.outcome else not other.holds.has(0)
    if other.constant is None or other.constant[0] != "constant" or not other.outcome:
        return False
    return (other.constant[1] in _FALSE) is truth.outcome


def contradicts(side: tuple[Condition, ...], path: tuple[Condition, ...]) -> bool:
    """Whether a side of a test cannot be taken on a path: a test of the same names, not assigned since, says so.

    Tests that look into objects or call functions may come out otherwise the second time.
    """
    return any(is_lasting(a.test) and exclusive((a,), path) for a in side)


def youngest(test: Any) -> int:
    """When the youngest value that a lasting test asks about came to be."""
    match test:
        case ("name", _, idents):
            return max(map(made_at, idents), default=0)
        case ("compare", first, *_):
            return max(youngest(first), *(youngest(part) for _, part in test[2:]))
        case ("order", sides):
            return max(map(youngest, sides))
        case ("type", *_):
            return max(map(youngest, test[2:]), default=0)
        case _:
            return 0


def lasting(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions that hold from there on, whatever is called or assigned."""
    return tuple(condition for condition in conditions if is_lasting(condition.test))


def of_types(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions that ask for types in functions of the project: what is asserted of one is asked again by it."""
    return tuple(condition for condition in conditions if condition.test[0] == "type" and is_lasting(condition.test))


def is_lasting(test: Any) -> bool:
    """Whether a test comes out alike wherever it is met: it asks about values alone."""
    match test:
        case ("name", None, frozenset()) | ("constant", _):
            return True
        case ("type", *_):
            return all(map(is_lasting, test[2:]))
        case ("order", sides):
            return all(map(is_lasting, sides))
        case ("compare", first, *_):
            return is_lasting(first) and all(is_lasting(part) for _, part in test[2:])
        case _:
            return False


#: Operations that give one number for several counters.
_RECURRING = frozenset({"%", "//", "&", ">>"})


def recurs(test: Any) -> bool:
    """Whether what a test asks of comes back as a loop counts up, as `i % 2` does."""
    return isinstance(test, tuple) and bool(test) and (test[0] in _RECURRING or any(map(recurs, test[1:])))


def mention(frame: Frame, name: str) -> bool:
    """Whether a test on the path to here looks at a name, or at an attribute: `.name`."""
    return any(name in condition.names for condition in frame.all_conditions())


def look_at(interpreter: Interpreter, name: str) -> bool:
    """Whether a test on the path to here mentions a name, or another one that was made of it; or says "not yet"."""
    if mention(interpreter.frame, name) or is_first_time(interpreter):
        return True
    return any(name in words and mention(interpreter.frame, made) for made, words in _sources(interpreter))


def is_first_time(interpreter: Interpreter) -> bool:
    """Whether what happens here happens once: behind a test that something is not there yet, which then is."""
    for frame in interpreter.frame.callers():
        tested = frozenset[str]().union(*(condition.names for condition in frame.conditions))
        if not tested:
            continue
        if not tested.isdisjoint(_filled_in(interpreter, frame.function)):
            return True
        if not tested.isdisjoint(_spent(interpreter, frame.body)):
            return True
    return False


@memoised
def _filled_in(interpreter: Interpreter, function: ir.Function | None) -> frozenset[str]:
    """Names, and attributes as `.name`, that a function looks for and stores where they are missing."""
    if function is None:
        return frozenset()
    tests = (node for node in walks.statements(function.body) if isinstance(node, ir.If))
    return frozenset(name for test in tests for name in _filled(test))


@memoised
def is_latched(interpreter: Interpreter, function: ir.Function) -> bool:
    """Whether a function does its work once: `if done: return`, and then `done = True`."""
    tests = [node for node in function.body if isinstance(node, ir.If) and node.body]
    left = {walks.spelling(node.test) for node in tests if isinstance(node.body[-1], ir.Return)}
    stores = (node for node in walks.statements(function.body) if isinstance(node, ir.Assign))
    set_ = (n for n in stores if isinstance(n.value, ir.Constant) and n.value.value is True)
    return not left.isdisjoint(walks.spelling(target) for node in set_ for target in node.targets)


@memoised
def _spent(_: Interpreter, body: ir.Block) -> frozenset[str]:
    """The flags by which a function does things once."""
    return spent(body)


def _filled(test: ir.If) -> frozenset[str]:
    """What an `if` finds missing and stores."""
    sought = missing(test.test)
    if not sought:
        return sought
    assignments = [node for node in walks.statements(test.body) if isinstance(node, ir.Assign)]
    assignments = [node for node in assignments if not isinstance(node.value, _TRUTHS)]
    return sought.intersection(_container(target) for node in assignments for target in node.targets)


#: What is a truth value: a flag that is set to one may well be false again.
_TRUTHS = (ir.Comparison, ir.BooleanOperation)


def fills(node: Any) -> bool:
    """Whether a statement does something once: an `if` that stores what it finds missing."""
    return isinstance(node, ir.If) and bool(_filled(node))


def missing(test: ir.Expr) -> frozenset[str]:
    """What is not there where a test holds: `not x`, `x is None`, `k not in x`, `not hasattr(o, "x")`."""
    match test:
        case ir.UnaryOperation(op="not", operand=operand):
            return _asked_for(operand)
        case ir.Comparison(left=left, rest=(("is", ir.Constant(value=None)),)):
            return frozenset({walks.spelling(left)}) - {""}
        case ir.Comparison(rest=(("not in", container),)):
            return frozenset({walks.spelling(container)}) - {""}
        case ir.BooleanOperation(operands=operands):
            return frozenset[str]().union(*map(missing, operands))
        case _:
            return frozenset()


def _asked_for(test: ir.Expr) -> frozenset[str]:
    return frozenset({walks.spelling(test), _by_name(test)}) - {""}


def _container(target: ir.Expr) -> str:
    """How a target is spelled; of an item, what holds it."""
    return walks.spelling(target.base if isinstance(target, ir.Subscript) else target)


def _sources(interpreter: Interpreter) -> tuple[tuple[str, frozenset[str]], ...]:
    """The names that the function at hand assigns, and what stands in the values."""
    function = interpreter.frame.function
    return () if function is None else _assigned_from(interpreter, function)


@memoised
def _assigned_from(interpreter: Interpreter, function: ir.Function) -> tuple[tuple[str, frozenset[str]], ...]:
    assignments = (node for node in walks.statements(function.body) if isinstance(node, ir.Assign))
    pairs = ((target, node) for node in assignments for target in node.targets)
    return tuple((target.id, _words(node.value)) for target, node in pairs if isinstance(target, ir.Name))


@memoised
def _names(interpreter: Interpreter, test: ir.Expr) -> frozenset[str]:
    """The names that stand in a test."""
    return _words(test)


def _words(node: ir.Expr) -> frozenset[str]:
    """The names in an expression, and its attributes as `.name`, also those that it asks for by their names."""
    return frozenset(word for part in walks.nodes(node) for word in (walks.spelling(part), _by_name(part))) - {""}


def _by_name(node: Any) -> str:
    """The attribute in `hasattr(x, "name")` and `getattr(x, "name", ...)`, as `.name`."""
    match node:
        case ir.Call(func=ir.Name(id="hasattr" | "getattr"), args=(_, ir.Constant(value=str(name)), *_)):
            return f".{name}"
        case _:
            return ""
