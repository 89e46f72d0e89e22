import pytest

from assay.features.settings import RaceSettings, Settings
from assay.features.structuring import SettingError, from_leaves, leaves, structure


def test_nothing_gives_the_defaults() -> None:
    assert structure({}) == Settings()


@pytest.mark.parametrize("key", ["max-file-size", "max_file_size", "maxFileSize"])
def test_keys_may_be_spelled_in_three_ways(key: str) -> None:
    assert structure({key: 5}).max_file_size == 5


def test_groups_are_nested() -> None:
    got = structure({"races": {"enabled": False, "includePaths": ["a"]}, "timeout": 3})
    assert got == Settings(timeout=3.0, races=RaceSettings(enabled=False, include_paths=("a",)))


def test_leaves_override_by_key() -> None:
    below, above = leaves({"races": {"defines": ["A"], "enabled": False}}), leaves({"races": {"defines": ["B"]}})
    assert from_leaves(below | above).races == RaceSettings(enabled=False, defines=("B",))


@pytest.mark.parametrize(
    ("raw", "key", "reason"),
    [
        ({"selct": []}, "selct", "did you mean `select`?"),
        ({"races": {"include-path": []}}, "races.include-path", "did you mean `races.include-paths`?"),
        ({"qqqqqqq": 1}, "qqqqqqq", "the settings are: select,"),
        ({"timeout": "3"}, "timeout", "must be a number, and is the string '3'"),
        ({"timeout": True}, "timeout", "must be a number, and is true"),
        ({"timeout": 0}, "timeout", "must be > 0, and is 0"),
        ({"timeout": 5000}, "timeout", "must be <= 3600, and is 5000"),
        ({"timeout": float("nan")}, "timeout", "must be > 0, and is nan"),
        ({"max-file-size": 1.5}, "max-file-size", "must be a whole number, and is the number 1.5"),
        ({"max-file-size": True}, "max-file-size", "must be a whole number, and is true"),
        ({"select": "race/*"}, "select", "must be a list of strings, and is the string 'race/*'"),
        ({"select": ["a", 3]}, "select", "must be a list of strings, and is the list ['a', 3]"),
        ({"select": None}, "select", "must be a list of strings, and is null"),
        ({"trust": {}}, "trust", "must be true or false, and is a table"),
        ({"races": 3}, "races", "must be a table of settings, and is the number 3"),
        ({"trust": True, "Trust": False}, "Trust", "is set twice"),
    ],
)
def test_each_mistake_has_its_message(raw, key: str, reason: str) -> None:
    with pytest.raises(SettingError) as caught:
        structure(raw)
    assert ".".join(caught.value.key) == key
    assert reason in caught.value.reason
