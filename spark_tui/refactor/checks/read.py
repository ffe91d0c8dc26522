"""An order of which piece after piece is understood: where it is meant, what is to be done, what remains to be read.

Comes in: an order. Goes out: the functions and places that it names, its exception, its message; pieces that were
understood, and the rest. Must not know: what is made of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.naming import parts
from spark_tui.refactor.order import Order
from spark_tui.refactor.source import Function, Source

CUT = " ¦ "
_EDGE = re.compile(r"^[\s,;:.?!¦()—–-]+|[\s,;:.?!¦(—–-]+$")
_PRESENT = re.compile(
    r"\s*(?:[,;(–—-]|\.\s)\s*(?:(?:right now|currently|at the moment|today|so far|as it is|now it|at present|because|cause|since|otherwise (?:it|we|this)|it (?:currently |now )?(?:crashes|dies|fails|blows|explodes|breaks|raises|throws)|that (?:crashes|is what))\b.*)$|\s+(?:because|so that)\s.*$",
    re.I,
)
"""What is said of how things are, and why: no part of what is to be done."""
_BEFORE = re.compile(
    r"(?:\b(?:(?:right |directly |straight |already )?(?:at|on|to|in|from|up) (?:the )?(?:very )?(?:top|start|beginning|head|entry|front|body|end|begin)(?: of| to)? |"
    r"on (?:entry|exit) (?:of|to|from) |(?:first thing |down |over |up |early |right |already |directly )?(?:in|inside|within|into|of|to|for|from|at|by|when calling|calling|when|before|with|have|has|make|let) )?(?:the )?(?:body of (?:the )?)?"
    r"(?:(?:func|fn|function|method|def|helper|call to)\s+)?)$",
    re.I,
)
_BEHIND = re.compile(
    r"(?:'s)?(?:\s+(?:func|fn|function|method|def|helper)\b)?(?:\s+(?:is called|runs|itself)\b)?(?:\s+(?:should|must|has to|have to|needs to|need to|ought to|shall|can)\b)?",
    re.I,
)
_ODD = re.compile(r"\w_\w|^_|[a-z][A-Z]|\d")
_SUBJECT = re.compile(
    r"(?:\s+(?:should|must|has to|have to|needs to|ought to|shall|crashes|dies|fails|of|can)\b|\s*[:,])", re.I
)
_ASKED = re.compile(r"\b(?:if|when|whenever|unless|while|once)\s+(?:not\s+)?$", re.I)
_IS = re.compile(r"\s*(?:[<>=!]|(?:is|are|returns?|gives?|says|was|fails|raises|equals)\b)", re.I)
_RUN = re.compile(r"\s+(?:is (?:entered|called|run|invoked)|runs|starts|begins|returns|fails|exits)\b", re.I)
_CONSTRUCTOR = re.compile(
    r"(?:\b(?:in|of|to|for|from|at the (?:start|top) of)\s+)?(?:\bthe\s+)?(?:\b(?P<a>[A-Z]\w*)(?:'s)?\s+)?\b(?:constructor|initiali[sz]er)\b(?:\s+of\s+(?P<b>[A-Z]\w*))?(?:\s+(?:should|must|has to|needs to)\b)?"
)
_COMPARED = re.compile(r"(?:\bthan(?: the)?|[<>=]=?|\bequals?|\bexceeds?|\babove|\bbelow)\s*`?$", re.I)
_NEAR = re.compile(
    r"\b(?:(?:right |directly |just )?(?:on|at|in|around|near|by|from|of|to|for|the|about|with)\s+)*(?:the\s+)?(?:lines?|ln|l)\.?\s*#?(?P<first>\d+)(?:\s*(?:-|–|to|through|until)\s*(?:lines?\s*)?(?P<last>\d+))?(?:\s+or so\b)?",
    re.I,
)
TOP = re.compile(
    r"\b(?:as (?:the |its )?(?:very )?first (?:thing|line|statement|step)|(?:the )?(?:very )?first (?:thing|line|statement)(?: (?:it does|in the function))?|(?:right |directly |straight )?(?:at|on|to|up|from) (?:the )?(?:very )?(?:top|start|beginning|entry|begin|front)(?: of (?:it|this|the function|this function|the method|the body))?|up ?front|up top|first of all|on entry|at its (?:top|start|beginning)|before (?:anything|everything|all) else|before (?:doing|it does) (?:anything|any work)|first)\b",
    re.I,
)
_CLASS = r"(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Timeout|NotFound|Expired)|Exception|[a-z_]\w*\.[a-z]*error"
EXCEPTION = re.compile(
    rf"(?<![\w.])(?:(?:with|as|by|via|using|through|of|into|w/)\s+)?(?:(?:an?|the|such an?)\s+)?[`'\"]?(?P<exc>{_CLASS})(?P<args>\((?:[^()]|\([^()]*\))*\))?[`'\"]?(?:\s+(?:exception|error)\b)?"
)
_IN_WORDS = re.compile(
    r"\b(?:an?\s+|the\s+)?(?P<kind>value|type|key|index|runtime|attribute|assertion|lookup|not implemented|file not found|permission|os|import|zero division|timeout|connection|name|overflow|unicode decode|arithmetic)[ -]error\b",
    re.I,
)
_MESSAGE = re.compile(
    r"(?:\s*[,:;(-]?\s*(?:and|with|w/|using)?\s*(?:the\s+|a\s+|an\s+|this\s+)?(?:error\s+)?(?:message|msg|text|saying|that says|which says|that reads|telling (?:them|us|the (?:user|caller))|says|reads)\s*(?:of|is|:|=|that)?\s*)(?P<q>[\"'`])(?P<said>.+?)(?P=q)(?!\w)",
    re.I,
)
_TELL = re.compile(
    r"\b(?:tell (?:the )?(?:caller|callers|them|user|users|us|people)|(?:should|must|has to|ought to) say)\s+(?P<q>[\"'`])(?P<said>.+?)(?P=q)",
    re.I,
)
_SAYING = re.compile(
    r"\s*[,:;]?\s*\b(?:saying|with (?:the |a )?message|message:|msg:)\s*:?\s*(?P<said>[^\"'`¦]+?)\s*(?=¦|$)", re.I
)
_LAST = re.compile(r"(?<=¦)[\s,:;(-]*(?:and |with )?(?P<q>[\"'])(?P<said>[^\"']*)(?P=q)")


def tidy(text: str) -> str:
    previous = None
    while previous != text:
        previous, text = text, _EDGE.sub("", text)
    return text


class Reading:
    """`rest` is what was not understood so far; what was taken out of it leaves a mark."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.src: Source = order.src
        self.rest = order.said
        self.used: list[str] = []
        self.named = False
        """Whether a function was named."""
        self.take(_PRESENT)

    def take(self, *patterns: re.Pattern[str]) -> re.Match[str] | None:
        for pattern in patterns:
            match = pattern.search(self.rest)
            if match is not None and match[0]:
                self.cut(match.start(), match.end())
                return match
        return None

    def cut(self, start: int, end: int) -> None:
        self.used.append(self.rest[start:end])
        self.rest = self.rest[:start] + CUT + self.rest[end:]

    def pieces(self) -> list[str]:
        """What is left, between what was taken."""
        return [one for piece in self.rest.split("¦") if (one := tidy(piece))]

    # -- where ---------------------------------------------------------------------------------------------------------

    def functions(self) -> list[Function]:
        """Those that are named; else the one in which the person is or whose line is numbered; else all."""
        found = self._named()
        at = self.line()
        if not found and at is None and self.order.selection is not None:
            at = self.order.selection[0]
        if not found and at is None and self.order.here is not None:
            at = self.order.here[0]
        around = self.around(at) if not found and at is not None else None
        found = found or ([around] if around is not None else [])
        self.named = bool(found)
        return found or list(self.src.functions)

    def around(self, line: int) -> Function | None:
        inside = [one for one in self.src.functions if self.src.first_line(one) <= line < self.src.last_line(one)]
        return inside[-1] if inside else None

    def line(self) -> int | None:
        """The numbered line, counted from 0."""
        return self.order.numbered[0][0] if self.order.numbered else None

    def take_line(self) -> tuple[int, int] | None:
        """The numbered lines, half-open, taken out of the rest."""
        match = self.take(_NEAR)
        return self.order.numbered[0] if match and self.order.numbered else None

    def _named(self) -> list[Function]:
        """The functions whose name has the surest mention."""
        best: tuple[int, int, str] | None = None
        for name, start, end in _mentioned(self.rest, {one.name for one in self.src.functions}):
            left, right = _BEFORE.search(self.rest, 0, start), _BEHIND.match(self.rest, end)
            first, last = (left.start() if left else start), (right.end() if right else end)
            if _ASKED.search(self.rest[:start]) and _IS.match(self.rest, end) and not _RUN.match(self.rest, end):
                continue
            if best is None or last - first > best[1] - best[0]:
                best = (first, last, name)
        if best is None:
            return self._constructor()
        said = self.rest[best[0] : best[1]]
        self.cut(best[0], best[1])
        found = [one for one in self.src.functions if one.name == best[2]]
        for one in found:
            owner = self.src.class_of(one)
            if owner is not None and len(found) > 1 and re.search(rf"\b{owner.name}\b", said + self.rest):
                self.take(
                    re.compile(rf"(?:(?:in|of|from)\s+)?(?:the\s+)?(?:class\s+)?`?\b{owner.name}\b`?(?:\s+class)?")
                )
                return [one]
        return found

    def strangers(self) -> list[str]:
        """Names that are left and that the file does not have: what they stand for is elsewhere."""
        left = re.findall(r"(?<![\w.])[^\W\d]\w*(?:\.\w+)*", self.rest)
        return [one for one in left if _ODD.search(one) and not set(one.split(".")) & self.order.identifiers]

    def _constructor(self) -> list[Function]:
        made = [one for one in self.src.functions if one.name == "__init__"]
        match = _CONSTRUCTOR.search(self.rest) if made else None
        if match is None:
            return []
        said = match["a"] or match["b"]
        found = [one for one in made if (owner := self.src.class_of(one)) is not None and owner.name == said]
        if said and not found and said.lower() not in ("the", "a", "its", "this", "in", "of", "when"):
            return []
        self.cut(*match.span())
        return found or made

    # -- what ----------------------------------------------------------------------------------------------------------

    def exception(self) -> tuple[str, str | None] | None:
        """The exception that is said, and its arguments where they are written behind it as in code."""
        match = self.take(EXCEPTION)
        if match is not None:
            args = (match["args"] or "").strip()
            return match["exc"], args[1:-1] if args else None
        words = self.take(_IN_WORDS)
        if words is not None:
            kind = words["kind"].lower()
            return ("OSError" if kind == "os" else "".join(one.capitalize() for one in kind.split()) + "Error"), None
        for name in own_exceptions(self.src):
            if self.take(re.compile(rf"(?:(?:\b(?:an?|the|with))\s+)*`?\b{name}\b`?")) is not None:
                return name, None
        return None

    def message(self) -> str | None:
        """What is to be told: *with the message "…"*, *saying …*."""
        match = self.take(_MESSAGE, _TELL, _SAYING)
        return None if match is None else match["said"].strip()

    def last_text(self) -> str | None:
        """A quoted text behind something that was taken."""
        match = self.take(_LAST)
        return None if match is None else match["said"]


def own_exceptions(src: Source) -> list[str]:
    """Exceptions that the file defines."""
    return [
        one.name for one in src.classes if any(re.search("Error|Exception", ast.unparse(base)) for base in one.bases)
    ]


def _mentioned(text: str, names: set[str]) -> Iterator[tuple[str, int, int]]:
    """Names of functions in a text with the place of their mention: spelled as code, or in words."""
    for match in re.finditer(r"[^\W\d]\w*", text):
        name, start, end = match[0], match.start(), match.end()
        if name not in names:
            continue
        owner = re.search(r"(?:[\w./]+\.py:|\b\w+\.)$", text[:start])
        start = owner.start() if owner else start
        if _COMPARED.search(text[:start]):
            continue
        called = re.compile(r"\([^()]*\)").match(text, end)
        end = called.end() if called else end
        marked = bool(owner or called)
        if start and end < len(text) and text[start - 1] == text[end] and text[end] in "`'\"":
            start, end, marked = start - 1, end + 1, True
        if marked or _ODD.search(name):
            if not re.match(r"\s*=(?!=)", text[end:]):
                yield name, start, end
        elif (
            re.search(
                r"\b(?:in|inside|within|into|of|to|for|from|exit|leave|quit|function|method|func|fn|def)\s+(?:the\s+)?$",
                text[:start],
                re.I,
            )
            or (
                re.search(r"\b(?:when|whenever|each time|every time)\s+$", text[:start], re.I) and _RUN.match(text, end)
            )
            or re.match(r"\s+(?:function|method|func|fn)\b", text[end:], re.I)
            or (re.search(r"[,;:]\s*(?:then\s+)?$", text[:start]) and _SUBJECT.match(text, end))
            or (not tidy(re.sub(r"\bthe\b", "", text[:start])) and _SUBJECT.match(text, end))
        ):
            yield name, start, end
    tokens = [(part[0].lower(), part.start(), part.end()) for part in re.finditer(r"[A-Za-z]+|\d+", text)]
    for name in names:
        said = parts(name)
        for at in range(len(tokens) - len(said) + 1) if len(said) > 1 else ():
            window = tokens[at : at + len(said)]
            if [one[0] for one in window] == said and not re.search(r"[_.]", text[window[0][1] : window[-1][2]]):
                yield name, window[0][1], window[-1][2]
