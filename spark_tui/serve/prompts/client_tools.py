"""Function tools of a client that reads and edits files itself: recognised by their arguments, and called."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spark_tui.serve.prompts.json_fields import JsonFields
from spark_tui.tables import table_beside

_PATH = re.compile(r"(?<![\w./-])[\w./-]*[\w-]\.(?:[a-z]{2}|[a-z]\w{2,7})(?![\w/(])")
_ROOT = re.compile(r"^[ \t]*(?:Primary )?[Ww]orking directory:\s*(/\S.*)", re.MULTILINE)
_NUMBERED = re.compile(r"\s*(\d{1,9})(?:: ?|\| ?|\t|→)(.*)")
_SHOWN = re.compile(r"<path>([^<>\n]+)</path>")
_OPENS, _CLOSES = "<content>\n", "</content>"
_CALLED = re.compile(r"^Called the \w+ tool with the following input: .*$\n?", re.MULTILINE)


_PRINTS = "cat -- "
_EXIT = re.compile(r"exit(?:ed with)? code:? (-?\d+)", re.IGNORECASE)
_HEAD = 200
"""Characters of an outcome in which its exit code is looked for, where no line `Output:` ends its head."""


@dataclass(frozen=True, slots=True)
class ClientTool:
    """A tool, with the names of its arguments."""

    name: str
    path: str
    old: str = ""
    new: str = ""
    content: str = ""
    command: str = ""
    words: bool = False
    """Whether the command is a list of words."""
    patch: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call for the client to carry out. `arguments` is JSON."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ClientTools:
    """What a client can do with files; None where it cannot."""

    edit: ClientTool | None = None
    write: ClientTool | None = None
    read: ClientTool | None = None
    shell: ClientTool | None = None
    patch: ClientTool | None = None
    """One that takes a whole patch as one argument."""
    free_patch: bool = False
    """Whether it has the free-form tool `apply_patch`."""
    root: str = ""
    """The client's folder, where it names files from there."""

    @property
    def can_edit(self) -> bool:
        return self.free_patch or self.edit is not None or self.patch is not None

    def call_edit(self, path: str, old: str, new: str) -> ToolCall | None:
        """The call that replaces text that occurs once; without old text, the one that writes a new file."""
        path = self._full(path)
        if not old and self.write is not None:
            tool, values = self.write, {self.write.path: path, self.write.content: new}
        elif old and self.edit is not None:
            tool, values = self.edit, {self.edit.path: path, self.edit.old: old, self.edit.new: new}
        else:
            return None
        return ToolCall(tool.name, json.dumps(values, ensure_ascii=False))

    def call_read(self, path: str) -> ToolCall | None:
        """The call that shows a file, by a command where there is no other tool."""
        if self.read is not None:
            return ToolCall(
                self.read.name, json.dumps({self.read.path: self._full(path)}, ensure_ascii=False)
            )
        if self.shell is None or not self.can_edit:
            return None
        line = f"{_PRINTS}{shlex.quote(path)}"
        value = ["bash", "-c", line] if self.shell.words else line
        return ToolCall(self.shell.name, json.dumps({self.shell.command: value}, ensure_ascii=False))

    def call_patch(self, patch: str) -> ToolCall | None:
        if self.patch is None:
            return None
        return ToolCall(self.patch.name, json.dumps({self.patch.patch: patch}, ensure_ascii=False))

    def _full(self, path: str) -> str:
        return path if not self.root or path.startswith("/") else f"{self.root}/{path.removeprefix('./')}"


NONE = ClientTools()


def offered(members: JsonFields, root: str) -> ClientTools:
    """What the tools of a body can do. A client can forbid all calls; it cannot make the model call one."""
    tools, choice = members.objects("tools"), members.get("tool_choice")
    choice = choice.get("type") if isinstance(choice, dict) else choice
    if choice == "none":
        return ClientTools(root=root)
    if choice not in (None, "auto"):
        members.ignored.append("tool_choice")
    return recognised(tools, root)


def recognised(tools: Sequence[Mapping[str, Any]], root: str = "") -> ClientTools:
    """The first tool of each kind among those that a body of chat completions or Responses offers."""
    found: dict[str, ClientTool] = {}
    for tool in tools:
        kind, known = _known(tool.get("function", tool))
        if known is not None:
            found.setdefault(kind, known)
    free = any(tool.get("type") == "custom" and tool.get("name") == "apply_patch" for tool in tools)
    return ClientTools(**found, free_patch=free, root=root)


def _known(function: Any) -> tuple[str, ClientTool | None]:
    schema = function.get("parameters") if isinstance(function, dict) else None
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(schema, dict) or not isinstance(properties, dict):
        return "", None
    names, required = _names(), schema.get("required") or ()
    path, old, new, content = (
        next((item for item in names[part] if item in properties), "")
        for part in ("path", "old", "new", "content")
    )
    name = str(function.get("name", ""))
    if not isinstance(required, list):
        return "", None
    for kind in ("command", "patch"):
        argument = next((item for item in names[kind] if item in properties), "")
        if argument and set(map(str, required)) == {argument} and (kind == "command" or "patch" in name):
            return _by_text(kind, name, argument, properties[argument])
    if not path:
        return "", None
    needed = set(map(str, required)) - {path}
    if old and new and needed <= {old, new}:
        return "edit", ClientTool(name, path, old=old, new=new)
    if content and not old and needed <= {content}:
        return "write", ClientTool(name, path, content=content)
    reads = any(word in name.lower() for word in names["reads"])
    if not needed and reads and not any(word in name.lower() for word in names["other"]):
        return "read", ClientTool(name, path)
    return "", None


def _by_text(kind: str, name: str, argument: str, schema: Any) -> tuple[str, ClientTool]:
    if kind == "patch":
        return "patch", ClientTool(name, "", patch=argument)
    words = isinstance(schema, dict) and schema.get("type") == "array"
    return "shell", ClientTool(name, "", command=argument, words=words)


_names = table_beside(__file__, "client_tools.toml")


def read_by(arguments: str) -> tuple[str, bool]:
    """The file that a call names, if it names no text (then it reads), and whether by a command."""
    try:
        values = json.loads(arguments)
    except (ValueError, RecursionError):
        return "", False
    names = _names()
    if not isinstance(values, dict) or any(item in values for item in (*names["old"], *names["content"])):
        return "", False
    if command := next((values[item] for item in names["command"] if item in values), None):
        return _printed(str(command[-1] if isinstance(command, list) else command)), True
    return next((values[item] for item in names["path"] if isinstance(values.get(item), str)), ""), False


def _printed(line: str) -> str:
    """The file that a command prints, if it is one of `call_read`."""
    try:
        words = shlex.split(line.removeprefix(_PRINTS)) if line.startswith(_PRINTS) else []
    except ValueError:
        return ""
    return words[0] if len(words) == 1 else ""


def printed_file(text: str) -> str | None:
    """The file in the outcome of such a command; None where it failed."""
    head, found, body = text.partition("Output:\n")
    code = _EXIT.search(head if found else text[:_HEAD])
    failed = code is not None and code[1] != "0"
    printed = body if found else text
    return None if failed or printed.startswith("cat: ") else printed


def shown_files(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The text without the files that a client's read tool put into it, and each file's path and text."""
    files: list[tuple[str, str]] = []
    rest: list[str] = []
    at = 0
    while found := _SHOWN.search(text, at):
        begun = text.find(_OPENS, found.end())
        end = text.find(_CLOSES, begun + len(_OPENS)) if begun >= 0 else -1
        if end < 0:
            break
        body = without_numbers(text[begun + len(_OPENS) : end].removesuffix("\n"))
        if body is not None:
            files.append((found[1], body))
        rest.append(text[at : found.start()])
        at = end + len(_CLOSES)
    if not files:
        return text, []
    return _CALLED.sub("", "".join([*rest, text[at:]])), files


def without_numbers(text: str) -> str | None:
    """A file's text from lines that a read tool numbered from 1; None where they are not numbered so."""
    lines: list[str] = []
    for line in text.split("\n"):
        found = _NUMBERED.fullmatch(line)
        if found is not None and int(found[1]) == len(lines) + 1:
            lines.append(found[2])
        elif lines:
            break
    return "".join(f"{line}\n" for line in lines) if lines else None


def root_of(rules: str) -> str:
    """The folder that a client says it works in; empty where it says none."""
    found = _ROOT.search(rules)
    return found[1].rstrip().rstrip("/") if found else ""


def named_path(instruction: str) -> str:
    """The first file that an instruction names; empty where it names none."""
    found = _PATH.search(instruction)
    return found[0] if found is not None else ""
