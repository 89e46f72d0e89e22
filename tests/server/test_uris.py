"""URIs and paths."""

from pathlib import Path

import pytest

from assay.server.uris import from_path, is_notebook_cell, to_path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.c", "/a/b.c"),
        ("file://localhost/a/b.c", "/a/b.c"),
        ("file:///a%20b/%E6%BC%A2.c", "/a b/漢.c"),
        ("file:///a%23b%3Fc.c", "/a#b?c.c"),
        ("file:///a/../b.c", "/b.c"),
        ("FILE:///a.c", "/a.c"),
    ],
)
def test_a_file_uri_names_a_path(uri, path):
    assert to_path(uri) == Path(path)


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "vscode-notebook-cell:/a.ipynb#1",
        "http://x/a.c",
        "",
        "file:",
        "nonsense",
        "file:///a%00b",
        "http://[bad",
    ],
)
def test_anything_else_names_none(uri):
    assert to_path(uri) is None


@pytest.mark.parametrize("path", ["/a b/漢.c", "/a#b?c%.c", "/plain.c", "/\udcff.c"])
def test_a_path_survives_the_way_to_a_uri_and_back(path):
    assert to_path(from_path(Path(path))) == Path(path)


def test_notebook_cells_are_recognised():
    assert is_notebook_cell("vscode-notebook-cell:/a.ipynb#1")
    assert not is_notebook_cell("file:///a.c")
