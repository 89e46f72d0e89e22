"""Turn parsed TOML or JSON into settings, with a message for every way it can be wrong.

Settings travel as flat {dotted kebab-case key: value} mappings, so that a later source overrides an earlier one
by the mapping's ``|``.  Written keys may be in kebab-case, snake_case or camelCase.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from attrs import Attribute, fields, has

from assay.features.nearest import nearest
from assay.features.settings import Settings, walk


class SettingError(ValueError):
    """A setting is wrong: `key` is its path as the user wrote it, the text says why and what to do."""

    def __init__(self, key: tuple[str, ...], reason: str) -> None:
        super().__init__(reason)
        self.key = key
        self.reason = reason


def structure(raw: Mapping[str, Any]) -> Settings:
    """Build settings from nested raw values; raise `SettingError` for the first mistake."""
    return from_leaves(leaves(raw))


def leaves(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Check raw settings and flatten them; raise `SettingError` for an unknown key or a wrong value."""
    flat: dict[str, Any] = {}
    for where, attribute, value in _pairs(Settings, raw, ()):
        key = ".".join(map(kebab, where))
        if key in flat:
            raise SettingError(where, "is set twice, in two spellings; keep one of them")
        flat[key] = _converted(attribute, value, where)
    return flat


def from_leaves(flat: Mapping[str, Any]) -> Settings:
    """Build settings from checked leaves; what is not given keeps its default."""
    built: Settings = _build(Settings, flat, "")
    return built


def _build(cls: Any, flat: Mapping[str, Any], prefix: str) -> Any:
    values: dict[str, Any] = {}
    for attribute in fields(cls):
        key = prefix + kebab(attribute.name)
        if attribute.type is not None and has(attribute.type):
            values[attribute.name] = _build(attribute.type, flat, key + ".")
        elif key in flat:
            values[attribute.name] = flat[key]
    return cls(**values)


_Leaf = tuple[tuple[str, ...], "Attribute[Any]", Any]


def _pairs(cls: type, raw: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[_Leaf]:
    known = {kebab(attribute.name): attribute for attribute in fields(cls)}
    for key, value in raw.items():
        where = (*path, key)
        attribute = known.get(kebab(key))
        if attribute is None:
            raise SettingError(where, _unknown(where, value))
        if attribute.type is None or not has(attribute.type):
            yield where, attribute, value
        elif isinstance(value, Mapping):
            yield from _pairs(attribute.type, value, where)
        else:
            raise SettingError(where, f"must be a table of settings, and is {_describe(value)}")


def _converted(attribute: "Attribute[Any]", value: Any, where: tuple[str, ...]) -> Any:
    converted = _typed(attribute.type, value, where)
    if attribute.validator is not None:
        try:
            attribute.validator(Settings, attribute, converted)
        except (TypeError, ValueError) as error:
            bound = re.search(r"must be (.*?): ", str(error))
            limit = bound[1] if bound else "another value"
            raise SettingError(where, f"must be {limit}, and is {value!r}") from error
    return converted


_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}


def _typed(kind: Any, value: Any, where: tuple[str, ...]) -> Any:
    if get_origin(kind) is tuple:
        if isinstance(value, list | tuple) and all(isinstance(item, get_args(kind)[0]) for item in value):
            return tuple(value)
        raise SettingError(where, f"must be a list of strings, and is {_describe(value)}")
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise SettingError(where, f"must be {_NAMES[kind]}, and is {_describe(value)}")


def kebab(key: str) -> str:
    """Give the spelling of a key in files, for any spelling of it."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"-\1", key).lower().replace("_", "-")


def _unknown(where: tuple[str, ...], value: Any) -> str:
    known = [key for key, _ in walk()]
    tables = list(dict.fromkeys(key.rpartition(".")[0] for key in known if "." in key))
    candidates = tables if isinstance(value, Mapping) else known
    near = " or ".join(f"`{key}`" for key in nearest(".".join(map(kebab, where)), candidates, cutoff=0.4))
    advice = f"did you mean {near}?" if near else f"the settings are: {', '.join(known)}"
    return f"is not a setting; {advice}"


def _describe(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the string {value!r:.60}"
        case int() | float():
            return f"the number {value!r:.60}"
        case list() | tuple():
            return f"the list {value!s:.60}"
    return "a table"
