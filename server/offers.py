"""Offers of features as code actions, and back from what the client returns of them."""

from typing import Any

from lsprotocol import types

from assay.analyzers.findings import Span
from assay.features.feature import Offer
from assay.server import messages
from assay.server.capabilities import CARRY_OUT
from assay.server.documents import OpenDocument
from assay.server.protocol import ProtocolError


def action(offer: Offer, document: OpenDocument) -> types.CodeAction:
    """Give an offer as a code action that runs a command."""
    span = offer.span
    argument = {
        "uri": document.uri,
        "version": document.version,
        "feature": offer.feature,
        "title": offer.title,
        "kind": offer.kind,
        "span": [span.start.line, span.start.column, span.end.line, span.end.column],
        "data": dict(offer.data),
    }
    command = types.Command(offer.title, CARRY_OUT, arguments=[argument])
    return types.CodeAction(title=offer.title, kind=offer.kind, command=command, is_preferred=offer.preferred or None)


def read(argument: Any) -> tuple[str, int, Offer]:
    """Give (uri, version, offer) of the argument of a command; raises `ProtocolError` when it is not ours."""
    try:
        uri, version = argument["uri"], argument["version"]
        offer = Offer(argument["feature"], argument["title"], argument["kind"], Span.of(*argument["span"]))
        texts = (uri, offer.feature, offer.title, offer.kind, *argument["data"].keys(), *argument["data"].values())
        numbers = (version, *argument["span"])
    except (TypeError, KeyError, AttributeError) as error:
        raise _foreign() from error
    if not all(isinstance(text, str) for text in texts) or not all(type(number) is int for number in numbers):
        raise _foreign()
    return uri, version, Offer(offer.feature, offer.title, offer.kind, offer.span, dict(argument["data"]))


def _foreign() -> ProtocolError:
    return ProtocolError(messages.INVALID_PARAMS, "This command was not offered by Assay; ask for code actions again.")
