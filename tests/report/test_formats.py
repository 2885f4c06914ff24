"""The formats for programs: each is read back by the rules of its reader, whatever a file is called or holds."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

import jsonschema
import pytest
import sarif_pydantic
from hypothesis import example, given, settings

from jaxlint.cli import option_groups as command_line
from jaxlint.config.schema import OUTPUT_FORMATS
from jaxlint.diagnostics import (
    Applicability,
    Category,
    Confidence,
    Diagnostic,
    Edit,
    Fix,
    Note,
    Severity,
    Span,
)  # fmt: skip
from jaxlint.engine.result import Result
from jaxlint.report import report_lines, sarif
from jaxlint.report.fix_edits import Texts, merged
from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape
from tests.cli.command_line import jaxlint_here, project, real_jaxlint
from tests.report.hostile import ROOT, results

MACHINE = ("json", "json-lines", "github", "gitlab", "azure", "sarif", "junit", "rdjson", "pylint")
TEXT = "é = 1\nsecond line ##vso[x]\r\nthird\u2028still third\nfourth"
START = Span(1, 1, 1, 2)
FLAGS = "import jax\nFLAG_BRANCH\nFLAG_REUSE\n"


def lines(result: Result, output_format: str, root: str = ROOT) -> list[str]:
    paths = PathPrinter(root)
    return list(report_lines(result, output_format, paths=paths, paint=Paint(False), read_text=lambda _: TEXT))


def document(result: Result, output_format: str) -> Any:
    return json.loads("\n".join(lines(result, output_format)))


def finding(message: str = "what", path: str = "/p/a.py", span: Span = START, **fields: Any) -> Diagnostic:
    known = {"rule": "traced-branch", "code": "JX301", "family": "tracing", "category": Category.CORRECTNESS}
    levels = {"severity": Severity.ERROR, "confidence": Confidence.CERTAIN, "fingerprint": "0123456789abcdef"}
    return Diagnostic(**{"path": path, "span": span, "message": message, **known, **levels, **fields})


def result(*found: Diagnostic, files: int = 1) -> Result:
    return Result(found, files)


# --- all formats


def test_the_command_line_offers_what_the_settings_know() -> None:
    assert command_line._FORMATS == OUTPUT_FORMATS


@pytest.mark.parametrize("output_format", OUTPUT_FORMATS)
@given(found=results)
@settings(max_examples=20, deadline=None)
def test_nothing_in_a_report_moves_a_cursor_or_commands_a_server(output_format: str, found: Result) -> None:
    """The bytes are UTF-8; but for `github` and `azure` no line is a command, and those have one for each finding."""
    commands = 0
    for line in "\n".join(lines(found, output_format)).split("\n"):
        line.encode("utf-8")
        assert re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\ufeff\ud800-\udfff]", line) is None
        commands += _is_command(line)
    own = output_format in ("github", "azure")
    assert commands == (len(found.diagnostics) if own else 0)


def _is_command(line: str) -> bool:
    """As GitHub's runner and Azure's agent look for commands."""
    by_github = re.match(r"\s*::(error|warning|notice|debug|stop-commands|add-mask)\b.*?::", line)
    return bool(by_github or re.search(r"##(vso)?\[", line, re.IGNORECASE))


@pytest.mark.parametrize("output_format", OUTPUT_FORMATS)
def test_equal_results_are_equal_bytes(tmp_path: Path, output_format: str) -> None:
    project(tmp_path, {"pyproject.toml": "", "a.py": FLAGS, "b/c.py": FLAGS})
    runs = [
        jaxlint_here("check", *order, "--no-cache", "--output-format", output_format, cwd=tmp_path)
        for order in (["a.py", "b"], ["b", "a.py"])
    ]
    assert runs[0] == runs[1]
    assert (runs[0].code, runs[0].err) == (1, "")
    assert runs[0].out.endswith("\n")


@pytest.mark.parametrize("output_format", MACHINE)
def test_a_clean_run_is_a_valid_report(tmp_path: Path, output_format: str) -> None:
    project(tmp_path, {"a.py": "import jax\n"})
    done = jaxlint_here("check", "--output-format", output_format, cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    if output_format in ("json", "gitlab", "sarif", "rdjson"):
        json.loads(done.out)
    elif output_format == "junit":
        check_junit(done.out)
    else:
        assert done.out == ""


def test_statistics_do_not_spoil_a_report(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": FLAGS})
    for output_format in ("gitlab", "sarif", "rdjson"):
        json.loads(jaxlint_here("check", "--statistics", "--output-format", output_format, cwd=tmp_path).out)


def test_hosts_read_paths_from_the_root_of_the_repository_and_others_from_the_working_directory(tmp_path: Path) -> None:
    project(tmp_path, {"pyproject.toml": "", "pkg/a.py": FLAGS})
    shown = {name: jaxlint_here("check", "--output-format", name, cwd=tmp_path / "pkg").out for name in OUTPUT_FORMATS}
    from_root = {name for name, out in shown.items() if "pkg/a.py" in out}
    assert from_root == {"github", "gitlab", "azure", "sarif"}
    assert all("a.py" in out for out in shown.values())


# --- workflow commands


def parse_github(line: str) -> tuple[str, dict[str, str], str]:
    """As the runner does: `::name key=value,...::message`, percent escapes undone last."""
    head, _, message = line[2:].partition("::")
    name, _, properties = head.partition(" ")
    pairs = dict(pair.split("=", 1) for pair in properties.split(","))
    return name, {key: unquote(value) for key, value in pairs.items()}, unquote(message)


@given(results)
@settings(max_examples=40, deadline=None)
def test_github_reads_what_was_written(found: Result) -> None:
    for line, d in zip(lines(found, "github"), found.diagnostics, strict=True):
        name, properties, message = parse_github(line)
        assert name == {"error": "error", "warning": "warning", "info": "notice"}[d.severity.value]
        assert properties.pop("title") == f"jaxlint {d.code} {d.rule}"
        assert properties.pop("file") == escape(d.path.removeprefix(f"{ROOT}/"))
        assert message.split("\n")[0] == escape(d.message)
        assert len(message.split("\n")) >= 1 + len(d.notes)
        numbers = {key: int(value) for key, value in properties.items()}
        own_line = {"col": d.span.column, "endColumn": d.span.end_column} if d.span.line == d.span.end_line else {}
        assert numbers == {"line": d.span.line, "endLine": d.span.end_line, **own_line}


def test_github_by_hand() -> None:
    note = Note("here", "/p/b.py", Span(7, 2, 7, 3))
    d = finding("100% of `x`", "/p/a:b,c\n%.py", notes=(note,), confidence=Confidence.LIKELY)
    assert lines(result(d), "github") == [
        "::error title=jaxlint JX301 traced-branch,file=a%3Ab%2Cc\\n%25.py,line=1,endLine=1,col=1,endColumn=2"
        "::100%25 of `x`%0Ab.py:7:2: here%0Aconfidence: likely"
    ]


@given(results)
@settings(max_examples=40, deadline=None)
def test_azure_reads_what_was_written(found: Result) -> None:
    for line, d in zip(lines(found, "azure"), found.diagnostics, strict=True):
        head, _, message = line.removeprefix("##vso[").partition("]")
        command, _, properties = head.partition(" ")
        pairs = dict(pair.split("=", 1) for pair in properties.rstrip(";").split(";"))
        path = pairs["sourcepath"].replace("%3B", ";").replace("%5D", "]").replace("%AZP25", "%")
        assert command == "task.logissue"
        assert pairs.keys() == {"type", "sourcepath", "linenumber", "columnnumber", "code"}
        assert path == escape(d.path.removeprefix(f"{ROOT}/"))
        assert message.replace("%AZP25", "%") == escape(d.message)


@given(results)
@settings(max_examples=40, deadline=None)
def test_pylint_lines(found: Result) -> None:
    for line, d in zip(lines(found, "pylint"), found.diagnostics, strict=True):
        assert line.startswith(escape(d.path.removeprefix(f"{ROOT}/")))
        assert re.search(rf":{d.span.line}: \[{d.code}\({d.rule}\), \] ", line)


def test_concise_by_hand() -> None:
    found = result(finding("why", verdict="confirmed"), finding("why", fix=fix((START, "x"))))
    first, second = lines(found, "concise")[:2]
    assert first.endswith(": why [confirmed]")
    assert second.endswith(": why [safe fix]")


def test_grouped_by_hand() -> None:
    found = result(finding("one"), finding("two", span=Span(12, 10, 12, 11)), finding("three", "/p/b.py"))
    assert lines(found, "grouped") == [
        "a.py:", "  1:1    JX301 traced-branch  one", "  12:10  JX301 traced-branch  two", "",
        "b.py:", "  1:1  JX301 traced-branch  three", "",
        "Found 3 errors in 1 file.",
    ]  # fmt: skip


@given(results)
@settings(max_examples=40, deadline=None)
def test_json_lines_are_the_diagnostics_of_json(found: Result) -> None:
    assert [json.loads(line) for line in lines(found, "json-lines")] == document(found, "json")["diagnostics"]


# --- GitLab, Reviewdog

_POSITION = {
    "type": "object", "required": ["line", "column"], "additionalProperties": False,
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
}  # fmt: skip
#: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format, and Code Climate's enumerations.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "type": {"const": "issue"},
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "categories": {
                "type": "array",
                "items": {
                    "enum": [
                        "Bug Risk", "Clarity", "Compatibility", "Complexity", "Duplication", "Performance", "Security",
                        "Style",
                    ]
                },
            },
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "content": {"type": "object", "properties": {"body": {"type": "string"}}, "additionalProperties": False},
            "location": {
                "type": "object",
                "required": ["path", "positions"],
                "additionalProperties": False,
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "positions": {
                        "type": "object", "required": ["begin", "end"], "additionalProperties": False,
                        "properties": {"begin": _POSITION, "end": _POSITION},
                    },
                },
            },
        },
        "additionalProperties": False,
    },
}  # fmt: skip
_RANGE = {
    "type": "object", "required": ["start", "end"], "additionalProperties": False,
    "properties": {"start": _POSITION, "end": _POSITION},
}  # fmt: skip
_LOCATION = {
    "type": "object", "required": ["path", "range"], "additionalProperties": False,
    "properties": {"path": {"type": "string"}, "range": _RANGE},
}  # fmt: skip
#: https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto; protobuf's JSON knows no null.
RDJSON = {
    "type": "object",
    "required": ["source", "diagnostics"],
    "additionalProperties": False,
    "properties": {
        "source": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
        "diagnostics": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["message", "location", "severity", "code"],
                "additionalProperties": False,
                "properties": {
                    "message": {"type": "string"},
                    "location": _LOCATION,
                    "severity": {"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
                    "code": {
                        "type": "object", "additionalProperties": False, "required": ["value"],
                        "properties": {"value": {"type": "string"}, "url": {"type": "string"}},
                    },
                    "related_locations": {
                        "type": "array",
                        "items": {
                            "type": "object", "required": ["message", "location"], "additionalProperties": False,
                            "properties": {"message": {"type": "string"}, "location": _LOCATION},
                        },
                    },
                    "suggestions": {
                        "type": "array", "maxItems": 1,
                        "items": {
                            "type": "object", "required": ["range", "text"], "additionalProperties": False,
                            "properties": {"range": _RANGE, "text": {"type": "string"}},
                        },
                    },
                },
            },
        },
    },
}  # fmt: skip


@given(results)
@settings(max_examples=40, deadline=None)
def test_gitlab_reads_it(found: Result) -> None:
    issues = document(found, "gitlab")
    jsonschema.Draft202012Validator(GITLAB).validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(found.diagnostics)
    assert [issue["location"]["path"] for issue in issues] == [
        escape(d.path.removeprefix(f"{ROOT}/")) for d in found.diagnostics
    ]


def test_gitlab_numbers_equal_findings_of_two_projects(tmp_path: Path) -> None:
    project(tmp_path, {"a/pyproject.toml": "", "a/x.py": FLAGS, "b/pyproject.toml": "", "b/x.py": FLAGS})
    issues = json.loads(jaxlint_here("check", "--output-format", "gitlab", cwd=tmp_path).out)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 4


@given(results)
@settings(max_examples=40, deadline=None)
def test_reviewdog_reads_it(found: Result) -> None:
    shown = document(found, "rdjson")
    jsonschema.Draft202012Validator(RDJSON).validate(shown)
    assert len(shown["diagnostics"]) == len(found.diagnostics)


def test_reviewdog_counts_columns_in_bytes() -> None:
    d = finding(span=Span(1, 5, 1, 6), notes=(Note("n", "/p/a.py", Span(3, 7, 3, 8)),))
    shown = document(result(d), "rdjson")["diagnostics"][0]
    assert shown["location"]["range"]["start"] == {"line": 1, "column": 6}
    assert shown["related_locations"][0]["location"]["range"]["start"] == {"line": 3, "column": 9}


def fix(*edits: tuple[Span, str], applicability: Applicability = Applicability.SAFE, path: str = "/p/a.py") -> Fix:
    return Fix("Do it", applicability, tuple(Edit(path, span, text) for span, text in edits))


def test_a_fix_of_several_edits_is_one_suggestion() -> None:
    several = fix((Span(2, 1, 2, 7), "2nd"), (Span(1, 1, 1, 2), "e"))
    shown = document(result(finding(fix=several)), "rdjson")["diagnostics"][0]["suggestions"]
    assert shown == [
        {
            "range": {"start": {"line": 1, "column": 1}, "end": {"line": 2, "column": 7}},
            "text": "e = 1\n2nd",
        }
    ]


@pytest.mark.parametrize(
    "refused",
    [
        fix((Span(1, 1, 1, 2), "e"), applicability=Applicability.DISPLAY_ONLY),
        fix((Span(1, 1, 1, 2), "\ud800")),
        fix((Span(1, 1, 1, 2), "e"), path="/p/other.py"),
        fix((Span(1, 1, 1, 4), "e"), (Span(1, 2, 1, 3), "f")),
        fix((Span(1, 1, 1, 2), "e"), (Span(90, 1, 90, 2), "f")),
    ],
)
def test_a_fix_that_cannot_be_applied_as_one_replacement_is_no_suggestion(refused: Fix) -> None:
    assert "suggestions" not in document(result(finding(fix=refused)), "rdjson")["diagnostics"][0]


def test_merged_edits_do_what_the_edits_do() -> None:
    text = "ab\r\ncd\nef"
    edits = ((Span(1, 2, 1, 3), "X"), (Span(2, 1, 2, 1), "Y"), (Span(3, 2, 3, 3), ""))
    edit = merged(fix(*edits), Texts(lambda _: text))
    assert edit is not None
    assert (edit.span, edit.text) == (Span(1, 2, 3, 3), "X\r\nYcd\ne")


# --- JUnit

_CHILDREN = {"testsuites": {"testsuite"}, "testsuite": {"testcase"}, "testcase": {"failure", "error"}}
_ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "file"},
    "testcase": {"name", "classname"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
}


def check_junit(text: str) -> ET.Element:
    """The grammar of the strictest reader, Jenkins' xUnit plug-in, as far as it is used; and that the counts agree."""
    root = ET.fromstring(text.encode("ascii"))
    assert root.tag == "testsuites"
    for element in root.iter():
        assert element.attrib.keys() <= _ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= _CHILDREN.get(element.tag, set())
        if element.tag in ("testsuites", "testsuite"):
            assert {"name", "tests", "failures", "errors"} <= element.attrib.keys()
            for name, path in (("tests", ".//testcase"), ("failures", ".//failure"), ("errors", ".//error")):
                assert int(element.attrib[name]) == len(element.findall(path))
    return root


@given(results)
@settings(max_examples=40, deadline=None)
@example(result(finding(), finding(span=Span(1, 1, 1, 3))))
def test_junit_is_well_formed_and_counts_right(found: Result) -> None:
    root = check_junit("\n".join(lines(found, "junit")))
    cases = root.findall(".//testcase")
    assert len(cases) == max(len(found.diagnostics), 1)
    names = [(case.attrib["classname"], case.attrib["name"]) for case in cases]
    assert len(set(names)) == len(names)
    if found.diagnostics:
        shown = [(case[0].attrib["message"], case[0].tag) for case in cases]
        assert shown == [
            (re.sub("[\ufffe\uffff]", lambda m: f"\\u{ord(m[0]):04x}", escape(d.message)), _element(d))
            for d in found.diagnostics
        ]


def _element(d: Diagnostic) -> str:
    return "error" if d.family == "engine" else "failure"


# --- SARIF


def check_sarif(log: dict[str, Any]) -> None:
    """What GitHub's documentation asks of a log, over what the standard's model accepts."""
    sarif_pydantic.Sarif.model_validate(log)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        assert {"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"} <= rule.keys()
        assert len(rule["name"]) <= 255
        assert len(rule["shortDescription"]["text"]) <= 1024
        assert len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
        assert "security-severity" not in rule["properties"]
        assert len(rule["properties"]["tags"]) <= 10
    for shown in run["results"]:
        assert rules[shown["ruleIndex"]]["id"] == shown["ruleId"]
        assert shown["level"] in ("error", "warning", "note")
        assert set(shown["partialFingerprints"]) - {"jaxlint/v1"} == {"jaxlint/v2"}
        flows = [
            step["location"] for flow in shown.get("codeFlows", ()) for step in flow["threadFlows"][0]["locations"]
        ]
        for location in (*shown["locations"], *shown.get("relatedLocations", ()), *flows):
            check_location(location["physicalLocation"])


def check_location(physical: dict[str, Any]) -> None:
    uri = physical["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/%]*", uri)
    assert not re.search("%(?![0-9A-F]{2})", uri)
    assert physical["artifactLocation"].get("uriBaseId") == (None if uri.startswith("file://") else "%SRCROOT%")
    assert "//" not in uri.removeprefix("file://")
    assert physical["region"].keys() == {"startLine", "startColumn", "endLine", "endColumn"}
    assert all(number >= 1 for number in physical["region"].values())


@given(results)
@settings(max_examples=40, deadline=None)
def test_sarif_is_what_the_standard_and_github_want(found: Result) -> None:
    log = document(found, "sarif")
    check_sarif(log)
    shown = log["runs"][0]["results"]
    assert [r["partialFingerprints"]["jaxlint/v2"] for r in shown] == [d.fingerprint for d in found.diagnostics]
    for entry, d in zip(shown, found.diagnostics, strict=True):
        uri = entry["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert unquote_to_bytes(uri) == _bytes(d.path.removeprefix(f"{ROOT}/"))
        assert not re.search(r"\]\(", entry["message"]["text"])


def _bytes(path: str) -> bytes:
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")


def test_evidence_is_a_code_flow_that_ends_at_the_finding() -> None:
    notes = (Note("first", "/p/b.py", Span(3, 1, 3, 2)), Note("aside"), Note("traced", "/p/a.py", Span(1, 1, 1, 2)))
    shown = document(result(finding("wrong", notes=notes)), "sarif")["runs"][0]["results"][0]
    assert shown["message"]["text"] == "wrong\naside\ntraced"
    flow = [step["location"] for step in shown["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert [step["message"]["text"] for step in flow] == ["first", "wrong"]
    assert flow[-1]["physicalLocation"] == shown["locations"][0]["physicalLocation"]
    assert [(r["id"], r["message"]["text"]) for r in shown["relatedLocations"]] == [(1, "first")]
    assert "codeFlows" not in document(result(finding()), "sarif")["runs"][0]["results"][0]


def test_a_file_outside_the_repository_keeps_its_absolute_uri() -> None:
    shown = document(result(finding(path="/q/ü b.py")), "sarif")["runs"][0]["results"][0]
    assert shown["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///q/%C3%BC%20b.py"}


def test_a_fix_is_kept_edit_by_edit() -> None:
    several = fix((Span(2, 1, 2, 7), "2nd"), (Span(1, 1, 1, 2), "e\u202e"), applicability=Applicability.UNSAFE)
    shown = document(result(finding(fix=several)), "sarif")["runs"][0]["results"][0]["fixes"][0]
    assert shown["description"]["text"] == "Do it (unsafe)"
    assert [r["insertedContent"]["text"] for r in shown["artifactChanges"][0]["replacements"]] == ["e\u202e", "2nd"]


def test_the_limits_of_github_are_kept_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 3)
    monkeypatch.setattr(sarif, "SHOWN_RESULTS", 2)
    monkeypatch.setattr(sarif, "MAX_COMPRESSED", 500)
    remark = {"severity": Severity.INFO, "category": Category.PEDANTIC}
    found = [finding(span=Span(n, 1, n, 2), **(remark if n < 3 else {})) for n in range(1, 6)]
    told: list[str] = []
    text = next(sarif.sarif_lines(result(*found), PathPrinter(ROOT), told.append))
    run = json.loads(text)["runs"][0]
    assert [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in run["results"]] == [3, 4, 5]
    assert run["properties"]["resultsLeftOut"] == 2
    assert told[0] == "sarif: 2 of 5 findings left out: GitHub takes 3 in one run"
    assert len(told) == 2
    told.clear()
    next(sarif.sarif_lines(result(*found[:3]), PathPrinter(ROOT), told.append))
    assert told[0] == "sarif: GitHub shows 2 of the 3 findings, the most severe ones"


def test_rules_come_with_their_pages_and_without_the_marks_of_the_tests() -> None:
    rules = document(result(finding()), "sarif")["runs"][0]["tool"]["driver"]["rules"]
    markdown = rules[0]["help"]["markdown"]
    assert markdown.startswith("## What it does\n")
    assert "```python\nimport jax" in markdown
    assert "# expect" not in markdown
    assert not re.search(r"^```python \w", markdown, re.MULTILINE)
    assert markdown.count("```") % 2 == 0
    assert ".md)" not in markdown


def test_the_example_is_a_valid_log_with_every_rule_of_its_findings() -> None:
    done = real_jaxlint("check", "examples", "--output-format", "sarif")
    assert (done.code, done.err) == (1, "")
    check_sarif(done.json)
    assert len(done.json["runs"][0]["results"]) >= 10


def test_no_format_is_left_untested() -> None:
    assert set(MACHINE) | {"concise", "full", "grouped"} == set(OUTPUT_FORMATS)
