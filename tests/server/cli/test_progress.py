import io

from assay.server.cli import progress as module
from assay.server.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(stream: io.StringIO, monkeypatch, patience: float) -> str:
    monkeypatch.setattr(module, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    with progress(stream) as tell:
        tell(1, 20)
    return stream.getvalue()


def test_a_long_run_on_a_terminal_shows_a_bar(monkeypatch) -> None:
    assert "1/20" in drawn(Terminal(), monkeypatch, 0.0)


def test_a_short_run_shows_none(monkeypatch) -> None:
    assert drawn(Terminal(), monkeypatch, 100.0) == ""


def test_a_pipe_shows_none(monkeypatch) -> None:
    assert drawn(io.StringIO(), monkeypatch, 0.0) == ""
