"""The little languages of `einsum` and einops: patterns that name the axes of arrays.

What is not understood gives None, and then nothing is said of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from jaxlint.analysis.domain.values import Dim, Shape


class Term(NamedTuple):
    """The axes of one array as written in `text`: each the names that it is made of; `rest` is where `...` stands."""

    text: str
    axes: tuple[tuple[str, ...], ...]
    rest: int | None = None

    @property
    def names(self) -> list[str]:
        """All names, in order; numbers are lengths."""
        return [name for axis in self.axes for name in axis if not name.isdigit()]

    def fits(self, rank: int) -> bool:
        """Whether an array of so many dimensions has these axes."""
        return rank >= len(self.axes) if self.rest is not None else rank == len(self.axes)

    def lengths(self, shape: Sequence[Dim]) -> Iterator[tuple[tuple[str, ...], Dim]]:
        """Each axis with its length, in an array of this shape, which it fits."""
        rest = len(self.axes) if self.rest is None else self.rest
        yield from zip(self.axes[:rest], shape)
        behind = self.axes[rest:]
        yield from zip(behind, shape[len(shape) - len(behind) :])


class Pattern(NamedTuple):
    """What an operation takes, and gives; `result` is None where the pattern leaves that open."""

    operands: tuple[Term, ...]
    result: Term | None


class Fault(NamedTuple):
    """Why a call does not fit its pattern: a kind, its words, and the number of the operand at fault, if it is one."""

    kind: str
    words: tuple[str, ...]
    operand: int | None = None


# --- parsing


def parse_einsum(text: str) -> Pattern | None:
    """The pattern of `jnp.einsum`: each letter is an axis."""
    terms, arrow, result = text.replace(" ", "").partition("->")
    operands = [_letters(term) for term in terms.split(",")]
    given = _letters(result) if arrow else None
    known = [term for term in operands if term is not None]
    if len(known) < len(operands) or (arrow and given is None):
        return None
    return Pattern(tuple(known), given if arrow else _implicit(known))


def _implicit(operands: Sequence[Term]) -> Term | None:
    """What `einsum` gives where the pattern does not say: the axes that appear once, in order of their names."""
    names = [name for term in operands for name in term.names]
    if any(term.rest is not None for term in operands):
        return None
    once = sorted(name for name in names if names.count(name) == 1)
    return Term("".join(once), tuple((name,) for name in once))


#: The letters that stand for the numbers of axes, in the order of the numbers.
_NUMBERED: Final = "abcdefghijklmnopqrstuvwxyz"


def parse_numbered(operands: Sequence[Sequence[object]], result: Sequence[object] | None) -> Pattern | None:
    """The pattern of `jnp.einsum` with lists of numbers: each number, of 0 to 25, is an axis."""
    terms = [_numbered(axes) for axes in operands]
    given = None if result is None else _numbered(result)
    known = [term for term in terms if term is not None]
    if len(known) < len(terms) or (result is not None and given is None):
        return None
    return Pattern(tuple(known), _implicit(known) if result is None else given)


def _numbered(axes: Sequence[object]) -> Term | None:
    """The axes of one array, where each is known."""
    letters = list(map(_letter, axes))
    return _letters("".join(letters)) if all(letters) else None


def _letter(axis: object) -> str:
    """What stands for an axis in a pattern; empty where that is not known."""
    if axis is ...:
        return "..."
    return _NUMBERED[axis] if type(axis) is int and 0 <= axis < len(_NUMBERED) else ""


_LETTERS: Final = re.compile(r"([A-Za-z]*)(\.\.\.)?([A-Za-z]*)")


def _letters(text: str) -> Term | None:
    match = _LETTERS.fullmatch(text)
    if match is None:
        return None
    before, rest, behind = match.groups()
    return Term(text, tuple((letter,) for letter in before + behind), len(before) if rest else None)


def parse_einops(text: str) -> Pattern | None:
    """The pattern of einops: names with spaces between, groups in parentheses."""
    sides = text.split("->")
    if len(sides) != 2:
        return None
    terms = [_words(term.strip()) for term in (*sides[0].split(","), sides[1])]
    known = [term for term in terms if term is not None]
    return Pattern(tuple(known[:-1]), known[-1]) if len(known) == len(terms) else None


_WORD: Final = re.compile(r"\s*(\.\.\.|…|[()]|[A-Za-z]\w*|\d+)")


def _words(text: str) -> Term | None:
    axes: list[tuple[str, ...]] = []
    group: list[str] | None = None
    rest, end = None, 0
    while end < len(text):
        match = _WORD.match(text, end)
        if match is None:
            return None
        word, end = match[1], match.end()
        if word == "(" and group is None:
            group = []
        elif word == ")" and group is not None:
            axes.append(tuple(group))
            group = None
        elif word in ("...", "…") and group is None and rest is None:
            rest = len(axes)
        elif word in ("(", ")", "...", "…"):
            return None
        elif group is not None:
            group.append(word)
        else:
            axes.append((word,))
    return None if group is not None else Term(text, tuple(axes), rest)


def result(pattern: Pattern, shapes: Sequence[Shape]) -> Shape:
    """The shape that `einsum` gives, as far as operands of these shapes tell; None where its rank is left open.

    A length of 1 tells nothing: another operand may be longer.
    """
    if pattern.result is None or pattern.result.rest is not None:
        return None
    known: dict[tuple[str, ...], Dim] = {}
    for term, shape in zip(pattern.operands, shapes):
        fitting = term.lengths(shape) if shape is not None and term.fits(len(shape)) else ()
        known.update((names, length) for names, length in fitting if isinstance(length, int) and length > 1)
    return tuple(known.get(names) for names in pattern.result.axes)


# --- checking


def faults(pattern: Pattern, shapes: Sequence[Shape], lengths: Mapping[str, Dim], kind: str) -> Iterator[Fault]:
    """What does not fit: operands of these shapes, and the lengths given by name, if there are any.

    `kind` is einsum, or the function of einops: rearrange, reduce or repeat.
    """
    if len(pattern.operands) != len(shapes):
        yield Fault("count", (str(len(pattern.operands)), str(len(shapes))))
        return
    yield from _name_faults(pattern, lengths, kind)
    for number, (term, shape) in enumerate(zip(pattern.operands, shapes)):
        if shape is not None and not term.fits(len(shape)):
            yield Fault("rank", (term.text, str(len(term.axes)), str(len(shape))), number)
            return
    yield from _length_faults(pattern, shapes, lengths, may_broadcast=kind == "einsum")


def _name_faults(pattern: Pattern, lengths: Mapping[str, Dim], kind: str) -> Iterator[Fault]:
    """Axes that the result has too many, too few or twice."""
    if pattern.result is None:
        return
    taken, given = {name for term in pattern.operands for name in term.names}, pattern.result.names
    yield from (Fault("twice", (name,)) for name in dict.fromkeys(given) if given.count(name) > 1)
    if kind == "repeat":
        yield from (Fault("no length", (name,)) for name in given if name not in taken and name not in lengths)
    else:
        yield from (Fault("new", (name,)) for name in given if name not in taken)
    if kind in ("rearrange", "repeat"):
        yield from (Fault("lost", (name,)) for name in pattern.operands[0].names if name not in given)


def _length_faults(
    pattern: Pattern, shapes: Sequence[Shape], lengths: Mapping[str, Dim], *, may_broadcast: bool
) -> Iterator[Fault]:
    """Axes of one name and two lengths; those of length 1 go with any, in `einsum`."""
    known: dict[str, tuple[int, int | None]] = {
        name: (length, None) for name, length in lengths.items() if isinstance(length, int)
    }
    for number, (term, shape) in enumerate(zip(pattern.operands, shapes)):
        for names, length in () if shape is None else term.lengths(shape):
            if not isinstance(length, int) or (may_broadcast and length == 1):
                continue
            if len(names) != 1 or names[0].isdigit():
                yield from _group_faults(names, length, known, number)
            elif known.setdefault(names[0], (length, number))[0] != length:
                other, by = known[names[0]]
                yield Fault("length", (names[0], str(length), str(other), "" if by is None else str(by)), number)
                return


def _group_faults(
    names: Sequence[str], length: int, known: Mapping[str, tuple[int, int | None]], number: int
) -> Iterator[Fault]:
    """An axis that is taken apart must be a multiple of the parts that are known."""
    parts = [int(name) if name.isdigit() else known[name][0] if name in known else None for name in names]
    product = math.prod(part for part in parts if part is not None)
    if product != length if None not in parts else product and length % product:
        yield Fault("group", (" ".join(names), str(length), str(product)), number)
