"""What flows through the flagged expressions: each kind of value is recorded when it is first seen at a point."""

from __future__ import annotations

import builtins
import functools
import json
import os
import runpy
import sys
import weakref
from collections import deque
from importlib.machinery import SourceFileLoader
from types import CodeType, FrameType, ModuleType
from typing import Any

from . import baked, caches, calls, endings, keys, kinds, lifecycle, passes, records, rewriting, runs, trees

_watch_list: dict[str, dict[str, Any]] = {}
_watch: dict[int, str] = {}
_seen: dict[int, set[Any]] = {}
_clocks: set[int] = set()
_rewritten: dict[str, str] = {}
_made_before: dict[int, bytes | None] = {}
_looked: dict[int, int] = {}
_settled: set[int] = set()
_pending: deque[Any] = deque(maxlen=200)
_MAX_KINDS = 40
#: Transforms that run a function for each row at once, and those that run it again and again: a key with data that
#: comes there is the same for all.
_MAPPING = frozenset({"vmap", "pmap"})
_REPEATING = frozenset({"scan", "fori_loop", "while_loop", "map"})
#: How often a key, and a clock, is looked at: what has not come up by then is told with that number.
_MAX_PASSES = 2_000
_MAX_READS = 256


def arm() -> None:
    """Put points into the files of the watch list as they are loaded, if there is one."""
    path = os.path.join(records.folder(), "watch_list.json")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        _watch_list.update(json.load(file))
    for watched in _watch_list.values():
        _watch.update({point["n"]: point["watch"] for point in watched["points"]})
    _clocks.update(number for number, watch in _watch.items() if watch == "clock")
    setattr(builtins, rewriting.POINT, point)
    setattr(builtins, rewriting.RAISED, endings.tell_raised)
    _chain_loader()
    _chain_runpy()
    runs.when_idle(keys.let_go)
    lifecycle.at_end(_tell_the_rest)
    lifecycle.at_end(_tell_stale)
    lifecycle.at_end(endings.tell_last_error)


# --- how points get into code


def _chain_loader() -> None:
    """Compile watched modules with their points, and neither read nor write their `.pyc`.

    Loaders that compile in a way of their own are left alone: what they rewrite is no longer what was checked.
    """
    real, plain = SourceFileLoader.get_code, SourceFileLoader.source_to_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        path = os.path.realpath(self.path)
        if path not in _watch_list:
            return real(self, fullname)
        if type(self).source_to_code is not plain:
            _rewritten[path] = f"{type(self).__module__}.{type(self).__qualname__}"
            return real(self, fullname)
        code = _instrumented(self.path)
        return real(self, fullname) if code is None else code

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def _chain_runpy() -> None:
    """`runpy.run_path` reads files by itself."""
    real = getattr(runpy, "_get_code_from_file", None)
    if real is None:
        return

    def get_code_from_file(*args: Any) -> Any:
        found = real(*args)
        code = _instrumented(os.fspath(args[-1])) if os.path.realpath(args[-1]) in _watch_list else None
        if code is None:
            return found
        return (code, *found[1:]) if isinstance(found, tuple) else code

    runpy._get_code_from_file = get_code_from_file  # type: ignore[attr-defined]


@records.guarded
def _instrumented(path: str) -> CodeType | None:
    real = os.path.realpath(path)
    with open(path, "rb") as file:
        source = file.read()
    if not rewriting.is_as_checked(source, _watch_list[real]):
        _tell_changed(real)
        return None
    code, placed = rewriting.compiled(source, path, _watch_list[real]["points"])
    loaded(real, placed)
    return code


def _tell_changed(path: str) -> None:
    """The file is not the one that was checked: what stands at the places of its points is not known."""
    _rewritten[path] = ""
    records.emit("changed", path=path)


def loaded(path: str, placed: list[int], lines: list[int] | None = None) -> None:
    """The file, or these lines of it, run with those points that have a place in it."""
    _rewritten[path] = ""
    records.emit("instrumented", path=path, placed=placed, lines=lines)


def watched(path: str) -> list[dict[str, Any]]:
    """The points of a file."""
    found: list[dict[str, Any]] = _watch_list.get(path, {}).get("points", [])
    return found


def _tell_the_rest() -> None:
    """Modules of the watch list that were loaded without points, and by whom."""
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        real = os.path.realpath(path) if isinstance(path, str) else ""
        if real not in _watch_list or real in _rewritten:
            continue
        with open(real, "rb") as file:
            is_as_checked = rewriting.is_as_checked(file.read(), _watch_list[real])
        if not is_as_checked:
            _tell_changed(real)
        else:
            loader = type(getattr(module, "__loader__", None))
            _rewritten[real] = f"{loader.__module__}.{loader.__qualname__}"
    for path, by in _rewritten.items():
        if by:
            records.emit("rewritten", path=path, by=by)


# --- what flows


def point(number: int, value: Any, asked: str = "") -> Any:
    """Record what `value` is, as far as it is new at this point, and give it back."""
    if number in _settled:
        return value
    watch = _watch[number]
    if watch == "transform":
        return _watched(number, value)
    if watch == "cache":
        return caches.watched(value, functools.partial(_value, number))
    if watch == "outer":
        _outer_read(number, value, sys._getframe(1), asked)
        return value
    if watch in _BY_VALUE:
        _BY_VALUE[watch](number, value, sys._getframe(1))
    elif watch == "value":
        _value(number, value, asked)
    return value


@records.guarded
def _value(number: int, value: Any, asked: str = "") -> None:
    """What a value is, in a trace or outside of one."""
    kind = kinds.distinct(sys.modules.get("jax"), value), bool(runs.state().stack), runs.is_abstract()
    seen = _seen.setdefault(number, set())
    if kind not in seen and len(seen) < _MAX_KINDS:
        seen.add(kind)
        more = {"readonly": True} if kinds.is_read_only(value) else {}
        _tell(number, value, asked, **more)


def _looks(number: int) -> int:
    """How often a point was looked at, this time included."""
    count = _looked[number] = _looked.get(number, 0) + 1
    return count


def _settle(number: int, **why: Any) -> None:
    """Nothing that comes to a point can change its verdict any more: from now on it costs a look into a set."""
    _settled.add(number)
    records.emit("settled", n=number, **why)


@records.guarded
def _tell(number: int, value: Any, asked: str = "", **more: Any) -> None:
    jax = sys.modules.get("jax")
    stack = runs.state().stack
    records.emit(
        "point",
        n=number,
        is_=kinds.kind(jax, value, asked),
        plain=kinds.is_plain(jax, value, asked),
        type=kinds.described(value),
        under=[[run.entry.kind, run.entry.label] for run in stack],
        abstract=runs.is_abstract() or type(value).__name__ in ("DynamicJaxprTracer", "BatchTracer"),
        r=stack[-1].serial if stack else None,
        **more,
    )


# --- keys: the same key at two places, or twice at one


@records.guarded
def _key(number: int, value: Any, frame: FrameType) -> None:
    """Which points the keys in a value have passed before."""
    jax = sys.modules.get("jax")
    facts = None if jax is None else keys.facts(jax, number, value, frame)
    if jax is None or facts is None or _looks(number) > _MAX_PASSES:
        _settle(number, stopped=_MAX_PASSES)
        return
    stack = runs.state().stack
    above = stack[-1].entry.kind if stack else ""
    seen = _seen.setdefault(number, set())
    is_of_row = type(value).__name__ == "BatchTracer" if above in _MAPPING else _is_tracer(jax, value)
    shared = bool(facts) and above in _MAPPING | _REPEATING and not is_of_row
    for about in [fact._asdict() for fact in facts] or [{"keyless": True}]:
        told = (*about.items(), shared, bool(stack), _is_tracer(jax, value))
        if told not in seen and len(seen) < _MAX_KINDS:
            seen.add(told)
            _tell(number, value, shared=shared, **about)


def _is_tracer(jax: ModuleType, value: Any) -> bool:
    return any(isinstance(leaf, jax.core.Tracer) for leaf in trees.leaves(jax, value))


@records.guarded
def _made(number: int, value: Any, _frame: FrameType) -> None:
    """A key that is made: how often, and whether it came out the same."""
    jax = sys.modules.get("jax")
    is_known = jax is not None and keys.is_key(jax, value) and not isinstance(value, jax.core.Tracer)
    bits = keys.data(jax, value) if jax is not None and is_known else None
    again = bits is not None and bits == _made_before.get(number)
    _made_before[number] = bits
    told = (again, bool(runs.state().stack))
    seen = _seen.setdefault(number, set())
    if told not in seen:
        seen.add(told)
        _tell(number, value, again=again)


# --- other facts about values


@records.guarded
def _returned(number: int, value: Any, frame: FrameType) -> None:
    """What a function returns, and whether a trace ends with it."""
    jax = sys.modules.get("jax")
    if jax is None:
        return
    about = endings.facts(jax, value, frame)
    told = (type(value), bool(runs.state().stack), *about.values())
    seen = _seen.setdefault(number, set())
    if told not in seen and len(seen) < _MAX_KINDS:
        seen.add(told)
        _tell(number, value, **about)


@records.guarded
def _passes(number: int, value: Any, frame: FrameType) -> None:
    """What comes again while a loop goes on."""
    jax = sys.modules.get("jax")
    if jax is None:
        return
    if _looks(number) > _MAX_PASSES:
        _settle(number, stopped=_MAX_PASSES)
        return
    about = passes.facts(jax, number, value, frame)
    told = (type(value), bool(runs.state().stack), *about.values())
    seen = _seen.setdefault(number, set())
    if told not in seen and len(seen) < _MAX_KINDS:
        seen.add(told)
        _tell(number, value, **about)


@records.guarded
def _deleted(number: int, value: Any, _frame: FrameType) -> None:
    jax = sys.modules.get("jax")
    gone = jax is not None and any(_is_deleted(jax, leaf) for leaf in trees.leaves(jax, value))
    seen = _seen.setdefault(number, set())
    if gone not in seen:
        seen.add(gone)
        _tell(number, None if gone else value, deleted=gone)


def _is_deleted(jax: ModuleType, leaf: Any) -> bool:
    is_deleted = getattr(leaf, "is_deleted", None)
    return (
        isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer) and callable(is_deleted) and is_deleted()
    )


@records.guarded
def _work_given(number: int, value: Any, _frame: FrameType) -> None:
    """Arrays that JAX may still be computing."""
    jax = sys.modules.get("jax")
    if jax is None:
        return
    if _clocks <= _settled:
        _settle(number)
        return
    leaves = [value] if hasattr(value, "is_ready") else trees.leaves(jax, value)[:20]
    _pending.extend(weakref.ref(leaf) for leaf in leaves if hasattr(leaf, "is_ready"))


@records.guarded
def _clock_read(number: int, value: Any, _frame: FrameType) -> None:
    jax = sys.modules.get("jax")
    waiting = [leaf for leaf in (made() for made in _pending) if leaf is not None]
    unready = any(_is_computing(jax, leaf) for leaf in waiting) if jax is not None else False
    seen = _seen.setdefault(number, set())
    if unready not in seen:
        seen.add(unready)
        _tell(number, value, unready=unready)
    if unready:
        _settle(number)
    elif _looks(number) >= _MAX_READS:
        _settle(number, stopped=_MAX_READS)


def _is_computing(jax: ModuleType, leaf: Any) -> bool:
    return not (isinstance(leaf, jax.core.Tracer) or leaf.is_deleted() or leaf.is_ready())


@records.guarded
def _outer_read(number: int, value: Any, frame: FrameType, attribute: str = "") -> None:
    """A variable or an attribute that was read while tracing: what it was then is in the program for good."""
    if runs.state().stack:
        baked.note(number, value, frame, attribute)
    seen = _seen.setdefault(number, set())
    kind = (type(value), bool(runs.state().stack))
    if kind not in seen:
        seen.add(kind)
        _tell(number, value)


def _watched(number: int, transform: Any) -> Any:
    """The transform, whose results say with what error they are called."""
    _tell(number, transform)
    return functools.update_wrapper(functools.partial(_applied, number, transform), transform, updated=())


def _applied(number: int, transform: Any, /, *args: Any, **kwargs: Any) -> Any:
    made = transform(*args, **kwargs)
    if type(made) is functools.partial:  # the options came first, the function comes next
        return functools.partial(_applied, number, made)
    return calls.Checked(made, functools.partial(_tell_call, number)) if callable(made) else made


def _tell_call(number: int, args: tuple[Any, ...], error: BaseException | None) -> None:
    about = None if error is None else [type(error).__name__, str(error)[:200]]
    kinds = (number, about is None, type(args[0]) if args else None)
    if kinds not in _seen.setdefault(number, set()):
        _seen[number].add(kinds)
        _tell(number, args[0] if args else None, called=True, failed=about)


def _tell_stale() -> None:
    for number, now in baked.changed():
        _tell(number, now, stale=True)


_BY_VALUE = {
    "key": _key,
    "made-key": _made,
    "deleted": _deleted,
    "work": _work_given,
    "clock": _clock_read,
    "passes": _passes,
    "returned": _returned,
}
