"""Measure how language servers start: ``python tests/bench/start_up.py "assay serve" "pylsp" ...`` (Linux).

For each command: processor time and wall-clock time from the start of the process to the answer to ``initialize``;
for a server that answers a pull, also to the diagnostics of a short C program.  Figures are medians with the smallest
in parentheses, in milliseconds; processor time counts the server and its children, and is exact to the microsecond.
"""

import os
import shlex
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from lsp_client import Client, capabilities

RUNS = 15
PROGRAM = (Path(__file__).parents[2] / "examples" / "lost_update_racy.c").read_text(encoding="utf-8")


def cpu_milliseconds(process: int) -> float:
    """Give the processor time of a process, all its threads together."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6


def measure(command: list[str]) -> dict[str, float]:
    """Start a server once."""
    began = time.perf_counter()
    client = Client(command=command, env={"PYTHONPATH": ""})
    try:
        parameters = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities()}
        answer = client.request("initialize", parameters)
        row = {"initialize cpu": cpu_milliseconds(client.process.pid), "initialize": _since(began)}
        if "diagnosticProvider" in answer["capabilities"]:
            client.notify("initialized", {})
            client.pull(client.open("file:///start/a.c", PROGRAM, "c"))
            processes = (client.process.pid, *client.children())
            row |= {"diagnostics cpu": sum(map(cpu_milliseconds, processes)), "diagnostics": _since(began)}
        return row
    finally:
        client.close()


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1e3


def main() -> None:
    """Measure every command of the command line."""
    for command in sys.argv[1:]:
        rows = [measure(shlex.split(command)) for _ in range(RUNS)]
        sys.stdout.write(f"{command}\n")
        for name in rows[0]:
            values = [row[name] for row in rows]
            sys.stdout.write(f"  {name:16} {statistics.median(values):7.0f} ({min(values):.0f})\n")


if __name__ == "__main__":
    main()
