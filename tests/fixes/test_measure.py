"""What `benchmarks/fixes.py` counts: a mistake that stays without a fix judges no other fix, and a wrong fix fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(__file__).resolve().parents[2] / "benchmarks" / "fixes.py"
HEAD = "import functools\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n@jax.jit\ndef root(x):\n"
HEAD += "    return np.sqrt(x)\n\n\n"
MARK = "# --- what it should do\n"
OPEN = "@functools.partial(jax.jit, static_argnames='order')\ndef power(x, degree):\n    return x**degree\n\n\n"


@pytest.mark.parametrize(
    ("program", "code", "told"),
    [
        (f"{HEAD}{MARK}assert root(4.0) == 2.0\n", 0, "1 of the other 1 pass (100%)"),
        (f"{HEAD}{MARK}assert root(4.0) == 3.0\n", 1, "0 of the other 1 pass (0%)"),
        (f"{HEAD}{OPEN}{MARK}assert power(root(4.0), 2) == 4.0\n", 0, "1 of them hold another mistake"),
    ],
    ids=["passes", "fails", "open"],
)
def test_what_is_counted(program: str, code: int, told: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, str(COMMAND), str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, told in done.stdout) == (code, True), done.stdout + done.stderr
