"""Every method of the protocol that the server takes part in, and the module that handles it."""

from collections.abc import Callable, Coroutine
from typing import Any

from lsprotocol import types

from assay.server.notifications import (
    did_change,
    did_change_configuration,
    did_change_watched_files,
    did_change_workspace_folders,
    did_close,
    did_open,
    initialized,
    set_trace,
    work_done_progress_cancel,
)
from assay.server.notifications import exit as leave
from assay.server.requests import (
    code_action,
    code_action_resolve,
    code_lens,
    diagnostic,
    execute_command,
    hover,
    shutdown,
)
from assay.server.session import Session

METHODS: dict[str, Callable[[Session, Any], Coroutine[Any, Any, Any]]] = {
    types.CODE_ACTION_RESOLVE: code_action_resolve.handle,
    types.SHUTDOWN: shutdown.handle,
    types.TEXT_DOCUMENT_CODE_ACTION: code_action.handle,
    types.TEXT_DOCUMENT_CODE_LENS: code_lens.handle,
    types.TEXT_DOCUMENT_DIAGNOSTIC: diagnostic.handle,
    types.TEXT_DOCUMENT_HOVER: hover.handle,
    types.WORKSPACE_EXECUTE_COMMAND: execute_command.handle,
    types.EXIT: leave.handle,
    types.INITIALIZED: initialized.handle,
    types.SET_TRACE: set_trace.handle,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change.handle,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close.handle,
    types.TEXT_DOCUMENT_DID_OPEN: did_open.handle,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: work_done_progress_cancel.handle,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration.handle,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files.handle,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_workspace_folders.handle,
}
