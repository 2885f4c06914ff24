#!/usr/bin/env python3
"""The language server as a client sees it: from a keystroke to the diagnostics for it, its start, and its memory.

A statement is typed letter by letter at places all over a file, so that the code is half-typed most of the time. The
time of a keystroke is that from the change's last byte sent to the diagnostics of that version read and decoded.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import re
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import corpus_findings
import libcst
import lsp_client
import measure

from jaxlint.lsp.projects import Projects, ServerOptions
from jaxlint.lsp.texts import Text
from jaxlint.syntax.deep_stack import run_deep

#: Files of other people's projects, by the size that they stand for.
MODULES = {
    500: (
        "numpyro/distributions/mixtures.py", "numpyro/contrib/control_flow/scan.py", "flax/core/nn/attention.py",
        "optax/assignment/_hungarian_algorithm.py", "equinox/internal/_loop/common.py", "flax/nnx/bridge/module.py",
    ),
    1500: ("numpyro/distributions/distribution.py", "flax/nnx/nn/normalization.py", "flax/nnx/rnglib.py"),
}  # fmt: skip
_CODE = re.compile(r"^(?P<indentation>[ ]+)(?:return|[a-z_]+ =|if|for|self\.)\b")
_TYPED = "total = jnp.sum(key, axis=0)"
_PUSH = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="instead of modules of about 500 and 1,500 lines")
    parser.add_argument("--places", type=int, default=5, help="in each file (default: %(default)s)")
    parser.add_argument("--pause", type=float, default=0.08, help="seconds between keystrokes (default: %(default)s)")
    parser.add_argument("--modules", type=int, default=300, help="of the project whose memory is told")
    parser.add_argument("--inside", action="store_true", help="processor time of each check, without client and server")
    parser.add_argument("--jaxlint", default=corpus_findings.default_command(), help="command (default: %(default)s)")
    options = parser.parse_args()
    command = [*shlex.split(options.jaxlint), "server"]
    print(measure.machine("libcst", "pygls", "lsprotocol"))
    if not options.inside:
        _start(command)
    groups = {0: options.files} if options.files else {n: list(installed(names)) for n, names in MODULES.items()}
    for size, paths in groups.items():
        if options.inside:
            times = [each for path in paths for each in _inside(path, options.places)]
        else:
            times = [each for path in paths for each in _keystrokes(command, path, options.places, options.pause)]
        if times and size:
            print(f"all of about {size} lines: median {statistics.median(times):.1f} ms of {len(times)} keystrokes")
    if not options.inside:
        _memory(command, options.modules)
    return 0


def installed(names: tuple[str, ...]) -> Iterator[Path]:
    """Those of the modules that this interpreter has; the others are named and left out."""
    import site

    for name in names:
        found = next((path for folder in site.getsitepackages() if (path := Path(folder, name)).is_file()), None)
        if found is None:
            print(f"{name}: not installed, left out")
        else:
            yield found


def _client(command: list[str], folder: Path) -> tuple[lsp_client.Client, float]:
    started = time.perf_counter()
    client = lsp_client.Client(command, folder)
    client.initialize(_PUSH)
    return client, time.perf_counter() - started


def _start(command: list[str], repetitions: int = 12) -> None:
    """From the start of the process to the answer to the first request, and to the first diagnostics."""
    wall: dict[str, list[float]] = {"answered": [], "first diagnostics": []}
    processor: dict[str, list[float]] = {"answered": [], "first diagnostics": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repetitions):
            started = time.perf_counter()
            client, seconds = _client(command, Path(folder))
            wall["answered"].append(seconds)
            processor["answered"].append(_processor_time(client.process.pid))
            uri = Path(folder, "a.py").as_uri()
            client.open(uri, "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n")
            client.published(uri)
            wall["first diagnostics"].append(time.perf_counter() - started)
            processor["first diagnostics"].append(_processor_time(client.process.pid))
            client.stop()
    for what, values in wall.items():
        spread = measure.Spread.of(values[1:])  # the first fills the page cache
        spent = statistics.median(processor[what][1:])
        print(
            f"start to {what}: median {spread.median:.2f} s  ({spread.least:.2f} to {spread.greatest:.2f}) of "
            f"{repetitions - 1}, processor time {spent:.2f} s"
        )


def _keystrokes(command: list[str], path: Path, places: int, pause: float) -> list[float]:
    """Milliseconds of each keystroke in one file."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    with tempfile.TemporaryDirectory() as folder:
        client, _ = _client(command, Path(folder))
        uri = Path(folder, path.name).as_uri()
        started = time.perf_counter()
        client.open(uri, text)
        client.published(uri, 1)
        opened = time.perf_counter() - started
        time.sleep(1)
        version, times = 1, []
        for line, indentation in typing_places(lines, places):
            version += 1
            client.change(uri, version, lsp_client.insertion(line, 0, f"{indentation}\n"))
            client.published(uri, version)
            for index, letter in enumerate(_TYPED):
                time.sleep(pause)
                version += 1
                change = lsp_client.insertion(line, len(indentation) + index, letter)
                started = time.perf_counter()
                client.change(uri, version, change)
                client.published(uri, version)
                times.append((time.perf_counter() - started) * 1000)
            end = {"line": line, "character": 0}, {"line": line + 1, "character": 0}
            version += 1
            client.change(uri, version, {"range": {"start": end[0], "end": end[1]}, "text": ""})
            client.published(uri, version)
            time.sleep(1)
        client.stop()
    ordered = sorted(times)
    print(
        f"{path.name:26} {len(lines):5} lines: parsed whole in {_bare_parse(text):4.0f} ms; "
        f"opened {opened * 1000:5.0f} ms; keystroke median {statistics.median(times):5.1f} ms, nine of ten within "
        f"{ordered[len(times) * 9 // 10]:5.1f} ms, most {ordered[-1]:5.1f} ms"
    )
    return times


def _inside(path: Path, places: int) -> list[float]:
    """Milliseconds of processor time that the check of each keystroke takes: what a busy machine changes least."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    times: list[float] = []

    def type_it() -> None:
        projects = Projects(ServerOptions(isolated=True), folders=[tempfile.gettempdir()])
        check = projects.check(str(Path(tempfile.gettempdir(), path.name)))
        assert check is not None
        check.update(Text(text, "utf-16"), lambda: False)
        for line, indentation in typing_places(text.splitlines(), places):
            for count in range(len(_TYPED) + 1):
                version = Text("\n".join([*lines[:line], indentation + _TYPED[:count], *lines[line:]]), "utf-16")
                started = time.thread_time()
                check.update(version, lambda: False)
                times.append((time.thread_time() - started) * 1000)
            check.update(Text(text, "utf-16"), lambda: False)
            check.complete(lambda: False)

    gc.disable()  # as the server does
    run_deep(type_it)
    gc.collect()
    ordered = sorted(times)
    print(
        f"{path.name:26} {len(lines):5} lines: parsed whole in {_bare_parse(text):4.0f} ms; "
        f"check of a keystroke median {statistics.median(times):5.1f} ms, "
        f"nine of ten within {ordered[len(times) * 9 // 10]:5.1f} ms"
    )
    return times


def _bare_parse(text: str) -> float:
    """Milliseconds of processor time that `libcst.parse_module` takes, to know how fast the machine is just now."""
    times = []
    for _ in range(5):
        started = time.thread_time()
        libcst.parse_module(text)
        times.append((time.thread_time() - started) * 1000)
    return statistics.median(times)


def typing_places(lines: list[str], count: int) -> Iterator[tuple[int, str]]:
    """Lines of code inside functions, and how they are indented; the same ones each time."""
    found = [(number, match["indentation"]) for number, line in enumerate(lines) if (match := _CODE.match(line))]
    found = [(number, blanks) for number, blanks in found if lines[number - 1].rstrip().endswith((":", ")"))]
    return iter(random.Random(len(lines)).sample(found, min(count, len(found))))


_MODULE = '''
"""Module {number} of a made project."""
import jax
import jax.numpy as jnp
from project import module_{before}


class Model_{number}:
    """Some parameters."""

    def __init__(self, width):
        self.width = width
        self.weights = jnp.ones((width, width))

    def apply(self, x):
        return jnp.tanh(x @ self.weights) + module_{before}.step_{before}(x)


@jax.jit
def step_{number}(x):
    y = jnp.sin(x) * {number}
    return jnp.where(y > 0, y, -y)
'''


def _memory(command: list[str], modules: int) -> None:
    """The resident memory of a server whose document imports all modules of a project."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "project")
        package.mkdir()
        (package / "__init__.py").write_text("", encoding="utf-8")
        filler = "".join(f"\n\ndef helper_{n}(x, y):\n    z = x * {n} + y\n    return z - x\n" for n in range(50))
        for number in range(modules):
            source = _MODULE.format(number=number, before=max(0, number - 1)) + filler
            (package / f"module_{number}.py").write_text(source, encoding="utf-8")
        Path(folder, "pyproject.toml").write_text('[project]\nname = "project"\n', encoding="utf-8")
        client, _ = _client(command, Path(folder))
        uri = Path(folder, "main.py").as_uri()
        imports = "".join(f"from project import module_{number}\n" for number in range(modules))
        before, used = _resident(client.process.pid), _processor_time(client.process.pid)
        started = time.perf_counter()
        client.open(uri, f"{imports}\n\ndef main(x):\n    return module_{modules - 1}.step_{modules - 1}(x)\n")
        client.published(uri, 1)
        seconds, used = time.perf_counter() - started, _processor_time(client.process.pid) - used
        time.sleep(3)
        started = time.perf_counter()
        client.change(uri, 2, lsp_client.insertion(modules + 3, 4, "return x"))
        client.published(uri, 2)
        again = (time.perf_counter() - started) * 1000
        lines = modules * (_MODULE + filler).count("\n")
        print(
            f"project of {modules} modules, {lines} lines: {before:.0f} MiB before, "
            f"{_resident(client.process.pid):.0f} MiB after a document that imports all of them was opened, in "
            f"{seconds:.1f} s, {used:.1f} of the processor; then an edit {again:.0f} ms"
        )
        client.stop()


def _processor_time(process: int) -> float:
    """Seconds of processor time that a process has used; not a number where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(process: int) -> float:
    """Resident memory in MiB; not a number where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return float("nan")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())
