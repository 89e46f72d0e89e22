"""What holds for every text: nothing raises, lines are preserved, and text without macros is left alone."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.analyzers.c.lexical import tokenize
from assay.analyzers.c.preprocess import preprocess

WORDS = """
    int x = 1; f(a, b) N F( F(1) G(x,y) V( V(1,2) ) ( { } , ; # ## #define #undef #if #ifdef #elif #else #endif
    #include "a.h" <b.h> #pragma once #error #line N F(x) V(...) G(x,y) x##y #x __VA_ARGS__ __VA_OPT__( defined
    __attribute__(( asm( _Atomic( case ... __LINE__ __COUNTER__ _Pragma( __has_include( 1 / 0 ' " /* */ // \\ é
    \U0001f600 'c' "s" 1.5 0x1g && || ? : -> ... %"""
FRAGMENTS = st.sampled_from(WORDS.split())
SEPARATORS = st.sampled_from([" ", "\n", "", "\t", "\\\n", " ", "\n", "\r\n", "\r", "\f"])
PROGRAMS = st.lists(st.tuples(FRAGMENTS, SEPARATORS), max_size=60).map(lambda parts: "".join(a + b for a, b in parts))
HEADER = '#include "a.h"\n#define F(x) x N\n#define N F(1) N\n'

QUIET = st.sampled_from(
    ["int", "x", "=", "1", ";", "(", ")", "{", "}", "->", "foo", "1.5", "*", "é", "'c'", '"s"', ","]
)
QUIET_TEXT = st.lists(st.tuples(QUIET, st.sampled_from([" ", "\n", "\t", "  "])), max_size=60).map(
    lambda parts: "".join(a + b for a, b in parts)
)


def run(source: str):
    return preprocess(source, Path("/main.c"), lambda path: HEADER)


def universal_lines(source: str) -> int:
    return len(source.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


@given(QUIET_TEXT)
def test_text_without_macros_is_left_alone(source):
    result = run(source)
    assert result.text == source
    assert result.changed == {}
    assert result.skipped == ()


@given(st.text(max_size=200))
def test_any_text_is_read(source):
    result = run(source)
    assert [result.source_line(line)[0] for line in range(result.text.count("\n") + 1)].count(0) == universal_lines(
        source
    )


@settings(max_examples=300)
@given(PROGRAMS)
def test_every_document_line_has_its_output_line(source):
    result = run(source)
    places = [result.source_line(line) for line in range(result.text.count("\n") + 1)]
    assert [line for file, line in places if file == 0] == list(range(universal_lines(source)))


@settings(max_examples=300)
@given(PROGRAMS)
def test_every_output_position_lies_in_the_source(source):
    result = run(source)
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, text in enumerate(result.text.split("\n")):
        for column in range(len(text) + 1):
            place = result.locate(number, column)
            if place.file == 0 and not result.is_exact(number):
                assert place.position.column <= len(lines[place.position.line])


@given(st.lists(st.sampled_from(["a", "b1", "+", "-", ">", "1", ".5", "'c'", '"s"', "(", ")", ","]), max_size=20))
def test_an_object_like_macro_stands_for_its_tokens(body):
    text = " ".join(body)
    result = run(f"#define MACRO {text}\nMACRO\n")
    assert [token.text for token in tokenize(result.text.replace("\n", " "), 0)] == body


@given(QUIET_TEXT.map(lambda text: text.replace("\n", " ")))
def test_quoting_and_expansion_agree(argument):
    """A call of `F(x) x` gives back its argument's tokens, when its parentheses are balanced."""
    tokens = [token.text for token in tokenize(argument, 0) if token.text not in "(),"]
    result = run(f"#define SAME(x) x\nSAME({' '.join(tokens)})\n")
    assert [token.text for token in tokenize(result.text.replace("\n", " "), 0)] == tokens
