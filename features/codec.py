"""Reports and settings as JSON values and back, for the cache and for pipes between processes.

Evidence is a union, so each piece carries its ``kind``.  The round trip is exact; anything else that is read back
raises `DecodeError`, which a cache treats as a miss.
"""

from functools import cache
from typing import Any

from attrs import fields
from cattrs import BaseValidationError, Converter
from cattrs.preconf.json import make_converter
from cattrs.strategies import configure_tagged_union

from assay.analyzers.findings import Counterexample, Evidence, Explanation, Measurement, Statistic, Vote
from assay.features.pipeline import Report

KINDS: dict[type, str] = {
    Explanation: "explanation",
    Counterexample: "counterexample",
    Measurement: "measurement",
    Statistic: "statistic",
    Vote: "vote",
}


_PARTS = {attribute.name for attribute in fields(Report)}


class DecodeError(ValueError):
    """A stored value is not a report."""


@cache
def converter() -> Converter:
    """Give the one converter, which turns each kind of evidence into an object with its ``kind``."""
    made = make_converter(detailed_validation=False, omit_if_default=False)
    configure_tagged_union(Evidence, made, tag_generator=lambda cls: KINDS[cls], tag_name="kind")
    return made


def encode(report: Report) -> dict[str, Any]:
    """Turn a report into JSON values."""
    encoded: dict[str, Any] = converter().unstructure(report)
    return encoded


def decode(value: Any) -> Report:
    """Turn JSON values back into the report they came from; raise `DecodeError` when they are none."""
    if not isinstance(value, dict) or value.keys() != _PARTS:
        raise DecodeError(f"not a report: {value!r:.40}")
    try:
        return converter().structure(value, Report)
    except (BaseValidationError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise DecodeError(f"not a report: {error}") from error
