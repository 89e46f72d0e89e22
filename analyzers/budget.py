"""Bounded work: a deadline and a cancellation that long loops ask about."""

import time
from collections.abc import Callable

from attrs import field, frozen

from assay.analyzers.errors import CancelledError, DeadlineError


def _never() -> bool:
    return False


@frozen
class Budget:
    """How long a piece of work may go on.

    `deadline` is a `time.monotonic` value in seconds, or None for no limit; `cancelled` is asked at each check.
    """

    deadline: float | None = None
    cancelled: Callable[[], bool] = field(default=_never)

    @classmethod
    def seconds(cls, seconds: float, cancelled: Callable[[], bool] = _never) -> "Budget":
        """Give a budget that ends `seconds` from now."""
        return cls(time.monotonic() + seconds, cancelled)

    def check(self) -> None:
        """Raise `CancelledError` or `DeadlineError` when the work must stop."""
        if self.cancelled():
            raise CancelledError("The analysis was cancelled because a newer request replaced it.")
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlineError(
                "The analysis reached its time limit, so its result is partial. Raise `assay.timeout` to wait longer."
            )
