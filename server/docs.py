"""Write the documentation pages that come from code: ``python -m assay.server.docs [--check]``.

The page of the commands comes from the parser, that of the settings from the schema and those of the rules from the
features, so none can say anything else than the program does; ``--check`` fails when a page in ``docs/`` has drifted.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_origin

from attrs import Attribute

from assay.features.feature import Rule
from assay.features.links import rule_slug
from assay.features.registry import rules
from assay.features.settings import walk
from assay.server.cli.main import parser
from assay.server.cli.reference import commands_page

_TYPES = {bool: "true or false", int: "whole number", float: "number", str: "string"}


def main(argv: list[str] | None = None) -> int:
    """Write the pages, or with ``--check`` only compare them; give 1 when one differs."""
    own = argparse.ArgumentParser(prog="python -m assay.server.docs", description="Write the generated pages.")
    own.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    own.add_argument("--folder", type=Path, default=Path("docs"), help="where the pages are (default: docs)")
    options = own.parse_args(argv)
    wanted = pages()
    stale = [name for name, text in wanted.items() if _read(options.folder / name) != text]
    leftover = [path for path in sorted(options.folder.glob("rules/*.md")) if f"rules/{path.name}" not in wanted]
    if options.check:
        for path in [*(options.folder / name for name in stale), *leftover]:
            sys.stderr.write(f"{path} is out of date. Run: python -m assay.server.docs\n")
        return 1 if stale or leftover else 0
    for name in stale:
        _write(options.folder / name, wanted[name])
    for path in leftover:
        path.unlink()
    return 0


def pages() -> dict[str, str]:
    """Give the text of every generated page by its path in ``docs/``; `rule_url` gives the addresses of the rules'."""
    listed = rules()
    return {
        "commands.md": commands_page(parser()),
        "settings.md": settings_page(walk()),
        "rules/README.md": rules_page(listed),
        **{f"rules/{rule_slug(rule.code)}.md": rule.page() for rule in listed},
    }


def settings_page(leaves: "Iterable[tuple[str, Attribute[Any]]]") -> str:
    """Describe every setting."""
    head = """# Settings

Settings stand in `assay.toml`, or under `[tool.assay]` in `pyproject.toml`; an editor sends them under `assay`.
The nearest file above a source file wins entirely, and `assay.toml` wins over `pyproject.toml` in one folder.
`extend = "../assay.toml"` takes what is not set here from another file. The command line and the editor win over
files.

Keys are written in kebab-case; editors may use camelCase. An unknown key or a wrong value is an error that names the
file and the line.
"""
    return head + "".join(_setting(key, attribute) for key, attribute in leaves)


def _setting(key: str, attribute: "Attribute[Any]") -> str:
    kind = "list of strings" if get_origin(attribute.type) is tuple else _TYPES[attribute.type or str]
    return f"\n## `{key}`\n\n{attribute.metadata['doc']}\n\nType: {kind}. Default: `{toml(attribute.default)}`.\n"


def toml(value: object) -> str:
    """Write a default as TOML would."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return str(value)


def rules_page(listed: Iterable[Rule]) -> str:
    """List every rule."""
    head = """# Rules

`assay explain CODE` shows the page of a rule. Rules are chosen with `select` and `ignore`, and a single finding is
silenced with a comment: `// assay: ignore[CODE] reason`.

| code | severity | what it means |
|---|---|---|
"""
    return head + "".join(
        f"| [{rule.code}]({rule_slug(rule.code)}.md) | {rule.severity} | {rule.summary} |\n" for rule in listed
    )


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
