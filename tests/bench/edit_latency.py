"""How long a race check takes after an edit in a long C file: ``python tests/bench/edit_latency.py``.

The program is generated: a server with several kinds of threads, a structure for each subject, some guarded by locks,
some not.  Each round changes one function's body, as typing does, and checks the document as the editor's server would.
"""

import argparse
import platform
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from assay.features import pipeline
from assay.features.feature import Context, Document

_HEAD = """\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 64
#define LOCK(table) pthread_mutex_lock(&(table)->lock)
#define UNLOCK(table) pthread_mutex_unlock(&(table)->lock)

struct entry {
    int key;
    long value;
    struct entry *next;
};

struct table {
    pthread_mutex_t lock;
    struct entry *buckets[CAPACITY];
    int used;
    long total;
};

static int stopping;
"""

_SUBJECT = """
/* Subject {n}: a table of its own, counters, and the functions over them. */
static struct table table_{n} = {{ PTHREAD_MUTEX_INITIALIZER }};
static long hits_{n};
static int limit_{n} = {limit};

static unsigned hash_{n}(int key)
{{
    unsigned mixed = (unsigned)key * 2654435761u;
    mixed ^= mixed >> {shift};
    if (mixed == 0)
        mixed = {n} + 1;
    return mixed % CAPACITY;
}}

static struct entry *find_{n}(int key)
{{
    struct entry *entry = table_{n}.buckets[hash_{n}(key)];
    while (entry != NULL) {{
        if (entry->key == key)
            return entry;
        entry = entry->next;
    }}
    return NULL;
}}

static int insert_{n}(int key, long value)
{{
    struct entry *entry;
    unsigned bucket = hash_{n}(key);

    LOCK(&table_{n});
    entry = find_{n}(key);
    if (entry == NULL) {{
        entry = malloc(sizeof(*entry));
        if (entry == NULL) {{
            UNLOCK(&table_{n});
            return -1;
        }}
        entry->key = key;
        entry->next = table_{n}.buckets[bucket];
        table_{n}.buckets[bucket] = entry;
        table_{n}.used++;
    }}
    entry->value = value;
    table_{n}.total += value;
    UNLOCK(&table_{n});
    return 0;
}}

static void sweep_{n}(long threshold)
{{
    int bucket;

    LOCK(&table_{n});
    for (bucket = 0; bucket < CAPACITY; bucket++) {{
        struct entry *entry = table_{n}.buckets[bucket];
        while (entry != NULL) {{
            if (entry->value < threshold) {{
                entry->value = 0;
                table_{n}.used--;
            }}
            entry = entry->next;
        }}
    }}
    UNLOCK(&table_{n});
}}

static void report_{n}(const char *title)
{{
    long total;
    int used;

    LOCK(&table_{n});
    total = table_{n}.total;
    used = table_{n}.used;
    UNLOCK(&table_{n});
    switch (used & 3) {{
    case 0:
        printf("%s: empty %ld\\n", title, total);
        break;
    case 1:
        printf("%s: %ld in one\\n", title, total);
        break;
    default:
        printf("%s: %ld in %d\\n", title, total, used);
        break;
    }}
}}

static void *worker_{n}(void *argument)
{{
    int rounds = *(int *)argument;
    int round;

    for (round = 0; round < rounds; round++) {{
        if (insert_{n}(round, {edit}) != 0)
            break;
        {count}
        if (round % limit_{n} == 0)
            sweep_{n}(round);
    }}
    report_{n}("worker {n}");
    return NULL;
}}
"""

SUBJECTS, HELPERS = 10, 6

_HELPER = """
static int helper_{n}_{m}(int value, const char *text)
{{
    int length = (int)strlen(text);
    int step;
    for (step = 0; step < length; step++) {{
        value = value * 31 + text[step];
        if (value < 0)
            value = -value;
    }}
    return value + {m};
}}
"""


def program(edit: int = 0) -> str:
    """Give the program in which the ``edit``-th state of one expression stands."""
    return _HEAD + "".join(_subjects(edit)) + "".join(_main())


def _subjects(edit: int) -> Iterator[str]:
    for n in range(SUBJECTS):
        locked = f"LOCK(&table_{n}); hits_{n}++; UNLOCK(&table_{n});"
        yield _SUBJECT.format(
            n=n,
            limit=8 + n,
            shift=13 + n % 4,
            edit=f"round + {edit}" if n == SUBJECTS // 2 else "round * 2",
            count=f"hits_{n}++;" if n % 5 == 0 else locked,
        )
        for m in range(HELPERS):
            yield _HELPER.format(n=n, m=m)


def _main() -> Iterator[str]:
    yield f"\nint main(void)\n{{\n    pthread_t threads[{2 * SUBJECTS}];\n    int rounds = 100;\n\n"
    for n in range(SUBJECTS):
        for copy in range(2):
            yield f"    pthread_create(&threads[{2 * n + copy}], NULL, worker_{n}, &rounds);\n"
    for n in range(2 * SUBJECTS):
        yield f"    pthread_join(threads[{n}], NULL);\n"
    yield "    stopping = 1;\n"
    yield "".join(f'    report_{n}("end");\n' for n in range(SUBJECTS))
    yield "    return stopping == 0;\n}\n"


def measure(rounds: int) -> list[float]:
    """Give the milliseconds of each check after an edit; the first check of the text is not among them."""
    context, path = Context(), Path.cwd() / "edited.c"
    times = []
    for edit in range(rounds + 1):
        document = Document(path.as_uri(), "c", program(edit), path)
        began = time.perf_counter()
        pipeline.check(document, context)
        times.append((time.perf_counter() - began) * 1000)
    return times[1:]


def main() -> None:
    """Measure and print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="edits to measure")
    rounds = parser.parse_args().rounds
    times = measure(rounds)
    lines = program().count("\n")
    found = f"median {statistics.median(times):.0f} ms, largest {max(times):.0f} ms, smallest {min(times):.0f} ms"
    sys.stdout.write(f"{lines} lines, {rounds} edits: {found} (CPython {platform.python_version()})\n")


if __name__ == "__main__":
    main()
