"""An order that was asked first, with what a message behind its answer says in the place of what it said.

Comes in: the lines that were shown, the order, the message. Goes out: orders. Must not know: hunks, engines, ids, what
is made of an order.

*wrong list, it belongs to south* behind *add a 15:45 departure to the north list* asks to *add a 15:45 departure to the
south list*: each word of the message is there already, says nothing, or has one word of its sort to take the place of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from spark_tui.refactor.saying import FILLERS
from spark_tui.steers.terms import LEVELS, NUMBERS, sort_of

_TALK = FILLERS | frozenset(
    re.findall(
        r"[\w']+",
        "let's wrong mean meant belongs belong goes go place places that's thats where i'd i'm actually sorry but well oops ah oh hm wait of course better enough fine really always thing too other different case it'd",
    )
)
_WORD = re.compile(
    r"`[^`\n]+`|\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)|\d[\d_]*(?:[.:]\d+)*|[^\W\d][\w.-]*\w(?:'\w+)?|[^\W\d]"
)
_ORDINALS = frozenset(
    re.findall(r"\w+", "first second third fourth last 1st 2nd 3rd 4th final inner outer upper lower")
)
_TYPES = frozenset(
    re.findall(
        r"\w+",
        "list dict set tuple frozenset deque defaultdict counter dictionary string str int float bool generator setdefault",
    )
)


_CALL = re.compile(r"(?:call|name|rename) (?:it |that )?(?:to )?`?(?P<new>[^\W\d]\w*)`?$", re.I)
_GIVEN = re.compile(r"\b(?:to|as|called|named) `?(?P<old>[^\W\d]\w*)")
_BE = re.compile(
    r"(?:it|that|this|(?:the )?`?(?P<old>[^\W\d]\w*)`?) (?:should|has to|needs to|must|ought to|is supposed to) (?:be|read|say|become) (?P<new>\S.*?)(?:,? i (?:think|guess|mean))?$",
    re.I,
)
"""*the text should be "done"*: what is to be, said of what the order brings."""
_CODE = re.compile(r"\w_\w|[A-Z]{2}")
_ROLE = re.compile(r"\b(?:to|be|as|of|by|at|with|than|default|called|named) [`\"']?$")
"""In front of what an order brings."""
_WAY = re.compile(
    r"^(?:just |plain |bare |simply |only |(?:it |that )?should |don't raise,? |no (?:exception|error),? )*(?P<way>(?:return|raise|print|continue|break|pass|yield)\b.*?)(?:,? (?:instead of|rather than|and not|not) .*)?$",
    re.I,
)
_STATEMENT = re.compile(
    r"\b(?:rais(?:e|es|ing)|return(?:s|ing)?|print|continue|break|pass|yield)\b(?:(?! (?:when|if|unless|in|from|for|on|before|after|where|once|while)\b|[,;]).)*",
    re.I,
)


@lru_cache(maxsize=8)
def _file(lines: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Names of functions and classes, words in quotes, all words."""
    text = "\n".join(lines)
    defined = frozenset(re.findall(r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)", text, re.M))
    quoted = frozenset(found for pair in re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'", text) for found in pair if found)
    return defined, quoted, frozenset(re.findall(r"[^\W\d]\w*", text))


def sort_in(word: str, lines: tuple[str, ...]) -> str:
    """What sort of thing a word of an order is about these lines; empty for a word of the sentence."""
    defined, quoted, known = _file(lines)
    low = word.lower()
    if word[0] in "`\"'":
        return "quoted" if word[0] != "`" else sort_in(word[1:-1], lines) or "name"
    if word[0].isdigit() or low in NUMBERS:
        return "number"
    if low in _ORDINALS:
        return "ordinal"
    if word.rpartition(".")[2] in defined:
        return "defined"
    if low in LEVELS:
        return "level"
    if sort_of(word) == "error":
        return "error"
    if low in _TYPES:
        return "type"
    if word in quoted:
        return "member"
    return "name" if word in known or _CODE.search(word) else ""


def in_its_place(lines: Sequence[str], asked: str, message: str, *, also: bool = False) -> Iterator[str]:
    """The order with what the message says in its place. `also`: it is said to be done besides, so no statement goes."""
    if not asked:
        return
    way, stood = _WAY.match(message), _STATEMENT.search(asked)
    name, given = _CALL.match(message), _GIVEN.search(asked)
    to_be = _BE.match(message)
    if way is not None and stood is not None and not also:
        yield f"{asked[: stood.start()]}{way['way']}{asked[stood.end() :]}"
    elif name is not None and given is not None:
        yield f"{asked[: given.start('old')]}{name['new']}{asked[given.end('old') :]}"
    elif to_be is not None and to_be["old"] and re.search(rf"\b{to_be['old']}\W*$", asked):
        yield re.sub(rf"\b{to_be['old']}(\W*)$", lambda end: to_be["new"].strip("`") + end[1], asked)
    else:
        yield from _one_for_one(tuple(lines), asked, message if to_be is None else to_be["new"])


def _one_for_one(text: tuple[str, ...], asked: str, message: str) -> Iterator[str]:
    """The order with each thing that the message says for the one of its sort."""
    message = re.sub(r"^(?:no,? )?wrong \w+\b[,.:;]?\s*", "", message, flags=re.I) or message
    stood = list(_WORD.finditer(asked))
    words = {match[0].lower() for match in stood}
    wanted: list[tuple[str, str]] = []
    dropped: set[str] = set()
    for match in _WORD.finditer(message):
        word = match[0]
        if word.lower() in _TALK and not (word.lower() in NUMBERS and word.lower() != "one"):
            continue
        if word.lower() in words:
            if re.search(r"\b(?:not|no|wrong)(?: in| for| the| a)* $", message[: match.start()]):
                dropped.add(word.lower())
            continue
        sort = sort_in(word, text)
        if not sort:
            return
        wanted.append((word, sort))
    if not wanted or len({word for word, _ in wanted}) > 3:
        return
    changes: list[tuple[int, int, str]] = []
    for word, sort in dict.fromkeys(wanted):
        places = [
            match
            for match in stood
            if sort_in(match[0], text) == sort
            and (match[0] not in message.replace(word, "") or match[0].lower() in dropped)
        ]
        if len({match[0] for match in places}) > 1:
            places = [match for match in places if _ROLE.search(asked[: match.start()])]
        if len({match[0] for match in places}) != 1 or any(start == places[0].start() for start, _, _ in changes):
            return
        changes += [(match.start(), match.end(), word) for match in places]
    out, done = "", 0
    for start, end, new in sorted(changes):
        out += asked[done:start] + new
        done = end
    yield out + asked[done:]
