"""Where a file updates arrays and splits keys, and how that reads in the form that the fixes are to undo."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

#: What `.at[...]` methods are as assignments.
OPERATORS = {"set": "=", "add": "+=", "multiply": "*=", "divide": "/=", "power": "**=", "subtract": "-="}
Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Site:
    """One statement to be rewritten. `edits` are offsets into the text of the file, `line` and `end` its lines.

    `redraw` gives a split other keys than it has, by the number that its text is formatted with.
    """

    kind: str
    line: int
    end: int
    function: str
    edits: tuple[Edit, ...]
    redraw: Edit | None = None

    @property
    def name(self) -> str:
        """What the site is called in reports."""
        return f"{self.line}: {self.kind} in {self.function}"


class Text:
    """A file by offsets: `ast` counts columns in bytes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or 0, node.end_col_offset or 0
        return self.offset(node.lineno, node.col_offset), self.offset(end_line, end_column)

    def segment(self, node: ast.expr) -> str:
        return self.text[slice(*self.span(node))]


def sites(text: str) -> list[Site]:
    """The statements of a file that can be rewritten, in order."""
    file, tree = Text(text), ast.parse(text)
    found: list[Site] = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for block in _blocks(function):
                found += _of_block(file, function, block)
    return _apart(sorted(found, key=lambda site: site.line))


def _apart(found: list[Site]) -> list[Site]:
    """The sites that no earlier one reaches into: the keys of a split may be split again."""
    kept: list[Site] = []
    taken: list[Edit] = []
    for site in found:
        if not any(start < other[1] and other[0] < end for start, end, _ in site.edits for other in taken):
            kept.append(site)
            taken.extend(site.edits)
    return kept


def rewritten(text: str, chosen: Sequence[Site]) -> str:
    """The text with these sites in the form that the fixes are to undo."""
    return _edited(text, [edit for site in chosen for edit in site.edits])


def redrawn(text: str, chosen: Iterable[Site], number: int) -> str:
    """The text with other keys from the splits among these sites, others for each number."""
    redraws = [site.redraw for site in chosen if site.redraw is not None]
    return _edited(text, [(start, end, new.format(number)) for start, end, new in redraws])


def _edited(text: str, edits: list[Edit]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _blocks(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """The blocks of a function, without those of functions in it."""
    pending: list[list[ast.stmt]] = [function.body]
    while pending:
        block = pending.pop()
        yield block
        for statement in block:
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                inner = (getattr(statement, field, []) for field in ("body", "orelse", "finalbody"))
                pending.extend(body for body in inner if body)


def _of_block(file: Text, function: ast.FunctionDef, block: list[ast.stmt]) -> Iterator[Site]:
    for index, statement in enumerate(block):
        match statement:
            case ast.Assign(targets=[ast.Name() as target], value=ast.Call() as call):
                edits = _update(file, statement, target, call)
                if edits is not None:
                    yield _site("update", function, statement, edits)
            case ast.Assign(targets=[ast.Tuple(elts=elements)], value=ast.Call() as call):
                edits = _split(file, function, statement, elements, call, block[index + 1 :])
                if edits is not None:
                    yield replace(_site("split", function, statement, edits), redraw=_redraw(file, call))
            case _:
                pass


def _site(kind: str, function: ast.FunctionDef, statement: ast.stmt, edits: list[Edit]) -> Site:
    return Site(kind, statement.lineno, statement.end_lineno or 0, function.name, tuple(edits))


def _redraw(file: Text, split: ast.Call) -> Edit:
    """`random.split(key)` as `random.split(random.fold_in(key, NUMBER))`."""
    key, function = split.args[0], split.func
    module = file.segment(function.value) if isinstance(function, ast.Attribute) else ""
    return (*file.span(key), f"{module}.fold_in({file.segment(key)}, {{}})")


def _update(file: Text, statement: ast.stmt, target: ast.Name, call: ast.Call) -> list[Edit] | None:
    """`x = x.at[i].set(v)` as `x[i] = v`; `y = x.at[i].set(v)` as `y = x` and `y[i] = v`."""
    match call:
        case ast.Call(
            func=ast.Attribute(
                attr=method, value=ast.Subscript(slice=index, value=ast.Attribute(attr="at", value=base))
            ),
            args=[value],
            keywords=[],
        ) if method in OPERATORS:
            pass
        case _:
            return None
    start = f"{target.id} = {_on_one_line(file, base)}\n{' ' * statement.col_offset}"
    copied = "" if file.segment(base) == target.id else start
    where = file.segment(index).strip()
    new = f"{copied}{target.id}[{where}] {OPERATORS[method]} {_on_one_line(file, value)}"
    return [(*file.span(statement), new)]


def _on_one_line(file: Text, value: ast.expr) -> str:
    text = file.segment(value)
    return f"({text})" if "\n" in text else text


def _split(
    file: Text,
    function: ast.FunctionDef,
    statement: ast.stmt,
    elements: list[ast.expr],
    call: ast.Call,
    later: list[ast.stmt],
) -> list[Edit] | None:
    """`key, a, b = split(key, 3)` taken out, with `key` in the place of `a` and `b`."""
    is_split = isinstance(call.func, ast.Attribute) and call.func.attr == "split" and call.args
    if not is_split or not all(isinstance(element, ast.Name) for element in elements) or not later:
        return None
    if not isinstance(call.args[0], ast.Name | ast.Attribute):
        return None  # a key that is made here, which could not be used twice
    parent = file.segment(call.args[0])
    children = [e.id for e in elements if isinstance(e, ast.Name) and e.id not in (parent, "_")]
    edits: list[Edit] = []
    for child in children:
        reads = _reads(function, statement, child, later)
        if not reads:
            return None
        edits += [(*file.span(read), parent) for read in reads]
    start = file.starts[statement.lineno - 1]
    end = file.starts[statement.end_lineno or 0]
    is_alone = file.text[start : file.span(statement)[0]].strip() == ""
    return [(start, end, ""), *edits] if is_alone and len(edits) > 1 else None


def _reads(function: ast.FunctionDef, statement: ast.stmt, child: str, later: list[ast.stmt]) -> list[ast.Name] | None:
    """The reads of a name that only this statement binds, all of them behind it in its block; None otherwise."""
    inside = {id(node) for other in later for node in ast.walk(other)}
    own = {id(node) for node in ast.walk(statement)}
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == child and id(n) not in own]
    is_argument = any(argument.arg == child for argument in ast.walk(function) if isinstance(argument, ast.arg))
    if is_argument or any(id(n) not in inside or not isinstance(n.ctx, ast.Load) for n in names):
        return None
    return names
