"""Write the documentation pages that come from code: ``python -m assay.server.docs [--check]``.

The page of the commands comes from the parser, that of the settings from the schema and those of the rules from the
features, so none can say anything else than the program does; ``--check`` fails when a page in ``docs/`` has drifted.
"""

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
from assay.server.generated import Generated

_TYPES = {bool: "true or false", int: "whole number", float: "number", str: "string"}


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


GENERATED = Generated(
    "assay.server.docs", "Write the generated pages.", Path("docs"), lambda folder: pages(), owned="rules/*.md"
)

if __name__ == "__main__":
    sys.exit(GENERATED.main())
