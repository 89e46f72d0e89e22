"""``assay races explain`` tells of the shared accesses on a line why they race or do not."""

import json
import re
from pathlib import Path

import pytest

from assay.server.cli.main import main
from assay.server.cli.races import place

PROGRAM = """\
#include <pthread.h>
#include "shared.h"

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    hits++; naked++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    in_header();
    return 0;
}
"""
HEADER = """\
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits, naked;
static inline void in_header(void)
{
    naked = 0;
}
"""


@pytest.fixture
def explain(tmp_path: Path, monkeypatch, capsys):
    """Run the command in a folder with the program; give (status, output, errors)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "assay.toml").write_text("")
    (tmp_path / "main.c").write_text(PROGRAM)
    (tmp_path / "shared.h").write_text(HEADER)

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            status = main(["races", "explain", *arguments])
        except SystemExit as ended:
            status = int(ended.code or 0)
        return (status, *capsys.readouterr())

    return run


def test_every_shared_access_on_the_line_is_explained(explain) -> None:
    status, text, _ = explain("main.c:7")
    assert status == 0
    assert "main.c:7:5: Update of `hits` in `work`: no race found" in text
    assert "main.c:7:13: Update of `naked` in `work`: races" in text
    assert "both hold `lock`" in text


def test_the_other_side_is_shown_where_it_is(explain) -> None:
    _, text, _ = explain("main.c:7:14")
    assert "shared.h:5:5" in text
    assert "naked = 0;" in text
    assert "hits" not in text.splitlines()[0]


def test_the_cache_gives_the_same_answer(explain) -> None:
    assert explain("main.c:7") == explain("main.c:7") == explain("main.c:7", "--no-cache")


def test_json_has_the_reasons_as_data(explain) -> None:
    _, text, _ = explain("main.c:7:14", "--format", "json")
    [access] = json.loads(text)["accesses"]
    assert (access["variable"], access["role"], access["verdict"]) == ("naked", "update", "races")
    assert access["locks"] == ["lock"]
    assert {reason["verdict"] for reason in access["reasons"]} == {"races", "locked"}
    assert [(one["path"], one["line"]) for one in access["related"]] == [("shared.h", 5)]


def test_a_line_without_shared_access_says_where_there_are_some(explain) -> None:
    status, text, _ = explain("main.c:1")
    assert status == 1
    assert text == "No access of shared memory is known on line 1 of main.c. The nearest are on line 7.\n"


def test_a_file_without_threads_says_so(explain, tmp_path: Path) -> None:
    (tmp_path / "quiet.c").write_text("int main(void) { return 0; }\n")
    status, text, _ = explain("quiet.c:1")
    assert status == 1
    assert "it starts no thread" in text


def test_what_could_not_be_modelled_is_listed(explain, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(PROGRAM + "int broken( { ;\n")
    _, text, _ = explain("main.c:7")
    assert "not modelled" in text


@pytest.mark.parametrize("where", ["main.c", "main.c:", "main.c:0", "main.c:x", ":3", "main.c:-1", "a.c:99999999999"])
def test_a_place_that_is_none_is_told_with_an_example(explain, where: str) -> None:
    status, _, errors = explain(where)
    assert status == 2
    assert "such as main.c:12" in errors or "such as main.c" in errors


@pytest.mark.parametrize("where", ["missing.c:1", ".:1", "assay.toml:1"])
def test_what_cannot_be_analysed_is_one_clear_line(explain, where: str) -> None:
    status, text, errors = explain(where)
    assert (status, text) == (2, "")
    assert re.fullmatch(r"assay: [^\n]+\.\n", errors)


def test_names_with_colons_keep_them() -> None:
    assert (place("a:b.c:3").path, place("a:b.c:3").line) == ("a:b.c", 2)
    assert (place("a.c:3:4").line, place("a.c:3:4").column) == (2, 3)


def test_no_colour_where_it_is_not_wanted(explain, monkeypatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in explain("main.c:7")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in explain("main.c:7")[1]
