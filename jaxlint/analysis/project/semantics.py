"""The one place where Python's semantics and JAX's are put together for the interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.jax import (
    array_methods,
    jit_declarations,
    kernel_results,
    leaf_types,
    library,
    library_objects,
    module_apply,
    recompilation,
    transforms,
    trees,
    uncalled_transforms,
)
from jaxlint.analysis.machine.semantics import LibrarySemantics, Semantics
from jaxlint.analysis.python import attributes, calls, stores
from jaxlint.analysis.python.expressions import EXPRESSIONS
from jaxlint.analysis.python.statements import STATEMENTS

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import Value
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir


def _returned(it: Interpreter, value: Value, node: ir.Expr) -> None:
    """Tell the rules of what a function returns inside a trace."""
    leaf_types.check_result(it, value, node)
    kernel_results.check_result(it, value, node)


SEMANTICS: Final = Semantics(
    expressions=EXPRESSIONS,
    statements=STATEMENTS,
    attribute=attributes.attribute,
    call=calls.dispatch,
    bind=stores.bind_name,
    library=LibrarySemantics(
        call=library.call,
        call_transformed=transforms.call_transformed,
        call_member=array_methods.call,
        call_object=library_objects.call,
        call_module_method=module_apply.call_module_method,
        call_inherited=library_objects.call_row,
        object_attribute=library_objects.attribute,
        inherited=library_objects.inherited,
        inherited_attribute=library_objects.inherited_attribute,
        annotated=library_objects.of_class,
        is_tree=library_objects.is_tree,
        structures_differ=trees.differ,
        tell_zip=trees.tell_zip,
        call_again=recompilation.call_again,
        returned=_returned,
        announce=jit_declarations.announce,
        trace_uncalled=uncalled_transforms.run_generic,
    ),
)
