"""Evidence runs from the value back to what made it traced, and the surest, shortest witness is the one shown."""

from __future__ import annotations

from jaxlint.analysis import analyse
from jaxlint.analysis.domain.findings import AnalysisOptions, Finding, FindingNote, Place, Project
from jaxlint.analysis.events.tracing import Branch
from jaxlint.diagnostics import Confidence
from jaxlint.rules.rule import registry
from tests.analysis.places import module
from tests.linting import diagnostics

CHAIN = """
import jax
import jax.numpy as jnp

def inner(y):
    if y > 0:
        return y
    return -y

def middle(z):
    return inner(z * 2)

@jax.jit
def step(x):
    return middle(x.sum())
"""


def test_notes_lead_from_the_value_outwards() -> None:
    [finding] = diagnostics(CHAIN)
    assert finding.rule == "traced-branch"
    assert finding.span.line == 6
    lines = [note.span.line for note in finding.notes if note.span is not None]
    trace, calls = lines.index(13), [line for line in lines if line in (11, 15)]
    assert calls == [11, 15], "the calls come innermost first"
    assert all(line in (5, 6, 11, 13, 14, 15) for line in lines)
    assert finding.notes[trace].message == "`step` is traced by `jax.jit` here"


def test_the_evidence_of_one_finding_names_each_place_once() -> None:
    [finding] = diagnostics(CHAIN)
    places = [note.span for note in finding.notes if note.message.startswith("result of")]
    assert len(places) == len(set(places))


def finding(confidence: Confidence, *ordinals: int) -> Finding:
    notes = tuple(FindingNote("", Place("a.py", at)) for at in ordinals)
    return Finding("rule", Place("a.py", 1), "", notes, confidence, "f")


def test_the_surest_witness_is_shown_then_the_shortest_then_the_first() -> None:
    ordered = [
        finding(Confidence.CERTAIN, 5),
        finding(Confidence.CERTAIN, 7),
        finding(Confidence.CERTAIN, 1, 2),
        finding(Confidence.LIKELY),
        finding(Confidence.POSSIBLE),
    ]
    shuffled = [ordered[3], ordered[0], ordered[4], ordered[2], ordered[1]]
    assert sorted(shuffled, key=lambda f: f.witness_order) == ordered


def test_one_operation_has_one_finding_of_a_rule() -> None:
    text = CHAIN + "\njax.vmap(middle)(jnp.ones(3))\njax.jit(middle)(1.0)\n"
    source = module(text)
    rules = list(registry().values())
    analysis = analyse(Project({source.path: source}, lambda _: None), rules, AnalysisOptions())
    assert len({(f.rule, f.place) for f in analysis.findings}) == len(analysis.findings)
    branches = [f for f in analysis.findings if f.rule == "traced-branch"]
    assert len(branches) == 1
    assert branches[0].confidence is Confidence.CERTAIN


def test_an_event_can_be_answered_by_any_listener() -> None:
    """The analysis asks of a rule only a slug, the events it listens for, and what it says of one."""

    class Listener:
        slug = "every-branch"
        on = (Branch,)

        @staticmethod
        def check(event: Branch) -> list[Finding]:
            return [event.diagnostic(event.test.text, notes=event.test.evidence)]

    source = module(CHAIN)
    analysis = analyse(Project({source.path: source}, lambda _: None), [Listener()], AnalysisOptions())
    assert [(f.rule, f.message) for f in analysis.findings] == [("every-branch", "y > 0")]


def test_a_format_that_no_tracer_takes_is_said_to_raise() -> None:
    source = """
import jax

@jax.jit
def step(x):
    print(f"{x} {x!r:>20}")
    print("at {}".format(x), f"loss {x:.3f}")
    return len("%.2f" % x)
"""
    shown, raises, text = (finding.message for finding in diagnostics(source))
    assert "shows the tracer" in shown
    assert "formatting it as a number raises" in raises
    assert "formatting it as a number raises" in text


def test_a_loop_that_changes_a_type_is_led_back_to_where_it_starts() -> None:
    source = """
import jax
import jax.numpy as jnp

@jax.jit
def add(total, x):
    return total + x.sum()

def summed(n):
    total = 0.0
    for _ in range(n):
        total = add(total, jnp.ones(3, "float32"))
    return total
"""
    [finding] = diagnostics(source, "weak-type-recompile")
    assert finding.span.line == 10
    calls = [note.span.line for note in finding.notes if note.span is not None and note.message == "the call"]
    assert calls == [12]


def test_a_name_that_is_assigned_behind_a_call_in_a_loop_is_shown_where_that_is() -> None:
    source = """
import jax

def train(config, batches):
    scale = config["first"]

    @jax.jit
    def step(x):
        return x * scale

    for batch in batches:
        print(step(batch))
        scale = config["next"]
"""
    [finding] = diagnostics(source, "mutable-global-read")
    lines = [note.span.line for note in finding.notes if note.span is not None and "assigned again" in note.message]
    assert lines == [13]
