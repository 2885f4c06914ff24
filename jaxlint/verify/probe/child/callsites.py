"""Arguments from the calls of a function in its own module, as far as literals and array constructors make them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any

import jax

from .inputs import Abstract, Argument, Static
from .resolving import Resolver, Scope, scoped_calls

#: Some name that the module is said to define: expressions may then hold functions.
_WITH_FUNCTIONS = frozenset({""})


class CallSites:
    """The calls of one function that its module shows, with arguments made of literals and array constructors."""

    def __init__(self, tree: ast.Module, module: ModuleType, function: Callable[..., Any]) -> None:
        self.module = module
        aliases = _aliases(module, function)
        self.found = [call for call in scoped_calls(tree) if _is_call_of(call[0], aliases)]

    def sources(self, signature: inspect.Signature) -> Iterator[Callable[[inspect.Parameter], Argument | None]]:
        """One source for each call that can be read."""
        for call, scope in self.found[:8]:
            arguments = self._arguments(call, scope, signature)
            if arguments:
                yield _source(arguments)

    def _arguments(self, call: ast.Call, scope: Scope, signature: inspect.Signature) -> dict[str, Any]:
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
            value = self._several(node, scope)
            if value is not None:
                result[name] = Argument(value, f"call at line {call.lineno}")
        return result

    def _several(self, node: Any, scope: Scope) -> Any:
        """The value of an argument, or of all that `*args` or `**kwargs` takes; None where one is not known."""
        match node:
            case tuple():
                values = [self._value(each, scope) for each in node]
                return None if any(value is None for value in values) else values
            case dict():
                named = {name: self._value(each, scope) for name, each in node.items()}
                return None if any(value is None for value in named.values()) else named
            case _:
                return self._value(node, scope)

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        function = self._function(node, scope)
        if function is not None:
            return Static(function)
        resolved = Resolver(self.module, scope).resolve(node)
        if resolved is None:
            return None
        return evaluated(resolved, self.module)

    def _function(self, node: ast.expr, scope: Scope) -> Any:
        """A function that is handed on: one of the module's, or one written in place."""
        if isinstance(node, ast.Lambda):
            written = Resolver(self.module, scope, _WITH_FUNCTIONS).resolve(node)
            return None if written is None else eval(_compiled(written), dict(vars(self.module)))
        found = vars(self.module).get(node.id) if isinstance(node, ast.Name) and node.id not in scope else None
        return found if inspect.isfunction(found) else None


def evaluated(node: ast.expr, module: ModuleType) -> Any:
    """A nest of leaves: arrays that the expression makes are abstract, the rest is as it stands. None if it fails."""
    code = _compiled(node)
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


def _compiled(node: ast.expr) -> CodeType:
    return compile(ast.fix_missing_locations(ast.Expression(node)), "<call site>", "eval")


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
