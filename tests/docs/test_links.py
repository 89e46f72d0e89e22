"""Every link leads somewhere, every page can be reached, and every finding's address is a page."""

from pathlib import Path

import pytest
from documents import DOCS, DOCUMENTS, ROOT, anchors, links, name_of

from assay.features.feature import Rule
from assay.features.links import RULES_URL, SITE, rule_url
from assay.features.registry import rules
from assay.server.cli.main import main

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
every_rule = pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def page_at(address: str) -> Path:
    """Give the page that the site shows at an address: a folder shows its README."""
    assert address.startswith(SITE)
    inside = address.removeprefix(SITE)
    return DOCS / (inside + "README.md" if not inside or inside.endswith("/") else inside + ".md")


def targets(document: Path) -> list[Path]:
    """Give the files that a document links to."""
    return [(document.parent / target.partition("#")[0]).resolve() for target in links(read(document))]


@every_document
def test_links_lead_to_files(document: Path) -> None:
    paths = [target.partition("#")[0] for target in links(read(document))]
    assert [path for path in paths if path and not (document.parent / path).exists()] == []


@every_document
def test_links_into_pages_lead_to_headings(document: Path) -> None:
    lost = []
    for target in links(read(document)):
        path, _, anchor = target.partition("#")
        page = document.parent / path if path else document
        if anchor and anchor not in anchors(read(page)):
            lost.append(target)
    assert lost == []


def test_every_page_can_be_reached_from_the_index() -> None:
    seen, waiting = set(), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop()
        seen.add(page)
        waiting += [
            path for path in targets(page) if path.suffix == ".md" and DOCS in path.parents and path not in seen
        ]
    assert sorted(name_of(page) for page in DOCS.rglob("*.md") if page not in seen) == []


def test_the_readme_leads_to_the_index() -> None:
    assert DOCS / "README.md" in targets(ROOT / "README.md")


@every_rule
def test_the_address_that_a_finding_names_is_the_page_that_explain_shows(
    rule: Rule, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", rule.code]) == 0
    assert capsys.readouterr().out == read(page_at(rule_url(rule.code)))


@pytest.mark.parametrize("address", [SITE, RULES_URL])
def test_the_addresses_of_the_lists_are_pages(address: str) -> None:
    assert page_at(address).is_file()


def test_the_list_of_rules_leads_to_every_rule() -> None:
    assert set(targets(page_at(RULES_URL))) >= {page_at(rule_url(rule.code)) for rule in rules()}
