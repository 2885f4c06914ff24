"""Branches on traced values as choices between values: `jnp.where(test, a, b)`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.comment_edits import comments
from jaxlint.fixes.imports import qualified_name
from jaxlint.fixes.names import fresh_name
from jaxlint.fixes.precedence import right_operand
from jaxlint.rules.tracing._fix_conditions import Untraceable, Writer, condition_around, says_truth
from jaxlint.syntax import ir

#: Methods of arrays: a call of one gives an array.
_METHODS: Final = frozenset(
    [
        "sum",
        "mean",
        "max",
        "min",
        "prod",
        "std",
        "var",
        "any",
        "all",
        "astype",
        "reshape",
        "dot",
        "transpose",
        "squeeze",
        "ravel",
        "flatten",
        "clip",
        "round",
        "conj",
        "cumsum",
        "set",
        "add",
        "multiply",
        "divide",
        "get",
        "at",
        "argmax",
        "argmin",
        "sort",
        "copy",
        "item",
    ]
)


class Choice(NamedTuple):
    """What is done about a branch: a title, the changes, and why somebody should look at them.

    `groups` are the values among which one is chosen, by name; `is_same` where Python would give no other value.
    """

    title: str
    changes: list[Change]
    reason: str
    groups: list[list[Any]]
    is_same: bool = False


@dataclass(frozen=True, slots=True)
class _Arm:
    """One arm of a chain: its test (None for `else`) and its statements."""

    test: Any
    body: ir.Block


def choice(code: Code, at: int) -> Choice | None:
    """A choice between values in place of the branch that tests an expression."""
    node = condition_around(code, at)
    parent = code.parent(node.at)
    writer = Writer(code)
    try:
        match parent:
            case ir.Conditional() if parent.test.at == node.at:
                return _conditional(code, writer, parent)
            case ir.If() if parent.test.at == node.at:
                return _chain(code, writer, parent)
            case ir.While() | ir.Assert() | ir.Comprehension() | ir.Match():
                return None
            case _:
                return _value(writer, node, at)
    except Untraceable:
        return None


def _value(writer: Writer, node: Any, at: int) -> Choice | None:  # noqa: ANN401 - an expression
    """A condition, or a call of a builtin, that is used as a value."""
    if isinstance(node, ir.Call):
        text = writer.builtin(node) if isinstance(node.func, ir.Name) else ""
        if not text:
            return None
        name = text.partition("(")[0]
        is_same = len(node.args) > 1 and not any(isinstance(arg, ir.SequenceDisplay) for arg in node.args)
        reason = "it takes only arrays, and returns one"
        return Choice(f"Replace with `{name}`", writer.replace(node, text), reason, [], is_same)
    if node.at == at or not says_truth(node):
        return None
    text = writer.truth(node)
    name = text.partition("(")[0]
    reason = "every part is computed, even if the first one decides the result"
    return Choice(f"Replace with `{name}`", writer.replace(node, text), reason, [])


# --- `a if test else b`


def _conditional(code: Code, writer: Writer, node: ir.Conditional) -> Choice:
    text = _chosen(code, writer, writer.truth(node.test), node.body, node.orelse)
    if isinstance(node.body, ir.SequenceDisplay):
        text = f"({text})"
    return _told(writer, writer.replace(node, text), text)


def _told(writer: Writer, changes: list[Change], text: str) -> Choice:
    if ".cond(" in text or text.startswith("cond("):
        return Choice(
            "Replace with `jax.lax.cond`", changes, "both branches must return the same shapes and dtypes", []
        )
    reason = "both values are computed, and a NaN in one may reach gradients"
    return Choice("Replace with `jnp.where`", changes, reason, writer.groups)


def _chosen(code: Code, writer: Writer, test: str, one: Any, other: Any) -> str:  # noqa: ANN401 - expressions
    """A text for the value that is `one` where the test holds; tuples are chosen element by element."""
    match one, other:
        case ir.SequenceDisplay(kind="tuple"), ir.SequenceDisplay(kind="tuple"):
            if len(one.elements) != len(other.elements) or not one.elements:
                raise Untraceable
            pairs = zip(one.elements, other.elements, strict=False)
            return ", ".join(_chosen(code, writer, test, first, second) for first, second in pairs)
        case _:
            if not (_is_value(code, one) and _is_value(code, other)):
                raise Untraceable
            if _is_open(code, one) and _is_open(code, other):
                cond = writer.name(one.at, "jax.lax.cond")
                return f"{cond}({test}, lambda: {writer.argument(one)}, lambda: {writer.argument(other)})"
            where = writer.name(one.at, "jax.numpy.where")
            writer.groups.append([one, other])
            return f"{where}({test}, {writer.argument(one)}, {writer.argument(other)})"


def _is_value(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether an expression may be an array, and may be computed in any case."""
    match node:
        case ir.Constant():
            return isinstance(node.value, (bool, int, float, complex))
        case (
            ir.Name() | ir.Attribute() | ir.Subscript() | ir.BinaryOperation() | ir.UnaryOperation() | ir.BinaryChain()
        ):
            return not _calls_itself(code, node)
        case ir.Comparison() | ir.Call():
            return not _calls_itself(code, node)
        case _:
            return False


def _calls_itself(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    owner = code.owner(node.at)
    own = owner.name if isinstance(owner, ir.Function) else ""
    for inner in (node, *code.inside(node)):
        if isinstance(inner, (ir.NamedExpression, ir.Yield, ir.Await)):
            return True
        if isinstance(inner, ir.Call) and isinstance(inner.func, ir.Name) and inner.func.id in (own, "print", "next"):
            return True
        if isinstance(inner, ir.Call) and isinstance(inner.func, ir.Attribute) and inner.func.attr == own:
            return True
    return False


def _is_open(code: Code, node: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether it is a call that may give anything: a tree, an array of another shape."""
    if not isinstance(node, ir.Call):
        return False
    name = qualified_name(code, node.func) or ""
    is_method = isinstance(node.func, ir.Attribute) and node.func.attr in _METHODS
    return not name.startswith(("jax.numpy.", "jax.nn.", "jax.scipy.", "numpy.")) and not is_method


# --- `if test: ... else: ...`


def _chain(code: Code, writer: Writer, first: ir.If) -> Choice | None:
    while first.is_elif:
        first = next(node for node in code.ancestors(first.at) if isinstance(node, ir.If))
    arms = list(_arms(first))
    if all(_is_return(arm.body) for arm in arms):
        return _returns(code, writer, first, arms)
    if all(_only_assigns(arm.body) for arm in arms) and any(arm.body for arm in arms):
        return _assigns(code, writer, first, arms)
    return None


def _arms(node: ir.If) -> Iterator[_Arm]:
    while True:
        yield _Arm(node.test, node.body)
        following = node.orelse
        if len(following) == 1 and isinstance(following[0], ir.If) and following[0].is_elif:
            node = following[0]
            continue
        if following:
            yield _Arm(None, following)
        return


def _is_return(body: ir.Block) -> bool:
    return len(body) == 1 and isinstance(body[0], ir.Return) and body[0].value is not None


def _returns(code: Code, writer: Writer, first: ir.If, arms: list[_Arm]) -> Choice | None:
    """`if test: return a` and what is returned otherwise, here or by the statements that follow."""
    last: Any = arms[-1].body[-1]
    siblings = code.block(first.at)
    index = next(i for i, statement in enumerate(siblings) if statement.at == first.at)
    while arms[-1].test is not None:
        index += 1
        if index == len(siblings):
            return None
        following = siblings[index]
        if isinstance(following, ir.If) and all(_is_return(arm.body) for arm in _arms(following)):
            arms += _arms(following)
            last = arms[-1].body[-1]
        elif isinstance(following, ir.Return) and following.value is not None:
            arms.append(_Arm(None, (following,)))
            last = following
        else:
            return None
    values = [arm.body[0].value for arm in arms]  # type: ignore[union-attr]
    text = _nested(code, writer, [writer.truth(arm.test) for arm in arms[:-1]], values)
    return _rewritten(code, writer, first, last, [f"return {text}"])


def _nested(code: Code, writer: Writer, tests: list[str], values: list[Any]) -> str:
    """The choice of the first value whose test holds, the last one otherwise; tuples are chosen by element."""
    if all(isinstance(value, ir.SequenceDisplay) and value.kind == "tuple" for value in values):
        sizes = {len(value.elements) for value in values}
        if len(sizes) != 1:
            raise Untraceable
        columns = zip(*(value.elements for value in values), strict=False)
        return ", ".join(_nested(code, writer, tests, list(column)) for column in columns)
    if len(values) == 2:
        return _chosen(code, writer, tests[0], values[0], values[1])
    if not all(_is_value(code, value) for value in values):
        raise Untraceable
    texts = [writer.argument(value) for value in values]
    writer.groups.append(values)
    return _where(writer, values[0].at, tests, texts)


def _where(writer: Writer, at: int, tests: list[str], texts: list[str]) -> str:
    where = writer.name(at, "jax.numpy.where")
    text = texts[-1]
    for test, value in zip(reversed(tests), reversed(texts[:-1]), strict=False):
        text = f"{where}({test}, {value}, {text})"
    return text


def _only_assigns(body: ir.Block) -> bool:
    for statement in body:
        match statement:
            case ir.Assign(targets=(ir.Name(),)) | ir.AugmentedAssign(target=ir.Name()):
                pass
            case _:
                return False
    return True


def _assigns(code: Code, writer: Writer, first: ir.If, arms: list[_Arm]) -> Choice | None:
    """Names that the arms assign, each chosen among the values that they give it."""
    by_arm = [dict(_assigned(code, arm.body)) for arm in arms]
    if any(len(values) < len(arm.body) for values, arm in zip(by_arm, arms, strict=False)):
        return None
    names = list(dict.fromkeys(name for values in by_arm for name in values))
    if arms[-1].test is not None:
        by_arm.append({})
    if any(name not in values and not is_bound_before(code, name, first) for name in names for values in by_arm):
        return None
    tests = [writer.truth(arm.test) for arm in arms if arm.test is not None]
    lines: list[str] = []
    if len(names) > 1 and len(tests) == 1 and not isinstance(arms[0].test, ir.Name):
        condition = fresh_name(code, first.at, "condition")
        lines.append(f"{condition} = {tests[0]}")
        tests = [condition]
    made = {name: _of_name(code, writer, name, tests, by_arm) for name in names}
    if len(names) == 1 or not _depend(code, arms, names, bool(lines)):
        lines += [f"{name} = {text}" for name, text in made.items()]
    else:
        lines.append(f"{', '.join(made)} = {', '.join(made.values())}")
    last = next(arm.body[-1] for arm in reversed(arms) if arm.body)
    return _rewritten(code, writer, first, last, lines)


def _assigned(code: Code, body: ir.Block) -> Iterator[tuple[str, Any]]:
    """Each name that statements assign, with the statement; a value that reads an earlier one has no counterpart."""
    earlier: set[str] = set()
    for statement in body:
        target: Any = statement.targets[0] if isinstance(statement, ir.Assign) else statement.target  # type: ignore[union-attr]
        read = {n.id for n in code.inside(statement) if isinstance(n, ir.Name) and n.at != target.at}
        if earlier & read or (isinstance(statement, ir.AugmentedAssign) and target.id in earlier):
            raise Untraceable
        earlier.add(target.id)
        yield target.id, statement


def _of_name(code: Code, writer: Writer, name: str, tests: list[str], by_arm: list[dict[str, Any]]) -> str:
    statements = [values.get(name) for values in by_arm]
    if len(statements) == 2 and all(isinstance(statement, ir.Assign) for statement in statements):
        return _chosen(code, writer, tests[0], statements[0].value, statements[1].value)  # type: ignore[union-attr]
    texts = []
    writer.groups.append([_value_of(name, statement) for statement in statements])
    for statement in statements:
        if statement is None:
            texts.append(name)
        elif not _is_value(code, statement.value):
            raise Untraceable
        elif isinstance(statement, ir.AugmentedAssign):
            right = right_operand(code, statement.value.at, statement.op, in_brackets=True)
            texts.append(f"{name} {statement.op} {right}")
        else:
            texts.append(writer.argument(statement.value))
    at = next(statement.at for statement in statements if statement is not None)
    return _where(writer, at, tests, texts)


def _value_of(name: str, statement: Any) -> Any:  # noqa: ANN401 - a statement, and what it gives the name
    if statement is None or (isinstance(statement, ir.AugmentedAssign) and statement.op in ("+", "-", "*")):
        return name if statement is None else statement
    return statement.value


def _depend(code: Code, arms: list[_Arm], names: list[str], is_held: bool) -> bool:
    """Whether a value or a test reads a name that is assigned before it."""
    for arm in arms:
        if arm.test is not None and not is_held and _read(code, arm.test) & set(names):
            return True
        for statement in arm.body:
            if _read(code, statement.value) & set(names):  # type: ignore[union-attr]
                return True
    return False


def _read(code: Code, node: Any) -> set[str]:  # noqa: ANN401 - an expression
    return {inner.id for inner in (node, *code.inside(node)) if isinstance(inner, ir.Name)}


def is_bound_before(code: Code, name: str, statement: Any) -> bool:  # noqa: ANN401 - a statement
    """Whether a name has a value for sure where a statement starts: a parameter, or assigned above it."""
    owner = code.owner(statement.at)
    if isinstance(owner, ir.Function) and any(parameter.name == name for parameter in owner.parameters):
        return True
    around = statement
    while True:
        for sibling in code.block(around.at):
            if sibling.at < around.at and name in _bound_by(sibling):
                return True
        parent = code.parent(around.at)
        if parent is None or isinstance(parent, (ir.Function, ir.FunctionDefinition, ir.Class, ir.ClassDefinition)):
            return False
        if isinstance(parent, ir.For) and name in _targets(parent.target):
            return True
        around = code.statement(parent.at)


def _bound_by(statement: Any) -> set[str]:  # noqa: ANN401 - a statement
    match statement:
        case ir.Assign():
            return {name for target in statement.targets for name in _targets(target)}
        case ir.AnnotatedAssign() if statement.value is not None:
            return set(_targets(statement.target))
        case ir.With():
            inner = (_bound_by(s) for s in statement.body)
            return {name for names in inner for name in names}
        case ir.If() if statement.orelse:
            arms = [{n for s in arm.body for n in _bound_by(s)} for arm in _arms(statement)]
            return set.intersection(*arms) if arms else set()
        case _:
            return set()


def _targets(target: Any) -> Iterator[str]:  # noqa: ANN401 - an expression
    match target:
        case ir.Name():
            yield target.id
        case ir.SequenceDisplay():
            for element in target.elements:
                yield from _targets(element)
        case ir.Starred():
            yield from _targets(target.value)
        case _:
            pass


def _rewritten(code: Code, writer: Writer, first: ir.If, last: Any, lines: list[str]) -> Choice:  # noqa: ANN401
    """The lines in place of all statements from the first to the last."""
    start, end = code.span(first.at)[0], code.span(last.at)[1]
    semicolon = code.token_from(end)
    if code.text[slice(*semicolon)] == ";" and not code.text[end : semicolon[0]].strip(" \t"):
        end = semicolon[1]  # `if a: x = 1;`
    if code.text[slice(*code.token_from(end))] in ("else", "elif", "pass", ";"):
        raise Untraceable  # `pass` is no statement of the tree
    indentation = code.indentation(start)
    text = f"{code.newline}{indentation}".join(lines)
    if code.text[code.line_start(start) : start].strip():
        raise Untraceable
    kept = [comment for comment in comments(code, start, end) if comment not in text]
    text = f"{code.newline}{indentation}".join((*kept, text))
    return _told(writer, [Change(start, end, text), *writer.imports], lines[-1].partition("= ")[2] or lines[-1])
