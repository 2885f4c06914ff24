"""Gradients by complex parameters: which arrays of a gradient belong to which of the parameters, and who gets them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Arguments, Atom, Value, atoms_of
from jaxlint.analysis.events.optimizers import UnconjugatedStep
from jaxlint.analysis.jax import differentiation
from jaxlint.analysis.jax.tree_nodes import node_of
from jaxlint.analysis.machine.tree_leaves import MAX_NESTING
from jaxlint.analysis.python import complex_steps

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


def taken(
    it: Interpreter, application: Application, parameters: Sequence[Value | None], gradients: Sequence[Value]
) -> None:
    """A real function was differentiated by these parameters."""
    if not it.wants(UnconjugatedStep) or differentiation.flag(it, application, "holomorphic") is not False:
        return
    if it.api.has(application.name, "reverse-mode"):
        for parameter, gradient in zip(parameters, gradients):
            for given, made in () if parameter is None else _pairs(it, parameter, gradient):
                complex_steps.taken(it, given, made, application.short_name, application.at)


def _pairs(it: Interpreter, tree: Value, other: Value, depth: int = 0) -> Iterator[tuple[Atom, Atom]]:
    """The leaves in the same places of two trees of one structure."""
    firsts, seconds = atoms_of(tree), atoms_of(other)
    if len(firsts) != 1 or len(seconds) != 1 or depth > MAX_NESTING:
        return
    first, second = node_of(it, firsts[0]), node_of(it, seconds[0])
    if first is None or second is None:
        yield firsts[0], seconds[0]
        return
    for step, part in first.parts.items():
        if step in second.parts:
            yield from _pairs(it, part, second.parts[step], depth + 1)


def given(it: Interpreter, arguments: Arguments, node: ir.Call) -> None:
    """An optimizer of a library is given gradients."""
    grads = arguments.first
    for leaf, _ in _pairs(it, grads, grads):
        step = complex_steps.gradient_of(it, leaf)
        if step is not None:
            text = it.frame.module.text
            written = text(arguments.positional_at[0] if arguments.positional_at[0] >= 0 else node.at)
            it.emit(UnconjugatedStep(it.frame, node.at, written, step.transform, step.place, text(node.func.at)))
            return
