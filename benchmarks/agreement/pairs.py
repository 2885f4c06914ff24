"""Every transform times every operation: one program for each operation, a function and its call for each pair."""

from __future__ import annotations

import ast
import contextlib
import io
import types
import warnings
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from benchmarks.agreement import execution, linter
from benchmarks.agreement.operations import Leaf, Operand, Operation
from benchmarks.agreement.sinks import RULES

_PREAMBLE = """\
import operator

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax import lax
from jax.sharding import PartitionSpec

MESH = jax.make_mesh((1,), ("i",))"""

_COMPARED = frozenset().union(*RULES.values())


class Transform(NamedTuple):
    """How a function `{f}` of one array is traced; `wants` is what it returns: the array again, or one number."""

    name: str
    call: str
    wants: str = "same"
    before: str = ""


TRANSFORMS = [
    Transform("eager", "{f}({x})"),
    Transform("jit", "jax.jit({f})({x})"),
    Transform("vmap", "jax.vmap({f})({x}[None])"),
    Transform("grad", "jax.grad({f})({x})", "num"),
    Transform("value_and_grad", "jax.value_and_grad({f})({x})", "num"),
    Transform("jvp", "jax.jvp({f}, ({x},), ({x},))"),
    Transform("vjp", "jax.vjp({f}, {x})"),
    Transform("linearize", "jax.linearize({f}, {x})"),
    Transform("linear_transpose", "jax.linear_transpose({f}, {x})"),
    Transform("jacfwd", "jax.jacfwd({f})({x})"),
    Transform("jacrev", "jax.jacrev({f})({x})"),
    Transform("hessian", "jax.hessian({f})({x})", "num"),
    Transform("checkpoint", "jax.checkpoint({f})({x})"),
    Transform("scan, carry", "lax.scan(lambda c, _: ({f}(c), None), {x}, None, length=2)"),
    Transform("scan, xs", "lax.scan(lambda c, q: (c, {f}(q)), 0.0, {x}[None])"),
    Transform("while_loop", "lax.while_loop(lambda c: c[0] < 1, lambda c: (c[0] + 1, {f}(c[1])), (0, {x}))"),
    Transform("fori_loop", "lax.fori_loop(0, 2, lambda i, c: {f}(c), {x})"),
    Transform("cond", "lax.cond(True, {f}, lambda q: q * 1.0, {x})"),
    Transform("switch", "lax.switch(0, [{f}, lambda q: q * 1.0], {x})"),
    Transform("map", "lax.map({f}, {x}[None])"),
    Transform("custom_jvp", "{c}({x})", "same", "{c} = jax.custom_jvp({f})\n{c}.defjvp(lambda p, t: ({f}(*p), t[0]))"),
    Transform("custom_jvp in grad", "jax.grad({c})({x})", "num",
              "{c} = jax.custom_jvp({f})\n{c}.defjvp(lambda p, t: ({f}(*p), jnp.sum(t[0])))"),
    Transform("custom_vjp", "{c}({x})", "num",
              "{c} = jax.custom_vjp({f})\n{c}.defvjp(lambda q: (jnp.sum(q), q), lambda q, g: (q * g,))"),
    Transform("custom_vjp in grad", "jax.grad({c})({x})", "num",
              "{c} = jax.custom_vjp({f})\n{c}.defvjp(lambda q: ({f}(q), q), lambda q, g: (q * g,))"),
    Transform("custom_vmap", "jax.custom_batching.custom_vmap({f})({x})"),
    Transform("eval_shape", "jax.eval_shape({f}, {x})"),
    Transform("make_jaxpr", "jax.make_jaxpr({f})({x})"),
    Transform("pmap", "jax.pmap({f})({x}[None])"),
    Transform("shard_map", "jax.shard_map({f}, mesh=MESH, in_specs=PartitionSpec(), out_specs=PartitionSpec())({x})"),
    Transform("vectorize", "jnp.vectorize({f})({x})", "num"),
    Transform("named_call", "jax.named_call({f})({x})"),
    Transform("pure_callback", "jax.pure_callback({f}, {x}, {x})"),
    Transform("tree.map", "jax.tree.map({f}, [{x}])"),
    Transform("vmap of grad", "jax.vmap(jax.grad({f}))({x}[None])", "num"),
    Transform("grad of vmap", "jax.grad(lambda q: jax.vmap({f})(q[None]).sum())({x})", "num"),
    Transform("jit of grad", "jax.jit(jax.grad({f}))({x})", "num"),
    Transform("grad of jit", "jax.grad(jax.jit({f}))({x})", "num"),
    Transform("grad of scan", "jax.grad(lambda q: lax.scan(lambda c, p: (c + {f}(p), None), 0.0, q[None])[0])({x})", "num"),
    Transform("vmap of jvp", "jax.vmap(lambda q: jax.jvp({f}, (q,), (q,))[0])({x}[None])"),
    Transform("checkpoint in grad", "jax.grad(jax.checkpoint({f}))({x})", "num"),
    Transform("eqx.filter_jit", "eqx.filter_jit({f})({x})"),
    Transform("eqx.filter_grad", "eqx.filter_grad({f})({x})", "num"),
    Transform("eqx.filter_vmap", "eqx.filter_vmap({f})({x}[None])"),
    Transform("nnx.jit", "nnx.jit({f})({x})"),
    Transform("nnx.grad", "nnx.grad({f})({x})", "num"),
    Transform("nnx.vmap", "nnx.vmap({f})({x}[None])"),
    Transform("nnx.scan", "nnx.scan({f}, in_axes=0, out_axes=0)({x}[None])"),
]  # fmt: skip


@dataclass
class Pair:
    """An operation in a transform: its lines in the program, and what came of it."""

    operation: str
    transform: str
    question: str
    lines: range
    call_line: int
    raised: int = 0
    said: tuple[int, ...] = ()
    trouble: str = ""
    valid: bool = True

    @property
    def agrees(self) -> bool:
        """Whether what raises was said at its line, and nothing else; behind the error all may be said."""
        wrong = [line for line in self.said if line != self.raised and not 0 < self.raised < line]
        return not wrong and (not self.raised or self.raised in self.said)

    @property
    def kind(self) -> str:
        """A word for each way to disagree."""
        return "missed" if self.raised and self.raised not in self.said else "alarm"


@dataclass
class _Draft:
    lines: list[str] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.lines += text.split("\n")


def judged(operation: Operation, rng: Random, transforms: list[Transform] = TRANSFORMS) -> tuple[str, list[Pair]]:
    """The program of an operation, and its pairs, compared."""
    text, pairs = program(operation, rng, transforms)
    _run(text, pairs)
    said = {each.span.line for each in linter.findings(text) if each.rule in _COMPARED}
    for pair in pairs:
        pair.said = tuple(sorted(said & {*pair.lines, pair.call_line}))
    return text, [pair for pair in pairs if pair.valid]


def program(operation: Operation, rng: Random, transforms: list[Transform]) -> tuple[str, list[Pair]]:
    """One function and one call for each transform, operand and place of the operand."""
    draft = _Draft([*_PREAMBLE.split("\n"), *operation.constants])
    for number, operand in enumerate(operation.operands):
        draft.say(f"X{number} = jnp.asarray({operand.value.tolist()}, dtype='float32')")
        for transform in transforms:
            for place in ("parameter", "captured"):
                _pair(draft, operation, operand, transform, place, f"X{number}", rng)
    return "\n".join(draft.lines) + "\n", draft.pairs


def _pair(
    draft: _Draft, operation: Operation, operand: Operand, transform: Transform, place: str, value: str, rng: Random
) -> None:
    number = len(draft.pairs)
    call = operand.call.replace("{x}", "x" if place == "parameter" else value)
    question, asked = _question(operation.leaf if operand.role == "result" else None, rng)
    returns = "jnp.sum(x)" if transform.wants == "num" else "x * 1.0"
    start = len(draft.lines) + 3
    draft.say(f"\n\ndef f{number}(x):\n    y = {call}\n{asked}    return {returns}\n\n")
    lines = range(start, len(draft.lines) + 1)
    names = {"f": f"f{number}", "x": value, "c": f"c{number}"}
    if transform.before:
        draft.say(transform.before.format(**names))
    draft.say(transform.call.format(**names))
    what = operand.role if operand.role != "result" else question
    draft.pairs.append(Pair(operation.name, transform.name, f"{what}, {place}", lines, len(draft.lines)))


def _question(leaf: Leaf | None, rng: Random) -> tuple[str, str]:
    """What is asked of the result, as lines of the function."""
    if leaf is None:
        return "call", ""
    path, kind, rank = leaf
    one = f"{path}.ravel()[0]" if rank else path
    questions = {
        "numpy": f"np.asarray({path})",
        "convert": f"{({'c': 'complex', 'i': 'int', 'u': 'int', 'b': 'bool'}).get(kind, 'float')}({one})",
        "shape": f"np.zeros({path}.shape)[: {path}.ndim]",
        "hash": f"hash({path})",
    }
    if kind in "iu":
        questions["index"] = f"operator.index({one})"
    branch = {"b": f"{path}.all()" if rank else path, "c": f"abs({one}) > 0"}.get(kind, f"{one} > 0")
    name = rng.choice([*questions, "branch", "branch"])
    if name == "branch":
        return name, f"    if {branch}:\n        x = x * 2.0\n"
    return name, f"    {questions[name]}\n"


def _run(text: str, pairs: list[Pair]) -> None:
    """Run the statements one by one, and note which raise where."""
    by_line = {pair.call_line: pair for pair in pairs}
    module = types.ModuleType("pairs")
    path = "<pairs>"
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for node in ast.parse(text).body:
            error = _error_of(compile(ast.Module([node], []), path, "exec"), module)
            if error is None:
                continue
            pair = by_line.get(node.lineno)
            if pair is None:
                _invalid(by_line, node.lineno, str(error))
            else:
                _note(pair, error, path)


def _error_of(code: types.CodeType, module: types.ModuleType) -> BaseException | None:
    try:
        with execution.deadline():
            exec(code, module.__dict__)
    except (Exception, execution.TooLong) as error:
        return error
    return None


def _invalid(by_line: dict[int, Pair], line: int, trouble: str) -> None:
    """What the next pair needs could not be made."""
    pair = by_line[min(each for each in by_line if each >= line)]
    pair.valid, pair.trouble = False, trouble


def _note(pair: Pair, error: BaseException, path: str) -> None:
    raised = execution.raised(error, path) if isinstance(error, Exception) else None
    pair.trouble = str(raised or "too long")[:200]
    if raised is None or not raised.is_hazard:
        pair.valid = False
        return
    pair.raised = raised.lines[0]
