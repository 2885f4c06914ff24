"""Programs from a grammar: valid Python about JAX that nobody would write and nobody needs to understand."""

from __future__ import annotations

import re
from random import Random

HEAD = """\
import functools
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial
from jax import grad, jit, lax, random, vmap
"""
_NAMES = ["x", "y", "z", "n", "f", "g", "key", "k1", "state", "carry", "params", "self", "acc", "data"]
_CALLS = (
    "jnp.sum($e)", "jnp.where($e, $e, $e)", "random.split($e)", "random.split($e, $e)", "random.normal($e, ($e,))",
    "random.PRNGKey($e)", "random.fold_in($e, $e)", "jit($e)", "jit($e, static_argnums=($e,))", "grad($e)($e)",
    "vmap($e, in_axes=$e)($e)", "lax.scan($e, $e, $e)", "lax.cond($e, $e, $e, $e)", "float($e)", "int($e)",
    "lax.while_loop($e, $e, $e)", "lax.fori_loop($e, $e, $e, $e)", "partial($e, $e)", "np.sum($e)",
    "len($e)", "range($e)", "print($e)", "bool($e)", "str($e)", "hash($e)", "isinstance($e, $e)", "iter($e)",
    "next($e)", "sorted($e, key=$e)", "zip($e, *$e)", "map($e, $e)", "dict($e, **$e)", "super().__init__($e)",
    "jax.tree.map($e, $e)", "jax.pure_callback($e, $e, $e)", "jax.checkpoint($e)($e)", "jnp.array($e)",
    "functools.reduce($e, $e, $e)", "getattr($e, $s)", "setattr($e, $s, $e)", "type($e)($e)", "open($s)",
)  # fmt: skip
_EXPRESSIONS = (
    "$n", "$n", "$n", "$n", "$i", "$s", "None", "True", "...", "()", "[]", "{}", "$e + $e", "$e @ $e",
    "$e % $e", "-$e", "not $e", "$e > $e", "$e < $e <= $e", "$e in $e", "$e is None", "$e and $e",
    "$e or $e", "($e if $e else $e)", "$e[$e]", "$e[$e:$e]", "$e[::-1]", "$e.$n", "$e.at[$e].set($e)",
    "$e.shape[$e]", "($e, $e)", "[$e, *$e]", "{$e: $e, **$e}", "[$e for $n in $e]",
    "{$e for $n, $n in $e if $e}", "(lambda $n: $e)", "(lambda *a, **k: $e)", "$e($e, $n=$e)",
    "$e(*$e, **$e)", "($n := $e)", "f'{$n} {$n!r:>{$n}}'", "$n.dtype", "$n.append($e)",
)  # fmt: skip
_SIMPLE = (
    "$n = $e", "$n = $n = $e", "$n, $n = $e", "$n, *$n = $e", "$n += $e", "$n[$e] = $e", "$n.$n = $e",
    "$n[$e] += $e", "return $e", "yield $e", "del $n", "assert $e", "raise ValueError($e)", "pass", "break",
    "continue", "$e", "global $n", "$n: $e = $e", "import $n", "from $n import *", "$n = yield from $e",
)  # fmt: skip
_COMPOUND = (
    "if $e:", "while $e:", "for $n in $e:", "with $e as $n:", "def $n($n, $n=$e, *args, **kwargs):",
    "@$e\ndef $n($n):", "class $n($e):", "class $n:", "try:", "match $e:", "for $n, $n in zip($e, $e):",
    "@jax.jit\ndef $n($n, $n):", "@partial(jit, static_argnums=$e)\ndef $n(self, $n):", "async def $n():",
)  # fmt: skip


class Nonsense:
    """One program from one source of chance."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def program(self) -> str:
        """A module of up to about a hundred lines."""
        body = [line for _ in range(self.rng.randrange(1, 9)) for line in self._statement(0)]
        return HEAD + "\n".join(body) + "\n"

    def _filled(self, template: str, depth: int) -> str:
        """The template with each `$e`, `$n`, `$i` and `$s` filled: an expression, a name, a number, a string."""
        return re.sub(r"\$([enis])", lambda match: self._hole(match[1], depth), template)

    def _hole(self, kind: str, depth: int) -> str:
        if kind == "n":
            return self.rng.choice(_NAMES)
        if kind == "i":
            return self.rng.choice(("0", "1", "3", "-1", "2.5", "1j", "10**9"))
        if kind == "s":
            return self.rng.choice(("'s'", "b'x'", "'a' 'b'", "''"))
        if depth > 4:
            return self.rng.choice(_NAMES)
        text = self._filled(self.rng.choice(_CALLS if self.rng.random() < 0.4 else _EXPRESSIONS), depth + 1)
        return text if text.isidentifier() else f"({text})"

    def _statement(self, depth: int) -> list[str]:
        if depth > 4 or self.rng.random() < 0.5:
            return [self._filled(self.rng.choice(_SIMPLE), 1)]
        head = self.rng.choice(_COMPOUND)
        lines = self._filled(head, 1).split("\n")
        body = [f"    {line}" for _ in range(self.rng.randrange(1, 5)) for line in self._statement(depth + 1)]
        if head == "match $e:":
            body = ["    case [a, *b] if a:", *(f"    {line}" for line in body), "    case _:", "        pass"]
        if head == "try:":
            body += [self.rng.choice(("except Exception as e:", "finally:", "except (A, B):")), "    pass"]
        if head.startswith(("if", "for", "while")) and self.rng.random() < 0.3:
            body += ["else:", *(f"    {line}" for line in self._statement(depth + 1))]
        return [*lines, *body]
