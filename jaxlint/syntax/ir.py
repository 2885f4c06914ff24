"""The intermediate representation: Python as plain tuples, with nothing of libcst and nothing of JAX.

Every node ends in `at`, its ordinal: the index of its span in the table of positions. Nodes are named tuples, which
pickle fast and hold no cycle, and children tuples. Compare nodes by `at`: `==` would compare whole trees.
"""

from __future__ import annotations

from enum import IntEnum
from types import EllipsisType
from typing import TypeAlias, Union

from jaxlint.syntax.clocks import Clock
from jaxlint.syntax.match_patterns import Pattern
from jaxlint.syntax.node import Node

ConstantValue: TypeAlias = Union[bool, int, float, complex, str, bytes, EllipsisType, None]

# --- expressions


class Name(Node):
    """A read of a name, or a name being bound where it stands as a target."""

    id: str
    at: int


class Attribute(Node):
    """`base.attr`."""

    base: Expr
    attr: str
    at: int


class Subscript(Node):
    """`base[index]`; `x[a, b]` and `x[(a, b)]` both have two elements."""

    base: Expr
    index: tuple[Expr, ...]
    at: int


class Slice(Node):
    """`lower:upper:step` inside a subscript."""

    lower: Expr | None
    upper: Expr | None
    step: Expr | None
    at: int


class Call(Node):
    """`func(*args, **keywords)`; `*xs` stands in `args` as Starred, `**kw` has the keyword None."""

    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[tuple[str | None, Expr], ...]
    at: int


class Constant(Node):
    """A literal: number, string, bytes, True, False, None or `...`."""

    value: ConstantValue
    at: int


class BinaryOperation(Node):
    """`left op right`; `op` is the operator's spelling."""

    op: str
    left: Expr
    right: Expr
    at: int


class BinaryChain(Node):
    """A left-associative spine longer than CHAIN_LIMIT: `first op operand op operand ...`, in order."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]
    at: int


#: Binary spines up to this length stay nested BinaryOperations; longer ones are flattened.
CHAIN_LIMIT = 32


class UnaryOperation(Node):
    """`op operand`; `op` is `-`, `+`, `~` or `not`."""

    op: str
    operand: Expr
    at: int


class BooleanOperation(Node):
    """`a and b and c`: one operator, all its operands."""

    op: str
    operands: tuple[Expr, ...]
    at: int


class Comparison(Node):
    """`left op right op right ...`; operators are spelled as in the source, `not in` and `is not` in full."""

    left: Expr
    rest: tuple[tuple[str, Expr], ...]
    at: int


class Conditional(Node):
    """`body if test else orelse`."""

    test: Expr
    body: Expr
    orelse: Expr
    at: int


class SequenceDisplay(Node):
    """A tuple, list or set display; as a target, a pattern to unpack. `kind` is "tuple", "list" or "set"."""

    kind: str
    elements: tuple[Expr, ...]
    at: int


class DictDisplay(Node):
    """A dict display; `**mapping` has the key None."""

    items: tuple[tuple[Expr | None, Expr], ...]
    at: int


class Lambda(Node):
    """A lambda; its Function has one Return as body."""

    function: Function
    at: int


class Generator(Node):
    """One `for target in iter if ...` of a comprehension."""

    target: Expr
    iter: Expr
    conditions: tuple[Expr, ...]


class Comprehension(Node):
    """A scope of its own. `kind` is "list", "set", "dict" or "generator"; `value` is set for dicts only."""

    kind: str
    element: Expr
    value: Expr | None
    generators: tuple[Generator, ...]
    at: int


class FormattedValue(Node):
    """One `{value!conversion:spec}` of an f-string; `spec` holds the literal and formatted parts of the format spec."""

    value: Expr
    conversion: str | None
    spec: tuple[Expr, ...]
    at: int


class FormattedString(Node):
    """An f-string or t-string, or a concatenation that holds one: Constants and FormattedValues in order."""

    parts: tuple[Expr, ...]
    at: int


class Starred(Node):
    """`*value` in a call, a display or a target."""

    value: Expr
    at: int


class Await(Node):
    """`await value`."""

    value: Expr
    at: int


class Yield(Node):
    """`yield value`, or `yield from value` where `is_from`."""

    value: Expr | None
    is_from: bool
    at: int


class NamedExpression(Node):
    """`target := value`."""

    target: Name
    value: Expr
    at: int


Expr: TypeAlias = Union[
    Name, Attribute, Subscript, Slice, Call, Constant, BinaryOperation, BinaryChain, UnaryOperation,
    BooleanOperation, Comparison, Conditional, SequenceDisplay, DictDisplay, Lambda, Comprehension,
    FormattedValue, FormattedString, Starred, Await, Yield, NamedExpression,
]  # fmt: skip


# --- statements

Block: TypeAlias = "tuple[Stmt, ...]"


class ExpressionStatement(Node):
    """An expression whose value is thrown away."""

    value: Expr
    at: int


class Assign(Node):
    """`a = b = value`, targets from left to right."""

    targets: tuple[Expr, ...]
    value: Expr
    at: int


class AnnotatedAssign(Node):
    """`target: annotation = value`; `value` is None where there is none."""

    target: Expr
    annotation: Expr
    value: Expr | None
    at: int


class AugmentedAssign(Node):
    """`target op= value`; `op` is spelled without `=`."""

    target: Expr
    op: str
    value: Expr
    at: int


class Return(Node):
    """`return value`."""

    value: Expr | None
    at: int


class If(Node):
    """`if`; an `elif` is an If alone in `orelse` with `is_elif`. `at` covers the header `if test` only."""

    test: Expr
    body: Block
    orelse: Block
    is_elif: bool
    at: int


class While(Node):
    """`while test:`."""

    test: Expr
    body: Block
    orelse: Block
    at: int


class For(Node):
    """`for target in iter:`."""

    target: Expr
    iter: Expr
    body: Block
    orelse: Block
    is_async: bool
    at: int


class WithItem(Node):
    """`context as target`."""

    context: Expr
    target: Expr | None


class With(Node):
    """`with item, item:`."""

    items: tuple[WithItem, ...]
    body: Block
    is_async: bool
    at: int


class Handler(Node):
    """`except type as name:`."""

    type: Expr | None
    name: str | None
    body: Block
    at: int


class Try(Node):
    """`try`; `except*` is lowered alike."""

    body: Block
    handlers: tuple[Handler, ...]
    orelse: Block
    final: Block
    at: int


class Raise(Node):
    """`raise exception from cause`."""

    exception: Expr | None
    cause: Expr | None
    at: int


class Assert(Node):
    """`assert test, message`."""

    test: Expr
    message: Expr | None
    at: int


class Delete(Node):
    """`del a, b[i]`."""

    targets: tuple[Expr, ...]
    at: int


class Jump(Node):
    """`break` or `continue`; `pass` is not lowered."""

    kind: str
    at: int


class Import(Node):
    """Bindings (local name, qualified name) of one import statement, relative names made absolute.

    `import a.b` binds ("a", "a"); `modules` lists every module that the statement loads.
    """

    bindings: tuple[tuple[str, str], ...]
    modules: tuple[str, ...]
    at: int


class ImportStar(Node):
    """`from module import *`."""

    module: str
    at: int


class ScopeDeclaration(Node):
    """`global a, b` or `nonlocal a, b`: `kind` tells which."""

    kind: str
    names: tuple[str, ...]
    at: int


class FunctionDefinition(Node):
    """`def`."""

    function: Function
    at: int


class ClassDefinition(Node):
    """`class`."""

    cls: Class
    at: int


class Match(Node):
    """`match subject:` with its cases (pattern, guard, body)."""

    subject: Expr
    cases: tuple[MatchCase, ...]
    at: int


class MatchCase(Node):
    """`case pattern if guard:`."""

    pattern: Pattern
    guard: Expr | None
    body: Block
    at: int


Stmt: TypeAlias = Union[
    ExpressionStatement, Assign, AnnotatedAssign, AugmentedAssign, Return, If, While, For, With, Try, Raise,
    Assert, Delete, Jump, Import, ImportStar, ScopeDeclaration, FunctionDefinition, ClassDefinition, Match, Clock,
]  # fmt: skip


# --- functions, classes, modules


class ParameterKind(IntEnum):
    """How a parameter takes its argument."""

    POSITIONAL_ONLY = 0
    POSITIONAL = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4


class Parameter(Node):
    """One parameter. `at` covers its name."""

    name: str
    kind: ParameterKind
    default: Expr | None
    annotation: Expr | None
    at: int


class Scope(Node):
    """The names that a function, class or module binds itself, and those it declares to belong elsewhere."""

    bound: frozenset[str]
    globals: frozenset[str]
    nonlocals: frozenset[str]


class Function(Node):
    """A def or lambda.

    `index` numbers the functions of a module; `at` covers the header's name (a lambda: all of it). `qualname` is
    Python's own, with `<locals>` and `<lambda>`; `node_count` is that of the body.
    """

    name: str
    qualname: str
    parameters: tuple[Parameter, ...]
    body: Block
    decorators: tuple[Expr, ...]
    returns: Expr | None
    scope: Scope
    is_async: bool
    is_generator: bool
    is_lambda: bool
    node_count: int
    index: int
    at: int


class Class(Node):
    """A class statement. `at` covers its name."""

    name: str
    qualname: str
    bases: tuple[Expr, ...]
    keywords: tuple[tuple[str | None, Expr], ...]
    decorators: tuple[Expr, ...]
    body: Block
    scope: Scope
    index: int
    at: int


class Module(Node):
    """One file. `name` is its dotted import name; `function_count` and `class_count` bound the indices.

    `imports` are all dotted names that statements at any depth may load as modules, in order of the alphabet.
    """

    name: str
    is_package: bool
    body: Block
    scope: Scope
    imports: tuple[str, ...]
    function_count: int
    class_count: int
    node_count: int
