"""Every error Assay raises on purpose.

A message says what happened, why, and what to do next; it is written for the person at the keyboard.
"""


class AssayError(Exception):
    """Base class: the front ends show its message without a traceback."""


class UsageError(AssayError):
    """The command or request was called in a way that cannot work. Correct the call as the message says."""


class SettingsError(AssayError):
    """A configuration file or editor setting is wrong. Correct the named key in the named file."""


class UnreadableError(AssayError):
    """A file could not be read as source text. Check that it exists, is readable and is text."""


class CancelledError(AssayError):
    """The work was cancelled because its result is no longer wanted. Nothing to do."""


class DeadlineError(AssayError):
    """The work used up its time. Raise the time limit in the settings, or check a smaller file."""


class LimitError(AssayError):
    """The input is larger than what can be analysed in bounded memory. Split it, or exclude it."""


class WorkerError(AssayError):
    """An analysis process died or gave no answer. It was replaced; retry, and report it if it repeats."""


class MissingToolError(AssayError):
    """A program or optional package that this command needs is not installed. Install what is named."""
