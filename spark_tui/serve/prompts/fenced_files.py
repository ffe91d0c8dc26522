"""Finds files in a message: a code fence with a path on the line before it, or after the language.

Time is linear in the length of the text, whatever it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

_PATH = r"[\w@+-][\w./@+ -]*\.\w{1,12}|[\w./-]*(?:Makefile|Dockerfile)"
_PATH_LINE = re.compile(rf"[#*>\s`]*({_PATH})[`*:]*\s*")
_INFO_PATH = re.compile(_PATH)
_OPENING = re.compile(r"(`{3,}|~{3,})([^`]*)")
_CLOSING = re.compile(r"(`{3,}|~{3,})\s*")
_SEARCH = "<<<<<<< SEARCH"
_LONGEST_PATH_LINE = 1000


def split_files(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The text without the files in it, and each file's path and text. A fence without a path, or with an
    edit inside, stays where it is."""
    lines = text.split("\n")
    closings = _closings(lines)
    kept: list[str] = []
    files: list[tuple[str, str]] = []
    at = free = 0  # lines from `free` to `at` belong to no fence
    while at < len(lines):
        opening = _OPENING.fullmatch(lines[at])
        end = _next(closings[opening[1]], at) if opening is not None and opening[1] in closings else None
        if opening is None or end is None:
            kept.append(lines[at])
            at += 1
            continue
        above = _path_line(lines[at - 1]) if at > free else ""
        path = above or _path_behind(opening[2])
        body = "".join(f"{line}\n" for line in lines[at + 1 : end])
        if not path or _SEARCH in body:
            kept += lines[at : end + 1]
        else:
            files.append((path, body))
            if above:
                kept.pop()
                while kept and not kept[-1].strip():
                    kept.pop()
        at = free = end + 1
    return "\n".join(kept).strip(), files


def _closings(lines: list[str]) -> dict[str, list[int]]:
    """Where a fence of these marks can end."""
    out: dict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        if line[:1] in ("`", "~") and (match := _CLOSING.fullmatch(line)):
            out[match[1]].append(at)
    return dict(out)


def _next(places: list[int], behind: int) -> int | None:
    found = bisect_right(places, behind)
    return places[found] if found < len(places) else None


def _path_line(line: str) -> str:
    match = _PATH_LINE.fullmatch(line) if len(line) <= _LONGEST_PATH_LINE else None
    return match[1].strip() if match else ""


def _path_behind(info: str) -> str:
    """The path after the language, as in `python:shop/cart.py` or `python shop/cart.py`."""
    words = info.split()
    word = words[-1].rpartition(":")[2] if words else ""
    return word if len(word) <= _LONGEST_PATH_LINE and _INFO_PATH.fullmatch(word) else ""
