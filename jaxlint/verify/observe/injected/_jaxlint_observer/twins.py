"""Stand-ins for the functions that JAX is given: equal to them in all that JAX looks at, and seen when they run."""

from __future__ import annotations

import functools
import inspect
import itertools
import operator
import sys
import weakref
import zlib
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any, TypeVar

from . import frames, jitted, records, runs
from .entries import Entry, Options
from .identities import identity
from .subjects import Subject, parameter_names, subject_of

_Function = TypeVar("_Function", bound=Callable[..., Any])
_model: FunctionType | None = None


_NO_OPTIONS = Options()


class Twin:
    """Runs `original` and lets `runs` know. Invariant: it hashes and compares as `original` does among twins of a kind.

    JAX keys its caches by a weak reference to the function; the twin therefore lives as long as the original (see
    `_Registry`), and holds it weakly only while nobody but the registry knows the twin.
    """

    __slots__ = ("__weakref__", "_function", "_strong", "_weak", "entry")

    def __init__(self, original: Callable[..., Any], entry: Entry) -> None:
        self._strong: Callable[..., Any] | None = original
        self._weak: Any = None
        self._function: Any = lambda: None
        self.entry = entry

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        run = runs.begin(self.entry, args, kwargs, self.original)
        result = None
        try:
            result = self.original(*args, **kwargs)
        except BaseException as error:
            frames.leave_out(error)
            runs.failed(run, error)
            raise
        finally:
            runs.finish(run, result)
        return result

    @property
    def original(self) -> Callable[..., Any]:
        """The user's function."""
        return self._strong if self._strong is not None else self._weak()

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The user's function, for `inspect`."""
        return self.original

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def __hash__(self) -> int:
        return hash(self.original)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Twin:
            return NotImplemented
        mine, theirs = self.entry, other.entry
        return (mine.kind, mine.options) == (theirs.kind, theirs.options) and self.original == other.original

    def __repr__(self) -> str:
        return repr(self.original)

    def __copy__(self) -> Twin:
        return self

    def __deepcopy__(self, memo: object) -> Twin:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return operator.itemgetter(0), ((self.original,),)

    def as_function(self) -> Callable[..., Any]:
        """A plain function that runs the twin, for libraries that treat functions as a kind of their own."""
        known: Callable[..., Any] | None = self._function()
        if known is not None:
            return known

        def function(*args: Any, **kwargs: Any) -> Any:
            return self(*args, **kwargs)

        functools.update_wrapper(function, self.original)
        disguised(function)
        self._function = weakref.ref(function)
        return function

    def loosen(self) -> None:
        """Let the original go as soon as the program does."""
        if self._strong is not None:
            self._weak = weakref.ref(self._strong)
            self._strong = None

    def tighten(self) -> None:
        """Hold the original: JAX is about to hold the twin in its place."""
        if self._strong is None:
            self._strong = self._weak()


def adopt(model: FunctionType) -> None:
    """Learn from a function of JAX how its frames look, and make the twins' frames look so."""
    global _model  # noqa: PLW0603 - known once JAX is imported
    _model = model
    Twin.__call__.__code__ = _as_of_jax(Twin.__call__.__code__)  # type: ignore[attr-defined, unused-ignore]
    for name in ("__doc__", "__module__"):
        setattr(Twin, name, property(functools.partial(_of_original, name)))


def disguised(function: _Function) -> _Function:
    """`function`, whose frames JAX leaves out of tracebacks as it does its own."""
    function.__code__ = _as_of_jax(function.__code__)  # type: ignore[attr-defined, unused-ignore]
    return function


def _as_of_jax(code: CodeType) -> CodeType:
    if _model is None:
        return code
    return code.replace(co_filename=_model.__code__.co_filename, co_firstlineno=_model.__code__.co_firstlineno)


def _of_original(name: str, twin: Twin) -> Any:
    return getattr(twin.original, name, None)


class _Registry:
    """The twins by the identity of their originals, so that one function has one twin as long as it lives.

    An entry dies with its original. Twins that only the registry holds are loosened now and then: otherwise they would
    keep closures alive, and with them arrays, that the program has let go.
    """

    def __init__(self) -> None:
        self._twins: dict[int, tuple[Any, dict[Any, Twin]]] = {}
        self._held: list[Twin] = []

    def find(self, original: Callable[..., Any], key: object) -> Twin | None:
        found = self._twins.get(id(original))
        if found is None or found[0]() is not original:
            return None
        return found[1].get(key)

    def add(self, original: Callable[..., Any], key: object, twin: Twin) -> None:
        found = self._twins.get(id(original))
        if found is None or found[0]() is not original:
            number = id(original)
            reference = weakref.ref(original, lambda _: self._twins.pop(number, None))
            found = self._twins[number] = (reference, {})
        found[1][key] = twin
        self.hold(twin)

    def hold(self, twin: Twin) -> None:
        twin.tighten()
        if not _lives_forever(twin.original):
            self._held.append(twin)

    def sweep(self) -> None:
        """Loosen what nobody holds any more, among the youngest."""
        recent, self._held = self._held[-_SWEPT:], self._held[:-_SWEPT]
        while recent:
            twin = recent.pop()
            if sys.getrefcount(twin) > _UNHELD:
                self._held.append(twin)
            else:
                twin.loosen()


_SWEPT = 64
#: References to a twin that only the registry knows: its dictionary, the sweep's variable, and the argument.
_UNHELD = 3
_registry = _Registry()
_serials = itertools.count(1)


def twin_of(function: Any, kind: str, options: Options = _NO_OPTIONS) -> Any:
    """What to hand to JAX in place of `function`; `function` itself where there is nothing to observe."""
    if type(function) is Twin:
        return function
    if isinstance(function, functools.partial):
        inner = twin_of(function.func, kind, _shifted(options, len(function.args)))
        if inner is function.func:
            return function
        _wrapped_again(inner)
        return _rebuilt(function, inner, kind)
    if isinstance(function, MethodType) and type(function.__func__) is FunctionType:
        inner = twin_of(function.__func__, kind, _shifted(options, 1))
        if inner is function.__func__:
            return function
        _wrapped_again(inner)
        return MethodType(inner, function.__self__)
    if not callable(function) or isinstance(function, type) or _is_lazy(function):
        return function
    return _twin(function, kind, options)


def _shifted(options: Options, count: int) -> Options:
    """The options as they are for a function that gets `count` further arguments in front."""
    return Options(tuple(n + count if n >= 0 else n for n in options.nums), options.names)


def _wrapped_again(twin: Any) -> None:
    """A method bound anew, or a new partial: the same function in another object, which JAX does not know."""
    if type(twin) is Twin and twin.entry.kind in runs.COMPILED:
        records.emit("wrap", f=twin.entry.serial, made=frames.call_site(sys._getframe(1)))


def _twin(function: Any, kind: str, options: Options) -> Any:
    subject = subject_of(function)
    is_users = subject is not None and subject.owner == frames.USER
    place = jitted.by_user(sys._getframe(1)) if kind in runs.COMPILED and not is_users else None
    key = (kind, options, place)
    known = _registry.find(function, key)
    if known is not None:
        _registry.hold(known)
        if kind in runs.COMPILED:
            records.emit("wrap", f=known.entry.serial, same=True)
        return known
    if place is not None:
        owner = frames.USER if place.directly else frames.LIBRARY
        subject = Subject(place.path, place.line, jitted.own_name(function), owner, place.directly)
    if subject is None or subject.owner == frames.JAX:
        return function
    if subject.owner == frames.LIBRARY and kind not in runs.COMPILED:
        return function
    twin = Twin(function, _entry(function, kind, options, subject, place))
    try:
        _registry.add(function, key, twin)
    except TypeError:  # no weak references: a new twin each time, equal to the others
        return twin
    return twin


def release() -> None:
    """Let go of functions that the program has let go."""
    _registry.sweep()


def _entry(function: Any, kind: str, options: Options, subject: Subject, place: jitted.Jitted | None) -> Entry:
    names, rest = parameter_names(function)
    entry = Entry(next(_serials), kind, options, names, rest, getattr(function, "__name__", ""))
    if subject.owner == frames.USER and subject.direct and place is None:
        entry.place = subject.path, subject.line
    records.emit(
        "function",
        f=entry.serial,
        kind=kind,
        path=subject.path,
        line=subject.line,
        name=subject.name,
        owner=subject.owner,
        direct=subject.direct,
        object=identity(function),
        made=frames.call_site(sys._getframe(1)),
        statics=[*options.nums, *options.names],
        **({} if place is None else {"span": place.span}),
        **_told_apart(function, subject),
    )
    return entry


def _told_apart(function: Any, subject: Subject) -> dict[str, Any]:
    """What tells functions apart that have one place and one name: what runs them, and the code of lambdas."""
    if not subject.direct:
        return {"around": frames.definition(function)}
    code = getattr(function, "__code__", None)
    if code is None or code.co_name != "<lambda>":
        return {}
    plain = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
    return {"around": [zlib.crc32(code.co_code + repr((code.co_names, code.co_varnames, plain)).encode())]}


_partials: dict[int, tuple[Any, dict[Any, Any]]] = {}


def _rebuilt(function: functools.partial[Any], inner: Any, kind: str) -> Any:
    """The same partial around a twin: one for each partial as long as that lives, since JAX tells them by identity."""
    number = id(function)
    found = _partials.get(number)
    if found is None or found[0]() is not function:
        reference = weakref.ref(function, lambda _: _partials.pop(number, None))
        found = _partials[number] = (reference, {})
    if kind not in found[1]:
        found[1][kind] = type(function)(inner, *function.args, **function.keywords)
    return found[1][kind]


def _is_lazy(function: Any) -> bool:
    """Generators and coroutines: JAX refuses them, and must still see what they are."""
    return inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function)


def _lives_forever(function: Any) -> bool:
    """Whether it is found under its own name in its module."""
    found: Any = sys.modules.get(getattr(function, "__module__", None) or "")
    for part in str(getattr(function, "__qualname__", "")).split("."):
        found = getattr(found, "__dict__", {}).get(part)
    return found is not None and inspect.unwrap(found) is function if callable(found) else False
