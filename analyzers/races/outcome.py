"""What a language's race analysis answers: races, other hazards between threads, and the way from sites to the source.

Every language has a function ``find_races`` of the type `FindRaces`; whoever shows the result knows no more than this.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from attrs import Factory, frozen

from assay.analyzers.budget import Budget
from assay.analyzers.findings import Skipped, Span
from assay.analyzers.races.explain import Account
from assay.analyzers.races.ir import Site
from assay.analyzers.races.report import Race


class SourceText(Protocol):
    """How the analysed text maps to the source that a person sees."""

    def text(self, site: Site) -> str:
        """Give the source text at a site (one line of it)."""

    def line(self, site: Site) -> str:
        """Name the line of a site, 1-based, with its file if that is not the document."""

    def span(self, site: Site) -> tuple[str | None, Span]:
        """Give the (path or None for the document, span) of a site."""

    def inclusion(self, site: Site) -> Span:
        """Give the place in the document that brought a site in; the site's own span if it is in the document."""

    @property
    def spawn(self) -> str:
        """Name what starts a thread in this language."""


@frozen
class Step:
    """A place that takes part in a hazard, and what happens there in words."""

    site: Site
    words: str


@frozen
class Hazard:
    """What threads can do wrong without a data race: wait for each other for ever, or never give a lock back.

    `kind` is the rule's code after ``race/``; `message` a whole sentence; `reason` why it can happen, the evidence;
    `steps` the places, the first being where it is shown; `data` JSON values for machines, documented with the rule.
    """

    kind: str
    message: str
    reason: str
    steps: tuple[Step, ...]
    data: Mapping[str, Any] = Factory(dict)


@frozen
class Races:
    """The races and other hazards of a document, what could not be modelled, and an account of every shared access."""

    races: tuple[Race, ...]
    source: SourceText
    skipped: tuple[Skipped, ...] = ()
    hazards: tuple[Hazard, ...] = ()
    accounts: tuple[Account, ...] = ()


FindRaces = Callable[[str, Path | None, Callable[[Path], str | None], tuple[str, ...], tuple[Path, ...], Budget], Races]
"""``find_races(text, path, read, defines, include_paths, budget)``; `read` gives the text of another file, or None."""
