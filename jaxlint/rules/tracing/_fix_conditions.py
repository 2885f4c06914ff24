"""Truth values as arrays: what `and`, `not`, chains and Python's own functions say, said with `jax.numpy`."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.comment_edits import keeps_comments
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.precedence import Level, operand
from jaxlint.fixes.rebinding import is_simple_target
from jaxlint.syntax import ir


class Untraceable(Exception):  # noqa: N818 - it ends an attempt, and is no error
    """An expression has no counterpart that is computed without Python's truth."""


#: Builtins by the function of an array, and of two.
_BUILTINS: Final = {"max": ("max", "maximum"), "min": ("min", "minimum"), "any": ("any", ""), "all": ("all", ""),
                    "sorted": ("sort", "")}  # fmt: skip


class Writer:
    """Writes expressions that become part of others, and collects the imports that they need.

    `groups` are the values that became alternatives of a choice, by choice.
    """

    def __init__(self, code: Code) -> None:
        self.code = code
        self.imports: dict[Change, None] = {}
        self.groups: list[list[Any]] = []

    def name(self, at: int, qualified: str) -> str:
        """What the file calls a function of JAX.

        Raises:
            Untraceable: nothing can name it there.
        """
        named = name_of(self.code, at, qualified)
        if named is None:
            raise Untraceable
        self.imports |= dict.fromkeys(named.changes)
        return named.text

    def argument(self, node: Any) -> str:  # noqa: ANN401 - an expression
        """The text of an expression as an argument."""
        return operand(self.code, node.at, Level.NAMED, in_brackets=True)

    def truth(self, node: Any) -> str:  # noqa: ANN401 - an expression
        """A condition as an array of truth values, as an argument.

        Raises:
            Untraceable: part of it guards the rest, which may not be computed in any case.
        """
        match node:
            case ir.BooleanOperation():
                terms = [self.truth(term) for term in node.operands]
                function = self.name(node.at, f"jax.numpy.logical_{node.op}")
                text = terms[-1]
                for term in reversed(terms[:-1]):
                    text = f"{function}({term}, {text})"
                return text
            case ir.UnaryOperation(op="not"):
                return f"{self.name(node.at, 'jax.numpy.logical_not')}({self.truth(node.operand)})"
            case ir.Comparison():
                return self._comparison(node)
            case ir.Call(func=ir.Name(id="isinstance" | "hasattr" | "callable" | "issubclass")):
                raise Untraceable
            case ir.Call(func=ir.Name(id="bool"), args=(value,), keywords=()):
                return self.truth(value)
            case ir.Call(func=ir.Name(id=name)) if name in _BUILTINS:
                return self.builtin(node)
            case ir.Constant() | ir.NamedExpression() | ir.Await() | ir.Yield() | ir.Lambda():
                raise Untraceable
            case _:
                return self.argument(node)

    def _comparison(self, node: ir.Comparison) -> str:
        if any(op in ("is", "is not", "in", "not in") for op, _ in node.rest):
            raise Untraceable
        if any(isinstance(value, ir.Constant) and isinstance(value.value, str) for _, value in node.rest):
            raise Untraceable
        if len(node.rest) == 1:
            return self.argument(node)
        halves, left = [], node.left
        for index, (op, right) in enumerate(node.rest):
            if index < len(node.rest) - 1 and not (is_simple_target(right) or isinstance(right, ir.Constant)):
                raise Untraceable
            halves.append(f"{self._side(left)} {op} {self._side(right)}")
            left = right
        text = halves[-1]
        for half in reversed(halves[:-1]):
            text = f"{self.name(node.at, 'jax.numpy.logical_and')}({half}, {text})"
        return text

    def _side(self, node: Any) -> str:  # noqa: ANN401 - an expression
        return operand(self.code, node.at, Level.BIT_OR, in_brackets=True)

    def builtin(self, call: ir.Call) -> str:
        """`max(a, b)` as `jnp.maximum(a, b)`, `any(x)` as `jnp.any(x)`.

        Raises:
            Untraceable: it has options, or goes over something that may be no array.
        """
        known = _BUILTINS.get(getattr(call.func, "id", ""))
        arguments = list(call.args)
        if known is None or call.keywords or any(isinstance(argument, ir.Starred) for argument in arguments):
            raise Untraceable
        whole, pairwise = known
        if len(arguments) == 1 and isinstance(arguments[0], ir.SequenceDisplay) and pairwise:
            arguments = list(arguments[0].elements)
        if len(arguments) > 1 and pairwise and not any(isinstance(a, ir.Starred) for a in arguments):
            function = self.name(call.at, f"jax.numpy.{pairwise}")
            text = self.argument(arguments[-1])
            for argument in reversed(arguments[:-1]):
                text = f"{function}({self.argument(argument)}, {text})"
            return text
        if len(arguments) != 1:
            raise Untraceable
        return f"{self.name(call.at, f'jax.numpy.{whole}')}({self._array(arguments[0])})"

    def _array(self, node: Any) -> str:  # noqa: ANN401 - an expression
        """What a builtin goes over, as an array."""
        match node:
            case ir.SequenceDisplay(kind="list" | "tuple") | ir.Comprehension(kind="list"):
                return f"{self.name(node.at, 'jax.numpy.array')}({self.argument(node)})"
            case ir.Comprehension(kind="generator"):
                return f"{self.name(node.at, 'jax.numpy.array')}([{self.code.segment(node.at).strip('()')}])"
            case ir.SequenceDisplay() | ir.Comprehension() | ir.DictDisplay():
                raise Untraceable
            case _:
                return self.argument(node)

    def replace(self, node: Any, text: str) -> list[Change]:  # noqa: ANN401 - an expression
        """The changes that write another text for an expression.

        Raises:
            Untraceable: a comment would be lost.
        """
        start, end = self.code.outer(node.at)
        if not keeps_comments(self.code, start, end, text):
            raise Untraceable
        return [Change(start, end, text), *self.imports]


def condition_around(code: Code, at: int) -> Any:  # noqa: ANN401 - an expression
    """The largest condition that an expression is part of: `a < b and not c`."""
    node = code.node(at)
    while True:
        parent = code.parent(node.at)
        match parent:
            case ir.BooleanOperation() | ir.UnaryOperation(op="not"):
                node = parent
            case ir.Comparison() if len(parent.rest) > 1:
                node = parent
            case _:
                return node


def says_truth(node: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether the form of an expression says that it is true or false, not some value."""
    match node:
        case ir.Comparison() | ir.UnaryOperation(op="not") | ir.Constant(value=bool()):
            return True
        case ir.UnaryOperation(op="~"):
            return says_truth(node.operand)
        case ir.BinaryOperation(op="&" | "|"):
            return says_truth(node.left) or says_truth(node.right)
        case ir.BooleanOperation():
            return all(map(says_truth, node.operands))
        case ir.Call(func=ir.Attribute(attr=name)) | ir.Call(func=ir.Name(id=name)):
            return name in ("any", "all", "bool") or name.startswith(("is", "logical_"))
        case _:
            return False
