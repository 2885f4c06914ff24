"""Each verdict on real JAX, with the evidence that stands behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.probe.probing import Outcome, probed, written

pytestmark = pytest.mark.jax

BRANCH = """
@jax.jit
def f(x):
    if x.sum() > 0:
        return x
    return -x
"""


def probe_of(folder: Path, code: str, function: str | None = None, *args: str, execute: bool = False) -> Outcome:
    return probed(written(folder, code), function, *args, execute=execute)


def test_a_tracing_error_at_the_line_confirms(tmp_path: Path) -> None:
    outcome = probe_of(tmp_path, BRANCH, "f", "x=f32[3]")
    assert outcome.verdicts == [("traced-branch", "confirmed")]
    assert "TracerBoolConversionError at line 8" in outcome.evidence
    assert "x=f32[3]" in outcome.evidence
    assert outcome.code == 0
    assert outcome.report["complete"]
    assert outcome.report["target"]["jax"]


def test_only_the_first_of_two_errors_is_reached(tmp_path: Path) -> None:
    code = """
    @jax.jit
    def f(x):
        a = float(x)
        return int(x) + a
    """
    outcome = probe_of(tmp_path, code, "f", "x=f32[]")
    assert outcome.verdicts == [("concretization", "confirmed"), ("concretization", "inconclusive")]
    assert "ended before this line" in outcome.report["findings"][1]["evidence"]


def test_an_argument_without_a_source_is_named_with_its_option(tmp_path: Path) -> None:
    outcome = probe_of(tmp_path, BRANCH)
    assert outcome.verdicts == [("traced-branch", "inconclusive")]
    assert "`x` of `f`" in outcome.evidence
    assert "--arg x=f32[...]" in outcome.evidence
    assert "# jaxlint: spec x=f32[...]" in outcome.evidence


def test_a_value_that_is_concrete_refutes_where_a_person_gave_it(tmp_path: Path) -> None:
    code = """
    @jax.jit
    def outer(x, n):
        return inner(x, n)


    def inner(x, n):
        if n > 2:
            x = x + 1
        return x
    """
    given = probe_of(tmp_path, code, "inner", "x=f32[3]", "n=static:3")
    assert given.verdicts == [("traced-branch", "refuted")]
    asked = probe_of(tmp_path, code, "inner", "x=f32[3]", "n=i32[]")
    assert asked.verdicts == [("traced-branch", "confirmed")]
    assert "as `jax.jit` would" in asked.evidence


def test_what_only_a_default_makes_concrete_refutes_nothing(tmp_path: Path) -> None:
    code = """
    def g(x, n=3):
        if n > 2:
            x = x + 1
        return x


    run = jax.jit(lambda x, n: g(x, n))
    """
    assert probe_of(tmp_path, code, "g", "x=f32[3]").verdicts == [("traced-branch", "not-reproduced")]


def test_a_line_on_another_path_is_not_reached(tmp_path: Path) -> None:
    code = """
    import functools


    @functools.partial(jax.jit, static_argnames="mode")
    def f(x, mode):
        if mode == "number":
            return float(x)
        return x
    """
    path = written(tmp_path, code)
    assert probed(path, "f", "x=f32[]", "mode=static:'array'").verdicts == [("concretization", "not-reached")]
    assert probed(path, "f", "x=f32[]", "mode=static:'number'").verdicts == [("concretization", "confirmed")]


def test_a_function_that_only_the_probe_traces_confirms_nothing(tmp_path: Path) -> None:
    """The branch is flagged because of `run`; the call that is known is of host code."""
    code = """
    def g(x):
        if x > 2:
            x = x + 1
        return x


    def run(xs):
        return jax.vmap(lambda x: g(x))(xs)


    def main():
        return g(jnp.float32(3.0))
    """
    outcome = probe_of(tmp_path, code)
    assert outcome.verdicts == [("traced-branch", "inconclusive")]
    assert "nothing in the program was seen to trace this" in outcome.evidence


@pytest.mark.parametrize(
    ("rule", "code", "args", "says"),
    [
        (
            "key-reuse",
            """
            def draw(key, n):
                return jax.random.normal(key, (n,)), jax.random.uniform(key, (n,))
            """,
            ("key=key", "n=static:3"),
            "use the same key",
        ),
        (
            "key-reuse-in-loop",
            """
            def draw(key, n):
                return [jax.random.normal(key) for _ in range(n)]
            """,
            ("key=key", "n=static:3"),
            "use the same key",
        ),
        (
            "discarded-at-update",
            """
            @jax.jit
            def edge(u):
                u.at[0].set(0.0)
                return u
            """,
            ("u=f32[4]",),
            "nothing in the program uses",
        ),
        (
            "print-in-traced-code",
            """
            @jax.jit
            def show(x):
                print("x is", x)
                return x
            """,
            ("x=f32[4]",),
            "only the first ran the line",
        ),
        (
            "captured-mutation",
            """
            seen = []


            @jax.jit
            def note(x):
                seen.append(x)
                return x
            """,
            ("x=f32[4]",),
            "`seen[0]` became a tracer f32[4]",
        ),
        (
            "global-mutation",
            """
            calls = 0


            @jax.jit
            def count(x):
                global calls
                calls += 1
                return x
            """,
            ("x=f32[4]",),
            "`calls` became 1 (it was 0)",
        ),
        (
            "host-rng-in-traced-code",
            """
            @jax.jit
            def noisy(x):
                return x + np.random.normal()
            """,
            ("x=f32[4]",),
            "the state of `numpy.random` moved",
        ),
        (
            "varying-static-argument",
            """
            step = jax.jit(lambda w, k: w * k, static_argnums=1)


            def train(w, n):
                for k in range(n):
                    w = step(w, k)
                return w
            """,
            ("w=f32[4]", "n=static:20"),
            "`k` was 0, then 1, then 2",
        ),
        (
            "jit-in-loop",
            """
            def train(w, n):
                for _ in range(n):
                    w = jax.jit(lambda v: v * 0.9)(w)
                return w
            """,
            ("w=f32[4]", "n=static:12"),
            "one call traced",
        ),
        (
            "unbound-axis-name",
            """
            @jax.vmap
            def total(x):
                return jax.lax.psum(x, "batch")
            """,
            ("x=f32[4]",),
            "NameError at line",
        ),
    ],
)
def test_a_symptom_without_an_error_confirms(
    tmp_path: Path, rule: str, code: str, args: tuple[str, ...], says: str
) -> None:
    path = written(tmp_path, code)
    name = "train" if "def train" in path.read_text() else path.read_text().partition("def ")[2].partition("(")[0]
    outcome = probed(path, name, *args)
    assert (rule, "confirmed") in outcome.verdicts
    assert says in outcome.evidence


def test_what_only_a_run_shows_needs_to_be_asked_for(tmp_path: Path) -> None:
    code = """
    from functools import partial


    @partial(jax.jit, donate_argnums=0)
    def step(w):
        return w + 1


    def train(w):
        out = step(w)
        return out + w
    """
    path = written(tmp_path, code)
    traced = probed(path, "train", "w=f32[8]")
    assert traced.verdicts == [("use-after-donate", "inconclusive")]
    assert "--execute" in traced.evidence
    assert probed(path, "train", "w=f32[8]", execute=True).verdicts == [("use-after-donate", "confirmed")]


def test_a_failed_import_confirms_what_made_it_fail(tmp_path: Path) -> None:
    code = """
    def f(x, n):
        return x * n


    g = jax.jit(f, static_argnames="m")
    """
    outcome = probe_of(tmp_path, code)
    assert outcome.verdicts == [("static-name-mismatch", "confirmed")]
    assert "when the module is imported" in outcome.evidence


def test_a_gate_sets_the_exit_code(tmp_path: Path) -> None:
    path = written(tmp_path, BRANCH)
    assert probed(path, "f", "x=f32[3]", fail_on="confirmed").code == 1
    assert probed(path, "f", "x=f32[3]", fail_on="refuted").code == 0


def test_an_error_of_one_class_says_nothing_of_another(tmp_path: Path) -> None:
    code = """
    class Spring:
        rate = 2.0

        # jaxlint: spec x=f32[2]
        @jax.jit
        def force(self, x):
            return x * self.rate


    class Drag:
        def __init__(self, rate):
            self.rate = rate

        @jax.jit
        def force(self, x):
            return x * self.rate

        @jax.jit
        def power(self, x):
            return x * x * self.rate


    def example():
        return Drag(1.0).power(jnp.ones(2))
    """
    outcome = probe_of(tmp_path, code)
    confirmed = {f["line"] for f in outcome.report["findings"] if f["verdict"] == "confirmed"}
    assert [rule for rule, _ in outcome.verdicts] == ["jit-method-self"] * 3
    assert confirmed == {10, 23}


def test_the_function_that_takes_a_gradient_is_probed_too(tmp_path: Path) -> None:
    code = """
    def loss(x, n):
        return jax.lax.fori_loop(0, n, lambda i, c: c * 2.0, x)


    # jaxlint: spec x=f32[] n=i32[]
    @jax.jit
    def slope(x, n):
        return jax.grad(loss)(x, n)
    """
    outcome = probe_of(tmp_path, code)
    assert outcome.verdicts == [("reverse-grad-through-while", "confirmed")]
    assert "Reverse-mode differentiation does not work" in outcome.evidence


def test_a_set_in_a_result_is_refused_by_the_call(tmp_path: Path) -> None:
    code = """
    # jaxlint: spec x=f32[2]
    @jax.jit
    def names(x):
        found = {"x": x, "names": {"mean", "max"}}
        return found


    # jaxlint: spec x=f32[2]
    @jax.jit
    def passed(x):
        return jax.jit(lambda tree: tree["x"])({"x": x, "names": {1.0}})
    """
    assert probe_of(tmp_path, code).verdicts == [("set-in-pytree", "confirmed")] * 2


def test_lambdas_are_reached_by_specs_and_calls_wherever_they_are_kept(tmp_path: Path) -> None:
    code = """
    # jaxlint: spec x=f32[]
    named = jax.jit(lambda x: float(x))
    by_name = {"round": jax.jit(lambda x: int(x))}
    listed = [jax.jit(lambda x: bool(x))]


    class Holder:
        kept = staticmethod(jax.jit(lambda x: complex(x)))


    def example():
        by_name["round"](jnp.float32(1.0))
        listed[0](jnp.float32(1.0))
        Holder.kept(jnp.float32(1.0))
    """
    assert probe_of(tmp_path, code).verdicts == [("concretization", "confirmed")] * 4
