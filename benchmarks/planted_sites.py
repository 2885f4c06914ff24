"""Mistakes that can be planted in a code base: what each changes in the text, and which rules may find it there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from planted_program import Class, Function, Module, Program
from planted_traced import Traces
from roundtrip_sites import OPERATORS, Edit, Text


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Operations of `jax.numpy` whose result is one array, whatever they are given.
COMPUTED = _words(
    "abs add arccos arcsin arctan arctan2 average clip concatenate cos cosh cross cumsum divide dot einsum exp exp2 "
    "expm1 hstack linspace log log10 log1p logaddexp matmul max maximum mean min minimum mod multiply negative outer "
    "power prod roll sin sinh sqrt square stack std subtract sum tan tanh tensordot transpose var vstack where"
)
#: Those that take several arrays in one argument.
SEQUENCES = _words("concatenate stack vstack hstack")
ACTIVATIONS = _words("relu gelu sigmoid softmax log_softmax tanh silu swish elu softplus leaky_relu")
#: Layers that return one array.
LAYERS = _words(
    "Dense Conv LayerNorm Embed Dropout Linear RMSNorm GroupNorm BatchNorm Conv2D Conv2d ConvTranspose DenseGeneral"
)
#: Draws, whose first argument is the key that they consume.
DRAWS = _words(
    "normal uniform randint bernoulli categorical gumbel permutation choice truncated_normal exponential gamma beta "
    "laplace multivariate_normal poisson rademacher split bits dirichlet cauchy logistic"
)
REUSE = frozenset({"key-reuse", "key-reuse-in-loop", "parent-key-after-split"})
STORED = frozenset({"in-place-item-assignment"})
DROPPED = frozenset({"discarded-at-update"})


@dataclass(frozen=True, slots=True)
class Site:
    """One mistake: edits by offset, the rules that mean it, and further lines of the file where they may say so."""

    operator: str
    rules: frozenset[str]
    path: Path
    function: str
    framework: str
    depth: int | None
    edits: tuple[Edit, ...]
    lines: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Use:
    """A key given to a draw, or to a function of the code base that draws from it; the lines are those of the call."""

    name: ast.Name
    how: str
    lines: frozenset[int]

    @property
    def where(self) -> str:
        return "draws" if self.how == "draw" else "callees"


class _File:
    """What planting in one file needs of it."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.text = Text(module.text)

    def name_of(self, library: str) -> str | None:
        """What the file calls a module."""
        return next((name for name, full in self.module.imports.items() if full == library), None)

    def after(self, statement: ast.stmt, lines: list[str]) -> Edit | None:
        """New lines behind a statement that ends its line."""
        end = self.text.starts[statement.end_lineno or 0]
        rest = self.text.text[self.text.span(statement)[1] : end].strip()
        if (rest and not rest.startswith("#")) or not self.text.text[:end].endswith("\n"):
            return None
        return end, end, self._indented(statement.lineno, lines)

    def before(self, statement: ast.stmt, lines: list[str]) -> Edit | None:
        """New lines before a statement that begins its line."""
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
        start = self.text.starts[first - 1]
        if self.text.text[start : self.text.span(statement)[0]].strip() and first == statement.lineno:
            return None
        return start, start, self._indented(first, lines)

    def _indented(self, like: int, lines: list[str]) -> str:
        line = self.text.lines[like - 1]
        indent = line[: len(line) - len(line.lstrip())]
        return "".join(f"{indent}{new}\n" for new in lines)


def sites(program: Program, traces: Traces, folder: Path) -> Iterator[Site]:
    """Every mistake that can be planted in the files of a program, tests left out."""
    for module in program.modules:
        if any("test" in part for part in module.path.relative_to(folder).parts) or "disable_jit" in module.text:
            continue
        file = _File(module)
        for function in module.all_functions:
            planter = _Planter(program, traces, file, function)
            if function in traces.reached:
                yield from planter.traced()
            yield from planter.anywhere()


class _Planter:
    """The mistakes of one function."""

    def __init__(self, program: Program, traces: Traces, file: _File, function: Function) -> None:
        self.program, self.traces, self.file, self.function = program, traces, file, function
        self.module = function.module
        self.reached = traces.reached.get(function)

    def _site(
        self, operator: str, rules: frozenset[str] | str, *edits: Edit, lines: frozenset[int] = frozenset()
    ) -> Site:
        of_rules = rules if isinstance(rules, frozenset) else frozenset(rules.split())
        framework = self.reached.framework if self.reached else self.traces.framework(self.function)
        depth = self.reached.depth if self.reached else None
        return Site(operator, of_rules, self.module.path, self.function.name, framework, depth, edits, lines)

    def full(self, node: ast.expr) -> str:
        return self.program.full_name(node, self.module, self.function) or ""

    # -- in traced code ------------------------------------------------------------------------------------------

    def traced(self) -> Iterator[Site]:
        """What is a mistake since the function is traced."""
        for statement, name in self._arrays():
            yield from self._behind(statement, name, "")
        for name in self._array_parameters():
            yield from self._behind(self._first_statement(), name, " (parameter)")
        yield from self._choices()
        yield from self._effects()

    def _behind(self, statement: ast.stmt, name: str, kind: str) -> Iterator[Site]:
        for operator, rules, lines in self._on_array(name):
            edit = self.file.before(statement, lines) if kind else self.file.after(statement, lines)
            if edit is not None:
                yield self._site(f"{operator}{kind}", rules, edit)

    def _array_parameters(self) -> Iterator[str]:
        """Parameters of what is traced itself, and of modules that it calls, that some operation takes as an array."""
        node, reached = self.function.node, self.reached
        is_module = node.name == "__call__" and reached is not None and reached.framework in ("linen", "nnx", "haiku")
        if reached is None or not (reached.depth == 0 or is_module) or self._has_statics():
            return
        taken = {
            call.args[0].id
            for call in self.function.own()
            if isinstance(call, ast.Call)
            and call.args
            and isinstance(call.args[0], ast.Name)
            and self._takes_array(call)
        }
        required = self.function.parameters[: len(self.function.parameters) - len(node.args.defaults)]
        yield from (p.arg for p in required if p.arg in taken)

    def _first_statement(self) -> ast.stmt:
        """The first statement that is no docstring, or the docstring where that is all."""
        first, *rest = self.function.node.body
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        return rest[0] if is_text and rest else first

    def _takes_array(self, call: ast.Call) -> bool:
        last = self.full(call.func).rpartition(".")[2]
        return last not in SEQUENCES and last not in ("einsum", "linspace") and self._is_computed(call)

    def _has_statics(self) -> bool:
        """Whether a transform may leave some arguments as they are."""
        return any("static" in ast.unparse(d) or "in_axes" in ast.unparse(d) for d in self.function.node.decorator_list)

    def _on_array(self, y: str) -> Iterator[tuple[str, str, list[str]]]:
        yield "if on an array", "traced-branch", [f"if {y}.max() > 0:", f"    {y} = {y} + 1"]
        yield "print", "print-in-traced-code", [f'print("planted", {y})']
        yield "assert on an array", "traced-branch", [f"assert ({y} > 0).all()"]
        yield "while on an array", "traced-while", [f"while {y}.max() > 1:", f"    {y} = {y} / 2"]
        yield "float()", "concretization", [f"planted = float({y}.mean())"]
        yield ".item()", "concretization", [f"planted = {y}.item()"]
        yield (
            "range() of an array",
            "traced-iteration-count concretization",
            [f"for planted in range({y}.argmax()):", f"    {y} = {y} + planted"],
        )
        yield "boolean mask", "boolean-mask-index", [f"planted = {y}[{y} > 0]"]
        yield "index of a list", "traced-container-index", [f"planted = [1, 2][{y}.argmax()]"]
        numpy, jnp = self.file.name_of("numpy"), self.file.name_of("jax.numpy")
        if numpy is not None:
            yield "NumPy function", "numpy-on-tracer", [f"planted = {numpy}.sqrt({y})"]
        if jnp is not None:
            yield "shape from an array", "traced-shape concretization", [f"planted = {jnp}.zeros({y}.argmax())"]
            yield "nonzero", "data-dependent-shape", [f"planted = {jnp}.nonzero({y})"]
        yield "append to a global", "leaked-tracer global-mutation captured-mutation", [f"PLANTED.append({y})"]
        owner, is_first = self.function.owner, self.reached is not None and self.reached.depth == 0
        if owner is not None and is_first and self._is_plain_class(owner):  # deeper, `self` may be made in the trace
            yield "attribute of self", "leaked-tracer self-mutation", [f"self.planted = {y}"]

    def _is_plain_class(self, owner: Class) -> bool:
        """Whether attributes may be assigned, and outlive the trace."""
        of = list(self.program.lineage(owner))
        classes = [base for base in of if isinstance(base, Class)]
        is_static = any(isinstance(d, ast.Name) and d.id != "compact" for d in self.function.node.decorator_list)
        return len(classes) == len(of) and not is_static and not any(base.node.decorator_list for base in classes)

    def _effects(self) -> Iterator[Site]:
        """What is done once, while tracing, in code that computes arrays."""
        body = self.function.node.body
        is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        if is_text and len(body) > 1 and any(self._arrays()):
            edit = self.file.after(body[0], ["PLANTED.append(1)"])
            if edit is not None:
                yield self._site("count in a global", "global-mutation captured-mutation", edit)

    def _arrays(self) -> Iterator[tuple[ast.stmt, str]]:
        """The statements that give a name a new array, outside of branches."""
        for statement in _straight(self.function.node.body):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self._is_computed(value):
                    yield statement, name
                case _:
                    pass

    def _is_computed(self, value: ast.expr) -> bool:
        match value:
            case ast.BinOp(left=left, right=right):
                return self._is_computed(left) or self._is_computed(right)
            case ast.Call(func=called):
                prefix, _, last = self.full(called).rpartition(".")
                if (prefix == "jax.numpy" and last in COMPUTED) or (prefix == "jax.nn" and last in ACTIVATIONS):
                    return True
                kind = self.traces.program.kind(called, self.module, self.function)
                return kind is not None and isinstance(kind.of, str) and kind.of.rpartition(".")[2] in LAYERS
            case _:
                return False

    def _choices(self) -> Iterator[Site]:
        """`jnp.where(c, a, b)` as `a if c else b`."""
        for statement in _straight(self.function.node.body):
            for node in ast.walk(statement) if isinstance(statement, ast.Assign | ast.Return) else []:
                match node:
                    case ast.Call(func=called, args=[ast.Compare(left=left) as test, yes, no], keywords=[]):
                        if self.full(called) == "jax.numpy.where" and self._is_computed(left):
                            a, b, c = (self.file.text.segment(part) for part in (yes, no, test))
                            if "\n" not in a + b + c:
                                new = f"(({a}) if {c} else ({b}))"
                                yield self._site("where as if", "traced-branch", (*self.file.text.span(node), new))
                    case _:
                        pass

    # -- anywhere ------------------------------------------------------------------------------------------------

    def anywhere(self) -> Iterator[Site]:
        """What is a mistake whether or not the code is traced."""
        for statement, name in self._arrays():
            for operator, rules, line in (
                ("item store", STORED, f"{name}[0] = 0"),
                ("update dropped, new", DROPPED, f"{name}.at[0].set(0)"),
            ):
                edit = self.file.after(statement, [line])
                if edit is not None:
                    yield self._site(operator, rules, edit)
        yield from self._updates()
        yield from self._keys()
        yield from self._static_names()

    def _static_names(self) -> Iterator[Site]:
        """A name in `static_argnames` that no parameter has."""
        for decorator in self.function.node.decorator_list:
            for keyword in decorator.keywords if isinstance(decorator, ast.Call) else []:
                if keyword.arg == "static_argnames":
                    names = [n for n in ast.walk(keyword.value) if isinstance(n, ast.Constant)]
                    for name in names[:1]:
                        edit = (*self.file.text.span(name), f'"{name.value}_planted"')
                        if not any(
                            a.arg == "kwargs" for a in ast.walk(self.function.node.args) if isinstance(a, ast.arg)
                        ):
                            yield self._site("static name misspelt", "static-name-mismatch", edit)

    def _updates(self) -> Iterator[Site]:
        """Updates that are there, as stores and without their result."""
        for statement in _straight(self.function.node.body):
            match statement:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(
                        func=ast.Attribute(
                            attr=method,
                            value=ast.Subscript(value=ast.Attribute(attr="at", value=ast.Name(id=base)), slice=index),
                        ),
                        args=[value],
                        keywords=[],
                    ) as call,
                ) if method in OPERATORS and name == base:
                    text = self.file.text
                    edit = (*text.span(statement), text.segment(call))
                    if "\n" not in edit[2]:
                        yield self._site("update dropped", DROPPED, edit)
                        new = f"{name}[{text.segment(index).strip()}] {OPERATORS[method]} {text.segment(value)}"
                        if method == "set":
                            yield self._site("update as a store", STORED, (edit[0], edit[1], new))
                case _:
                    pass

    # -- keys ----------------------------------------------------------------------------------------------------

    def _keys(self) -> Iterator[Site]:
        for block, in_loop in _blocks(self.function.node):
            for index, statement in enumerate(block):
                match statement:
                    case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call(args=[parent, *_]) as call):
                        names = [target.id for target in targets if isinstance(target, ast.Name)]
                        if self.full(call.func) == "jax.random.split" and len(names) == len(targets):
                            yield from self._of_split(statement, names, parent, block[index + 1 :], in_loop)
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Name(id=parent), _]) as call):
                        if self.full(call.func) == "jax.random.fold_in" and in_loop and name != parent:
                            yield from self._without_fold(statement, name, parent, block[index + 1 :])
                    case _:
                        pass

    def _of_split(
        self, statement: ast.Assign, names: list[str], parent: ast.expr, later: list[ast.stmt], in_loop: bool
    ) -> Iterator[Site]:
        uses = {name: self._consumed(name, later) for name in names}
        used = [name for name in names if uses[name]]
        text = self.file.text
        if len(used) >= 2 and not set(used) & self._rebound(later):
            first, second = used[0], used[1]
            one, other = uses[first][0], uses[second][0]
            how = "draws" if {one.how, other.how} == {"draw"} else "callees"
            edit = (*text.span(other.name), first)
            yield self._site(f"half used twice, {how}", REUSE, edit, lines=one.lines | other.lines)
        if not isinstance(parent, ast.Name):
            return
        of_parent = uses.get(parent.id, [])
        children = [name for name in names if name != parent.id]
        if of_parent and parent.id not in self._rebound(later):
            target = next(t for t in ast.walk(statement.targets[0]) if isinstance(t, ast.Name) and t.id == parent.id)
            lines = frozenset[int]().union(*(use.lines for use in of_parent))
            yield self._site(f"parent used, {of_parent[0].where}", REUSE, (*text.span(target), "_"), lines=lines)
        if len(children) == 1 and parent.id in names and uses[children[0]]:
            use = uses[children[0]][0]
            edit = (*text.span(statement), f"{children[0]} = {parent.id}")
            lines, what = use.lines, use.where
            if in_loop and not of_parent and parent.id in self._bound_before(statement):
                yield self._site(f"no split in a loop, {what}", REUSE, edit, lines=lines)
            elif self._is_returned(parent.id) and not in_loop and not of_parent:
                kind = "carried on" if self.reached and self.reached.by == "scan" else "returned"
                yield self._site(f"used key {kind}, {what}", REUSE, edit, lines=lines | self._returns())

    def _without_fold(self, statement: ast.Assign, name: str, parent: str, later: list[ast.stmt]) -> Iterator[Site]:
        uses = self._consumed(name, later)
        if uses and parent in self._bound_before(statement):
            edit = (*self.file.text.span(statement), f"{name} = {parent}")
            yield self._site(f"no fold_in in a loop, {uses[0].where}", REUSE, edit, lines=uses[0].lines)

    def _consumed(self, key: str, later: list[ast.stmt]) -> list[_Use]:
        """Where a name is consumed for sure in the statements of a block: drawn from here or in what is called."""
        found: list[_Use] = []
        for statement in later:
            if not isinstance(statement, ast.Assign | ast.Return | ast.Expr | ast.AugAssign | ast.AnnAssign):
                continue
            for node in nodes_evaluated(statement):
                if isinstance(node, ast.Call):
                    lines = frozenset(range(node.lineno, (node.end_lineno or 0) + 1))
                    found += [_Use(name, how, lines) for name, how in self._keys_of(node) if name.id == key]
        return found

    def _keys_of(self, call: ast.Call) -> Iterator[tuple[ast.Name, str]]:
        prefix, _, last = self.full(call.func).rpartition(".")
        if prefix == "jax.random" and last in DRAWS:
            if call.args and isinstance(call.args[0], ast.Name):
                yield call.args[0], "draw"
            return
        for callee in self.traces.named(call.func, self.module, self.function):
            parameters = callee.parameters
            if callee.owner is not None and parameters and parameters[0].arg in ("self", "cls"):
                parameters = parameters[1:]
            pairs = [(p.arg, a) for p, a in zip(parameters, call.args, strict=False)]
            pairs += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
            for parameter, argument in pairs:
                if isinstance(argument, ast.Name) and _draws_from(self.program, callee, parameter):
                    yield argument, "callee"

    def _rebound(self, later: list[ast.stmt]) -> set[str]:
        return {n.id for s in later for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    def _bound_before(self, statement: ast.stmt) -> set[str]:
        """Parameters, and names bound before the outermost loop around a statement, that stay as they are in it."""
        names = {parameter.arg for parameter in self.function.parameters}
        for other in self.function.node.body:
            own = {n.id for n in ast.walk(other) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            if other.lineno <= statement.lineno <= (other.end_lineno or 0):
                inside = [s for s in ast.walk(other) if isinstance(s, ast.stmt) and s is not statement]
                again = {
                    n.id
                    for s in inside
                    if isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign)
                    for n in ast.walk(s)
                    if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                }
                return names - again
            names |= own
        return set()

    def _is_returned(self, name: str) -> bool:
        return any(
            isinstance(node, ast.Return)
            and node.value
            and any(n.id == name for n in ast.walk(node.value) if isinstance(n, ast.Name))
            for node in self.function.own()
        )

    def _returns(self) -> frozenset[int]:
        return frozenset(
            n
            for r in self.function.own()
            if isinstance(r, ast.Return)
            for n in range(r.lineno, (r.end_lineno or 0) + 1)
        )


def _draws_from(program: Program, callee: Function, parameter: str) -> bool:
    """Whether the first statements of a function draw from one of its parameters, on every path."""
    if len(callee.bound.get(parameter, [])) != 1 or callee.node.decorator_list:
        return False
    for statement in callee.node.body:
        if isinstance(statement, ast.If | ast.For | ast.While | ast.Try | ast.With | ast.FunctionDef):
            return False
        for node in nodes_evaluated(statement):
            match node:
                case ast.Call(func=called, args=[ast.Name(id=name), *_]) if name == parameter:
                    prefix, _, last = (program.full_name(called, callee.module, callee) or "").rpartition(".")
                    if prefix == "jax.random" and last in DRAWS:
                        return True
                case _:
                    pass
    return False


def nodes_evaluated(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement that are evaluated whenever it runs, once."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if not isinstance(
            node, ast.Lambda | ast.IfExp | ast.BoolOp | ast.comprehension | ast.ListComp | ast.GeneratorExp
        ):
            yield node
            pending.extend(ast.iter_child_nodes(node))


def _straight(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body outside of branches; those behind what may return are left out."""
    for statement in body:
        if isinstance(statement, ast.With | ast.For):
            yield statement
            yield from _straight(statement.body)
        elif isinstance(statement, ast.If) and any(isinstance(n, ast.Return) for n in ast.walk(statement)):
            return
        else:
            yield statement


def _blocks(function: ast.FunctionDef) -> Iterator[tuple[list[ast.stmt], bool]]:
    """The blocks of a function, each with whether a loop repeats it; branches and handlers are left out."""
    pending: list[tuple[list[ast.stmt], bool]] = [(function.body, False)]
    while pending:
        block, in_loop = pending.pop()
        yield block, in_loop
        for statement in block:
            if isinstance(statement, ast.For | ast.While):
                ends = any(isinstance(s, ast.Break | ast.Return) for s in statement.body)
                pending.append((statement.body, not ends))
            elif isinstance(statement, ast.With):
                pending.append((statement.body, in_loop))
