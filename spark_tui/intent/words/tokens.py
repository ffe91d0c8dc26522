"""Cuts an instruction into words, names, numbers and signs, and finds what stands in quotes or backticks.
Words that only ask or thank are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.tables import table_beside

MOST_TOKENS = 128
FIRST_TOKENS = 88
"""Of a longer text its first tokens are kept, and the last ones: the error of a traceback is its end."""

_PAIRS = re.compile(
    r"```(?:\w+\n)?(?P<fence>.+?)```"
    r"|(?P<tick>`+)(?P<code>[^`\n]+)(?P=tick)"
    r'|"(?P<double>[^"\n]+)"'
    r"|“(?P<curly>[^”\n]+)”|„(?P<low>[^“”\n]+)[“”]|«(?P<angle>[^»\n]+)»|「(?P<corner>[^」\n]+)」"
    r"|(?<!\w)'(?P<single>(?:[^'\n]|(?<=\w)'(?=\w)){1,80})'(?!\w)"
    r"|‘(?P<curved>[^’\n]+)’",
    re.DOTALL,
)
_LETTER = r"[A-Za-z0-9_\u00aa-\u02ff\u0370-\u1fff]"
_NAME = rf"(?:(?!\d){_LETTER}{_LETTER}*)"
EXTENSIONS = (
    r"(?:py|pyi|toml|ya?ml|json|ini|cfg|conf|env|md|rst|txt|in|lock|sh|sql|csv|html?|css|jsx?|tsx?|xml|log)"
)

_FOLDER = r"[\w.-]{1,255}/"
"""No file system takes a longer name; without a bound a long run of dashes is looked at from each of them."""
IDEOGRAPH = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_TOKEN = re.compile(
    rf"(?P<path>(?!s/)(?:{_FOLDER})*(?:[\w-]{{0,255}}\.)?[\w-]{{1,255}}\.{EXTENSIONS}(?!{_LETTER}|\()"
    rf"|(?<!/)(?!s/)(?:{_FOLDER})+(?=\s|$)"
    rf"|\.(?:gitignore|env|dockerignore|flake8|editorconfig)\b)"
    rf"|(?P<ideograph>{IDEOGRAPH})"
    rf"|(?P<elided>(?:[ldnsjmtcLDNSJMTC]|[Qq]u|[Jj]usqu|[Ll]orsqu)['’](?={_LETTER}))"
    rf"|(?P<number>\d+(?:[._]\d+)*(?:e-?\d+)?[A-Za-z%]*)"
    rf"|(?P<possessive>['’]s(?!{_LETTER}))"
    rf"|(?P<name>{_NAME}(?:\.{_NAME})*(?:['’](?!s(?!{_LETTER})){_LETTER}+)?)"
    r"|(?P<sign>->|=>|==|!=|<=|>=|[-+*/%|&]=|\*\*|//|:=|\.\.\.|[^\s])",
    re.ASCII,
)


_CONTROL_SEQUENCE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]")
_table = table_beside(__file__, "courtesy.toml")
_LONGEST = 80
"""Characters of what is said behind an instruction."""


def cleaned(instruction: str) -> str:
    """The instruction without control characters, what colours it in a terminal, and words that only ask or
    thank."""
    plain = _CONTROL_SEQUENCE.sub("", instruction)
    return without_courtesy(re.sub(r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f]", " ", plain).strip())


@dataclass(frozen=True, slots=True)
class Token:
    """Characters `start` to `end` of the instruction. `kind` is the group of the pattern that matched:
    `path`, `ideograph`, `elided`, `number`, `possessive`, `name`, `sign`, or `quote` for a sign around a
    quoted piece. `inside` is the number of that piece in `Tokens.quoted`, -1 outside of all."""

    start: int
    end: int
    text: str
    kind: str
    inside: int = -1


@dataclass(frozen=True, slots=True)
class Quoted:
    """A piece in quotes or backticks: from the opening sign to after the closing one, and its content."""

    start: int
    end: int
    inner_start: int
    inner_end: int
    code: bool


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of an instruction in order, and its quoted pieces."""

    text: str
    items: tuple[Token, ...]
    quoted: tuple[Quoted, ...]


@lru_cache(maxsize=64)
def tokenize(text: str, most: int = MOST_TOKENS) -> Tokens:
    """The tokens of a text: all, or the first and last ones if it is long."""
    quoted: list[Quoted] = []
    items: list[Token] = []
    at = 0
    for match in _PAIRS.finditer(text):
        group = match.lastgroup if match.lastgroup != "tick" else "code"
        inner_start, inner_end = match.span(group or 0)
        _cut(text, at, match.start(), -1, items)
        number = len(quoted)
        quoted.append(Quoted(match.start(), match.end(), inner_start, inner_end, group in ("fence", "code")))
        items.append(Token(match.start(), inner_start, match[0][0], "quote", number))
        _cut(text, inner_start, inner_end, number, items)
        items.append(Token(inner_end, match.end(), text[inner_end], "quote", number))
        at = match.end()
        if len(items) > 20 * most:
            break
    _cut(text, at, len(text), -1, items)
    if len(items) > most:
        first = most * FIRST_TOKENS // MOST_TOKENS
        items = items[:first] + items[first - most :]
    return Tokens(text, tuple(items), tuple(quoted))


def _cut(text: str, start: int, end: int, inside: int, items: list[Token]) -> None:
    for match in _TOKEN.finditer(text, start, end):
        kind = match.lastgroup or "sign"
        items.append(Token(match.start(), match.end(), match[0], kind, inside))


def without_courtesy(text: str) -> str:
    """The instruction alone; as it is where hardly anything else is said."""
    ahead, behind = _frames()
    begins = ahead.match(text)
    plain = text[begins.end() :] if begins is not None else text
    if begins is not None and begins["asking"]:
        plain = plain.rstrip().removesuffix("?")
    ends = behind.search(plain, max(len(plain) - _LONGEST, 0))
    plain = plain[: ends.start()] if ends is not None else plain
    return plain if len(plain.split()) > 1 else text


@lru_cache(maxsize=1)
def _frames() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What may stand ahead of an instruction, and behind it."""
    ahead, behind = _either("ahead"), _either("behind")
    begin = (
        rf"\s*(?:{_either('greetings')}\s*[,!:.]\s*|{ahead}(?:\s*[,:]\s*|\s+)|{_either('ahead_joined')}"
        rf"|(?P<asking>{_either('asking')})\s+)+"
    )
    meant = "".join(rf"(?<!(?<!\w){re.escape(word)}\s)" for word in _table()["meant"])
    end = rf"(?:[\s,.!;:?–-]*(?:(?<=[\s,.!;:?–-]){meant}{behind}|{_either('behind_joined')}))+[\s.!]*\Z"
    return re.compile(begin, re.IGNORECASE), re.compile(end, re.IGNORECASE)


def _either(name: str) -> str:
    return f"(?:{'|'.join(_table()[name])})"
