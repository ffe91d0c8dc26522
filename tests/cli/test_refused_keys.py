"""A server that refuses the key: every command that asks it says so, with one exit code."""

import pytest
from support.scripted_model import ScriptedModel, refuse

from spark_tui.cli import main
from spark_tui.errors import ExitCode

ASK = "free shipping from 5900"


@pytest.fixture
def said(repo, capfd, monkeypatch):
    """Run `spark` in the example repository. Exit code, and what it and the worker said."""
    monkeypatch.chdir(repo)
    return lambda *words: (main.main(words), "".join(capfd.readouterr()))


def _commands(url):
    model = ["--connect", url, "--model", "m"]
    return {
        "exec": ["exec", ASK, "-f", "shop/cart.py", *model],
        "connect": ["connect", url, "--test", "--model", "m"],
        "work": ["work", ASK, "--wait", *model],
    }


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
@pytest.mark.parametrize("name", ["exec", "connect", "work"])
def test_a_refused_key_has_one_exit_code(said, name, api, status):
    with ScriptedModel(refuse(status, {"error": {"message": "not with this key"}})) as server:
        code, told = said(*_commands(server.url)[name], "--api", api)
    assert code == ExitCode.NO_BACKEND
    assert "not with this key" in told and "SPARK_API_KEY" in told


def test_a_job_does_not_ask_again_with_a_key_that_was_refused(said, repo):
    (repo / "tasks").write_text(f"{ASK}\n{ASK} again\n")
    with ScriptedModel(refuse(403, {"error": {"message": "no"}})) as server:
        model = ["--connect", server.url, "--model", "m", "--api", "chat"]
        assert said("work", "--tasks", "tasks", "--wait", *model)[0] == ExitCode.NO_BACKEND
        assert len(server.bodies) == 1


def test_a_key_that_was_sent_is_the_one_to_look_at(said, monkeypatch):
    monkeypatch.setenv("SPARK_API_KEY", "k-not-the-right-one")
    with ScriptedModel(refuse(401, {"error": {"message": "no"}})) as server:
        _, told = said("connect", server.url, "--test", "--model", "m")
    assert "Is the key in SPARK_API_KEY the one" in told


def test_what_exec_would_end_with_a_test_of_the_server_ends_with(said):
    words = {"error": {"message": "unknown field"}}
    for status, code in [(400, ExitCode.MALFORMED), (404, ExitCode.NO_BACKEND), (413, ExitCode.MISFIT)]:
        with ScriptedModel(refuse(status, words)) as server:
            for name in ("exec", "connect"):
                assert said(*_commands(server.url)[name], "--api", "chat")[0] == code
