"""What is fed to jaxlint: folders of mutated programs, notebooks, settings, ignore files and other tools' JSON."""

from __future__ import annotations

import json
import re
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.fuzz.mutations import mutate
from benchmarks.fuzz.nonsense import Nonsense

ROOT: Final = Path(__file__).resolve().parents[2]
#: Larger files are cut: the analysis of one takes seconds, and tells no more than that of its parts.
_LONGEST: Final = 24_000
#: Must be found beside whatever else the folder holds.
GOOD_NAME: Final = "a_good_file.py"
GOOD: Final = "import jax\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
FORMATS: Final = (
    "concise", "full", "grouped", "json", "json-lines", "github", "gitlab", "azure", "sarif", "junit", "rdjson",
    "pylint",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Files by name, and the arguments of jaxlint in their folder. `may_refuse`: exit code 2 is an answer."""

    files: dict[str, bytes]
    arguments: tuple[str, ...]
    may_refuse: bool = False


@cache
def sources() -> Sequence[Path]:
    """Real Python: the standard library, the examples and tests of this repository, the corpus where it was fetched."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    places = [(stdlib, "*.py"), (stdlib / "test", "test_*.py"), (stdlib / "asyncio", "*.py")]
    places += [
        (ROOT / folder, "**/*.py") for folder in ("examples", "benchmarks/cases", "benchmarks/corpus", "tests/fixtures")
    ]
    places += [(ROOT / "rules", "**/*.md")]
    return sorted(path for folder, pattern in places for path in folder.glob(pattern))


def real_program(rng: Random) -> str:
    """A real file, or a part of it."""
    path = rng.choice(sources())
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    if path.suffix == ".md":
        blocks = re.findall(r"^```python [^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        text = rng.choice(blocks) if blocks else text
    if len(text) <= _LONGEST:
        return text
    start = text.find("\ndef ", rng.randrange(len(text) - _LONGEST)) + 1
    return text[:1500].rpartition("\n")[0] + "\n" + text[start : start + _LONGEST].rpartition("\n")[0] + "\n"


def _options(rng: Random) -> tuple[str, ...]:
    mode = rng.choice(((), (), (), ("--fix", "--unsafe-fixes"), ("--diff", "--unsafe-fixes"), ("--add-ignore",)))
    report = ("--output-format", rng.choice(FORMATS)) if rng.random() < 0.5 else ("--output-format", "json")
    return (*report, *mode, *(("--statistics",) if rng.random() < 0.1 else ()))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape" if re.search("[\udc80-\udcff]", text) else "surrogatepass")


def program(rng: Random) -> Case:
    """A mutated real file; now and then as it is."""
    text = real_program(rng)
    text = mutate(text, real_program(rng), rng) if rng.random() < 0.95 else text
    return Case({"program.py": _encoded(text)}, _options(rng))


def nonsense(rng: Random) -> Case:
    """A program from the grammar, at times mutated."""
    text = Nonsense(rng).program()
    text = mutate(text, real_program(rng), rng) if rng.random() < 0.3 else text
    return Case({"program.py": _encoded(text)}, _options(rng))


def project(rng: Random) -> Case:
    """Several files that import each other."""
    names = [f"m{number}" for number in range(rng.randrange(2, 5))]
    files = {}
    for name in names:
        other = rng.choice(names)
        head = rng.choice(
            (
                f"from {other} import *\n",
                f"import {other}\n",
                f"from .{other} import x, f\n",
                f"from . import {other}\n",
            )
        )
        text = Nonsense(rng).program() if rng.random() < 0.5 else real_program(rng)
        files[f"{name}.py"] = _encoded(head + mutate(text, text, rng))
    return Case(files, _options(rng))


def notebook(rng: Random) -> Case:
    """A notebook whose code, whose JSON, or both are mutated."""
    magics = (
        "%time ",
        "!ls ",
        "%%time\n",
        "?x\n",
        "%%bash\n",
        "x = !ls\n",
        "%timeit f(x)\n",
        "%%capture out\n",
        "%matplotlib inline\n",
    )
    texts = [rng.choice(magics) * (rng.random() < 0.3) + piece for piece in _pieces(real_program(rng))]
    kinds = ("code", "code", "code", "markdown", "raw", "nonsense")
    cells = [
        {
            "cell_type": rng.choice(kinds),
            "source": text if rng.random() < 0.5 else text.splitlines(keepends=True),
            "metadata": {},
            "outputs": [],
        }
        for text in (mutate(text, text, rng) if rng.random() < 0.3 else text for text in texts)
    ]
    document = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    text = json.dumps(document, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
    return Case({"book.ipynb": _encoded(_damaged(text, rng) if rng.random() < 0.5 else text)}, _options(rng))


def _pieces(text: str) -> list[str]:
    return re.split(r"\n\n\n", text)[:12]


def markdown(rng: Random) -> Case:
    """A document with blocks of code."""
    fences = ("```python", "```py", "~~~python", "```{code-cell}", "````python", "  ```python", "```{python}", "```")
    body = "".join(
        f"\n# A title\n\n{rng.choice(fences)}\n{piece}\n{rng.choice(('```', '~~~', ''))}\n"
        for piece in _pieces(real_program(rng))
    )
    return Case({"page.md": _encoded(mutate(body, body, rng))}, ("--include-markdown", *_options(rng)))


_SETTINGS: Final = """\
[project]
name = "x"
dependencies = ["jax>=0.4.30,<0.6", "numpy"]
[tool.jaxlint]
select = ["random", "JX301"]
extend-select = ["pedantic"]
min-confidence = "likely"
target-jax = "0.4.30"
x64 = "auto"
src = ["src", "lib"]
exclude = ["build", "[a-z]*/**", "!keep"]
include = ["*.py"]
jobs = 1
like = [{ name = "mylib.step", like = "jax.jit", statics = ["n"] }]
output-format = "json"
extend = "other.toml"
[tool.jaxlint.per-file-ignores]
"tests/**" = ["random"]
[[tool.jaxlint.like]]
name = "lib.f"
consumes-key = [0]
[tool.jaxlint.verify]
specs = { "pkg.mod.f" = "x=f32[n,4]" }
budgets = { "pkg.mod.f" = 2 }
"""


def settings(rng: Random) -> Case:
    """Settings that were mistyped or cut off."""
    text = mutate(
        _SETTINGS.replace('extend = "other.toml"\n', "" if rng.random() < 0.7 else 'extend = "other.toml"\n'),
        _SETTINGS,
        rng,
    )
    files = {
        "pyproject.toml": _encoded(text),
        "other.toml": _encoded(_damaged("jobs = 1\n", rng)),
        "src/x.py": b"import jax\n",
    }
    return Case(files, rng.choice(((), ("--show-settings",), ("--show-files",))), may_refuse=True)


def ignore_file(rng: Random) -> Case:
    """Patterns of git, most of them odd."""
    pieces = (
        "*",
        "**",
        "/",
        "!",
        "[",
        "]",
        "[a-z]",
        "[z-a]",
        "[!x]",
        "[[:alpha:]]",
        "\\",
        "a",
        "b.py",
        "#",
        " ",
        "?",
        "é",
        "-",
        "^",
        "\ufeff",
        "\r",
        "\udcff",
    )
    lines = ["".join(rng.choice(pieces) for _ in range(rng.randrange(1, rng.choice((4, 12, 60))))) for _ in range(8)]
    names = ("a/b.py", "a/a/a/a.py", "b.py", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.py", "é.py")
    files = dict.fromkeys(names, b"import jax\n")
    return Case({**files, ".gitignore": _encoded("\n".join(lines))}, ("--show-files",))


_BASELINE: Final = json.dumps({
    "jaxlint_baseline": 1,
    "findings": [{"path": "a_good_file.py", "rule": "x", "fingerprint": "00ff00ff00ff00ff", "count": 2}],
})  # fmt: skip
_VERDICTS: Final = json.dumps({
    "jaxlint_verdicts": 1,
    "verdicts": [{"path": "a.py", "rule": "key-reuse", "fingerprint": "00ff", "verdict": "confirmed", "digest": "00"}],
})  # fmt: skip


def other_json(rng: Random) -> Case:
    """A baseline or a file of verdicts as another program might have left it."""
    if rng.random() < 0.5:
        return Case({"known.json": _encoded(_damaged(_BASELINE, rng))}, ("--baseline", "known.json"), may_refuse=True)
    return Case({"known.json": _encoded(_damaged(_VERDICTS, rng))}, ("--verdicts", "known.json"), may_refuse=True)


def _damaged(text: str, rng: Random) -> str:
    """JSON with a value replaced by one of another kind, or as text that was cut or changed."""
    values = ("null", "true", "-1", "1e999", '""', "[]", "{}", '"\\ud800"', "[" * 2000, "NaN", "1" * 5000)
    for _ in range(rng.randrange(1, 4)):
        if rng.random() < 0.6:
            found = list(re.finditer(r'"(?:[^"\\]|\\.)*"|\d+|true|null|\[\]|\{\}', text))
            if found:
                match = rng.choice(found)
                text = text[: match.start()] + rng.choice(values) + text[match.end() :]
        else:
            text = mutate(text, text, rng)
    return text


SUBJECTS: Final[dict[str, Callable[[Random], Case]]] = {
    "program": program, "nonsense": nonsense, "project": project, "notebook": notebook, "markdown": markdown,
    "settings": settings, "ignore": ignore_file, "json": other_json,
}  # fmt: skip
