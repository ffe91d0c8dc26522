"""Answers about tools of MCP servers last, and hold for what was asked about only."""

from dataclasses import replace

import pytest

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.tools.permission import McpConsent, McpTool

SERVER = ServerConfig("files", command="files-server")
TOOL = McpTool("delete", "Delete a file.", {"type": "object"})


@pytest.mark.parametrize("answer", [True, False])
def test_an_answer_is_remembered_in_the_repository(tmp_path, answer):
    assert McpConsent(tmp_path / "one").allowed(SERVER, TOOL) is None
    McpConsent(tmp_path / "one").remember(SERVER, TOOL, answer)
    assert McpConsent(tmp_path / "one").allowed(SERVER, TOOL) is answer
    assert McpConsent(tmp_path / "other").allowed(SERVER, TOOL) is None


@pytest.mark.parametrize(
    ("server", "tool"),
    [
        (replace(SERVER, name="other"), TOOL),
        (replace(SERVER, command="another-server"), TOOL),
        (replace(SERVER, args=("--all",)), TOOL),
        (SERVER, McpTool("move", TOOL.description, TOOL.schema)),
        (SERVER, McpTool(TOOL.name, "Send a file away.", TOOL.schema)),
        (SERVER, McpTool(TOOL.name, TOOL.description, {"type": "object", "properties": {"to": {}}})),
    ],
)
def test_what_changed_is_asked_about_again(tmp_path, server, tool):
    consent = McpConsent(tmp_path)
    consent.remember(SERVER, TOOL, True)
    assert consent.allowed(server, tool) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files/delete": "yes"}', "\0"])
def test_a_damaged_file_allows_nothing(tmp_path, text):
    (tmp_path / "mcp-tools.json").write_text(text)
    consent = McpConsent(tmp_path)
    assert consent.allowed(SERVER, TOOL) is None
    consent.remember(SERVER, TOOL, True)
    assert consent.allowed(SERVER, TOOL) is True
