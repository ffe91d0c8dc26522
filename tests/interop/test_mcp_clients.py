"""Agents of others use `spark mcp`, as docs/mcp.md sets them up. Their model is a script."""

import json
import sys

import pytest
from support.git_command import git
from support.interop_tools import codex, opencode, run
from support.scripted_model import Answer, Call, ScriptedModel

pytest.importorskip("mcp")
pytestmark = pytest.mark.interop

RENAME = json.dumps({"target": "Cart.add", "new": "put"})
ASKED = "rename Cart.add to put"


@pytest.fixture
def program(tmp_path):
    """`spark`, as the setups name it."""
    path = tmp_path / "bin" / "spark"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nPYTHONPATH={":".join(sys.path)} exec {sys.executable} -m spark_tui "$@"\n')
    path.chmod(0o755)
    return path


def is_renamed(repo):
    """In every file, and with nothing else changed."""
    numbers = git(repo, "diff", "--shortstat")
    return "def put(self" in (repo / "shop/cart.py").read_text() and "4 files changed, 17 ins" in numbers


def test_codex_renames_a_symbol_in_a_repository(repo, tmp_path, program):
    home = tmp_path / "codex"
    home.mkdir()
    steps = [Call("refactor_rename", RENAME, id="c1", namespace="mcp__spark")]
    steps += [Call("patch_apply", '{"plan": "1"}', id="c2", namespace="mcp__spark")]
    with ScriptedModel(*map(Answer, steps), Answer("Renamed.")) as server:
        (home / "config.toml").write_text(
            'model = "scripted"\nmodel_provider = "scripted"\n'
            '[model_providers.scripted]\nname = "scripted"\nwire_api = "responses"\n'
            f'base_url = "{server.url}"\n'
            f'[mcp_servers.spark]\ncommand = "{program}"\nargs = ["mcp", "--write"]\nrequired = true\n'
        )
        words = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", ASKED]
        said = run([codex(), *words], repo, CODEX_HOME=str(home))
        outputs = [item for item in server.asked[-1][2]["input"] if item["type"] == "function_call_output"]
    assert is_renamed(repo), said
    assert "+    def put(self" in str(outputs[0]["output"])
    assert "checkpoint" in str(outputs[1]["output"])


class OnlyWithTools(ScriptedModel):
    """OpenCode asks for a title, too, without tools: that is not in the script."""

    def next_answer(self, body):
        return super().next_answer(body) if body.get("tools") else Answer("A title")


def test_opencode_renames_a_symbol_in_a_repository(repo, tmp_path, program):
    steps = [
        Call("spark_refactor_rename", RENAME, id="c1"),
        Call("spark_patch_apply", '{"plan": "1"}', id="c2"),
    ]
    answers = [Answer(step, reason="tool_calls") for step in steps]
    with OnlyWithTools(*answers, Answer("Renamed.")) as server:
        options = {"baseURL": server.url, "apiKey": "none"}
        models = {"m": {"name": "m", "tool_call": True}}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": options,
            "models": models,
        }
        spark = {"type": "local", "command": [str(program), "mcp", "--write"], "enabled": True}
        config = {"provider": {"scripted": provider}, "model": "scripted/m", "small_model": "scripted/m"}
        file = tmp_path / "opencode.json"
        file.write_text(
            json.dumps({**config, "mcp": {"spark": spark}, "autoupdate": False, "share": "disabled"})
        )
        said = run([opencode(), "run", ASKED], repo, HOME=str(tmp_path), OPENCODE_CONFIG=str(file))
    assert is_renamed(repo), said
