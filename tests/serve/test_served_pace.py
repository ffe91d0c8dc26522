"""`spark serve --pace`: answers of a model of this machine are held back too, and it is the same model."""

import os
import re
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from support.http_client import ask, asked
from support.model_folder import write_model

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.paced import SLACK_SECONDS
from spark_tui.cli.commands.serve import _backend
from spark_tui.config.settings import Settings
from spark_tui.errors import ConfigError

RATE, TOKENS = 50, 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("models") / "toy")


@pytest.fixture
def served(folder, tmp_path):
    """The address of a process as a person starts it."""
    words = ["serve", "--model", str(folder), "--port", "0", "--pace", str(RATE), "-C", str(tmp_path)]
    command = [sys.executable, "-m", "spark_tui", *words]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            said = ""
            while not (port := re.search(r":(\d+)/v1", said)):
                said = process.stderr.readline()
                assert said, "the server ended"
            yield SimpleNamespace(port=int(port[1]), said=said)
        finally:
            process.terminate()


def test_an_answer_comes_at_the_pace_and_the_model_keeps_its_plain_name(served):
    assert f"toy-at-{RATE}-tok-s" in served.said
    assert ask(served, "GET", "/healthz")[0] == 200
    begun = time.monotonic()
    status, body = asked(served, "/v1/completions", model="toy", prompt="def f(", max_tokens=TOKENS)
    taken = time.monotonic() - begun
    assert status == 200, body
    written = body["usage"]["completion_tokens"]
    assert written > TOKENS / 2
    assert taken >= written / RATE - SLACK_SECONDS


def test_prompts_are_counted_as_the_model_reads_them(folder):
    plain = _backend(Settings(model=str(folder)))
    paced = _backend(Settings(model=str(folder), pace=str(RATE)))
    try:
        request = Request("Be kind to every line. " * 100, (FilePart("a.py", "width = 1\n"),))
        assert paced.prompt_tokens(request) == plain.prompt_tokens(request)
    finally:
        plain.close()
        paced.close()


def test_a_pace_that_is_none_is_refused(folder):
    with pytest.raises(ConfigError, match="pace"):
        _backend(Settings(model=str(folder), pace="tpu"))
