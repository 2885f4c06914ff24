"""The rows of the tables: one named tuple per table, its fields parsed from the columns of the same name.

Columns `since` and `until` bound the releases of JAX that hold the name: from `since` on (empty:
before the oldest known), and before `until` (empty: to the newest known). A function that changed
has several rows, one for each range of releases.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from jaxlint.jaxapi.terms import Term


class Signature(NamedTuple):
    """The parameters of a function: `x,axis,*args,dtype,**kw`, keyword-only ones after `*` or `*args`."""

    positional: tuple[str, ...]
    variadic: str | None
    keyword_only: tuple[str, ...]
    keywords: str | None

    def at(self, index: int) -> str | None:
        """The parameter that takes the positional argument `index`."""
        return self.positional[index] if index < len(self.positional) else self.variadic

    def takes(self, count: int, keywords: Iterable[str]) -> bool:
        """Whether there is a parameter for each of `count` positional arguments and for each keyword."""
        if count > len(self.positional) and self.variadic is None:
            return False
        return self.keywords is not None or {*self.positional[count:], *self.keyword_only}.issuperset(keywords)


class FunctionRow(NamedTuple):
    """A public function: what it returns, and which parameters must be known while tracing.

    `returns` is a term: array, static, host, none, key, keys, dtype, function, same(P), tuple(...), list(...), tree,
    tree(P) (an array where P is one), map(P), leaves(P), named(F) (the function of that name) or unknown.
    `static`: a traced argument raises; `concrete`: a concrete JAX array raises too.
    `size` names the parameter that makes a data-dependent shape legal under jit, `size_when` limits that to a call
    form: `args=1` (one argument only) or `traced=P` (a traced P). `shape`: elementwise, like(P), reduce(P), create(P),
    create(P,A) (in the place of an axis of A, if that has several), contents(P) (what a sequence makes), scalar, or
    what one kind of function makes of P: rank (as many axes), along and sorted (like P, or all of it in a row, by the
    axis), flat, reshape, expand, squeeze, transpose, turn (the last two axes), repeat, drop (the last axis), matrices
    (without the last two axes), product, dot(P,Q), matrix, square(ROWS,COLUMNS), range and spaced; or unknown. `dtype`:
    bool, int, float, complex, inexact (ints become floats), promote, total (promote, but truth values are counted),
    magnitude (promote, but complex numbers become real), counted, same(P), param(P,default) or unknown. Empty `params`
    of a row that was not introspected: the signature is unknown.
    """

    name: str
    params: Signature
    returns: Term
    static: frozenset[str]
    concrete: frozenset[str]
    size: str | None
    size_when: str
    shape: Term
    dtype: Term
    since: str
    until: str
    ran: bool

    @property
    def counter(self) -> str:
        """The parameter that, if traced, makes the shape depend on data; empty if there is none."""
        kind, _, parameter = self.size_when.partition("=")
        return parameter if kind == "traced" else ""


class TracedFunction(NamedTuple):
    """One function that a transform takes: where it stands and which of its parameters become tracers.

    `position` is None where it can only be given by keyword; `is_list` says that the argument is a list of functions.
    `traced` describes the parameters in order: `all`, `positional` (those given so), `argnums(default)`, `mapped(P)`,
    `specified(P)` (but where None stands in P), `looped(P)` (mapped along axes in front of those named in P), `scanned`
    (the carry or a row, by `in_axes`), `arrays`, `operands(from)` (a tuple part by part), `leaf`, `declared`, `none`,
    `refs` (all parameters alike), `host` or `host(P)` (all operands, or that one, as arrays of the host), or one of
    `carry`, `x`, `index`, `slice`, `rows` (several slices at once), `scalar` each.
    """

    position: int | None
    keyword: str
    is_list: bool
    traced: tuple[Term, ...]


class Operand(NamedTuple):
    """An argument of a call-form transform that is passed on to its functions; `rest` takes all from `position` on."""

    name: str
    position: int
    rest: bool


class TransformRow(NamedTuple):
    """A way to trace a function.

    `form`: wrap (returns a transformed function), call (runs the function now), make (an object that runs it later).
    `level`: traced, mapped, grad, host, inherit, refs or scope (a part of the trace around it). `statics` are the
    parameters that mark static ones. `axes` are (parameter, default) pairs. `aux` names the flag that says that the
    function returns (value, aux). `result` is what a call of the wrapped function (form wrap) or the call itself gives,
    in terms of the function's result: result, tangent, carry, stacked, batched, gradient, jacobian, abstract, jaxpr,
    function, declared(P), like(P), none, leaves, tuple(...), object or unknown. `factory`: called without a function it
    gives a decorator.
    """

    name: str
    aliases: tuple[str, ...]
    form: str
    functions: tuple[TracedFunction, ...]
    level: str
    statics: tuple[str, ...]
    axes: tuple[tuple[str, str], ...]
    operands: tuple[Operand, ...]
    aux: str | None
    result: Term
    factory: bool
    since: str
    until: str
    ran: bool

    @property
    def lifts_classes(self) -> bool:
        """Whether it makes of a class another class: flax.linen calls what may be one its `target`."""
        return bool(self.functions) and self.functions[0].keyword == "target"

    @property
    def is_abstract(self) -> bool:
        """Whether the function is only traced, for its shapes or its program: nothing is compiled or run."""
        return self.result.head in ("abstract", "jaxpr")


class RandomRow(NamedTuple):
    """A function that takes or makes PRNG keys.

    `role`: creator, splitter, folder, cloner, consumer, inspector or wrapper. `key` names the parameter that takes the
    key; `consumes` says that a second use of the same key is a reuse.
    """

    name: str
    role: str
    key: str | None
    consumes: bool
    params: Signature
    static: frozenset[str]
    returns: Term
    since: str
    until: str
    ran: bool


class NumpyRow(NamedTuple):
    """A function of NumPy, the standard library or Python that gets a traced value.

    `jit` and `grad` are `works` or the name of the exception; `returns` is what comes back where it works under jit.
    """

    name: str
    jit: str
    grad: str
    returns: Term
    ran: bool


class MemberRow(NamedTuple):
    """An attribute or method of `jax.Array`.

    `kind`: attribute, method, at (a method of `x.at[i]`) or absent (NumPy has it, JAX does not). `tracer` is static,
    traced or `error:EXCEPTION` under jit; `grad` and `concrete` the same under grad alone and on a concrete array.
    `numpy` says whether NumPy's arrays and scalars have it: yes, no, or empty where some of them do.
    """

    name: str
    kind: str
    tracer: str
    grad: str
    concrete: str
    numpy: str
    returns: Term
    mutates: bool
    params: Signature
    static: frozenset[str]
    since: str
    until: str
    ran: bool


class PythonMemberRow(NamedTuple):
    """A method of a builtin container; `name` is `list.append`. `returns`: none, self, element, view or copy."""

    name: str
    mutates: bool
    returns: Term


class ClassMembersRow(NamedTuple):
    """The public attributes that a base class, or a decorator, gives to objects of a class: there are no others."""

    name: str
    members: frozenset[str]


class ObjectRow(NamedTuple):
    """A class of a framework, what makes an object, or a member of its objects (`Class.member`; `Class.*`: any other).

    `kind`: class (calling it makes an object), maker (a function or another class that gives `call.returns`), method,
    classmethod, attribute, or property (an attribute that is computed, so that it is traced where it is read). `like`
    is the class whose members it has, too. `key` names the parameter that takes a key. `when` limits the draw: `fold`
    (from the key folded with 0, 1, ...), `training` (if a flag says so), `unless(FLAG,STREAM)`, or `stream(NAME)` for
    the module's own keys; `updates(FLAG,COLLECTION)` says that variables are updated unless a flag is set. `leaves`:
    the object is a pytree of arrays. `call` holds the parameters and what comes back,
    with terms beyond those of functions: object(CLASS), self, outputs (of a model: arrays where it is traced), ref,
    several(tree) (a tuple of any length), rest(T) in a tuple (one T for each further argument), sampled(P) (an array,
    unless P is given), run (the user's own method is run).
    """

    name: str
    kind: str
    like: str
    leaves: bool
    key: str | None
    when: Term
    call: FunctionRow


class EffectRow(NamedTuple):
    """Something that reaches outside the traced function; `name` may end in `.*`.

    `kind`: print, log, clock, io, host-rng, environment, network, process, experiment-logger, debug or pure.
    """

    name: str
    kind: str


class AnnotationRow(NamedTuple):
    """What a type annotation says of a value.

    `kind`: array, array-like, key, host-array, tree, function, dtype, shape, optimizer, module, ref, union, container,
    any, or static with `type` (the builtin's name). `dtype` is filled where the annotation fixes it.
    """

    name: str
    kind: str
    type: str
    dtype: str


class LibraryRow(NamedTuple):
    """A library of the ecosystem, by the name that its top package is imported under.

    `kind`: core (JAX itself), of-jax (built on JAX), host (its arrays live on the host) or other. `words` are what a
    file that concerns JAX says where it uses the library; `*linen*` may be part of a longer word. `arrays`: its classes
    may be arrays, or stand for anything, in an annotation.
    """

    name: str
    kind: str
    words: tuple[str, ...]
    arrays: bool


class ClassRow(NamedTuple):
    """A class that projects derive from or ask for with `isinstance`, or a decorator of classes.

    `kind` is what it makes of a class of the project: namedtuple, typeddict, enum, dataclass, pytree, static (a pytree
    without leaves) or module. `assignment` is how an attribute of an object of that class gets another value: assign,
    replace (a method) or never. `instances` says which values are its instances: tracer (all traced ones), array
    (traced ones and arrays on a device), host-array or number (never a traced one). `after` is the method that the
    initializer which it writes calls last, where that is not `__post_init__`.
    """

    name: str
    kind: str
    assignment: str
    instances: str
    after: str


#: What a function, a class or a module is or does, where one word says it. Of transforms:
#:
#: - hashes-statics: it hashes static arguments.
#: - keeps-programs: what it compiles outlives the call that made the compiled function.
#: - keeps-bodies: JAX keeps what a function was traced to, under the function object.
#: - keyed-by-form: it is traced for arguments by position, and again for the same ones by name.
#: - keyed-by-type: it is traced for a number of Python, and again for an array of the dtype that the number takes on.
#: - keyed-by-function: its result is looked up by the function inside, so that a new result is as good as the last.
#: - keyed-by-method: a bound method counts as such a function, and each access to it makes a new one.
#: - equal-by-function: its results are equal where the functions inside are.
#: - pytrees-only: `self` of a decorated method must be a pytree, or static.
#: - reads-attributes: it looks at the attributes of objects at each call.
#: - merges-objects: objects that traced code changes are changed outside, too.
#: - returns-when-done: a call of what it makes returns when its work is done, unless something around traces that.
#: - repeats: it runs its function many times, with the same values for what that closes over.
#: - checks-leaves: what its function is given to trace, and what it returns, must be arrays and numbers in containers.
#: - takes-shapes: or objects with a shape and a dtype, each of which stands for an array that is given.
#: - maps-aux: so must what its function returns besides, with `has_aux=True`.
#: - flattens: it takes its arguments apart, whatever their leaves are.
#: - donates, donates-by-word: it takes `donate_argnums`, or `donate="all"`; what was donated is gone.
#: - calls-functions, takes-pairs: it refuses what cannot be called; each function may come with an operand of its own.
#: - checks-types: what its functions return must have the type of what they got, or of what the others return.
#: - wants-scalar, wants-inexact: it differentiates functions whose result is one real number; by floats alone.
#: - counts-arguments: `argnums` count the positional arguments of the call.
#: - donates-positions: arguments given by name are never donated.
#: - checks-axes: each argument must have the axis that `in_axes` names for it, all of them of one length.
#: - maps-all, maps-in-front: every array argument loses its leading axis; the axes that it has in front, if any.
#:
#: Of functions:
#:
#: - needs-statics: what its table marks as static is a shape, an axis, a count or a mode.
#: - reads-contents: it needs the contents of its arguments, not just their shapes.
#: - keeps-host: of an array of NumPy it gives one of NumPy, as measured on JAX 0.10.2.
#: - reads-dtypes: a function, or a method of this name, reads the dtype of what it gets for one, as of a reference;
#:   others hash that, which fails.
#: - takes-references: a function, or a method of this name, takes a reference to memory as it does an array.
#: - result-only: there is no reason to call it other than its result.
#: - draws: random.tsv says all of what it wants from its arguments.
#: - writes-out, writes-first: it writes into `out=`, or into its first argument.
#: - hands-on, hands-on-alone: it gives the very arrays of its argument back; alone: if that is the only one.
#: - waits: it returns when the work on its arguments is done.
#: - prepares, heavy: it makes, moves or only looks at arrays; a single call takes long.
#: - rejects-sequences: it takes arrays and numbers, and raises for a list or tuple.
#: - typed-key, shuffles-rows: the key that it makes is typed; it may shuffle the rows of an array, or pick some.
#: - reshapes, gathers: it gives the elements of an array in another shape; those of several arrays in one.
#: - keeps-keys: of an array of keys it gives these very keys.
#: - splits-key: it splits the key that it draws from, as its jaxpr shows; `choice` does without probabilities.
#: - takes-seed, random-generator: it wants a number as a seed; a random generator of the host.
#: - asks-for-number: it asks whether a value is a number of Python or NumPy: of arrays, none is.
#: - asks-for-value: it asks whether something has a value while tracing: under `jit` and `vmap`, no tracer has.
#: - scalar-type, converts-number: a scalar type of the host or its dtype; it makes a number of a number.
#: - never-of-jax: a scalar type, or a class that stands for it, of which there are no arrays of JAX.
#: - fills: it makes an array of one value throughout.
#: - of-shape: gives constants of the shape and dtype of what it is given, whose values it does not look at.
#: - keeps-static-leaves: of a tree, it changes the arrays alone.
#: - marks-carry: among the axes of a scan, it stands for the argument that is carried.
#: - makes-small-numbers, makes-given-numbers: it makes an array of small whole numbers; of no numbers but those that
#:   it is given, and of whole numbers between them.
#: - undifferentiated: nothing that it gives is differentiated, so that it has a value under `grad` alone.
#: - sees-primals, gives-first: its function gets plain values under `grad`; of the two it gives, callers get one.
#: - branches: of its functions one is run, once.
#: - needs-key: it raises without `key`, unless it is told to draw nothing.
#: - computes-numbers: what it gives is known where its arguments are: of single numbers, or a sum or a norm of them.
#: - picks-one: each element of what it gives is that of one of its arguments behind the first.
#: - derives-at-a-point: it takes the derivative of its function at a point, with the value there.
#: - draws-given, draws-second: a method of this name, on whatever object (`*.sample`), draws from the key that it is
#:   given; only where it comes second: a key further on is for a network, which may not draw from it.
#: - may-map-keys: a method of this name, on an object that nobody sees, may map over an array of keys with its data.
#: - keeps-given, collects: a method of this name puts away or shows what it is given; collects it, or shows progress.
#: - drawn-on: what it gives is drawn on for a person.
#: - finds-files: a function or method of this name tells whether there is a file or a folder.
#: - to-host, to-device: it gives Python what is in an array of JAX, or JAX what is in one of NumPy.
#: - is-array, or-number, inexact-alone: it asks whether a leaf is an array; or a number; of floats, not of integers.
#: - splits: it splits arrays over a mesh.
#: - per-device, of-devices: it runs its function once for each device; it makes one array of those that devices hold.
#: - takes-shape-first, takes-operands-later: older releases took its arguments in another order, or its operands, too.
#: - needs-filter: since some release it must be told by `wrt` what it trains.
#: - all-processes, communicates: all processes of a run have to call it; it communicates along an axis with a name.
#: - binds-axis, binds-mesh: inside of its function the axis of its `axis_name`, or those of its mesh, have names.
#: - starts-program: nothing runs around its function that could bind the name of another axis.
#: - collective: it works along an axis that has a name.
#: - applies-gradients: it changes parameters, or gives what to change them by, by the gradients that it is given.
#: - applies-updates, gives-others: it adds updates to parameters; what it gives are other arrays than it is given.
#: - reads-params, has-state: the optimizer that it makes wants parameters with the gradients; it keeps a state.
#: - keeps-momentum, counts-steps: the optimizer keeps a state if it is given momentum; if it is given this schedule.
#: - counts-passes, tests-passes: it runs its body a number of times, or while a test of the carry is true.
#: - reverse-mode: it takes derivatives backwards.
#: - own-derivative, wants-rules: its function is differentiated by rules of its own; without them, it raises.
#: - forwards-rules: methods that give rules, and that what it makes has not, are those of its function.
#: - registers: it keeps its functions for later, and runs them inside of whatever is differentiated then.
#: - binds-leaves: the partial function that it makes is a pytree of what it binds.
#: - lengthens: it puts arrays one behind the other.
#: - drops-numbers: what it leaves out depends on the numbers in its first argument, and so does the shape.
#: - counts: it gives a whole number, or several, of such numbers.
#: - enumerates: it gives an array of numbers, one after the other.
#: - starts-backend, stops-backend: it starts JAX's backend, whatever it is given; it stops all backends.
#: - starts-processes: it runs other processes, which inherit the environment.
#: - counts-up, passes-on: a loop over it counts up, or goes over what it is given.
#:
#: Of context managers, classes and modules:
#:
#: - concrete-inside: operations on constants are concrete inside of it.
#: - runs-eagerly: what compiles runs its functions as they are inside of it.
#: - off-in-traces: a flag that is off where anything is traced by what compiles.
#: - assumes-pure: it runs its function as often as it likes, since that is said to be pure.
#: - changes-itself: a method that changes the state of its object.
#: - unflattens-by-call: JAX makes the objects of such a class anew by calling the class.
#: - made-per-call: its objects live for one call.
#: - holds-functions: its methods are functions that an object holds, the same ones at each access.
#: - run-compiled: its objects are models, which people call in code that is compiled.
#: - no-tree: its objects are neither arrays nor trees of arrays, so that JAX cannot trace one as an argument.
#: - wraps-array-type: its types take an array type: `Float[Array, "n"]`.
#: - writes-results: its function gives nothing back, and writes its results to memory.
#: - kernels: modules for kernels, whose references are annotated as arrays.
#: - wide-integer, wide-float: what it gives needs more than 32 bits: nanoseconds, a hash; a date as a float.
#: - imports-jax: to import the library is to import JAX.
#: - keeps-signature: what it makes of a function takes the arguments that the function takes.
#: - calls-host: a compiled program that it is part of calls Python code on the host when it runs.
#: - raises-from-host: the same, to raise an error there, unless it is called with `throw=False`.
#: - never-returns: it raises whatever it is called with, or ends the process.
#: - idle-at-zero: it draws nothing where its second argument, a rate, is zero.
#: - runs-any-function: the command line names the function of its module that it runs.
#: - holds-constants: the module holds `pi`, `inf` and the like.
Trait: TypeAlias = Literal[
    "hashes-statics", "keeps-bodies", "keeps-programs", "keyed-by-form", "keyed-by-function", "keyed-by-method",
    "keyed-by-type", "unflattens-by-call", "assumes-pure", "changes-itself",
    "equal-by-function", "binds-leaves", "pytrees-only", "reads-attributes",
    "merges-objects", "repeats", "returns-when-done", "donates", "donates-by-word", "donates-positions",
    "maps-all", "maps-in-front",
    "needs-statics",
    "reads-contents",
    "wide-integer", "wide-float",
    "result-only", "draws", "writes-out", "writes-first", "hands-on", "hands-on-alone", "waits", "prepares",
    "heavy", "typed-key", "shuffles-rows", "reshapes", "gathers", "keeps-keys", "splits-key", "takes-seed",
    "random-generator", "never-of-jax",
    "scalar-type", "converts-number", "counts-up", "passes-on", "concrete-inside", "runs-eagerly", "off-in-traces",
    "made-per-call", "holds-functions", "enumerates", "no-tree",
    "run-compiled", "wraps-array-type", "kernels", "holds-constants", "undifferentiated", "fills", "of-shape",
    "keeps-static-leaves", "marks-carry", "makes-small-numbers", "makes-given-numbers",
    "sees-primals", "gives-first", "branches", "picks-one", "derives-at-a-point", "draws-given", "draws-second",
    "idle-at-zero", "may-map-keys", "drawn-on", "finds-files", "runs-any-function",
    "keeps-given", "checks-leaves", "takes-shapes", "maps-aux", "flattens", "rejects-sequences", "writes-results",
    "reads-dtypes", "takes-references", "keeps-host", "drops-numbers",
    "lengthens", "counts", "collects", "to-host", "to-device", "calls-functions", "takes-pairs", "checks-types",
    "wants-scalar", "wants-inexact", "counts-arguments", "splits", "per-device", "of-devices", "checks-axes",
    "starts-backend", "stops-backend", "starts-processes", "imports-jax",
    "binds-axis", "binds-mesh", "starts-program", "collective", "registers",
    "applies-gradients", "applies-updates", "gives-others", "reads-params", "has-state",
    "keeps-momentum", "counts-steps",
    "counts-passes", "tests-passes", "reverse-mode", "own-derivative", "wants-rules",
    "forwards-rules",
    "all-processes", "communicates", "takes-shape-first", "takes-operands-later", "needs-filter",
    "is-array", "or-number", "inexact-alone", "computes-numbers", "needs-key",
    "asks-for-number", "asks-for-value",
    "keeps-signature", "never-returns", "calls-host", "raises-from-host",
]  # fmt: skip


class TraitsRow(NamedTuple):
    """What is said of a name, or of all below it where it ends in `.*`; `-trait` takes back what a prefix says."""

    name: str
    traits: tuple[str, ...]


class StartUpRow(NamedTuple):
    """A setting that JAX stops looking at.

    `kind`: variable (of the environment), option (of `jax.config`) or call. `last_read`: import (of JAX), backend (its
    start, by the first operation or question about devices), or arrays (those made before stay what they are).
    `raises` is the exception that a later change raises; empty where it does nothing.
    """

    name: str
    kind: str
    last_read: str
    raises: str


class MeaningRow(NamedTuple):
    """What a call of a function means, where the analysis has code for it.

    `meaning` is the name of such code, with what it needs to know, or Python's function that does the same:
    `tree_map(path)`, `generator(CLASS)`, `functools.partial`. `record(FIELD,...)`: a class that is a named tuple;
    `formula(KIND)`: formulas that lose digits are made of it. `axis_pattern(KIND,N)`: its argument N is a pattern of
    axes. `alone(FUNCTION)`: given one argument only, it is another function.
    """

    name: str
    meaning: Term
