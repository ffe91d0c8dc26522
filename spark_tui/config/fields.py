"""Every setting, with its key, default, documentation and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from spark_tui.config.mcp_servers import ServerConfig


def _setting(
    key: str,
    default: Any,
    doc: str,
    *,
    choices: tuple[str, ...] = (),
    low: int | None = None,
    high: int | None = None,
    personal: bool = False,
) -> Any:
    meta = {"key": key, "doc": doc, "choices": choices, "low": low, "high": high, "personal": personal}
    return (
        field(default_factory=dict, metadata=meta) if default == {} else field(default=default, metadata=meta)
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, with its documentation. `docs/configuration.md` is checked against this by a test."""

    model: str = _setting(
        "model.name", "", "Model to load: a built-in name or a folder. Empty: the built-in model."
    )
    connect: str = _setting(
        "model.connect",
        "",
        "Server to use instead: an address such as `http://host:8000/v1`, or a name of `spark connect`.",
        personal=True,
    )
    api: str = _setting(
        "model.api",
        "auto",
        "API of that server. `auto`: detect it.",
        choices=("auto", "spark", "responses", "chat", "messages"),
    )
    effort: str = _setting(
        "model.effort",
        "",
        "How long a server's model thinks before it answers. Empty: its own default.",
        choices=("", "low", "medium", "high"),
    )
    prices: Mapping[str, str] = _setting(
        "model.prices",
        {},
        "Price of a million tokens of a server's models: name or pattern = `in/out` or `in/out/cached`.",
    )
    stall_seconds: int = _setting(
        "model.stall_seconds",
        30,
        "How long a server may send nothing in the middle of an answer. What came is kept; it can be "
        "resumed.",
        low=1,
    )
    first_token_seconds: int = _setting(
        "model.first_token_seconds",
        600,
        "How long a server may send nothing before its answer begins: a small machine reads a long prompt "
        "for minutes.",
        low=1,
    )
    retry_seconds: int = _setting(
        "model.retry_seconds",
        60,
        "The longest pause that a busy server may ask for before it is asked again.",
        low=0,
    )
    formats: Mapping[str, str] = _setting(
        "model.formats",
        {},
        "Edit format for a server's models: name or pattern = format. The first match counts.",
        choices=("lines", "search_replace", "apply_patch", "udiff", "whole"),
    )
    servers: Mapping[str, str] = _setting(
        "model.servers", {}, "Servers that `/model` offers: name = address.", personal=True
    )
    authority: str = _setting(
        "model.authority",
        "",
        "PEM file of certificate authorities to trust instead of the system's.",
        personal=True,
    )
    folders: tuple[str, ...] = _setting(
        "model.folders",
        (),
        "Folders with model folders and GGUF files that `/model` and `spark models list` offer.",
    )
    replay: str = _setting(
        "model.replay", "", "Play this recording, or folder of recordings, instead of a model."
    )
    pace: str = _setting(
        "model.pace",
        "recorded",
        "Maximum speed of text: `recorded` (recordings at their own speed), `off` (no limit), tokens per "
        "second, or the speed of a simulated `wafer` or `h100`.",
    )
    max_tokens: int = _setting(
        "model.max_tokens",
        2048,
        "Maximum tokens of an answer; a server's model may reason on top of it. Each window of a turn "
        "has its own limit.",
        low=1,
    )
    fast: bool = _setting(
        "engine.fast",
        False,
        "Round a local model's weights to int8 and use compiled kernels where they are faster (extra"
        " `[fast]`).",
    )
    cache_mb: int = _setting(
        "engine.cache_mb", 1024, "Maximum memory of a local model's KV cache, in MB.", low=16
    )
    rest: str = _setting(
        "engine.rest",
        "off",
        "Keep a local model's KV cache on disk for the next start: rounded to `int8`, or `exact` at four "
        "times the size.",
        choices=("off", "int8", "exact"),
    )
    format: str = _setting(
        "edit.format",
        "auto",
        "Edit format to ask the model for. `auto`: the one that the model writes best.",
        choices=("auto", "lines", "search_replace", "apply_patch", "udiff", "whole"),
    )
    exact: bool = _setting(
        "edit.exact",
        True,
        "With the built-in model, let the reader turn an instruction into an exact edit, or into a choice of "
        "edits, before the model writes. Off: the model writes everything.",
    )
    exact_first: bool = _setting(
        "edit.exact_first",
        False,
        "With a connected or local model, too, let the reader make the edits of which it is sure: those that "
        "would have no mark. The model is asked for everything else, once the repository is read.",
    )
    least_confidence: int = _setting(
        "edit.least_confidence",
        70,
        "How sure the built-in model has to be, in percent, of an edit for words that the reader could do "
        "nothing with. 0: all that it writes is shown.",
        low=0,
        high=100,
    )
    try_code: bool = _setting(
        "edit.try_code",
        True,
        "Let the reader run tests and examples that a message is about, to try repairs of what fails: in a "
        "process without network that may only write to its own folder.",
        personal=True,
    )
    max_file_bytes: int = _setting(
        "edit.max_file_bytes", 4_000_000, "Maximum size of a file that is read or edited, in bytes.", low=1
    )
    tools: str = _setting(
        "tools.offer",
        "auto",
        "Tools for a connected model. `auto`: as native tool calls, or as text if the server has none.",
        choices=("auto", "text", "off"),
    )
    tool_run: str = _setting(
        "tools.run",
        "ask",
        "Whether a model may run commands, in a worktree with its pending edits. `allow`: only those of "
        "`tools.allow`, and no question is asked.",
        choices=("never", "ask", "allow", "always"),
        personal=True,
    )
    tool_allow: tuple[str, ...] = _setting(
        "tools.allow", (), "Commands that may run without a question, as their first words.", personal=True
    )
    tool_run_seconds: int = _setting(
        "tools.run_seconds", 120, "Maximum time of a command that a model runs, in seconds.", low=1
    )
    tool_steps: int = _setting(
        "tools.max_steps", 40, "Answers with tool calls after which a turn ends. 0: no limit.", low=0
    )
    tool_tokens: int = _setting(
        "tools.max_tokens", 100_000, "Tokens after which a turn with tools ends. 0: no limit.", low=0
    )
    tool_seconds: int = _setting(
        "tools.max_seconds", 900, "Seconds after which a turn with tools ends. 0: no limit.", low=0
    )
    check_command: str = _setting(
        "check.command", "", "Command that F9 runs to list its problems, such as `pytest -q`.", personal=True
    )
    check_on_write: bool = _setting(
        "check.on_write",
        False,
        "Run that command whenever hunks were written or undone, or a file was saved.",
        personal=True,
    )
    jobs_at_once: int = _setting(
        "jobs.at_once", 4, "Jobs of a repository that work side by side; others wait. 0: no limit.", low=0
    )
    mcp_servers: Mapping[str, ServerConfig] = _setting(
        "mcp.servers",
        {},
        "MCP servers whose tools a connected model may call: name = address or command (docs/tools.md).",
        personal=True,
    )
    wafer_model: str = _setting(
        "wafer.model",
        "",
        "Model that the wafer panel answers for: a preset such as `llama-3.1-70b`, or the path of a"
        " `config.json`. Empty: the running model.",
    )
    theme: str = _setting("ui.theme", "spark-dark", "Theme: the name of a theme file without its extension.")
    mouse: bool = _setting("ui.mouse", True, "Use the mouse to select, click and scroll.")
    view: str = _setting("ui.view", "auto", "How hunks are shown.", choices=("auto", "unified", "split"))
    ghost: bool = _setting(
        "ui.ghost",
        True,
        "Show ghost text for the rest of a line while you type, if the model can infill. A server gets the "
        "text around the cursor at each pause.",
    )
    next_edit: bool = _setting(
        "ui.next_edit",
        True,
        "Offer the other places that follow from a change that you type, such as the uses of a renamed "
        "function. No model is asked.",
    )
    escdelay_ms: int = _setting(
        "ui.escdelay_ms", 20, "How long a lone Esc waits for the rest of a key code, in milliseconds.", low=1
    )
    keys: Mapping[str, str] = _setting(
        "keys", {}, "Rebound keys: action id = key or keys, separated by commas."
    )
