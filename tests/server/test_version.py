"""The version is that of the installed metadata, found without loading what reads metadata."""

import sys
from importlib.metadata import version

from assay.server.version import DISTRIBUTION, assay_version


def test_it_is_the_version_that_the_packaging_tools_see():
    assert assay_version() == version(DISTRIBUTION)


def test_the_first_installation_on_the_path_counts(tmp_path, monkeypatch):
    for number in ("1.2.3", "4.5"):
        (tmp_path / number / f"assay_ls-{number}.dist-info").mkdir(parents=True)
    (tmp_path / "1.2.3" / "assay_ls_other-9.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", ["/no/such/folder", str(tmp_path / "1.2.3"), str(tmp_path / "4.5")])
    assert assay_version() == "1.2.3"


def test_without_an_installation_it_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert assay_version() == "unknown"
