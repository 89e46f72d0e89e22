"""The pages about pre-commit and GitHub Actions: what they show parses, and its commands do what is said."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from documents import DOCS, ROOT, blocks

HOOKS = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
WORKFLOWS = [yaml.safe_load(text) for text in blocks((DOCS / "github-actions.md").read_text(encoding="utf-8"), "yaml")]
UNUSED = "int x; // assay: ignore[race/lost-update] left over\n"


def steps(workflow: dict) -> list[dict]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def commands(workflow: dict) -> list[str]:
    return [step["run"] for step in steps(workflow) if step.get("run", "").startswith("assay ")]


def run(line: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell in which ``assay`` is the one of this environment."""
    prepared = f'assay() {{ {shlex.quote(sys.executable)} -m assay "$@"; }}; {line}'
    environment = {**os.environ, **changes}
    return subprocess.run(["bash", "-ec", prepared], capture_output=True, text=True, timeout=60, env=environment)


def test_each_workflow_installs_and_checks() -> None:
    assert len(WORKFLOWS) == 2
    for workflow in WORKFLOWS:
        assert next(step["run"] for step in steps(workflow) if "run" in step) == "pip install assay-ls"
        assert len(commands(workflow)) == 1


@pytest.mark.parametrize("text", [UNUSED, "int x;\n"])
def test_the_report_that_is_uploaded_is_written_with_findings_and_without(project: Path, text: str) -> None:
    workflow = WORKFLOWS[0]
    (project / "a.c").write_text(text)
    assert run(commands(workflow)[0]).returncode == 0
    (upload,) = [step for step in steps(workflow) if "upload-sarif" in step.get("uses", "")]
    log = json.loads((project / upload["with"]["sarif_file"]).read_text())
    assert len(log["runs"][0]["results"]) == text.count("assay:")
    assert workflow["jobs"]["check"]["permissions"]["security-events"] == "write"


def test_an_error_is_not_taken_for_findings(project: Path) -> None:
    (project / "assay.toml").write_text("nonsense = 1\n")
    assert run(commands(WORKFLOWS[0])[0]).returncode != 0


def test_changed_lines_are_annotated(project: Path) -> None:
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    identity = "-c user.name=x -c user.email=x@example.org"
    (project / "a.c").write_text(UNUSED)
    made = run(f"git init -q -b main; git add .; git {identity} commit -qm x; git branch origin/main", **quiet)
    assert made.returncode == 0
    command = commands(WORKFLOWS[1])[0].replace("${{ github.base_ref }}", "main")
    assert run(command).returncode == 0
    (project / "a.c").write_text(UNUSED + UNUSED.replace("x", "y"))
    done = run(command)
    assert (done.returncode, done.stdout.count("\n")) == (1, 1)
    assert done.stdout.startswith("::notice file=a.c,line=2,")


def test_the_shown_hooks_are_those_of_the_manifest() -> None:
    first, *others = blocks((DOCS / "pre-commit.md").read_text(encoding="utf-8"), "yaml")
    config = yaml.safe_load(first)
    assert {hook["id"] for repo in config["repos"] for hook in repo["hooks"]} == HOOKS
    assert [hook["id"] for text in others for hook in yaml.safe_load(text)] == ["assay", "assay"]
