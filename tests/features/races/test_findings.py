"""The words of a race finding: the reader recognises the variable, the locks and the lines of the program."""

from pathlib import Path

from assay.analyzers.findings import Finding
from assay.features.feature import Context, Document
from assay.features.pipeline import check

MAIN = """
int main(void)
{
    pthread_t one, other;
    struct item *p = calloc(1, sizeof *p);
    set_up(p);
    pthread_create(&one, 0, work, p);
    pthread_create(&other, 0, work, p);
    pthread_join(one, 0);
    pthread_join(other, 0);
}
"""

ITEM = """#include <pthread.h>
#include <stdlib.h>
struct item { pthread_mutex_t lock, spare; void (*call)(int); int value; };
void set_up(struct item *p);
"""


def findings_in(text: str, **headers: str) -> tuple[Finding, ...]:
    """Check a program; `headers` are the texts of the local headers by name."""
    document = Document(uri="file:///main.c", language="c", text=text, path=Path("/main.c"))
    return check(document, Context(read=lambda path: headers.get(path.stem))).findings


def shown(finding: Finding, text: str) -> str:
    """Give the text that the finding underlines."""
    line = text.splitlines()[finding.span.start.line]
    return line[finding.span.start.column : finding.span.end.column]


def worker(*statements: str) -> str:
    """Give a program whose two threads do this with one object `q`."""
    body = "\n    ".join(("struct item *q = argument;", *statements, "return 0;"))
    return f"{ITEM}static void *work(void *argument)\n{{\n    {body}\n}}\n{MAIN}"


def test_what_free_releases_is_named_by_its_field() -> None:
    (finding,) = findings_in(worker("q->value = 1;"))
    assert finding.message.startswith("`q->value` is written")
    text = worker("int seen = q->value;", "free(q);", "return (void *)(long)seen;")
    messages = sorted(finding.message for finding in findings_in(text))
    assert [message.partition(" is ")[0] for message in messages] == ["`*q`", "`q->value`"]


def test_a_call_through_a_field_reads_the_field_alone() -> None:
    text = worker("q->call(1);", "q->call = 0;")
    (finding,) = findings_in(text)
    assert finding.message.startswith("`q->call` is ")
    assert shown(finding, text) == "q->call"
    assert {place.span.end.column - place.span.start.column for place in finding.related} <= {len("q->call")}


def test_a_lock_in_an_object_without_a_name_is_told_by_where_it_was_allocated() -> None:
    text = worker("q->value = 1;", "pthread_mutex_lock(&q->lock);", "q->value = 2;", "pthread_mutex_unlock(&q->lock);")
    (finding,) = findings_in(text)
    line = 1 + text.splitlines().index("    struct item *p = calloc(1, sizeof *p);")
    assert f"holds `lock` of the object allocated on line {line}" in finding.evidence[0].details + finding.message


def test_the_line_of_an_allocation_is_counted_in_its_own_file() -> None:
    text = '#include "item.h"\n' + worker(
        "q->value = 1;", "pthread_mutex_lock(&q->lock);", "q->value = 2;", "pthread_mutex_unlock(&q->lock);"
    )
    line = 1 + text.splitlines().index("    struct item *p = calloc(1, sizeof *p);")
    (finding,) = findings_in(text, item="int one;\nint two;\nint three;\n")
    assert f"of the object allocated on line {line}" in finding.message


TWO_LOCKS = """#include <pthread.h>
static pthread_mutex_t a, b;
static int x;
static void *work(void *argument)
{
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    return argument;
}
static void *play(void *argument)
{
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    return argument;
}
int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, play, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
}
"""


def test_two_accesses_of_one_kind_are_told_apart_by_function() -> None:
    (finding,) = findings_in(TWO_LOCKS)
    assert finding.evidence[0].summary.startswith("The update in `work` holds `a`, the one in `play` holds `b`; ")


def test_two_accesses_of_one_kind_in_one_function_are_told_apart_by_line() -> None:
    text = worker("q->value = 1;", "pthread_mutex_lock(&q->lock);", "q->value = 2;", "pthread_mutex_unlock(&q->lock);")
    first, second = (1 + text.splitlines().index(f"    q->value = {number};") for number in (1, 2))
    (finding,) = findings_in(text)
    assert finding.evidence[0].summary.startswith(f"The write on line {first} holds no lock, the one on line {second} ")


def test_one_access_in_two_threads_is_listed_once() -> None:
    (finding,) = findings_in(worker("q->value = 1;"))
    (place,) = finding.evidence[0].details.splitlines()
    assert place.endswith("`q->value`, write in `work`, holds no lock, in both threads")
