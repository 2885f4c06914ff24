"""Questions about the source of all files of a project: whoever keeps what rests on the answers can ask them again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax import ir

#: The name of a question and what it is asked with, as plain data.
Question: TypeAlias = "tuple[str, ...]"

_Answer = TypeVar("_Answer")
_Words = ParamSpec("_Words")
_QUESTIONS: Final[dict[str, Callable[..., bool]]] = {}


@dataclass(slots=True)
class Asked(Table):
    """What was asked about all files of the project, with the answers."""

    answers: dict[Question, bool] = field(default_factory=dict)


@dataclass(slots=True)
class FileFacts(Table):
    """What files say, whoever asks: by the function that finds it and the address of the code, which is kept alive.

    `answers` are those to questions about all files.
    """

    known: dict[tuple[object, int], tuple[ir.Block, Any]] = field(default_factory=dict)
    answers: dict[Question, bool] = field(default_factory=dict)


def about_all_files(
    question: Callable[Concatenate[Interpreter, _Words], bool],
) -> Callable[Concatenate[Interpreter, _Words], bool]:
    """Ask a question about all files of the project once a run; it must be asked with strings alone."""
    name = f"{question.__module__}.{question.__qualname__}"
    _QUESTIONS[name] = question

    def ask(it: Interpreter, /, *words: _Words.args, **_: _Words.kwargs) -> bool:
        answers = it.tables[Asked].answers
        key = (name, *map(str, words))
        answer = answers.get(key)
        if answer is None:
            answer = answers[key] = answer_to(it, key)
        return answer

    update_wrapper(ask, question)
    return ask


def about_one_file(
    find: Callable[[Interpreter, ir.Block], _Answer],
) -> Callable[[Interpreter, ir.Block], _Answer]:
    """Find out once a run what the code of a file says, and nothing else, for questions about all files."""

    def ask(it: Interpreter, body: ir.Block) -> _Answer:
        known = it.tables[FileFacts].known
        found = known.get((find, id(body)))
        if found is None:
            found = known[find, id(body)] = (body, find(it, body))
        answer: _Answer = found[1]
        return answer

    update_wrapper(ask, find)
    return ask


def answer_to(it: Interpreter, key: Question) -> bool:
    """The answer to a question, which nothing rests on yet. Raises KeyError for one that nobody asks any more."""
    answers = it.tables[FileFacts].answers
    answer = answers.get(key)
    if answer is None:
        name, *words = key
        answer = answers[key] = _QUESTIONS[name](it, *words)
    return answer
