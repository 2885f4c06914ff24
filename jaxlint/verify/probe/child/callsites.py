"""Arguments from the calls of a function in its own module, as far as literals and array constructors make them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Any

import jax

from .inputs import Abstract, Argument, Static

_LIBRARIES = ("jax", "jax.numpy", "numpy", "jax.random", "jax.lax")
#: Constructors that only make values; anything else is not called.
_CONSTRUCTORS = frozenset(
    """array asarray ones zeros full arange linspace eye identity ones_like zeros_like full_like empty key PRNGKey
    split normal uniform randint bernoulli float32 float64 float16 bfloat16 int32 int64 int8 uint8 uint32 bool_
    complex64 reshape astype""".split()
)


class CallSites:
    """The calls of one function that its module shows, with arguments made of literals and array constructors."""

    def __init__(self, tree: ast.Module, module: ModuleType, function: Callable[..., Any]) -> None:
        self.module = module
        aliases = _aliases(module, function)
        self.found = [call for call in _scoped_calls(tree) if _is_call_of(call[0], aliases)]

    def sources(self, signature: inspect.Signature) -> Iterator[Callable[[inspect.Parameter], Argument | None]]:
        """One source for each call that can be read."""
        for call, scope in self.found[:8]:
            arguments = self._arguments(call, scope, signature)
            if arguments:
                yield _source(arguments)

    def _arguments(self, call: ast.Call, scope: Mapping[str, ast.expr], signature: inspect.Signature) -> dict[str, Any]:
        if any(isinstance(argument, ast.Starred) for argument in call.args) or any(
            k.arg is None for k in call.keywords
        ):
            return {}
        try:
            bound = signature.bind_partial(*call.args, **{str(k.arg): k.value for k in call.keywords})
        except TypeError:
            return {}
        result = {}
        for name, node in bound.arguments.items():
            if isinstance(node, ast.expr):
                value = self._value(node, scope)
                if value is not None:
                    result[name] = Argument(value, f"call at line {call.lineno}")
        return result

    def _value(self, node: ast.expr, scope: Mapping[str, ast.expr]) -> Any:
        resolved = _Resolver(self.module, scope).resolve(node)
        if resolved is None:
            return None
        return evaluated(resolved, self.module)


def evaluated(node: ast.expr, module: ModuleType) -> Any:
    """A nest of leaves: arrays that the expression makes are abstract, the rest is as it stands. None if it fails."""
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "<call site>", "eval")
    holder: list[Any] = []

    def build() -> Any:
        made = eval(code, dict(vars(module)))
        leaves, structure = jax.tree_util.tree_flatten(made)
        holder.append((structure, leaves))
        return [leaf for leaf in leaves if _is_array(leaf)]

    try:
        shapes = iter(jax.eval_shape(build))
    except Exception:  # whatever library code raises: this call says nothing
        return None
    structure, leaves = holder[-1]
    kept = [Abstract(next(shapes)) if _is_array(leaf) else Static(leaf) for leaf in leaves]
    try:
        return jax.tree_util.tree_unflatten(structure, kept)
    except Exception:
        return None


def _is_array(leaf: Any) -> bool:
    return hasattr(leaf, "dtype") and hasattr(leaf, "shape")


def _source(arguments: Mapping[str, Argument]) -> Callable[[inspect.Parameter], Argument | None]:
    return lambda parameter: arguments.get(parameter.name)


def _aliases(module: ModuleType, function: Callable[..., Any]) -> set[str]:
    """The names of the module under which the function, or a wrapper of it, is called."""
    inner = inspect.unwrap(function)
    return {
        name
        for name, value in vars(module).items()
        if callable(value) and (value is function or inspect.unwrap(value) is inner)
    }


def _is_call_of(call: ast.Call, names: set[str]) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in names


def _scoped_calls(
    tree: ast.AST, scope: Mapping[str, ast.expr] | None = None
) -> Iterator[tuple[ast.Call, Mapping[str, ast.expr]]]:
    """Each call with the expressions of the names that its function (or the module) assigns exactly once."""
    names = _assigned_once(tree) if scope is None else scope
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield node, names
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _scoped_calls(node, {**names, **_assigned_once(node)})
        else:
            yield from _scoped_calls(node, names)


def _assigned_once(scope: ast.AST) -> dict[str, ast.expr]:
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


_UNKNOWN = ast.Name("?", ast.Load())


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, entry in zip(target.elts, value.elts):
            yield from _paired(part, entry)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            yield from _own_nodes(node)


class _Resolver:
    """Writes an expression out until only literals, array constructors and module constants are left."""

    def __init__(self, module: ModuleType, scope: Mapping[str, ast.expr]) -> None:
        self.module = module
        self.scope = scope
        self.depth = 0

    def resolve(self, node: ast.expr) -> ast.expr | None:
        """The expression written out, or None where it holds anything else."""
        self.depth += 1
        try:
            return self._resolve(node) if self.depth < 20 else None
        finally:
            self.depth -= 1

    def _resolve(self, node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return node if self._library_member(node) in _CONSTRUCTORS else None
        if isinstance(node, ast.Call):
            return self._call(node)
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
        if node.id in self.scope:
            found = self.scope[node.id]
            return None if found is _UNKNOWN else self.resolve(found)
        value = vars(self.module).get(node.id)
        return node if isinstance(value, (bool, int, float, str, tuple)) or _is_array(value) else None

    def _dict(self, node: ast.Dict) -> ast.expr | None:
        values = [self.resolve(value) for value in node.values]
        kept = [value for value in values if value is not None]
        whole = len(kept) == len(values) and all(isinstance(key, ast.Constant) for key in node.keys)
        return ast.Dict(node.keys, kept) if whole else None

    def _call(self, node: ast.Call) -> ast.expr | None:
        if self._library_member(node.func) not in _CONSTRUCTORS:
            return None
        arguments = [self.resolve(argument) for argument in node.args]
        keywords = {k.arg: self.resolve(k.value) for k in node.keywords}
        if any(argument is None for argument in arguments) or any(v is None for v in keywords.values()):
            return None
        named = [ast.keyword(name, value) for name, value in keywords.items() if value is not None]
        return ast.Call(node.func, [argument for argument in arguments if argument is not None], named)

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
