"""What a file calls a thing of a library: by the import that is there, or by one that is added."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Set
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias, Union

from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.names import is_stored_to, taken
from jaxlint.fixes.statement_edits import after, before
from jaxlint.jaxapi.libraries import libraries
from jaxlint.syntax import ir
from jaxlint.syntax.positions import LINE_BREAK

_Import: TypeAlias = Union[ir.Import, ir.ImportStar]

#: The import that people write for a module, and the name it binds; for anything else `import jax`.
_USUAL: Final = {"jax.numpy": ("import jax.numpy as jnp", "jnp"), "numpy": ("import numpy as np", "np")}
#: Submodules that need an import of their own: `import jax` does not load them.
_NOT_LOADED: Final = ("jax.experimental.", "jax.example_libraries.", "jax.extend.")


class Named(NamedTuple):
    """How a thing is called at a place, and the changes that make it so: none, or one import."""

    text: str
    changes: tuple[Change, ...] = ()


def name_of(code: Code, at: int, qualified: str) -> Named | None:
    """What the code around a node calls `qualified` ("jax.numpy.where"), importing it where nothing else names it.

    None where no import can be added: its name is taken.
    """
    module, _, member = qualified.rpartition(".")
    found = _by_import(code, at, qualified)
    usual = _USUAL.get(module)
    if found is not None and (usual is None or not found.startswith(f"{module}.")):
        return Named(found)
    if usual is not None and usual[1] not in _taken_anywhere(code, at):
        change = add_import(code, at, usual[0])
        return None if change is None else Named(f"{usual[1]}.{member}", (change,))
    if found is not None:
        return Named(found)
    root = qualified.partition(".")[0]
    if root in _taken_anywhere(code, at) or qualified.startswith(_NOT_LOADED):
        return None
    change = add_import(code, at, f"import {root}")
    return None if change is None else Named(qualified, (change,))


def import_of(code: Code, at: int, qualified: str) -> Named | None:
    """The full name, and the import of its module that `import jax` does not do; None where the name is taken."""
    root, module = qualified.partition(".")[0], qualified.rpartition(".")[0]
    bound = {imported for local, imported in _visible(code, at) if local == root}
    if bound != {root} and (bound or root in _taken_anywhere(code, at)):
        return None
    change = add_import(code, at, f"import {module}")
    return None if change is None else Named(qualified, (change,))


def qualified_name(code: Code, node: Any) -> str | None:  # noqa: ANN401 - an expression
    """What a dotted name stands for by the imports of the file ("numpy.linalg.norm"); None for anything else."""
    rest = ""
    while isinstance(node, ir.Attribute):
        rest = f".{node.attr}{rest}"
        node = node.base
    if not isinstance(node, ir.Name):
        return None
    found = (imported for local, imported in _visible(code, node.at) if local == node.id)
    imported = next(found, None)
    return None if imported is None else imported + rest


def _by_import(code: Code, at: int, qualified: str) -> str | None:
    """The shortest way from a name that is imported to the thing."""
    found = []
    for local, imported in _visible(code, at):
        if qualified == imported:
            found.append(local)
        elif qualified.startswith(f"{imported}.") and not qualified.startswith(_NOT_LOADED):
            found.append(local + qualified.removeprefix(imported))
    return min(found, key=lambda text: (text.count("."), text), default=None)


def _visible(code: Code, at: int) -> Iterator[tuple[str, str]]:
    """The bindings (local name, qualified name) of imports that hold at a node for sure."""
    hidden: set[str] = set()
    use = code.statement(at).at
    for owner in code.owners(at):
        own = [s for s in owner.body if isinstance(s, ir.Import) and s.at < use] if _is_function(owner) else []
        for local, imported in _bindings(own):
            if local not in hidden and _is_bound_once(code, local, owner):
                yield local, imported
        if _is_function(owner) or owner is code.owner(at):
            hidden |= owner.scope.bound
    top = [s for s in code.source.module.body if isinstance(s, ir.Import)]
    if code.owner(at) is None:
        top = [s for s in top if s.at < use]
    for local, imported in _bindings(top):
        if local not in hidden and _is_bound_once(code, local, None):
            yield local, imported


def _is_function(owner: ir.Function | ir.Class) -> bool:
    return isinstance(owner, ir.Function)


def _bindings(statements: list[ir.Import]) -> Iterator[tuple[str, str]]:
    for statement in statements:
        yield from statement.bindings


def _is_bound_once(code: Code, name: str, owner: ir.Function | ir.Class | None) -> bool:
    """Whether imports of one thing are all that binds the name."""
    meant: set[str] = set()
    for node in code.mentions(owner, name):
        match node:
            case ir.Name() if is_stored_to(code, node):
                return False
            case ir.FunctionDefinition() | ir.ClassDefinition():
                return False
            case ir.Import():
                meant.update(imported for local, imported in node.bindings if local == name)
            case _:
                pass
    return len(meant) == 1


def _taken_anywhere(code: Code, at: int) -> set[str]:
    """The names that an import at the top would hide, or that would hide it."""
    return (taken(code, at) | code.source.module.scope.bound).union(*(owner.scope.bound for owner in code.owners(at)))


def add_import(code: Code, at: int, statement: str) -> Change | None:
    """Put an import where a sorted file has it: in the section of other people's packages, above the use."""
    module = code.source.module
    use = code.statement(at).at
    top = next((s for s in reversed(module.body) if s.at <= use), None)
    imports = [s for s in module.body if isinstance(s, (ir.Import, ir.ImportStar)) and (top is None or s.at < top.at)]
    ours = [s for s in imports if _root(s) != "__future__"]
    if ours:
        wanted = statement.split()[1]
        is_standard = wanted.partition(".")[0] in sys.stdlib_module_names
        if is_standard and not any(_root(s) in sys.stdlib_module_names for s in ours):
            return before(code, ours[0], [statement, ""])
        section = _section(code, ours, sys.stdlib_module_names if is_standard else libraries().keys())
        earlier = [s for s in section if _is_plain(code, s) and _module(s) <= wanted]
        return after(code, earlier[-1], statement) if earlier else before(code, section[0], statement)
    return _first_import(code, imports, statement)


def _first_import(code: Code, future: list[_Import], statement: str) -> Change | None:
    """Put the first import of a file below its docstring and its `__future__` imports."""
    if future:
        return after(code, future[-1], ["", statement])
    body = code.source.module.body
    match body[0] if body else None:
        case ir.ExpressionStatement(value=ir.Constant(value=str())):
            return after(code, body[0], ["", statement])
        case None:
            return None
        case first:
            return before(code, first, [statement, "", ""])


def _section(code: Code, imports: list[_Import], roots: Set[str]) -> list[_Import]:
    """The imports without an empty line between them that hold one of these packages; the last ones if none does."""
    sections = [[imports[0]]]
    for earlier, later in pairwise(imports):
        between = code.text[code.span(earlier.at)[1] : code.span(later.at)[0]]
        if len(LINE_BREAK.findall(between)) > 1:
            sections.append([])
        sections[-1].append(later)
    return next((s for s in sections if any(_root(i) in roots for i in s)), sections[-1])


def _is_plain(code: Code, statement: _Import) -> bool:
    return code.segment(statement.at).startswith("import")


def _module(statement: _Import) -> str:
    return statement.module if isinstance(statement, ir.ImportStar) else statement.modules[0]


def _root(statement: _Import) -> str:
    return _module(statement).partition(".")[0]
