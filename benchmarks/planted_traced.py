"""Which functions of a code base run under `jit`: those handed to it by name, and those that these call.

Under `jit` and in the bodies of `scan` and its like the result of every operation of `jax.numpy` is a tracer, whatever
its arguments are, which is what lets mistakes be planted without following values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from planted_program import Class, Function, Kind, Module, Program, owner_of

#: Transforms that stage what they are given, with the positions of the functions among their arguments.
STAGING = {
    "jax.jit": (0,),
    "jax.pmap": (0,),
    "equinox.filter_jit": (0,),
    "equinox.filter_pmap": (0,),
    "flax.nnx.jit": (0,),
    "flax.linen.jit": (),
    "jax.lax.scan": (0,),
    "jax.lax.map": (0,),
    "jax.lax.fori_loop": (2,),
    "jax.lax.while_loop": (0, 1),
    "jax.lax.cond": (1, 2),
    "numpyro.infer.NUTS": (0,),
    "numpyro.infer.HMC": (0,),
    "numpyro.infer.SVI": (0, 1),
    "numpyro.infer.svi.SVI": (0, 1),
}
#: Transforms under which code is as staged as around them.
PASSING = frozenset(
    {
        "jax.vmap",
        "jax.grad",
        "jax.value_and_grad",
        "jax.checkpoint",
        "jax.remat",
        "functools.partial",
        "equinox.filter_vmap",
        "equinox.filter_grad",
        "equinox.filter_value_and_grad",
        "flax.nnx.grad",
        "flax.nnx.value_and_grad",
        "flax.nnx.vmap",
        "haiku.transform",
        "haiku.transform_with_state",
        "haiku.without_apply_rng",
    }
)
DECORATORS = frozenset(
    {"staticmethod", "classmethod", "flax.linen.compact", "flax.linen.nowrap", "typing.override", "override"}
)
DEEPEST = 2
#: Words in a test that ask how the code is run.
ASKS = ("tracer", "concrete", "disable_jit", "typing.type_checking", "initializing")


@dataclass(frozen=True, slots=True)
class Reached:
    """A function that is traced: how many calls lie between the transform and it, and through which framework."""

    function: Function
    depth: int
    by: str
    framework: str


class Traces:
    """What of a program is traced, found by name."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.reached: dict[Function, Reached] = {}
        self._of_parameters: dict[Function, dict[str, set[Kind]]] = {}
        self._applies_models = False
        self._applied = list(self._modules_behind_states())
        for module in program.modules:
            self._note_arguments(module)
        for module in program.modules:
            self._roots(module)
        if self._applies_models:
            for of in self._whole_models():
                method = program.method(of, "__call__")
                if method is not None:
                    self._reach(method, 1, "apply")

    # -- where tracing begins ------------------------------------------------------------------------------------

    def _roots(self, module: Module) -> None:
        for function in module.all_functions:
            for decorator in function.node.decorator_list:
                name = self._transform(decorator, module, function.outer)
                if name in STAGING:
                    self._reach(function, 0, name.rpartition(".")[2])
        for inside, call in calls_of(module):
            self._follow_transform(call, module, inside, 0)

    def _transform(self, decorator: ast.expr, module: Module, scope: Function | None) -> str | None:
        """`jax.jit`, `jax.jit(...)` or `partial(jax.jit, ...)` as a decorator."""
        if isinstance(decorator, ast.Call):
            name = self.program.full_name(decorator.func, module, scope)
            if name == "functools.partial" and decorator.args:
                return self.program.full_name(decorator.args[0], module, scope)
            return name
        return self.program.full_name(decorator, module, scope)

    def _follow_transform(self, call: ast.Call, module: Module, inside: Function | None, depth: int) -> None:
        name = self.program.full_name(call.func, module, inside)
        for position in STAGING.get(name or "", ()):
            if position < len(call.args):
                for function, calls in self._functions(call.args[position], module, inside):
                    self._reach(function, depth + calls, (name or "").rpartition(".")[2])

    def _functions(
        self, node: ast.expr, module: Module, inside: Function | None, turns: int = 4
    ) -> Iterator[tuple[Function, int]]:
        """The functions that an expression names, behind other transforms, and the calls that lead to them."""
        match node:
            case ast.Call(func=called, args=[first, *_]) if turns:
                if self.program.full_name(called, module, inside) in PASSING:
                    yield from self._functions(first, module, inside, turns - 1)
            case ast.Name() | ast.Attribute():
                yield from ((function, 0) for function in self.named(node, module, inside))
            case _:
                pass

    def named(self, node: ast.expr, module: Module, inside: Function | None) -> Iterator[Function]:
        """The functions that a name, a method or an instance stands for."""
        if isinstance(node, ast.Name):
            scope = inside
            while scope is not None:
                if node.id in scope.inner:
                    yield scope.inner[node.id]
                    return
                scope = scope.outer
        known = self.program.definition(self.program.full_name(node, module, inside))
        if isinstance(known, Function):
            yield known
            return
        if isinstance(node, ast.Attribute):
            yield from self._method(node, module, inside)
        yield from self._called_instance(node, module, inside, "__call__")

    def _method(self, node: ast.Attribute, module: Module, inside: Function | None) -> Iterator[Function]:
        owner = owner_of(inside)
        if isinstance(node.value, ast.Name) and node.value.id == "self" and owner is not None:
            method = self.program.method(owner, node.attr)
            if method is not None:
                yield method
        elif node.attr == "apply":
            for kind in self._kinds(node.value, module, inside):
                if isinstance(kind.of, Class) and self.program.framework(kind.of) == "linen":
                    yield from filter(None, [self.program.method(kind.of, "__call__")])
        elif node.attr == "apply_fn":
            for of in self._applied:
                yield from filter(None, [self.program.method(of, "__call__")])
        else:
            yield from self._called_instance(node.value, module, inside, node.attr)

    def _called_instance(
        self, node: ast.expr, module: Module, inside: Function | None, name: str
    ) -> Iterator[Function]:
        for kind in self._kinds(node, module, inside):
            if isinstance(kind.of, Class) and not kind.many:
                yield from filter(None, [self.program.method(kind.of, name)])

    def _kinds(self, node: ast.expr, module: Module, inside: Function | None) -> set[Kind]:
        kind = self.program.kind(node, module, inside)
        if kind is not None:
            return {kind}
        scope = inside
        while isinstance(node, ast.Name) and scope is not None:
            if node.id in scope.bound:
                return self._of_parameters.get(scope, {}).get(node.id, set())
            scope = scope.outer
        return set()

    # -- what is known of arguments ------------------------------------------------------------------------------

    def _note_arguments(self, module: Module) -> None:
        """Modules that functions of this file get as positional arguments."""
        for inside, call in calls_of(module):
            if not isinstance(call.func, ast.Name):
                continue
            functions = list(self.named(call.func, module, inside))
            for function in functions[:1]:
                for parameter, argument in zip(function.parameters, call.args, strict=False):
                    kind = self.program.kind(argument, module, inside)
                    if kind is not None:
                        self._of_parameters.setdefault(function, {}).setdefault(parameter.arg, set()).add(kind)

    def _whole_models(self) -> Iterator[Class]:
        """The linen modules that no other module makes: those that a program applies, whatever name it has them by."""
        made = {
            self.program.definition(self.program.full_name(call.func, module, inside))
            for module in self.program.modules
            for inside, call in calls_of(module)
            if owner_of(inside) is not None and self.program.framework(owner_of(inside)) == "linen"  # type: ignore[arg-type]
        }
        for module in self.program.modules:
            for of in module.classes.values():
                if self.program.framework(of) == "linen" and of not in made:
                    yield of

    def _modules_behind_states(self) -> Iterator[Class]:
        """The linen modules whose `apply` is given to something as `apply_fn`."""
        for module in self.program.modules:
            for inside, call in calls_of(module):
                for keyword in call.keywords:
                    match keyword:
                        case ast.keyword(arg="apply_fn", value=ast.Attribute(value=model, attr="apply")):
                            kind = self.program.kind(model, module, inside)
                            if kind is not None and isinstance(kind.of, Class):
                                yield kind.of
                        case _:
                            pass

    # -- where it leads ------------------------------------------------------------------------------------------

    def _reach(self, function: Function, depth: int, by: str) -> None:
        known = self.reached.get(function)
        if depth > DEEPEST or (known is not None and known.depth <= depth) or not self._is_plain(function):
            return
        self.reached[function] = Reached(function, depth, by, self.framework(function))
        module = function.module
        for node in self._unconditional(function.node.body):
            if not isinstance(node, ast.Call):
                continue
            name = self.program.full_name(node.func, module, function)
            if name in STAGING or name in PASSING:
                self._follow_transform(node, module, function, depth)
                self._follow_passing(node, name or "", function, depth, by)
            else:
                if isinstance(node.func, ast.Attribute) and node.func.attr in ("apply", "apply_fn"):
                    self._applies_models = True
                for callee in self._callees(node.func, module, function):
                    self._reach(callee, depth + 1, by)

    def _callees(self, called: ast.expr, module: Module, function: Function) -> Iterator[Function]:
        if isinstance(called, ast.Name | ast.Attribute):
            yield from self.named(called, module, function)
        elif isinstance(called, ast.Call):
            kind = self.program.kind(called, module, function)
            if kind is not None and isinstance(kind.of, Class):
                yield from filter(None, [self.program.method(kind.of, "__call__")])

    def _follow_passing(self, call: ast.Call, name: str, function: Function, depth: int, by: str) -> None:
        """`jax.grad(loss)` in traced code: somebody will call it."""
        if name in PASSING and call.args:
            for inner, calls in self._functions(call, function.module, function):
                is_own = inner.outer is function
                self._reach(inner, depth + calls + (0 if is_own else 1), by)

    def _unconditional(self, body: list[ast.stmt]) -> Iterator[ast.AST]:
        """The nodes of a body, without what only runs where the code is not traced, or may raise."""
        pending: list[ast.AST] = list(reversed(body))
        while pending:
            node = pending.pop()
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda | ast.Try):
                continue
            if isinstance(node, ast.If | ast.IfExp) and any(a in ast.unparse(node.test).lower() for a in ASKS):
                continue
            yield node
            pending.extend(reversed(list(ast.iter_child_nodes(node))))

    def _is_plain(self, function: Function) -> bool:
        """Whether its body runs as it stands: no decorator that nobody knows, no generator."""
        for decorator in function.node.decorator_list:
            name = self._transform(decorator, function.module, function.outer)
            plain = decorator.id if isinstance(decorator, ast.Name) else None
            if not (name in STAGING or name in PASSING or name in DECORATORS or plain in DECORATORS):
                return False
        return not any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Await) for node in function.own())

    def framework(self, function: Function) -> str:
        owner = owner_of(function)
        of_class = self.program.framework(owner) if owner is not None else None
        if of_class is not None:
            return of_class
        names = {
            self.program.full_name(node, function.module, function)
            for node in ast.walk(function.node)
            if isinstance(node, ast.Attribute)
        }
        for framework in ("numpyro", "haiku", "equinox"):
            if any(name is not None and name.startswith(f"{framework}.") for name in names):
                return framework
        if any(name is not None and name.startswith("flax.nnx.") for name in names):
            return "nnx"
        attributes = {node.attr for node in ast.walk(function.node) if isinstance(node, ast.Attribute)}
        return "linen step" if attributes & {"apply_fn", "apply_gradients"} else "plain"


def calls_of(module: Module) -> Iterator[tuple[Function | None, ast.Call]]:
    """The calls of a file, each with the function that it stands in."""
    inside: dict[int, Function] = {}
    for function in module.all_functions:
        for node in function.own():
            inside[id(node)] = function
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            yield inside.get(id(node)), node
