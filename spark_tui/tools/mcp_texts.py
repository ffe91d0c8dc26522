"""Prompts and resources of MCP servers in what a person types: `/SERVER:PROMPT words` and `@SERVER:uri`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spark_tui.errors import SparkError, UsageError
from spark_tui.tools.bounded_text import joined, shown_line
from spark_tui.tools.mcp_client import McpClient

_COMMAND = re.compile(r"/([\w-]{1,30}):([^\s:]+)(?:\s+(.*))?", re.DOTALL)
_MENTION = re.compile(r"(?<!\S)@([\w-]{1,30}):(\S+)")


@dataclass(frozen=True, slots=True)
class ServerText:
    """A prompt or a resource of a server: what a person types, without the `/` or `@`, and what it is."""

    typed: str
    about: str
    arguments: tuple[str, ...] = ()


def prompts_of(clients: Mapping[str, McpClient]) -> Iterator[ServerText]:
    """Every prompt. A server that does not answer has none."""
    for server, client in clients.items():
        try:
            found = client.prompts().values()
        except SparkError:
            continue
        for item in found:
            about = shown_line(" ".join(item.description.split()))
            yield ServerText(f"{server}:{item.name}", about, item.arguments)


def resources_of(clients: Mapping[str, McpClient]) -> Iterator[ServerText]:
    """Every resource that can be named in a word. A server that does not answer has none."""
    for server, client in clients.items():
        try:
            found = client.resources()
        except SparkError:
            continue
        for mcp_resource in found:
            if mcp_resource.uri.isprintable() and " " not in mcp_resource.uri:
                about = shown_line(" ".join(mcp_resource.description.split()))
                yield ServerText(f"{server}:{mcp_resource.uri}", about)


def expanded(instruction: str, clients: Mapping[str, McpClient]) -> str:
    """The instruction with its prompt in place of the command, and below it the resources that it names.
    Servers that are not configured are left as they are written."""
    command = _COMMAND.fullmatch(instruction.strip())
    if command is not None and command[1] in clients:
        instruction = _prompt(command[1], clients[command[1]], command[2], command[3] or "")
    named = dict.fromkeys((server, uri) for server, uri in _MENTION.findall(instruction) if server in clients)
    texts = [_resource(server, uri, clients[server]) for server, uri in named]
    return "\n\n".join([instruction, *texts])


def _prompt(server: str, client: McpClient, name: str, words: str) -> str:
    known = client.prompts()
    if name not in known:
        there = ", ".join(f"/{server}:{prompt}" for prompt in sorted(known)) or "none"
        raise UsageError(f"{server} has no prompt {name}", hint=f"There are: {there}.")
    return client.prompt(name, _arguments(words, known[name].arguments))


def _arguments(words: str, names: Sequence[str]) -> dict[str, str]:
    """`name=value` by name, what has no name in order; all that is left belongs to the last."""
    try:
        parts = shlex.split(words)
    except ValueError:
        parts = words.split()
    given: dict[str, str] = {}
    rest: list[str] = []
    for part in parts:
        name, sign, value = part.partition("=")
        if sign and name in names:
            given[name] = value
        else:
            rest.append(part)
    free = [name for name in names if name not in given]
    for name in free[:-1]:
        if rest:
            given[name] = rest.pop(0)
    if rest and not free:
        hint = f"It takes {', '.join(names)}." if names else "It takes none."
        raise UsageError(f"the prompt has no argument for {rest[0]!r}", hint=hint)
    if rest:
        given[free[-1]] = " ".join(rest)
    return given


def _resource(server: str, uri: str, client: McpClient) -> str:
    lines = client.resource(uri).splitlines()
    text, count = joined(map(shown_line, lines))
    cut = f"\n(cut: {len(lines) - count} more lines)" if count < len(lines) else ""
    return f"The resource {uri} of {server}:\n{text}{cut}"
