"""Race warnings: two threads touch one variable, at least one writes, and nothing orders them."""

from assay.features.races.feature import feature

__all__ = ["feature"]
