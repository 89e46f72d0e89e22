"""Which lines conditions keep, and how their expressions are evaluated."""

import pytest

from assay.analyzers.c.preprocess import preprocess


def run(source: str, **options):
    return preprocess(source, None, lambda path: None, **options)


def kept(source: str) -> list[str]:
    return run(source).text.split()


TRUE = """
1 | -1 | 2 > 1 | 1 + 2 * 3 == 7 | (1 + 2) * 3 == 9 | 10 - 4 - 3 == 3 | 7 / 2 == 3 | -7 / 2 == -3 | -7 % 3 == -1
1 ? 2 : 0 | 0 ? 0 : 0 ? 0 : 1 | !0 | !!5 | ~0 == -1 | 1 << 4 == 16 | -8 >> 1 == -4 | 6 & 3 | 6 ^ 6 ^ 1 | 0 | 1
1 || 1 / 0 | !(0 && 1 / 0) | 1 ? 1 : 1 / 0 | UNKNOWN == 0 | !UNKNOWN | 010 == 8 | 0x1F == 31 | 0b101 == 5
10UL == 10 | 1ull | -1 > 0u | -1 < 0 | 0xffffffffffffffff == -1 | 'a' == 97 | '\\n' == 10 | '\\x41' == 65 | '\\0' == 0
'\\377' < 0 | defined A | defined(A) | !defined B | defined A && A == 3 | F(2) == 5 | defined(__has_include)
__has_include(<pthread.h>) | !__has_include("nowhere.h") | __GNUC__ >= 4 | __STDC_VERSION__ >= 201112L
__CHAR_BIT__ * sizeof_long == 64 | __linux__ | !defined(__cplusplus) | !__has_attribute(noreturn) | HAS_A
__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ | __LINE__ == 5
"""
EXPRESSIONS = [part.strip() for line in TRUE.strip().split("\n") for part in line.replace("||", "\0").split("|")]
DEFINITIONS = "#define A 3\n#define F(x) (2 * x + 1)\n#define sizeof_long 8\n#define HAS_A defined(A)\n"


@pytest.mark.parametrize("expression", [part.replace("\0", "||") for part in EXPRESSIONS if part != "0"])
def test_true_expressions(expression):
    result = run(f"{DEFINITIONS}#if {expression}\nyes\n#else\nno\n#endif\n")
    assert result.text.split() == ["yes"]
    assert result.skipped == ()


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("1 / 0", "it divides by zero"),
        ("5 % (2 - 2)", "it divides by zero"),
        ("", "it ends too early"),
        ("1 +", "it ends too early"),
        ("(1", "expected “)”, found “the end of the line”"),
        ("1 2", "unexpected “2”"),
        ("1.5", "“1.5” is not an integer"),
        ("089", "“089” is not an integer"),
        ('"text"', 'unexpected “"text"”'),
        ("(" * 1000 + "1" + ")" * 1000, "it is nested too deeply"),
    ],
)
def test_what_cannot_be_evaluated_is_false_and_noted(expression, why):
    result = run(f"#if {expression}\nyes\n#else\nno\n#endif\n")
    assert result.text.split() == ["no"]
    (note,) = result.skipped
    assert why in note.reason
    assert note.span.start.line == 0


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("#ifdef A\na\n#elif 1\nb\n#else\nc\n#endif\n", "b"),
        ("#ifndef A\na\n#elif 1\nb\n#else\nc\n#endif\n", "a"),
        ("#if 0\na\n#elifdef A\nb\n#elifndef A\nc\n#endif\n", "c"),
        ("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif\n", "c"),
        ("#if 1\n#if 0\na\n#else\nb\n#endif\nd\n#else\nc\n#endif\n", "b d"),
        ("#if 1\na\n#elif 1 / 0\nb\n#endif\n", "a"),
        ("#if 0\n#if 1 / 0\n#bogus\n it's \" bad\n#define A\n#endif\n#endif\n#ifdef A\na\n#endif\nb", "b"),
        ("  #  if 1 // yes\na\n # endif\nb", "a b"),
        ("#if defined(A) \\\n || 1\na\n#endif\n", "a"),
        ("#if 1 /* over\n two lines */ && 0\na\n#endif\nb", "b"),
        ('#\n#if 1\na\n#endif\n# 12 "file.c" 3\n#line 7\n#pragma omp parallel\n#ident "x"\n#warning w\nb', "a b"),
    ],
)
def test_groups(source, expected):
    result = run(source)
    assert result.text.split() == expected.split()
    assert result.text.count("\n") == source.count("\n")
    assert result.skipped == ()


def test_unterminated_group_keeps_what_it_has():
    result = run("int a;\n#if 1\nint b;\n#else\nint c;\n")
    assert result.text == "int a;\n\nint b;\n\n\n"
    (note,) = result.skipped
    assert "has no `#endif`" in note.reason
    assert note.span.start.line == 1


@pytest.mark.parametrize("directive", ["#else", "#endif", "#elif 1"])
def test_stray_directives_are_noted_and_ignored(directive):
    result = run(f"a\n{directive}\nb\n")
    assert result.text.split() == ["a", "b"]
    assert [note.span.start.line for note in result.skipped] == [1]


def test_second_else_is_noted_and_ignored():
    result = run("#if 1\na\n#else\nb\n#else\nc\n#endif\nd\n")
    assert result.text.split() == ["a", "d"]
    assert ["`#else`" in note.reason for note in result.skipped] == [True]


def test_error_in_a_taken_branch_is_noted():
    result = run("#if 0\n#error no\n#else\n#error not on this machine\n#endif\nint a;\n")
    assert [note.reason for note in result.skipped] == [
        "The file stops compilation here (`#error not on this machine`); the check went on."
    ]
    assert kept("int a;") == result.text.split()
