"""What the server says it can do, as the plain JSON of the ``initialize`` result.

Plain JSON, because the answer goes out before the protocol library is loaded.
"""

from typing import Any

from assay.server.client import Client
from assay.server.version import assay_version

EXPLAIN = "assay.explain"
"""Command: show a rule's page; its argument is the rule's code."""

CARRY_OUT = "assay.carryOut"
"""Command: carry out an offer; its argument is the object that the code action gave it."""

COMMANDS = (EXPLAIN, CARRY_OUT)
_INCREMENTAL = 2


def _text_document(client: Client) -> dict[str, Any]:
    actions: dict[str, Any] = {"codeActionKinds": ["quickfix", "refactor", "source"]}
    provided: dict[str, Any] = {
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL},
        "hoverProvider": True,
        "codeLensProvider": {"resolveProvider": False},
        "codeActionProvider": actions | ({"resolveProvider": True} if client.action_resolve else {}),
    }
    if client.pull:
        provided["diagnosticProvider"] = {
            "identifier": "assay",
            "interFileDependencies": True,
            "workspaceDiagnostics": False,
        }
    return provided


def initialize_result(client: Client) -> dict[str, Any]:
    """Give the result of ``initialize``: diagnostics are pulled where the client can pull, and pushed elsewhere."""
    folders = {"supported": True, "changeNotifications": True}
    capabilities = {
        "positionEncoding": client.encoding.value,
        **_text_document(client),
        "executeCommandProvider": {"commands": list(COMMANDS)},
        "workspace": {"workspaceFolders": folders},
    }
    return {"capabilities": capabilities, "serverInfo": {"name": "assay", "version": assay_version()}}
