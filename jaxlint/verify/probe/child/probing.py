"""The probe of one target: trace it twice on each set of inputs, read the jaxpr, and run or compile it on request."""

from __future__ import annotations

import ast
import contextlib
import gc
import inspect
import time
import warnings
from collections.abc import Callable, Iterator
from types import CodeType, ModuleType
from typing import Any

import jax

from . import compiling, key_flow, observing, programs
from .boundary import boundary
from .callsites import CallSites
from .effect_guard import EffectGuard
from .frame_watch import Watch
from .hazards import Hazards
from .inputs import Annotations, Argument, Inputs, MissingInputError, collect, materialised, signature_of
from .outline import read_tree
from .sites import Sites
from .source_lines import SourceLines
from .stack import ProjectFiles, described_error
from .watched_places import WatchedPlace, located

_CALLS = 2
_GUARD = EffectGuard()
_RANKS = (1, 0, 2)
#: What an array of any shape is tried as: (rank, dtype). Where nothing is flagged, nothing says that it is of floats.
_FLAGGED = tuple((rank, "float32") for rank in _RANKS)
_UNFLAGGED = (*_FLAGGED, (1, "int32"), (0, "int32"))


class UnavailableError(Exception):
    """The target cannot be called; the message says why."""


def probe(module: ModuleType, tree: ast.Module, target: dict[str, Any], job: dict[str, Any], records: Any) -> None:
    """Probe one target with every set of inputs; one record for each run."""
    points = {path: located(_tree_of(path, tree, job), wanted) for path, wanted in job["points"].items()}
    session = _Session(module, tree, target, job, records, points)
    try:
        has_object = any("self" in spec["values"] for spec in target["inputs"])
        function = resolve(module, target["qualname"], has_object=has_object)
    except UnavailableError as error:
        records.write("run", target=target["id"], unavailable=str(error))
        session.call_sites()
        return
    is_plain = not hasattr(function, "lower") and not any(spec["values"] for spec in target["inputs"])
    if is_plain and target["traced_points"]:
        session.call_sites()  # what traces a plain function is around its calls
    if not session.has_seen_all:
        _probe_directly(session, function, target, records)
    if not session.has_seen_all and (target["points"] or not session.has_finished):
        session.call_sites()


def _probe_directly(session: _Session, function: Callable[..., Any], target: dict[str, Any], records: Any) -> None:
    """Call the target with every set of inputs."""
    for spec in target["inputs"]:
        given = spec["values"]
        try:
            tried = list(session.input_sets(function, given, spec["sizes"]))
        except MissingInputError as error:
            fields = {"missing": str(error), "given": sorted(given), "kind": error.kind, "lost": error.lost}
            records.write("run", target=target["id"], **fields)
            continue
        except Exception as error:  # an annotation, a signature or a default can be anything
            records.write("run", target=target["id"], unavailable=f"its arguments cannot be read: {error}")
            continue
        if not target["points"] and not any(inputs.leaves() for inputs in tried) and not hasattr(function, "lower"):
            records.write("run", target=target["id"], unavailable="it takes no arrays, and nothing compiles it")
            continue
        for inputs in tried:
            if session.run(function, inputs):
                break


def _tree_of(path: str, tree: ast.Module, job: dict[str, Any]) -> ast.Module:
    return tree if path == job["path"] else read_tree(path)[0]


def resolve(module: ModuleType, qualname: str, *, has_object: bool = False) -> Callable[..., Any]:
    """The function of that name; a method is bound to an object, unless one is given. Raises UnavailableError."""
    holder: Any = module
    parts = qualname.split(".")
    for index, part in enumerate(parts):
        try:
            found = inspect.getattr_static(holder, part) if inspect.isclass(holder) else getattr(holder, part)
        except AttributeError:
            raise UnavailableError(f"`{qualname}` is not there after the import") from None
        is_last = index + 1 == len(parts)
        is_open = is_last and inspect.isclass(holder) and not has_object
        if is_open and not isinstance(found, (staticmethod, classmethod)):
            return _callable(getattr(_instance(holder), part), qualname)
        holder = getattr(holder, part)
    return _callable(_as_used(module, holder), qualname)


def _callable(found: Any, qualname: str) -> Callable[..., Any]:
    if not callable(found):
        raise UnavailableError(f"`{qualname}` is no function but a {type(found).__name__}")
    result: Callable[..., Any] = found
    return result


def _instance(cls: type) -> Any:
    try:
        return cls()
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise UnavailableError(f"`{cls.__name__}` cannot be made without arguments: {reason}") from None


def _as_used(module: ModuleType, function: Any) -> Any:
    """The jitted form of a plain function where the module makes one of it, as `g = jax.jit(f)`."""
    if hasattr(function, "lower"):
        return function
    wrapped = (v for v in vars(module).values() if hasattr(v, "lower") and getattr(v, "__wrapped__", None) is function)
    return next(wrapped, function)


class _Session:
    """What the runs of one target share."""

    def __init__(
        self, module: ModuleType, tree: ast.Module, target: dict[str, Any], job: dict[str, Any], records: Any,
        points: dict[str, list[WatchedPlace]],
    ) -> None:  # fmt: skip
        self.module = module
        self.tree = tree
        self.target = target
        self.job = job
        self.records = records
        self.points = points
        self.files = ProjectFiles(job["files"], job["roots"])
        self.sources = SourceLines()
        self.cached = _cached_functions(module)
        self.seen: set[str] = set()
        self.site: int | None = None
        self.has_called_sites = False
        #: Whether some call came to its end, or to a defect that ended it.
        self.has_finished = False

    @property
    def has_seen_all(self) -> bool:
        """Whether every flagged place of the target was run by some call."""
        return bool(self.target["points"]) and self.seen.issuperset(self.target["points"])

    def call_sites(self) -> None:
        """Evaluate the module's own calls of the target, until every flagged place was run."""
        if self.has_called_sites:
            return
        self.has_called_sites = True
        sites = Sites(self.tree, self.module)
        is_traced_elsewhere = bool(self.target["traced_points"])
        for line, call in sites.calling(self.target["qualname"], outermost_first=is_traced_elsewhere):
            if self.has_seen_all:
                return
            self.run(call, Inputs(inspect.Signature(), {}), site=line)

    # --- inputs

    def input_sets(
        self, function: Callable[..., Any], given: dict[str, Any], sizes: dict[str, int]
    ) -> Iterator[Inputs]:
        """The inputs to try in turn: more than one only where the shape of an annotation is open."""
        tried = _FLAGGED if self.target["points"] else _UNFLAGGED
        scalars = hasattr(function, "lower") or not self.target["points"]
        annotations = [Annotations(sizes, rank, dtype, scalars=scalars) for rank, dtype in tried]
        signature = signature_of(function)
        sites: list[Any] = [*CallSites(self.tree, self.module, function).sources(signature)] or [_nothing]
        first = True
        missing: MissingInputError | None = None
        for site in sites:
            for own in annotations:
                try:
                    inputs = collect(function, given, (own.shaped, _defaults_first(own.plain, site), site))
                except MissingInputError as error:
                    missing = error
                    continue
                is_open = any(a.source == "annotation, any shape" for a in inputs.arguments.values())
                first = False
                yield inputs
                if not is_open:
                    break
        if first and missing is not None:
            raise missing

    # --- runs

    def run(self, function: Callable[..., Any], inputs: Inputs, site: int | None = None) -> bool:
        """Trace, and execute and compile where asked for; whether these inputs fit the function."""
        self.site = site
        outcome = self._traced(function, inputs, wrap=False)
        fits = outcome["error"] is None or outcome["reached"] or bool(outcome["observed"]) or outcome["stopped"]
        self.has_finished |= fits
        wants_jit = any(p for p in self.target["traced_points"] if _only_outside(outcome, p))
        if wants_jit and inputs.asked and not hasattr(function, "lower"):
            self._traced(function, inputs, wrap=True)
        if self.job["execute"]:
            self._executed(function, inputs)
        if site is None and outcome["error"] is None and (self.job["compile"] or self.job["lower_for"]):
            self.records.write("compiled", target=self.target["id"], **compiling.report(function, inputs, self.job))
        return bool(fits)

    def _traced(self, function: Callable[..., Any], inputs: Inputs, *, wrap: bool) -> dict[str, Any]:
        """Two calls on abstract inputs. `wrap`: as `jax.jit` of the function, where nothing in it is traced itself."""
        _forget_traces()
        whole = jax.jit(boundary(function, inputs)) if wrap else None
        watches, error, jaxpr = [], None, None
        started = time.perf_counter()
        for _ in range(_CALLS):
            hazards = Hazards(self.files, self.sources)
            watch = Watch(self.files, self.points, executing=False, cached=self.cached, hazards=hazards)
            watches.append(watch)
            call = whole if whole is not None else boundary(function, inputs)
            try:
                with _GUARD.on_duty(hazards.read_file), hazards.noting_text(), watch.watching(), _no_warnings():
                    jaxpr = jax.make_jaxpr(call)(*inputs.leaves())
            except BaseException as raised:  # SystemExit and KeyboardInterrupt of the user's code too
                error = described_error(raised, self.files)
                break
        return self._write("jit" if wrap else "trace", inputs, watches, error, jaxpr, time.perf_counter() - started)

    def _executed(self, function: Callable[..., Any], inputs: Inputs) -> None:
        _forget_traces()
        watches, error = [], None
        started = time.perf_counter()
        for _ in range(_CALLS):
            watch = Watch(self.files, self.points, executing=True)
            watches.append(watch)
            leaves = materialised(inputs.leaves())
            try:
                with _GUARD.on_duty(), watch.watching(), _no_warnings():
                    boundary(function, inputs)(*leaves)
            except BaseException as raised:
                error = described_error(raised, self.files)
                break
        self._write("execute", inputs, watches, error, None, time.perf_counter() - started)

    def _write(
        self, mode: str, inputs: Inputs, watches: list[Watch], error: dict[str, Any] | None, jaxpr: Any, seconds: float
    ) -> dict[str, Any]:
        uses = key_flow.KeyUses(self.files)
        if jaxpr is not None:
            uses.read(jaxpr)
        own = [point for group in self.points.values() for point in group]
        outcome = run_json(mode, watches, own)
        outcome.update(
            target=self.target["id"],
            inputs=inputs.described(),
            vouched=inputs.vouched and self.site is None,
            site=self.site,
            error=error,
            stopped=error is not None and error["class"].endswith(".StoppedError"),
            keys=key_flow.described(uses.uses),
            equations=[] if jaxpr is None else list(programs.equations(jaxpr.jaxpr, self.files))[:5000],
            escaped=self.job["drops"] and jaxpr is not None and _any_tracer_lives(),
            leaked=_leaks(self.module, watches) if mode != "execute" else [],
            seconds=seconds,
            observed=[],
        )
        if mode != "execute":
            is_plain = bool(inputs.leaves()) and not any(a.text.startswith("`") for a in inputs.arguments.values())
            outcome["observed"] = observing.observed(
                outcome, watches, jaxpr, self.files, asked=inputs.asked, takes_arrays=is_plain
            )
        self.records.write("run", **outcome)
        hit = {point for point, group in outcome["points"].items() if any(sighting["hits"] for sighting in group)}
        plain = {point for point in self.target["traced_points"] if mode == "trace" and _only_outside(outcome, point)}
        self.seen |= hit - plain
        outcome["reached"] = bool(hit)
        return outcome


class ImportWatch:
    """Watches a module's own statements while it is imported."""

    def __init__(self, job: dict[str, Any], files: ProjectFiles) -> None:
        trees = {path: read_tree(path)[0] for path in job["points"]}
        points = {path: located(tree, job["points"][path]) for path, tree in trees.items()}
        self.points = {path: [p for p in group if p.owner == "<module>"] for path, group in points.items()}
        self.watch = Watch(files, self.points, executing=True)

    def watching(self) -> contextlib.AbstractContextManager[None]:
        """Watch what runs inside, if the module's own statements hold anything to watch."""
        return self.watch.watching() if any(self.points.values()) else contextlib.nullcontext()

    def as_json(self) -> dict[str, Any]:
        """The import as a run: concrete, once, with no arguments."""
        own = [point for group in self.points.values() for point in group]
        return run_json("import", [self.watch], own)


def run_json(mode: str, watches: list[Watch], points: list[WatchedPlace]) -> dict[str, Any]:
    """What watches saw, one for each call, with nothing said yet of inputs, errors and programs."""
    return {
        "mode": mode,
        "inputs": {},
        "vouched": True,
        "site": None,
        "error": None,
        "points": {point.id: [watch.sightings[point.id].as_json() for watch in watches] for point in points},
        "thrown": sorted(point.id for point in points if point.thrown),
        "always": sorted(point.id for point in points if point.always),
        "formatted": {point.id: list(point.formatted) for point in points if point.formatted},
        "traces": [[*watch.traces] for watch in watches],
        "swallowed": [entry for watch in watches for entry in watch.swallowed],
        "printed": [[*watch.printed] for watch in watches],
        "keys": [],
        "equations": [],
        "leaked": [],
        "escaped": False,
        "seconds": 0.0,
    }


@contextlib.contextmanager
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _nothing(_: inspect.Parameter) -> Argument | None:
    return None


def _defaults_first(
    plain: Callable[[inspect.Parameter], Argument | None], site: Callable[[inspect.Parameter], Argument | None]
) -> Callable[[inspect.Parameter], Argument | None]:
    """An annotation without a shape says less than a call that shows one."""

    def source(parameter: inspect.Parameter) -> Argument | None:
        return site(parameter) or plain(parameter)

    return source


def _only_outside(outcome: dict[str, Any], point: str) -> bool:
    """Whether a point was run, and never under a transform of the program's own."""
    sightings = outcome["points"].get(point, [])
    return any(s["hits"] for s in sightings) and not any(s["transforms"] for s in sightings)


def _forget_traces() -> None:
    clear = getattr(jax, "clear_caches", None)
    if clear is not None:
        clear()


def _cached_functions(module: ModuleType) -> dict[CodeType, str]:
    """The code of the module's functions that `functools.cache` and its like wrap, with their names."""
    found = ((name, inspect.unwrap(value)) for name, value in vars(module).items() if hasattr(value, "cache_info"))
    return {inner.__code__: name for name, inner in found if inspect.isfunction(inner)}


def _leaks(module: ModuleType, watches: list[Watch]) -> list[dict[str, str]]:
    """Caches of the module's functions that hold a tracer after the trace, where the program traced the call."""
    names = {name for watch in watches for name in watch.cached_while_traced}
    return [{"function": name} for name in sorted(names) if _holds_tracer(vars(module)[name], 4)]


def _any_tracer_lives() -> bool:
    """Whether something keeps a tracer after the trace: what looks unused may have been stored."""
    gc.collect()
    return any(isinstance(value, jax.core.Tracer) for value in gc.get_objects())


def _holds_tracer(value: Any, depth: int) -> bool:
    for inner in gc.get_referents(value)[:2000]:
        if isinstance(inner, jax.core.Tracer):
            return True
        if depth and isinstance(inner, (dict, tuple, list)) and _holds_tracer(inner, depth - 1):
            return True
        if depth and type(inner).__name__ == "_lru_list_elem" and _holds_tracer(inner, depth - 1):
            return True
    return False
