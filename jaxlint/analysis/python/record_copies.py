"""Copies of objects with some fields changed: `x.replace(...)`, `x._replace(...)`, `dataclasses.replace(x, ...)`.

What is not changed is in the copy what it is in the original.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.idents import AttributeOf, Ident
from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.domain.values import UNKNOWN, Arguments, InstanceCell, Object, Reason, Unknown

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir

#: Methods that give such a copy.
METHODS = frozenset({"replace", "_replace"})


def changed(it: Interpreter, original: Object, cell: InstanceCell, arguments: Arguments, at: int) -> Object:
    """A copy of an instance. Fields that nobody has looked at yet are the original's, too.

    `**changes` of unknown names may change any field.
    """
    changes, names = arguments.keywords, class_fields.fields(cell.cls).keys()
    unseen = names - cell.attributes.keys() - changes.keys() if cell.open or arguments.extra else ()
    kept = {name: it.attribute(original, name, -1) for name in sorted(unseen)} | cell.attributes
    if arguments.extra:
        kept |= {name: join(kept[name], arguments.named or UNKNOWN) for name in sorted(names & kept.keys())}
    attributes = {**kept, **changes}
    return it.allocate(replace(cell, birth=it.birth(at), attributes=attributes, ident=None))


def changed_unknown(it: Interpreter, original: Ident, arguments: Arguments, node: ir.Expr) -> Unknown | None:
    """The same of an unknown object: one with fields, if only keywords are given; None for any other call."""
    if arguments.positional or arguments.extra or not arguments.keywords:
        return None
    reason = Reason("a copy of an object that is not known", it.frame.path, node.at)
    copy = Unknown(it.ident(node.at), reason)
    it.facts.looked_into.add(copy.ident)
    for ident in tuple(it.frame.state.keys):
        if isinstance(ident, AttributeOf) and ident.base == original:
            it.frame.state.write(AttributeOf(copy.ident, ident.name), Unknown(ident, reason))
    for name, value in arguments.keywords.items():
        it.frame.state.write(AttributeOf(copy.ident, name), value)
    return copy
