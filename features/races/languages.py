"""Which module analyses which language: a new language of the race warnings is one line here."""

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from assay.analyzers.races.outcome import FindRaces

MODULES = {
    "c": "assay.analyzers.c.races",
}
"""Language identifier to the module whose ``find_races`` does the work; it is imported with the first document."""


def finder(language: str) -> "FindRaces":
    """Load the race analysis of a language that is in `MODULES`."""
    return cast("FindRaces", import_module(MODULES[language]).find_races)
