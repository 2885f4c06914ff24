"""How the text of a table cell becomes a field of a row."""

from __future__ import annotations

from jaxlint.jaxapi.rows import Operand, Signature, TracedFunction
from jaxlint.jaxapi.terms import Term, parse_term, split_top_level


def names(text: str) -> tuple[str, ...]:
    """A comma list as a tuple."""
    return tuple(text.split(",")) if text else ()


def optional(text: str) -> str | None:
    """An empty cell as None."""
    return text or None


def terms(text: str) -> tuple[Term, ...]:
    """A comma list of terms."""
    return tuple(parse_term(part) for part in split_top_level(text))


def signature(text: str) -> Signature:
    """Parse `x,axis,*,dtype,**kw`."""
    positional: list[str] = []
    keyword_only: list[str] = []
    variadic = keywords = None
    current = positional
    for part in names(text):
        if part.startswith("**"):
            keywords = part[2:]
        elif part.startswith("*"):
            variadic, current = part[1:] or None, keyword_only
        else:
            current.append(part)
    return Signature(tuple(positional), variadic, tuple(keyword_only), keywords)


def traced_functions(positions: str, keywords: str, traced: str) -> tuple[TracedFunction, ...]:
    """Zip the columns `functions` (`1,2[]`, `-`: by keyword only), `fn_keywords` and `traced` (`;` between them)."""
    indices, by_name, kinds = names(positions), keywords.split(","), traced.split(";")
    found = []
    for number, index in enumerate(indices):
        is_list = index.endswith("[]")
        place = index.removesuffix("[]")
        keyword = by_name[number] if number < len(by_name) else ""
        kind = kinds[min(number, len(kinds) - 1)]
        found.append(TracedFunction(None if place == "-" else int(place), keyword, is_list, terms(kind)))
    return tuple(found)


def operands(text: str) -> tuple[Operand, ...]:
    """Parse `init=1,xs=2` and `*operands=3`."""
    found = []
    for part in names(text):
        name, _, index = part.partition("=")
        found.append(Operand(name.lstrip("*"), int(index), name.startswith("*")))
    return tuple(found)


def axes(text: str) -> tuple[tuple[str, str], ...]:
    """Parse `in_axes=0,out_axes=0`; a parameter without default has an empty one."""
    return tuple((name, default) for name, _, default in (part.partition("=") for part in names(text)))
