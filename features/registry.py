"""Find the installed features through the ``assay.features`` entry-point group."""

from functools import cache
from importlib.metadata import entry_points
from typing import cast

from assay.features.feature import Feature, Rule

GROUP = "assay.features"


@cache
def features() -> tuple[Feature, ...]:
    """Load every installed feature once, ordered by name."""
    found = [cast(Feature, entry.load()) for entry in entry_points(group=GROUP)]
    return tuple(sorted(found, key=lambda feature: feature.name))


def for_language(language: str) -> tuple[Feature, ...]:
    """Give the features that handle a language."""
    return tuple(feature for feature in features() if language in feature.languages)


def rules() -> tuple[Rule, ...]:
    """Give every rule of every feature, ordered by code."""
    return tuple(sorted((rule for feature in features() for rule in feature.rules), key=lambda rule: rule.code))
