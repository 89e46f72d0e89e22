"""Macro expansion, compared token by token with what the standard and GCC's manual prescribe."""

import pytest

from assay.analyzers.c.lexical import tokenize
from assay.analyzers.c.preprocess import preprocess


def tokens_of(text: str) -> list[str]:
    return [token.text for line in text.split("\n") for token in tokenize(line, 0)]


def expand(source: str, **options) -> str:
    return preprocess(source, None, lambda path: None, **options).text


# Each case: definitions, a text, and the tokens that it expands to.
CASES = {
    "object-like": ("#define N 10", "int a[N];", "int a[10];"),
    "object-like without a body": ("#define EMPTY", "EMPTY int EMPTY x;", "int x;"),
    "object-like with parentheses after a space": ("#define P (1)", "P", "(1)"),
    "names inside longer names": ("#define N 10", "NN N1 _N", "NN N1 _N"),
    "not inside literals": ("#define N 10", "\"N\" 'N' N", "\"N\" 'N' 10"),
    "not inside comments": ("#define N 10", "N /* N */ // N", "10"),
    "lock wrapper": ("#define lock(m) pthread_mutex_lock(m)", "lock(&a[i].m);", "pthread_mutex_lock(&a[i].m);"),
    "no call without parentheses": ("#define f(x) x", "f = &f; (f)(1);", "f = &f; (f)(1);"),
    "space before the arguments": ("#define f(x) <x>", "f (1)", "<1>"),
    "commas inside parentheses": ("#define f(x) <x>", "f((a, b))", "<(a, b)>"),
    "commas inside literals": ("#define f(x) <x>", "f(\",\" ',')", "<\",\" ','>"),
    "empty arguments": ("#define f(x, y) <x|y>", "f(,)", "<|>"),
    "no parameters": ("#define f() 1", "f() f( )", "1 1"),
    "one empty argument": ("#define f(x) <x>", "f()", "<>"),
    "nested calls": ("#define f(x) (x + 1)", "f(f(f(0)))", "(((0 + 1) + 1) + 1)"),
    "statement macro": (
        "#define inc(x) do { lock(&m); (x)++; unlock(&m); } while (0)",
        "inc(total);",
        "do { lock(&m); (total)++; unlock(&m); } while (0);",
    ),
    "function made by a macro": (
        "#define MAKE(name) void *name##_run(void *p)",
        "MAKE(worker) { return 0; }",
        "void *worker_run(void *p) { return 0; }",
    ),
    "rescanning with the rest": ("#define f(x) x\n#define g f", "g(1)", "1"),
    "self reference": ("#define x x + 1", "x", "x + 1"),
    "mutual reference": ("#define a b\n#define b a", "a b", "a b"),
    "self reference by arguments": ("#define f(x) x(1)", "f(f)", "f(1)"),
    "standard, 6.10.3.5 example 3": (
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n"
        "#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n"
        "#define r(x,y) x ## y\n#define str(x) # x",
        "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
        "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };",
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);\n"
        "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);\n"
        'int i[] = { 1, 23, 4, 5, };\nchar c[2][6] = { "hello", "" };',
    ),
    "standard, 6.10.3.5 example 5": (
        "#define t(x,y,z) x ## y ## z",
        "int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
    ),
    "stringification": ("#define s(x) #x", 's( a  + "b\\n" )', '"a + \\"b\\\\n\\""'),
    "stringification takes the argument as written": ("#define N 1\n#define s(x) #x", "s(N)", '"N"'),
    "stringification after expansion": ("#define N 1\n#define s(x) #x\n#define t(x) s(x)", "t(N)", '"1"'),
    "pasting takes the argument as written": ("#define N 1\n#define c(a, b) a##b", "c(N, N)", "NN"),
    "pasting makes a macro name": ("#define AB 1\n#define c(a, b) a##b", "c(A, B)", "1"),
    "pasting operators": ("#define c(a, b) a##b", "i c(+, +); x c(<<, =) 1", "i ++; x <<= 1"),
    "pasting what is no token": ("#define c(a, b) a##b", "c(+, x)", "+ x"),
    "variadic": ("#define log(f, ...) printf(f, __VA_ARGS__)", "log(a, b, c)", "printf(a, b, c)"),
    "variadic without arguments": ("#define log(f, ...) printf(f __VA_ARGS__)", "log(a)", "printf(a)"),
    "GNU comma": ("#define log(f, ...) p(f, ##__VA_ARGS__)", "log(a) log(a, b)", "p(a) p(a, b)"),
    "GNU named variadic": ("#define log(f, rest...) p(f, ##rest)", "log(a) log(a, b, c)", "p(a) p(a, b, c)"),
    "optional variadic text": (
        "#define log(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)", "log(a) log(a, b)", "p(a) p(a, b)"
    ),
    "wrong number of arguments": ("#define f(x, y) x", "f(1) f(1, 2)", "f(1) 1"),
    "undefinition": ("#define N 1\n#undef N", "N", "N"),
    "redefinition": ("#define N 1\n#define N 2", "N", "2"),
    "continued definition": ("#define f(x) \\\n  (x + \\\n   1)", "f(2)", "(2 + 1)"),
    "comment in a definition": ("#define N /* a */ 1 /* b\n c */ + 2 // d", "N", "1 + 2"),
    "signs are kept apart": ("#define M -1", "x = -M;", "x = - -1;"),
    "member of an expansion": ("#define S s", "S.a->b", "s.a->b"),
    "line number": ("", "__LINE__\n__LINE__", "1 2"),
    "counter": ("", "__COUNTER__ __COUNTER__", "0 1"),
    "function name stays": ("", "__func__ __FUNCTION__", "__func__ __FUNCTION__"),
    "library initialisers stay": ("", "m = PTHREAD_MUTEX_INITIALIZER;", "m = PTHREAD_MUTEX_INITIALIZER;"),
    "container_of": (
        "#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))",
        "container_of(n, struct s, l)->x",
        "((struct s *)((char *)(n) - offsetof(struct s, l)))->x",
    ),
    "loop macro": (
        "#define each(i, n) for (int i = 0; i < n; i++)", "each(k, 3) f(k);", "for (int k = 0; k < 3; k++) f(k);"
    ),
    "malformed definitions are ignored": ("#define\n#define 1 2\n#define f(x y) z\n#define g(x", "f(1) g", "f(1) g"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_expansion(name):
    definitions, text, expected = CASES[name]
    before = definitions + "\n" if definitions else ""
    assert tokens_of(expand(before + text)) == tokens_of(expected)


def test_definitions_from_the_settings():
    text = expand("A B C(2)", defines=("A", "B=b + 1", "C(x)=<x>"))
    assert tokens_of(text) == tokens_of("1 b + 1 <2>")


def test_file_name_is_that_of_the_document(tmp_path):
    assert preprocess("__FILE__", tmp_path / "a.c", lambda path: None).text == '"a.c"'


def test_a_call_over_several_lines_stands_on_its_first_line():
    source = "#define f(x, y) x + y\nint a = f(1,\n  2); int b;\nint c;\n"
    assert expand(source) == "\nint a = 1 + 2; int b;\n\nint c;\n"


def test_arguments_may_contain_directives():
    source = "#define f(x) <x>\nf(1\n#ifdef NO\n + 2\n#else\n + 3\n#endif\n)\nend\n"
    text = expand(source)
    assert tokens_of(text) == ["<", "1", "+", "3", ">", "end"]
    assert text.count("\n") == source.count("\n")


def test_an_unclosed_call_stays_as_it_is():
    source = "#define f(x) <x>\nint a = f(1;\nint b = f(2);\n"
    assert expand(source) == "\nint a = f(1;\nint b = <2>;\n"


def test_spliced_text_is_joined_where_it_must_be():
    assert expand("#define N 1\nint x \\\n = N;\n") == "\nint x = 1;\n\n"
    assert expand("int lo\\\nng_name;\n") == "int long_name;\n\n"
    assert expand("int x \\\n = 2;\n") == "int x \\\n = 2;\n"
