"""Programs in several files: headers declare, define and include each other, and some are missing."""

from pathlib import Path

from assay.analyzers.findings import Span
from assay.features.feature import Context, Document
from assay.features.pipeline import Report, check

MAIN = """
static void *work(void *unused) { BUMP(shared); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    BUMP(shared);
    pthread_join(t, 0);
    return 0;
}
"""


def read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None


def report(folder: Path, **files: str) -> Report:
    """Check ``main.c``; `files` are the others by their names, with ``_`` for the dot."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    path = folder / "main.c"
    document = Document(uri=path.as_uri(), language="c", text=path.read_text("utf-8"), path=path)
    return check(document, Context(read=read))


def variables(made: Report) -> list[str]:
    return [pair["variable"] for finding in made.findings for pair in finding.data["pairs"]]


def pairs(made: Report) -> list[list[int]]:
    return [pair["lines"] for finding in made.findings for pair in finding.data["pairs"]]


def test_types_macros_and_functions_come_from_headers(tmp_path: Path) -> None:
    header = """#ifndef H
#define H
struct counter { pthread_mutex_t lock; int value, other; };
extern struct counter shared;
#define BUMP(c) do { enter(&(c)); (c).value++; leave(&(c)); (c).other++; } while (0)
static inline void enter(struct counter *c) { pthread_mutex_lock(&c->lock); }
static inline void leave(struct counter *c) { pthread_mutex_unlock(&c->lock); }
#endif
"""
    made = report(tmp_path, counter_h=header, main_c=f'#include <pthread.h>\n#include "counter.h"{MAIN}')
    assert set(variables(made)) == {"shared.other"}
    assert pairs(made) == [[3, 7]]
    assert made.skipped == ()


def test_a_race_inside_a_header_alone_is_told_where_it_is_included(tmp_path: Path) -> None:
    header = "static int shared;\nstatic void bump(void) { shared++; }\n#define BUMP(x) bump()\n"
    made = report(tmp_path, counter_h=header, main_c=f'#include <pthread.h>\n#include "counter.h"{MAIN}')
    (found,) = made.findings
    assert found.span == Span.of(1, 0, 1, len('#include "counter.h"'))
    assert [(related.path, related.span.start.line) for related in found.related] == [(str(tmp_path / "counter.h"), 1)]
    assert found.data == {"pairs": []}


def test_a_race_between_document_and_header_names_the_header(tmp_path: Path) -> None:
    header = "static int shared;\nstatic void bump(void) { shared++; }\n#define BUMP(x) bump()\n"
    text = f'#include <pthread.h>\n#include "counter.h"{MAIN.replace("    BUMP(shared)", "    shared = 3")}'
    (finding,) = report(tmp_path, counter_h=header, main_c=text).findings
    assert finding.span.start.line == 6
    assert [related.path for related in finding.related] == [str(tmp_path / "counter.h")]
    assert "counter.h" in finding.message


def test_headers_that_include_each_other_come_to_an_end(tmp_path: Path) -> None:
    text = f'#include "one.h"{MAIN}'
    made = report(
        tmp_path,
        one_h='#include "two.h"\nextern int shared;\n',
        two_h='#include "one.h"\n#define BUMP(x) x++\n',
        main_c=text,
    )
    assert set(variables(made)) == {"shared"}


def test_a_missing_header_leaves_its_names_unknown(tmp_path: Path) -> None:
    text = f'#include "missing.h"\nmystery_t shared;\n#define BUMP(x) (x).count++{MAIN}'
    made = report(tmp_path, main_c=text)
    assert set(variables(made)) == {"shared.count"}
