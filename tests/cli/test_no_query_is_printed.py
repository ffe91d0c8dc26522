"""The query of a server's address may hold a key: it goes with every request, and is printed nowhere."""

import argparse
import json
import subprocess

import pytest
from support.scripted_model import Answer, ScriptedModel

from spark_tui.backends.model_catalog import server_label
from spark_tui.cli.exec_arguments import command_to_resume
from spark_tui.config import paths

SECRET = "sesame-open-1234"
QUERY = f"?key={SECRET}"


@pytest.mark.parametrize("more", [(), ("--json",), ("--test",), ("--save",), ("--test", "--save", "--json")])
@pytest.mark.parametrize("name", ["URL", "desk", "http://*.example", "no name", "sesame"])
def test_no_answer_of_connect_shows_the_query(run, name, more):
    with ScriptedModel(Answer("ready"), Answer("ready")) as server:
        file = paths.user_config_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'[model.servers]\ndesk = "{server.url}{QUERY}"\n')
        address = server.url + QUERY if name == "URL" else name if name == "desk" else name + QUERY
        for words in ((address, *more), () if more in ((), ("--json",)) else None):
            if words is not None:
                _, out, err = run("connect", *words)
                assert SECRET not in out + err
        if name == "URL" and "--json" in more:
            assert json.loads(run("connect", address, "--json")[1])["address"] == f"{server.url}?…"


def test_nor_does_a_list_of_its_models(run):
    with ScriptedModel(Answer("ready")) as server:
        for more in ((), ("--json",)):
            _, out, err = run("models", "list", "--connect", server.url + QUERY, *more)
            assert SECRET not in out + err
    assert server_label(f"https://desk:80{QUERY}") == server_label(f"desk:80{QUERY}") == "desk:80?…"


def test_nor_does_the_command_that_resumes_a_session():
    args = argparse.Namespace(**{"model.connect": f"http://desk:8000/v1{QUERY}", "directory": "."})
    script = "spark() { printf '%s|' \"$@\"; }; " + command_to_resume(args, "s-1") + " --apply"
    assert SECRET not in script
    address = f"http://desk:8000/v1{QUERY}"
    told = {"SPARK_MODEL_CONNECT": address}
    ran = subprocess.run(["sh", "-c", script], env=told, capture_output=True, text=True, check=True)
    assert ran.stdout == f"exec|--resume|s-1|--connect|{address}|--apply|"
    ran = subprocess.run(["sh", "-c", script], env={}, capture_output=True, text=True, check=False)
    assert ran.returncode and "SPARK_MODEL_CONNECT" in ran.stderr and not ran.stdout
    names = {"directory": "what?/now", "model.name": "what?.gguf"}
    again = "spark exec --resume s-1 -C 'what?/now' --model 'what?.gguf'"
    assert command_to_resume(argparse.Namespace(**names), "s-1") == again
