"""The one settings schema: configuration files, editor settings and their documentation come from it.

In ``pyproject.toml`` the settings stand under ``[tool.assay]``, in ``assay.toml`` at the top level, in an
editor under ``assay``.  Keys are written in kebab-case in files; editors may use either form.
"""

from typing import Any

from attrs import Attribute, Factory, field, fields, frozen, has, validators


def _setting(default: Any, doc: str, **options: Any) -> Any:
    return field(default=default, metadata={"doc": doc}, **options)


def _strings(doc: str) -> Any:
    return _setting(
        (),
        doc,
        validator=validators.deep_iterable(validators.instance_of(str), validators.instance_of(tuple)),
    )


@frozen
class RaceSettings:
    """Race warnings (``[tool.assay.races]``)."""

    enabled: bool = _setting(True, "Report data races.", validator=validators.instance_of(bool))
    code_lens: bool = _setting(
        True,
        "Show above each shared variable what guards it, in editors that have code lenses.",
        validator=validators.instance_of(bool),
    )
    defines: tuple[str, ...] = _strings("C preprocessor definitions that hold in every file, as NAME or NAME=VALUE.")
    include_paths: tuple[str, ...] = _strings(
        "Folders, relative to the configuration file, in which `#include` looks after the file's own folder."
    )


@frozen
class Settings:
    """Everything a user can configure; the defaults work without any configuration."""

    select: tuple[str, ...] = _strings("Rule codes to report, as patterns such as `race/*`; empty means every rule.")
    ignore: tuple[str, ...] = _strings("Rule codes never to report, as patterns; wins over `select`.")
    exclude: tuple[str, ...] = _strings(
        "Files and folders to leave out, as .gitignore patterns relative to the configuration file."
    )
    baseline: str = _setting(
        "",
        "A file of findings that are not reported, relative to the configuration file; "
        "`assay check --write-baseline` writes it.",
        validator=validators.instance_of(str),
    )
    timeout: float = _setting(
        10.0,
        "Seconds of analysis for one file before it stops with a partial result.",
        converter=float,
        validator=[validators.gt(0), validators.le(3600)],
    )
    max_file_size: int = _setting(
        2_000_000,
        "Files with more bytes than this are skipped, and the report says so.",
        validator=[validators.instance_of(int), validators.gt(0)],
    )
    trust: bool = _setting(
        False,
        "Allow features that run the project's code, in the sandbox. Opening or checking a file never does.",
        validator=validators.instance_of(bool),
    )
    races: RaceSettings = Factory(RaceSettings)


def walk(cls: type = Settings, prefix: str = "") -> list[tuple[str, "Attribute[Any]"]]:
    """List every leaf setting as (dotted kebab-case key, attribute), in the order of the schema."""
    leaves: list[tuple[str, Attribute[Any]]] = []
    for attribute in fields(cls):
        key = prefix + attribute.name.replace("_", "-")
        if attribute.type is not None and has(attribute.type):
            leaves += walk(attribute.type, key + ".")
        else:
            leaves.append((key, attribute))
    return leaves
