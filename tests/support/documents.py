"""The project's documents as tests read them: which there are, their code blocks, headings, links and commands."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

_EDITORS = [path for path in (ROOT / "editors").rglob("README.md") if "node_modules" not in path.parts]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *_EDITORS, *(ROOT / "examples").glob("*.md")],
)
"""Every page that a person reads."""


def name_of(path: Path) -> str:
    """Give a page's path inside the repository, as a test's name."""
    return path.relative_to(ROOT).as_posix()


def blocks(text: str, language: str) -> list[str]:
    """Give the fenced code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def prose(text: str) -> str:
    """Give a page without its fenced code blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def links(text: str) -> list[str]:
    """Give the targets of the page's links and pictures that stay inside the repository."""
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)) if "://" not in target]


def anchors(text: str) -> set[str]:
    """Give the names under which a page's headings can be linked, made as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def shown_commands(text: str) -> Iterator[str]:
    """Give each ``assay ...`` that a page shows: in its text, as an indented line, in a script, in a workflow."""
    yield from re.findall(r"`(assay [^`]*)`", prose(text))
    yield from re.findall(r"^ {4}(?:\.venv/bin/)?(assay .*)$", prose(text), re.MULTILINE)
    for script in blocks(text, "(?:sh|bash|zsh|fish|yaml)"):
        yield from re.findall(r"(?:^ *|\$\(|run: )(assay [^\n)]*)", script, re.MULTILINE)
