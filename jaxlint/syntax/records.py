"""The parser's nodes as plain records: libcst's classes by name, without what else libcst's nodes can do.

libcst's parser is native. It makes each node by calling the class of its name in the module `libcst`: a frozen
dataclass, whose fields are set one by one in Python. While it parses for `parse_records`, it finds record classes there
instead, which are made in C: a third of the time of parsing. As nothing else of libcst is needed, the parser is loaded
without the package, whose import takes half of the start-up. `Rebuilt` makes libcst's own nodes where these are needed.
"""

from __future__ import annotations

import sys
import threading
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

__all__ = ["Rebuilt", "cst", "parse_records"]

_PACKAGE: Final = "libcst"
_PARSER: Final = "libcst.native"
#: Fields that the parser leaves out where nothing is written; those of whitespace, which nobody reads, aside.
_OPTIONAL: Final = """
    annotation asname asynchronous bound cause colon comma comment conversion default equal exc finalbody format_spec
    guard indent inner_for_in keyword lbracket lpar msg name orelse pattern posonly_ind rbracket rest returns rpar
    second_colon semicolon separator star star_arg star_kwarg step trailing_comma type type_parameters value
""".split()  # noqa: SIM905 - one word a line is no better


class _Record(SimpleNamespace):
    """A node: the fields that the parser gave it, and None for those that it left out."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment]
    vars().update(dict.fromkeys(_OPTIONAL))


class _ParserSyntaxError(Exception):
    """libcst's error, with what is needed of it."""

    def __init__(self, *, message: str, **_place: object) -> None:
        super().__init__(message)
        self.message = message


class _Classes(SimpleNamespace):
    """Stands in for the module `libcst`: every name of it is a record class, made when it is first asked for."""

    def __getattr__(self, name: str) -> type[_Record]:
        if name.startswith("_"):
            raise AttributeError(name)
        cls = type(name, (_Record,), {"__slots__": ()})
        setattr(self, name, cls)
        return cls


if TYPE_CHECKING:
    import libcst as cst
else:
    # What an import asks of a module that is loaded, and what the parser raises.
    cst = _Classes(__spec__=SimpleNamespace(_initializing=False), ParserSyntaxError=_ParserSyntaxError)


def _load_parser() -> ModuleType:
    """The native module of libcst, without the package around it where that is not imported yet."""
    if _PARSER in sys.modules:
        return sys.modules[_PARSER]
    package = find_spec(_PACKAGE)
    for folder in (package and package.submodule_search_locations) or ():
        for suffix in EXTENSION_SUFFIXES:
            file = Path(folder, f"native{suffix}")
            spec = spec_from_file_location(_PARSER, file, loader=ExtensionFileLoader(_PARSER, str(file)))
            if spec is not None and spec.loader is not None and file.is_file():
                parser = module_from_spec(spec)
                spec.loader.exec_module(parser)
                return sys.modules.setdefault(_PARSER, parser)
    from libcst import native  # type: ignore[attr-defined]

    return native  # type: ignore[no-any-return]


_native: Final = _load_parser()
_lock: Final = threading.Lock()


def parse_records(text: str) -> cst.Module:
    """Parse a module into records. Raises `cst.ParserSyntaxError`."""
    with _lock:
        package = sys.modules.get(_PACKAGE)
        sys.modules[_PACKAGE] = cst
        try:
            tree: cst.Module = _native.parse_module(text, encoding="utf-8")
        finally:
            if package is None:
                del sys.modules[_PACKAGE]
            else:
                sys.modules[_PACKAGE] = package
    return tree


class Rebuilt:
    """libcst's own nodes for a tree of records: `nodes` leads to them by the `id` of the record."""

    def __init__(self, tree: cst.CSTNode) -> None:
        import libcst

        self._libcst = libcst
        self.nodes: dict[int, libcst.CSTNode] = {}
        self.tree = self._node(tree)

    @property
    def code(self) -> str:
        """The source text of the tree."""
        return self._libcst.Module(()).code_for_node(self.tree)

    def _node(self, value: Any) -> Any:  # noqa: ANN401 - the value of a field
        if isinstance(value, _Record):
            fields = {name: self._node(part) for name, part in vars(value).items()}
            node = self.nodes[id(value)] = getattr(self._libcst, type(value).__name__)(**fields)
            return node
        if isinstance(value, (tuple, list)):
            return type(value)(map(self._node, value))
        return value
