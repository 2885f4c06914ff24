"""A code base as Python's own `ast` shows it: its functions, its classes, and what some names and calls mean.

It shares nothing with the analysis of jaxlint, whose recall is measured with it. What it cannot tell is `None`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

Definition = ast.FunctionDef | ast.AsyncFunctionDef
#: Base classes whose instances are modules, by framework.
MODULES = {
    "flax.linen.Module": "linen",
    "flax.nnx.Module": "nnx",
    "equinox.Module": "equinox",
    "haiku.Module": "haiku",
}
#: Where the layers of a framework live: what such a layer returns is an array.
LAYERS = ("flax.linen.", "flax.nnx.", "equinox.nn.", "haiku.")


@dataclass(eq=False, slots=True)
class Function:
    """A definition, with the class and the function that it stands in."""

    module: Module
    node: ast.FunctionDef
    owner: Class | None
    outer: Function | None
    name: str
    inner: dict[str, Function] = field(default_factory=dict)
    bound: dict[str, list[ast.expr | None]] = field(default_factory=dict)

    def own(self) -> Iterator[ast.AST]:
        """The nodes of the body, those of functions and classes in it left out."""
        yield from nodes_of(self.node.body)

    @property
    def parameters(self) -> list[ast.arg]:
        """The parameters that have names, in order."""
        arguments = self.node.args
        return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


@dataclass(eq=False, slots=True)
class Class:
    """A class of the code base: its methods, and what is assigned to attributes of `self` or annotated in its body."""

    module: Module
    node: ast.ClassDef
    methods: dict[str, Function] = field(default_factory=dict)
    attributes: dict[str, list[tuple[ast.expr, Function | None]]] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Module:
    """A file: `dotted` is its name counted from the root of the code base."""

    path: Path
    dotted: str
    text: str
    tree: ast.Module
    imports: dict[str, str] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    bound: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    all_functions: list[Function] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value is an instance of: a class of the code base, or the full name of a library's; or a list of those."""

    of: Class | str
    many: bool = False


def nodes_of(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of some statements, without what stands in functions and classes among them."""
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        if isinstance(node, Definition | ast.ClassDef | ast.Lambda):
            continue
        yield node
        pending.extend(reversed(list(ast.iter_child_nodes(node))))


class Program:
    """All modules under a folder."""

    def __init__(self, root: Path, files: list[Path]) -> None:
        self.modules: list[Module] = []
        self._by_name: dict[str, list[Module]] = {}
        for path in files:
            module = _read(root, path)
            if module is None:
                continue
            self.modules.append(module)
            parts = module.dotted.split(".")
            for start in range(len(parts)):
                self._by_name.setdefault(".".join(parts[start:]), []).append(module)

    # -- names ---------------------------------------------------------------------------------------------------

    def full_name(self, node: ast.expr, module: Module, function: Function | None) -> str | None:
        """The full name of what an expression names, counted from an import or from its own module."""
        match node:
            case ast.Name(id=name):
                if _is_local(name, function):
                    return None
                if name in module.imports:
                    return module.imports[name]
                known = name in module.functions or name in module.classes
                return f"{module.dotted}.{name}" if known else None
            case ast.Attribute(value=base, attr=attribute):
                of_base = self.full_name(base, module, function)
                return None if of_base is None else f"{of_base}.{attribute}"
            case _:
                return None

    def definition(self, name: str | None, turns: int = 5) -> Function | Class | None:
        """The function or class of the code base with this full name, through imports of imports."""
        if name is None or turns == 0 or "." not in name:
            return None
        prefix, _, last = name.rpartition(".")
        found = self._by_name.get(prefix, [])
        exact = [module for module in found if module.dotted == prefix]
        candidates = exact or found
        if len(candidates) != 1:
            return None
        module = candidates[0]
        if last in module.functions:
            return module.functions[last]
        if last in module.classes:
            return module.classes[last]
        return self.definition(module.imports.get(last), turns - 1)

    # -- classes -------------------------------------------------------------------------------------------------

    def lineage(self, of: Class, turns: int = 6) -> Iterator[Class | str]:
        """A class, its bases in the code base, and the full names of those in libraries."""
        yield of
        for base in of.node.bases if turns else []:
            name = self.full_name(base, of.module, None)
            known = self.definition(name)
            if isinstance(known, Class) and known is not of and name not in MODULES:
                yield from self.lineage(known, turns - 1)
            elif name is not None:
                yield name

    def framework(self, of: Class) -> str | None:
        """The framework that a class makes modules of."""
        names = (MODULES[base] for base in self.lineage(of) if isinstance(base, str) and base in MODULES)
        return next(names, None)

    def method(self, of: Class, name: str) -> Function | None:
        """The method that a class has or inherits."""
        for base in self.lineage(of):
            if isinstance(base, Class) and name in base.methods:
                return base.methods[name]
        return None

    # -- values --------------------------------------------------------------------------------------------------

    def kind(self, node: ast.expr, module: Module, function: Function | None, turns: int = 6) -> Kind | None:
        """What an expression is an instance of, where one assignment or annotation says it."""
        if turns == 0:
            return None
        match node:
            case ast.Call(func=called):
                name = self.full_name(called, module, function)
                known = self.definition(name)
                if isinstance(known, Class):
                    return Kind(known)
                is_layer = known is None and name is not None and name.startswith(LAYERS)
                return Kind(name) if is_layer and name is not None and name.rpartition(".")[2][:1].isupper() else None
            case ast.ListComp(elt=element) | ast.List(elts=[element, *_]):
                of_element = self.kind(element, module, function, turns - 1)
                return None if of_element is None else Kind(of_element.of, many=True)
            case ast.Subscript(value=base):
                of_base = self.kind(base, module, function, turns - 1)
                return Kind(of_base.of) if of_base is not None and of_base.many else None
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                owner = owner_of(function)
                return None if owner is None else self._attribute(owner, attribute, turns)
            case ast.Name(id=name):
                return self._variable(name, module, function, turns)
            case _:
                return None

    def _attribute(self, owner: Class, attribute: str, turns: int) -> Kind | None:
        for base in self.lineage(owner):
            values = base.attributes.get(attribute, []) if isinstance(base, Class) else []
            kinds = [self._of_value(value, base.module, inside, turns) for value, inside in values]  # type: ignore[union-attr]
            if values:
                return kinds[0] if len(set(kinds)) == 1 else None
        return None

    def _of_value(self, value: ast.expr, module: Module, inside: Function | None, turns: int) -> Kind | None:
        """Of what is assigned, or, outside of functions, of an annotation."""
        return self.annotated(value, module) if inside is None else self.kind(value, module, inside, turns - 1)

    def annotated(self, annotation: ast.expr | None, module: Module) -> Kind | None:
        """What a value with this annotation is an instance of."""
        if annotation is None:
            return None
        known = self.definition(self.full_name(annotation, module, None))
        return Kind(known) if isinstance(known, Class) else None

    def _variable(self, name: str, module: Module, function: Function | None, turns: int) -> Kind | None:
        scope = function
        while scope is not None:
            if name in scope.bound:
                values = scope.bound[name]
                argument = next((a for a in scope.parameters if a.arg == name), None)
                if argument is not None:
                    return self.annotated(argument.annotation, module) if len(values) == 1 else None
                value = values[0] if len(values) == 1 else None
                if isinstance(value, ast.Starred):  # what a loop takes an element of
                    whole = self.kind(value.value, module, scope, turns - 1)
                    return Kind(whole.of) if whole is not None and whole.many else None
                return None if value is None else self.kind(value, module, scope, turns - 1)
            scope = scope.outer
        values = module.bound.get(name, [])
        value = values[0] if len(values) == 1 else None
        return None if value is None else self.kind(value, module, None, turns - 1)


def owner_of(function: Function | None) -> Class | None:
    """The class whose `self` a function sees."""
    while function is not None:
        if function.owner is not None:
            return function.owner
        function = function.outer
    return None


def _is_local(name: str, function: Function | None) -> bool:
    while function is not None:
        if name in function.bound or name in function.inner:
            return True
        function = function.outer
    return False


def _read(root: Path, path: Path) -> Module | None:
    try:
        text = path.read_text("utf-8")
        tree = ast.parse(text)
    except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError):
        return None
    parts = list(path.relative_to(root).with_suffix("").parts)
    is_package = parts[-1] == "__init__"
    parts = parts[:-1] if is_package else parts
    module = Module(path, ".".join(parts), text, tree)
    _imports(module, parts if is_package else parts[:-1])
    _definitions(module, tree.body, None, None, "")
    module.bound = _bound(tree.body)
    return module


def _imports(module: Module, package: list[str]) -> None:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                module.imports[alias.asname or name] = ".".join([*_beside(module, package, name), name])
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else _beside(module, package, node.module)
            prefix = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                module.imports[alias.asname or alias.name] = f"{prefix}.{alias.name}"


def _beside(module: Module, package: list[str], name: str | None) -> list[str]:
    """The folder of a script, where what it imports lies in the same folder."""
    first = (name or "").partition(".")[0]
    return package if (module.path.parent / f"{first}.py").is_file() and first else []


def _definitions(
    module: Module, body: list[ast.stmt], owner: Class | None, outer: Function | None, prefix: str
) -> None:
    for statement in _statements(body):
        if isinstance(statement, ast.FunctionDef):
            name = f"{prefix}{statement.name}"
            function = Function(module, statement, owner, outer, name)
            function.bound = _bound(statement.body)
            for argument in ast.walk(statement.args):
                if isinstance(argument, ast.arg):
                    function.bound.setdefault(argument.arg, []).append(None)
            module.all_functions.append(function)
            if owner is not None:
                owner.methods[statement.name] = function
                _attributes(owner, function)
            elif outer is not None:
                outer.inner[statement.name] = function
            else:
                module.functions[statement.name] = function
            _definitions(module, statement.body, None, function, f"{name}.")
        elif isinstance(statement, ast.ClassDef):
            known = Class(module, statement)
            if owner is None and outer is None:
                module.classes[statement.name] = known
            for line in statement.body:
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    known.attributes.setdefault(line.target.id, []).append((line.annotation, None))
            _definitions(module, statement.body, known, outer, f"{prefix}{statement.name}.")


def _attributes(owner: Class, function: Function) -> None:
    for node in function.own():
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=attribute)], value=value):
                owner.attributes.setdefault(attribute, []).append((value, function))
            case _:
                pass


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block and of the blocks in it that make no scope."""
    for statement in body:
        yield statement
        if not isinstance(statement, Definition | ast.ClassDef):
            for part in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, part, []))


def _bound(body: list[ast.stmt]) -> dict[str, list[ast.expr | None]]:
    """The names that a scope binds, with the value of each binding: None where it is no plain assignment."""
    found: dict[str, list[ast.expr | None]] = {}
    plain: set[int] = set()
    for node in nodes_of(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
                found.setdefault(name, []).append(value)
                plain.add(id(target))
            case ast.For(target=ast.Name(id=name) as target, iter=value):
                found.setdefault(name, []).append(ast.Starred(value=value))
                plain.add(id(target))
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in plain:
                found.setdefault(name, []).append(None)
            case _:
                pass
    return found
