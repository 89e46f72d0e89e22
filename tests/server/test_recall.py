"""The cache serves the editor only with results that still hold, and only where that saves time."""

from pathlib import Path

import pytest
from attrs import evolve

from assay.analyzers.findings import Confidence, Explanation, Finding, Severity, Span
from assay.features.feature import Context, Document
from assay.features.pipeline import Report
from assay.features.settings import Settings
from assay.server import recall as module
from assay.server.neighbours import Neighbours
from assay.server.recall import MIN_CHARACTERS, Recall

FINDING = Finding(
    "race/lost-update", "m", Span.of(0, 0, 0, 1), Severity.WARNING, Confidence.PROVED, (Explanation("because"),)
)


class Analyses:
    """Analyses that read one neighbour, counted, each in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        self.told: list[str] = []

    def report(self, document: Document, settings: Settings | None = None, partial: bool = False) -> Report:
        neighbours = Neighbours()
        context = Context(settings or Settings(), read=lambda path: neighbours.read(path, 10_000))

        def analyse() -> Report:
            self.count += 1
            context.read(self.folder / "h.h")
            return Report((FINDING,), partial=partial)

        return Recall(self.told.append).report(document, context, neighbours, analyse)


@pytest.fixture
def analyses(tmp_path, monkeypatch) -> Analyses:
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "MIN_SECONDS", 0.0)
    return Analyses(tmp_path)


@pytest.fixture
def document(tmp_path) -> Document:
    return Document("file:///x", "c", " " * MIN_CHARACTERS, tmp_path / "a.c")


def test_a_result_is_remembered_by_the_next_process(analyses, document):
    assert analyses.report(document) == analyses.report(document) == Report((FINDING,))
    assert analyses.count == 1


def test_another_text_another_path_and_other_settings_are_analysed(analyses, document):
    analyses.report(document)
    analyses.report(evolve(document, text=document.text + " "))
    analyses.report(evolve(document, path=document.path.with_name("b.c")))
    analyses.report(document, Settings(ignore=("race/*",)))
    assert analyses.count == 4


def test_a_neighbour_that_appears_or_changes_makes_it_analyse_again(analyses, document, tmp_path):
    analyses.report(document)
    for text in ("int x;", "int y;"):
        (tmp_path / "h.h").write_text(text)
        analyses.report(document)
        analyses.report(document)
    assert analyses.count == 3


def test_short_documents_those_without_a_file_and_partial_results_are_not_remembered(analyses, document, tmp_path):
    for one in (evolve(document, text="x"), evolve(document, path=None)):
        analyses.report(one)
        analyses.report(one)
    assert not (tmp_path / "cache").exists()
    analyses.report(document, partial=True)
    analyses.report(document)
    assert analyses.count == 6


def test_a_cache_that_cannot_be_used_costs_nothing_but_time(analyses, document, tmp_path):
    (tmp_path / "cache").write_text("not a folder")
    assert analyses.report(document) == analyses.report(document) == Report((FINDING,))
    assert analyses.count == 2
    assert ["cannot be used" in told for told in analyses.told] == [True, True]  # once for each process
