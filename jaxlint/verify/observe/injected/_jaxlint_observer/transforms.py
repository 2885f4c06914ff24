"""Replaces JAX's public transforms by ones that hand JAX a twin of each function; nothing else about them changes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

from . import calls, draws, events, frames, host, lifecycle, modules, records, runs, twins
from .entries import Options

#: Transforms by module: where their functions stand among the arguments, by index and name.
_FUN = ((0, "fun"), (None, "f"))
_TABLE: dict[str, dict[str, Sequence[tuple[int | None, str]]]] = {
    "jax": {
        **dict.fromkeys(
            ("jit", "pmap", "vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "jvp", "vjp",
             "linearize", "checkpoint", "remat", "eval_shape", "make_jaxpr", "shard_map"), _FUN
        ),
    },
    "jax.lax": {
        "scan": ((0, "f"),),
        "map": ((0, "f"),),
        "while_loop": ((0, "cond_fun"), (1, "body_fun")),
        "fori_loop": ((2, "body_fun"),),
        "cond": ((1, "true_fun"), (2, "false_fun")),
        "switch": ((1, "branches"),),
        "associative_scan": ((0, "fn"),),
    },
    "jax.experimental.shard_map": {"shard_map": _FUN},
    "jax.experimental.pjit": {"pjit": _FUN},
}  # fmt: skip
#: Names of one and the same transform.
_KINDS = {"remat": "checkpoint", "pjit": "jit"}
_DERIVATIVES = {"custom_jvp": ("defjvp",), "custom_vjp": ("defvjp",)}


def install(jax: ModuleType) -> None:
    """Observe this JAX from now on."""
    frames.learn_jax(jax)
    jaxlib = sys.modules.get("jaxlib")
    records.emit("jax", version=jax.__version__, jaxlib=str(getattr(jaxlib, "__version__", "")))
    model = getattr(jax.jit, "__wrapped__", jax.jit)
    if isinstance(model, FunctionType):
        twins.adopt(model)
    for name, table in _TABLE.items():
        modules.on_import(name, functools.partial(_replace_all, table))
    for name, methods in _DERIVATIVES.items():
        _observe_derivative(getattr(jax, name), name, methods)
    _observe_clearing(jax)
    events.listen(jax)
    host.install(jax)
    modules.on_import("jax.random", draws.install)
    lifecycle.tell_at_end("announced", events.announced)
    lifecycle.after_fork(events.forget)


def _replace_all(table: dict[str, Sequence[tuple[int | None, str]]], module: ModuleType) -> None:
    for name, positions in table.items():
        real = vars(module).get(name)  # not `getattr`: it would warn of those that are deprecated
        if callable(real):
            setattr(module, name, _observed(real, _KINDS.get(name, name), positions))


def _observed(real: Callable[..., Any], kind: str, positions: Sequence[tuple[int | None, str]]) -> Callable[..., Any]:
    """`real`, which gets twins of the functions that stand at `positions`."""

    @functools.wraps(real)
    def transform(*args: Any, **kwargs: Any) -> Any:
        replaced = _replaced(kind, positions, args, kwargs)
        try:
            if replaced is None:
                made = real(*args, **kwargs)
                return _deferred(made, kind, kwargs) if not args and callable(made) else made
            given, args, kwargs = replaced
            return _finished(real(*args, **kwargs), given, kind)
        except BaseException as error:
            frames.leave_out(error)
            _refused(kind, error)
            raise

    return twins.disguised(transform)


@records.guarded
def _replaced(
    kind: str, positions: Sequence[tuple[int | None, str]], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, tuple[Any, ...], dict[str, Any]] | None:
    """The first function that was replaced with its twin, and the arguments as they are to be; None without any."""
    twins.release()
    listed, named = list(args), dict(kwargs)
    options = _options(kind, kwargs)
    first = None
    for index, name in positions:
        place: Any = (named, name) if index is None or index >= len(listed) else (listed, index)
        if place[0] is named and name not in named:
            continue
        given = place[0][place[1]]
        made = _twins_of(given, kind, options)
        if made is not given:
            place[0][place[1]] = made
            first = first or (given, made)
    return None if first is None else (first, tuple(listed), named)


@records.guarded
def _refused(kind: str, error: BaseException) -> None:
    """The transform itself raised, or what it ran at once."""
    if not runs.state().stack:
        about = [type(error).__name__, frames.call_site(sys._getframe(3)), str(error)[:200]]
        records.emit("refused", transform=kind, error=about)


def _twins_of(given: Any, kind: str, options: Options) -> Any:
    if isinstance(given, (list, tuple)):
        made = [twins.twin_of(item, kind, options) if callable(item) else item for item in given]
        changed = any(new is not old for new, old in zip(made, given))
        return type(given)(made) if changed and type(given) in (list, tuple) else given
    return twins.twin_of(given, kind, options) if callable(given) else given


def _options(kind: str, kwargs: dict[str, Any]) -> Options:
    names = "static_broadcasted_argnums" if kind == "pmap" else "static_argnums"
    return Options(_several(kwargs.get(names), int), _several(kwargs.get("static_argnames"), str))


def _several(value: Any, one: type) -> tuple[Any, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, one) else tuple(value)


def _deferred(made: Callable[..., Any], kind: str, options: dict[str, Any]) -> Callable[..., Any]:
    """`jit(static_argnames=...)`: the decorator that comes out gets the function later."""
    if type(made) is twins.Twin or not isinstance(made, (functools.partial, FunctionType)):
        return made

    def decorate(function: Any, *args: Any, **kwargs: Any) -> Any:
        replaced = _replaced(kind, _FUN, (function, *args), {**options, **kwargs})
        try:
            if replaced is None:
                return made(function, *args, **kwargs)
            given, new, _ = replaced
            return _finished(made(*new, **kwargs), given, kind)
        except BaseException as error:
            frames.leave_out(error)
            raise

    return twins.disguised(decorate)


def _finished(result: Any, given: Any, kind: str) -> Any:
    """The transform's result, which shows the user's own function as what it wraps."""
    original, twin = given
    if getattr(result, "__wrapped__", None) is twin:
        try:
            result.__wrapped__ = original
        except (AttributeError, TypeError):
            return result
    return calls.counted(result, twin) if kind in ("jit", "pmap", "filter_jit") else result


def _observe_derivative(cls: Any, kind: str, methods: Sequence[str]) -> None:
    """Observe functions with derivatives of their own where the object is made: the class stays the same one."""
    make = cls.__init__

    @functools.wraps(make)
    def initialise(self: Any, fun: Any, *args: Any, **kwargs: Any) -> None:
        replaced = _replaced(kind, _FUN, (fun,), {})
        make(self, fun if replaced is None else replaced[1][0], *args, **kwargs)
        if replaced is not None:
            _finished(self, replaced[0], kind)

    cls.__init__ = twins.disguised(initialise)
    for name in methods:
        _observe_rules(cls, name, kind)


def _observe_rules(cls: Any, name: str, kind: str) -> None:
    real = getattr(cls, name)

    @functools.wraps(real)
    def define(self: Any, *rules: Any, **kwargs: Any) -> Any:
        made = [twins.twin_of(rule, f"{kind} rule") if callable(rule) else rule for rule in rules]
        result = real(self, *made, **kwargs)
        given = next((rule for rule, new in zip(rules, made) if new is result), None)
        return result if given is None else given

    setattr(cls, name, twins.disguised(define))


def _observe_clearing(jax: ModuleType) -> None:
    real = getattr(jax, "clear_caches", None)
    if real is None:
        return

    @functools.wraps(real)
    def clear_caches() -> None:
        records.guarded(records.emit)("cleared")
        real()

    jax.clear_caches = twins.disguised(clear_caches)  # type: ignore[attr-defined]


def _observe_equinox(equinox: ModuleType) -> None:
    """Equinox's jit takes plain functions as what they are: their stand-in is a function too."""
    real = equinox.filter_jit

    @functools.wraps(real)
    def filter_jit(*args: Any, **kwargs: Any) -> Any:
        if args and type(args[0]) is FunctionType:
            return real(_function_twin(args[0]), *args[1:], **kwargs)
        if "fun" in kwargs and type(kwargs["fun"]) is FunctionType:
            return real(**{**kwargs, "fun": _function_twin(kwargs["fun"])})
        if not args:
            made = real(**kwargs)
            return (
                (lambda fun: made(_function_twin(fun) if type(fun) is FunctionType else fun))
                if callable(made)
                else made
            )
        return real(*args, **kwargs)

    equinox.filter_jit = twins.disguised(filter_jit)  # type: ignore[attr-defined]


def _function_twin(function: FunctionType) -> Any:
    twin = records.guarded(twins.twin_of)(function, "filter_jit")
    return twin.as_function() if type(twin) is twins.Twin else function


#: What is observed when it is imported, after JAX.
LATER: dict[str, Callable[[ModuleType], None]] = {"equinox": _observe_equinox}
