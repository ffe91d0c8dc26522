"""Read a path out of the line that names it: a heading, a label, bold or back-ticked text, a fence's info.

Whether the path may be written is decided in `workspace.path_guard`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_LONGEST = 300
_DECORATION = re.compile(r"^(?:#{1,6} +|[-*] +|\d+[.)] +|//+ *)")
_LABEL = re.compile(
    r"^(?:file(?:name)?|path|in|update|edit|create|new file|modified)\s*:?\s+(?=\S)", re.IGNORECASE
)
_EXTENSION = re.compile(r"\.[A-Za-z0-9_+-]{1,12}$")
_QUOTES = "`\"'"
_LINE_NUMBER = re.compile(r"(?::\d+){1,2}(?:-\d+)?\Z")
_BARE_NAMES = frozenset(
    {"Makefile", "Dockerfile", "LICENSE", "NOTICE", "Gemfile", "Rakefile", "Procfile", "Justfile"}
)


def path_in(line: str, exists: Callable[[str], bool]) -> str:
    """The path that a whole line names, or nothing. A path that does not exist must look like one."""
    text = line.strip()
    if not text or len(text) > _LONGEST:
        return ""
    text = _DECORATION.sub("", text).strip()
    text = text.strip("*").strip()
    if text.removesuffix(":").endswith("_"):
        text = text.removesuffix(":").strip("_")
    text = text.removesuffix(":").strip()
    quoted = False
    for mark in ("`", '"', "'", "**"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text, quoted = text[len(mark) : -len(mark)].strip(), True
    if not quoted:
        named = _LABEL.sub("", text)
        text = named.strip("`*\"' ")
        quoted = text != named
    if not text or any(ch in text for ch in '`*<>|"\t'):
        return ""
    if looks_like_path(text, quoted):
        return spelled(text, exists)
    # A name without an extension, or with spaces in it, counts only where such a file is there.
    may_exist = " " not in text or _EXTENSION.search(text)
    path = spelled(text, exists)
    return path if may_exist and exists(path) else ""


def looks_like_path(text: str, quoted: bool = False) -> bool:
    """Whether text reads as a path even where no such file exists yet."""
    if (" " in text and not quoted) or text.endswith((".", ",", ";", ":", "!", "?", "/")):
        return False
    name = text.rsplit("/", 1)[-1]
    return bool(_EXTENSION.search(name)) or name in _BARE_NAMES or (name.startswith(".") and len(name) > 1)


def clean(path: str) -> str:
    """Without `./`, empty names and line ends: one file has one spelling. Everything else is kept, so
    that a hostile path is still seen as one."""
    if "://" in path:
        return path
    return re.sub(r"^(?:\./)+", "", re.sub(r"/(?:\.?/)+", "/", path.strip("\r\n")))


def spelled(path: str, exists: Callable[[str], bool]) -> str:
    """With slashes for backslashes, unless such a file is there; in front of `_` they are Markdown."""
    path = clean(path)
    if "\\" not in path or exists(path):
        return path
    bare, slashed = path.replace("\\_", "_"), clean(path.replace("\\", "/"))
    return bare if exists(bare) or ("/" in path and "\\" not in bare) else slashed


def file_meant(path: str, exists: Callable[[str], bool]) -> str:
    """Without quotes around it and a line's number behind it, unless such a file is there: no new one is
    called so."""
    path = spelled(path, exists)
    bare = clean(_LINE_NUMBER.sub("", path.strip(_QUOTES)).strip(_QUOTES))
    return path if bare in ("", path) or exists(path) else bare


def path_in_fence(info: str, exists: Callable[[str], bool]) -> str:
    """The path in a fence's info string: ` ```python src/app.py `, `title="app.py"`, `python:src/app.py`."""
    titled = re.search(r"""(?:title|file|filename|path)=["']?([^"'\s}]+)""", info)
    if titled:
        return spelled(titled.group(1), exists)
    words = info.strip().split()
    for word in words[1:] or words:
        bare = word.split(":", 1)[1] if ":" in word else word
        if ("/" in bare or ":" in word or len(words) > 1 or "." in bare) and looks_like_path(bare):
            return spelled(bare, exists)
        if "." in bare and exists(clean(bare)):
            return clean(bare)
    return ""


_COMMENT = re.compile(
    r"\s*(?:#+|//+|/\*+|<!--|--+|;+|%+|\"\"\"|''')\s*(?:(?:file(?:name|path)?|path)\s*:\s*)?`?([^\s`]+?)`?\s*"
    r"(?:\*+/|-->|\"\"\"|''')?\s*(?:\((?:new|updated|modified|existing)(?: file)?\))?\s*",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"\.(?:py|pyi|js|mjs|cjs|jsx|ts|tsx|vue|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|css|scss|html|json|"
    r"toml|ya?ml|ini|cfg|md|rst|txt|sh|sql|env)$"
)
_MENTION = re.compile(r"(?<![\w/\\.:-])((?:[\w.-]+[/\\])*[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,5})(?![\w/(])")


def label_path(line: str, exists: Callable[[str], bool]) -> str:
    """The path in the comment that a file begins with: `# src/app.py`, `// File: a.ts`, `<!-- a.html -->`."""
    found = _COMMENT.fullmatch(line) if len(line) <= _LONGEST else None
    if not found:
        return ""
    name = spelled(found.group(1), exists)
    if not looks_like_path(name) or "://" in name:
        return ""
    return name if exists(name) or _KNOWN.search(name) else ""


def _any(path: str) -> bool:
    """Any file is taken to be there, but one with backslashes: they may be slashes."""
    return "\\" not in path


def paths_mentioned(line: str, exists: Callable[[str], bool] = _any) -> list[str]:
    """The files that a sentence names, in its order; by default also those that do not exist."""
    if len(line) > _LONGEST:
        return []
    names = dict.fromkeys(spelled(name, exists) for name in _MENTION.findall(line))
    return [name for name in names if exists(name)]
