"""The race warnings as a feature: light to import, heavy only when a document is checked."""

from collections.abc import Iterable
from pathlib import Path

from assay.analyzers.findings import Fact, Finding, Severity, Skipped, Span
from assay.features.feature import Context, Document, Offer, Outcome
from assay.features.races.languages import MODULES, finder
from assay.features.rules import rules_of

_RULES = {
    "race/lost-update": ("Two threads change a variable from its old value; one update can vanish.", Severity.WARNING),
    "race/write-write": ("Two threads write a variable and nothing orders the writes.", Severity.WARNING),
    "race/read-write": ("A thread reads a variable while another writes it.", Severity.WARNING),
    "race/wrong-lock": ("Two threads hold locks, but no lock that both hold.", Severity.WARNING),
    "race/missing-join": ("A thread's data is used while that thread may still run.", Severity.WARNING),
    "race/lock-order": (
        "Threads take locks in different orders and can wait for each other for ever.",
        Severity.WARNING,
    ),
    "race/self-deadlock": ("A thread waits for a lock that it holds already.", Severity.WARNING),
    "race/mixed-atomic": ("A variable is accessed atomically in one place and plainly in another.", Severity.WARNING),
}


class RaceWarnings:
    """Static detection of data races and of what else threads do to each other."""

    name = "races"
    languages = frozenset(MODULES)
    rules = rules_of("assay.features.races", _RULES)

    def check(self, document: Document, context: Context) -> Iterable[Finding | Skipped | Fact]:
        """Analyse the document, and the files it includes where the language has includes."""
        from assay.features.races.facts import facts
        from assay.features.races.findings import finding, hazard_finding

        settings = context.settings.races
        folders = tuple(Path(folder) for folder in settings.include_paths)
        find_races = finder(document.language)
        found = find_races(document.text, document.path, context.read, settings.defines, folders, context.budget)
        name = str(document.path) if document.path is not None else "FILE"
        for race in found.races:
            yield finding(race, found, name)
        for hazard in found.hazards:
            yield hazard_finding(hazard, found.source, name)
        yield from found.skipped
        yield from facts(found, settings.code_lens)

    def offer(self, document: Document, span: Span, context: Context) -> Iterable[Offer]:
        """Races have no fixes of their own yet."""
        return ()

    async def carry_out(self, offer: Offer, document: Document, context: Context) -> Outcome:
        """Races have nothing to carry out yet."""
        return Outcome(message=f"{offer.title}: nothing to do.")


feature = RaceWarnings()
