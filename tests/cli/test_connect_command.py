"""`spark connect` lists, tests and saves servers; it says where keys are and never what they are."""

import json

import pytest
from support.scripted_backend import Scripted
from support.scripted_model import DROP, Answer, Call, ScriptedModel, refuse

from spark_tui.backends.factory import create_remote, server_of
from spark_tui.backends.remote import presets
from spark_tui.backends.remote.server_test import run_test
from spark_tui.cli import main
from spark_tui.config import paths, settings
from spark_tui.config.settings import Settings
from spark_tui.errors import ExitCode

NAMES = ("openai", "anthropic", "ollama", "lmstudio", "cerebras", "groq", "openrouter", "vllm")
CALL = Answer(Call("add_numbers", '{"a": 2, "b": 3}'), reason="tool_calls")


@pytest.fixture
def connect(run, monkeypatch):
    for preset in presets.all_presets():
        monkeypatch.delenv(preset.key or "NONE", raising=False)
    return lambda *words: run("connect", *words)


def test_known_servers_are_listed_with_where_their_keys_are(connect, monkeypatch):
    monkeypatch.setenv("GROQ_API_KEY", "gsk-secret")
    code, out, _ = connect()
    rows = {line.split()[0]: line for line in out.splitlines() if line}
    assert code == 0 and set(NAMES) <= rows.keys()
    assert rows["groq"].endswith("key in GROQ_API_KEY") and "secret" not in out
    assert "absent (ANTHROPIC_API_KEY)" in rows["anthropic"] and "messages" in rows["anthropic"]
    listed = json.loads(connect("--json")[1])
    assert {row["name"] for row in listed} >= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_sets_address_protocol_and_key_variable(name, monkeypatch):
    preset = presets.find(name)
    assert preset.api in ("chat", "responses", "messages") and preset.address.startswith("http")
    assert bool(preset.key) == preset.address.startswith("https")
    assert server_of(Settings(connect=name)) == (preset.address, preset.api)
    assert server_of(Settings(connect=name, api="chat")) == (preset.address, "chat")
    if preset.key:
        monkeypatch.setenv(preset.key, "k-1")
    backend = create_remote(Settings(connect=name, model="m"))
    assert backend.name.endswith("/m")
    assert list(backend._endpoint.headers().values()).count(
        "Bearer k-1" if name != "anthropic" else "k-1"
    ) == (1 if preset.key else 0)
    backend.close()


def test_a_test_that_breaks_off_offers_nothing_to_resume(connect):
    with ScriptedModel(Answer("rea", DROP)) as server:
        code, out, _ = connect(server.url, "--model", "m", "--test")
    assert code == ExitCode.NO_BACKEND
    assert "the answer broke off" in out and "--resume" not in out


def test_a_name_of_the_user_is_a_server_too():
    mine = Settings(connect="desk", servers={"desk": "http://desk:9/v1", "groq": "http://other/v1"})
    assert server_of(mine)[0] == "http://desk:9/v1"


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
def test_a_test_says_what_works_and_saves_it(connect, api):
    with ScriptedModel(Answer("ready"), CALL) as server:
        code, out, _ = connect(server.url, "--api", api, "--test", "--save")
        assert code == 0 and "/m: model answers, tools work, " in out and " ms to first token" in out
    loaded = settings.load(None, user_file=paths.user_config_file()).settings
    assert (loaded.connect, loaded.api) == (server.url, api)
    assert "saved in" in out
    connect("groq", "--save")
    loaded = settings.load(None, user_file=paths.user_config_file()).settings
    assert (loaded.connect, loaded.api, loaded.model) == ("groq", "auto", "")


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (Answer("I would rather not."), "called none"),
        (Answer(Call("add_numbers", "{broken")), "or a wrong one"),
        (Answer(Call("other", '{"a": 2, "b": 3}')), "or a wrong one"),
        (refuse(400, {"error": {"message": "this template has no tools"}}), "this template has no tools"),
        (refuse(400, {"error": {"message": "m does not support tools"}}), "described in the prompt"),
    ],
)
def test_a_model_without_tools_is_said_to_have_none_and_why(connect, second, why):
    with ScriptedModel(Answer("ready"), second, Answer("ready")) as server:
        code, out, _ = connect(server.url, "--test")
        assert code == 0 and "model answers, tools do not work (" in out and why in out


def test_a_server_that_fails_its_test_is_not_saved(connect):
    with ScriptedModel(refuse(401, {"error": {"message": "bad key"}})) as server:
        code, out, _ = connect(server.url, "--test", "--save", "--model", "m")
        assert code == ExitCode.NO_BACKEND and "bad key" in out and "not saved" in out
        code, out, _ = connect(server.url, "--test", "--save", "--model", "m", "--json")
        assert code == ExitCode.NO_BACKEND and json.loads(out)["saved"] is False
    assert not paths.user_config_file().exists()


def test_an_unknown_name_is_an_error_that_lists_the_known(connect):
    code, _, err = connect("opnai")
    assert code == ExitCode.MALFORMED and "openai" in err
    assert connect("--save")[0] == ExitCode.MALFORMED


def test_help_and_doctor_say_which_keys_are_read(connect, capsys, monkeypatch, measured_machine):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("SPARK_MODEL_CONNECT", "anthropic")
    with pytest.raises(SystemExit):
        main.main(["exec", "--help"])
    assert "OPENAI_API_KEY" in capsys.readouterr().out
    main.main(["doctor", "--json"])
    found = [row for row in json.loads(capsys.readouterr().out)["findings"] if row["topic"] == "keys"]
    assert "present: OPENAI_API_KEY" in found[0]["fact"] and "ANTHROPIC_API_KEY" in found[1]["fact"]
    assert found[2]["level"] == "problem" and "no key for anthropic" in found[2]["fact"]
    assert "secret" not in json.dumps(found)


def test_a_model_that_writes_edits_only_is_asked_for_one():
    model = Scripted({"change LIMIT to 9": "*** limits.py\n@@ 1,2\n+LIMIT = 9\n"})
    model.small_window = (320, 300)
    assert run_test(model).answers
