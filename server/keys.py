"""What a stored report depends on: the command line and the editor share a cache, so they must agree on its key."""

import json
from functools import cache
from pathlib import Path

from attrs import evolve

from assay.features.codec import converter
from assay.features.settings import Settings
from assay.server.cache import digest, key_of


def report_key(code: str, settings: Settings, language: str, path: Path, text: str) -> bytes:
    """Give the key of a document's report; `code` is the fingerprint of the program that makes it."""
    return key_of(code, settings_digest(settings), language, str(path), digest(text))


@cache
def settings_digest(settings: Settings) -> str:
    """Name the settings a report depends on: all but those that only choose files or findings."""
    return digest(json.dumps(converter().unstructure(evolve(settings, exclude=(), baseline="")), sort_keys=True))
