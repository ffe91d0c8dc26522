"""A file that does not parse gets the one character that it lacks, where that is plain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.intent.building import Built, call
from spark_tui.intent.context import Context
from spark_tui.pysource.source import Source

_HEAD = re.compile(r"\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|try|except|finally|with)\b")
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def repaired(context: Context, path: str) -> Iterator[Built]:
    """The one-line repairs after which a file parses."""
    source = context.source(path)
    if source.tree is not None:
        return
    line = getattr(source.error, "lineno", None)
    if not line:
        return
    seen: set[str] = set()
    for at in [line - 1, line - 2, line]:
        if not 0 <= at < len(source.lines):
            continue
        old = source.lines[at].rstrip("\r\n")
        for new in _attempts(old):
            if new == old or new in seen:
                continue
            seen.add(new)
            text = "".join([*source.lines[:at], new + source.newline, *source.lines[at + 1 :]])
            if Source(text, path).tree is not None:
                made = call("replace_lines", place=f"{path}:{at + 1}", text=new)
                yield Built((made,), 0.9 if len(seen) == 1 else 0.6)


def _attempts(line: str) -> Iterator[str]:
    """A line with what it may lack: a colon, a bracket, a quote, a comma, `==`."""
    code, blank = line.rstrip(), len(line) - len(line.lstrip())
    if _HEAD.match(code) and not code.endswith(":"):
        yield f"{code}:"
        opened = _open(code)
        if opened:
            yield f"{code}{opened}:"
    if _HEAD.match(code) and code.endswith(":") and (opened := _open(code[:-1])):
        yield f"{code[:-1]}{opened}:"
    if opened := _open(code):
        yield code + opened
    if _HEAD.match(code) and " = " in code:
        yield code.replace(" = ", " == ", 1)
    for quote in "\"'":
        if code.count(quote) % 2:
            yield code + quote
            yield f"{code}{quote})"
            closing = code.rstrip(")]}:")
            yield f"{closing}{quote}{code[len(closing) :]}"
    if code and code[-1] in ")]}" and not _open(code[:-1]):
        yield code[:-1]
    if code.strip() and not code.endswith((",", ":", "(", "[", "{")):
        yield f"{code},"
    if blank % 4:
        yield " " * (blank - blank % 4) + line.lstrip()
        yield " " * (blank + 4 - blank % 4) + line.lstrip()


def _open(code: str) -> str:
    """The closing brackets that a line lacks."""
    stack: list[str] = []
    quote = ""
    for one in code:
        if quote:
            quote = "" if one == quote else quote
        elif one in "'\"":
            quote = one
        elif one in _PAIRS:
            stack.append(_PAIRS[one])
        elif stack and one == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))
