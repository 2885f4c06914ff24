"""The rulebook's blocks as modules that can be imported: what a block runs at top level moves into a function."""

from __future__ import annotations

import ast

from tests.rulebook_blocks import Block, without_marks

_QUIET = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


def as_module(block: Block) -> str:
    """The block, line by line where it was, with the statements after its last definition inside `demonstrate`."""
    code = without_marks(block.source)
    body = ast.parse(code).body
    last = max((i for i, s in enumerate(body) if isinstance(s, (ast.FunctionDef, ast.ClassDef))), default=-1)
    start = next((s.lineno for s in body[last + 1 :] if not isinstance(s, _QUIET)), None)
    lines = code.splitlines()
    program = [] if start is None else lines[start - 1 :]
    kept = lines if start is None else lines[: start - 1]
    proof = [] if block.proof is None else without_marks(block.proof.source).splitlines()
    if start is not None and kept and not kept[-1].strip():
        kept.pop()
    own = [f"    {line}" for line in program or ["pass"]]
    return "\n".join([*kept, "def demonstrate():", *own, *(f"    {line}" for line in proof)]) + "\n"
