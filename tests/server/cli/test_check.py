"""``assay check`` from outside: status, streams, bad input, cache, selection."""

import json
import os
import socket
from importlib import resources
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from assay.server.cli.main import main

SCHEMA = json.loads(resources.files("assay.server.reports").joinpath("report.schema.json").read_text())
ONE = "int x;\n@find(fake/one)\n"


def write(**files: str | bytes) -> None:
    for name, content in files.items():
        path = Path(name.replace("__", "/").replace("_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture
def check(fake_feature, project: Path, capsys):
    """Check in this process with JSON output; give (status, report, errors)."""

    def run(*arguments: str):
        status = main(["check", "--format", "json", *arguments])
        out, err = capsys.readouterr()
        report = json.loads(out) if out else None
        if report is not None:
            Draft202012Validator(SCHEMA).validate(report)
        return status, report, err

    return run


def skipped(report) -> dict[str, str]:
    return {one["path"]: one["reason"] for one in report["skipped"]}


def without_time(report):
    return {**report, "summary": {**report["summary"], "seconds": 0}}


def test_clean_is_0_findings_are_1_a_missing_path_is_2(check) -> None:
    write(a_c="int x;\n")
    assert check()[0] == 0
    write(b_c=ONE)
    assert check()[0] == 1
    status, report, err = check(".", "nope.c")
    assert (status, len(report["findings"]), err) == (2, 1, "")
    assert "does not exist" in skipped(report)["nope.c"]


def test_an_unreadable_path_is_fatal_only_when_it_was_named(check) -> None:
    write(a_c=ONE)
    os.mkfifo("pipe.c")
    assert check(".")[0] == 1
    assert check("pipe.c")[0] == 2


def test_every_kind_of_bad_input_gives_one_line_and_the_rest_is_checked(check, monkeypatch, project) -> None:
    write(
        good_c=ONE, binary_c=b"\x7fELF\0\0", empty_c="", big_c=b"x" * 10_000_000, latin_c=b"// caf\xe9\n@find(fake/two)"
    )
    write(utf16_c="@find(fake/two)".encode("utf-16"), bom_c=b"\xef\xbb\xbf@find(fake/two)", half_c=b"\xff\xfea")
    write(dir_c__inner_c="")
    os.mkfifo("pipe.c")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket.c")
    Path("loop.c").symlink_to("loop.c")
    Path("lost.c").symlink_to("nowhere")
    Path("up").symlink_to(".")
    Path(os.fsdecode(b"caf\xe9.c")).write_text("@find(fake/three)")
    status, report, err = check()
    assert (status, err) == (1, "")
    assert {(one["path"], one["code"]) for one in report["findings"]} == {
        ("good.c", "fake/one"), ("latin.c", "fake/two"), ("utf16.c", "fake/two"), ("bom.c", "fake/two"),
        ("caf\\xe9.c", "fake/three"),
    }  # fmt: skip
    words = {
        "binary.c": "binary", "big.c": "10,000,000 bytes", "half.c": "UTF-16", "dir.c": "folder with the name",
        "pipe.c": "named pipe", "socket.c": "socket", "loop.c": "leads back", "lost.c": "does not exist",
        "up": "leads back",
    }  # fmt: skip
    got = skipped(report)
    assert set(got) == set(words)
    assert all(words[path] in reason and "\n" not in reason for path, reason in got.items())


def test_a_byte_order_mark_takes_no_column(check) -> None:
    write(bom_c=b"\xef\xbb\xbf@find(fake/two)")
    assert check()[1]["findings"][0]["column"] == 1


def test_a_file_that_vanishes_after_discovery_gives_a_line(check, monkeypatch) -> None:
    from assay.server.checking import run as checking

    write(a_c=ONE, b_c=ONE)
    real = checking.read_source

    def vanishing(path, limit):
        if path.name == "b.c":
            path.unlink()
        return real(path, limit)

    monkeypatch.setattr(checking, "read_source", vanishing)
    status, report, _ = check()
    assert (status, len(report["findings"])) == (1, 1)
    assert "removed meanwhile" in skipped(report)["b.c"]


def test_a_crash_a_bug_and_a_memory_hog_cost_one_line_each(check) -> None:
    write(a_c=ONE, b_c="@crash", c_c="@raise", d_c="@memory", e_c=ONE)
    status, report, err = check("--jobs", "2")
    assert (status, err, len(report["findings"])) == (1, "", 2)
    got = skipped(report)
    assert "ended unexpectedly" in got["b.c"]
    assert "a bug in it" in got["c.c"]
    assert "out of memory" in got["d.c"]


def test_the_report_is_the_same_for_every_number_of_jobs_and_with_the_cache(check) -> None:
    for number in range(30):
        write(**{f"f{number:02}_c": ONE * (number % 3) + "@skip\n" * (number % 2)})
    reports = [without_time(check("--jobs", jobs, "--no-cache")[1]) for jobs in ("1", "2", "5")]
    reports += [without_time(check()[1]), without_time(check()[1])]
    assert all(report == reports[0] for report in reports)
    assert reports[0]["summary"]["files"] == 30


def test_the_cache_answers_for_unchanged_files_only(check, monkeypatch) -> None:
    write(a_c="@find(fake/one)\n@read(a.h)\n", a_h="one")
    first = check()[1]
    monkeypatch.setattr("assay.server.checking.pool.Pool._spawn", lambda self: pytest.fail("a worker was started"))
    assert without_time(check()[1]) == without_time(first)
    monkeypatch.undo()


@pytest.mark.parametrize("change", ["text", "header", "missing header", "settings", "other folder"])
def test_whatever_a_result_depends_on_makes_it_stale(check, change: str) -> None:
    write(sub__a_c="@find(fake/one)\n@read(a.h)\n@read(b.h)\n", sub__a_h="one")

    def messages() -> list[str]:
        return [one["message"] for one in check()[1]["findings"]]

    before = messages()
    assert before == ["a.h holds 'one'", "b.h holds None", "found fake/one"]
    if change == "text":
        write(sub__a_c="@find(fake/two)\n")
        assert messages() == ["found fake/two"]
    if change == "header":
        write(sub__a_h="two")
        assert messages()[0] == "a.h holds 'two'"
    if change == "missing header":
        write(sub__b_h="here")
        assert messages()[1] == "b.h holds 'here'"
    if change == "settings":
        write(assay_toml="ignore = ['fake/two']\n")
        assert messages() == ["found fake/one"]
    if change == "other folder":
        write(twin__a_c=Path("sub/a.c").read_bytes(), twin__a_h="three")
        assert messages() == [*before, "a.h holds 'three'", "b.h holds None", "found fake/one"]


def test_partial_results_are_not_remembered(check) -> None:
    write(a_c="@slow @find(fake/one)", assay_toml="timeout = 0.05\n")
    assert "time limit" in skipped(check()[1])["a.c"]
    from assay.server.cache import Cache, default_folder

    with Cache(default_folder(), pytest.fail) as cache:
        assert cache.usage()[0] == 0


@pytest.mark.parametrize("place", ["/dev/null/x", "/proc/nowhere"])
def test_without_a_usable_cache_the_check_works_and_warns_once(check, monkeypatch, place: str) -> None:
    monkeypatch.setenv("ASSAY_CACHE_DIR", place)
    write(a_c=ONE, b_c=ONE)
    status, report, err = check()
    assert (status, len(report["findings"])) == (1, 2)
    assert err.count("\n") == 1
    assert "cannot be used" in err


def test_select_and_ignore_win_over_the_configuration(check) -> None:
    write(a_c="@find(fake/one) @find(fake/two)", assay_toml="ignore = ['fake/one']\n")

    def codes(*arguments: str) -> list[str]:
        return [one["code"] for one in check(*arguments)[1]["findings"]]

    assert codes() == ["fake/two"]
    assert codes("--ignore", "fake/two") == ["fake/one"]
    assert codes("--ignore", "assay/*", "--select", "fake/one,fake/two") == ["fake/one", "fake/two"]


def test_an_unknown_rule_is_an_error_with_the_nearest(check) -> None:
    status, report, err = check("--select", "fake/onne")
    assert (status, report) == (2, None)
    assert "the command line: `select` names `fake/onne`" in err
    assert "did you mean `fake/one`?" in err
    write(assay_toml="\nselect = ['fake/onne']\n", a_c="")
    status, report, err = check()
    assert (status, report) == (2, None)
    assert "assay.toml:2: `select` names `fake/onne`" in err


def test_a_wrong_setting_is_one_line_with_its_place(check) -> None:
    write(a_c="", assay_toml="# x\ntimeot = 3\n")
    status, report, err = check()
    assert (status, report, err.count("\n")) == (2, None, 1)
    assert "assay.toml:2: `timeot` is not a setting; did you mean `timeout`?" in err


def test_a_configuration_can_be_named(check) -> None:
    write(a_c=ONE, assay_toml="", other__strict_toml="ignore = ['fake/*']\n")
    assert check("--config", "other/strict.toml")[0] == 0


def test_standard_input_is_checked_under_a_name(run_assay, project: Path) -> None:
    done = run_assay("check", "-", "--stdin-filename", "sub/x.c", "--format", "json", input=ONE)
    (finding,) = json.loads(done.stdout)["findings"]
    assert (done.returncode, finding["path"], finding["line"]) == (1, "sub/x.c", 2)
    shown = run_assay("check", "-", "--stdin-filename", "x.c", input=ONE).stdout
    assert "2 │ @find(fake/one)\n" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-"], "--stdin-filename"),
        (["-", "--stdin-filename", "x.md"], "checks files called x.md, as --stdin-filename says. Languages checked: c"),
        (["-", "--stdin-filename", "x.c", "--pre-commit"], "standard input is no file"),
        (["-", "x.c"], "checked alone"),
        (["x.c", "--stdin-filename", "y.c"], "Give - as the path"),
        (["-", "--stdin-filename", "x.c", "--since", "HEAD"], "standard input is no file"),
    ],
)
def test_standard_input_called_wrongly_is_told(check, arguments, words: str) -> None:
    status, report, err = check(*arguments)
    assert (status, report) == (2, None)
    assert words in err


def test_the_output_file_holds_the_report_and_standard_output_nothing(check) -> None:
    write(a_c=ONE)
    status, report, _ = check("--output", "report.json")
    assert (status, report) == (1, None)
    assert len(json.loads(Path("report.json").read_text())["findings"]) == 1
    assert check("--output", "missing/report.json")[0] == 2


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_standard_output_holds_only_the_report(run_assay, project: Path, form: str) -> None:
    (project / "a.c").write_text("@noise\n" + ONE)
    done = run_assay("check", "--format", form)
    assert (done.returncode, done.stderr) == (1, "")
    assert "noise on" not in done.stdout
    assert "fake/one" in done.stdout


def test_an_output_without_the_characters_spells_them_out(run_assay, project: Path) -> None:
    (project / "é.c").write_text(ONE, encoding="utf-8")
    done = run_assay("check", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 1
    assert "\\xe9.c:2:1: warning[fake/one]" in done.stdout
    assert "2 | @find(fake/one)\n" in done.stdout


def test_quiet_leaves_only_findings_and_what_could_not_be_read(run_assay, project: Path) -> None:
    (project / "a.c").write_text("int x;\n@skip\n")
    assert (lambda done: (done.returncode, done.stdout, done.stderr))(run_assay("check", "-q")) == (0, "", "")
    (project / "b.c").write_text(ONE)
    done = run_assay("check", "-q", ".", "missing.c")
    assert done.returncode == 2
    assert "b.c:2:1: warning[fake/one]" in done.stdout
    assert "missing.c: skipped" in done.stdout
    assert "checked in" not in done.stdout
    assert "= help" not in done.stdout
    assert "a.c" not in done.stdout
