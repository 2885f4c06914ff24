"""What code means to the interpreter: transfer functions of nodes, and what calls, attributes and names come to.

The interpreter knows these tables alone. `jaxlint.analysis.project.semantics` assembles them from the modules that
hold Python's semantics and JAX's, so that none of those needs to be imported by what it stands on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import Arguments, Value
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.domain.application import Application
    from jaxlint.analysis.domain.values import (
        ClassValue,
        InstanceCell,
        Made,
        Member,
        Object,
        Static,
        Transformed,
        Unknown,
    )
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.jaxapi.rows import ObjectRow

#: Evaluates a call of one function, named first.
Handler = Callable[["Interpreter", str, Arguments, ir.Expr], Value]


@dataclass(frozen=True, slots=True)
class LibrarySemantics:
    """What JAX and the libraries around it add to Python: calls of their functions, and members of their objects.

    `call` takes a qualified name. `inherited` finds the row of a member that a project class has from a library's
    class, `inherited_attribute` reads it, `call_inherited` calls it. `end_call` is told of functions given to
    transforms when the frame that did so is done, `call_again` of each call of a function that compiles something,
    `returned` of what a function returns.
    """

    call: Handler
    call_transformed: Callable[[Interpreter, Transformed, Arguments, ir.Expr], Value]
    call_member: Callable[[Interpreter, Member, Arguments, ir.Expr], Value]
    call_object: Callable[[Interpreter, Made, str, Arguments, ir.Expr], Value]
    call_module_method: Callable[[Interpreter, Object | Made, str, Arguments, ir.Expr], Value]
    call_inherited: Callable[[Interpreter, ObjectRow, Value, Arguments, ir.Expr], Value]
    object_attribute: Callable[[Interpreter, Made, str, int], Value | None]
    inherited: Callable[[Interpreter, ClassValue, str], ObjectRow | None]
    inherited_attribute: Callable[[Interpreter, Object, InstanceCell, str, int], Value | None]
    annotated: Callable[[Interpreter, str, Unknown], Value]
    is_tree: Callable[[Interpreter, Value], bool]
    structures_differ: Callable[[Interpreter, Static, Static], bool]
    tell_zip: Callable[[Interpreter, Arguments, ir.Expr], None]
    call_again: Callable[[Interpreter, ir.Function, int], None]
    returned: Callable[[Interpreter, Value, ir.Expr], None]
    announce: Callable[[Interpreter, Value, Application], None]
    trace_uncalled: Callable[[Interpreter, Value, Application, ClassValue | None], None]


@dataclass(frozen=True, slots=True)
class Semantics:
    """Transfer functions by the class of a node, and what the interpreter's verbs do."""

    expressions: Mapping[type, Callable[[Interpreter, Any], Value]]
    statements: Mapping[type, Callable[[Interpreter, Any], bool]]
    attribute: Callable[[Interpreter, Value, str, int], Value]
    call: Callable[[Interpreter, Value, Arguments, ir.Expr], Value]
    bind: Callable[[Interpreter, str, Value, ir.Expr | None, ir.Expr | None], None]
    library: LibrarySemantics
