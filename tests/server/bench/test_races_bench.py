"""`assay bench races` on a folder of a few programs written for this test."""

import argparse
import json
from pathlib import Path

import pytest

from assay.analyzers.errors import UsageError
from assay.server.bench import command

RACY = """#include <pthread.h>
int total;
void *work(void *arg) {
  total++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
SAFE = RACY.replace("  total++;\n", "  pthread_mutex_lock(&m); total++; pthread_mutex_unlock(&m);\n").replace(
    "int total;", "int total; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
)


def write_lines(path: Path, rows: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def program(name: str, racy: bool, races: list[dict], **fields) -> dict:
    row = {"id": name, "path": f"{name}.c", "norm_path": f"{name}.norm.c", "category": "made"}
    return {**row, "expected_race": racy, "races": races, "in_drpbench_1003": True, **fields}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    race = {"shared_variable": "total", "lineA": 4, "lineB": [4, 5]}
    rows = [
        program("racy", True, [race]),
        program("safe", False, []),
        program("unscored", True, [race], in_drpbench_1003=False),
    ]
    write_lines(folder / "manifest.jsonl", rows)
    verdict = {"path": "lines.c", "file_skip": False, "kernel": False, "todo": False}
    lines = [
        {**verdict, "line": 4, "label": "race"},
        {**verdict, "line": 11, "label": "norace"},
        {**verdict, "line": 12, "label": "race", "todo": True},
    ]
    write_lines(folder / "goblint_lines.jsonl", lines)
    real = {"path": "c/real.c", "lang": "c", "racy": True, "norace_lines": [11]}
    foreign = {"path": "py/real.rs", "lang": "rust", "racy": False, "norace_lines": [], "pairs": []}
    pairs = [{"variable": "total", "lines": [4, 4]}]
    write_lines(folder / "real" / "manifest.jsonl", [{**real, "pairs": pairs}, foreign])
    (folder / "real" / "c").mkdir()
    for name, text in {"racy.norm.c": RACY, "safe.norm.c": SAFE, "lines.c": RACY, "real/c/real.c": RACY}.items():
        (folder / name).write_text(text)
    return folder


def bench(data: Path, out: Path, *extra: str) -> dict:
    parser = argparse.ArgumentParser()
    parser.add_argument("--debug", action="store_true")
    command.add_parser(parser.add_subparsers())
    options = parser.parse_args(["bench", "races", "--data", str(data), "--json", str(out), *extra])
    assert options.run(options) == 0
    return json.loads(out.read_text())


def test_the_analysis_is_scored_on_every_kind_of_case(data, tmp_path, capsys):
    result = bench(data, tmp_path / "out.json")
    figures = result["figures"]["assay"]
    counts = {name: [figure[field] for field in ("cases", "tp", "fp", "fn", "tn")] for name, figure in figures.items()}
    assert counts == {
        "pairs_racy_only": [1, 1, 0, 0, 0],
        "pairs_all": [2, 1, 0, 0, 0],
        "program": [2, 1, 0, 0, 1],
        "goblint_lines": [1, 1, 0, 0, 1],
        "real:c:pairs": [1, 1, 0, 0, 0],
        "real:c:program": [1, 1, 0, 0, 0],
        "real:rust:pairs": [1, 0, 0, 0, 0],
        "real:rust:program": [1, 0, 0, 0, 1],
    }
    assert figures["program"]["accuracy"] == 100
    assert figures["program"]["intervals"]["f1"][1] == 100
    assert result["safe_lines_named"]["assay"] == {"c": 0, "rust": 0}
    assert "program                    assay" in capsys.readouterr().out


STUCK = SAFE.replace("total++;", "pthread_mutex_lock(&m);")


def test_deadlocks_are_scored_by_program_and_by_marked_line(data, tmp_path, capsys):
    rows = [
        {"path": "c/real.c", "lang": "c", "racy": True, "norace_lines": [], "pairs": []},
        {"path": "c/stuck.c", "lang": "c", "racy": False, "norace_lines": [], "pairs": [], "deadlock": True}
        | {"deadlock_lines": [4, 9]},
    ]
    write_lines(data / "real" / "manifest.jsonl", rows)
    (data / "real" / "c" / "stuck.c").write_text(STUCK)
    result = bench(data, tmp_path / "out.json")
    figures = result["figures"]["assay"]
    counts = {name: [figures[name][field] for field in ("cases", "tp", "fp", "fn", "tn")] for name in figures}
    assert counts["deadlocks"] == [2, 1, 0, 0, 1]
    assert counts["deadlock_lines"] == [1, 1, 0, 1, 0]
    (row,) = [row for row in result["rows"] if row["id"] == "real/c/stuck.c"]
    assert row["deadlock"] == {"expected": True, "labels": [4, 9], "lines": [4]}
    assert bench(data, tmp_path / "out.json")["rows"] == result["rows"]


def test_an_annotated_python_file_with_a_deadlock_is_a_case(data, tmp_path):
    notes = [{"line": 3, "label": "DEADLOCK!"}]
    row = {"path": "python/stuck.py", "expected_deadlock": True, "annotations": notes}
    write_lines(data / "python" / "manifest.jsonl", [row])
    (data / "python" / "stuck.py").write_text("pass\n")
    figure = bench(data, tmp_path / "out.json")["figures"]["assay"]["deadlocks"]
    assert figure["tp"] + figure["fn"] == 1


def test_the_result_can_be_scored_again(data, tmp_path):
    result = bench(data, tmp_path / "out.json")
    assert result["predictions"] == {
        "pairs": {"racy": [[4, 4]], "safe": [], "real/c/real.c": [[4, 4]], "real/py/real.rs": []},
        "lines": {"lines.c": [4]},
    }
    rows = {row["id"]: row for row in result["rows"]}
    assert rows["racy"]["labels"] == [[[4], [4, 5]]]
    assert rows["racy"]["pairs"] == [[4, 4]]
    assert rows["racy"]["ms"] > 0
    assert rows["lines.c"]["verdicts"] == [{"line": 4, "racy": True}, {"line": 11, "racy": False}]
    assert rows["real/py/real.rs"]["failure"] == "No feature checks this kind of file yet."


def test_machine_version_and_times_are_told(data, tmp_path):
    result = bench(data, tmp_path / "out.json")
    assert result["milliseconds"]["files"] == 4
    assert 0 < result["milliseconds"]["median"] <= result["milliseconds"]["p95"] <= result["milliseconds"]["max"]
    assert result["tool"]["version"]
    assert result["machine"]["cpus"] >= 1


def test_baselines_are_of_the_same_cases(data, tmp_path):
    figures = bench(data, tmp_path / "out.json")["figures"]
    assert figures["shared globals"]["pairs_all"]["fp"] == 1  # it knows nothing of the lock
    assert figures["shared globals"]["pairs_all"]["tp"] == 1
    assert figures["warn on nothing"]["program"]["accuracy"] == 50


def test_rows_are_reused_until_the_program_changes(data, tmp_path):
    out = tmp_path / "out.json"
    first = bench(data, out)
    again = bench(data, out)
    assert (first["reused"], again["reused"]) == (0, 4)
    assert again["rows"] == first["rows"]
    (data / "racy.norm.c").write_text(SAFE)
    changed = bench(data, out)
    assert changed["reused"] == 3
    assert changed["predictions"]["pairs"]["racy"] == []


def test_a_journal_that_was_cut_off_is_gone_on_with(data, tmp_path):
    out = tmp_path / "out.json"
    first = bench(data, out)
    journal = tmp_path / "out.json.rows.jsonl"
    kept = journal.read_text().rstrip("\n")
    journal.write_text(kept[:-10])
    again = bench(data, out)
    assert again["reused"] == 3
    assert again["predictions"] == first["predictions"]


def test_jobs_do_not_change_the_result(data, tmp_path):
    one = bench(data, tmp_path / "one.json", "--jobs", "1")
    two = bench(data, tmp_path / "two.json", "--jobs", "2")
    assert one["figures"] == two["figures"]
    assert one["predictions"] == two["predictions"]


def test_limit_takes_the_same_sample_each_time(data, tmp_path):
    one = bench(data, tmp_path / "one.json", "--limit", "3")
    two = bench(data, tmp_path / "two.json", "--limit", "3")
    assert len(one["rows"]) == 3
    assert [row["id"] for row in one["rows"]] == [row["id"] for row in two["rows"]]
    assert len({row["suite"] for row in one["rows"]}) == 3


def test_a_program_that_cannot_be_read_gets_a_row(data, tmp_path):
    (data / "safe.norm.c").unlink()
    result = bench(data, tmp_path / "out.json")
    (row,) = [row for row in result["rows"] if row["id"] == "safe"]
    assert row["ms"] is None
    assert row["failure"]
    assert result["failed"] == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: (data / "manifest.jsonl").unlink(), "manifest.jsonl cannot be read"),
        (lambda data: (data / "manifest.jsonl").write_text("{"), "not in the expected format"),
        (lambda data: (data / "goblint_lines.jsonl").write_text('{"path": "a.c"}'), "KeyError: 'todo'"),
        (lambda data: (data / "manifest.jsonl").write_bytes(b"\xff\xff"), "manifest.jsonl cannot be read"),
    ],
)
def test_wrong_data_is_refused_with_the_file_at_fault(data, tmp_path, change, message):
    change(data)
    with pytest.raises(UsageError, match=message):
        bench(data, tmp_path / "out.json")


def test_a_folder_without_cases_is_refused(tmp_path):
    for name in ("manifest.jsonl", "goblint_lines.jsonl"):
        (tmp_path / name).write_text("")
    with pytest.raises(UsageError, match="nothing to score"):
        bench(tmp_path, tmp_path / "out.json")


def test_an_unwritable_result_is_refused_before_the_work(data, tmp_path):
    with pytest.raises(UsageError, match="Give --json a file in a folder that exists"):
        bench(data, tmp_path / "missing" / "out.json")
