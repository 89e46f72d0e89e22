"""Words that follow numbers, wherever something is counted for a person."""

_PLURALS = {"entry": "entries", "fix": "fixes", "information": "information"}


def counted(number: int, word: str) -> str:
    """Give a number with the word for what it counts: 1 finding, 2 findings."""
    return f"{number} {word if number == 1 else _PLURALS.get(word, word + 's')}"


def are(number: int) -> str:
    """Give the verb that goes with a number of things."""
    return "is" if number == 1 else "are"
