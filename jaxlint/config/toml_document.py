"""A TOML file with the place of each of its keys and array elements, which tomllib alone does not tell."""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final, TypeAlias

from jaxlint.config.errors import ConfigError

KeyPath: TypeAlias = "tuple[str | int, ...]"

#: Larger files are not settings; reading one (or an endless device) must not take all memory.
MAX_BYTES: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TomlDocument:
    """The parsed values of one file, its path and its text, from which places are found on demand."""

    path: str
    text: str
    values: dict[str, Any]

    def place(self, key: KeyPath) -> tuple[int, int]:
        """Line and column, from 1, of a key or array element; of its nearest known parent where it has none."""
        offsets = _Scanner(self.text).scan()
        while key and key not in offsets:
            key = key[:-1]
        offset = offsets.get(key, 0)
        line_start = self.text.rfind("\n", 0, offset) + 1
        return self.text.count("\n", 0, offset) + 1, offset - line_start + 1


def _tomllib() -> ModuleType:
    """The parser, imported where there is something to parse; on 3.10 it goes by its older name."""
    return import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")


@lru_cache(maxsize=32)
def _parsed(text: str) -> dict[str, Any]:
    """The values of a text; a pyproject.toml is asked for settings and for dependencies."""
    values: dict[str, Any] = _tomllib().loads(text)
    return values


def read_document(path: str) -> TomlDocument:
    """Read one TOML file, or raise ConfigError with the place of the mistake."""
    text = _read_text(path)
    tomllib = _tomllib()
    try:
        return TomlDocument(path, text, _parsed(text))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        what = re.sub(r" \(at .*\)$", "", str(error))
        line, column = (int(place[1]), int(place[2])) if place else (text.count("\n") + 1, None)
        raise ConfigError(f"not valid TOML: {what}", path, line, column) from None
    except RecursionError:
        raise ConfigError("not valid TOML: nested too deep", path) from None


def parse_assignment(text: str) -> TomlDocument:
    """The document of a `key = value` given on the command line."""
    tomllib = _tomllib()
    try:
        return TomlDocument("--config", text, tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError):
        example = "'min-confidence = \"certain\"'"
        message = f"`{text}` is neither a file nor a `key = value` in TOML; strings need quotes: {example}"
        raise ConfigError(message, "--config") from None


def _read_text(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise ConfigError("is not a regular file", path)
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    if len(data) > MAX_BYTES:
        raise ConfigError(f"is larger than {MAX_BYTES} bytes", path)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError("is not UTF-8", path, line, error.start - data.rfind(b"\n", 0, error.start)) from None


_BLANK: Final = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_KEY_PART: Final = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*'""")
_STRING: Final = re.compile(r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*\'''', re.DOTALL)
_SCALAR: Final = re.compile(r"[^,\]}#\n]+")


class _Scanner:
    """Walks the text of a valid TOML document once and records where keys and array elements start."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.offsets: dict[KeyPath, int] = {}
        self.tables: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        prefix: KeyPath = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                prefix = self._header()
            else:
                self._pair(prefix)
            self._skip(_BLANK)
        return self.offsets

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()

    def _header(self) -> KeyPath:
        is_array = self.text.startswith("[[", self.at)
        self.at += 1 + is_array
        self._skip(_SPACE)
        start = self.at
        key: KeyPath = self._key()
        self.at += 1 + is_array
        # A key below `[[like]]` means its last element.
        key = tuple(part for index in range(len(key)) for part in self._with_element(key, index, is_array))
        self.offsets.setdefault(key, start)
        return key

    def _with_element(self, key: KeyPath, index: int, is_array: bool) -> KeyPath:
        path, part = key[: index + 1], key[index]
        if is_array and index == len(key) - 1:
            self.tables[path] = self.tables.get(path, -1) + 1
        return (part, self.tables[path]) if path in self.tables else (part,)

    def _key(self) -> KeyPath:
        parts: list[str | int] = []
        while match := _KEY_PART.match(self.text, self.at):
            word = match.group()
            parts.append(next(iter(_tomllib().loads(f"{word} = 0"))) if word[0] in "\"'" else word)
            self.at = match.end()
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                break
            self.at += 1
            self._skip(_SPACE)
        return tuple(parts)

    def _pair(self, prefix: KeyPath) -> None:
        start = self.at
        key = (*prefix, *self._key())
        if self.at == start:  # cannot happen in valid TOML; never loop for ever
            self.at = len(self.text)
            return
        self.offsets.setdefault(key, start)
        self.at = self.text.find("=", self.at) + 1
        self._skip(_SPACE)
        self._value(key)

    def _value(self, key: KeyPath) -> None:
        match self.text[self.at : self.at + 1]:
            case "[":
                self._array(key)
            case "{":
                self._inline_table(key)
            case '"' | "'":
                self._skip(_STRING)
            case _:
                self._skip(_SCALAR)

    def _array(self, key: KeyPath) -> None:
        self.at += 1
        index = 0
        while True:
            self._skip(_BLANK)
            if self.text[self.at : self.at + 1] in ("]", ""):
                self.at += 1
                return
            self.offsets.setdefault((*key, index), self.at)
            self._value((*key, index))
            index += 1
            self._skip(_BLANK)
            if self.text.startswith(",", self.at):
                self.at += 1

    def _inline_table(self, key: KeyPath) -> None:
        self.at += 1
        while True:
            self._skip(_BLANK)
            if self.text[self.at : self.at + 1] in ("}", ""):
                self.at += 1
                return
            self._pair(key)
            self._skip(_BLANK)
            if self.text.startswith(",", self.at):
                self.at += 1
