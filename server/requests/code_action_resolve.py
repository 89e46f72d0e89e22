"""``codeAction/resolve``: the edit of an action that was chosen."""

from attrs import evolve
from lsprotocol import types

from assay.server.actions import Origin, edit_of
from assay.server.session import Session


async def handle(session: Session, params: types.CodeAction) -> types.CodeAction:
    """Compute the edit for the version that the action was listed for, or answer ContentModified."""
    if params.data is None:
        return params
    return evolve(params, edit=await edit_of(session, Origin.of_json(params.data)))
