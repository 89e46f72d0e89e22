"""``explain``, ``rules``, ``doctor`` and ``serve``."""

import json
import sys
import types

import pytest

from assay.analyzers.findings import Severity
from assay.features import registry
from assay.features.feature import Rule
from assay.server.cli.main import main


def output(capsys, *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    return status, *capsys.readouterr()


def test_every_rule_has_a_page_that_explain_prints(capsys) -> None:
    for rule in registry.rules():
        status, out, _ = output(capsys, "explain", rule.code)
        assert status == 0
        assert out.startswith(f"# {rule.code}\n")


def test_an_unknown_rule_names_the_nearest(capsys, monkeypatch) -> None:
    other = Rule("race/lock-order", "Two locks in two orders.", Severity.WARNING, lambda: "")
    listed = (*registry.rules(), other)
    monkeypatch.setattr(registry, "rules", lambda: listed)
    status, out, err = output(capsys, "explain", "race/lost-updat")
    assert (status, out) == (2, "")
    assert err.endswith("Did you mean race/lost-update?\n")


def test_rules_are_listed_with_those_about_suppressions(capsys) -> None:
    _, out, _ = output(capsys, "rules")
    assert [line.split()[0] for line in out.splitlines()] == sorted(rule.code for rule in registry.rules())
    assert "assay/unused-suppression" in out


def test_rules_as_json_have_the_same_codes(capsys) -> None:
    listed = json.loads(output(capsys, "rules", "--format", "json")[1])
    assert [one["code"] for one in listed] == [rule.code for rule in registry.rules()]
    assert all(one["summary"] and one["severity"] and one["url"].startswith("https://") for one in listed)


def test_doctor_finds_this_installation_in_order(capsys, project) -> None:
    status, out, err = output(capsys, "doctor")
    assert (status, err) == (0, "")
    assert "!!" not in out
    for word in ("python", "platform", "feature races", "pathspec", "reports.sqlite", "git"):
        assert word in out


def test_doctor_tells_a_feature_that_does_not_load(capsys, project, monkeypatch) -> None:
    broken = registry.Installed((), (("bad = nowhere:feature", "ModuleNotFoundError: nowhere"),))
    monkeypatch.setattr(registry, "installed", lambda: broken)
    status, out, _ = output(capsys, "doctor")
    assert status == 2
    assert "!!  feature bad = nowhere:feature" in out


def test_doctor_tells_a_cache_that_cannot_be_used_and_goes_on(capsys, project, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_CACHE_DIR", "/dev/null/x")
    status, out, _ = output(capsys, "doctor")
    assert status == 0
    assert "cannot be used" in out


@pytest.mark.parametrize(
    ("arguments", "tcp"),
    [
        ([], None),
        (["--stdio"], None),
        (["--tcp", "127.0.0.1:0"], ("127.0.0.1", 0)),
        (["--tcp", "[::1]:80"], ("::1", 80)),
    ],
)
def test_serve_hands_its_options_to_the_server(monkeypatch, arguments, tcp) -> None:
    called = []
    fake = types.ModuleType("assay.server.serve")
    fake.ServeOptions = lambda **options: options
    fake.serve = lambda options: called.append(options) or 0
    monkeypatch.setitem(sys.modules, "assay.server.serve", fake)
    assert main(["serve", *arguments]) == 0
    assert called == [{"tcp": tcp, "log_level": "warning", "debug": False}]


@pytest.mark.parametrize("address", ["127.0.0.1", ":80", "x:y", "x:99999"])
def test_a_wrong_address_is_told(capsys, address: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["serve", "--tcp", address])
    assert caught.value.code == 2
    assert "is not HOST:PORT" in capsys.readouterr().err
