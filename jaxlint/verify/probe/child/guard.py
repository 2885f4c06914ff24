"""Whether importing a module would run a program: decided from its statements, before any of it runs."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from typing import Any

#: Calls that a module may make at import as statements of their own: they set up, register or say something.
_SETTING_UP = re.compile(
    r"""(?x)
    (.*\.)?(config\.update|config\.parse_flags_with_absl|filterwarnings|simplefilter|set_printoptions|use|seed)
    | (.*\.)?(append|extend|insert|update|add|setdefault|pop|remove|clear|discard|register\w*|\w*_register|defvjps?
              |defjvps?|def_\w+|defdtype|setLevel|addHandler|basicConfig|set_theme|set_style|set_verbosity|enable
              |DEFINE_\w+|update_wrapper|mark_flags?_as_required)
    | (logging|warnings|logger|log|os\.environ)\.\w+ | sys\.path\.\w+ | sys\.set\w+ | os\.putenv
    | os\.(path\.\w+|getcwd|getenv|fspath) | (pathlib\.)?Path | (.*\.)?(resolve|absolute|joinpath|expanduser)
    | print|setattr|delattr
    """
)
_BUILTINS = frozenset(vars(builtins)) - {"exec", "eval", "input", "open", "__import__"}
_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def refusal(tree: ast.Module) -> dict[str, Any] | None:
    """Why the module must not be imported, with the line; None for a module that only defines things."""
    definitions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    found = next(_Guard(definitions).block(tree.body), None)
    return None if found is None else {"line": found[0], "reason": found[1]}


class _Guard:
    """Looks through statements that run at import; `definitions` are the module's own functions."""

    def __init__(self, definitions: dict[str, ast.FunctionDef]) -> None:
        self.definitions = definitions

    def block(self, statements: Sequence[ast.stmt]) -> Iterator[tuple[int, str]]:
        """The places that run a program, in order."""
        for statement in statements:
            yield from self._statement(statement)

    def _statement(self, node: ast.stmt) -> Iterator[tuple[int, str]]:
        if isinstance(node, ast.If):
            if "__name__" not in ast.dump(node.test):
                yield from self.block([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            handlers = [statement for handler in node.handlers for statement in handler.body]
            yield from self.block([*node.body, *handlers, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.With):
            yield from self.block(node.body)
        elif isinstance(node, _LOOPS):
            yield from self._loop(node)
        elif isinstance(node, ast.Expr):
            yield from self._expression(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            yield from self._assignment(node)

    def _loop(self, node: ast.stmt) -> Iterator[tuple[int, str]]:
        for call in _calls(node):
            name = _dotted(call.func)
            if name not in _BUILTINS and not _SETTING_UP.fullmatch(name):
                yield (
                    node.lineno,
                    f"a loop at line {node.lineno} calls {_shown(name)} when the module is imported",
                )
                return

    def _expression(self, node: ast.Expr) -> Iterator[tuple[int, str]]:
        for call in _calls(node):
            name = _dotted(call.func)
            if name not in _BUILTINS - {"print"} and not _SETTING_UP.fullmatch(name):
                yield node.lineno, f"line {node.lineno} calls {_shown(name)} when the module is imported"
                return

    def _assignment(self, node: ast.stmt) -> Iterator[tuple[int, str]]:
        for call in _calls(node):
            name = _dotted(call.func)
            if name == "input" or name.endswith((".parse_args", "sys.stdin.read")):
                yield node.lineno, f"line {node.lineno} calls `{name}` when the module is imported"
            elif name in self.definitions and self._loops(name, set()):
                yield node.lineno, f"line {node.lineno} calls `{name}`, which loops, when the module is imported"

    def _loops(self, name: str, seen: set[str]) -> bool:
        """Whether one of the module's functions loops over calls, itself or in what it calls."""
        if name in seen or name not in self.definitions:
            return False
        seen.add(name)
        definition = self.definitions[name]
        if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(definition)):
            return False  # calling a generator function runs nothing of it
        if any(isinstance(node, _LOOPS) and any(_calls(node)) for node in ast.walk(definition)):
            return True
        return any(self._loops(_dotted(call.func), seen) for call in _calls(definition))


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that run when `node` does, in order: those inside functions that it only defines do not."""
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, _FUNCTIONS) and not isinstance(node, ast.Module)):
            yield from _calls(child)


def _shown(name: str) -> str:
    return f"`{name}`" if name else "a function"


def _dotted(node: ast.expr) -> str:
    """`a.b.c` for a chain of names, with the called part left out of what is no name."""
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value)
        return f"{base}.{node.attr}" if base else f".{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
