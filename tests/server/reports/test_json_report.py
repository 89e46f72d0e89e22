import json
from importlib import resources

import pytest
from jsonschema import Draft202012Validator

from assay.server.reports.json_report import render

SCHEMA = json.loads(resources.files("assay.server.reports").joinpath("report.schema.json").read_text())


def test_the_schema_is_valid_and_refuses_what_it_should() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert not Draft202012Validator(SCHEMA).is_valid({"version": 1})


def test_a_full_report_is_valid(rich_run) -> None:
    Draft202012Validator(SCHEMA).validate(json.loads(render(rich_run)))


def test_positions_are_one_based_and_ends_exclusive(rich_run) -> None:
    first = json.loads(render(rich_run))["findings"][0]
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (2, 5, 2, 9)
    assert (first["path"], first["related"][1]["path"]) == ("x.c", "y.h")
    assert first["fixes"][0]["edits"][1] == {
        "path": "y.h", "line": 1, "column": 1, "end_line": 1, "end_column": 4, "new_text": "long"
    }  # fmt: skip


def test_evidence_carries_its_kind(rich_run) -> None:
    first = json.loads(render(rich_run))["findings"][0]
    kinds = ["explanation", "counterexample", "measurement", "statistic", "vote"]
    assert [evidence["kind"] for evidence in first["evidence"]] == kinds


def test_a_number_that_json_lacks_is_null(rich_run) -> None:
    first = json.loads(render(rich_run), parse_constant=pytest.fail)["findings"][0]
    assert first["evidence"][2]["value"] is None


def test_skipped_and_summary_count_everything(rich_run) -> None:
    got = json.loads(render(rich_run))
    assert [(one["path"], one.get("line")) for one in got["skipped"]] == [
        ("nope.c", None), ("a b.c", None), ("x.c", 1), ("z.h", None)
    ]  # fmt: skip
    assert got["summary"] == {
        "files": 1, "findings": 2, "error": 0, "warning": 1, "information": 0, "hint": 1,
        "skipped": 4, "suppressed": 1, "baselined": 0, "seconds": 0.25,
    }  # fmt: skip
