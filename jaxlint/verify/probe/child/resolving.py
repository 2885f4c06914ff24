"""Writes expressions out until only literals, array constructors and what a module defines are left."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import ModuleType

Scope = Mapping[str, ast.expr]

_LIBRARIES = ("jax", "jax.numpy", "numpy", "jax.random", "jax.lax", "jax.tree_util", "jax.tree", "functools")
#: Constructors that only make values; nothing else of a library is called for an argument.
_CONSTRUCTORS = frozenset(
    {
        "array", "asarray", "ones", "zeros", "full", "arange", "linspace", "eye", "identity", "ones_like", "zeros_like",
        "full_like", "empty", "key", "PRNGKey", "split", "normal", "uniform", "randint", "bernoulli", "float32",
        "float64", "float16", "bfloat16", "int32", "int64", "int8", "uint8", "uint32", "bool_", "complex64",
    }
)  # fmt: skip
#: Members of libraries that take functions: with them a module applies what it defines.
_TRANSFORMS = frozenset(
    {
        "jit", "vmap", "pmap", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "jvp", "vjp", "linearize",
        "checkpoint", "remat", "scan", "fori_loop", "while_loop", "cond", "switch", "map", "associative_scan",
        "tree_map", "partial", "reduce",
    }
)  # fmt: skip
_UNKNOWN = ast.Name("?", ast.Load())


def scoped_calls(tree: ast.AST, scope: Scope | None = None) -> Iterator[tuple[ast.Call, Scope]]:
    """Each call with the expressions of the names that its function (or the module) assigns exactly once."""
    names = assigned_once(tree) if scope is None else scope
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield node, names
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from scoped_calls(node, {**names, **assigned_once(node)})
        else:
            yield from scoped_calls(node, names)


def assigned_once(scope: ast.AST) -> dict[str, ast.expr]:
    """The expressions of the names that a scope assigns once, and a mark for those that it assigns more often."""
    seen: dict[str, ast.expr | None] = {}
    for node in _own_nodes(scope):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            seen[node.id] = None
    singles = (n for n in _own_nodes(scope) if isinstance(n, ast.Assign) and len(n.targets) == 1)
    values: dict[str, ast.expr] = {}
    for node in singles:
        for name, value in _paired(node.targets[0], node.value):
            values[name] = value if name not in values else _UNKNOWN
    counted = [n.id for n in _own_nodes(scope) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return {name: values[name] if counted.count(name) == 1 and name in values else _UNKNOWN for name in seen}


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, entry in zip(target.elts, value.elts, strict=True):
            yield from _paired(part, entry)
    elif isinstance(target, ast.Tuple) and not any(isinstance(part, ast.Starred) for part in target.elts):
        for index, part in enumerate(target.elts):
            yield from _paired(part, ast.Subscript(value, ast.Constant(index), ast.Load()))


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _own_nodes(node)


class Resolver:
    """Writes out the expressions of one scope.

    `own` are the module's names that may be called or handed on, `top` is the scope of the module. Functions of the
    module are not written out: a lambda that is made again has lost its line.
    """

    def __init__(
        self, module: ModuleType, scope: Scope, own: frozenset[str] = frozenset(), top: Scope | None = None
    ) -> None:
        self.module = module
        self.scope = scope
        self.own = own
        self.top = top or {}
        self.depth = 0

    def resolve(self, node: ast.expr) -> ast.expr | None:
        """The expression written out, or None where it holds anything else."""
        self.depth += 1
        try:
            return self._resolve(node) if self.depth < 20 else None
        finally:
            self.depth -= 1

    def _resolve(self, node: ast.expr) -> ast.expr | None:  # noqa: PLR0911 - dispatches on the kinds of expressions
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Lambda):
            return self._lambda(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            base = self.resolve(node.value)
            return None if base is None or not _is_constant(node.slice) else ast.Subscript(base, node.slice, ast.Load())
        if isinstance(node, (ast.Tuple, ast.List)):
            entries = [self.resolve(entry) for entry in node.elts]
            kept = [entry for entry in entries if entry is not None]
            return type(node)(kept, ast.Load()) if len(kept) == len(entries) else None
        if isinstance(node, ast.Dict):
            return self._dict(node)
        if isinstance(node, ast.UnaryOp):
            operand = self.resolve(node.operand)
            return None if operand is None else ast.UnaryOp(node.op, operand)
        if isinstance(node, ast.BinOp):
            left, right = self.resolve(node.left), self.resolve(node.right)
            return None if left is None or right is None else ast.BinOp(left, node.op, right)
        return None

    def _name(self, node: ast.Name) -> ast.expr | None:
        value = vars(self.module).get(node.id)
        made = self.top.get(node.id, _UNKNOWN)
        is_top = made is not _UNKNOWN and self.scope.get(node.id) is made
        if is_top and node.id in self.own and _holds_functions(value):
            return node
        if node.id in self.scope:
            found = self.scope[node.id]
            return None if found is _UNKNOWN else self.resolve(found)
        if node.id in self.own or _is_transform(value, node.id):
            return node
        return (
            node
            if isinstance(value, (bool, int, float, str, tuple))
            or (hasattr(value, "dtype") and hasattr(value, "shape"))
            else None
        )

    def _attribute(self, node: ast.Attribute) -> ast.expr | None:
        known = _CONSTRUCTORS | _TRANSFORMS if self.own else _CONSTRUCTORS
        if self._library_member(node) in known:
            return node
        base = self.resolve(node.value) if self.own else None
        return None if base is None else ast.Attribute(base, node.attr, ast.Load())

    def _lambda(self, node: ast.Lambda) -> ast.expr | None:
        """A function written in place, where it takes nothing from the function around it."""
        inner = {n.id for n in ast.walk(node.body) if isinstance(n, ast.Name)}
        taken = inner & set(self.scope)
        own = {a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
        return node if self.own and not node.args.defaults and taken <= own else None

    def _dict(self, node: ast.Dict) -> ast.expr | None:
        values = [self.resolve(value) for value in node.values]
        kept = [value for value in values if value is not None]
        whole = len(kept) == len(values) and all(isinstance(key, ast.Constant) for key in node.keys)
        return ast.Dict(node.keys, kept) if whole else None

    def _call(self, node: ast.Call) -> ast.expr | None:
        function = node.func if self._library_member(node.func) in _CONSTRUCTORS else None
        if function is None and self.own:
            function = self.resolve(node.func)
        if function is None or any(isinstance(argument, ast.Starred) for argument in node.args):
            return None
        arguments = [self.resolve(argument) for argument in node.args]
        keywords = {k.arg: self.resolve(k.value) for k in node.keywords}
        if any(argument is None for argument in arguments) or any(v is None for v in keywords.values()):
            return None
        named = [ast.keyword(name, value) for name, value in keywords.items() if value is not None]
        return ast.Call(function, [argument for argument in arguments if argument is not None], named)

    def _library_member(self, node: ast.expr) -> str:
        """The last name of `jnp.ones` or `jax.random.key` where the chain starts at one of the libraries."""
        chain: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name) or inner.id in self.scope:
            return ""
        value = vars(self.module).get(inner.id)
        if isinstance(value, ModuleType) and value.__name__ in _LIBRARIES and chain:
            return chain[0]
        return ""


def _holds_functions(value: object) -> bool:
    """Whether a value is a function, or a container of some."""
    if isinstance(value, (list, tuple, dict)):
        return any(map(callable, value.values() if isinstance(value, dict) else value))
    return callable(value)


def _is_constant(index: ast.expr) -> bool:
    """Whether an index is written out: numbers, names of entries, slices of numbers."""
    parts = (ast.Constant, ast.UnaryOp, ast.USub, ast.Slice, ast.Tuple, ast.Load)
    return all(isinstance(node, parts) for node in ast.walk(index))


def _is_transform(value: object, name: str) -> bool:
    """Whether a name of the module is one that it imported from a library, as `from jax import jit`."""
    home = getattr(value, "__module__", None) or ""
    return name in _TRANSFORMS | _CONSTRUCTORS and home.partition(".")[0] in ("jax", "functools", "numpy")
