"""Say what one installed JAX holds; runs in that JAX's interpreter, and imports nothing of jaxlint.

Reads {"asked": [names], "trials": {name: code}, "pairs": [[old, new]], "packages": [packages],
"interfaces": [packages]} on standard input, writes JSON. Names that have a trial are asked by it.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import io
import json
import pkgutil
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

#: Parts of JAX that are no interface, or that start something when they are imported.
_LEFT_OUT = ("_", "tests", "tools", "test_", "colab", "mosaic", "roofline")


def main() -> None:
    """Answer the questions of standard input."""
    questions = json.load(sys.stdin)
    with contextlib.redirect_stdout(io.StringIO()):
        versions = {package: version(package) for package in questions["packages"]}
        trials = questions["trials"]
        asked = {name: tried(trials[name]) if name in trials else state(name) for name in questions["asked"]}
        same = {f"{old} {new}": are_same(old, new) for old, new in questions["pairs"]}
        public = {name: kind for package in questions["interfaces"] for name, kind in interface(package)}
    json.dump({"versions": versions, "asked": asked, "same": same, "public": public}, sys.stdout)


def version(package: str) -> str | None:
    """The release that is installed, if one is."""
    try:
        found = importlib.import_module(package)
    except Exception:
        return None
    return str(getattr(found, "__version__", "")) or None


def state(name: str) -> str:
    """What becomes of who reads this name: "here", "warns", "raises", or "gone".

    `module.function(parameter)` asks for a parameter; "unknown" where the signature cannot tell.
    """
    function, _, parameter = name.rstrip(")").partition("(")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = resolve(function)
        except (AttributeError, ModuleNotFoundError):
            return "gone"
        except Exception:
            return "raises"
    if parameter:
        return parameter_state(found, parameter)
    library = name.partition(".")[0]
    warned = any(
        issubclass(w.category, (DeprecationWarning, FutureWarning)) and library in str(w.message) for w in caught
    )
    return "warns" if warned else "here"


def tried(code: str) -> str:
    """What becomes of who runs this: "here", "warns" or "gone"."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(code, {})
        except Exception:
            return "gone"
    return "warns" if any(issubclass(w.category, (DeprecationWarning, FutureWarning)) for w in caught) else "here"


def resolve(name: str) -> Any:
    """The object of a dotted name, as `import` and attribute access find it."""
    parts = name.split(".")
    found: Any = importlib.import_module(parts[0])
    for end in range(2, len(parts) + 1):
        found = member(found, parts[:end])
    return found


def member(owner: Any, parts: list[str]) -> Any:
    """The attribute of the last name, or the module that is not loaded yet."""
    try:
        return getattr(owner, parts[-1])
    except AttributeError:
        if not isinstance(owner, types.ModuleType):
            raise
    forget(parts)
    try:
        return importlib.import_module(".".join(parts))
    except ModuleNotFoundError as error:
        raise AttributeError(parts[-1]) from error


def are_same(old: str, new: str) -> bool | None:
    """Whether two names are of one object; None where one of them is of nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return resolve(old) is resolve(new)
        except Exception:
            return None


def forget(parts: list[str]) -> None:
    """Drop a module that is loaded: importing it again warns again."""
    sys.modules.pop(".".join(parts), None)


def parameter_state(function: Any, parameter: str) -> str:
    """Whether a function takes a parameter of this name."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return "unknown"
    if parameter in parameters:
        return "here"
    return "unknown" if any(p.kind is p.VAR_KEYWORD for p in parameters.values()) else "gone"


def interface(package: str) -> Iterator[tuple[str, str]]:
    """The public names of a package's public modules, each with its kind."""
    try:
        root = importlib.import_module(package)
    except Exception:
        return
    public = list(modules(root))
    private = private_names(package)
    for module in public:
        yield module.__name__, "module"
        exported = exports(module)
        for name in dir(module):
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # what is deprecated is no news
                try:
                    value = getattr(module, name)
                except Exception:
                    continue
            if not name.startswith("_") and not isinstance(value, types.ModuleType):
                yield f"{module.__name__}.{name}", private.get(id(value), "name") if name in exported else "name"
                yield from parameters(f"{module.__name__}.{name}", value)


def private_names(package: str) -> dict[int, str]:
    """Where private modules of a package define something, by the identity of the object."""
    found: dict[int, str] = {}
    for name, module in sorted(sys.modules.items()):
        if module is None or not name.startswith(f"{package}._"):
            continue
        for defined in definitions(module):
            value = getattr(module, defined, None)
            if not isinstance(value, (types.ModuleType, int, float, str, bytes, tuple, type(None))):
                found.setdefault(id(value), f"{name}.{defined}")
    return found


def exports(module: types.ModuleType) -> set[str]:
    """The names that a module offers: what it lists, defines, or imports under a name that it chose."""
    found = {*getattr(module, "__all__", ()), *definitions(module)}
    for node in statements(module):
        if isinstance(node, ast.ImportFrom):
            found.update(alias.asname for alias in node.names if alias.asname is not None)
    return found


def definitions(module: types.ModuleType) -> Iterator[str]:
    """The names that the source of a module binds at its top, but for imports."""
    for node in statements(module):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def statements(module: types.ModuleType) -> list[ast.stmt]:
    """The statements at the top of a module's source; none where there is no source."""
    try:
        return ast.parse(inspect.getsource(module)).body
    except (OSError, TypeError, SyntaxError):
        return []


def parameters(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """The parameters of a function that can be given by keyword."""
    if isinstance(value, type) or not callable(value):
        return
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return
    if any(p.kind is p.VAR_KEYWORD for p in found):
        yield f"{name}(**)", "parameter"
    for each in found:
        if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY) and not each.name.startswith("_"):
            yield f"{name}({each.name})", "parameter"


def modules(root: types.ModuleType) -> Iterator[types.ModuleType]:
    """A package and its public modules, as far as they can be imported."""
    yield root
    for entry in pkgutil.iter_modules(getattr(root, "__path__", ())):
        if entry.name.startswith(_LEFT_OUT):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                module = importlib.import_module(f"{root.__name__}.{entry.name}")
            except BaseException:
                continue
        yield from modules(module)


if __name__ == "__main__":
    main()
