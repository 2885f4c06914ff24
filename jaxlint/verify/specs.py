"""The grammar of input specs: `x=f32[n,4] key=key n=static:3`, from text to values and back."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Union

from jaxlint.config.errors import suggestion

#: The short names of dtypes, and what JAX calls them.
DTYPES: Final[Mapping[str, str]] = {
    "bool": "bool",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    "c64": "complex64", "c128": "complex128",
}  # fmt: skip
#: What NumPy calls them, by which they can be written too.
_NUMPY: Final[Mapping[str, str]] = {
    **{long: short for short, long in DTYPES.items()},
    "bool_": "bool", "half": "f16", "single": "f32", "double": "f64", "csingle": "c64", "cdouble": "c128",
}  # fmt: skip
_SCALARS: Final = ("float", "int", "bool")
_WORDS: Final = ("key", *_SCALARS, "none", "static", "name", "object", *DTYPES)
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_MAX_DEPTH: Final = 50

Dimension = Union[int, str]


class SpecError(Exception):
    """A spec that cannot be read: one line of what is wrong, and the column of the text, from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """`f32[n,4]` or `float32[n,4]`: an abstract array. `dtype` is a short name; a dimension a size or a name."""

    dtype: str
    dims: tuple[Dimension, ...]


@dataclass(frozen=True, slots=True)
class KeySpec:
    """`key` or `key[n]`: one typed PRNG key, or an array of them."""

    dims: tuple[Dimension, ...] = ()


@dataclass(frozen=True, slots=True)
class ScalarSpec:
    """`float`, `int` or `bool`: a Python scalar that is traced."""

    kind: str


@dataclass(frozen=True, slots=True)
class StaticSpec:
    """`static:LITERAL`: a Python value that tracing sees as it is. `text` is valid for `ast.literal_eval`."""

    text: str


@dataclass(frozen=True, slots=True)
class NoneSpec:
    """`none`: the empty pytree."""


@dataclass(frozen=True, slots=True)
class DictSpec:
    """`{"a": VALUE}`. Keys are distinct."""

    items: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class TupleSpec:
    """`(VALUE, ...)`."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ListSpec:
    """`[VALUE, ...]`."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class NameSpec:
    """`name:MODULE:NAME`: what a module that the probed one imports holds under that name, dotted inside classes."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class ObjectSpec:
    """`object:MODULE:NAME VALUE`: an object of that class with these fields `{}` or items `()`.

    Of a function that another one makes, NAME has `<locals>` and the fields are what it captured; of a method, the one
    item is its object.
    """

    module: str
    name: str
    value: Value


Value = Union[ArraySpec, KeySpec, ScalarSpec, StaticSpec, NoneSpec, DictSpec, TupleSpec, ListSpec, NameSpec, ObjectSpec]
#: The values of one call, by the name of the parameter.
InputSet = Mapping[str, Value]


def parse_assignments(text: str, column: int = 1) -> dict[str, Value]:
    """Read `NAME=VALUE ...`. Raises SpecError; `column` is that of the text's first character."""
    result: dict[str, Value] = {}
    reader = _Reader(text, column)
    while reader.skip_space():
        at = reader.at
        name = reader.take(_NAME)
        if not name:
            raise reader.error("expected the name of a parameter")
        if not reader.take(_EQUALS):
            raise reader.error(f"expected `=` after `{name}`")
        if name in result:
            raise reader.error(f"`{name}` is given twice", at)
        result[name] = reader.value()
        if reader.rest() and not reader.rest()[0].isspace():
            raise reader.error(f"expected a space after the value of `{name}`, got `{reader.rest()[0]}`")
    return result


def parse_value(text: str, column: int = 1) -> Value:
    """Read one VALUE. Raises SpecError."""
    reader = _Reader(text, column)
    reader.skip_space()
    value = reader.value()
    if reader.skip_space():
        raise reader.error(f"`{reader.rest().split()[0]}` is left over after the value")
    return value


def spec_text(value: Value) -> str:  # noqa: PLR0911 - dispatches on the kinds of specs
    """The value in the grammar: `parse_value(spec_text(v)) == v`."""
    match value:
        case ArraySpec(dtype, dims):
            return f"{dtype}[{_dims_text(dims)}]"
        case KeySpec(dims):
            return f"key[{_dims_text(dims)}]" if dims else "key"
        case ScalarSpec(kind):
            return kind
        case StaticSpec(text):
            return f"static:{text}"
        case NoneSpec():
            return "none"
        case DictSpec(items):
            return "{" + ", ".join(f"{_quoted(key)}: {spec_text(entry)}" for key, entry in items) + "}"
        case TupleSpec(items):
            return "(" + ", ".join(map(spec_text, items)) + ("," if len(items) == 1 else "") + ")"
        case ListSpec(items):
            return "[" + ", ".join(map(spec_text, items)) + "]"
        case NameSpec(module, name):
            return f"name:{module}:{name}"
        case ObjectSpec(module, name, inner):
            return f"object:{module}:{name}{spec_text(inner)}"


def _dims_text(dims: Iterable[Dimension]) -> str:
    return ",".join(map(str, dims))


def _quoted(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)


def dimension_sizes(values: InputSet) -> dict[str, int]:
    """A size for each named dimension: distinct primes that no number of the same specs equals."""
    dims = list(_dimensions(values.values()))
    taken = {dim for dim in dims if isinstance(dim, int)}
    free = (prime for prime in _primes() if prime not in taken)
    return {name: next(free) for name in dict.fromkeys(dim for dim in dims if isinstance(dim, str))}


def _dimensions(values: Iterable[Value]) -> Iterator[Dimension]:
    for value in values:
        match value:
            case ArraySpec(_, dims) | KeySpec(dims):
                yield from dims
            case DictSpec(items):
                yield from _dimensions(entry for _, entry in items)
            case TupleSpec(items) | ListSpec(items):
                yield from _dimensions(items)
            case ObjectSpec(_, _, inner):
                yield from _dimensions((inner,))


def _primes() -> Iterator[int]:
    """5, 7, 11 ...: 2 and 3 are too often sizes that mean something."""
    found = [2, 3]
    candidate = 5
    while True:
        if all(candidate % prime for prime in found):
            found.append(candidate)
            yield candidate
        candidate += 2


def as_json(value: Value, sizes: Mapping[str, int]) -> dict[str, Any]:  # noqa: PLR0911 - dispatches on the kinds of specs
    """The value as the probe's child reads it, its named dimensions filled in."""
    match value:
        case ArraySpec(dtype, dims):
            return {"kind": "array", "dtype": DTYPES[dtype], "shape": _shape(dims, sizes)}
        case KeySpec(dims):
            return {"kind": "key", "shape": _shape(dims, sizes)}
        case ScalarSpec(kind):
            return {"kind": "scalar", "type": kind}
        case StaticSpec(text):
            return {"kind": "static", "text": text}
        case NoneSpec():
            return {"kind": "none"}
        case DictSpec(items):
            return {"kind": "dict", "items": [[key, as_json(entry, sizes)] for key, entry in items]}
        case TupleSpec(items):
            return {"kind": "tuple", "items": [as_json(entry, sizes) for entry in items]}
        case ListSpec(items):
            return {"kind": "list", "items": [as_json(entry, sizes) for entry in items]}
        case NameSpec(module, name):
            return {"kind": "name", "module": module, "name": name}
        case ObjectSpec(module, name, inner):
            return {"kind": "object", "module": module, "name": name, "value": as_json(inner, sizes)}


def _shape(dims: Iterable[Dimension], sizes: Mapping[str, int]) -> list[int]:
    return [dim if isinstance(dim, int) else sizes[dim] for dim in dims]


_NAME: Final = re.compile(r"[^\W\d]\w*")
_QUALIFIED: Final = re.compile(r":((?:\w+\.)*\w+):((?:(?:\w+|<\w+>)\.)*(?:\w+|<\w+>))")
_EQUALS: Final = re.compile(r"=")
_DIGITS: Final = re.compile(r"[0-9]+")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^'\\]|\\.)*'")
_SPACE: Final = re.compile(r"\s*")
_WORD: Final = re.compile(r"[^\s,)\]}]+")


class _Reader:
    """A place in the text of a spec; each method reads on from there or raises SpecError."""

    def __init__(self, text: str, column: int) -> None:
        self.text = text
        self.column = column
        self.at = 0
        self.depth = 0

    def error(self, message: str, at: int | None = None) -> SpecError:
        return SpecError(message, self.column + (self.at if at is None else at))

    def rest(self) -> str:
        return self.text[self.at :]

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found.group()

    def skip_space(self) -> bool:
        """Skip white space; whether anything is left."""
        self.take(_SPACE)
        return self.at < len(self.text)

    def value(self) -> Value:
        if self.text.startswith("{", self.at):
            return DictSpec(tuple(self._nested("}", self._entry)))
        if self.text.startswith("(", self.at):
            return TupleSpec(tuple(self._nested(")", self.value)))
        if self.text.startswith("[", self.at):
            return ListSpec(tuple(self._nested("]", self.value)))
        return self._named()

    def _named(self) -> Value:
        """A value that begins with a word: an array, a key, a scalar, none or a constant."""
        at = self.at
        word = self.take(_NAME)
        if not word:
            raise self._no_value()
        if word == "static":
            return self._static()
        if word == "none":
            return NoneSpec()
        if word in ("name", "object"):
            return self._of_module(word)
        if self.text.startswith("[", self.at):
            return self._dimensioned(word, at)
        if word == "key":
            return KeySpec()
        if word in _SCALARS:
            return ScalarSpec(word)
        raise self._unknown(word, at)

    def _of_module(self, word: str) -> Value:
        found = _QUALIFIED.match(self.text, self.at)
        if found is None:
            raise self.error(f"expected `{word}:MODULE:NAME`")
        self.at = found.end()
        if word == "name":
            return NameSpec(found[1], found[2])
        if not self.text.startswith(("{", "("), self.at):
            raise self.error(f"expected the fields of `{found[2]}`, {{...}}, or its items, (...)")
        return ObjectSpec(found[1], found[2], self.value())

    def _no_value(self) -> SpecError:
        rest = self.rest()
        if not rest or rest[0].isspace():
            return self.error("expected a value, such as `f32[3,4]`, `key` or `static:3`")
        literal = _WORD.match(rest)
        if literal is None:
            return self.error(f"expected a value, got `{rest[0]}`")
        return self.error(f"`{literal[0]}` is not a value; write `static:{literal[0]}` for a Python constant")

    def _unknown(self, word: str, at: int) -> SpecError:
        if word in DTYPES or word in _NUMPY:
            return self.error(f"`{word}` needs dimensions: `{word}[]` is a scalar array, `{word}[3,4]` a matrix")
        if word in ("None", "True", "False", "str"):
            meant = {"None": "none", "str": "static:'text'"}.get(word, f"static:{word}")
            return self.error(f"unknown value `{word}`; did you mean `{meant}`?", at)
        return self.error(f"unknown value `{word}`{suggestion(word, _WORDS)}", at)

    def _dimensioned(self, word: str, at: int) -> Value:
        dtype = _NUMPY.get(word, word)
        if word != "key" and dtype not in DTYPES:
            raise self.error(f"unknown dtype `{word}`{suggestion(word, (*DTYPES, *_NUMPY))}", at)
        dims = tuple(self._nested("]", self._dimension))
        return KeySpec(dims) if word == "key" else ArraySpec(dtype, dims)

    def _dimension(self) -> Dimension:
        if digits := self.take(_DIGITS):
            if len(digits) > 12:
                raise self.error(f"dimension {digits[:12]}... is too large", self.at - len(digits))
            return int(digits)
        if name := self.take(_NAME):
            return name
        raise self.error("a dimension is a number, such as `3`, or a name, such as `n`")

    def _entry(self) -> tuple[str, Value]:
        at = self.at
        quoted = self.take(_STRING)
        if not quoted:
            raise self.error('expected a key in quotes: {"a": f32[3]}')
        self.skip_space()
        if not self.text.startswith(":", self.at):
            raise self.error(f"expected `:` after {quoted}")
        self.at += 1
        self.skip_space()
        try:
            key = ast.literal_eval(quoted)
        except (ValueError, SyntaxError):
            raise self.error(f"{quoted} is not a string that Python can read", at) from None
        return key, self.value()

    def _nested(self, closing: str, item: Any) -> Iterator[Any]:  # noqa: ANN401 - a reader of any kind of item
        """Items between commas up to `closing`, a last comma allowed."""
        opened = self.at
        self.at += 1
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.error(f"nested more than {_MAX_DEPTH} deep")
        seen: set[str] = set()
        while self._next_item(closing, opened):
            at = self.at
            entry = item()
            if closing == "}":
                if entry[0] in seen:
                    raise self.error(f"key {entry[0]!r} is given twice", at)
                seen.add(entry[0])
            yield entry
            self._separator(closing, opened)
        self.at += 1
        self.depth -= 1

    def _next_item(self, closing: str, opened: int) -> bool:
        if not self.skip_space():
            raise self.error(f"`{self.text[opened]}` is not closed", opened)
        return not self.text.startswith(closing, self.at)

    def _separator(self, closing: str, opened: int) -> None:
        if not self.skip_space():
            raise self.error(f"`{self.text[opened]}` is not closed", opened)
        if self.text.startswith(",", self.at):
            self.at += 1
        elif not self.text.startswith(closing, self.at):
            raise self.error(f"expected `,` or `{closing}`, got `{self.text[self.at]}`")

    def _static(self) -> StaticSpec:
        if not self.text.startswith(":", self.at):
            raise self.error("expected `:` and a Python literal after `static`: `static:3`")
        self.at += 1
        start = self.at
        self._skip_literal()
        text = self.text[start : self.at]
        if not text:
            raise self.error("expected a Python literal after `static:`", start)
        try:
            ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            hint = f"; did you mean `static:{text!r}`?" if text.isidentifier() else ""
            raise self.error(f"`{text}` is not a Python literal{hint}", start) from None
        return StaticSpec(text)

    def _skip_literal(self) -> None:
        """Move to the literal's end: white space, or what belongs to an outer bracket; inside brackets all counts."""
        expected: list[str] = []
        while self.at < len(self.text):
            start = self.at
            if self.text[start] in "\"'":
                if not self.take(_STRING):
                    raise self.error("the string is not closed", start)
                continue
            character = self.text[start]
            if not expected and (character.isspace() or (self.depth and character in ",)]}")):
                return
            if character in _CLOSING:
                expected.append(_CLOSING[character])
            elif character in ")]}" and (not expected or expected.pop() != character):
                raise self.error(f"`{character}` closes nothing", start)
            self.at += 1
        if expected:
            raise self.error(f"`{expected[-1]}` is missing at the end of the literal")
