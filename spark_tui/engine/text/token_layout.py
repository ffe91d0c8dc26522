"""The token layout of the built-in model family `spark`: prompts as ids, and generated ids as hunks.

It follows docs/model-format.md and is pure list arithmetic: prompts, tag rows, hunks, and the
text of the edit format `lines`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Encode = Callable[[str], list[int]]

PAD, EOS, FILE, INSTR, OUT, HUNK, END, NOEDIT, CANNOT, CODE = range(10)
SUF, PRE, MID, STEER, PREV, KEPT, REJECTED, FIND, COPY, SEL, CUR, ERR, GAP = range(10, 23)

OPERATOR_COUNT = 32
TAG_FIRST_ID = 8192
TAG_COUNT = 512
MAX_WINDOW_LINES = 300
MAX_SUFFIX_TOKENS = 128

_NAMES = (
    *("pad", "eos", "file", "instr", "out", "R", "E", "noedit", "cannot", "code"),
    *("suf", "pre", "mid", "steer", "prev", "kept", "rejected", "find", "copy", "sel", "cur", "err", "gap"),
)
OPERATOR_TEXTS = tuple(f"<|{name}|>" for name in _NAMES) + tuple(
    f"<|r{number}|>" for number in range(len(_NAMES), OPERATOR_COUNT)
)
TAG_TEXTS = tuple(f"<|L{number}|>" for number in range(TAG_COUNT))

_MOST_DIGITS = 9
"""Of the number of a line: Python takes no endless one for a number."""
_LINE_NUMBERS = re.compile(
    r"\b(?:lines?|ln)\.?\s*#?(\d+)(?:\s*(?:-|–|\.\.|to|and|through|thru|until|,)\s*(?:line\s*)?(\d+))?"
    r"|\bL(\d+)(?:\s*-\s*L?(\d+))?\b",
    re.IGNORECASE,
)


def tag(line: int, start: int = 0) -> int:
    """The tag id of window line `line` (from 0) where the window's first line has tag number `start`."""
    return TAG_FIRST_ID + (start + line) % TAG_COUNT


def is_tag(token: int) -> bool:
    return TAG_FIRST_ID <= token < TAG_FIRST_ID + TAG_COUNT


def line_of(tag_id: int, start: int = 0) -> int:
    """The window line that a tag names; the inverse of `tag` for lines below 512."""
    return (tag_id - TAG_FIRST_ID - start) % TAG_COUNT


def short_path(path: str) -> str:
    """The last two parts, joined by `/`."""
    return "/".join([part for part in path.replace("\\", "/").split("/") if part][-2:])


def encode_file(encode: Encode, path: str, lines: Sequence[str], start: int = 0) -> list[int]:
    """The file part, ending in the tag after the last line."""
    ids = [FILE, *encode(short_path(path))]
    for number, line in enumerate(lines):
        ids.append(tag(number, start))
        ids.extend(encode(line))
    ids.append(tag(len(lines), start))
    return ids


def encode_instruction(
    encode: Encode, text: str, n_lines: int, *, first_line: int = 1, start: int = 0
) -> list[int]:
    """Words, with each named line number of the window (`first_line` is the window's, 1-based) as its tag."""
    ids: list[int] = []
    done = 0
    for match in _LINE_NUMBERS.finditer(text):
        for group in (1, 2, 3, 4):
            number = match.group(group)
            line = int(number) if number and len(number) <= _MOST_DIGITS else 0
            if not first_line <= line < first_line + n_lines:
                continue
            ids.extend(encode(text[done : match.start(group)]))
            ids.append(tag(line - first_line, start))
            done = match.end(group)
    ids.extend(encode(text[done:]))
    return ids


@dataclass(frozen=True, slots=True)
class WindowHunk:
    """Lines `first..last-1` of the window (from 0) become `new`; `first == last` inserts before `first`."""

    first: int
    last: int
    new: tuple[str, ...] = ()

    def touches(self, other: WindowHunk) -> bool:
        """Whether both change the same lines, so that the later one replaces the other."""
        if self.first == self.last or other.first == other.last:
            return self.first <= other.last and other.first <= self.last
        return self.first < other.last and other.first < self.last


def encode_hunk(encode: Encode, hunk: WindowHunk, start: int = 0) -> list[int]:
    newline = encode("\n")
    ids = [HUNK, tag(hunk.first, start), tag(hunk.last, start)]
    for line in hunk.new:
        ids.extend(encode(line))
        ids.extend(newline)
    ids.append(END)
    return ids


@dataclass(frozen=True, slots=True)
class PastExchange:
    """An earlier exchange. `hunks` are included only if it was rejected."""

    instruction: str
    kept: bool = True
    hunks: tuple[WindowHunk, ...] = ()


@dataclass(frozen=True, slots=True)
class EncodedPrompt:
    """Everything before the answer. `selection` is a half-open pair of window lines."""

    path: str
    lines: tuple[str, ...]
    instruction: str
    history: tuple[PastExchange, ...] = ()
    selection: tuple[int, int] | None = None
    cursor: int | None = None
    error: str = ""
    first_line: int = 1


def encode_prompt(encode: Encode, prompt: EncodedPrompt, start: int = 0) -> list[int]:
    """From `<|file|>` to the `<|out|>` that opens the answer."""
    n_lines = len(prompt.lines)

    def words(text: str) -> list[int]:
        return encode_instruction(encode, text, n_lines, first_line=prompt.first_line, start=start)

    ids = encode_file(encode, prompt.path, prompt.lines, start)
    for past in prompt.history:
        ids += [PREV, *words(past.instruction)]
        if past.kept:
            ids.append(KEPT)
        else:
            ids.append(OUT)
            for hunk in past.hunks:
                ids += encode_hunk(encode, hunk, start)
            ids.append(REJECTED)
    ids.append(INSTR)
    if prompt.selection is not None:
        ids += [SEL, tag(prompt.selection[0], start), tag(prompt.selection[1], start)]
    elif prompt.cursor is not None:
        ids += [CUR, tag(prompt.cursor, start)]
    ids += words(prompt.instruction)
    if prompt.error:
        ids += [ERR, *words(prompt.error)]
    ids.append(OUT)
    return ids


def encode_text(encode: Encode, text: str) -> list[int]:
    """Several lines as a document: each line by itself, the newline token between them."""
    newline = encode("\n")
    ids: list[int] = []
    for number, line in enumerate(text.split("\n")):
        if number:
            ids.extend(newline)
        ids.extend(encode(line))
    return ids


def encode_fill(encode: Encode, prefix: str, suffix: str) -> list[int]:
    """Fill-in, suffix first: what is typed only appends, and the text before the cursor is continued."""
    behind = encode_text(encode, suffix)[:MAX_SUFFIX_TOKENS]
    return [SUF, *behind, PRE, *encode_text(encode, prefix)]


@dataclass(slots=True)
class AnswerReader:
    """Turns generated ids, as they arrive, into the text of the format `lines`.

    `read` mutates the reader. `text_of` gives the text of one plain id; an id that the layout does not allow
    at its position ends the answer with `broken` set.
    """

    path: str
    text_of: Callable[[int], str]
    first_line: int = 1
    start: int = 0
    finished: bool = False
    broken: str = ""
    _state: str = "between"
    _tags: list[int] = field(default_factory=list)
    _opened: bool = False
    _fresh: bool = True

    def read(self, token: int) -> str:
        """The text that this id adds."""
        if self.finished:
            return ""
        if token in (EOS, STEER):
            self.finished = True
            return ""
        if self._state == "between":
            return self._between(token)
        return self._range(token) if self._state == "tags" else self._body(token)

    def _head(self) -> str:
        if self._opened:
            return ""
        self._opened = True
        return f"*** {self.path}\n"

    def _between(self, token: int) -> str:
        if token == NOEDIT:
            return self._head() + "@@ no-edit\n"
        if token == CANNOT:
            return self._head() + "@@ cannot\n"
        if token == HUNK:
            self._state, self._tags = "tags", []
            return ""
        return self._break(f"id {token} is between hunks")

    def _range(self, token: int) -> str:
        if not is_tag(token):
            return self._break(f"id {token} is in the place of a line tag")
        self._tags.append(line_of(token, self.start))
        if len(self._tags) < 2:
            return ""
        first, last = self._tags
        if last < first:
            return self._break(f"the hunk's range runs backwards ({first}, {last})")
        self._state, self._fresh = "body", True
        return self._head() + f"@@ {first + self.first_line},{last + self.first_line}\n"

    def _body(self, token: int) -> str:
        if token == END:
            # The empty line closes the hunk for whoever reads the text, before anything else is written.
            self._state = "between"
            return "\n" if self._fresh else "\n\n"
        if token < OPERATOR_COUNT or is_tag(token):
            return self._break(f"id {token} is inside a line")
        text = self.text_of(token)
        out = "+" if self._fresh and text else ""
        self._fresh = text.endswith("\n") if text else self._fresh
        return out + text

    def _break(self, why: str) -> str:
        self.finished, self.broken = True, why
        return ""
