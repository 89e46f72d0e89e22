"""The lexical baseline does what its description says, and no more."""

import pytest

from assay.server.bench.baselines import shared_globals, warn_on_nothing

THREADS = """void *one(void *p) {{
  {one}
  return 0;
}}
void *two(void *p) {{
  {two}
  return 0;
}}
int main(void) {{
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  return 0;
}}
"""
ONE, TWO = 3, 7


def pairs(declaration: str, one: str, two: str) -> set[tuple[int, int]]:
    return set(shared_globals(declaration + "\n" + THREADS.format(one=one, two=two)))


@pytest.mark.parametrize(
    ("declaration", "one", "two"),
    [
        ("int x;", "x = 1;", "f(x);"),
        ("int x, y = 2, z;", "z++;", "f(z);"),
        ("static int *x[3] = {0, 1};", "--x[1];", "f(x);"),
        ("struct s { int a; } x;", "x.a = 0; x = y;", "f(x);"),
        ("int x;", "lock(&m); x += 1; unlock(&m);", "lock(&m); x -= 1; unlock(&m);"),
    ],
)
def test_conflicting_accesses_of_a_global_are_reported(declaration, one, two):
    assert pairs(declaration, one, two) == {(ONE, TWO)}


@pytest.mark.parametrize(
    ("declaration", "one", "two"),
    [
        ("int x;", "f(x);", "g(x == 1);"),
        ("int x, y;", "x = 1;", "y = 1;"),
        ("int x;", "/* x = 1 */", "x = 1;"),
        ("", "int x; x = 1;", "int x; x = 1;"),
        ("atomic_int x; pthread_mutex_t m; typedef int t; int f(void);", "x = 1; m = 1; t = 1;", "x; m; t; f = 1;"),
    ],
)
def test_what_is_not_a_conflict_is_not_reported(declaration, one, two):
    assert pairs(declaration, one, two) == set()


def test_called_functions_belong_to_their_threads():
    source = "int x;\nvoid helper(void) {\n  x = 1;\n}\n" + THREADS.format(one="helper();", two="f(x);")
    assert set(shared_globals(source)) == {(3, 10)}


def test_a_thread_started_in_a_loop_races_with_itself():
    source = """int x;
void *work(void *p) {
  x++;
  return 0;
}
int main(void) {
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, work, 0);
}
"""
    assert set(shared_globals(source)) == {(3, 3)}


@pytest.mark.parametrize("text", ["", "}", "{", "int main(void) {", "#define X {\n", "a(b) {}" * 100])
def test_any_text_is_read(text):
    assert shared_globals(text) == frozenset()
    assert warn_on_nothing(text) == frozenset()
