"""Draws that may be equal: what stands for a shape, terms that are compared, models of which one alone is trained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain.values import Qualified
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source.ownership import statement_of
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.state import KeyUse
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Methods of the frameworks' modules that draw the parameters to start from.
INITIALIZING: Final = frozenset({"init", "init_with_output", "lazy_init"})
_TRAINING: Final = "apply_gradients"


def last_name(function: str) -> str:
    """The last part of a full name."""
    return function.rpartition(".")[2]


def is_dummy(it: Interpreter, frame: Frame, call: ir.Call) -> bool:
    """Whether what a call draws is an input to initialize models with, and nothing else: its shape alone matters."""
    initialized = _initialized(it, frame.body)
    if call.at in initialized:
        return True
    statement = statement_of(frame.body, call.at)
    if not isinstance(statement, ir.Assign) or call.at not in walks.ordinals(statement.value):
        return False
    names = frozenset(target.id for target in statement.targets if isinstance(target, ir.Name))
    if len(names) != len(statement.targets):
        return False
    own = set(walks.ordinals(statement.targets))
    others = [node.at for node in walks.mentions(frame.body, names) if node.at not in own]
    return bool(others) and all(at in initialized for at in others)


def is_times_zero(it: Interpreter, frame: Frame, call: ir.Call) -> bool:
    """Whether what a call draws is multiplied by a zero that is written there."""
    return call.at in _zeros(it, frame.body)


@memoised
def _zeros(_: Interpreter, body: ir.Block) -> frozenset[int]:
    """The ordinals of all that is multiplied by zero: what it is makes no difference."""
    products = (node for node in walks.nodes(body) if isinstance(node, ir.BinaryOperation) and node.op == "*")
    factors = ((product, factor) for product in products for factor in (product.left, product.right))
    empty = (product for product, factor in factors if isinstance(factor, ir.Constant) and _is_zero(factor.value))
    return frozenset(at for product in empty for at in walks.ordinals(product))


def _is_zero(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == 0


@memoised
def _initialized(_: Interpreter, body: ir.Block) -> frozenset[int]:
    """The ordinals of the inputs with which a scope initializes models."""
    return frozenset(at for node in walks.nodes(body) for at in _inputs(node))


def _inputs(node: Any) -> Iterator[int]:
    if isinstance(node, ir.Call) and last_name(walks.spelling(node.func).lstrip(".")) in INITIALIZING:
        yield from walks.ordinals(node.args[1:])
        yield from walks.ordinals(tuple(value for _, value in node.keywords))


def is_for_state_alone(it: Interpreter, use: KeyUse) -> bool:
    """Whether a model is initialized for its caches or statistics: what reads the result leaves the parameters out."""
    step = use.chain[-1]
    source = it.project.files.get(step.path)
    if last_name(use.function) not in INITIALIZING or source is None:
        return False
    body = scope_of(source.module.body, step.at)
    statement = statement_of(body, step.at)
    if not isinstance(statement, ir.Assign) or statement.value.at != step.at:
        return False
    match statement.targets[0]:
        case ir.SequenceDisplay(elements=(ir.Name(id=parameters), _)):
            return last_name(use.function) == "init" and parameters.startswith("_")
        case ir.Name(id=name):
            return _leaves_parameters_out(body, statement, name)
        case _:
            return False


def _leaves_parameters_out(body: ir.Block, statement: ir.Assign, name: str) -> bool:
    """Whether of the variables that are kept under a name, only other collections than the parameters are read."""
    own = set(walks.ordinals(statement.targets))
    reads = {node.at for node in walks.nodes(body) if isinstance(node, ir.Name) and node.id == name} - own
    taken = {
        node.base.at: node.index[0].value
        for node in walks.nodes(body)
        if isinstance(node, ir.Subscript) and isinstance(node.index[0], ir.Constant) and node.base.at in reads
    }
    return bool(reads) and taken.keys() == reads and "params" not in taken.values()


def scope_of(body: ir.Block, at: int) -> ir.Block:
    """The body of the innermost function around a node, or the module's."""
    functions = [s.function for s in walks.statements(body) if isinstance(s, ir.FunctionDefinition)]
    before = (function.body for function in reversed(functions) if function.at < at)
    return next((inner for inner in before if at in walks.ordinals(inner)), body)


def is_contrast(it: Interpreter, frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether one function's results are set against each other: `f(x + h, key) - f(x - h, key)`, `(e, -e)`."""
    if walks.spelling(first.func) != walks.spelling(second.func):
        return False
    is_draw = isinstance(it.tables[Callees].by_call.get((frame.path, second.at)), Qualified)
    texts = [" ".join(frame.module.source.segment(call.at).split()) for call in (first, second)]
    for node in walks.nodes(statement_of(frame.body, second.at)):
        match node:
            case ir.BinaryOperation(op="-" | "/", left=left, right=right) if not is_draw and texts[0] != texts[1]:
                sides = [set(walks.ordinals(left)), set(walks.ordinals(right))]
                if any(first.at in one and second.at in other for one, other in (sides, sides[::-1])):
                    return True
            case ir.UnaryOperation(op="-", operand=ir.Call(at=at)) if at == second.at and texts[0] == texts[1]:
                return True
            case _:
                pass
    return False


def is_one_trained(it: Interpreter, frame: Frame, first: ir.Call, second: ir.Call) -> bool:
    """Whether the file trains what the one model is kept under, and never what the other one is."""
    trained = _trained(it, frame.module.source.module)
    held = [frozenset(_holders(frame, call)) for call in (first, second)]
    if not all(held) or held[0] == held[1]:
        return False
    return (trained.isdisjoint(held[0])) is not trained.isdisjoint(held[1])


def _holders(frame: Frame, call: ir.Call) -> Iterator[str]:
    """The names and attributes that what is made of a call is kept under, and those that it is handed on under."""
    statement = statement_of(frame.body, call.at)
    targets: tuple[ir.Expr, ...] = ()
    if isinstance(statement, ir.AnnotatedAssign):
        targets = (statement.target,)
    elif isinstance(statement, ir.Assign):
        targets = statement.targets
    names = {walks.dotted(target) for target in targets} - {""}
    yield from map(last_name, names)
    for node in walks.nodes(frame.body):
        if isinstance(node, ir.Call):
            yield from (name for name, value in node.keywords if name and walks.dotted(value) in names)


@memoised
def _trained(_: Interpreter, module: ir.Module) -> frozenset[str]:
    """Names and attributes whose gradients are applied, in place or by a function that they are given to."""
    found: set[str] = set()
    functions = [node.function for node in walks.statements(module.body) if isinstance(node, ir.FunctionDefinition)]
    trainers: dict[str, int] = {}
    for function in functions:
        bases = {walks.dotted(base) for base in _applied_to(function.body)}
        trainers.update((function.name, n) for n, p in enumerate(function.parameters) if p.name in bases)
    found.update(last_name(walks.dotted(base)) for base in _applied_to(module.body))
    for node in walks.nodes(module.body):
        number = trainers.get(walks.dotted(node.func)) if isinstance(node, ir.Call) else None
        if number is not None and number < len(node.args):
            found.add(last_name(walks.dotted(node.args[number])))
    return frozenset(found - {""})


def _applied_to(body: ir.Block) -> Iterator[ir.Expr]:
    for node in walks.nodes(body):
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == _TRAINING:
            yield node.func.base
