"""Work of JAX that is done as a module is imported.

Under-approximates: a file that nothing imports, and that is in no package, may be a script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import (
    Arguments,
    Array,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Key,
    Level,
    Partial,
    atoms_of,
)
from jaxlint.analysis.events.start_up import ImportTimeWork
from jaxlint.analysis.machine.project_questions import about_all_files
from jaxlint.analysis.machine.run_facts import Callees
from jaxlint.analysis.machine.tables import memoised

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame, ModuleContext
    from jaxlint.analysis.machine.interpreter import Interpreter


def tell(it: Interpreter, kind: str, arguments: Arguments, at: int) -> None:
    """Something of this kind is made at `at`: tell the rules where an import does so, of the first of several."""
    frame = it.frame
    if frame.state.started.is_open or not it.wants(ImportTimeWork) or _goes_on(arguments):
        return
    if any("__name__" in condition.names for condition in frame.all_conditions()):
        return  # the body is done, or does what a script does
    while frame.kind != "module":
        around = _around(frame)
        if around is None or not _is_called(it, frame):
            return
        at = frame.call_at if frame.kind == "function" else at
        frame = around
    if at >= 0 and _is_imported(it, frame.module):
        it.emit(ImportTimeWork(frame, at, kind))


def runs_now(it: Interpreter, frame: Frame) -> bool:
    """Whether a frame runs where the outermost one around it does: what a decorator is given may run later."""
    around: Frame | None = frame
    while around is not None:
        if not _is_called(it, around):
            return False
        around = _around(around)
    return True


def _around(frame: Frame) -> Frame | None:
    return frame.closure if frame.kind == "class" else frame.caller


def _is_called(it: Interpreter, frame: Frame) -> bool:
    """Whether code that is written there runs this frame."""
    if frame.kind != "function" or frame.caller is None:
        return True
    callee = it.tables[Callees].by_call.get((frame.caller.path, frame.call_at))
    return isinstance(callee, FunctionValue | BoundMethod | ClassValue | Partial)


def _goes_on(arguments: Arguments) -> bool:
    """Whether an argument was made by JAX before: that was told."""
    atoms = (atom for value in arguments.all() for atom in atoms_of(value))
    return any(isinstance(atom, Array | Key) and atom.level is Level.CONCRETE for atom in atoms)


@memoised
def _is_imported(it: Interpreter, module: ModuleContext) -> bool:
    """Whether a module is one of a package, another file of the project imports it, or it lists its public names."""
    source = module.source
    if source.layout is not None:
        return False  # a notebook
    if "__all__" in source.module.scope.bound:
        return True
    around = it.project.find_module(source.name.rpartition(".")[0]) if "." in source.name else None
    if source.is_package or (around is not None and around.is_package):
        return True
    return _is_imported_by_another(it, source.name, source.path)


@about_all_files
def _is_imported_by_another(it: Interpreter, name: str, path: str) -> bool:
    """Whether a file other than the one at `path` imports a module by its own name."""
    return any(name in other.module.imports for other in it.project.files.values() if other.path != path)
