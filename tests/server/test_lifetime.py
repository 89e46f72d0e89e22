"""The server ends when it should, with the right status, and takes its processes with it."""

import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from lsp_client import Client, frame, gone

URI = "file:///lifetime/a.script"


def busy(client: Client) -> list[int]:
    """Keep an analysis process busy in a way that it does not notice anything, and give the processes."""
    client.open(URI, "@hang")
    client.begin("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if children := client.children():
            return children
        time.sleep(0.02)
    raise AssertionError("no analysis process was started")


def test_exit_without_shutdown_is_status_1(fresh):
    children = busy(fresh)
    fresh.notify("exit")
    assert fresh.process.wait(30) == 1
    assert all(gone(child) for child in children)


def test_exit_after_shutdown_is_status_0_and_leaves_no_process(fresh):
    children = busy(fresh)
    fresh.request("shutdown")
    fresh.notify("exit")
    assert fresh.process.wait(30) == 0
    assert all(gone(child) for child in children)


def test_the_end_of_standard_input_ends_the_server_and_its_processes(fresh):
    children = busy(fresh)
    fresh.process.stdin.close()
    assert fresh.process.wait(30) == 1
    assert all(gone(child) for child in children)


def test_exit_before_initialize_is_status_1(start):
    client = start()
    client.notify("exit")
    assert client.process.wait(30) == 1


def test_a_closed_standard_input_before_initialize_ends_the_server(start):
    client = start()
    client.process.stdin.close()
    assert client.process.wait(30) == 1


def test_the_death_of_the_clients_process_ends_the_server(start):
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    client = start()
    client.initialize(processId=parent.pid)
    children = busy(client)
    parent.kill()
    parent.wait()
    assert client.process.wait(30) == 1
    assert all(gone(child) for child in children)


def test_a_client_process_that_cannot_be_seen_does_not_end_the_server(start):
    client = start()
    client.initialize(processId=2**22 + 12345)
    assert client.call("no/such")["error"]["code"] == -32601


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_a_server_that_is_killed(fresh, number):
    children = busy(fresh)
    fresh.process.send_signal(number)
    fresh.process.wait(30)
    assert all(gone(child) for child in children)


@pytest.mark.parametrize("step", range(4))
def test_it_can_be_ended_at_any_point_of_its_start(start, step):
    client = start()
    for begin in (
        lambda: client.request("initialize", {"capabilities": {}}),
        lambda: client.notify("initialized", {}),
        lambda: client.open(URI, "@warn"),
    )[:step]:
        begin()
    client.process.send_signal(signal.SIGTERM)
    assert client.process.wait(30) in (1, -signal.SIGTERM)


def test_tcp_serves_one_client_and_then_ends(start):
    client = start("--tcp", "127.0.0.1:0")
    end = time.monotonic() + 30
    while not (found := re.search(rb"listening on 127\.0\.0\.1:(\d+)", client.errors)) and time.monotonic() < end:
        time.sleep(0.01)
    with socket.create_connection(("127.0.0.1", int(found[1])), 30) as connection:
        connection.sendall(frame(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'))
        stream = connection.makefile("rb")
        length = int(stream.readline().split(b":")[1])
        stream.readline()
        assert b'"serverInfo"' in stream.read(length)
        connection.sendall(frame(b'{"jsonrpc":"2.0","id":2,"method":"shutdown"}'))
        connection.sendall(frame(b'{"jsonrpc":"2.0","method":"exit"}'))
        assert client.process.wait(30) == 0


def test_a_tcp_address_in_use_is_one_clear_line(start):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        client = start("--tcp", f"127.0.0.1:{taken.getsockname()[1]}")
        assert client.process.wait(30) == 2
    time.sleep(0.1)
    assert b"cannot listen on 127.0.0.1" in client.errors
    assert b"Traceback" not in client.errors


def test_two_servers_work_side_by_side_on_one_folder_without_a_home(start, tmp_path):
    home = tmp_path / "home"
    home.write_text("a file, in which no folder can be made")
    uri = (tmp_path / "a.script").as_uri()
    environment = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "x"), "ASSAY_CACHE_DIR": str(home / "y")}
    clients = [start(env=environment) for _ in range(2)]
    for client in clients:
        client.initialize(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        client.open(uri, "@warn" + " " * 30_000)
    for client in clients:
        assert [item["code"] for item in client.pull(uri)["items"]] == ["script/warn"]


def test_regular_files_as_standard_input_and_output_work(tmp_path):
    source, sink = tmp_path / "in", tmp_path / "out"
    source.write_bytes(frame(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'))
    with source.open("rb") as stdin, sink.open("wb") as stdout:
        command = [sys.executable, "-P", "-m", "assay", "serve"]
        assert subprocess.run(command, stdin=stdin, stdout=stdout, timeout=60).returncode == 1
    assert b'"serverInfo"' in sink.read_bytes()


def test_a_client_that_never_reads_does_not_keep_the_server_alive(tmp_path):
    command = [sys.executable, "-P", "-m", "assay", "serve"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    server.stdin.write(frame(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'))
    for number in range(20_000):
        server.stdin.write(frame(b'{"jsonrpc":"2.0","id":"%d","method":"no/such"}' % number))
    server.stdin.close()
    assert server.wait(30) == 1
    server.stdout.close()
