"""Write what the VS Code extension takes from the program: ``python -m assay.server.vscode [--check]``.

The extension's settings come from the settings schema, its commands from the server's, and its languages and rules
from the features, so that the manifest cannot offer anything else than the program has.  The rest of
``package.json`` is written by hand and kept as it is.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_origin

from attrs import Attribute, frozen

from assay.features.feature import Rule
from assay.features.registry import languages, rules
from assay.features.settings import walk
from assay.server.capabilities import CARRY_OUT, COMMANDS, EXPLAIN
from assay.server.generated import Generated

MANIFEST = "package.json"
SCHEMA = "src/schema.ts"
CATEGORY = "Assay"

_TYPES: Mapping[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}
_BOUNDS = {">": "exclusiveMinimum", ">=": "minimum", "<": "exclusiveMaximum", "<=": "maximum"}


@frozen
class Command:
    """A command of the palette; one that `needs_server` is dimmed while no server runs."""

    id: str
    title: str
    needs_server: bool = False


SERVER_TITLES = {EXPLAIN: "Explain a Rule", CARRY_OUT: None}
"""What the palette calls each command of the server; None for those that only code actions can call."""

OWN_COMMANDS = (
    Command("assay.restart", "Restart Server"),
    Command("assay.showOutput", "Show Output"),
    Command("assay.showStatus", "Show Status"),
)
"""What the extension itself does."""

OWN_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "assay.path": {
        "type": "string",
        "default": "",
        "scope": "machine-overridable",
        "markdownDescription": "The `assay` program. `~`, `${workspaceFolder}`, `${workspaceFolder:NAME}`, "
        "`${userHome}` and `${env:NAME}` are understood. When empty, Assay is looked for in the workspace's virtual "
        "environment, then on the `PATH`.",
    },
    "assay.trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "description": "How much of the conversation with the server goes to the output channel.",
    },
}
"""Settings that the extension reads and the server does not."""

RESTRICTED = ("assay.path", "assay.trust")
"""Settings that a folder which is not trusted cannot set: which program runs, and whether the folder's code may."""


def files(folder: Path) -> dict[str, str]:
    """Give the text of every file with generated parts, by its name in the extension's folder."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    updated = with_contributions(manifest, sorted(languages()))
    return {
        MANIFEST: json.dumps(updated, indent=2, ensure_ascii=False) + "\n",
        SCHEMA: schema(sorted(languages()), walk(), rules()),
    }


def with_contributions(manifest: Mapping[str, Any], spoken: Iterable[str]) -> dict[str, Any]:
    """Give a manifest whose settings, commands, languages and restricted settings are those of the program."""
    capabilities = manifest["capabilities"]
    untrusted = {**capabilities["untrustedWorkspaces"], "restrictedConfigurations": list(RESTRICTED)}
    contributed = {"configuration": configuration(walk()), "commands": [_command(one) for one in commands()]}
    return {
        **manifest,
        "capabilities": {**capabilities, "untrustedWorkspaces": untrusted},
        "activationEvents": [f"onLanguage:{language}" for language in spoken],
        "contributes": {**manifest["contributes"], **contributed},
    }


def commands() -> tuple[Command, ...]:
    """Give the palette's commands: the extension's, then the server's."""
    served = ((name, SERVER_TITLES[name]) for name in COMMANDS)
    return (*OWN_COMMANDS, *(Command(name, title, needs_server=True) for name, title in served if title))


def _command(command: Command) -> dict[str, str]:
    shown = {"command": command.id, "title": command.title, "category": CATEGORY}
    return shown | ({"enablement": "assay.running"} if command.needs_server else {})


def configuration(leaves: "Iterable[tuple[str, Attribute[Any]]]") -> dict[str, Any]:
    """Give the manifest's settings: the extension's own, then those of the schema."""
    properties = {**OWN_SETTINGS, **{f"assay.{camel(key)}": _property(attribute) for key, attribute in leaves}}
    ordered = {key: {**value, "order": number} for number, (key, value) in enumerate(properties.items())}
    return {"title": "Assay", "properties": ordered}


def _property(attribute: "Attribute[Any]") -> dict[str, Any]:
    if get_origin(attribute.type) is tuple:
        kind: dict[str, Any] = {"type": "array", "items": {"type": "string"}, "default": list(attribute.default or ())}
    else:
        kind = {"type": _TYPES[attribute.type or str], "default": _number(attribute.default)}
    return {
        **kind,
        **_bounds(attribute.validator),
        "scope": "resource",
        "markdownDescription": attribute.metadata["doc"],
    }


def _number(value: Any) -> Any:
    """Write 10.0 as 10: npm does so too whenever it touches the manifest."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _bounds(validator: Any) -> dict[str, float]:
    """Give the limits that attrs' comparing validators set, as JSON schema says them."""
    parts = getattr(validator, "_validators", (validator,))
    return {_BOUNDS[part.compare_op]: part.bound for part in parts if hasattr(part, "compare_op")}


def camel(key: str) -> str:
    """Write a kebab-case key as editors do: ``races.include-paths`` is ``races.includePaths``."""
    head, *rest = key.split("-")
    return head + "".join(part.capitalize() for part in rest)


def schema(spoken: Iterable[str], leaves: "Iterable[tuple[str, Attribute[Any]]]", listed: Iterable[Rule]) -> str:
    """Give the TypeScript module of what the extension knows about the server."""
    known = [{"code": rule.code, "summary": rule.summary} for rule in listed]
    return (
        "// Generated from the program's schema by `python -m assay.server.vscode`; do not edit.\n\n"
        + _constant("LANGUAGES", "Languages that the server checks, by their VS Code identifier.", list(spoken))
        + _constant("SETTINGS", "The server's settings, without `assay.`.", [camel(key) for key, _ in leaves])
        + _constant("RULES", "The rules of the server that the extension was made with.", known)
    ).rstrip("\n") + "\n"


def _constant(name: str, doc: str, value: object) -> str:
    return f"/** {doc} */\nexport const {name} = {json.dumps(value, indent=2, ensure_ascii=False)} as const;\n\n"


GENERATED = Generated(
    "assay.server.vscode", "Write the generated parts of the VS Code extension.", Path("editors/vscode"), files
)

if __name__ == "__main__":
    sys.exit(GENERATED.main())
