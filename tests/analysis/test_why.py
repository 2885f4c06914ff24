"""What `jaxlint why` says of a place: kinds, shapes, key states, the chain, and which call made a value unknown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

from tests.analysis.places import notes, said

JITTED = """
    import functools
    import jax
    import jax.numpy as jnp

    @functools.partial(jax.jit, static_argnames="n")
    def step(x, n):
        y = jnp.zeros((n, 4), "float32")
        return y + x

    step(jnp.ones((3, 4), "float32"), 3)
"""


def test_a_traced_value_has_its_type_and_the_chain_back() -> None:
    messages = said(JITTED, 8, 16)
    assert messages[:2] == [
        "in `step`, traced by `jax.jit` at line 5 for the call at line 10:",
        "`y + x`: traced array, float32[3, 4]; result of a JAX operation in traced code at line 7",
    ]
    assert "`x`: traced array, float32[3, 4]; `x` is a parameter of `step` at line 6, traced by `jax.jit`" in messages


def test_each_invocation_is_told_apart() -> None:
    headings = [message for message in said(JITTED, 8) if message.endswith(":")]
    assert headings == [
        "in `step`, traced by `jax.jit` at line 5 for the call at line 10:",
        "in `step`, traced by `jax.jit` at line 5:",
    ]


def test_invocations_in_which_the_same_is_known_are_told_together() -> None:
    text = """
        import jax.numpy as jnp

        def area(side):
            half = jnp.ones(())
            return half

        area(1)
        area("x")
    """
    assert said(text, 4, 5) == [
        "in `area`, called at line 7 and called at line 8:",
        "`half`: concrete array, float[]",
        "in `area`, without a known caller:",
        "`half`: JAX array, float[]",
    ]


def test_the_header_of_a_function_tells_what_traces_it_and_what_is_static() -> None:
    messages = said(JITTED, 6)
    assert messages[0] == (
        "function `step`: traced by `jax.jit` at line 5 for the call at line 10; traced by `jax.jit` at line 5; "
        "static: `n`"
    )
    assert "`step`: `jax.jit` of function `step`" in messages
    assert "`n`: static int 3" in messages


def test_a_function_that_nobody_calls_says_so() -> None:
    messages = said("def lonely(a, b=None):\n    return a\n", 1)
    assert "function `lonely`: without a known caller" in messages
    assert "`a`: unknown: parameter `a` of `lonely` at line 1" in messages


def test_a_key_tells_what_was_done_with_it() -> None:
    text = """
        from jax import random

        def draw(key):
            a = random.normal(key)
            k1, k2 = random.split(key)
            return k1

        draw(random.key(0))
    """
    assert "`key`: PRNG key; not used yet" in said(text, 4)
    assert "`key`: PRNG key; already consumed by `random.normal` at line 4" in said(text, 5)
    assert "`random.split(key)`: array of PRNG keys, shape [2]; not used yet" in said(text, 5)
    assert "`k1`: PRNG key; not used yet" in said(text, 5)


def test_uses_of_a_key_on_paths_that_exclude_this_one_are_not_told() -> None:
    text = """
        from jax import random

        def draw(key, flag):
            if flag:
                a = random.normal(key)
            if not flag:
                a = random.uniform(key)
            if a:
                a = random.laplace(key)
    """
    key = "`key`: unknown: parameter `key` of `draw` at line 3"
    assert key in said(text, 7)
    used = "; already consumed by `random.normal` at line 5, consumed by `random.uniform` at line 7"
    assert key + used in said(text, 9)


def test_an_unknown_value_names_the_call_that_made_it_unknown() -> None:
    text = """
        from elsewhere import load

        weights = load("file")
        total = weights + 1
    """
    assert "`weights`: unknown: call of `elsewhere.load` at line 3" in said(text, 4)
    assert "`total`: unknown: call of `elsewhere.load` at line 3" in said(text, 4)


def test_one_of_several_kinds() -> None:
    text = """
        import jax.numpy as jnp

        def pick(flag):
            value = None
            if flag:
                value = jnp.ones(3)
            return value
    """
    assert "`value`: one of: None, JAX array float[3]" in said(text, 7)


def test_passes_of_a_loop_are_told_in_order() -> None:
    text = """
        for i in range(2):
            j = i * 10
    """
    assert "`i * 10`: static int 0; then static int 10" in said(text, 2)


def test_containers_and_functions_are_described_by_what_they_hold() -> None:
    text = """
        import functools
        import jax

        def f(a, b): return a

        pair = (1, [f, "two"])
        table = {"rate": 0.1}
        bound = functools.partial(f, 1)
        slope = jax.grad(f)
    """
    assert "`pair`: tuple of 2: (static int 1, list of 2: [function `f`, static str 'two'])" in said(text, 6)
    assert "`table`: dict {'rate': static float 0.1}" in said(text, 7)
    assert "`bound`: function `f` with arguments bound" in said(text, 8)
    assert "`slope`: `jax.grad` of function `f`" in said(text, 9)


def test_a_value_of_another_module_is_located_there() -> None:
    other = """
        from nowhere import anything

        SETTING = anything()
    """
    messages = said("import other\nvalue = other.SETTING\n", 2, other=other)
    assert "`value`: unknown: call of `nowhere.anything` at line 3 of `other`" in messages


def test_literals_are_left_out_unless_they_are_pointed_at() -> None:
    assert said("x = 1\n", 1) == ["at module level:", "`x`: static int 1"]
    assert "`1`: static int 1" in said("x = 1\n", 1, 5)


def test_notes_stand_at_their_expressions_outermost_first() -> None:
    shown = [note for note in notes(JITTED, 8, 16) if note.span is not None]
    assert all(note.path == "place.py" and note.span is not None and note.span.line == 8 for note in shown)
    columns = [(note.span.column, -note.span.end_column) for note in shown if note.span is not None]
    half = columns[: len(columns) // 2]
    assert half == sorted(half)


def test_a_place_in_the_middle_of_a_long_expression_shows_it() -> None:
    text = """
        x = [
            # nothing begins here

        ]
    """
    assert said(text, 3) == ["at module level:", "`[ # nothing begins here ]`: list of 0"]


def test_places_where_nothing_is_known_say_why() -> None:
    assert said("x = 1\n\n", 2) == ["there is no code here"]
    unreached = "def f():\n    return 1\n    late = 2 + x\n"
    assert said(unreached, 3) == ["nothing is known here: the analysis does not reach this code"]


def test_a_long_line_is_cut() -> None:
    text = "x = [" + ", ".join(f"(a{i}, b{i})" for i in range(30)) + "]\n"
    messages = said(text, 1)
    assert len(messages) < 20
    assert messages[-1].endswith("more expressions; give a column to see fewer")


def test_the_answer_is_the_same_each_time() -> None:
    assert said(JITTED, 8) == said(JITTED, 8)


def test_through_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(dedent(JITTED).lstrip("\n"), encoding="utf-8")
    done = _why(tmp_path, "train.py:7:5")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:2] == [
        "in `step`, traced by `jax.jit` at line 5 for the call at line 10:",
        "train.py:7:5: `y`: traced array, float32[3, 4]; result of a JAX operation in traced code at line 7",
    ]


def test_the_same_numbers_of_nodes_in_another_module_are_not_meant(tmp_path: Path) -> None:
    module = "import jax.numpy as jnp\n" + "".join(f"def f{i}(x):\n    return jnp.exp(jnp.sin(x))\n" for i in range(9))
    (tmp_path / "helpers.py").write_text(module, encoding="utf-8")
    (tmp_path / "main.py").write_text("import helpers\n\ny = helpers.f0(helpers.f0(1.0))\n", encoding="utf-8")
    done = _why(tmp_path, "main.py:3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "not analysed" not in done.stdout
    assert "main.py:3:5: `helpers.f0(helpers.f0(1.0))`: concrete array" in done.stdout


def test_the_finding_comes_first_and_callers_in_other_files_are_seen(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("def half(x):\n    if x > 0:\n        return x / 2\n    return x\n", "utf-8")
    calls = "import jax\nimport helpers\n\nstep = jax.jit(lambda x: helpers.half(x))\nstep(1.0)\n"
    (tmp_path / "train.py").write_text(calls, encoding="utf-8")
    done = _why(tmp_path, "helpers.py:2")
    assert (done.returncode, done.stderr) == (0, "")
    finding, evidence, rest = done.stdout.partition("\n")[0], *done.stdout.split("\n\n", 1)
    assert finding == "helpers.py:2:8: JX301 traced-branch (certain): `if` needs the value of `x > 0`, which is traced"
    assert "  train.py:4:8: this lambda is traced by `jax.jit` here" in evidence
    assert rest.startswith("in `half`, called at line 4 of `train` while")


def _why(folder: Path, place: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jaxlint", "why", place]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
