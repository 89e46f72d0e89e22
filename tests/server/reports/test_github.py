from assay.analyzers.findings import Severity, Span
from assay.server.reports.github import command, render


def test_a_finding_is_one_command(make_run, make_finding) -> None:
    (line,) = render(make_run(make_finding())).splitlines()
    assert line == (
        "::warning file=x.c,line=2,col=5,endLine=2,endColumn=9,title=race/lost-update::"
        "`hits` is updated by two threads at once.%0AWhy (likely): both run at once"
    )


def test_an_end_column_on_another_line_is_left_out(make_run, make_finding) -> None:
    line = render(make_run(make_finding(span=Span.of(1, 4, 2, 3), severity=Severity.HINT)))
    assert line.startswith("::notice file=x.c,line=2,col=5,endLine=3,title=")


def test_related_places_and_skips_are_told(rich_run) -> None:
    lines = render(rich_run).splitlines()
    assert "%0Ay.h:1:5: declared here%0A" in lines[0]
    assert "::error file=nope.c,title=assay%3A skipped::does not exist" in lines
    assert "::notice file=a b.c,title=assay%3A skipped::odd" in lines


def test_everything_is_escaped() -> None:
    assert command("error", {"file": "a,b:c%\r\n"}, "50%: a,\r\nb") == (
        "::error file=a%2Cb%3Ac%25%0D%0A::50%25: a,%0D%0Ab"
    )
    assert command("error", {"file": "\x1b[31m.c"}, "x") == r"::error file=\x1b[31m.c::x"
