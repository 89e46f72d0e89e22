"""What Assay knows about each source language besides its analysis: file names and comment syntax."""

from pathlib import PurePath

from attrs import frozen


@frozen
class Language:
    """A language by its LSP identifier.

    `suffixes` are the file names a folder search picks up.  `header_suffixes` are files that make sense only
    as a part of others: they are analysed inside the files that include them, and on their own only when named.
    """

    name: str
    suffixes: tuple[str, ...]
    header_suffixes: tuple[str, ...] = ()
    comments: str = "c"


LANGUAGES = (
    Language("c", (".c", ".i"), (".h",)),
    Language("python", (".py", ".pyi"), comments="hash"),
)


def language_of(path: PurePath) -> str | None:
    """Name the language of a file from its suffix, or None when no language claims it."""
    suffix = path.suffix.lower()
    for language in LANGUAGES:
        if suffix in language.suffixes or suffix in language.header_suffixes:
            return language.name
    return None


def is_header(path: PurePath) -> bool:
    """Tell whether a file is analysed only as a part of the files that include it."""
    return any(path.suffix.lower() in language.header_suffixes for language in LANGUAGES)


def comment_style(language: str) -> str:
    """Give the comment syntax of a language, ``c`` or ``hash``; unknown languages are taken to be C-like."""
    return next((known.comments for known in LANGUAGES if known.name == language), "c")
