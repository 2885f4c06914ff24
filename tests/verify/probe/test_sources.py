"""Where the arguments of a probe come from, the stronger source first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jaxlint.config import ConfigError
from tests.verify.probe.probing import HEAD, probed, written

pytestmark = pytest.mark.jax

FLAGGED = """
@jax.jit
def f(x, y=None):
    if x.sum() > 0:
        return x
    return -x
"""


def inputs(outcome: Any) -> dict[str, tuple[str, str]]:
    """The arguments of the first probe: text and source by name."""
    (function,) = outcome.report["functions"]
    return {n: (a["text"], a["source"]) for n, a in function["probes"][0]["inputs"].items()}


def test_the_command_line_beats_a_comment(tmp_path: Path) -> None:
    path = written(tmp_path, "# jaxlint: spec x=f32[2] y=none\n" + FLAGGED.strip())
    assert inputs(probed(path, "f")) == {"x": ("f32[2]", "spec"), "y": ("none", "spec")}
    both = inputs(probed(path, "f", "x=f32[n,n]"))
    assert both == {"x": ("f32[5,5]", "command line"), "y": ("none", "spec")}


def test_several_comments_are_several_inputs(tmp_path: Path) -> None:
    code = """
    import functools


    # jaxlint: spec x=f32[3] mode=static:'array'
    # a comment of another kind
    # jaxlint: spec x=f32[] mode=static:'number'
    @functools.partial(jax.jit, static_argnames="mode")
    def f(x, mode):
        if mode == "number":
            return float(x)
        return x
    """
    outcome = probed(written(tmp_path, code))
    assert outcome.verdicts == [("concretization", "confirmed")]
    (function,) = outcome.report["functions"]
    assert [probe["inputs"]["x"]["text"] for probe in function["probes"]] == ["f32[3]", "f32[]"]


def test_settings_name_functions_by_module(tmp_path: Path) -> None:
    path = written(tmp_path, FLAGGED, "src/pkg/mod.py")
    (path.parent / "__init__.py").touch()
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[project]\nname = "pkg"\n[tool.jaxlint.verify.specs]\n"pkg.mod.f" = "x=f32[n,4]"\n')
    assert inputs(probed(path, isolated=False)) == {"x": ("f32[5,4]", "spec")}
    settings.write_text('[project]\nname = "pkg"\n[tool.jaxlint.verify.specs]\n"pkg.mod.f" = "x=f23[3]"\n')
    with pytest.raises(ConfigError, match=r"pyproject.toml:4:1: verify: unknown dtype `f23`; did you mean `f32`\?"):
        probed(path, isolated=False)
    settings.write_text('[project]\nname = "pkg"\n[tool.jaxlint.verify.specs]\n"pkg.mod.ff" = "x=f32[3]"\n')
    with pytest.raises(ConfigError, match=r"no function `pkg.mod.ff`; did you mean `pkg.mod.f`\?"):
        probed(path, isolated=False)


def test_a_recorded_run_gives_inputs(tmp_path: Path) -> None:
    path = written(tmp_path, FLAGGED)
    report = tmp_path / "observed.json"
    report.write_text(json.dumps({"functions": [{"path": str(path), "name": "f", "inputs": ["x=f32[6]"]}]}))
    assert inputs(probed(path, recorded=str(report))) == {"x": ("f32[6]", "recorded run")}
    report.write_text("[]")
    with pytest.raises(ConfigError, match="is not a JSON report"):
        probed(path, recorded=str(report))


def test_annotations_and_defaults(tmp_path: Path) -> None:
    pytest.importorskip("jaxtyping")
    code = """
    from jaxtyping import Array, Float, PRNGKeyArray


    @jax.jit
    def f(x: Float[Array, "n m"], w: Float[Array, "m 3"], key: PRNGKeyArray, scale: float = 2.0):
        if x.sum() > 0:
            return x @ w
        return -x @ w
    """
    outcome = probed(written(tmp_path, code))
    assert outcome.verdicts == [("traced-branch", "confirmed")]
    shapes = {name: text for name, (text, _) in inputs(outcome).items()}
    assert shapes == {"x": "f32[5,7]", "w": "f32[7,3]", "key": "key"}


def test_an_annotation_without_a_shape_is_tried_with_several(tmp_path: Path) -> None:
    code = """
    @jax.jit
    def f(x: jax.Array):
        y = x[0, 0]
        if y > 0:
            return y
        return -y
    """
    outcome = probed(written(tmp_path, code))
    assert outcome.verdicts == [("traced-branch", "confirmed")]
    assert "any shape" in outcome.evidence


def test_calls_in_the_module_give_arguments(tmp_path: Path) -> None:
    code = (
        FLAGGED
        + """

def main():
    weights = jnp.ones((3, 4))
    return f(weights * 2.0)
"""
    )
    outcome = probed(written(tmp_path, code))
    assert outcome.verdicts == [("traced-branch", "confirmed")]
    assert inputs(outcome)["x"] == ("f32[3,4]", "call at line 15")


def test_a_call_through_a_transform_is_evaluated(tmp_path: Path) -> None:
    code = """
    def body(carry, x):
        if carry > 0:
            carry = carry - x
        return carry, x


    class Model:
        def __init__(self, size):
            self.size = size

        def loss(self, w):
            return float(w.sum()) * self.size


    def main():
        model = Model(3)
        jax.jit(model.loss)(jnp.ones(2))
        return jax.lax.scan(body, 1.0, jnp.arange(3.0))
    """
    outcome = probed(written(tmp_path, code))
    assert outcome.verdicts == [("traced-branch", "confirmed"), ("concretization", "confirmed")]
    assert "as called at line 23 (traced by scan)" in outcome.evidence


def test_calls_hand_on_functions_and_parts_of_values(tmp_path: Path) -> None:
    code = """
    def energy(x):
        return (x**2).sum()


    @partial(jax.jit, static_argnums=0)
    def descend(function, x, pair):
        if function(x) > pair["b"]:
            return x
        return x - jax.grad(function)(x)


    @partial(jax.jit, static_argnums=0)
    def apply(function, x):
        return float(function(x))


    def main():
        first, (rows, _) = jnp.ones(2), (jnp.ones((3, 4)), 1)
        keys, pairs = jax.random.split(jax.random.key(0)), [{"b": 1.0}]
        return descend(energy, rows[0, :2], pairs[-1]), apply(lambda a: a.sum(), first), keys
    """
    path = written(
        tmp_path, code, head=HEAD.replace("import jax\n", "from functools import partial\n\nimport jax\n", 1)
    )
    outcome = probed(path)
    assert outcome.verdicts == [("traced-branch", "confirmed"), ("concretization", "confirmed")]
    given = {name: a["text"] for name, a in outcome.report["functions"][0]["probes"][0]["inputs"].items()}
    assert given == {"function": "`energy`", "x": "f32[2]", "pair": '{"b": static:1.0}'}


def test_a_program_without_arguments_is_never_called_for_another_function(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    code = (
        FLAGGED
        + f"""

def main(path={str(marker)!r}):
    open(path, "w").close()
    return f(np.loadtxt(path))


if __name__ == "__main__":
    main()
"""
    )
    outcome = probed(written(tmp_path, code))
    assert outcome.verdicts == [("traced-branch", "inconclusive")]
    assert not marker.exists()


def test_a_class_that_needs_arguments_nobody_shows_is_inconclusive(tmp_path: Path) -> None:
    code = """
    class Model:
        def __init__(self, size):
            self.size = size

        def fit(self, key):
            return jax.random.normal(key), jax.random.normal(key)
    """
    outcome = probed(written(tmp_path, code))
    assert outcome.verdicts == [("key-reuse", "inconclusive")]
    assert "`Model` cannot be made without arguments" in outcome.evidence


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        ("g", (), r"no function `g`"),
        ("f", ("x=f23[3]",), r"--arg: unknown dtype `f23`; did you mean `f32`\? \(column 3 of"),
        ("f", ("x=f32[3]", "x=key"), "--arg: `x` is given twice"),
        ("f", ("",), "--arg: expected NAME=VALUE"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path: Path, function: str, args: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        probed(written(tmp_path, FLAGGED), function, *args)


def test_an_argument_that_is_no_parameter_is_told(tmp_path: Path) -> None:
    outcome = probed(written(tmp_path, FLAGGED), "f", "x=f32[3]", "z=f32[3]")
    assert "`f` has no parameter `z`" in outcome.evidence


def test_a_mistake_in_a_comment_has_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, "# jaxlint: spec x=f32[3\n" + FLAGGED.strip())
    with pytest.raises(ConfigError, match=r"model.py:6:22: `\[` is not closed"):
        probed(path)


def test_a_spec_above_no_function_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    probed(written(tmp_path, "# jaxlint: spec x=f32[3]\n\nz = 1\n\n" + FLAGGED), "f", "x=f32[3]")
    assert "model.py:6: this spec stands above no function" in capfd.readouterr().err


def test_a_call_gives_what_stars_take(tmp_path: Path) -> None:
    code = """
    @jax.jit
    def f(scale, *parts, **options):
        if parts[1].sum() > 0:
            return scale * parts[0]
        return options["shift"]


    def main():
        return f(2.0, jnp.ones(3), jnp.ones(2), shift=jnp.zeros(4))
    """
    outcome = probed(written(tmp_path, code))
    assert outcome.verdicts == [("traced-branch", "confirmed")]
    given = inputs(outcome)
    assert {name: text for name, (text, _) in given.items()} == {
        "scale": "static:2.0",
        "parts": "[f32[3], f32[2]]",
        "options": '{"shift": f32[4]}',
    }
