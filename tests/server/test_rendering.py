"""Markdown for hovers is safe, and can be reduced to text."""

import pytest

from assay.server.rendering import escaped, plain


@pytest.mark.parametrize(("text", "markdown"), [
    ("a_b *c* <d>", r"a\_b \*c\* \<d\>"),
    ("`a_b` and c_d", r"`a_b` and c\_d"),
    ("one ` tick_", "one \\` tick\\_"),
    ("漢 😀", "漢 😀"),
])  # fmt: skip
def test_text_is_escaped_outside_code(text, markdown):
    assert escaped(text) == markdown


def test_plain_text_has_no_marks_left():
    markdown = "**x\\_1**\n\nWarning [a/b](https://x.y/a-b), proved\n\n```sh\nassay check\n```\n\n---\n\n`code`"
    assert plain(markdown) == "x_1\n\nWarning a/b, proved\n\nassay check\n\n`code`"
