"""Transfer functions of expressions: each gives the value of one, and emits the events of evaluating it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.frames import Side
from jaxlint.analysis.domain.lattice import join, join_all
from jaxlint.analysis.domain.sharding_values import PROCESS_TEST
from jaxlint.analysis.domain.values import (
    FALSE,
    NONE,
    STATIC,
    STATIC_BOOL,
    STATIC_STR,
    TRUE,
    UNKNOWN,
    Array,
    DictCell,
    Iterable,
    Key,
    Leaves,
    ListCell,
    Object,
    SetCell,
    Static,
    Tuple,
    Union,
    Unknown,
    Value,
    atoms_of,
    constant,
    has_no_value,
)
from jaxlint.analysis.machine import path_values
from jaxlint.analysis.machine.dependencies import sides_excluded
from jaxlint.analysis.machine.path_conditions import outcomes_of
from jaxlint.analysis.python import (
    arithmetic,
    attributes,
    calls,
    comparisons,
    comprehensions,
    dtype_tests,
    failures,
    functions,
    iteration,
    narrowing,
    scopes,
    special_methods,
    stale_reads,
    stores,
    subscripts,
    text_and_hash,
    truth,
)
from jaxlint.analysis.python.truth import partly_run
from jaxlint.analysis.source import container_use
from jaxlint.analysis.typestate import async_dispatch, donated_uses, timing
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def _name(it: Interpreter, node: ir.Name) -> Value:
    frame = it.frame
    value = frame.state.env.get(node.id)
    if value is None:
        return scopes.outer_name(it, node)
    return path_values.resolve(frame, value, frame.conditions) if value.__class__ is Union else value


def _constant(it: Interpreter, node: ir.Constant) -> Value:
    return constant(node.value)


def _binary(it: Interpreter, node: ir.BinaryOperation) -> Value:
    left = it.eval(node.left)
    right = it.eval(node.right)
    if node.op == "%" and isinstance(left, Static) and left.type == "str":
        text_and_hash.formatted_operands(it, left, right, node.right)
        return STATIC_STR
    if it.frame.state.donated:
        donated_uses.use(it, left, node.left)
        donated_uses.use(it, right, node.right)
    return arithmetic.binary(it, node.op, left, right, node)


def _chain(it: Interpreter, node: ir.BinaryChain) -> Value:
    value = it.eval(node.first)
    if it.frame.state.donated:
        donated_uses.use(it, value, node.first)
    for op, operand in node.rest:
        right = it.eval(operand)
        if it.frame.state.donated:
            donated_uses.use(it, right, operand)
        value = arithmetic.binary(it, op, value, right, node)
    return value


def _unary(it: Interpreter, node: ir.UnaryOperation) -> Value:
    if node.op == "not":
        outcome = truth.test(it, node.operand, "not")
        if (it.frame.serial, node.operand.at) in it.facts.process_tests:
            return Static(type=PROCESS_TEST)
        return STATIC_BOOL if outcome is None else (FALSE if outcome else TRUE)
    value = it.eval(node.operand)
    if it.frame.state.donated:
        donated_uses.use(it, value, node.operand)
    return arithmetic.unary(it, node.op, value, node)


def _is_container(node: ir.Expr) -> bool:
    return isinstance(node, ir.DictDisplay | ir.SequenceDisplay)


def _may_be_tree(value: Value) -> bool:
    return not any(isinstance(atom, Array | Key) for atom in atoms_of(value))


def _boolean(it: Interpreter, node: ir.BooleanOperation) -> Value:
    """`a and b` as a value: every operand but the last is tested."""
    results: list[Value] = []
    with narrowing.scratch(it), ExitStack() as path:
        for operand in node.operands[:-1]:
            value = it.eval(operand)
            if not (_is_container(node.operands[-1]) and _may_be_tree(value)):  # `tree or {}`: it is one, too
                truth.need_truth(it, value, operand, node.op)
            outcome = truth.outcome_of(it, value)
            it.frame.tests += not it.is_traced_test(operand.at)
            stops = node.op == "or"
            if outcome is None or outcome is stops:
                results.append(truth.surviving(value, stops))
            if outcome is stops or not narrowing.assume(it, operand, not stops):
                return join_all(results) if results else value
            if outcome is None:
                holding = outcomes_of(it, operand).of(not stops)
                path.enter_context(narrowing.on_path(it, operand, holding, undecided=True))
        results.append(it.eval(node.operands[-1]))
    return join_all(results)


def _comparison(it: Interpreter, node: ir.Comparison) -> Value:
    left = it.eval(node.left)
    result: Value = STATIC_BOOL
    for number, (op, operand) in enumerate(node.rest):
        right = it.eval(operand)
        result = _compare(it, op, left, right, node, operand)
        if number + 1 < len(node.rest):
            truth.need_truth(it, result, node, "comparison chain")
        left = right
    return result


def _compare(it: Interpreter, op: str, left: Value, right: Value, node: ir.Comparison, operand: ir.Expr) -> Value:
    comparisons.check_nan(it, op, (left, right), (node.left, operand), node.at)
    if op in ("is", "is not"):
        return comparisons.identity(it, left, right, op == "is")
    if op in ("in", "not in"):
        _member(it, left, right, node, operand)
        listed = it.cell(right) if isinstance(operand, ir.SequenceDisplay) and isinstance(right, Object) else None
        if isinstance(listed, ListCell) and listed.elements is not None:
            right = Tuple(listed.elements)  # as it is written here
        return comparisons.membership(left, right, op == "in")
    if op in ("==", "!=") and isinstance(left, Tuple) and isinstance(right, Tuple):
        _compare_tuples(it, op, left, right, node)
    if op in ("==", "!=") and comparisons.is_same(left, right):
        return constant(op == "==")
    if op in ("==", "!=") and dtype_tests.are_other(it, left, right):
        return constant(op == "!=")
    if it.frame.state.donated:
        donated_uses.use_array(it, left, node.left)
        donated_uses.use_array(it, right, operand)
    return arithmetic.binary(it, op, left, right, node)


def _member(it: Interpreter, item: Value, holder: Value, node: ir.Comparison, operand: ir.Expr) -> None:
    """`item in holder`: compared one by one in sequences, hashed in sets and dicts, bool() of an array otherwise.

    What may be a dict as well, or is asked for the item behind the test, is taken for one.
    """
    if it.frame.state.clock is not None:
        async_dispatch.looked_at(it, Tuple((item, holder)))
    stale_reads.note_asked(it, holder, item, node.at)
    unknown = [atom for atom in atoms_of(holder) if isinstance(atom, Unknown)]
    for atom in atoms_of(holder):
        match atom:
            case Array() | Leaves() if isinstance(atom, Array) or _is_number(item):
                if not _is_dict(it, holder, node, operand):
                    equal = arithmetic.binary(it, "==", item, atom, node)
                    truth.need_truth(it, join_all([equal, *unknown]), node, "in")
            case Tuple(elements=elements) if any(_is_array(each) for each in (item, *elements)):
                _compare_each(it, item, elements, node)
            case Object():
                _member_of_cell(it, item, atom, node)
            case _:
                pass


def _is_dict(it: Interpreter, holder: Value, node: ir.Comparison, operand: ir.Expr) -> bool:
    if any(isinstance(it.cell(atom), DictCell) for atom in atoms_of(holder) if isinstance(atom, Object)):
        return True
    function = it.frame.function
    return function is not None and (
        (bool(name := walks.dotted(operand)) and name in container_use.containers(it, function))
        or container_use.is_asked_for(it, function, operand, node.left)
    )


def _is_number(value: Value) -> bool:
    """No key of a dict of arrays."""
    return isinstance(value, Array) or (isinstance(value, Static) and value.type in ("int", "float", "complex"))


def _is_array(value: Value) -> bool:
    return any(isinstance(atom, Array | Leaves) for atom in atoms_of(value))


def _compare_each(it: Interpreter, item: Value, elements: tuple[Value, ...], node: ir.Comparison) -> None:
    for element in elements:
        result = arithmetic.binary(it, "==", item, element, node)
        if any(has_no_value(atom) for atom in atoms_of(result)):
            truth.need_truth(it, result, node, "in")
            return


def _compare_tuples(it: Interpreter, op: str, left: Tuple, right: Tuple, node: ir.Comparison) -> None:
    """Tuples are compared element by element, each outcome tested; the very same object is equal without a test."""
    if any(arithmetic.own_methods(it, op, left, right, node)):
        return  # their class compares them
    for a, b in zip(left.elements, right.elements):
        result = arithmetic.binary(it, "==", a, b, node)
        if a is not b and any(has_no_value(atom) for atom in atoms_of(result)):
            truth.need_truth(it, result, node, "==")
            return


def _member_of_cell(it: Interpreter, item: Value, holder: Object, node: ir.Comparison) -> None:
    match it.cell(holder):
        case ListCell(elements=elements, element=element):
            _compare_each(it, item, elements if elements is not None else (element,), node)
        case SetCell() | DictCell():
            text_and_hash.hashed(it, item, node.left, "in")
        case _:
            special_methods.call(it, holder, ("__contains__",), node, item)


def _conditional(it: Interpreter, node: ir.Conditional) -> Value:
    outcome = truth.test(it, node.test, "conditional expression")
    if outcome is not None:
        return it.eval(node.body if outcome else node.orelse)
    before, before_failed = it.frame.state, it.frame.failed
    sides: list[Side] = []
    outcomes = outcomes_of(it, node.test)
    excluded = sides_excluded(it, outcomes)

    def side(branch: ir.Expr, taken: bool) -> bool:
        if excluded == (taken, not taken):
            return False
        holding = outcomes.of(taken)
        with narrowing.on_path(it, node.test, holding, undecided=True), narrowing.scratch(it):
            if not narrowing.assume(it, node.test, taken):
                return False
            value, failed = it.eval(branch), it.frame.failed
        it.frame.failed = before_failed
        if not failed:
            sides.append(Side(value, holding))
        return not failed

    after = it.branch(before.fork(), lambda: side(node.body, True))
    it.resume(after, it.branch(before, lambda: side(node.orelse, False)))
    joined = join_all([side.value for side in sides])
    if len(sides) == 2:
        path_values.remember(it.frame, joined, *sides)
    return joined


def _sequence(it: Interpreter, node: ir.SequenceDisplay) -> Value:
    elements, exact = _elements(it, node.elements)
    if node.kind == "tuple":
        return Tuple(elements) if exact else Iterable("tuple", join_all(elements), ident=it.ident(node.at))
    if node.kind == "set":
        for value, element in zip(elements, node.elements):
            text_and_hash.hashed(it, value, element, "set member")
        return it.allocate(SetCell(it.birth(node.at), join_all(elements)))
    return it.allocate(ListCell(it.birth(node.at), elements if exact else None, join_all(elements)))


def _elements(it: Interpreter, nodes: tuple[ir.Expr, ...]) -> tuple[tuple[Value, ...], bool]:
    """The elements of a display, starred ones spread; and whether they are all there are."""
    values: list[Value] = []
    exact = True
    for node in nodes:
        if isinstance(node, ir.Starred):
            spread = it.eval(node.value)
            known = iteration.exact_elements(it, spread)
            if known is None:
                exact = False
                values.append(iteration.element(it, spread, node.at))
            else:
                values.extend(known)
        else:
            values.append(it.eval(node))
    return tuple(values), exact


def _dict(it: Interpreter, node: ir.DictDisplay) -> Value:
    items: dict[Any, Value] = {}
    rest: Value | None = None
    for key_node, value_node in node.items:
        if key_node is None:
            spread = special_methods.container(it, it.eval(value_node), node.at)
            rest = _spread_mapping(it, spread, items, rest)
            continue
        key = it.eval(key_node)
        text_and_hash.hashed(it, key, key_node, "dict key")
        value = it.eval(value_node)
        if isinstance(key, Static) and key.known and comprehensions.is_hashable(key.value):
            items[key.value] = value
        else:
            rest = value if rest is None else join(rest, value)
    return it.allocate(DictCell(it.birth(node.at), items, rest))


def _spread_mapping(it: Interpreter, value: Value, items: dict[Any, Value], rest: Value | None) -> Value | None:
    """`**mapping` in a display: its items where they are known."""
    cell = it.cell(value) if isinstance(value, Object) else None
    if isinstance(cell, DictCell):
        items.update(cell.items)
        return rest if cell.rest is None else cell.rest if rest is None else join(rest, cell.rest)
    element: Value = Leaves(value.level, value.origin) if isinstance(value, Leaves) else UNKNOWN
    return element if rest is None else join(rest, element)


def _lambda(it: Interpreter, node: ir.Lambda) -> Value:
    return functions.make(it, node.function)


#: What an f-string calls for each conversion that may be written in it.
_CONVERSIONS: Final = {"s": text_and_hash.AS_TEXT, "r": ("__repr__",), "a": ("__repr__",)}


def _formatted_value(it: Interpreter, node: ir.FormattedValue) -> Value:
    value = it.eval(node.value)
    for part in node.spec:
        it.eval(part)
    if it.frame.state.donated:
        donated_uses.use_array(it, value, node.value)
    if node.conversion is None:
        text_and_hash.formatted(it, value, node.value, "f-string", bool(node.spec))
    else:
        text_and_hash.formatted(it, value, node.value, "f-string", methods=_CONVERSIONS[node.conversion])
    failures.formatted(it, node, value)
    return STATIC_STR


def _formatted_string(it: Interpreter, node: ir.FormattedString) -> Value:
    for part in node.parts:
        it.eval(part)
    return STATIC_STR


def _starred(it: Interpreter, node: ir.Starred) -> Value:
    return it.eval(node.value)


def _await(it: Interpreter, node: ir.Await) -> Value:
    it.eval(node.value)
    timing.waited(it, sure=False)
    return it.unknown("an awaited value", node.at)


def _yield(it: Interpreter, node: ir.Yield) -> Value:
    value = NONE if node.value is None else it.eval(node.value)
    if node.is_from:
        value = iteration.element(it, iteration.own_iterator(it, value, node), node.at)
    it.frame.flow.yields.append(value)
    timing.waited(it, sure=False)  # whatever runs until the generator goes on
    return it.unknown("a value sent to a generator", node.at)


def _walrus(it: Interpreter, node: ir.NamedExpression) -> Value:
    value = it.eval(node.value)
    stores.bind(it, node.target, value, node.value)
    return value


def _slice(it: Interpreter, node: ir.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        it.eval_optional(part)
    return STATIC


EXPRESSIONS: dict[type, Callable[[Interpreter, Any], Value]] = {
    ir.Name: _name,
    ir.Attribute: attributes.read,
    ir.Subscript: subscripts.load,
    ir.Slice: _slice,
    ir.Call: calls.evaluate,
    ir.Constant: _constant,
    ir.BinaryOperation: _binary,
    ir.BinaryChain: _chain,
    ir.UnaryOperation: _unary,
    ir.BooleanOperation: partly_run(_boolean),
    ir.Comparison: _comparison,
    ir.Conditional: partly_run(_conditional),
    ir.SequenceDisplay: _sequence,
    ir.DictDisplay: _dict,
    ir.Lambda: _lambda,
    ir.Comprehension: partly_run(comprehensions.interpret),
    ir.FormattedValue: _formatted_value,
    ir.FormattedString: _formatted_string,
    ir.Starred: _starred,
    ir.Await: _await,
    ir.Yield: _yield,
    ir.NamedExpression: _walrus,
}
