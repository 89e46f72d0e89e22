import json
import tomllib
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from attrs import fields

from assay.features.registry import rules
from assay.features.settings import Settings, walk
from assay.server import vscode
from assay.server.capabilities import COMMANDS
from assay.server.preferences import CLIENT_KEYS

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
PROPERTIES = MANIFEST["contributes"]["configuration"]["properties"]


def test_the_extension_in_the_repository_is_as_the_code_says() -> None:
    assert vscode.GENERATED.main(["--check", "--folder", str(EXTENSION)]) == 0


def test_drift_is_told_and_then_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copytree(EXTENSION, tmp_path / "vscode", ignore=ignore_patterns("node_modules", "dist"))
    (folder / "src" / "schema.ts").unlink()
    (folder / "package.json").write_text(json.dumps({**MANIFEST, "contributes": {"commands": [], "menus": {}}}))
    assert vscode.GENERATED.main(["--check", "--folder", str(folder)]) == 1
    told = capsys.readouterr().err
    assert "package.json is out of date" in told
    assert "schema.ts is out of date" in told
    assert vscode.GENERATED.main(["--folder", str(folder)]) == 0
    assert vscode.GENERATED.main(["--check", "--folder", str(folder)]) == 0
    repaired = json.loads((folder / "package.json").read_text(encoding="utf-8"))["contributes"]
    assert repaired == {**MANIFEST["contributes"], "menus": {}}


def test_every_setting_of_the_schema_is_offered_in_camel_case() -> None:
    assert [key for key in PROPERTIES if key not in vscode.OWN_SETTINGS] == [
        "assay." + vscode.camel(key) for key, _ in walk()
    ]
    assert "assay.races.includePaths" in PROPERTIES


def test_a_setting_has_its_type_default_and_limits() -> None:
    shown = {name: PROPERTIES["assay.timeout"].get(name) for name in ("type", "default", "exclusiveMinimum", "maximum")}
    assert shown == {"type": "number", "default": 10, "exclusiveMinimum": 0, "maximum": 3600}
    assert PROPERTIES["assay.select"]["items"] == {"type": "string"}
    assert PROPERTIES["assay.trust"]["markdownDescription"] == fields(Settings).trust.metadata["doc"]


def test_the_extensions_own_settings_are_known_to_the_server_as_such() -> None:
    assert {key.split(".")[1] for key in vscode.OWN_SETTINGS} <= CLIENT_KEYS


def test_every_command_of_the_server_is_offered_or_internal() -> None:
    assert set(vscode.SERVER_TITLES) == set(COMMANDS)
    offered = [command["command"] for command in MANIFEST["contributes"]["commands"]]
    assert "assay.explain" in offered
    assert "assay.carryOut" not in offered


def test_a_folder_without_trust_cannot_say_what_runs() -> None:
    untrusted = MANIFEST["capabilities"]["untrustedWorkspaces"]
    assert untrusted["supported"] == "limited"
    assert {"assay.path", "assay.trust"} <= set(untrusted["restrictedConfigurations"]) <= set(PROPERTIES)


def test_every_rule_can_be_picked() -> None:
    text = (EXTENSION / "src" / "schema.ts").read_text(encoding="utf-8")
    assert all(f'"code": "{rule.code}"' in text for rule in rules())


def test_the_extension_has_the_version_of_the_program() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert MANIFEST["version"] == project["version"]
