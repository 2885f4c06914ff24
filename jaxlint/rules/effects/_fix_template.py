"""Texts made of values in Python as templates of `jax.debug.print`: f-strings, `%`, `str.format`, `+` and `str()`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from string import Formatter
from typing import Any, Final, NamedTuple, TypeAlias, Union

from jaxlint.fixes.code import Code
from jaxlint.fixes.precedence import Level, operand
from jaxlint.syntax import ir

#: What `%` makes of a value, and what `str.format` asks for the same. `%d` of an array of floats has no counterpart.
_PERCENT: Final = re.compile(r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?P<precision>\.\d+)?(?P<kind>[a-zA-Z%])")
_NUMBERS: Final = frozenset("eEfFgGxXo")
_CONVERSIONS: Final[dict[str, Callable[[object], str]]] = {"r": repr, "a": ascii, "s": str}
#: Attributes that are known while tracing: their text is made then, and shows no arrays.
_STATIC_ATTRIBUTES: Final = frozenset({"shape", "dtype", "ndim", "size", "itemsize", "nbytes", "__name__"})


@dataclass(frozen=True, slots=True)
class Field:
    """One value in a template: its text as an argument, a conversion ("r") and a format specification.

    The specification's own fields are `nested`. `is_static` says that the text may be made while tracing.
    """

    text: str
    conversion: str = ""
    spec: str = ""
    nested: tuple[str, ...] = ()
    is_static: bool = False


class Break(NamedTuple):
    """What stands between two literals that follow each other, where it is more than a space."""

    text: str


Part: TypeAlias = Union[str, Field, Break]


class Template(NamedTuple):
    """A literal for `jax.debug.print` and the arguments for its fields."""

    literal: str
    arguments: tuple[str, ...]


class _Unfit(Exception):  # noqa: N818 - it ends an attempt, and is no error
    """The text cannot be made by a template."""


def parts_of(code: Code, at: int) -> list[Part] | None:
    """What the text of an expression is made of; None where a template cannot make it."""
    try:
        return list(_shown(code, code.node(at)))
    except _Unfit:
        return None


def is_text(node: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether the form of an expression says that it is a string."""
    match node:
        case ir.Constant(value=str()) | ir.FormattedString():
            return True
        case ir.Call(func=ir.Name(id="str" | "repr" | "format")):
            return True
        case ir.Call(func=ir.Attribute(base=base, attr="format" | "ljust" | "rjust" | "join")):
            return is_text(base)
        case ir.BinaryOperation(op="+"):
            return is_text(node.left) or is_text(node.right)
        case ir.BinaryOperation(op="%" | "*"):
            return is_text(node.left)
        case _:
            return False


def _shown(code: Code, node: Any) -> Iterator[Part]:  # noqa: ANN401 - an expression
    """The parts of what `print` shows for a value."""
    match node:
        case ir.Constant(value=bytes()) | ir.Starred():
            raise _Unfit
        case ir.Constant():
            yield from _literal(code, node) if isinstance(node.value, str) else (str(node.value),)
        case ir.FormattedString():
            yield from _formatted(code, node)
        case ir.Call(func=ir.Name(id="str"), args=(value,), keywords=()):
            yield from _shown(code, value) if is_text(value) else (_field(code, value),)
        case ir.Call(func=ir.Name(id="repr"), args=(value,), keywords=()):
            yield _field(code, value, "r")
        case ir.Call(func=ir.Name(id="format"), args=(value, ir.Constant(value=str(spec))), keywords=()):
            yield _field(code, value, "", spec)
        case ir.Call(func=ir.Attribute(base=ir.Constant(value=str(template)), attr="format")):
            yield from _str_format(code, template, node)
        case ir.BinaryOperation(op="+") if is_text(node):
            yield from _shown(code, node.left)
            yield from _shown(code, node.right)
        case ir.BinaryOperation(op="%", left=ir.Constant(value=str(template))):
            yield from _percent(code, template, node.right)
        case ir.BinaryOperation(op="*", left=ir.Constant(value=str(text)), right=ir.Constant(value=int(count))):
            yield text * count
        case _:
            yield _field(code, node)


def _field(code: Code, node: Any, conversion: str = "", spec: str = "", nested: tuple[str, ...] = ()) -> str | Field:  # noqa: ANN401
    if "{" in spec.replace("{}", "") or isinstance(node, ir.Starred):
        raise _Unfit
    if isinstance(node, ir.Constant) and not nested:
        return _formatted_constant(node.value, conversion, spec)
    return Field(operand(code, node.at, Level.NAMED, in_brackets=True), conversion, spec, nested, _is_static(node))


def _formatted_constant(value: object, conversion: str, spec: str) -> str:
    convert = _CONVERSIONS.get(conversion)
    try:
        return format(value if convert is None else convert(value), spec)
    except (TypeError, ValueError) as error:
        raise _Unfit from error


def _is_static(node: Any) -> bool:  # noqa: ANN401 - an expression
    match node:
        case ir.Attribute():
            return node.attr in _STATIC_ATTRIBUTES
        case ir.Subscript():
            return _is_static(node.base)
        case ir.Call(func=ir.Name(id="len" | "type"), args=(_,)):
            return True
        case _:
            return False


def _literal(code: Code, node: ir.Constant) -> Iterator[Part]:
    """A string literal, or several that follow each other."""
    start, end = code.span(node.at)
    gaps = list(_gaps(code, start, end))
    if not gaps:
        yield str(node.value)
        return
    from ast import literal_eval  # the value of each literal: the node has that of all

    for begin, (stop, following) in zip([start, *(second for _, second in gaps)], [*gaps, (end, end)], strict=True):
        yield str(literal_eval(code.text[begin:stop]))
        if stop < end:
            yield from _break(code.text[stop:following])


def _formatted(code: Code, node: ir.FormattedString) -> Iterator[Part]:
    start, end = code.span(node.at)
    gaps = list(_gaps(code, start, end))
    if code.text[start] in "tT":
        raise _Unfit
    for part in node.parts:
        place = code.span(part.at)[0]
        while gaps and gaps[0][1] <= place:
            stop, following = gaps.pop(0)
            yield from _break(code.text[stop:following])
        match part:
            case ir.Constant(value=str(text)):
                yield text
            case ir.FormattedValue():
                yield from _value(code, part)
            case _:
                raise _Unfit


def _gaps(code: Code, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What stands between the literals of an implicit concatenation."""
    while True:
        stop = code.token_from(start)[1]
        if stop >= end:
            return
        start = code.token_from(stop)[0]
        yield stop, start


def _break(text: str) -> Iterator[Part]:
    if "\n" in text or "\r" in text:
        yield Break(text)


def _value(code: Code, node: ir.FormattedValue) -> Iterator[Part]:
    """One field of an f-string; `{x = }` shows its own text first."""
    value_end = code.outer(node.value.at)[1]
    shown = re.match(r"\s*=\s*(?=[!:}])", code.text[value_end : code.span(node.at)[1]])
    if shown is not None:
        yield code.text[code.span(node.at)[0] + 1 : value_end + shown.end()]
    spec, nested = "", []
    for part in node.spec:
        match part:
            case ir.Constant(value=str(text)):
                spec += text.replace("{", "{{")
            case ir.FormattedValue(conversion=None, spec=()):
                spec += "{}"
                nested.append(operand(code, part.value.at, Level.NAMED, in_brackets=True))
            case _:
                raise _Unfit
    yield _field(code, node.value, node.conversion or "", spec, tuple(nested))


def _str_format(code: Code, template: str, call: ir.Call) -> Iterator[Part]:
    """`"...".format(...)`: each of its fields with the argument it names."""
    numbers = iter(range(len(call.args)))
    keywords = dict(call.keywords)
    try:
        pieces = list(Formatter().parse(template))
    except ValueError as error:
        raise _Unfit from error
    for text, name, spec, conversion in pieces:
        if text:
            yield text
        if name is None:
            continue
        first, rest = re.match(r"([^.\[]*)(.*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
        index = next(numbers, len(call.args)) if not first else int(first) if first.isdecimal() else -1
        value = keywords.get(first) if index < 0 else call.args[index] if index < len(call.args) else None
        if value is None or rest:
            raise _Unfit
        yield _field(code, value, conversion or "", spec or "")


def _percent(code: Code, template: str, values: Any) -> Iterator[Part]:  # noqa: ANN401 - an expression
    """`"..." % values`; one value may stand alone."""
    elements = list(values.elements) if isinstance(values, ir.SequenceDisplay) and values.kind == "tuple" else [values]
    at = 0
    for match in _PERCENT.finditer(template):
        yield from _plain(template[at : match.start()])
        at = match.end()
        if match["kind"] == "%":
            yield "%"
            continue
        if not elements:
            raise _Unfit
        yield _field(code, elements.pop(0), *_asked(match))
    yield from _plain(template[at:])
    if elements:
        raise _Unfit


def _plain(text: str) -> Iterator[str]:
    if "%" in text:
        raise _Unfit
    if text:
        yield text


def _asked(match: re.Match[str]) -> tuple[str, str]:
    """The conversion and the specification for one `%` of a template."""
    flags, width, precision, kind = match["flags"], match["width"], match["precision"] or "", match["kind"]
    sign = "".join(flag for flag in "+ #0" if flag in flags and not (flag == "0" and "-" in flags))
    if kind in "sra":
        if precision or sign:
            raise _Unfit
        side = "<" if "-" in flags else ">"
        return "" if kind == "s" else kind, f"{side}{width}" if width else ""
    if kind not in _NUMBERS and kind not in "di":
        raise _Unfit
    side = "<" if "-" in flags and width else ""
    number = kind if kind in _NUMBERS else ""
    return "", f"{side}{sign}{width}{precision}{number}"


def render(parts: list[Part], quote: str) -> Template | None:
    """The template of the parts; None where there are no values, or none of its literals can hold them."""
    literals: list[str] = []
    pieces: list[str | Field] = []
    for part in [*parts, Break("")]:
        if not isinstance(part, Break):
            pieces.append(part)
            continue
        literal = _string(pieces, quote)
        if literal is None:
            return None
        literals += (literal, part.text)
        pieces = []
    fields = [part for part in parts if isinstance(part, Field) and not part.is_static]
    arguments = tuple(text for field in fields for text in (field.text, *field.nested))
    if not arguments or _starts_with_brace(parts):
        return None
    return Template("".join(literals), arguments)


def _starts_with_brace(parts: list[Part]) -> bool:
    """Whether a brace stands before the first field: JAX 0.10 then takes the template for one without fields."""
    for part in parts:
        if isinstance(part, str) and ("{" in part or "}" in part):
            return True
        if isinstance(part, Field) and not part.is_static:
            return False
    return False


def _string(pieces: list[str | Field], quote: str) -> str | None:
    """One literal; what is known while tracing makes it an f-string."""
    statics = [_braced(piece, piece.text) for piece in pieces if isinstance(piece, Field) and piece.is_static]
    if any(piece.nested for piece in pieces if isinstance(piece, Field) and piece.is_static):
        return None
    if any(character in text for text in statics for character in ("\\", "\n", quote)):
        return None
    body = []
    for piece in pieces:
        if isinstance(piece, str):
            text = _escaped(piece, quote).replace("{", "{{").replace("}", "}}")
            body.append(_doubled(text) if statics else text)
        elif piece.is_static:
            body.append(_braced(piece, piece.text))
        else:
            text = _braced(piece, "")
            body.append(_doubled(text) if statics else text)
    return f"{'f' if statics else ''}{quote}{''.join(body)}{quote}"


def _doubled(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _braced(field: Field, text: str) -> str:
    conversion = f"!{field.conversion}" if field.conversion else ""
    spec = f":{field.spec}" if field.spec else ""
    return f"{{{text}{conversion}{spec}}}"


def _escaped(text: str, quote: str) -> str:
    """The inside of a literal with these quotes."""
    inside = repr(f"{text}'\"")[1:-4]  # both quotes: written in single ones, which are escaped
    return inside.replace("\\'", "'").replace('"', '\\"') if quote == '"' else inside


def quote_of(code: Code, at: int) -> str:
    """The quotation mark of the first literal in an expression, `"` where there is none."""
    for node in (code.node(at), *code.inside(code.node(at))):
        if is_text(node) and isinstance(node, (ir.Constant, ir.FormattedString)):
            found = re.search("[\"']", code.segment(node.at))
            if found is not None:
                return found.group()
    return '"'
