"""What one unit of a client's column is: negotiated in the first message, so in a module that loads nothing."""

from enum import StrEnum


class Encoding(StrEnum):
    """What one unit of a column is."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"
