"""What each process loads: nothing heavy before ``initialize`` is answered, no analysis in the server, no protocol
in the analysis processes.
"""

import json
import subprocess
import sys

HEAVY = ("tree_sitter", "tree_sitter_c", "numpy", "torch", "numba", "sqlglot", "duckdb", "hypothesis", "rich")
PROTOCOL = ("pygls", "lsprotocol", "cattrs")
SLOW = ("asyncio", "attr", "logging", "argparse", "importlib.metadata", "subprocess", "threading", "pathlib", "inspect")
"""Each takes 5 ms or more, and the answer to ``initialize`` is to take 40."""

GREETING = """
import json, sys
from assay.server import serve
from assay.server.handshake import Inbox, greet
from assay.server.messages import framed

class Channel:
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    chunks = [framed(json.dumps(request).encode())]
    sent = b""
    def read(self):
        return self.chunks.pop() if self.chunks else b""
    def write(self, data):
        self.sent += data

channel = Channel()
assert greet(Inbox(), channel) is not None
assert b'"serverInfo"' in channel.sent
print(json.dumps(sorted(sys.modules)))
"""

ANALYSIS = """
import io, json, sys
from assay.features.feature import Document
from assay.features.settings import Settings
from assay.server import jobs, worker
from assay.server.encoding import Encoding

worker.hello()
process = worker.Worker(worker.Pipe(io.BytesIO(), io.BytesIO()))
document = Document("file:///a.c", "c", "int x; int main(void) { return x; }")
answer = process._answer(jobs.Check(1, document, jobs.Scope({}, Settings()), Encoding.UTF16))
assert isinstance(answer, jobs.Checked), answer
print(json.dumps(sorted(sys.modules)))
"""

WHOLE_CONVERSATION = """
import json, sys
from assay.server.serve import ServeOptions, serve
status = serve(ServeOptions())
with open(sys.argv[1], "w") as file:
    json.dump(sorted(sys.modules), file)
sys.exit(status)
"""


def loaded(script: str) -> set[str]:
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    return set(json.loads(done.stdout))


def test_the_answer_to_initialize_needs_neither_the_protocol_library_nor_a_feature_nor_the_event_loop():
    modules = loaded(GREETING)
    assert modules.isdisjoint({*HEAVY, *PROTOCOL, *SLOW, "assay.features.registry", "multiprocessing"})


def test_an_analysis_process_does_not_know_the_protocol():
    modules = loaded(ANALYSIS)
    assert "tree_sitter" in modules
    assert modules.isdisjoint({*PROTOCOL, "asyncio", "numpy", "torch", "rich"})


def test_the_server_never_loads_an_analysis(start, tmp_path):
    report = tmp_path / "modules.json"
    client = start(command=[sys.executable, "-P", "-c", WHOLE_CONVERSATION, str(report)])
    client.initialize()
    uri = client.open((tmp_path / "a.c").as_uri(), "int x; int main(void) { return x; }\n", "c")
    client.pull(uri)
    script = client.open((tmp_path / "a.script").as_uri(), "@fix @offer")
    client.pull(script)
    client.request("textDocument/hover", {"textDocument": {"uri": script}, "position": {"line": 0, "character": 1}})
    for action in client.actions(script, (0, 0, 0, 9)):
        if "data" in action:
            client.request("codeAction/resolve", action)
        else:
            command = {key: action["command"][key] for key in ("command", "arguments")}
            client.request("workspace/executeCommand", command)
    client.request("shutdown")
    client.notify("exit")
    assert client.process.wait(30) == 0
    modules = set(json.loads(report.read_text()))
    assert "lsprotocol" in modules
    assert modules.isdisjoint({*HEAVY, "assay_scripted", "assay.features.races.feature"})
