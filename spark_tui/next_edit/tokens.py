"""The tokens of a Python text, of half-typed ones too: words of comments and long strings are tokens of their
own, the end of a logical line is one."""

from __future__ import annotations

import hashlib
import keyword
import re
import sys
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator

from spark_tui.shared_ends import same_at_end, same_at_start

NEWLINE = "\n"
_PREFIX = r"(?:[rRbBuUfF]{1,2})?"
_LEXER = re.compile(
    rf"(?P<long>{_PREFIX}(?:\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)|'''(?:[^\\]|\\.)*?(?:'''|\Z)))"
    r"|(?P<comment>#[^\r\n]*)"
    rf"|(?P<string>{_PREFIX}(?:\"(?:[^\"\\\r\n]++|\\.)*+\"|'(?:[^'\\\r\n]++|\\.)*+'))"
    r"|(?P<end>\r\n|\r|\n)"
    r"|(?P<number>(?:\d[\d_]*+(?:\.\d*)?|\.\d++)(?:[eE][+-]?\d+)?[jJ]?\b)"
    r"|(?P<word>\w+)"
    r"|(?P<sign>->|:=|\.\.\.|\*\*=?|//=?|<<=?|>>=?|[-+*/%@&|^=!<>]=|[^\s\\])",
    re.DOTALL,
)
_PROSE = re.compile(r"\w+|[^\w\s]")
_KINDS = {
    "def": "def",
    "async": "def",
    "class": "class",
    "import": "import",
    "from": "import",
    "@": "decorator",
}
_MOST_BACK = 400
_MOST_KEPT = 4_096
_SIDE = 5
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")


class Tokens:
    """A text as tokens. `texts`, `starts` and `ends` are parallel."""

    def __init__(self, text: str, before: Tokens | None = None) -> None:
        self.text = text
        self.texts: list[str] = []
        self.starts = array("I")
        self.ends = array("I")
        self.prose: set[int] = set()
        """The tokens that are words of comments and long strings."""
        self._read(before)

    def _read(self, before: Tokens | None) -> None:
        """Read the text. Logical lines that `before` has too, in front of the first difference and after the
        last one, are taken from it: where a logical line begins, nothing is open."""
        depth, begin, last_same, longer = 0, 0, len(self.text) + 1, 0
        if before is not None:
            begin = self._take_head(before)
            last_same = len(self.text) - same_at_end(before.text, self.text, begin)
            longer = len(self.text) - len(before.text)
        for found in _LEXER.finditer(self.text, begin):
            kind = found.lastgroup
            if kind == "end":
                if depth == 0 and self.texts and self.texts[-1] != NEWLINE:
                    self._add(NEWLINE, found.start(), found.end())
                    if before is not None and found.start() >= last_same:
                        there = before.line_end(found.start() - longer)
                        if there >= 0:
                            self._take_tail(before, there + 1, longer)
                            return
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

    def _take_head(self, before: Tokens) -> int:
        """Take the logical lines in front of the first difference; returns where the next one begins."""
        same = bisect_left(before.starts, same_at_start(before.text, self.text))
        while same and before.texts[same - 1] != NEWLINE:
            same -= 1
        # The line end in front of a difference may have been another one.
        same -= 1
        while same > 0 and before.texts[same - 1] != NEWLINE:
            same -= 1
        if same <= 0:
            return 0
        self.texts = before.texts[:same]
        self.starts, self.ends = before.starts[:same], before.ends[:same]
        self.prose = {item for item in before.prose if item < same}
        return before.ends[same - 1]

    def _take_tail(self, before: Tokens, first: int, longer: int) -> None:
        shift = len(self.texts) - first
        self.texts += before.texts[first:]
        self.starts.extend(at + longer for at in before.starts[first:])
        self.ends.extend(at + longer for at in before.ends[first:])
        self.prose.update(item + shift for item in before.prose if item >= first)

    def _add(self, text: str, start: int, end: int) -> None:
        self.texts.append(sys.intern(text))
        self.starts.append(start)
        self.ends.append(end)

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, offset: int) -> int:
        """The first token that starts at an offset or after it."""
        return bisect_left(self.starts, offset)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The characters of the tokens `first..last-1`; of none an empty span."""
        if first == last:
            at = self.starts[first] if first < len(self) else len(self.text)
            return at, at
        return self.starts[first], self.ends[last - 1]

    def gap(self, token: int) -> str:
        """What stands between the token before and this one."""
        low = self.ends[token - 1] if token else 0
        return self.text[low : self.starts[token] if token < len(self) else len(self.text)]

    @property
    def code(self) -> Iterator[str]:
        """The tokens that are no prose."""
        return (word for at, word in enumerate(self.texts) if at not in self.prose)

    def line_end(self, offset: int) -> int:
        """The end of a logical line that is at an offset; -1 where there is none."""
        at = self.at(offset)
        return at if at < len(self) and self.starts[at] == offset and self.texts[at] == NEWLINE else -1

    def line(self, token: int) -> tuple[int, int]:
        """The tokens of the logical line of one, its end included."""
        first = last = max(min(token, len(self) - 1), 0)
        while first > 0 and self.texts[first - 1] != NEWLINE:
            first -= 1
        while last < len(self) and self.texts[last] != NEWLINE:
            last += 1
        return first, min(last + 1, len(self))

    def block(self, first: int, last: int) -> tuple[int, int]:
        """The characters of the lines around some tokens, from one that is not indented to the next."""
        low, high = min(first, len(self) - 1), last
        while low > 0 and not self._begins_block(low):
            low -= 1
        while high < len(self) and not self._begins_block(high):
            high += 1
        return self.starts[low] if low > 0 else 0, self.starts[high] if high < len(self) else len(self.text)

    def _begins_block(self, token: int) -> bool:
        start = self.starts[token]
        return (token == 0 or self.texts[token - 1] == NEWLINE) and (
            start == 0 or self.text[start - 1] in "\r\n"
        )

    def kind(self, token: int) -> str:
        """What a token belongs to: `start` of the file, `prose`, an `annotation`, or a line that begins with
        `def`, `class`, `import` or `@`; any other line has no word for it."""
        if token == 0:
            return "start"
        if token in self.prose:
            return "prose"
        first = token
        while first > 0 and self.texts[first - 1] != NEWLINE and token - first < _MOST_BACK:
            first -= 1
        kind = _KINDS.get(self.texts[first], "") if first < len(self) else ""
        return "annotation" if kind in ("", "def") and self._is_annotation(first, token) else kind

    def _is_annotation(self, first: int, token: int) -> bool:
        """Whether a token of the logical line that begins at `first` is in the type of a parameter, of a
        variable or of what is returned."""
        depth, value, colon = 0, False, False
        for at in range(token - 1, first - 1, -1):
            word = self.texts[at]
            if word in CLOSING:
                depth += 1
            elif word in OPENING and depth:
                depth -= 1
            elif word == "(" and at >= first + 2 and self.texts[at - 2] == "def":
                return colon
            elif word == "[" and not colon:
                value = False  # what is around the brackets counts
            elif word in OPENING:
                return False
            elif depth == 0 and word == "->":
                return True
            elif depth == 0 and not colon:
                colon = word == ":" and not value
                value = value or word in (",", "=")
        return colon and not keyword.iskeyword(self.texts[first])

    def sides(self, first: int, last: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tokens in front of `first..last-1`, the nearest first, and those after: a few, to the bounds
        of the logical line."""
        left = self.texts[max(first - _SIDE, 0) : first][::-1]
        right = self.texts[last : last + _SIDE]
        return tuple(_to_line_end(left)), tuple(_to_line_end(right))

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


_kept: OrderedDict[str, Tokens] = OrderedDict()


def tokens_of(text: str, before: Tokens | None = None) -> Tokens:
    """The tokens of a text; those of the texts that were asked for last are kept. With `before`, of a text
    that hardly differs, only what differs is read."""
    found = _kept.pop(text, None)
    if found is None:
        found = Tokens(text, before)
        while len(_kept) >= _MOST_KEPT:
            _kept.popitem(last=False)
    _kept[text] = found
    return found


def _to_line_end(words: list[str]) -> list[str]:
    return words[: words.index(NEWLINE) + 1] if NEWLINE in words else words


def digest(text: str) -> str:
    """Tells a text from other ones of the same file."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


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
