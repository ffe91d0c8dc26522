"""Function tools of a client that reads and edits files itself: recognised by their arguments, and called."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

_PATH = re.compile(r"(?<![\w./-])[\w./-]*[\w-]\.(?:[a-z]{2}|[a-z]\w{2,7})(?![\w/(])")
_ROOT = re.compile(r"^\s*(?:Primary )?[Ww]orking directory:\s*(/\S.*?)\s*$", re.MULTILINE)
_NUMBERED = re.compile(r"\s*0*(\d+)(?:: ?|\| ?|\t|→)(.*)")
_SHOWN = re.compile(r"<path>([^<>\n]+)</path>.*?<content>\n(.*?)\n?</content>", re.DOTALL)
_CALLED = re.compile(r"^Called the \w+ tool with the following input: .*$\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ClientTool:
    """A tool, with the names of its arguments."""

    name: str
    path: str
    old: str = ""
    new: str = ""
    content: str = ""


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
    root: str = ""
    """The client's folder, where it names files from there."""

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
        if self.read is None:
            return None
        return ToolCall(self.read.name, json.dumps({self.read.path: self._full(path)}, ensure_ascii=False))

    def _full(self, path: str) -> str:
        return path if not self.root or path.startswith("/") else f"{self.root}/{path.removeprefix('./')}"


def recognised(tools: Sequence[Mapping[str, Any]], root: str = "") -> ClientTools:
    """The first tool of each kind among those that a body of chat completions offers."""
    found: dict[str, ClientTool] = {}
    for tool in tools:
        kind, known = _known(tool.get("function"))
        if known is not None:
            found.setdefault(kind, known)
    return ClientTools(**found, root=root)


def _known(function: Any) -> tuple[str, ClientTool | None]:
    schema = function.get("parameters") if isinstance(function, dict) else None
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(schema, dict) or not isinstance(properties, dict):
        return "", None
    names, required = _names(), schema.get("required") or ()
    path, old, new, content = (
        next((one for one in names[part] if one in properties), "")
        for part in ("path", "old", "new", "content")
    )
    name = str(function.get("name", ""))
    if not path or not isinstance(required, list):
        return "", None
    needed = set(map(str, required)) - {path}
    if old and new and needed <= {old, new}:
        return "edit", ClientTool(name, path, old=old, new=new)
    if content and not old and needed <= {content}:
        return "write", ClientTool(name, path, content=content)
    if not needed and any(word in name.lower() for word in names["reads"]):
        return "read", ClientTool(name, path)
    return "", None


@lru_cache(maxsize=1)
def _names() -> Mapping[str, list[str]]:
    return tomllib.loads(files("spark_tui.serve").joinpath("client_tools.toml").read_text("utf-8"))


def path_in(arguments: str) -> str:
    """The file that a call names, if it names no text: then it reads."""
    try:
        values = json.loads(arguments)
    except ValueError:
        return ""
    if not isinstance(values, dict) or any(
        one in values for part in ("old", "content") for one in _names()[part]
    ):
        return ""
    return next((str(values[one]) for one in _names()["path"] if isinstance(values.get(one), str)), "")


def shown_files(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The text without the files that a client's read tool put into it, and each file's path and text."""
    files = [
        (path, body) for path, shown in _SHOWN.findall(text) if (body := without_numbers(shown)) is not None
    ]
    if not files:
        return text, []
    return _CALLED.sub("", _SHOWN.sub("", text)), files


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
    return found[1].rstrip("/") if found else ""


def named_path(instruction: str) -> str:
    """The first file that an instruction names; empty where it names none."""
    found = _PATH.search(instruction)
    return found[0] if found is not None else ""
