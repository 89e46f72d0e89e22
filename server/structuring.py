"""Turn the JSON of params into the protocol's types, strictly, and those types into JSON.

The library's converter accepts anything that can be made into a string or a number (a URI of ``null`` becomes the
text "None"); a request like that is answered with ``InvalidParams`` instead.
"""

import re
from typing import Any

import cattrs
from cattrs.errors import BaseValidationError
from lsprotocol import converters, types

from assay.analyzers.errors import UsageError


def _exactly(kind: type) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if type(value) is kind:
            return value
        raise TypeError(f"must be {kind.__name__}, not {type(value).__name__}")

    return structure


def converter() -> cattrs.Converter:
    """Give the protocol's converter, made strict about text, numbers and truth values."""
    made = converters.get_converter()
    for kind in (str, int, bool):
        made.register_structure_hook(kind, _exactly(kind))
    return made


def params_type(method: str) -> Any | None:
    """Give the class of a method's params; None when it has none."""
    return types.METHOD_TO_TYPES[method][2]


def structure_params(made: cattrs.Converter, method: str, params: Any) -> Any:
    """Give the params of a known method as its class; raises `UsageError` that says what is wrong."""
    kind = params_type(method)
    if kind is None:
        return None
    try:
        return made.structure({} if params is None else params, kind)
    except (BaseValidationError, TypeError, ValueError, KeyError, AttributeError) as error:
        raise UsageError(f"The params of `{method}` are not valid: {_explain(error)}.") from error


def _explain(error: Exception) -> str:
    if isinstance(error, BaseValidationError):
        return "; ".join(map(_as_sent, cattrs.transform_error(error)))[:500]
    return f"{type(error).__name__}: {error}"[:500]


def _as_sent(complaint: str) -> str:
    """Write the path in a complaint with the protocol's names: ``$.text_document.uri`` was sent as ``textDocument``."""
    what, at, path = complaint.partition(" @ ")
    return what + at + re.sub(r"_([a-z])", lambda found: found[1].upper(), path)
