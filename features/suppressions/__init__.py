"""Suppression comments: ``// assay: ignore[race/lost-update] reason``.

A comment silences findings on its own line, or on the next line when it stands alone; ``ignore-file`` near the
top silences the whole file.  A suppression is itself checked: it needs a reason, a known code, and a use.
"""

from assay.features.suppressions.edit import suppression_edit
from assay.features.suppressions.judge import RULES, Judged, judge
from assay.features.suppressions.parse import Suppression, parse

__all__ = ["RULES", "Judged", "Suppression", "judge", "parse", "suppression_edit"]
