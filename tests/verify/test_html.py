"""The page of `verify`, as a real browser shows it: complete, readable on all screens, and closed to the outside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from jaxlint.diagnostics import Category, Confidence, Diagnostic, Severity, Span
from jaxlint.report.paths import PathPrinter
from jaxlint.verify.model import (
    Difference,
    EagerLine,
    FunctionCounts,
    JudgedFinding,
    Miss,
    Observation,
    ObservedFinding,
    Runtime,
    Site,
    Verdict,
)
from jaxlint.verify.report.html.document import page_text
from tests.verify.browser import CHROMIUM, Page, browser
from tests.verify.observing import PYTHON, verify

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed: the page cannot be looked at")

HOSTILE = "</code><script>document.title='taken'</script><img src=http://example.invalid/x.png>"
PROGRAM = f'''\
"""Trains, in a way."""
import functools

import jax
import jax.numpy as jnp

seen = []


@functools.partial(jax.jit, static_argnames="mode")
def step(x, lr, mode):
    seen.append("<b>&amp;")
    return {{"x": x * lr, "mode": jnp.float32(len(mode))}}


@jax.jit
def norm(x):
    if jnp.sum(x) > 0:  # <script>alert("comment")</script>
        return x
    return -x


def main():
    for size in (3, 4, 5, 3):
        step(jnp.ones(size), 0.1, "plain")
    step(jnp.ones(3), jnp.float32(0.1), "plain")
    step(jnp.ones(3), 0.1, {HOSTILE!r})
    for size in (1, 2, 3):
        jnp.sin(jnp.ones(size))
    try:
        norm(jnp.ones(2))
    except jax.errors.TracerBoolConversionError:
        pass


if __name__ == "__main__":
    main()
'''
PROBED = """\
import jax
import jax.numpy as jnp


# jaxlint: spec x=f32[8,8]
# jaxlint: spec x=f32[2,2]
@jax.jit
def layer(x):
    y = jnp.tanh(x @ x)
    y.at[0].set(0.0)
    return y


# jaxlint: spec x=f32[3]
@jax.jit
def sign(x):
    if x[0] > 0:
        return x
    return -x


def unknown(a, b):
    a[0] = b
    return jnp.asarray(a)
"""


@dataclass(frozen=True)
class Report:
    """One report, as the page and as JSON."""

    page: Path
    json: dict[str, Any]


def report(folder: Path, source: str, *options: str, command: tuple[str, ...] = ()) -> Report:
    own = folder / "a&b <i>"
    own.mkdir()
    (own / "program.py").write_text(source, encoding="utf-8")
    targets = () if command else (str(own / "program.py"),)
    run = ("--", *command) if command else ()
    files = ("--html", "page.html", "--output-format", "json", "-o", "report.json")
    done = verify("--isolated", "--no-cache", *files, *options, *targets, *run, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "the report as a page: page.html" in done.stderr
    return Report(folder / "page.html", json.loads((folder / "report.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("run")
    script = folder / "a&b <i>" / "program.py"
    return report(folder, PROGRAM, "--count-calls", command=(PYTHON, str(script)))


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(tmp_path_factory.mktemp("probe"), PROBED, "--platform", "cpu", "--lower-for", "cuda")


def large(functions: int, misses: int) -> Observation:
    """A run that went wrong at length."""
    made = []
    for index in range(functions):
        own = tuple(
            Miss(
                Difference("shape", "batch['x']", f"f32[{number}]", f"f32[{number + 1}]")
                if number
                else Difference("first"),
                Site(f"/w/module_{index % 40}.py", number + 1),
                0.01,
                "jit",
                nested=index % 3 == 2,
                at=index * 0.3 + number * 0.2,
                parts=(0.002, 0.003, 0.005),
            )
            for number in range(misses // functions)
        )
        count = len(own)
        parts = (0.002 * count, 0.003 * count, 0.005 * count)
        path = f"/w/module_{index % 40}.py"
        made.append(FunctionCounts(path, index + 1, f"Model{index}.step", None, count, count, count, 0, *parts, own))
    made.sort(key=lambda function: -function.seconds_lost)
    diagnostic = Diagnostic(
        "/w/module_1.py", Span(2, 1, 2, 6), "traced-branch", "JX301", "tracing", Category.CORRECTNESS, Severity.ERROR,
        Confidence.CERTAIN, "`if` needs a value",
    )  # fmt: skip
    findings = tuple(
        JudgedFinding(replace(diagnostic, span=Span(k + 1, 1, k + 1, 6)), list(Verdict)[k % 5], "said `so`")
        for k in range(2000)
    )
    eager = tuple(EagerLine("/w/eager.py", line, {"add": line % 3, "sin": 2}, 4, 0.01) for line in range(1, 300))
    runtime = Runtime("cpu", "cpu", "0.10.2", "0.10.2", "3.11.7")
    return Observation(("python", "big.py"), "exit code 0", runtime, True, tuple(made), eager, findings, seconds=400.0)


def written(observation: Observation, target: Path) -> Path:
    source = "\n".join(f"if x > {number}: pass" for number in range(3000))
    target.write_text(
        page_text(observation, PathPrinter("/w"), lambda _: source, lambda _: "a proof"), encoding="utf-8"
    )
    return target


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return Report(written(large(1000, 10_000), tmp_path_factory.mktemp("big") / "page.html"), {})


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(params=["run", "probe", "big"])
def shown(request: pytest.FixtureRequest) -> Report:
    found: Report = request.getfixturevalue(request.param)
    return found


# --- what it fetches and runs


@needs_browser
def test_it_fetches_nothing_runs_nothing_and_nothing_is_complained_of(window: Page, shown: Report) -> None:
    window.open(shown.page)
    assert window.requests() == [shown.page.as_uri()]
    assert window.complaints() == []
    assert window.ask("document.scripts.length") == 0
    assert window.ask("document.querySelectorAll('img, iframe, object, link[rel=stylesheet]').length") == 0


@needs_browser
def test_what_comes_from_the_program_is_text(window: Page, run: Report) -> None:
    window.open(run.page)
    text = window.ask("document.body.textContent")
    assert HOSTILE[:40] in text
    assert '<script>alert("comment")</script>' in text
    assert "a&b <i>" in text
    assert "taken" not in window.ask("document.title")


# --- how it looks


@needs_browser
@pytest.mark.parametrize(
    ("shown", "width"),
    [("run", 320), ("run", 390), ("run", 768), ("run", 1000), ("probe", 390), ("probe", 1000), ("big", 390)],
    indirect=["shown"],
)
def test_no_screen_scrolls_sideways(window: Page, shown: Report, width: int) -> None:
    window.open(shown.page, width, 844)
    window.ask("document.querySelectorAll('details').forEach(details => details.open = true)")
    assert window.ask("document.documentElement.scrollWidth") <= width
    assert window.ask(_BEYOND) == []


@needs_browser
@pytest.mark.parametrize("end", [0.0123, 0.157, 1.04, 21.3, 10_500.0])
def test_no_label_of_the_scale_sticks_out(window: Page, tmp_path: Path, end: float) -> None:
    site = Site("/w/module.py", 1)
    miss = Miss(Difference("first"), site, 0.001, "jit", nested=False, at=end - 0.001, parts=(0.0, 0.0, 0.001))
    own = FunctionCounts("/w/module.py", 1, "step", None, 1, 1, 1, 0, 0.0, 0.0, 0.001, (miss,))
    page = written(replace(large(1, 1), functions=(own,)), tmp_path / "page.html")
    window.open(page, 320, 844)
    places = window.ask(_LABELS)
    assert len(places) >= 3
    assert all(left >= -0.5 and right <= width + 0.5 for left, right, width in places)


#: The left and the right end of each label, from the start of the scale, and the width of the scale.
_LABELS = """
[...document.querySelectorAll('.tick')].map(label => {
  const [own, scale] = [label, label.parentElement].map(element => element.getBoundingClientRect());
  return [own.left - scale.left, own.right - scale.left, scale.width];
})
"""

#: Elements that stick out of the window, or whose text sticks out of them.
_BEYOND = """
[...document.querySelectorAll('body *')].filter(element => {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const apart = element.closest('svg, .skip, thead, caption, .ticks');
  if (!box.width || style.position === 'absolute' || apart) return false;
  return box.right > innerWidth + 1 || box.left < -1 || element.scrollWidth > element.clientWidth + 2 &&
    style.display !== 'inline' && element.clientWidth > 0;
}).map(element => element.outerHTML.slice(0, 120))
"""

#: Texts with a contrast below 4.5 to 1 to what lies behind them, and shapes below 3 to 1 (WCAG 2.2: 1.4.3, 1.4.11).
_PALE = """
(() => {
  const parse = text => { const p = text.match(/[\\d.]+/g).map(Number); return p.length < 4 ? [...p, 1] : p; };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = colour => {
    const [r, g, b] = colour.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    const base = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
    return layers.reverse().reduce((under, top) => over(top, under), base);
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || seen.has(element) || element.closest('svg')) continue;
    seen.add(element);
    const ground = behind(element);
    const value = ratio(over(parse(getComputedStyle(element).color), ground), ground);
    if (value < 4.5) found.push(value.toFixed(2) + ' ' + element.outerHTML.slice(0, 100));
  }
  for (const rect of document.querySelectorAll('svg rect, svg .line, .swatch')) {
    const style = getComputedStyle(rect);
    const drawn = rect.matches('.swatch') ? style.backgroundColor : rect.matches('.line') ? style.stroke : style.fill;
    const value = ratio(parse(drawn), behind(rect.closest('svg')?.parentElement ?? rect.parentElement));
    if (value < 3) found.push(value.toFixed(2) + ' ' + rect.outerHTML.slice(0, 100));
  }
  return found;
})()
"""


@needs_browser
@pytest.mark.parametrize(
    ("shown", "dark"),
    [("run", False), ("run", True), ("probe", False), ("probe", True), ("big", True)],
    indirect=["shown"],
)
def test_texts_and_shapes_stand_out(window: Page, shown: Report, *, dark: bool) -> None:
    window.open(shown.page, dark=dark)
    window.ask("document.querySelectorAll('details').forEach(details => details.open = true)")
    assert window.ask(_PALE) == []


@needs_browser
def test_light_and_dark_differ(window: Page, run: Report) -> None:
    grounds = []
    for dark in (False, True):
        window.open(run.page, dark=dark)
        grounds.append(window.ask("getComputedStyle(document.body).backgroundColor"))
    assert grounds[0] != grounds[1]


@needs_browser
def test_pale_text_and_wide_boxes_would_be_found(window: Page, tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text("<p style='color: #999; background: #fff'>pale</p><div style='width: 3000px'>wide</div>", "utf-8")
    window.open(page)
    assert len(window.ask(_PALE)) == 1
    assert len(window.ask(_BEYOND)) >= 1


@needs_browser
def test_paper_has_what_the_screen_folds(window: Page, big: Report) -> None:
    window.open(big.page)
    assert window.ask("document.querySelector('details table').checkVisibility({contentVisibilityAuto: true})") is False
    window.call("Emulation.setEmulatedMedia", media="print")
    height = window.ask("document.querySelector('details table').getBoundingClientRect().height")
    assert height > 100
    window.call("Emulation.setEmulatedMedia", media="")


# --- how it is heard, and used without a mouse


@needs_browser
def test_it_has_landmarks_and_headings_in_order(window: Page, shown: Report) -> None:
    window.open(shown.page)
    for landmark in ("body > header", "body > main", "body > nav[aria-label]", "body > footer"):
        assert window.ask(f"document.querySelectorAll('{landmark}').length") == 1, landmark
    levels = window.ask("[...document.querySelectorAll('h1, h2, h3')].map(heading => Number(heading.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert window.ask("document.documentElement.lang") == "en"
    named = "s => document.getElementById(s.getAttribute('aria-labelledby'))"
    assert window.ask(f"[...document.querySelectorAll('section')].every({named})") is True


@needs_browser
def test_tables_and_pictures_say_what_they_are(window: Page, shown: Report) -> None:
    window.open(shown.page, 390, 844)
    assert (
        window.ask("[...document.querySelectorAll('table')].every(table => table.caption.textContent.trim())") is True
    )
    assert window.ask("[...document.querySelectorAll('th')].every(head => head.scope)") is True
    pictures = "[...document.querySelectorAll('svg')]"
    assert window.ask(f"{pictures}.every(svg => svg.querySelector(':scope > title').textContent.trim())") is True
    tree = window.call("Accessibility.getFullAXTree")["nodes"]
    roles = {node["role"]["value"] for node in tree if not node.get("ignored")}
    assert {"main", "banner", "navigation", "contentinfo", "table", "columnheader", "rowheader", "cell"} <= roles


@needs_browser
def test_links_lead_somewhere_and_the_first_skips_to_the_report(window: Page, shown: Report) -> None:
    window.open(shown.page)
    leads = (
        "[...document.querySelectorAll('a')].every(link => document.getElementById(link.getAttribute('href').slice(1)))"
    )
    assert window.ask(leads) is True
    ids = window.ask("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids))
    for kind in ("keyDown", "keyUp"):
        window.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert window.ask("document.activeElement.getAttribute('href')") == "#report"


# --- what it says


def cells(window: Page, selector: str) -> list[list[float]]:
    """The exact figures of the rows of a table."""
    found: list[list[float]] = window.ask(
        f"[...document.querySelectorAll('{selector} tbody tr')]"
        ".map(row => [...row.querySelectorAll('data')].map(figure => Number(figure.value)))"
    )
    return found


@needs_browser
def test_its_figures_are_those_of_the_json(window: Page, run: Report) -> None:
    window.open(run.page)
    functions = [function for function in run.json["functions"] if function["traces"] or function["compiles"]]
    assert {function["name"] for function in functions} >= {"step", "norm"}
    by_name = dict(zip(window.ask(_names("#costs table")), cells(window, "#costs table"), strict=True))
    for function in functions:
        seconds = [function[f"{part}_seconds"] for part in ("trace", "lower", "compile")]
        counts = [
            function[name] for name in ("calls", "traces", "compiles", "recompilations") if function[name] is not None
        ]
        expected = [sum(seconds), *seconds, *counts, function["seconds_lost"]]
        assert by_name[function["name"]] == pytest.approx(expected, abs=2e-6)
    eager = {line["line"]: line["compiles"] for line in run.json["eager"] if line["compiles"]}
    assert sorted(figures[0] for figures in cells(window, "#eager table")) == sorted(eager.values())
    verdicts = [
        finding["verdict"].replace("-", " ") for finding in run.json["findings"] if finding["source"] == "check"
    ]
    shown = window.ask("[...document.querySelectorAll('#findings h3 .badge')].map(badge => badge.textContent.slice(2))")
    assert sorted(shown) == sorted(verdicts)
    assert "confirmed" in verdicts


def _names(table: str) -> str:
    return f"[...document.querySelectorAll('{table} tbody th .name')].map(name => name.textContent)"


@needs_browser
def test_each_reason_is_a_line_from_before_to_now_with_its_fix(window: Page, run: Report) -> None:
    window.open(run.page)
    card = window.ask("document.querySelector('#again article').innerText")
    assert "x: f32[3] → f32[4], f32[5]" in card
    assert "lr: f32[] weak → f32[]" in card
    assert "Fix for x: pad or bucket" in card
    step = next(function for function in run.json["functions"] if function["name"] == "step")
    assert step["recompilations"] == 4
    assert "traced 5x, compiled 5x in 6 calls" in card.replace("\N{MULTIPLICATION SIGN}", "x")


@needs_browser
def test_the_timeline_and_the_curves_show_each_miss(window: Page, run: Report) -> None:
    window.open(run.page)
    misses = {function["name"]: function["misses"] for function in run.json["functions"]}
    drawn = window.ask(
        "Object.fromEntries([...document.querySelectorAll('.timeline li')].map("
        "row => [row.querySelector('.name').textContent, row.querySelectorAll('g').length]))"
    )
    assert drawn["step"] == len(misses["step"])
    assert window.ask("document.querySelectorAll('.timeline rect.again').length") == 4
    assert [miss["calls"] for miss in misses["step"]] == [1, 2, 3, 5, 6]
    assert "5 entries in 6 calls; still growing at the end" in window.ask("document.querySelector('figure').innerText")


@needs_browser
def test_a_finding_shows_its_source_with_the_flagged_part(window: Page, run: Report) -> None:
    window.open(run.page)
    flagged = window.ask("[...document.querySelectorAll('mark.flagged')].map(mark => mark.textContent)")
    assert "jnp.sum(x) > 0" in flagged
    numbers = window.ask("[...document.querySelectorAll('.source i')].map(number => number.textContent)")
    assert str(PROGRAM.splitlines().index('    if jnp.sum(x) > 0:  # <script>alert("comment")</script>') + 1) in numbers


@needs_browser
def test_a_probe_shows_its_calls_its_figures_and_its_proofs(window: Page, probe: Report) -> None:
    window.open(probe.page)
    layer = next(function for function in probe.json["functions"] if function["name"] == "layer")
    rows = dict(zip(window.ask(_names("#figures table")), cells(window, "#figures table"), strict=True))
    memory = sum(layer["cost"]["memory"][f"{name}_bytes"] for name in ("argument", "output", "temp"))
    parts = [layer[f"{part}_seconds"] for part in ("trace", "lower", "compile")]
    expected = [sum(parts), *parts, layer["cost"]["flops"], layer["cost"]["bytes_accessed"], memory]
    assert rows["layer"] == pytest.approx(expected, abs=2e-6)
    text = window.ask("document.querySelector('#probes').innerText")
    assert "x=f32[8,8] (spec)" in text
    assert "TracerBoolConversionError" in text
    assert "cuda: can be lowered" in text
    findings = window.ask("document.querySelector('#findings').innerText")
    for finding in probe.json["findings"]:
        assert finding["evidence"].replace("`", "")[:40] in findings
    assert "What decides: TracerBoolConversionError" in findings


def test_a_run_without_anything_to_tell_is_a_page_too() -> None:
    nothing = Observation(("true",), "exit code 0", Runtime(), False, (), (), problems=("nothing was <observed>",))
    page = page_text(nothing, PathPrinter("/w"), lambda _: None, lambda _: None)
    assert "None of your functions was traced" in page
    assert "nothing was &lt;observed&gt;" in page
    assert "<section" not in page


def test_the_line_of_a_call_leads_to_what_was_observed_there(tmp_path: Path) -> None:
    run = large(1, 3)
    path = tmp_path / "program.py"
    path.write_text("\n    step(<x>)\n\n", encoding="utf-8")
    function = run.functions[0]
    misses = tuple(replace(miss, call=Site(str(path), 2)) for miss in function.misses)
    seen = ObservedFinding("varying-shape", str(path), 2, None, "another shape", (), 2)
    told = replace(run, functions=(replace(function, path=str(path), misses=misses),), observed=(seen,))
    page = page_text(told, PathPrinter("/w"), lambda _: None, lambda _: None)
    assert '<a href="#seen-1" title="step(&lt;x&gt;)"><span>line 2</span></a>' in page
    assert page.count('id="seen-1"') == 1
    without = page_text(replace(told, observed=()), PathPrinter("/w"), lambda _: None, lambda _: None)
    assert '<span title="step(&lt;x&gt;)"><span>line 2</span></span>' in without


def test_a_large_run_is_folded_and_says_how_much(big: Report) -> None:
    page = big.page.read_text(encoding="utf-8")
    assert len(page) < 3_000_000
    for said in (
        "657 more functions compiled again",
        "980 more functions",
        "976 other functions",
        "500 functions that are",
    ):
        assert said in page
    assert "1,920 more findings" in page
    assert "And 920 that are not listed; the JSON has all." in page


def test_a_page_that_cannot_be_written_is_refused_before_anything_runs(tmp_path: Path) -> None:
    done = verify("--html", "nowhere/page.html", "--", PYTHON, "-c", "print('ran')", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere/page.html: cannot be written: no such file or directory" in done.stderr


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    pages = [written(large(20, 200), tmp_path / name).read_bytes() for name in ("a.html", "b.html")]
    assert pages[0] == pages[1]
