import pytest

from assay.analyzers.findings import Confidence, Edit, Explanation, Finding, Severity, Span
from assay.features.comments import Lines, pieces
from assay.features.feature import Document
from assay.features.suppressions import parse, suppression_edit

CODE = "race/lost-update"


def finding_at(text: str, needle: str = "counter") -> Finding:
    position = Lines(text).position(text.index(needle))
    span = Span.of(position.line, position.column, position.line, position.column + len(needle))
    return Finding(CODE, "message", span, Severity.WARNING, Confidence.LIKELY, (Explanation("why"),))


def apply(text: str, edit: Edit) -> str:
    starts = Lines(text).starts
    begin = starts[edit.span.start.line] + edit.span.start.column
    end = starts[edit.span.end.line] + edit.span.end.column
    return text[:begin] + edit.new_text + text[end:]


def suppressed(text: str, language: str = "c") -> str:
    finding = finding_at(text)
    edited = apply(text, suppression_edit(Document("file:///x.c", language, text), finding, "why"))
    moved = finding_at(edited)
    assert any(one.silences(moved) and one.reason for one in parse(edited, language)), edited
    return edited


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("counter++;", "counter++; // assay: ignore[race/lost-update] why"),
        ("counter++;\r\nb;", "counter++; // assay: ignore[race/lost-update] why\r\nb;"),
        ("counter++; // note\n", "counter++; // note // assay: ignore[race/lost-update] why\n"),
        ("counter++; /* note */\n", "counter++; /* note */ // assay: ignore[race/lost-update] why\n"),
        (
            "#define BUMP \\\n  counter++; \\\n  more()\n",
            "#define BUMP \\\n  counter++; /* assay: ignore[race/lost-update] why */ \\\n  more()\n",
        ),
        (
            "counter++; /* opens\n here */\n",
            "/* assay: ignore[race/lost-update] why */ counter++; /* opens\n here */\n",
        ),
        (
            "counter++; // note \\\n still a comment\n",
            "/* assay: ignore[race/lost-update] why */ counter++; // note \\\n still a comment\n",
        ),
        (
            'f(counter, "opens \\\n closes");\n',
            'f(/* assay: ignore[race/lost-update] why */ counter, "opens \\\n closes");\n',
        ),
        (
            "counter++; // assay: ignore[race/other] why\n",
            "counter++; // assay: ignore[race/other, race/lost-update] why\n",
        ),
        (
            "// assay: ignore[race/other] why\ncounter++;\n",
            "// assay: ignore[race/other, race/lost-update] why\ncounter++;\n",
        ),
    ],
)
def test_the_comment_goes_where_it_stays_valid_c(text: str, expected: str) -> None:
    assert suppressed(text) == expected


def test_code_is_the_same_without_its_comments() -> None:
    for text in ("counter++; \\\n x\n", "a; counter++; /* b\n*/ c\n", 'p("\\\n", counter);\n'):
        before = text
        for piece in reversed([piece for piece in pieces(suppressed(text), "c") if piece.is_comment]):
            assert piece.text
        assert _code(suppressed(text)) == _code(before)


def _code(text: str) -> str:
    for piece in reversed([piece for piece in pieces(text, "c") if piece.is_comment]):
        text = text[: piece.start] + " " + text[piece.end :]
    return "".join(text.split())


def test_python_takes_hash_comments() -> None:
    assert suppressed("counter += 1\n", "python") == "counter += 1  # assay: ignore[race/lost-update] why\n"
    assert suppressed("    counter = f() + \\\n  1\n", "python").startswith("    # assay: ignore")


def test_a_default_reason_is_written() -> None:
    text = "counter++;\n"
    edit = suppression_edit(Document("file:///x.c", "c", text), finding_at(text))
    assert edit.new_text.startswith(" // assay: ignore[race/lost-update] ")
    assert parse(apply(text, edit), "c")[0].reason
