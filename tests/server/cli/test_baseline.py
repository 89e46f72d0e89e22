"""Baselines: what is known is not reported, what is new is, and the file can be read by people and by git."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from assay.server.cli.main import main
from assay.server.configuration import settings_for

pytestmark = pytest.mark.usefixtures("fake_feature")
NAME = "assay-baseline.json"


@pytest.fixture
def run(project: Path, capsys):
    def call(*arguments: str):
        return main(["check", *arguments]), *capsys.readouterr()

    return call


@pytest.fixture
def codes(run):
    """Give the codes that a check with the baseline reports, and how many findings it knows."""

    def call(*arguments: str, baseline: str = NAME) -> tuple[list[str], int]:
        _, out, _ = run("--format", "json", "--baseline", baseline, *arguments)
        report = json.loads(out)
        return [one["code"] for one in report["findings"]], report["summary"]["baselined"]

    return call


def entries(path: str = NAME) -> list[dict]:
    return json.loads(Path(path).read_text())["findings"]


def test_what_is_in_the_baseline_is_not_reported(run, codes) -> None:
    Path("a.c").write_text("@find(fake/one)\n@find(fake/two)\n")
    status, out, err = run("--write-baseline")
    assert status == 0
    assert out.endswith("no findings, 2 in the baseline\n")
    assert f"{NAME} now holds 2 findings" in err
    assert codes() == ([], 2)
    Path("a.c").write_text("@find(fake/one)\n@find(fake/two)\n@find(fake/three)\n")
    assert codes() == (["fake/three"], 2)
    assert run("--baseline", NAME)[0] == 1


def test_findings_stay_known_while_other_lines_change(run, codes) -> None:
    Path("a.c").write_text("int a;\n  @find(fake/one)\nint b;\n")
    run("--write-baseline")
    Path("a.c").write_text("int c;\n\n\n\t@find(fake/one)\nint d;\n")
    assert codes() == ([], 1)
    Path("a.c").write_text("x @find(fake/one)\n")
    assert codes() == (["fake/one"], 0)


def test_equal_findings_are_counted(run, codes) -> None:
    Path("a.c").write_text("@find(fake/one)\n" * 2)
    run("--write-baseline")
    assert [one["count"] for one in entries()] == [2]
    Path("a.c").write_text("@find(fake/one)\n" * 3)
    assert codes() == (["fake/one"], 2)


def test_a_finding_in_another_file_is_another_one(run, codes) -> None:
    Path("a.c").write_text("@find(fake/one)\n")
    run("--write-baseline")
    Path("b.c").write_text("@find(fake/one)\n")
    assert codes() == (["fake/one"], 1)


def test_the_fingerprint_is_that_of_the_sarif_report(run) -> None:
    Path("a.c").write_text("@find(fake/one)\n")
    log = json.loads(run("--format", "sarif")[1])
    run("--write-baseline")
    assert [one["fingerprint"] for one in entries()] == [
        result["partialFingerprints"]["assay/v1"] for result in log["runs"][0]["results"]
    ]


def test_the_file_is_sorted_with_a_line_for_each_entry(run) -> None:
    for name in ("b", "a"):
        Path(f"{name}.c").write_text("@find(fake/two)\n@find(fake/one)\n")
    run("--write-baseline", "base.json")
    lines = Path("base.json").read_text().splitlines()
    assert lines[:2] == ["{", '  "version": 1,']
    assert [(one["path"], one["code"]) for one in entries("base.json")] == [
        ("a.c", "fake/one"), ("a.c", "fake/two"), ("b.c", "fake/one"), ("b.c", "fake/two"),
    ]  # fmt: skip
    assert sum('"fingerprint"' in line for line in lines) == 4
    before = Path("base.json").read_bytes()
    run("--write-baseline", "base.json")
    assert Path("base.json").read_bytes() == before


def test_it_holds_wherever_the_command_is_run(run, codes, monkeypatch) -> None:
    Path("sub").mkdir()
    Path("sub/a.c").write_text("@find(fake/one)\n")
    run("--write-baseline")
    monkeypatch.chdir("sub")
    assert codes(baseline=f"../{NAME}") == ([], 1)


def test_the_configuration_can_name_it(run, monkeypatch) -> None:
    Path("sub").mkdir()
    Path("sub/a.c").write_text("@find(fake/one)\n")
    Path("assay.toml").write_text('# ours\nbaseline = "known.json"\n')
    assert settings_for(Path("sub/a.c").absolute()).baseline == str(Path("known.json").absolute())
    status, _, err = run("sub")
    assert status == 2
    place, known = Path("assay.toml").absolute(), Path("known.json").absolute()
    assert err == (
        f"assay: {place}:2: `baseline` names {known}, which does not exist. "
        "Write it with `assay check --write-baseline`, or correct the path.\n"
    )
    monkeypatch.chdir("sub")
    assert "Use it with" not in run("--write-baseline")[2]
    assert run()[0] == 0
    assert run(str(Path("../sub").resolve()))[0] == 0


def test_a_missing_baseline_is_told_where_it_is_named(run) -> None:
    Path("a.c").write_text("@find(fake/one)\n")
    Path("base.toml").write_text('\n\nBaseline = "known.json"\n')
    Path("assay.toml").write_text('extend = "base.toml"\n')
    assert f"{Path('base.toml').absolute()}:3: `baseline` names" in run()[2]
    assert f"{Path('nope.json').absolute()}: there is no such baseline" in run("--baseline", "nope.json")[2]


def test_what_is_found_no_more_is_told_once(run) -> None:
    Path("a.c").write_text("@find(fake/one)\n@find(fake/two)\n")
    Path("b.c").write_text("@find(fake/one)\n")
    run("--write-baseline")
    Path("a.c").write_text("@find(fake/one)\n")
    Path("b.c").unlink()
    status, _, err = run("--baseline", NAME)
    assert (status, err.count("\n")) == (0, 1)
    assert f"2 entries of {NAME} are found no more" in err
    assert run("--baseline", NAME, "--quiet")[2] == ""


def test_what_was_not_looked_for_is_not_called_stale(run) -> None:
    Path("a.c").write_text("@find(fake/one)\n")
    Path("b.c").write_text("@find(fake/one)\n")
    run("--write-baseline")
    assert run("a.c", "--baseline", NAME)[2] == ""
    assert run("--select", "fake/two", "--baseline", NAME)[2] == ""
    Path("b.c").write_text("@crash\n")
    assert run("--baseline", NAME)[2] == ""


def test_files_that_were_not_checked_keep_their_entries(run) -> None:
    for name in ("a", "b", "c"):
        Path(f"{name}.c").write_text("@find(fake/one)\n")
    run("--write-baseline")
    Path("a.c").write_text("@find(fake/two)\n")
    Path("c.c").unlink()
    run("a.c", "--write-baseline")
    assert [(one["path"], one["code"]) for one in entries()] == [("a.c", "fake/two"), ("b.c", "fake/one")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not valid JSON"),
        ("[]", "this is not a baseline"),
        ('{"findings": {}}', "this is not a baseline"),
        ('{"version": 2, "findings": []}', "has version 2, and this Assay reads 1"),
        ('{"version": 1, "findings": [{"path": "a.c"}]}', "entry 1 of the baseline is damaged"),
        ('{"version": true, "findings": []}', "the baseline has version True"),
        (
            '{"version": 1, "findings": [{"path": "a.c", "code": "x/y", "fingerprint": "0", "count": -1}]}',
            "entry 1 of the baseline is damaged",
        ),
        ('{"version": 1, "findings": [3]}', "entry 1 of the baseline is damaged"),
        ("[" * 100_000, "is not valid JSON"),
    ],
)
def test_a_damaged_baseline_is_one_clear_line(run, text: str, words: str) -> None:
    Path("a.c").write_text("@find(fake/one)\n")
    Path(NAME).write_text(text)
    status, out, err = run("--baseline", NAME)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{NAME}: " in err
    assert words in err


@pytest.mark.parametrize("name", ["a.c", "sub", "other.json", "new.c"])
def test_nothing_but_a_baseline_is_ever_overwritten(run, name: str) -> None:
    Path("a.c").write_text("@find(fake/one)\n")
    Path("sub").mkdir()
    Path("other.json").write_text('{"mine": 1}')
    status, out, err = run("--write-baseline", name)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "Write the paths to check before --write-baseline" in err
    assert Path("a.c").read_text() == "@find(fake/one)\n"
    assert Path("other.json").read_text() == '{"mine": 1}'
    assert not Path("new.c").exists()


@pytest.mark.parametrize("option", ["--since=HEAD", "--pre-commit", "--select=fake/one", "--ignore=fake/one"])
def test_a_baseline_of_a_part_is_refused(run, option: str) -> None:
    status, out, err = run("--write-baseline", "x.json", option)
    assert (status, out) == (2, "")
    assert option.partition("=")[0] in err
    assert not Path("x.json").exists()


def test_the_json_report_with_known_findings_is_valid(run) -> None:
    from importlib import resources

    schema = json.loads(resources.files("assay.server.reports").joinpath("report.schema.json").read_text())
    Path("a.c").write_text("@find(fake/one)\n")
    run("--write-baseline")
    Draft202012Validator(schema).validate(json.loads(run("--format", "json", "--baseline", NAME)[1]))


def test_an_entry_whose_path_cannot_be_looked_at_is_kept(run, project: Path) -> None:
    Path("a.c").write_text("int x;\n")
    entry = {"path": "a" * 300 + ".c", "code": "fake/one", "fingerprint": "f", "count": 1}
    Path(NAME).write_text(json.dumps({"version": 1, "findings": [entry]}))
    assert run("--baseline", NAME, "-q", "a.c")[0] == 0
    assert run("-q", "a.c", "--write-baseline")[0] == 0
    assert json.loads(Path(NAME).read_text())["findings"] == [entry]
