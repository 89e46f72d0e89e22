import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from assay.analyzers.findings import Skipped
from assay.features.pipeline import Report
from assay.server.cache import Cache, default_folder, key_of


def report(text: str = "why") -> Report:
    return Report(skipped=(Skipped(text),))


def no_dependencies(path: str) -> str | None:
    raise AssertionError(path)


def warnings_of(folder: Path, work=lambda cache: None) -> list[str]:
    warnings: list[str] = []
    with Cache(folder, warnings.append) as cache:
        work(cache)
    return warnings


def fail(message: str) -> None:
    raise AssertionError(message)


def store(folder: Path, key: bytes = b"k", value: Report | None = None, dependencies=None) -> None:
    with Cache(folder, fail) as cache:
        cache.put(key, value or report(), dependencies or {})


def fetch(folder: Path, key: bytes = b"k", digest_of=no_dependencies) -> Report | None:
    with Cache(folder, fail) as cache:
        return cache.get(key, digest_of)


def test_what_was_stored_is_found_by_the_next_run(tmp_path: Path) -> None:
    store(tmp_path)
    assert fetch(tmp_path) == report()
    assert fetch(tmp_path, b"other") is None


def test_many_results_are_written_in_batches(tmp_path: Path) -> None:
    with Cache(tmp_path, fail) as cache:
        for number in range(200):
            cache.put(b"%d" % number, report(str(number)), {})
    assert all(fetch(tmp_path, b"%d" % number) == report(str(number)) for number in (0, 63, 64, 199))


def test_a_result_is_used_only_while_its_dependencies_hold(tmp_path: Path) -> None:
    store(tmp_path, dependencies={"/a.h": "1", "/missing.h": None})
    assert fetch(tmp_path, digest_of={"/a.h": "1"}.get) == report()
    assert fetch(tmp_path, digest_of={"/a.h": "2"}.get) is None
    assert fetch(tmp_path, digest_of={"/a.h": "1", "/missing.h": "now there"}.get) is None


def test_keys_keep_their_parts_apart() -> None:
    assert key_of("ab", "c") != key_of("a", "bc")
    assert key_of("a", "b") == key_of("a", "b")


@pytest.mark.parametrize("damage", [b"this is no database at all, not even close" * 100, b""])
def test_a_damaged_database_is_replaced_in_silence(tmp_path: Path, damage: bytes) -> None:
    store(tmp_path)
    for file in tmp_path.iterdir():
        file.write_bytes(damage)
    store(tmp_path)
    assert fetch(tmp_path) == report()


def test_damage_inside_the_file_is_survived(tmp_path: Path) -> None:
    with Cache(tmp_path, fail) as cache:
        for number in range(300):
            cache.put(b"%d" % number, report("x" * 1000), {})
    database = tmp_path / "reports.sqlite"
    content = bytearray(database.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    database.write_bytes(content)
    with Cache(tmp_path, fail) as cache:
        assert cache.get(b"5", no_dependencies) is None
        cache.put(b"5", report(), {})
    assert fetch(tmp_path, b"5") == report()


def test_a_stored_value_that_is_no_report_is_a_miss(tmp_path: Path) -> None:
    store(tmp_path)
    with sqlite3.connect(tmp_path / "reports.sqlite") as connection:
        connection.execute("UPDATE reports SET value = '[1]'")
    connection.close()
    assert fetch(tmp_path) is None


def test_another_format_is_emptied(tmp_path: Path) -> None:
    store(tmp_path)
    with sqlite3.connect(tmp_path / "reports.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert fetch(tmp_path) is None
    store(tmp_path)
    assert fetch(tmp_path) == report()


def test_a_folder_that_cannot_be_made_gives_one_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    def use(cache: Cache) -> None:
        cache.put(b"k", report(), {})
        assert cache.get(b"k", no_dependencies) is None

    (warning,) = warnings_of(tmp_path / "file" / "cache", use)
    assert "ASSAY_CACHE_DIR" in warning
    assert "\n" not in warning


def test_a_full_disk_gives_one_warning_and_the_work_goes_on(tmp_path: Path) -> None:
    store(tmp_path)

    def fill(cache: Cache) -> None:
        assert cache._connection is not None
        cache._connection.execute("PRAGMA max_page_count = 1")
        for number in range(200):
            cache.put(b"%d" % number, report("x" * 5000), {})

    (warning,) = warnings_of(tmp_path, fill)
    assert "full" in warning


def test_a_locked_database_is_done_without(tmp_path: Path, monkeypatch) -> None:
    store(tmp_path)
    holder = sqlite3.connect(tmp_path / "reports.sqlite", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **options: real(path, **{**options, "timeout": 0.01}))
    warnings = warnings_of(tmp_path, lambda cache: cache.put(b"n", report(), {}))
    holder.close()
    assert len(warnings) == 1
    assert "locked" in warnings[0]
    assert fetch(tmp_path) == report()


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    with Cache(tmp_path, fail) as cache:
        for number in range(20):
            cache.put(b"%02d" % number, report("x" * 1000), {})
    with Cache(tmp_path, fail) as cache:
        assert cache.get(b"00", no_dependencies) is not None
    with Cache(tmp_path, fail, max_bytes=10_000) as cache:
        cache.put(b"new", report("x" * 1000), {})
    with Cache(tmp_path, fail) as cache:
        assert 2 <= cache.usage()[0] < 10
        assert cache.get(b"00", no_dependencies) is not None
        assert cache.get(b"new", no_dependencies) is not None


WRITER = """
import sys
from pathlib import Path
from assay.analyzers.findings import Skipped
from assay.features.pipeline import Report
from assay.server.cache import Cache
def warn(message): sys.exit(message)
for turn in range(20):
    with Cache(Path(sys.argv[1]), warn) as cache:
        for number in range(20):
            cache.put(f"{sys.argv[2]} {turn} {number}".encode(), Report(skipped=(Skipped("x"),)), {})
"""


def test_two_processes_may_write_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, name], stderr=subprocess.PIPE) for name in ("a", "b")]
    assert [writer.communicate(timeout=60)[1] for writer in writers] == [b"", b""]
    with Cache(tmp_path, fail) as cache:
        assert cache.usage()[0] == 800


def test_the_folder_can_be_chosen_and_has_a_default_without_a_home(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    assert default_folder() == tmp_path
    for name in ("ASSAY_CACHE_DIR", "HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert default_folder().name == "assay"
    assert os.fspath(default_folder())


@pytest.mark.parametrize("value", ["[]", "[" * 100_000, "3", b"\xff\x00"])
@pytest.mark.parametrize("column", ["value", "dependencies"])
def test_a_stored_value_that_cannot_be_a_result_is_a_miss(tmp_path: Path, column: str, value: str | bytes) -> None:
    store(tmp_path)
    with sqlite3.connect(tmp_path / "reports.sqlite") as connection:
        connection.execute(f"UPDATE reports SET {column} = ?", (value,))
    connection.close()
    assert fetch(tmp_path) is None


@pytest.mark.parametrize("damage", ["DROP TABLE reports", "ALTER TABLE reports RENAME COLUMN value TO other"])
def test_a_database_with_other_tables_is_made_anew(tmp_path: Path, damage: str) -> None:
    store(tmp_path)
    with sqlite3.connect(tmp_path / "reports.sqlite") as connection:
        connection.execute(damage)
    connection.close()
    assert fetch(tmp_path) is None
    store(tmp_path)
    assert fetch(tmp_path) == report()
