"""Compiler extensions are taken out without moving anything."""

import pytest

from assay.analyzers.c.preprocess import preprocess


def run(source: str) -> str:
    return preprocess(source, None, lambda path: None).text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int x __attribute__((aligned(8))) = 1;", "int x = 1;"),
        ('int f(void) __attribute__ ((section("a)b"), used));', "int f(void) ;"),
        ("__declspec(dllexport) int x;", "int x;"),
        ('int f(void) __asm__ ("_" "f") __attribute__((__nothrow__));', "int f(void) ;"),
        ('asm volatile("lock; incl %0" : "+m"(x) : : "memory");', ";"),
        ('__asm__ __volatile__ ("" ::: "memory");', ";"),
        ("__extension__ typedef long long quad;", "typedef long long quad;"),
        ("void f(char *__restrict s, char *__restrict__ t);", "void f(char *restrict s, char *restrict t);"),
        ("static __inline int f(void);", "static inline int f(void);"),
        ("static __inline__ int f(void);", "static inline int f(void);"),
        ("_Noreturn void f(void);", "void f(void);"),
        ("__const char *__volatile__ p;", "const char *volatile p;"),
        ("__signed__ char c;", "signed char c;"),
        ("_Thread_local int x;", "thread_local int x;"),
        ("_Atomic(int) x;", "_Atomic int x;"),
        ("_Atomic(struct s *) p;", "struct s * _Atomic p;"),
        ('_Pragma("omp parallel") int x;', "int x;"),
        ("case 1 ... 5: f();", "case 1 : f();"),
        ("case 'a'...'z': f();", "case 'a' : f();"),
        ("x = __builtin_offsetof(struct s, a.b);", "x = offsetof (struct s, a.b);"),
        ("double _Complex z;", "double z;"),
    ],
)
def test_extensions(source, expected):
    text = run(source)
    assert text.split() == expected.split()
    assert len(text) == len(source)


@pytest.mark.parametrize(
    "source",
    [
        'char *s = "__attribute__((x)) __inline";',
        "int __attribute_count, my__inline, asm_count, asm = 1;",
        "int x __attribute__;",
        "int x __attribute__((unclosed;",
        "f(asm);",
        "f(a, ...); case 1:",
        "int __thread x; int typeof_x;",
    ],
)
def test_what_is_no_extension_stays(source):
    assert run(source) == source


@pytest.mark.parametrize("word", ["typeof", "__typeof", "__typeof__"])
def test_the_type_of_an_expression_is_read_as_int(word):
    source = f"const {word}(((struct t *)0)->m) *p = q;"
    assert run(source) == "const int".ljust(source.index("*p")) + "*p = q;"


def test_an_attribute_over_several_lines_keeps_the_lines():
    source = "int x __attribute__((\n  aligned(8)\n)); int y;\n"
    first, *rest = run(source).split("\n")
    assert first.rstrip() == "int x"
    assert rest == [" " * 12, "  ; int y;", ""]


def test_columns_after_an_extension_are_exact():
    source = "static __inline__ int f(void) __attribute__((used)); int y;"
    assert run(source).index("int y") == source.index("int y")


def test_extensions_inside_macros():
    definitions = "#define PACKED __attribute__((packed))\n#define ATTR(x) __attribute__((x))\n"
    assert run(definitions + "int a PACKED; int b ATTR(used);\n").split() == ["int", "a;", "int", "b;"]


def test_an_attribute_made_by_a_macro():
    source = "#define A __attribute__\nint a A((packed));\n"
    assert run(source).split() == ["int", "a", ";"]


@pytest.mark.parametrize("name", ["__inline", "__attribute__(x)", "__restrict", "asm(x)"])
def test_programs_may_define_the_names(name):
    word = name.split("(")[0]
    source = f"#ifndef {word}\n#define {name} gone\n#endif\n#ifdef {word}\nint x;\n#endif\n"
    assert run(source).split() == ["int", "x;"]


def test_comments_are_blanked_in_place():
    source = 'int a; /* one */ int b; // two\nchar *s = "/* no */ // no"; /* three\n four */ int c;\n'
    text = run(source)
    assert [len(line) for line in text.split("\n")] == [len(line) for line in source.split("\n")]
    assert " ".join(text.split()) == 'int a; int b; char *s = "/* no */ // no"; int c;'


def test_spliced_line_comment():
    assert run("// one \\\n two\nint x;\n").split() == ["int", "x;"]


def test_line_ends_byte_order_mark_and_form_feeds():
    source = "\ufeffint a;\r\n#define N 1\rint b = N;\n\fint c;\v\n"
    assert run(source) == " int a;\n\nint b = 1;\n\fint c;\v\n"


def test_a_backslash_before_trailing_blanks_is_a_splice():
    assert run("#define N 1 + \\  \n 2\nN\n").split() == ["1", "+", "2"]


def test_unterminated_comment_is_noted():
    result = preprocess("int a;\n/* int b;\nint c;", None, lambda path: None)
    assert result.text.split() == ["int", "a;"]
    assert ["Close it with `*/`" in note.reason for note in result.skipped] == [True]


def test_an_unterminated_literal_costs_one_line():
    source = "#define N 1\nchar *s = \"N /* ;\nint a = N; char c = 'N;\nint b = N;\n"
    assert run(source) == "\nchar *s = \"N /* ;\nint a = 1; char c = 'N;\nint b = 1;\n"
