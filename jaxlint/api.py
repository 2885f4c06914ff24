"""The public interface in Python: what it names, takes and returns stays as it is between minor versions.

```python
import jaxlint

result = jaxlint.check(["src"], select=["random"])
for diagnostic in result.diagnostics:
    print(diagnostic.path, diagnostic.span.line, diagnostic.rule, diagnostic.message)

with jaxlint.observe() as report:
    train(steps=10)
assert report.recompilations == 0, report.text()
```
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from jaxlint.config.errors import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.check_apart import check_apart, check_quietly
from jaxlint.engine.command_line import SettingsOptions
from jaxlint.engine.result import Result
from jaxlint.verify.in_process import Report, observed_block

__all__ = ["ConfigError", "Diagnostic", "Report", "Result", "check", "observe"]


def check(  # noqa: PLR0913 - one keyword for each option of the command
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = ".",
    *,
    select: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    extend_select: Sequence[str] | None = None,
    preview: bool | None = None,
    min_confidence: str | None = None,
    target_jax: str | None = None,
    config: Sequence[str] = (),
    isolated: bool = False,
    allow_plugins: Sequence[str] = (),
    jobs: int | None = None,
    cache: bool = True,
) -> Result:
    """Check files and folders as `jaxlint check` does; nothing is printed and nothing of theirs is run.

    `select`, `ignore` and `extend_select` hold slugs, codes, prefixes, families or `ALL`; `preview` runs the rules in
    preview too; `min_confidence` is `certain`, `likely` or `possible`; `config` holds files or assignments in TOML;
    `isolated` reads no settings files. What is None is as the project's settings say. Diagnostics are sorted by place,
    their paths are absolute, and `warnings` of the result are what the command would print beside them.

    Raises ConfigError for paths that are not there and settings that cannot be followed.
    """
    options = SettingsOptions(
        select=_tuple(select),
        ignore=_tuple(ignore),
        extend_select=_tuple(extend_select),
        preview=preview,
        min_confidence=min_confidence,
        target_jax=target_jax,
        config=tuple(config),
        isolated=isolated,
        jobs=jobs,
        no_cache=not cache,
        allow_plugins=tuple(allow_plugins),
    )
    given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    run = check_apart if "jax" in sys.modules else check_quietly  # workers are forked, and JAX has threads
    return run([os.fspath(path) for path in given], options)


@contextmanager
def observe() -> Iterator[Report]:
    """Observe what JAX traces and compiles inside of a `with` block; the report is filled when the block ends.

    It sees functions that are given to JAX's transforms after the first block of the process has begun, and those
    that are looked up on `jax` then: call it before `from jax import jit` and before modules that jit at import, to
    see them too. From then on the process stays prepared for further blocks. Blocks may be nested; threads and child
    processes that start inside are seen as well.

    Raises ConfigError where there is no folder for the records.
    """
    with observed_block() as report:
        yield report


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401 - IPython's own class
    """Serve `%load_ext jaxlint`: adds the cell magic `%%jaxlint`."""
    from jaxlint.verify.cell_magic import register

    register(shell)


def _tuple(values: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple([values] if isinstance(values, str) else values)
