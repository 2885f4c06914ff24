#!/usr/bin/env python3
"""Programs that a grammar makes without sense: none may fail, take long, or cost another file its finding.

Each is syntactically Python and mixes control flow, scopes, JAX's transforms and keys as no person would.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from jaxlint.analysis import analyse
from jaxlint.analysis.domain.findings import AnalysisOptions, Project
from jaxlint.rules.rule import registry
from jaxlint.syntax.source import Failure, SourceFile, read

#: CPU seconds that one program may take on an ordinary machine.
TIME_LIMIT: Final = 10.0
HEAD: Final = (
    "import functools\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n"
    "from functools import partial\nfrom jax import grad, jit, lax, random, vmap\n"
)
#: A file beside each program, whose finding must not be lost.
KNOWN: Final = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1\n"
KNOWN_RULE: Final = "in-place-item-assignment"


def _words(text: str) -> list[str]:
    return text.split()


_NAMES: Final = _words("x y z n f g step key k1 state carry params data acc self update")
_CONSTANTS: Final = ["0", "1", "-1", "3", "2.5", "1j", "True", "None", "'s'", "()", "[]", "{}", "..."]
_FUNCTIONS: Final = _words(
    "jnp.sin jnp.where np.sum jnp.zeros random.split random.normal random.fold_in random.key random.PRNGKey print "
    "len range sum zip enumerate iter next list getattr jax.pure_callback lax.stop_gradient jnp.reshape isinstance"
)
_TRANSFORMS: Final = _words("jit grad vmap jax.checkpoint jax.value_and_grad jax.jacfwd jax.eval_shape functools.cache")
_LOOPS: Final = (
    "lax.scan({f}, {a}, {b})", "lax.while_loop({f}, {g}, {a})", "lax.fori_loop({a}, 3, {both}, {b})",
    "lax.cond({a}, {f}, {g}, {b})", "jax.tree.map({both}, {a}, {b})", "lax.switch({a}, [{f}, {g}], {b})",
)  # fmt: skip
_OPERATORS: Final = _words("+ - * / // % ** @ & | ^ << >> == != < <= in is and or")
_PARAMETERS: Final = ("", "x", "self, x", "x, y=None", "*a, **k", "carry, x", "x, /, key, *, n=3", "key, data=[]")


@dataclass(slots=True)
class Grammar:
    """Writes one program; the same seed writes the same."""

    choose: random.Random
    statements: int  # that may still be written

    def program(self) -> str:
        """The text of a module."""
        lines = [line for _ in range(self.choose.randint(3, 7)) for line in self._statement(0)]
        return HEAD + "\n".join(lines) + "\n"

    # --- expressions

    def _name(self) -> str:
        return self.choose.choice(_NAMES)

    def _e(self, depth: int) -> str:
        """An expression with at most `depth` others inside each other."""
        if depth <= 0:
            return self.choose.choice((self._name(), self._name(), self.choose.choice(_CONSTANTS)))
        kinds = (
            self._atom, self._call, self._call, self._call_of_any, self._operation, self._transformed, self._loop,
            self._display, self._comprehension, self._subscript, self._conditional, self._text, self._lambda,
        )  # fmt: skip
        return self.choose.choice(kinds)(depth - 1)

    def _atom(self, _: int) -> str:
        return self._e(0)

    def _call(self, depth: int) -> str:
        arguments = ", ".join(self._e(depth) for _ in range(self.choose.randint(0, 3)))
        return f"{self.choose.choice(_FUNCTIONS)}({arguments})"

    def _call_of_any(self, depth: int) -> str:
        form = self.choose.choice(("{f}({a})", "{f}({a}, n={b})", "{f}(*{a}, **{b})", "{f}.{f}({a})"))
        return str(form.format(f=self._name(), a=self._e(depth), b=self._e(depth)))

    def _operation(self, depth: int) -> str:
        return f"({self._e(depth)} {self.choose.choice(_OPERATORS)} {self._e(depth)})"

    def _transformed(self, depth: int) -> str:
        function = self.choose.choice((self._name(), self._lambda(depth), f"partial({self._name()}, {self._e(depth)})"))
        return f"{self.choose.choice(_TRANSFORMS)}({function})({self._e(depth)})"

    def _loop(self, depth: int) -> str:
        first, second = (self.choose.choice((self._name(), self._lambda(depth - 1))) for _ in "fg")
        both = f"lambda a, b: {self._e(depth - 1)}"
        form = self.choose.choice(_LOOPS)
        return form.format(f=first, g=second, both=both, a=self._e(depth - 1), b=self._e(depth - 1))

    def _display(self, depth: int) -> str:
        form = self.choose.choice(("[{a}, *{b}]", "({a}, {b})", "{{'a': {a}, **{b}}}", "{{{a}, {b}}}"))
        return str(form.format(a=self._e(depth), b=self._e(depth)))

    def _comprehension(self, depth: int) -> str:
        clauses = " ".join(f"for {self._name()} in {self._e(depth)}" for _ in range(self.choose.randint(1, 3)))
        form = self.choose.choice(("[{a} {c}]", "sum({a} {c})", "{{{a}: {a} {c}}}", "[{a} {c} if {b}]"))
        return str(form.format(a=self._e(depth), b=self._e(depth), c=clauses))

    def _subscript(self, depth: int) -> str:
        form = self.choose.choice(("{n}[{a}]", "{n}[{a}:{b}]", "{n}.at[{a}].set({b})", "{n}.shape[{a}]", "{n}.T.a"))
        return str(form.format(n=self._name(), a=self._e(depth), b=self._e(depth)))

    def _conditional(self, depth: int) -> str:
        return f"({self._e(depth)} if {self._e(depth)} else {self._e(depth)})"

    def _text(self, _: int) -> str:
        return f"f'{{{self._name()}}} {{{self._name()}!r:>{{{self._name()}}}}}'"

    def _lambda(self, depth: int) -> str:
        return f"(lambda {self.choose.choice(('', 'x', '*a, **k', 'x, y=1', 'f'))}: {self._e(depth)})"

    # --- statements

    def _block(self, level: int) -> Iterator[str]:
        yield from ("    " * level + "pass",)
        for _ in range(self.choose.randint(1, 3)):
            yield from self._statement(level)

    def _statement(self, level: int) -> Iterator[str]:
        self.statements -= 1
        indent = "    " * level
        if self.statements < 0 or level > 7 or self.choose.random() < 0.45:
            yield indent + self._simple(level)
            return
        headers = self.choose.choice(
            (self._function, self._function, self._function, self._class, self._if, self._for, self._while, self._try,
             self._with, self._match)
        )  # fmt: skip
        yield from headers(level)

    def _simple(self, level: int) -> str:
        name, other, depth = self._name(), self._name(), self.choose.randint(1, 4)
        forms = [
            f"{name} = {self._e(depth)}", f"{name} = {other} = {self._e(depth)}", f"{name} += {self._e(depth)}",
            f"{name}, {other} = random.split({self._name()})", f"{name}, *{other} = {self._e(depth)}",
            f"{name}[{self._e(1)}] = {self._e(depth)}", f"{name}.{other} = {self._e(depth)}", f"del {name}",
            f"assert {self._e(depth)}", f"{name}.append({self._e(depth)})", self._e(depth),
            f"({name} := {self._e(depth)})",
            f"{name} = {other}; {other} = {self._name()}",
        ]  # fmt: skip
        if level:
            forms += [f"raise ValueError({self._e(1)})"]
        return self.choose.choice(forms)

    def _function(self, level: int) -> Iterator[str]:
        indent = "    " * level
        if self.choose.random() < 0.5:
            decorators = ("jit", "vmap", "grad", "partial(jit, static_argnums=0)", "staticmethod", "functools.cache")
            yield f"{indent}@{self.choose.choice(decorators)}"
        name = self._name()
        yield f"{indent}def {name}({self.choose.choice(_PARAMETERS)}):"
        yield from self._block(level + 1)
        yield f"{indent}    {self.choose.choice(('return', 'return', 'yield'))} {self._e(3)}"
        if self.choose.random() < 0.7:
            yield f"{indent}{self._name()} = {name}({self._e(2)})"

    def _class(self, level: int) -> Iterator[str]:
        yield "    " * level + f"class {self.choose.choice(('Model', 'State'))}({self._name()}):"
        yield from self._block(level + 1)

    def _if(self, level: int) -> Iterator[str]:
        yield "    " * level + f"if {self._e(3)}:"
        yield from self._block(level + 1)
        yield "    " * level + self.choose.choice(("else:", f"elif {self._e(3)}:"))
        yield from self._block(level + 1)

    def _for(self, level: int) -> Iterator[str]:
        yield (
            "    " * level + f"for {self._name()} in {self.choose.choice(('range({e})', '{e}')).format(e=self._e(2))}:"
        )
        yield from self._block(level + 1)
        if self.choose.random() < 0.3:
            yield "    " * (level + 1) + self.choose.choice(("break", "continue"))

    def _while(self, level: int) -> Iterator[str]:
        yield "    " * level + f"while {self._e(3)}:"
        yield from self._block(level + 1)

    def _try(self, level: int) -> Iterator[str]:
        yield "    " * level + "try:"
        yield from self._block(level + 1)
        yield "    " * level + f"except ({self._name()}, ValueError) as {self._name()}:"
        yield from self._block(level + 1)
        yield "    " * level + "finally:"
        yield from self._block(level + 1)

    def _with(self, level: int) -> Iterator[str]:
        yield "    " * level + f"with {self._e(2)} as {self._name()}:"
        yield from self._block(level + 1)

    def _match(self, level: int) -> Iterator[str]:
        yield "    " * level + f"match {self._e(2)}:"
        for pattern in ("[a, *b]", "{'a': x}", "State(x=1) | None", "_"):
            yield "    " * (level + 1) + f"case {pattern}:"
            yield from self._block(level + 2)


def program(seed: int) -> str:
    """The program of a seed; most are of a hundred lines."""
    choose = random.Random(seed)
    return Grammar(choose, choose.choice((20, 40, 80, 160))).program()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the analysis of one program went: CPU seconds, whether part of it was left out, and what went wrong."""

    seed: int
    lines: int
    seconds: float
    is_limited: bool
    problems: tuple[str, ...]


def outcome_of(seed: int, text: str) -> Outcome:
    """Analyse a program by all rules, beside a file with a known mistake."""
    started = time.process_time()
    source, known = (
        read("nonsense.py", text.encode(), "nonsense", False),
        read("known.py", KNOWN.encode(), "known", False),
    )
    assert isinstance(known, SourceFile)
    if isinstance(source, Failure):
        return Outcome(seed, text.count("\n"), 0.0, False, (f"no Python: {source}",))
    analysis = analyse(
        Project({each.path: each for each in (source, known)}, lambda _: None),
        list(registry().values()),
        AnalysisOptions(),
    )
    seconds = time.process_time() - started
    problems = [f"{path}: {reason}" for path, reason in analysis.failures]
    if not any(f.rule == KNOWN_RULE and f.place.path == known.path for f in analysis.findings):
        problems.append("the finding of the other file is lost")
    if seconds > TIME_LIMIT:
        problems.append(f"took {seconds:.1f} s")
    return Outcome(seed, text.count("\n"), seconds, bool(analysis.limited), tuple(problems))


def main() -> int:
    """Analyse programs; the exit status says whether any had a problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: %(default)s)")
    parser.add_argument("--show", type=int, metavar="SEED", help="print one program instead")
    options = parser.parse_args()
    if options.show is not None:
        sys.stdout.write(program(options.show))
        return 0
    outcomes = []
    for seed in range(options.first, options.first + options.count):
        outcome = outcome_of(seed, program(seed))
        outcomes.append(outcome)
        for problem in outcome.problems:
            print(f"seed {seed}: {problem}", flush=True)
    slowest = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:10]
    print("slowest:", ", ".join(f"{each.seconds:.1f} s (seed {each.seed}, {each.lines} lines)" for each in slowest))
    limited = sum(each.is_limited for each in outcomes)
    failed = sum(bool(each.problems) for each in outcomes)
    print(f"{len(outcomes)} programs, {limited} left out in part, {failed} with problems")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
