import os
from pathlib import Path

import pytest

from assay.analyzers.errors import UsageError
from assay.server.reports.output import write_file


def test_a_file_is_replaced_as_a_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "report"
    target.write_text("old")
    target.chmod(0o640)
    write_file(target, "new é \udcff")
    assert target.read_bytes() == "new é \\udcff".encode()
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch) -> None:
    target = tmp_path / "report"
    target.write_text("old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="no space left on device"):
        write_file(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_is_written_through_and_a_device_directly(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    write_file(Path("/dev/null"), "new")


@pytest.mark.parametrize("name", ["missing/report", "."])
def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        write_file(tmp_path / name, "x")
