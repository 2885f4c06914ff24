"""private-api: a name that JAX keeps for itself, and changes without notice."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.events.libraries import LibraryImport, LibraryUse
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.migration._fix_names import rename
from jaxlint.rules.rule import rule


@rule("private-api", code="JX903", category=Category.MIGRATION, on=(LibraryUse, LibraryImport), fix=rename)
def private_api(use: LibraryUse) -> Iterator[Finding]:
    """A private JAX module or name, such as `jax._src.core`."""
    names = [name for name in use.names if _is_private(name, read=not isinstance(use, LibraryImport))]
    public = {name: new for name in names if (new := use.lifetimes.public_name(name))}
    if public:
        known = ", ".join(f"`{new}` is the public name of `{name}`" for name, new in public.items())
        words = tuple(f"{name} {new} yes {use.lifetimes.missing_until(new)}".strip() for name, new in public.items())
        yield use.diagnostic(f"{known}; any JAX release may move a private name", fix=use.fix_request(words=words))
    elif names:
        message = f"{_listed(names)} private; any JAX release may change {'it' if len(names) == 1 else 'them'}"
        yield use.diagnostic(message, confidence=Confidence.POSSIBLE)  # with nothing in public, it may have to be


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return f"{quoted[0]} is" if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]} are"


def _is_private(name: str, *, read: bool) -> bool:
    """Whether a name of JAX is private, or in a module that is; what is read of such a module was told before."""
    root, *parts = name.partition("(")[0].split(".")
    private = [part.startswith("_") and not part.endswith("__") for part in parts]
    return root in ("jax", "jaxlib") and any(private) and not (read and any(private[:-1]))
