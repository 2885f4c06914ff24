"""The fixes of the effects family: prints as templates, calls of the run as callbacks."""

from __future__ import annotations

import pytest

from tests.linting import fixed

HEAD = "import jax\n\n\n@jax.jit\ndef f(x, i):\n"


def line_of(statement: str, slug: str, *, head: str = HEAD) -> str:
    """What the statement becomes in a traced function."""
    source = f"{head}    {statement}\n    return x\n"
    after = fixed(source, slug)
    assert (after[: len(head)], after[-len("\n    return x\n") :]) == (head, "\n    return x\n")
    return after[len(head) + 4 : -len("\n    return x\n")]


PRINTS = [
    ('print("loss:", x)', 'jax.debug.print("loss: {}", x)'),
    ("print(x)", 'jax.debug.print("{}", x)'),
    ("print('loss', x, i)", "jax.debug.print('loss {} {}', x, i)"),
    ('print("a" "b", x)', 'jax.debug.print("ab {}", x)'),
    ('print(f"{x:.3f} of {i}")', 'jax.debug.print("{:.3f} of {}", x, i)'),
    ('print(f"{x!r:>{i}} {x:.{i}f}")', 'jax.debug.print("{!r:>{}} {:.{}f}", x, i, x, i)'),
    ('print(f"{x=}")', 'jax.debug.print("x={!r}", x)'),
    ('print(f"{ x.sum() = :.2f}")', 'jax.debug.print(" x.sum() = {:.2f}", x.sum())'),
    ('print(f"{x} {{braces}}")', 'jax.debug.print("{} {{braces}}", x)'),
    ('print(x, "{}")', 'jax.debug.print("{} {{}}", x)'),
    ("print((x, i), x if i is None else i)", 'jax.debug.print("{} {}", (x, i), x if i is None else i)'),
    ('print("x %s" % x)', 'jax.debug.print("x {}", x)'),
    ('print("%d%% %.3f" % (i, x))', 'jax.debug.print("{}% {:.3f}", i, x)'),
    ('print("%-5s|%5s|%05.1f" % (x, i, x))', 'jax.debug.print("{:<5}|{:>5}|{:05.1f}", x, i, x)'),
    ('print("{} {:.2e}".format(x, i))', 'jax.debug.print("{} {:.2e}", x, i)'),
    ('print("{1} {0} {b!r}".format(x, i, b=2))', 'jax.debug.print("{} {} 2", i, x)'),
    ('print("loss " + str(x) + "!")', 'jax.debug.print("loss {}!", x)'),
    ('print("a", x, sep=", ")', 'jax.debug.print("a, {}", x)'),
    ('print("a\\t", x, "\\"", flush=True)', 'jax.debug.print("a\\t {} \\"", x)'),
    ("print('it\\'s', x)", "jax.debug.print('it\\'s {}', x)"),
    ('print("=" * 3, x)', 'jax.debug.print("=== {}", x)'),
    ('print("shape", x.shape, x)', 'jax.debug.print(f"shape {x.shape} {{}}", x)'),
    ('print(f"{x.shape[0]:>3} {x:.2f}")', 'jax.debug.print(f"{x.shape[0]:>3} {{:.2f}}", x)'),
    ('print("rows", len(x), x, "{}")', 'jax.debug.print(f"rows {len(x)} {{}} {{{{}}}}", x)'),
    ('print("x", x, end="\\n")', 'jax.debug.print("x {}", x)'),
    ("print(x, 3, None)", 'jax.debug.print("{} 3 None", x)'),
    ("if True: print(x); y = 1", 'if True: jax.debug.print("{}", x); y = 1'),
    # what a template cannot say becomes a call of `print` at run time
    ('print(x, end=" ")', 'jax.debug.callback(lambda x: print(x, end=" "), x)'),
    ("print(x, sep=chr(9))", "jax.debug.callback(lambda x: print(x, sep=chr(9)), x)"),
    ('print("{x}", x)', 'jax.debug.callback(lambda x: print("{x}", x), x)'),
    ('print("%*d" % (i, x))', 'jax.debug.callback(lambda i, x: print("%*d" % (i, x)), i, x)'),
    ("print(*[x], i)", "jax.debug.callback(lambda x, i: print(*[x], i), x, i)"),
    # and some has no fix
    ("y = print(x, end='')", "y = print(x, end='')"),
]


@pytest.mark.parametrize(("statement", "after"), PRINTS)
def test_prints(statement: str, after: str) -> None:
    assert line_of(statement, "print-in-traced-code") == after


def test_what_is_printed_over_several_lines_keeps_its_comments() -> None:
    source = HEAD + (
        "    print(  # first\n"
        '        f"loss {x:.3f} "  # second\n'
        '        "{} rows "\n'
        '        f"of {i}",\n'
        "    )\n"
        "    return x\n"
    )
    assert fixed(source, "print-in-traced-code") == HEAD + (
        "    jax.debug.print(  # first\n"
        '        "loss {:.3f} "  # second\n'
        '        "{{}} rows "\n'
        '        "of {}", x, i,\n'
        "    )\n"
        "    return x\n"
    )


def test_a_comment_between_arguments_is_not_lost() -> None:
    source = HEAD + '    print(\n        "loss",  # the mean\n        x,\n    )\n    return x\n'
    assert fixed(source, "print-in-traced-code") == source


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("from jax import jit\nimport jax as j", "j.debug.print"),
        ("from jax import debug, jit", "debug.print"),
        ("from jax.debug import print as show\nfrom jax import jit", "show"),
    ],
)
def test_the_name_that_the_file_uses(imports: str, name: str) -> None:
    source = f"{imports}\n\n\n@jit\ndef f(x):\n    print(x)\n    return x\n"
    assert f'    {name}("{{}}", x)\n' in fixed(source, "print-in-traced-code")


def test_the_import_is_added() -> None:
    source = "from jax import jit\n\n\n@jit\ndef f(x):\n    print(x)\n    return x\n"
    after = fixed(source, "print-in-traced-code")
    assert after == 'import jax\nfrom jax import jit\n\n\n@jit\ndef f(x):\n    jax.debug.print("{}", x)\n    return x\n'


def test_no_fix_where_jax_means_something_else() -> None:
    source = "from jax import jit\n\n\n@jit\ndef f(x, jax):\n    print(x)\n    return x + jax\n"
    assert fixed(source, "print-in-traced-code") == source


DEBUG_PRINTS = [
    ('jax.debug.print(f"x {x}")', 'jax.debug.print("x {}", x)'),
    ('jax.debug.print(f"{x:.3f}", ordered=True)', 'jax.debug.print("{:.3f}", x, ordered=True)'),
    ('jax.debug.print(f"{x!r} {x.shape}")', 'jax.debug.print(f"{{!r}} {x.shape}", x)'),
    ('jax.debug.print("x %5.2f" % x)', 'jax.debug.print("x {:5.2f}", x)'),
    ('jax.debug.print("x {}".format(x))', 'jax.debug.print("x {}", x)'),
    ('jax.debug.print("x " + str(x))', 'jax.debug.print("x {}", x)'),
    ('jax.debug.print(f"{x}" + f"{i}")', 'jax.debug.print("{}{}", x, i)'),
    ('jax.debug.print(f"{x} {{}}", i)', 'jax.debug.print(f"{x} {{}}", i)'),
]


@pytest.mark.parametrize(("statement", "after"), DEBUG_PRINTS)
def test_templates_of_debug_print(statement: str, after: str) -> None:
    assert line_of(statement, "debug-print-fstring") == after


LOGS = [
    ('logging.info(f"{i}: {x:.3f}")', 'jax.debug.callback(lambda i, x: logging.info(f"{i}: {x:.3f}"), i, x)'),
    (
        'logging.info("loss %s", {"a": x.mean()})',
        'jax.debug.callback(lambda x: logging.info("loss %s", {"a": x.mean()}), x)',
    ),
    ('logging.info("%s", [v for v in x])', 'logging.info("%s", [v for v in x])'),
]


@pytest.mark.parametrize(("statement", "after"), LOGS)
def test_logged_values(statement: str, after: str) -> None:
    assert line_of(statement, "io-in-traced-code", head=f"import logging\n\n{HEAD}") == after


@pytest.mark.jax
def test_the_prints_show_what_print_would_have_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Each fixed line runs on JAX; those without arrays in containers print the same as eager Python."""
    import jax
    import jax.numpy as jnp

    for statement, after in PRINTS:
        if (
            "chr(9)" in statement
            or "%*d" in statement
            or "debug" not in after
            or "len(x)" in statement
            or "[0]" in statement
        ):
            continue
        shown = []
        for line, transform in ((statement, lambda f: f), (after, jax.jit)):
            names = {"jax": jax}
            exec(f"def f(x, i):\n    {line}\n    return x\n", names)
            transform(names["f"])(jnp.array([1.5])[0], jnp.int32(7))  # type: ignore[operator]
            jax.effects_barrier()
            shown.append(capsys.readouterr().out.rstrip("\n"))
        assert shown[0] == shown[1], statement
