"""Find the installed features through the ``assay.features`` entry-point group."""

import logging
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from attrs import frozen

from assay.features.feature import Feature, Rule
from assay.features.suppressions import RULES as SUPPRESSION_RULES

GROUP = "assay.features"

_log = logging.getLogger(__name__)


@frozen
class Installed:
    """The features that loaded, ordered by name, and (entry point, reason) of those that did not."""

    features: tuple[Feature, ...]
    broken: tuple[tuple[str, str], ...]


@cache
def installed() -> Installed:
    """Load every installed feature once; one that cannot be loaded does not take the others with it."""
    found: list[Feature] = []
    broken: list[tuple[str, str]] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            found.append(_load(entry))
        except Exception as error:  # importing another distribution's code can fail in any way
            _log.warning("feature %s cannot be loaded", entry.name, exc_info=error)
            broken.append((f"{entry.name} = {entry.value}", f"{type(error).__name__}: {error}"))
    return Installed(tuple(sorted(found, key=lambda feature: feature.name)), tuple(broken))


def _load(entry: EntryPoint) -> Feature:
    return cast(Feature, entry.load())


def features() -> tuple[Feature, ...]:
    """Give every installed feature, ordered by name."""
    return installed().features


def for_language(language: str) -> tuple[Feature, ...]:
    """Give the features that handle a language."""
    return tuple(feature for feature in features() if language in feature.languages)


def languages() -> frozenset[str]:
    """Give every language that some feature handles."""
    return frozenset(language for feature in features() for language in feature.languages)


def rules() -> tuple[Rule, ...]:
    """Give every rule, those about suppression comments included, ordered by code."""
    own = (rule for feature in features() for rule in feature.rules)
    return tuple(sorted((*own, *SUPPRESSION_RULES), key=lambda rule: rule.code))
