"""What ``assay check`` found is what an editor shows when it opens the same file: one cache for both."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from lsp_client import FAKES, Client

pytestmark = pytest.mark.e2e

RACY = """\
#include <pthread.h>
static int counter;
static void *work(void *unused) { counter++; return unused; }
int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    return 0;
}
"""
LONG = RACY + "/* " + "x" * 20_000 + " */\n"


def test_an_editor_shows_what_the_shell_has_remembered(tmp_path):
    file, cache = tmp_path / "racy.c", tmp_path / "cache"
    file.write_text(LONG)
    environment = {**os.environ, "ASSAY_CACHE_DIR": str(cache), "PYTHONPATH": str(FAKES)}
    command = [sys.executable, "-P", "-m", "assay", "check", str(file)]
    assert subprocess.run(command, env=environment, capture_output=True, timeout=60).returncode == 1
    marked(cache / "reports.sqlite")
    client = Client(env={"ASSAY_CACHE_DIR": str(cache)})
    try:
        client.initialize()
        uri = client.open(file.as_uri(), LONG, "c")
        assert [item["code"] for item in client.pull(uri)["items"]] == ["race/remembered"]
        client.change(uri, LONG + "\n")
        assert [item["code"] for item in client.pull(uri)["items"]] == ["race/lost-update"]
    finally:
        client.close()


def marked(database: Path) -> None:
    """Change what is stored, so that it can be told from a new analysis."""
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE reports SET value = replace(value, 'race/lost-update', 'race/remembered')")
        assert connection.execute("SELECT COUNT(*) FROM reports WHERE value LIKE '%remembered%'").fetchone() == (1,)
