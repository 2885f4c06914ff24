# ruff: noqa: E501 - tables of code
"""Each construct of Python becomes the node that stands for it."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from jaxlint.syntax import ir
from jaxlint.syntax.source import Failure, SourceFile, read

sys.path.insert(0, str(Path(__file__).parent))
from walk import nodes, placed


def source(code: str, name: str = "pkg.mod", *, is_package: bool = False) -> SourceFile:
    result = read("mod.py", code.encode(), name, is_package, want_positions=True)
    assert isinstance(result, SourceFile), result
    return result


def statement(code: str) -> ir.Stmt:
    return source(code + "\n").module.body[0]


def expression(code: str) -> ir.Expr:
    found = statement(code)
    assert isinstance(found, ir.ExpressionStatement)
    return found.value


@pytest.mark.parametrize(
    "literal",
    ["1", "0x_ff", "0b11", "1_000", "00", "1.5", "1e3", ".5", "1_0.0", "2j", "1e2J", "True", "None", "...", "'a'", '"a"',
     r"'\n\t\\\''", r"r'\n'", r"b'\x00\377'", r"'\x41\u0041\U00000041\101\N{DIGIT ONE}'", r"rb'\x'", "u'x'", "''", '""""""',
     "'''a\nb'''", "'a' 'b'", "b'a' B'b'", r"'\d'", "'a\\\nb'", "'\\777'", '"""a"b"""', "'é'", "''''a'''"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_literals_mean_what_python_says(literal: str) -> None:
    found = expression(literal)
    assert isinstance(found, ir.Constant)
    assert found.value == ast.literal_eval(literal)
    assert type(found.value) is type(ast.literal_eval(literal))


def test_huge_integers_are_refused_in_decimal_only() -> None:
    failure = read("m.py", b"x = 1\ny = " + b"9" * 5000 + b"\n", "m", False)
    assert isinstance(failure, Failure)
    assert (failure.code, failure.line, failure.column) == ("analysis-limited", 2, 5)
    assert source("0x" + "f" * 5000).module.body


def test_binary_spines_nest_up_to_the_limit_and_chain_beyond() -> None:
    short = expression("+".join("a" * 5))
    assert isinstance(short, ir.BinaryOperation)
    assert isinstance(short.left, ir.BinaryOperation)
    assert short.right.at > short.left.at
    terms = "-".join(f"x{number}" for number in range(ir.CHAIN_LIMIT + 10))
    chain = expression(terms)
    assert isinstance(chain, ir.BinaryChain)
    assert [operand.id for _, operand in chain.rest][:2] == ["x1", "x2"]  # type: ignore[union-attr]
    assert len(chain.rest) == ir.CHAIN_LIMIT + 9


def test_boolean_operations_flatten_but_keep_parentheses() -> None:
    flat = expression("a and b and c or d")
    assert isinstance(flat, ir.BooleanOperation)
    assert [type(x).__name__ for x in flat.operands] == ["BooleanOperation", "Name"]
    assert len(flat.operands[0].operands) == 3  # type: ignore[union-attr]
    kept = expression("(a and b) and c")
    assert isinstance(kept, ir.BooleanOperation)
    assert len(kept.operands) == 2


def test_calls_keep_stars_and_keywords() -> None:
    call = expression("f(a, *b, c=1, **d)")
    assert isinstance(call, ir.Call)
    assert [type(x).__name__ for x in call.args] == ["Name", "Starred"]
    assert [key for key, _ in call.keywords] == ["c", None]


def test_subscripts() -> None:
    tuple_index, same = expression("x[a, 1:2]"), expression("x[(a, b)]")
    assert isinstance(tuple_index, ir.Subscript)
    assert isinstance(tuple_index.index[1], ir.Slice)
    assert isinstance(same, ir.Subscript)
    assert len(same.index) == 2
    assert isinstance(expression("x[*a]").index[0], ir.Starred)  # type: ignore[union-attr]


def test_formatted_strings() -> None:
    found = expression('''f"{{a}}{x!r:>{w}}\\n{y=}" "z"''')
    assert isinstance(found, ir.FormattedString)
    text, first, newline, second, last = found.parts
    assert isinstance(text, ir.Constant)
    assert isinstance(last, ir.Constant)
    assert (text.value, newline.value, last.value) == ("{a}", "\n", "z")  # type: ignore[union-attr]
    assert isinstance(first, ir.FormattedValue)
    assert isinstance(second, ir.FormattedValue)
    assert first.conversion == second.conversion == "r"
    assert isinstance(first.spec[1], ir.FormattedValue)


def test_comprehension_targets_stay_inside_but_walrus_binds_outside() -> None:
    module = source("def f(xs):\n    return [(y := x) for x in xs for z in x if z]\n").module
    function = module.body[0].function  # type: ignore[union-attr]
    assert function.scope.bound == {"xs", "y"}


def test_scopes_and_qualified_names() -> None:
    code = """
class A(B, metaclass=M):
    field: int
    @deco
    def method(self, x=lambda: 0):
        global g
        g = 1
        def inner():
            nonlocal x
            x = yield
        class C: pass
        return lambda a: a
def late(): import a.b as c, d.e; from . import k; del q, (r); [t for t in k]
"""
    module = source(code).module
    functions = {x.qualname: x for x in nodes(module) if isinstance(x, ir.Function)}
    assert sorted(functions) == [
        "A.<lambda>", "A.method", "A.method.<locals>.<lambda>", "A.method.<locals>.inner", "late",
    ]  # fmt: skip
    assert [functions[n].index for n in ("A.method", "A.<lambda>", "A.method.<locals>.inner", "late")] == [0, 1, 2, 4]
    assert functions["A.method"].scope == ir.Scope(
        frozenset({"self", "x", "inner", "C"}), frozenset({"g"}), frozenset()
    )
    assert functions["A.method.<locals>.inner"].is_generator
    assert functions["A.method.<locals>.inner"].scope.bound == frozenset()
    assert functions["late"].scope.bound == {"c", "d", "k", "q", "r"}
    classes = [x for x in nodes(module) if isinstance(x, ir.Class)]
    assert [c.qualname for c in classes] == ["A", "A.method.<locals>.C"]
    assert classes[0].scope.bound == {"field", "method"}
    assert (module.function_count, module.class_count) == (5, 2)


@pytest.mark.parametrize(
    ("code", "name", "is_package", "binding"),
    [
        ("import a.b", "m", False, ("a", "a")),
        ("import a.b as c", "m", False, ("c", "a.b")),
        ("from a import b as c", "m", False, ("c", "a.b")),
        ("from . import b", "p.m", False, ("b", "p.b")),
        ("from . import b", "p.q", True, ("b", "p.q.b")),
        ("from ..x import b", "p.q.m", False, ("b", "p.x.b")),
        ("from . import random", "script", False, ("random", ".random")),
        ("from ...jax import b", "p.m", False, ("b", "...jax.b")),
    ],
)
def test_imports_are_absolute(code: str, name: str, is_package: bool, binding: tuple[str, str]) -> None:
    found = source(code, name, is_package=is_package).module.body[0]
    assert isinstance(found, ir.Import)
    assert found.bindings == (binding,)


def test_import_star_and_modules() -> None:
    star, several = source("from .a import *\nimport x.y, z\n").module.body
    assert isinstance(star, ir.ImportStar)
    assert star.module == "pkg.a"
    assert isinstance(several, ir.Import)
    assert several.modules == ("x.y", "z")


def test_elif_chains() -> None:
    found = statement("if a: pass\nelif b: x\nelse: y")
    assert isinstance(found, ir.If)
    (inner,) = found.orelse
    assert isinstance(inner, ir.If)
    assert inner.is_elif
    assert not found.is_elif
    assert len(inner.orelse) == 1


def test_match_patterns_bind() -> None:
    code = (
        "match x:\n case [1, *r] | {'k': v, **m}: pass\n case P(a, k=b) as c if a: pass\n"
        " case None: pass\n case _: pass"
    )
    found = source(code).module
    assert found.scope.bound == {"r", "v", "m", "a", "b", "c"}
    match = found.body[0]
    assert isinstance(match, ir.Match)
    assert [type(case.pattern).__name__ for case in match.cases] == [
        "MatchOr", "MatchCapture", "MatchValue", "MatchCapture",
    ]  # fmt: skip


NEW_SYNTAX = [
    't"{x}"', "try: x\nexcept A, B: y", "type X[T] = list[T]", "def f[T: int, *Ts, **P](x: T) -> T: pass",
    "class A[T]: pass", "try: x\nexcept* E as e: y", 'f"{d["k"]}"', "async def f():\n async with a as b: await c",
    "with (a as b, c): pass", "def f(a, /, b, *, c): pass", "x = yield_ = 1", "lambda *a, k=1, **w: (yield)",
    "def f[T = int](): pass", "async def f(): return [x async for x in y]", "@(a := b)\ndef f(): pass",
    "for x in *a, b: pass", "del (a, b), c[0]", "assert a, b", "raise A from B", "while a: break\nelse: continue", "x: int",
]  # fmt: skip


@pytest.mark.parametrize("code", NEW_SYNTAX)
def test_syntax_of_all_versions_is_read_on_any(code: str) -> None:
    found = source(code)
    assert len({node.at for node in placed(found.module)}) == len(placed(found.module))  # type: ignore[attr-defined]
    assert all(found.segment(at).strip() for at in range(found.module.node_count))
