"""The exploration of interleavings is exact or says that it knows nothing."""

from assay.analyzers.budget import Budget
from assay.analyzers.c.lowering import lower_text
from assay.analyzers.races.interleaving import MAX_THREADS, racing_sites

TWO = """
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x;
}
"""


def lines(source: str) -> set[tuple[int, int]] | None:
    """Give the 1-based line pairs that can be next at once, or None."""
    found = racing_sites(lower_text(source, Budget()).program, Budget())
    return None if found is None else {(one.line + 1, other.line + 1) for one, other in found}


def test_unordered_writes_can_be_next_at_once() -> None:
    source = "int x;\nvoid *one(void *p) { x = 1; return 0; }\nvoid *two(void *p) { x = 2; return 0; }" + TWO
    assert lines(source) == {(2, 3)}


def test_what_a_joined_thread_did_is_not_at_once_with_what_follows() -> None:
    source = "int x;\nvoid *one(void *p) { x = 1; return 0; }\nvoid *two(void *p) { return 0; }" + TWO
    assert lines(source) == set()


def test_a_value_decides_who_goes_on() -> None:
    source = (
        "int x, turn;\n"
        "void *one(void *p) {\n while (turn != 0) ;\n x = 1;\n turn = 1;\n return 0; }\n"
        "void *two(void *p) {\n while (turn != 1) ;\n x = 2;\n return 0; }" + TWO
    )
    assert lines(source) == {(5, 8)}


def test_a_lock_excludes_and_a_deadlock_ends() -> None:
    source = (
        "int x; pthread_mutex_t m;\n"
        "void *one(void *p) { pthread_mutex_lock(&m); x = 1; pthread_mutex_lock(&m); return 0; }\n"
        "void *two(void *p) { pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); return 0; }" + TWO
    )
    assert lines(source) == set()


def test_unknown_conditions_go_both_ways() -> None:
    source = (
        "int x; int unknown(void);\n"
        "void *one(void *p) { if (unknown()) x = 1; return 0; }\n"
        "void *two(void *p) { if (!unknown()) x = 2; return 0; }" + TWO
    )
    assert lines(source) == {(2, 3)}


def test_a_pointer_that_is_not_known_gives_no_answer() -> None:
    source = (
        "int x; int *unknown(void);\n"
        "void *one(void *p) { *unknown() = 1; return 0; }\nvoid *two(void *p) { x = 2; return 0; }" + TWO
    )
    assert lines(source) is None


def test_more_threads_than_are_explored_give_no_answer() -> None:
    creates = "    pthread_create(&t, 0, one, 0);\n" * MAX_THREADS
    source = "int x;\nvoid *one(void *p) { x = 1; return 0; }\nint main(void) {\n    pthread_t t;\n" + creates + "}\n"
    assert lines(source) is None


def test_two_reads_in_one_condition_give_no_answer() -> None:
    source = (
        "int x, y;\nvoid *one(void *p) { if (x + y) x = 1; return 0; }\nvoid *two(void *p) { y = 2; return 0; }" + TWO
    )
    assert lines(source) is None
