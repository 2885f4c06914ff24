#!/usr/bin/env python3
"""Run the cells of every notebook in a folder in order, in IPython on the installed JAX: its magics are real.

usage: run_on_jax.py [FOLDER [PATTERN]]; exit status 1 when one fails. A cell tagged `raises-exception` must raise; all others must not.
"""
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent).resolve()
pattern = sys.argv[2] if len(sys.argv) > 2 else "*.ipynb"
os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax  # noqa: E402,F401  imported once; each notebook runs in a forked child, so that backends start there
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402


def run(path):
    """The first thing that went wrong; empty where nothing did."""
    shell = InteractiveShell.instance()
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], start=1):
        if cell["cell_type"] != "code":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            result = shell.run_cell("".join(cell["source"]))
        error = result.error_before_exec or result.error_in_exec
        if bool(error) != ("raises-exception" in cell["metadata"].get("tags", ())):
            return f"cell {number}: {error!r}\n{printed.getvalue()}"
    return ""


failed = 0
files = sorted(folder.glob(pattern))
for path in files:
    child = os.fork()
    if child == 0:
        os.environ["IPYTHONDIR"] = tempfile.mkdtemp()
        os.chdir(tempfile.mkdtemp())
        problem = run(path)
        if problem:
            print("FAIL", path.name, problem, file=sys.stderr)
        sys.stderr.flush()
        os._exit(bool(problem))
    failed += os.waitpid(child, 0)[1] != 0
print(f"{len(files) - failed} ran, {failed} failed")
sys.exit(failed > 0)
