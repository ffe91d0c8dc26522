"""The tokens of a Python text, of half-typed ones too: words of comments and long strings are tokens of their
own, the end of a logical line is one."""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

NEWLINE = "\n"
_PREFIX = r"(?:[rRbBuUfF]{1,2})?"
_LEXER = re.compile(
    rf"(?P<long>{_PREFIX}(?:\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)|'''(?:[^\\]|\\.)*?(?:'''|\Z)))"
    r"|(?P<comment>#[^\r\n]*)"
    rf"|(?P<string>{_PREFIX}(?:\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*'))"
    r"|(?P<end>\r\n|\r|\n)"
    r"|(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[jJ]?\b)"
    r"|(?P<word>\w+)"
    r"|(?P<sign>->|:=|\.\.\.|\*\*=?|//=?|<<=?|>>=?|[-+*/%@&|^=!<>]=|[^\s\\])",
    re.DOTALL,
)
_PROSE = re.compile(r"\w+|[^\w\s]")
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")


class Tokens:
    """A text as tokens. `texts`, `starts` and `ends` are parallel; `code` says which are no prose."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.texts: list[str] = []
        self.starts = array("I")
        self.ends = array("I")
        self.prose: set[int] = set()
        """The tokens that are words of comments and long strings."""
        depth = 0
        for found in _LEXER.finditer(text):
            kind = found.lastgroup
            if kind == "end":
                if depth == 0 and self.texts and self.texts[-1] != NEWLINE:
                    self._add(NEWLINE, found.start(), found.end())
                continue
            if kind in ("comment", "long"):
                for word in _PROSE.finditer(found[0]):
                    self.prose.add(len(self.texts))
                    self._add(word[0], found.start() + word.start(), found.start() + word.end())
                continue
            word_text = found[0]
            if word_text in OPENING:
                depth += 1
            elif word_text in CLOSING:
                depth = max(depth - 1, 0)
            self._add(word_text, found.start(), found.end())

    def _add(self, text: str, start: int, end: int) -> None:
        self.texts.append(sys.intern(text))
        self.starts.append(start)
        self.ends.append(end)

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, offset: int) -> int:
        """The first token that starts at an offset or behind it."""
        return bisect_left(self.starts, offset)

    def gap(self, token: int) -> str:
        """What stands between the token before and this one."""
        low = self.ends[token - 1] if token else 0
        return self.text[low : self.starts[token] if token < len(self) else len(self.text)]

    def line(self, token: int) -> tuple[int, int]:
        """The tokens of the logical line of one, its end included."""
        first = last = min(token, len(self) - 1)
        while first > 0 and self.texts[first - 1] != NEWLINE:
            first -= 1
        while last < len(self) and self.texts[last] != NEWLINE:
            last += 1
        return first, min(last + 1, len(self))

    def indent(self, token: int) -> str:
        """The blanks in front of the line of text on which a token stands."""
        start = self.starts[token] if token < len(self) else len(self.text)
        low = self.text.rfind("\n", 0, start) + 1
        line = self.text[low:start]
        return line[: len(line) - len(line.lstrip(" \t"))] if line.strip() else line

    def positions(self, word: str, low: int = 0, high: int | None = None) -> Iterator[int]:
        """Where a token stands, among those from `low` to before `high`."""
        at, texts = max(low, 0) - 1, self.texts
        end = len(texts) if high is None else high
        try:
            while True:
                at = texts.index(word, at + 1, end)
                yield at
        except ValueError:
            return

    @property
    def newline(self) -> str:
        """The line ending of the text: that of its first line."""
        at = self.text.find("\n")
        return "\r\n" if at > 0 and self.text[at - 1] == "\r" else "\n"


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> Tokens:
    """The tokens of a text; those of the texts that were asked for last are kept."""
    return Tokens(text)


def balanced(words: list[str]) -> bool:
    """Whether all brackets that open close, and the other way round."""
    depth = 0
    for word in words:
        if word in OPENING:
            depth += 1
        elif word in CLOSING:
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def is_word(token: str) -> bool:
    """Whether it is a name or keyword."""
    return token.isidentifier()


def is_anchor(token: str) -> bool:
    """Whether a place can be found by it: a name, keyword, number or string."""
    return token.isidentifier() or token[:1].isdigit() or (len(token) > 1 and token[-1] in "'\"")
