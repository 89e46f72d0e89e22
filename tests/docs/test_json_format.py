"""The page on the JSON report shows valid reports and names every key of the schema that ships with the package."""

import json
import re
from importlib import resources

import pytest
from documents import DOCS, blocks
from jsonschema import Draft202012Validator

PAGE = (DOCS / "json-format.md").read_text(encoding="utf-8")
SCHEMA = json.loads(resources.files("assay.server.reports").joinpath("report.schema.json").read_text("utf-8"))


def part(name: str) -> dict:
    """Give the schema of one part, which can refer to the others."""
    return {**SCHEMA["$defs"][name], "$defs": SCHEMA["$defs"]}


def test_the_shown_report_is_valid() -> None:
    report, _ = map(json.loads, blocks(PAGE, "json"))
    Draft202012Validator(SCHEMA).validate(report)


def test_the_shown_data_of_a_race_are_valid() -> None:
    _, data = map(json.loads, blocks(PAGE, "json"))
    for pair in data["pairs"]:
        Draft202012Validator(part("pair")).validate(pair)


@pytest.mark.parametrize("name", ["finding", "evidence", "related", "fix", "skipped", "summary"])
def test_every_key_is_told(name: str) -> None:
    told = set(re.findall(r"[`\"](\w+)(?:\[\])?[`\"]", PAGE))
    assert set(SCHEMA["$defs"][name]["properties"]) - told == set()
