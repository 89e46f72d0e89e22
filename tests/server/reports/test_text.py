import io
import os

import pytest

from assay.analyzers.findings import Related, Skipped, Span
from assay.server.reports.paint import Symbols, plain, symbols_for, width_for, write
from assay.server.reports.text import Style, lines_of


def text(run, width: int = 100, symbols: Symbols | None = None) -> str:
    return plain(lines_of(run, Style(width, symbols or Symbols())))


def test_a_finding_is_shown_with_both_places_and_the_reason(make_run, make_finding) -> None:
    run = make_run(make_finding(related=(Related("also here", Span.of(2, 2, 2, 9)),)))
    assert text(run) == (
        "x.c:2:5: warning[race/lost-update]: `hits` is updated by two threads at once.\n"
        "  │\n"
        "2 │     hits++;\n"
        "  │     ^^^^\n"
        "3 │   reset();\n"
        "  │   ------- also here\n"
        "  │\n"
        "  = why: both run at once (likely)\n"
        "         step one\n"
        "         step two\n"
        "  = reproduce: assay check x.c\n"
        "  = help: assay explain race/lost-update\n"
        "\n"
        "1 file checked in 0.25 s: 1 finding (1 warning), 1 suppressed\n"
    )


def test_lines_between_are_shown_or_elided(make_run, make_finding) -> None:
    run = make_run(
        make_finding(span=Span.of(0, 0, 0, 1), related=(Related("r", Span.of(2, 0, 2, 1)),)), text="a\nb\nc\n"
    )
    assert "1 │ a\n  │ ^\n2 │ b\n3 │ c\n  │ - r\n" in text(run)
    far = make_run(
        make_finding(span=Span.of(0, 0, 0, 1), related=(Related("r", Span.of(9, 0, 9, 1)),)), text="a\n" * 10
    )
    assert " 1 │ a\n   │ ^\n   ┆\n10 │ a\n   │ - r\n" in text(far)


@pytest.mark.parametrize(
    ("line", "start", "end", "drawn"),
    [
        ("\tx = 1;", 1, 2, "1 │     x = 1;\n  │     ^\n"),
        ("漢字 = x;", 5, 6, "1 │ 漢字 = x;\n  │        ^\n"),
        ("漢字 = 1;", 0, 2, "1 │ 漢字 = 1;\n  │ ^^^^\n"),
        ("😀 x", 2, 3, "1 │ 😀 x\n  │    ^\n"),
        ("e\u0301 x", 3, 4, "1 │ e\u0301 x\n  │   ^\n"),
        ("\x1b[31m x", 6, 7, "1 │ \\x1b[31m x\n  │          ^\n"),
        ("x", 0, 0, "1 │ x\n  │ ^\n"),
    ],
)
def test_carets_stand_under_what_they_point_at(
    make_run, make_finding, line: str, start: int, end: int, drawn: str
) -> None:
    assert drawn in text(make_run(make_finding(span=Span.of(0, start, 0, end)), text=line + "\n"))


def test_a_place_of_several_lines_is_underlined_on_the_first(make_run, make_finding) -> None:
    run = make_run(make_finding(span=Span.of(0, 1, 2, 1)), text="f(a,  \n  b,\n);\n")
    assert "1 │ f(a,\n  │  ^^^\n" in text(run)


def test_long_lines_are_cut_around_the_mark(make_run, make_finding) -> None:
    line = "a" * 500 + "XYZ" + "b" * 500
    shown = text(make_run(make_finding(span=Span.of(0, 500, 0, 503)), text=line), width=60).splitlines()
    source, carets = shown[2], shown[3]
    assert len(source) <= 60
    assert source.startswith("1 │ …a")
    assert source.endswith("b…")
    assert source.index("XYZ") == carets.index("^^^")


def test_another_file_is_shown_under_its_own_name(rich_run) -> None:
    assert "  --> y.h:1:5\n  │\n1 │ int y;\n  │     - declared here\n" in text(rich_run)


def test_a_file_that_vanished_leaves_the_words(make_run, make_finding, project) -> None:
    run = make_run(make_finding(related=(Related("also here", Span.of(2, 2, 2, 9)),)))
    (project / "x.c").unlink()
    assert "  = also: line 3: also here\n" in text(run)
    run = make_run(make_finding(span=Span.of(40, 0, 40, 1)))
    assert "x.c:41:1: warning" in text(run)


def test_skips_and_fixes_are_listed(rich_run) -> None:
    shown = text(rich_run)
    assert "  = fix: Take the lock (passed: re-analysis)\n" in shown
    assert "nope.c: skipped: does not exist\n" in shown
    assert "x.c:1: incomplete: a part is unknown\n" in shown
    assert shown.endswith(": 2 findings (1 warning, 1 hint), 3 skipped, 1 incomplete, 1 suppressed\n")


def test_nothing_found_does_not_claim_more_than_that(make_run) -> None:
    assert text(make_run()) == "1 file checked in 0.25 s: no findings, 1 suppressed\n"


@pytest.mark.parametrize("width", [50, 80, 200])
def test_no_line_but_the_first_is_wider_than_asked(rich_run, width: int) -> None:
    lines = text(rich_run, width).splitlines()
    assert all(
        len(line) <= width for line in lines if "warning[" not in line and "hint[" not in line and "skip" not in line
    )


def test_on_a_terminal_the_lines_that_name_a_place_are_broken_too(make_run, make_finding) -> None:
    message = "`hits` is updated by two threads at once, and one of the two updates can be lost."
    run = make_run(make_finding(message=message), skipped=(Skipped("a part of it " * 6, Span.of(0, 0, 0, 3)),))
    folded = plain(lines_of(run, Style(60, Symbols(), fold=True)))
    assert folded.startswith(
        "x.c:2:5: warning[race/lost-update]: `hits` is updated by two\n"
        "    threads at once, and one of the two updates can be lost.\n"
        "  │\n"
    )
    assert "x.c:1: incomplete: a part of it a part of it a part of it a\n    part of it a part of it" in folded
    assert all(len(line) <= 60 for line in folded.splitlines()[:-1])
    assert f"x.c:2:5: warning[race/lost-update]: {message}\n" in text(run, 60)


def test_where_a_place_takes_the_whole_line_the_message_stands_below(make_run, make_finding) -> None:
    folded = plain(lines_of(make_run(make_finding(message="word " * 9 + "end")), Style(40, Symbols(), fold=True)))
    assert folded.startswith(
        "x.c:2:5: warning[race/lost-update]:\n    word word word word word word word\n    word word end\n"
    )


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals_without_no_color(rich_run, monkeypatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    lines = list(lines_of(rich_run, Style(100, Symbols())))
    terminal = Terminal()
    write(lines, terminal)
    assert "\x1b[" in terminal.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    bare = Terminal()
    write(lines, bare)
    assert bare.getvalue() == plain(lines)
    pipe = io.StringIO()
    write(lines, pipe)
    assert pipe.getvalue() == plain(lines)


def test_markup_in_messages_is_no_markup(make_run, make_finding, monkeypatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Terminal()
    write(lines_of(make_run(make_finding(message="a[red]b[/red] :smile:")), Style(100, Symbols())), terminal)
    assert "a[red]b[/red] :smile:" in terminal.getvalue()


def test_plain_symbols_serve_an_output_without_others() -> None:
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert symbols_for(ascii_only) == Symbols("|", ":")
    assert symbols_for(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) == Symbols()


def test_the_width_is_the_terminals(monkeypatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "72")
    assert width_for(Terminal()) == 72
    assert width_for(io.StringIO()) == 100
    assert os.environ["COLUMNS"] == "72"


@pytest.mark.parametrize(
    ("variables", "terminal", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_the_environment_decides_about_colour(
    rich_run, monkeypatch, variables: dict[str, str], terminal: bool, coloured: bool
) -> None:
    for name, value in {"TERM": "xterm", "NO_COLOR": "", "FORCE_COLOR": "", **variables}.items():
        monkeypatch.setenv(name, value)
    stream = Terminal() if terminal else io.StringIO()
    lines = list(lines_of(rich_run, Style(100, Symbols())))
    write(lines, stream)
    assert ("\x1b[1;33m" in stream.getvalue()) is coloured
    assert (stream.getvalue() == plain(lines)) is not coloured
