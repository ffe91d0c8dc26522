"""Where the packages of the server are not installed, every command that needs them says how to get them."""

import importlib.machinery
import importlib.util

import pytest

from spark_tui.bench.peers import comparison
from spark_tui.cli import main
from spark_tui.config.extras import check_installed
from spark_tui.errors import NoBackend, install_command


@pytest.fixture(params=["starlette", "uvicorn", "websockets"])
def missing(request, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == request.param else find(name)
    )
    return request.param


@pytest.mark.parametrize("words", ["serve --port 0", "bench pipeline --quick", "bench load --quick"])
def test_a_missing_extra_is_named_with_the_command_that_installs_it(missing, words, capsys):
    assert main.main(words.split()) == 6
    said = capsys.readouterr().err
    assert f"({missing})" in said
    assert install_command("serve") in said


@pytest.mark.parametrize("absent", ["llama_cpp", "gguf"])
def test_a_peer_that_cannot_run_is_named_with_the_command_that_installs_it(absent, monkeypatch):
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == absent else importlib.machinery
    )
    assert "llama.cpp" not in comparison.installed() and "transformers" in comparison.installed()
    with pytest.raises(NoBackend) as caught:
        comparison.chosen_peers(["llama.cpp"])
    assert f"{install_command('bench')} llama-cpp-python" in str(caught.value)


def test_with_the_extra_nothing_is_said():
    check_installed("serve")
