import os
from pathlib import Path

import pytest

from assay.analyzers.errors import SettingsError
from assay.features.settings import Settings
from assay.server.configuration import Configurations, Overrides, settings_for


@pytest.fixture(autouse=True)
def tree(project: Path) -> Path:
    return project


def write(name: str, text: str) -> Path:
    path = Path(name).absolute()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def error(text: str, name: str = "assay.toml") -> str:
    path = write(name, text)
    with pytest.raises(SettingsError) as caught:
        Configurations().for_file(path.parent / "x.c")
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path))


def test_without_a_file_the_defaults_hold() -> None:
    assert settings_for(Path("x.c")) == Settings()
    assert settings_for(None) == Settings()


def test_the_nearest_file_wins_entirely() -> None:
    write("assay.toml", "timeout = 3\nignore = ['race/*']\n")
    write("sub/pyproject.toml", "[tool.assay]\ntimeout = 4\n")
    assert settings_for(Path("x.c")).timeout == 3
    assert settings_for(Path("sub/deep/x.c")) == Settings(timeout=4)


def test_assay_toml_wins_in_one_folder() -> None:
    write("assay.toml", "timeout = 3\n")
    write("pyproject.toml", "[tool.assay]\ntimeout = 4\n")
    assert settings_for(Path("x.c")).timeout == 3


def test_a_pyproject_without_our_table_is_passed_over() -> None:
    write("pyproject.toml", "[tool.assay]\ntimeout = 4\n")
    write("sub/pyproject.toml", "[tool.other]\n")
    assert settings_for(Path("sub/x.c")).timeout == 4


def test_overrides_win_and_may_be_camel_case() -> None:
    write("assay.toml", "timeout = 3\nmax-file-size = 10\n")
    assert settings_for(Path("x.c"), {"maxFileSize": 20}) == Settings(timeout=3, max_file_size=20)


def test_a_wrong_override_names_its_source() -> None:
    with pytest.raises(SettingsError, match="the editor's settings: `maxFileSize` must be a whole number"):
        settings_for(None, {"maxFileSize": "x"})


def test_include_paths_are_made_absolute() -> None:
    write("conf/assay.toml", "[races]\ninclude-paths = ['inc', '/usr/x']\n")
    here = Path("conf").absolute()
    assert settings_for(Path("conf/sub/x.c")).races.include_paths == (str(here / "inc"), "/usr/x")


def test_extend_takes_the_rest_from_another_file() -> None:
    write("base/assay.toml", "timeout = 3\nexclude = ['gen']\n[races]\ndefines = ['A']\ninclude-paths = ['inc']\n")
    write("sub/assay.toml", "extend = '../base/assay.toml'\ntimeout = 5\n")
    got = Configurations().for_file(Path("sub/x.c"))
    assert (got.settings.timeout, got.settings.races.defines) == (5, ("A",))
    assert got.settings.races.include_paths == (str(Path("base/inc").absolute()),)
    assert got.exclusions[0].root == Path("base").absolute()


def test_a_changed_file_is_read_again_and_so_is_what_it_extends() -> None:
    base = write("base.toml", "timeout = 3\n")
    write("assay.toml", "extend = 'base.toml'\n")
    one = Configurations()
    assert one.for_file(Path("x.c")).settings.timeout == 3
    base.write_text("timeout = 4.25\n")
    os.utime(base, ns=(1, 1))
    assert one.for_file(Path("x.c")).settings.timeout == 4.25
    Path("assay.toml").unlink()
    assert one.for_file(Path("x.c")).settings == Settings()


def test_an_explicit_file_holds_everywhere() -> None:
    write("assay.toml", "timeout = 3\n")
    write("other/special.toml", "timeout = 7\n")
    one = Configurations(Overrides(), Path("other/special.toml"))
    assert one.for_file(Path("x.c")).settings.timeout == 7


def test_an_explicit_file_must_exist_and_have_settings() -> None:
    with pytest.raises(SettingsError, match=r"nope\.toml: the settings cannot be read.*does not exist"):
        Configurations(explicit=Path("nope.toml")).for_file(Path("x.c"))
    write("pyproject.toml", "[project]\n")
    with pytest.raises(SettingsError, match=r"no Assay settings in it"):
        Configurations(explicit=Path("pyproject.toml")).for_file(Path("x.c"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# c\n\nselct = []\n", ":3: `selct` is not a setting; did you mean `select`?"),
        ("# a\u2028b\x85c\nselct = []\n", ":2: `selct` is not a setting"),
        ("# a\u2028b\x85c\nselect = [\n", ":2: this is not valid TOML"),
        ("timeout = 'x'\n", ":1: `timeout` must be a number, and is the string 'x'."),
        ("[races]\n\nenabled = 1\n", ":3: `races.enabled` must be true or false, and is the number 1."),
        ("races = {enabled = 1}\n", ":1: `races.enabled` must be true or false"),
        ("races.enabled = 1\n", ":1: `races.enabled` must be true or false"),
        ("races = 4\n", ":1: `races` must be a table of settings"),
        ("extend = 3\n", ":1: `extend` must be the path of another configuration file."),
        ("extend = 'nope.toml'\n", "which is not a file; correct the path."),
        ("extend = 'assay.toml'\n", "break the circle."),
    ],
)
def test_each_mistake_names_file_line_and_key(text: str, message: str) -> None:
    assert message in error(text)


def test_a_mistake_in_pyproject_names_its_line() -> None:
    text = '[project]\nname = "x"\ntimeout = "no"\n\n[tool.other]\ntimeout = "no"\n\n[tool.assay]\ntimeout = "yes"\n'
    assert error(text, "pyproject.toml").startswith(":9: `timeout` must be a number")
    assert error("[tool]\nassay = 3\n", "pyproject.toml").startswith(":2: `assay` must be a table")


def test_invalid_toml_is_told_with_its_place() -> None:
    assert "not valid TOML" in error("a = [\n")
    assert error("a b\n").startswith(":1: this is not valid TOML: Expected '='")
    assert error("a = 1\nb = [\n1,\n").startswith(":3: this is not valid TOML: ")
    assert error("timeout = 1\ntimeout = 2\n").startswith(":2: this is not valid TOML: this key is set twice.")
    assert error("[races]\n\n[races]\n").startswith(":3: this is not valid TOML: this table is there twice.")


def test_tables_of_pyproject_are_not_taken_for_settings_and_the_other_way_round() -> None:
    assert error("[tool.assay]\ntimeout = 1\n") == (
        ":1: `tool.assay` is not needed in assay.toml; write the settings at the top level."
    )
    assert error("\n[assay]\n").startswith(":2: `assay` is not needed in assay.toml")
    Path("assay.toml").unlink()
    write("pyproject.toml", "[project]\n[assay]\ntimeout = 1\n")
    with pytest.raises(SettingsError, match=r"toml:2: `assay` is no table .* stand under `\[tool\.assay\]`"):
        settings_for(Path("x.c"))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize(("name", "head"), [("assay.toml", b"# x"), ("pyproject.toml", b"[tool.assay]")])
def test_the_line_is_right_with_every_line_end_and_mark(mark: bytes, end: bytes, name: str, head: bytes) -> None:
    Path(name).write_bytes(mark + end.join([head, b"ignore = []", b"timeot = 1", b""]))
    with pytest.raises(SettingsError, match=rf"{name}:3: `timeot` is not a setting; did you mean `timeout`\?"):
        settings_for(Path("x.c"))


def test_a_wrong_table_is_compared_with_tables_and_a_key_with_keys() -> None:
    assert error("[race]\nenabled = true\n") == ":1: `race` is not a setting; did you mean `races`?"
    assert error("[races]\ntimeot = 1\n") == ":2: `races.timeot` is not a setting; did you mean `timeout`?"


def test_the_baseline_is_found_from_the_file_that_names_it() -> None:
    write("conf/assay.toml", "baseline = 'known.json'\n")
    assert settings_for(Path("conf/sub/x.c")).baseline == str(Path("conf/known.json").absolute())


@pytest.mark.parametrize("name", ["assay.toml", "pyproject.toml"])
@pytest.mark.parametrize(
    ("data", "place"),
    [
        ("# \n# naïve\n".encode("latin-1"), "2: byte 8 of the file (0xef)"),
        (b"\xef\xbb\xbf# \r\n\xe9 = 1\r\n", "2: byte 8 of the file (0xe9)"),
        ("select = []\n".encode("utf-16"), "1: byte 1 of the file (0xff)"),
        ("select = []\n".encode("utf-16-le"), "1: byte 2 of the file (0x00)"),
    ],
)
def test_a_file_that_is_not_utf8_is_told_with_the_place(name: str, data: bytes, place: str) -> None:
    path = Path(name).absolute()
    path.write_bytes(data)
    with pytest.raises(SettingsError) as caught:
        settings_for(Path("x.c"))
    assert str(caught.value) == f"{path}:{place} is not UTF-8 text, as settings must be. Save the file as UTF-8."


def test_a_huge_file_is_told() -> None:
    assert "bytes, more than" in error("#" * 1_100_000)


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 5000 + "]" * 5000, "x = " + "{a=" * 5000 + "1" + "}" * 5000, "x = " + "1" * 5000]
)
def test_values_too_deep_or_too_long_to_be_read_are_told(text: str) -> None:
    assert "too long or too deep" in error(text)
