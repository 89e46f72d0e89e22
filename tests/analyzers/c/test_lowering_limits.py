"""Hostile programs: what is too deep is skipped with its reason, and the rest is analysed all the same."""

import pytest

from assay.analyzers.budget import Budget
from assay.analyzers.c.lowering import MAX_TOKENS, parse
from assay.analyzers.c.races import find_races
from assay.analyzers.errors import LimitError
from assay.analyzers.races.outcome import Races

BEFORE = "#include <pthread.h>\nint n, a, b, *p; extern int h();\n"
AFTER = """
void *work(void *unused) { n++; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); n++; pthread_join(t, 0); return 0; }
"""


def races(text: str) -> Races:
    return find_races(text, None, lambda path: None, (), (), Budget())


def in_function(body: str) -> str:
    return f"{BEFORE}void f(void) {{ {body} }}\n{AFTER}"


def in_thread(body: str) -> str:
    return BEFORE + AFTER.replace("n++; return", f"{body} n++; return")


def nested(opening: str, middle: str, closing: str, depth: int) -> str:
    return opening * depth + middle + closing * depth


TOO_DEEP = {
    "braces": nested("{", "", "}", 10_000),
    "parentheses": f"a = {nested('(', '1', ')', 10_000)};",
    "ifs": "if (a) " * 5000 + "a = 1;",
    "do loops": nested("do ", "a = 1;", " while (a);", 2000),
    "calls": f"a = {nested('h(', '1', ')', 2000)};",
    "call results": "a = h" + "()" * 2000 + ";",
    "conditional operators": "a = " + "h() ? 1 : " * 2000 + "0;",
    "negations": f"a = {'!' * 5000}a;",
    "addresses": f"a = {'&*' * 1000}a;",
    "dereferences": f"a = {'*' * 5000}p;",
    "casts": f"a = {'(int)' * 5000}a;",
    "subscripts": f"a = p{'[0]' * 2000};",
    "fields": f"a = b{'.x' * 2000};",
    "assignments": "a = " * 2000 + "1;",
    "right-nested sums": f"a = {nested('a + (', '1', ')', 2000)};",
    "statement expressions": f"a = {nested('({ ', '1;', ' })', 300)};",
    "labels": "".join(f"l{number}: " for number in range(2000)) + ";",
}


@pytest.mark.parametrize("kind", TOO_DEEP)
def test_a_function_nested_too_deeply_is_skipped_alone(kind: str) -> None:
    found = races(in_function(TOO_DEEP[kind]))
    assert [race.variable for race in found.races] == ["n"]
    assert any("nested more than 150 levels deep" in skipped.reason for skipped in found.skipped)


LONG = {
    "sum": f"a = {' + '.join(['a'] * 5000)};",
    "mixed operators": f"a = {' - b * '.join(['a'] * 3000)};",
    "comparison": f"a = {' == '.join(['a'] * 3000)};",
    "and": f"if ({' && '.join(['a'] * 5000)}) b = 1;",
    "or of calls": f"if ({' || '.join(['h()'] * 3000)}) b = 1;",
    "value of and": f"b = {' && '.join(['a'] * 3000)};",
    "commas": ", ".join(["a = 1"] * 3000) + ";",
    "else if": "if (a) b = 0;" + "".join(f" else if (a == {number}) b = 1;" for number in range(2000)),
    "switch": "switch (a) {" + "".join(f"case {number}: b = {number}; break;" for number in range(5000)) + "}",
    "gotos": "".join(f"l{number}: if (h()) goto l{number * 7 % 1000};" for number in range(1000)) + ";",
    "strings": "h(" + '"x" ' * 5000 + ");",
    "declarators": f"int {', '.join(f'x{number} = {number}' for number in range(2000))};",
    "initialiser": f"int z[] = {{ {'1, ' * 20_000} }};",
}


@pytest.mark.parametrize("kind", LONG)
def test_what_is_long_but_not_deep_is_analysed(kind: str) -> None:
    found = races(in_function(LONG[kind]))
    assert [race.variable for race in found.races] == ["n"]
    assert found.skipped == ()


@pytest.mark.parametrize("kind", ["sum", "and", "else if", "commas"])
def test_what_is_long_is_seen_in_a_thread(kind: str) -> None:
    found = races(in_thread(LONG[kind].replace("b = 1", "n = 1")))
    assert "n" in {race.variable for race in found.races}


DECLARATIONS = {
    "pointers": f"int {'*' * 5000}q;",
    "parenthesised pointers": f"int {nested('(*', 'q', ')', 2000)};",
    "arrays": f"int q{'[2]' * 2000};",
    "functions": f"int q{'(int)' * 2000};",
    "parameters of parameters": f"void q({nested('int (*f)(', 'int', ')', 1000)}) {{ }}",
    "parenthesised function": f"int {nested('(', 'q', ')', 2000)}(void) {{ return 0; }}",
    "pointer result": f"int {'*' * 2000}q(void) {{ return 0; }}",
    "structures": f"struct s {{ {nested('struct {', 'int x;', '} y;', 1000)} }} v; void q(void) {{ v.y.y.x = 1; }}",
    "anonymous structures": f"struct s {{ {nested('struct {', 'int x;', '};', 1000)} }} v; void q(void) {{ v.x = 1; }}",
    "structure in itself": "struct s { struct s s; union { struct s t; }; } v; void q(void) { v.s.t.u = v.s.x; }",
    "typedef circle": "typedef t u; typedef u t; typedef v v; t x; v y; void q(void) { x = y; (*x).z = y[1]; }",
    "enumerators": f"enum {{ E = {nested('(', '1', ')', 5000)}, F }};",
    "impossible constants": "int z[-3]; enum { Q = 1 / 0, R = 1 << 900, S = 1 % 0, T = 'ab' }; int w[R];",
    "braces of an initialiser": f"int z[2] = {nested('{', '1', '}', 5000)};",
    "expression of an initialiser": f"int z = {nested('(', '1', ')', 5000)};",
    "sum in an initialiser": f"int z = {'+'.join(['1'] * 5000)};",
    "many parameters": f"void q({', '.join(f'int p{number}' for number in range(500))}) {{ a = p3; }}",
    "names on one line": f"int x0{''.join(f', x{number}' for number in range(1, 5000))};",
    "nothing": "struct {} ; struct ; enum ; union ; ; static ;",
}


@pytest.mark.parametrize("kind", DECLARATIONS)
def test_odd_declarations_leave_the_rest_alone(kind: str) -> None:
    found = races(BEFORE + DECLARATIONS[kind] + AFTER)
    assert "n" in {race.variable for race in found.races}


def test_an_initialiser_nested_too_deeply_is_named():
    (skipped,) = races(BEFORE + DECLARATIONS["expression of an initialiser"] + AFTER).skipped
    assert "nested more than 150 levels deep at line 3" in skipped.reason
    assert skipped.span is not None
    assert skipped.span.start.line == 2


CALLS = {
    "a long chain": "".join(f"void f{n}(void) {{ f{n + 1}(); }}\n" for n in range(2000)) + "void f2000(void) { n++; }",
    "a wide web": "".join(
        f"void f{n}(void) {{ {' '.join(f'f{m}();' for m in range(n + 1, min(n + 6, 500)))} n++; }}\n"
        for n in range(500)
    ),
    "mutual recursion": "void f1(int); void f0(int i) { n++; f1(i - 1); f1(i - 2); } void f1(int i) { f0(i); }",
    "everybody calls everybody": "".join(
        f"void f{n}(int i) {{ {' '.join(f'f{m}(i);' for m in range(6))} n++; }}\n" for n in range(6)
    ),
}


@pytest.mark.parametrize("kind", CALLS)
def test_webs_of_calls_come_to_an_end(kind: str) -> None:
    found = races(BEFORE + CALLS[kind] + AFTER.replace("n++; return", "f0(9); n++; return"))
    assert [race.variable for race in found.races] == ["n"]


def test_hundreds_of_threads():
    create = "pthread_create(&t, 0, work, 0); " * 300
    found = races(BEFORE + AFTER.replace("pthread_create(&t, 0, work, 0);", create))
    assert [race.variable for race in found.races] == ["n"]


TEXTS = {
    "empty": "",
    "one line": "int x;",
    "binary": "\x00\x01\x7fELF pthread_create(" * 500,
    "surrogates": "int n; // \udcff pthread_create(\n",
    "open braces": in_function("{" * 5000),
    "closing braces": BEFORE + "}" * 5000 + AFTER,
    "open parentheses": in_function("a = " + "(" * 5000),
    "open comment": BEFORE + AFTER + "/* " + "x" * 10_000,
    "open string": BEFORE + 'char *s = "' + "x" * 10_000 + AFTER,
    "open character": BEFORE + "char c = '" + AFTER,
    "directives": BEFORE + "#if\n#else\n#else\n#endif\n#endif\n#define\n#include\n#" + AFTER,
    "only a call": "pthread_create(0, 0, 0, 0);",
    "wrong arguments": in_thread("pthread_create(); pthread_join(); pthread_mutex_lock(); memset(); atomic_load();"),
    "wrong kinds": in_thread("pthread_create(3, 4, 5, 6); pthread_mutex_lock(7); pthread_join(work, 0); (*5)(); 7();"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_no_text_is_too_odd(kind: str) -> None:
    found = races(TEXTS[kind])
    assert {race.variable for race in found.races} <= {"n"}
    assert all(skipped.reason.endswith(".") for skipped in found.skipped)


def test_what_cannot_be_parsed_in_bounded_memory_is_refused_before_it_is_tried() -> None:
    with pytest.raises(LimitError, match="tokens"):
        parse(";" * (MAX_TOKENS + 1))
    assert not parse("int " + "x" * (MAX_TOKENS + 1) + ";").root_node.has_error
