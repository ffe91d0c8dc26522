"""What a client sends as a prompt, as an instruction and files of the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from spark_tui.acp.protocol_errors import invalid
from spark_tui.config.paths import real_path
from spark_tui.context.ignore_rules import is_secret
from spark_tui.context.mentions import find_mentions

MOST_CHARACTERS = 1_000_000
"""Of an instruction. Files are named, not pasted."""


@dataclass
class Prompt:
    """`files` are attached; `mentioned` stand in the instruction with an `@`; `buffers` came with their
    text."""

    instruction: str
    files: list[str] = field(default_factory=list)
    mentioned: list[str] = field(default_factory=list)
    buffers: dict[str, str] = field(default_factory=dict)


def read_prompt(blocks: Sequence[Any], root: Path, most_bytes: int) -> Prompt:
    """Raises the protocol's error for what spark cannot take: files outside of the tree, and those with more
    than `most_bytes`."""
    texts: list[str] = []
    prompt = Prompt("")
    if not any(block.type == "text" and block.text.strip() for block in blocks):
        raise invalid("the prompt has no text")
    for block in blocks:
        if block.type == "text":
            texts.append(block.text)
        elif block.type == "resource_link":
            _add_link(prompt, block.uri, root, texts)
        elif block.type == "resource":
            _add_resource(prompt, block.resource, root, texts)
        else:
            raise invalid(f"spark takes text and files, no {block.type}")
    prompt.instruction = "".join(texts).strip()
    if "\0" in prompt.instruction:
        raise invalid("the prompt has a NUL character")
    if len(prompt.instruction) > MOST_CHARACTERS:
        raise invalid(f"the prompt has more than {MOST_CHARACTERS} characters")
    # A sign in what a client quotes is none of the person's: `from "@/lib"`.
    for mention in find_mentions(" ".join(block.text for block in blocks if block.type == "text")):
        found = real_path(root / mention.path)
        if not found.is_relative_to(root.resolve()):
            raise invalid(f"this file is outside of {root}", f"@{mention.path}")
        if _is(Path.is_file, found):
            prompt.mentioned.append(mention.path)
    for path in (*prompt.files, *prompt.mentioned):
        if (root / path).stat().st_size > most_bytes and path not in prompt.buffers:
            raise invalid(f"this file has more than {most_bytes} bytes", path)
    for path, text in prompt.buffers.items():
        if len(text) > most_bytes:
            raise invalid(f"this file has more than {most_bytes} characters", path)
    return prompt


def file_in(uri: str, root: Path) -> str:
    """The path of a file address, from the root. Raises for one outside of it, and for what may hold
    secrets."""
    parts = _parts(uri)
    name = unquote(parts.path)
    if parts.netloc not in ("", "localhost") or "\0" in name or not name:
        raise invalid("this is not a local file", uri)
    found = real_path(Path(name) if parts.scheme == "file" else root / name)
    if not found.is_relative_to(root.resolve()):
        raise invalid(f"this file is outside of {root}", uri)
    path = found.relative_to(root.resolve()).as_posix()
    if is_secret(path):
        raise invalid("this file may hold secrets", uri)
    return path


def _is_outside(parts: SplitResult, root: Path) -> bool:
    """Whether it is a file of this machine that is not in the tree, and holds no secret."""
    name = unquote(parts.path)
    if parts.netloc not in ("", "localhost") or "\0" in name or parts.scheme != "file":
        return False
    return not real_path(Path(name)).is_relative_to(root.resolve()) and not is_secret(name.lstrip("/"))


def _is(kind: Callable[[Path], bool], path: Path) -> bool:
    try:
        return kind(path)
    except OSError:  # a name that is too long
        return False


def _parts(uri: str) -> SplitResult:
    """The parts of an address. Zed says `zed:///agent/symbol/total?path=/cart.py#L3:9` of parts of a file."""
    try:
        parts = urlsplit(uri)
        named = parse_qs(parts.query).get("path", [""])[0] if parts.scheme == "zed" else ""
    except ValueError as error:
        raise invalid(f"this is not an address: {error}", uri) from None
    return parts._replace(scheme="file", path=quote(named), query="") if named else parts


def _add_link(prompt: Prompt, uri: str, root: Path, texts: list[str]) -> None:
    """A file is attached; a folder, or what is no file, is named where it stands."""
    if _parts(uri).scheme not in ("", "file"):
        texts.append(f" {uri} ")
    elif _is(Path.is_dir, root / (path := file_in(uri, root))):
        texts.append(f" {path}/ ")
    else:
        _add_file(prompt, uri, root)


def _add_file(prompt: Prompt, uri: str, root: Path) -> str:
    path = file_in(uri, root)
    if not _is(Path.is_file, root / path):
        raise invalid("no such file", uri)
    if path not in prompt.files:
        prompt.files.append(path)
    return path


def _add_resource(prompt: Prompt, resource: Any, root: Path, texts: list[str]) -> None:
    text = getattr(resource, "text", None)
    if text is None:
        raise invalid("spark takes text, no bytes", resource.uri)
    parts = _parts(resource.uri)
    if parts.scheme not in ("", "file") or _is_outside(parts, root):
        # What a client quotes (a rule, a page, a file of another folder) is part of what is said.
        texts.append(f"\n{resource.uri}:\n{text}\n")
        return
    path = _add_file(prompt, resource.uri, root)
    if not parts.fragment:  # with a fragment the text is a part of the file
        prompt.buffers[path] = text
