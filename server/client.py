"""What the client can do, read tolerantly from the ``initialize`` request.

Only the abilities that change Assay's behaviour are kept.  A capability of the wrong type counts as missing: an
editor that overstates or misspells one must not lose the others.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from assay.server.encoding import Encoding


def _dig(raw: Any, path: str) -> Any:
    for key in path.split("."):
        raw = raw.get(key) if isinstance(raw, Mapping) else None
    return raw


class Client(NamedTuple):
    """The client's side of the conversation.

    `folders` are (uri, name) pairs; `options` are its ``initializationOptions``.  A client that `shows_pages` shows
    the Markdown that ``assay.explain`` gives, so the server opens nothing; one that `shows_messages` puts the
    diagnostics' own messages into its hovers, so the server does not repeat them.
    """

    encoding: Encoding = Encoding.UTF16
    process_id: int | None = None
    folders: tuple[tuple[str, str], ...] = ()
    options: Mapping[str, Any] = MappingProxyType({})
    trace: str = "off"
    pull: bool = False
    pull_refresh: bool = False
    configuration: bool = False
    watch_configuration: bool = False
    watch_files: bool = False
    progress: bool = False
    show_document: bool = False
    shows_pages: bool = False
    shows_messages: bool = False
    apply_edit: bool = False
    versioned_edits: bool = False
    action_literals: bool = False
    action_resolve: bool = False
    markdown_hover: bool = False


def _encoding(raw: Any) -> Encoding:
    offered = _dig(raw, "general.positionEncodings")
    known = {encoding.value for encoding in Encoding}
    for name in offered if isinstance(offered, list) else ():
        if isinstance(name, str) and name in known:
            return Encoding(name)
    return Encoding.UTF16


def _flags(raw: Any) -> dict[str, bool]:
    action = "textDocument.codeAction."
    resolvable = _dig(raw, action + "resolveSupport.properties")
    formats = _dig(raw, "textDocument.hover.contentFormat")
    return {
        "pull": isinstance(_dig(raw, "textDocument.diagnostic"), Mapping),
        "pull_refresh": _dig(raw, "workspace.diagnostics.refreshSupport") is True,
        "configuration": _dig(raw, "workspace.configuration") is True,
        "watch_configuration": _dig(raw, "workspace.didChangeConfiguration.dynamicRegistration") is True,
        "watch_files": _dig(raw, "workspace.didChangeWatchedFiles.dynamicRegistration") is True,
        "progress": _dig(raw, "window.workDoneProgress") is True,
        "shows_pages": _dig(raw, "experimental.assay.showsPages") is True,
        "shows_messages": _dig(raw, "experimental.assay.showsMessages") is True,
        "show_document": _dig(raw, "window.showDocument.support") is True,
        "apply_edit": _dig(raw, "workspace.applyEdit") is True,
        "versioned_edits": _dig(raw, "workspace.workspaceEdit.documentChanges") is True,
        "action_literals": isinstance(_dig(raw, action + "codeActionLiteralSupport"), Mapping),
        "action_resolve": isinstance(resolvable, list) and "edit" in resolvable,
        "markdown_hover": not isinstance(formats, list) or "markdown" in formats,
    }


def _folders(params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    folders = params.get("workspaceFolders")
    if isinstance(folders, list):
        pairs = [(_dig(folder, "uri"), _dig(folder, "name")) for folder in folders]
        return tuple((uri, str(name or uri)) for uri, name in pairs if isinstance(uri, str))
    root = params.get("rootUri")
    return ((root, root),) if isinstance(root, str) else ()


def problem(params: Any) -> str | None:
    """Say what makes the params of ``initialize`` unusable; None when they can be read."""
    if not isinstance(params, Mapping):
        return "The params of initialize must be an object."
    if not isinstance(params.get("capabilities"), Mapping):
        return "initialize must carry the client's capabilities as an object."
    process_id = params.get("processId")
    if process_id is not None and (isinstance(process_id, bool) or not isinstance(process_id, int)):
        return "The processId of initialize must be an integer or null."
    return None


def read(params: Mapping[str, Any]) -> Client:
    """Give what usable params of ``initialize`` say."""
    raw, options = params["capabilities"], params.get("initializationOptions")
    return Client(
        encoding=_encoding(raw),
        process_id=params.get("processId"),
        folders=_folders(params),
        options=options if isinstance(options, Mapping) else {},
        trace=str(params.get("trace", "off")),
        **_flags(raw),
    )
