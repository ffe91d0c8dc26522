"""Read a path out of the line that names it: a heading, a label, bold or back-ticked text, a fence's info.

Comes in: a line, and a way to ask whether a file exists. Goes out: a path or an empty string. Must not know:
roots; whether a path may be written is the workspace's question.
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
_BARE_NAMES = frozenset(
    {"Makefile", "Dockerfile", "LICENSE", "NOTICE", "Gemfile", "Rakefile", "Procfile", "Justfile"}
)


def path_in(line: str, exists: Callable[[str], bool]) -> str:
    """The path that a whole line names, or nothing. A path that does not exist must look like one."""
    text = line.strip()
    if not text or len(text) > _LONGEST:
        return ""
    text = _DECORATION.sub("", text).strip()
    text = text.strip("*_").strip().removesuffix(":").strip()
    quoted = False
    for mark in ("`", '"', "'", "**"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text, quoted = text[len(mark) : -len(mark)].strip(), True
    if not quoted and (bare := _LABEL.sub("", text).strip("`*\"' ")) != text:
        text, quoted = bare, True
    if not text or any(ch in text for ch in '`*<>|"\t'):
        return ""
    if looks_like_path(text, quoted):
        return clean(text)
    # A name without an extension, or with spaces in it, counts only where such a file is there.
    may_exist = " " not in text or _EXTENSION.search(text)
    return clean(text) if may_exist and exists(clean(text)) else ""


def looks_like_path(text: str, quoted: bool = False) -> bool:
    """Whether text reads as a path even where no such file exists yet."""
    if (" " in text and not quoted) or text.endswith((".", ",", ";", ":", "!", "?", "/")):
        return False
    name = text.rsplit("/", 1)[-1]
    return bool(_EXTENSION.search(name)) or name in _BARE_NAMES or (name.startswith(".") and len(name) > 1)


def clean(path: str) -> str:
    """Without `./` in front. Everything else is kept, so that a hostile path is still seen as one."""
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def path_in_fence(info: str, exists: Callable[[str], bool]) -> str:
    """The path in a fence's info string: ` ```python src/app.py `, `title="app.py"`, `python:src/app.py`."""
    titled = re.search(r"""(?:title|file|filename|path)=["']?([^"'\s}]+)""", info)
    if titled:
        return clean(titled.group(1))
    words = info.strip().split()
    for word in (words[1:] or words) if len(words) > 1 else words:
        bare = word.split(":", 1)[1] if ":" in word else word
        if ("/" in bare or ":" in word or len(words) > 1 or "." in bare) and looks_like_path(bare):
            return clean(bare)
        if "." in bare and exists(clean(bare)):
            return clean(bare)
    return ""
