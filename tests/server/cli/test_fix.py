"""``assay fix`` and ``assay check --diff``: what is changed, what is not, and what is said about it."""

import os
import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from assay.analyzers.findings import Edit, Fix, Span, VerificationResult
from assay.server.cli import fix as command
from assay.server.cli.main import main

UNUSED = "int x; // assay: ignore[race/lost-update] left over\n"


@pytest.fixture
def run(project: Path, capsys):
    """Run a command in this process; give (status, output, errors)."""

    def call(*arguments: str):
        return main(list(arguments)), *capsys.readouterr()

    return call


@pytest.fixture
def scripted(fake_feature, monkeypatch: pytest.MonkeyPatch):
    """Give the fixes that the scripted feature offers for each finding, as a function of its span."""
    real = fake_feature.finding

    def use(make) -> None:
        monkeypatch.setattr(
            fake_feature, "finding", lambda *arguments: (lambda one: evolve(one, fixes=make(one)))(real(*arguments))
        )

    return use


def fix_of(*edits: Edit, result=VerificationResult.PASSED, preferred: bool = True) -> Fix:
    from assay.analyzers.findings import Verification

    return Fix("Change it", edits, Verification("by hand", "it", result), preferred)


def test_a_fix_is_applied_and_said(run) -> None:
    Path("a.c").write_text("int y;\n" + UNUSED)
    assert run("fix") == (
        0,
        "a.c:2: Remove the unused suppression [assay/unused-suppression]\n1 fix applied in 1 file.\n",
        "",
    )
    assert Path("a.c").read_text() == "int y;\nint x;\n"
    assert run("fix") == (0, "Nothing to fix.\n", "")


def test_a_dry_run_prints_a_patch_and_changes_nothing(run) -> None:
    Path("sub").mkdir()
    Path("sub/a.c").write_text(UNUSED)
    status, out, err = run("fix", "--dry-run")
    assert (status, err) == (1, "1 fix would be applied in 1 file.\n")
    assert Path("sub/a.c").read_text() == UNUSED
    ceiling = {**os.environ, "GIT_CEILING_DIRECTORIES": str(Path.cwd().parent)}
    subprocess.run(["git", "apply"], input=out.encode(), check=True, env=ceiling)
    assert Path("sub/a.c").read_text() == "int x;\n"
    assert run("fix", "--diff") == (0, "", "Nothing to fix.\n")


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("latin-1", b""),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
    ],
)
def test_encoding_line_ends_and_mode_stay(run, encoding: str, mark: bytes) -> None:
    text = "// caf\xe9\r\nint y;\r" + UNUSED.replace("\n", "\r\n")
    path = Path("a.c")
    path.write_bytes(mark + text.encode(encoding))
    path.chmod(0o640)
    assert run("fix", "-q") == (0, "", "")
    assert path.read_bytes() == mark + "// caf\xe9\r\nint y;\rint x;\r\n".encode(encoding)
    assert path.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in Path().iterdir()] == ["a.c"]


def test_a_link_stays_a_link_and_the_file_it_leads_to_is_fixed(run) -> None:
    Path("real.txt").write_text(UNUSED)
    Path("a.c").symlink_to("real.txt")
    assert run("fix", "a.c")[0] == 0
    assert Path("a.c").is_symlink()
    assert Path("real.txt").read_text() == "int x;\n"


def test_a_file_that_changed_meanwhile_is_left_alone(run, monkeypatch) -> None:
    Path("a.c").write_text(UNUSED)
    Path("b.c").write_text(UNUSED)
    real = command.write_unless_changed

    def after_an_edit(path, before, data):
        if path.name == "a.c":
            path.write_text(UNUSED + "int mine;\n")
        real(path, before, data)

    monkeypatch.setattr(command, "write_unless_changed", after_an_edit)
    status, out, err = run("fix")
    assert status == 2
    assert err == f"assay: a.c: {command._CHANGED}\n"
    assert Path("a.c").read_text() == UNUSED + "int mine;\n"
    assert Path("b.c").read_text() == "int x;\n"
    assert "b.c:1:" in out
    assert "a.c:1:" not in out


def test_a_disk_that_is_full_leaves_the_file_as_it_was(run, monkeypatch) -> None:
    Path("a.c").write_text(UNUSED)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    status, _, err = run("fix")
    assert (status, err.count("\n")) == (2, 1)
    assert "no space left on device). It was left as it was." in err
    assert Path("a.c").read_text() == UNUSED
    assert [one.name for one in Path().iterdir()] == ["a.c"]


def test_overlapping_fixes_are_applied_one_after_another(run, scripted) -> None:
    def shorten(finding):
        at = Span(finding.span.start, finding.span.end)
        return (fix_of(Edit(Span.of(0, 0, 0, 0), "x")),) if finding.code == "fake/one" else (fix_of(Edit(at, "")),)

    scripted(shorten)
    Path("a.c").write_text("@find(fake/two)@find(fake/two)\n")
    status, out, _ = run("fix", "--no-cache")
    assert (status, Path("a.c").read_text()) == (0, "\n")
    assert out.endswith("2 fixes applied in 1 file.\n")


def test_fixes_that_never_end_are_given_up_after_some_rounds(run, scripted) -> None:
    scripted(lambda finding: (fix_of(Edit(Span.of(0, 0, 0, 0), "x")),))
    Path("a.c").write_text("@find(fake/one)\n")
    assert run("fix", "--no-cache")[0] == 0
    assert Path("a.c").read_text() == "x" * 20 + "@find(fake/one)\n"


def test_a_round_that_makes_things_worse_is_undone(run, scripted) -> None:
    scripted(lambda finding: (fix_of(Edit(finding.span, "@find(fake/two)@find(fake/three)")),))
    Path("a.c").write_text("@find(fake/one)\n")
    status, out, err = run("fix", "--no-cache")
    assert (status, out) == (0, "Nothing to fix.\n")
    assert err == "assay: a.c: 1 fix was undone: the text after that gives fake/three, fake/two.\n"
    assert Path("a.c").read_text() == "@find(fake/one)\n"


@pytest.mark.parametrize("text", ["@crash", "@skip"])
def test_a_round_after_which_less_is_understood_is_undone(run, scripted, text: str) -> None:
    scripted(lambda finding: (fix_of(Edit(finding.span, text)),))
    Path("a.c").write_text("@find(fake/one)\n")
    assert "1 fix was undone" in run("fix", "--no-cache")[2]
    assert Path("a.c").read_text() == "@find(fake/one)\n"


@pytest.mark.parametrize(
    ("result", "preferred", "plainly", "unsafely"),
    [
        ("passed", True, True, True),
        ("passed", False, False, True),
        ("not run", True, False, True),
        ("failed", True, False, False),
    ],
)
def test_what_was_not_verified_is_applied_only_on_request(run, scripted, result, preferred, plainly, unsafely) -> None:
    scripted(
        lambda finding: (fix_of(Edit(finding.span, "ok"), result=VerificationResult(result), preferred=preferred),)
    )
    Path("a.c").write_text("@find(fake/one)\n")
    out = run("fix", "--no-cache")[1]
    assert (Path("a.c").read_text() == "ok\n") is plainly
    assert ("1 more with --unsafe" in out) is (unsafely and not plainly)
    run("fix", "--no-cache", "--unsafe")
    assert (Path("a.c").read_text() == "ok\n") is unsafely


def test_characters_that_the_encoding_lacks_are_told(run, scripted) -> None:
    scripted(lambda finding: (fix_of(Edit(finding.span, "漢")),))
    Path("a.c").write_bytes(b"// caf\xe9\n@find(fake/one)\n")
    _, _, err = run("fix", "--no-cache")
    assert "encoding (latin-1) lacks" in err
    assert Path("a.c").read_bytes() == b"// caf\xe9\n@find(fake/one)\n"


def test_a_fix_of_several_files_is_left_to_an_editor(run, scripted, project: Path) -> None:
    scripted(lambda finding: (fix_of(Edit(finding.span, ""), Edit(Span.of(0, 0, 0, 1), "", str(project / "b.h"))),))
    Path("a.c").write_text("@find(fake/one)\n")
    Path("b.h").write_text("x\n")
    assert "Apply it in an editor" in run("fix", "--no-cache")[2]
    assert (Path("a.c").read_text(), Path("b.h").read_text()) == ("@find(fake/one)\n", "x\n")


def test_a_fix_that_does_not_fit_the_text_is_told(run, scripted) -> None:
    scripted(lambda finding: (fix_of(Edit(Span.of(99, 0, 99, 0), "")),))
    Path("a.c").write_text("@find(fake/one)\n")
    assert "there is no line 100" in run("fix", "--no-cache")[2]


def test_only_findings_that_are_not_in_the_baseline_are_fixed(run) -> None:
    Path("a.c").write_text(UNUSED)
    run("check", "--write-baseline", "-q")
    Path("a.c").write_text(UNUSED + UNUSED.replace("x", "y"))
    assert run("fix", "--baseline", "assay-baseline.json")[0] == 0
    assert Path("a.c").read_text() == UNUSED + "int y;\n"


def test_a_path_that_cannot_be_read_is_status_2(run) -> None:
    Path("a.c").write_text(UNUSED)
    status, _, err = run("fix", "a.c", "missing.c")
    assert status == 2
    assert err.startswith("assay: missing.c: The file does not exist.")
    assert Path("a.c").read_text() == "int x;\n"


def test_standard_input_is_refused(run) -> None:
    status, out, err = run("fix", "-")
    assert (status, out) == (2, "")
    assert "standard input (-) is none" in err


def test_a_check_shows_the_diff_of_each_fix_with_its_place_in_the_file(run) -> None:
    Path("a.c").write_text("".join(f"int a{number};\n" for number in range(20)) + UNUSED)
    status, out, _ = run("check", "--diff")
    shown = [line.strip() for line in out.splitlines()]
    assert status == 1
    at = shown.index("@@ -18,4 +18,4 @@")
    assert shown[at + 4 : at + 6] == ["-" + UNUSED.strip(), "+int x;"]
    assert "@@" not in run("check")[1]


def test_the_diff_of_a_fix_in_another_file_names_that_file(run, scripted, project: Path) -> None:
    scripted(lambda finding: (fix_of(Edit(Span.of(0, 0, 0, 3), "new", str(project / "b.h"))),))
    Path("a.c").write_text("@find(fake/one)\n")
    Path("b.h").write_text("old\nend")
    shown = [line.strip() for line in run("check", "--diff", "--no-cache")[1].splitlines()]
    at = shown.index("b.h")
    assert shown[at + 1 : at + 6] == ["@@ -1,2 +1,2 @@", "-old", "+new", "end", "\\ No newline at end of file"]


def test_diffs_are_for_people(run) -> None:
    status, out, err = run("check", "--diff", "--format", "json")
    assert (status, out) == (2, "")
    assert "--diff shows fixes in text" in err


def test_a_read_only_file_is_left_alone(run) -> None:
    Path("a.c").write_text(UNUSED)
    Path("a.c").chmod(0o444)
    status, _, err = run("fix")
    assert (status, Path("a.c").read_text()) == (2, UNUSED)
    assert err == (
        "assay: a.c: The file is read-only, so it was left as it was. Make it writable, and run the command again.\n"
    )


def test_a_name_cannot_draw_on_the_terminal(run) -> None:
    Path("a\n\x1b[31m.c").write_text(UNUSED)
    status, out, err = run("fix", ".", "b\x1b[2J.c")
    assert status == 2
    assert out.splitlines()[0] == "a\\x0a\\x1b[31m.c:1: Remove the unused suppression [assay/unused-suppression]"
    assert err.startswith("assay: b\\x1b[2J.c: The file does not exist.")
