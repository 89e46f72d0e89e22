import os
import socket
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.analyzers.errors import LimitError, UnreadableError
from assay.server.sources import NotTextError, decode, mode_of, read_neighbour, read_source


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("é\n".encode(), "é\n"),
        (b"caf\xe9", "café"),
        (b"\xef\xbb\xbfint", "int"),
        ("int é".encode("utf-16"), "int é"),
        (b"\xfe\xff" + "int".encode("utf-16-be"), "int"),
        ("int".encode("utf-32"), "int"),
        (b"a\r\nb\rc", "a\r\nb\rc"),
    ],
)
def test_encodings_in_use_are_read(data: bytes, text: str) -> None:
    assert decode(data) == text


@pytest.mark.parametrize("data", [b"\x7fELF\0\0", b"int\0", b"\xff\xfea"])
def test_what_is_not_text_is_refused(data: bytes) -> None:
    with pytest.raises(NotTextError):
        decode(data)


@given(st.binary(max_size=50))
def test_any_bytes_without_a_mark_or_a_nul_are_text(data: bytes) -> None:
    text = decode(b"x" + data.replace(b"\0", b""))
    assert text.startswith("x")


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_bytes(b"int x;\r\n")
    assert read_source(tmp_path / "x.c", 100) == "int x;\r\n"


def test_a_file_at_the_limit_is_read_and_one_above_is_not(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_bytes(b"x" * 10)
    assert len(read_source(tmp_path / "x.c", 10)) == 10
    with pytest.raises(LimitError, match="10 bytes, more than the 9"):
        read_source(tmp_path / "x.c", 9)


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def make_circle(path: Path) -> None:
    path.symlink_to(path)


def make_broken(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Path.mkdir, "a folder"),
        (make_pipe, "a named pipe"),
        (make_socket, "a socket"),
        (make_circle, "leads back to itself"),
        (make_broken, "does not exist"),
        (lambda path: None, "does not exist"),
        (lambda path: path.symlink_to("/dev/zero"), "a device"),
    ],
)
def test_what_is_no_file_gives_one_clear_line_and_never_blocks(make, words: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    make(Path("x.c"))
    with pytest.raises(UnreadableError, match=words) as caught:
        read_source(Path("x.c"), 100)
    assert "\n" not in str(caught.value)


def test_impossible_paths_are_errors_too(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="shorter path"):
        read_source(tmp_path / ("x" * 5000), 100)
    with pytest.raises(UnreadableError, match="not valid"):
        read_source(Path("a\0b"), 100)
    (tmp_path / "f").write_text("")
    with pytest.raises(UnreadableError, match="not a folder"):
        read_source(tmp_path / "f" / "x.c", 100)


def test_an_unreadable_file_is_told(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "x.c").write_text("")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(UnreadableError, match="may not be read"):
        read_source(tmp_path / "x.c", 100)


def test_a_neighbour_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    assert read_neighbour(tmp_path / "x.h", 100) is None


def test_any_limit_can_be_read_under(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("int x;")
    assert read_source(tmp_path / "x.c", 10**30) == "int x;"


def test_the_mode_of_what_may_not_be_seen_is_nothing(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    assert stat.S_ISDIR(mode_of(tmp_path / "link"))
    assert stat.S_ISLNK(mode_of(tmp_path / "link", follow=False))
    assert mode_of(tmp_path / "missing") == 0

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refuse)
    assert mode_of(tmp_path) == 0
