"""Which lines a phrase means: *line 12*, *the last return in main*, *the assignment to x*, *the loop over users*.

Comes in: a phrase of an order with its code marked. Goes out: the spots that fit it, each told whole or not at all.
Must not know: what is to be done with them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from spark_tui.refactor.order import _parts as parts
from spark_tui.refactor.saying import words
from spark_tui.refactor.source import Definition, Function, Source, body_behind_docstring
from spark_tui.refactor.statements.kinds import by_kind, same
from spark_tui.refactor.statements.talk import MARK, Talk


@dataclass(frozen=True)
class Spot:
    """Whole lines `first..last-1`; the statement that stands on them, where it is one."""

    first: int
    last: int
    node: ast.stmt | None = None
    header: bool = False
    """It was named by a line that opens a block: only that line is meant, not what is in it."""


_TRIM = re.compile(
    r"^(?:(?:the|that|this|those|these|my|our|your|whole|entire|complete|all of|all|of|very|old|current|now|useless|unused|unneeded|unnecessary|redundant|stray|superfluous|leftover|extra|silly|pointless|dead|obsolete|stupid|existing|actual|bit (?:of code )?with|(?:line|statement|stmt|expression|code|command|instruction)(?=\s+⟦)|line (?:that )?(?:says|reads)|so-called)\s+)"
    r"|\s+(?:there|here|again|please|any ?more|anymore|any longer|too|as well|completely|entirely|altogether|itself|right now|line of code)$|^[\s,;:]+|[\s,;:.!?]+$",
    re.I,
)  # fmt: skip
_LINES = re.compile(
    r"(?:(?:everything|all|the code|code|the stuff|the part|the statements?|the block|what is) (?:from|between|on|in|at)\s+(?=(?:lines?|ln|l)?\s*#?\d))?(?:the\s+)?(?:(?:lines?|ln|l)\.?\s*(?:number|no\.?|nr\.?)?\s*#?\s*(\d+)(?:\s*(?:-|–|\.\.+|up to and including|up to|to|through|thru|and|&|until|till)\s*(?:lines?|ln|l)?\s*(\d+))?|(\d+)\s*(?:[-–]|to|through|up to(?: and including)?)\s*(\d+))$",
    re.I,
)
_NEAR = re.compile(
    r"[\s,(]*(?:\(\s*)?(?:(?:at|on|around|near|in|of|from|close to|somewhere near|(?:that |which )?(?:begins?|starts?|starting|beginning) (?:on|at|in))\s+)?(?:the\s+)?(?:lines?|ln|l)\.?\s*#?(\d+)\s*\)?$",
    re.I,
)
_IN = re.compile(
    r"[\s,(]+(?:(?:over|down|up|back)\s+)?(?:in|inside(?: of)?|of|within|from|under|for|at)\s+(?:the\s+)?(?:body of\s+)?(?=\S)",
    re.I,
)
_WHOLE = re.compile(
    r"(?:this|that|the|it|here|there)?\s*(?:function|method|func|fn|routine|file|module|script|class|code|program|body|here|there)?$",
    re.I,
)
_ROLE = re.compile(
    r"^(?:the\s+)?(?:(?:function|method|func|fn|class|def|definition of|test|helper|coroutine|property|generator)\s+)|(?:\(\))?\s+(?:function|method|func|fn|class|definition|def|coroutine|property|implementation|helper|generator|test)(?:\s+(?:definition|def))?$|\(\)$",
    re.I,
)
_NTH = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "last": -1, "final": -1, "bottom": -1, "lowest": -1, "top": 0}  # fmt: skip
_ORDINAL = re.compile(rf"^(?:very\s+)?({'|'.join(_NTH)}|only|single)\s+", re.I)
Found = Sequence[Spot]


# -- what is said where ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clause:
    """A part of an order, the lines that it keeps to, and all words that reading it has accounted for."""

    text: str
    within: tuple[int, int] | None
    used: tuple[str, ...]


_FRONT = re.compile(
    r"(?:(?:over |down |look |somewhere )?(?:in|inside|within|for|from|at|of|on|near|to)\s+)?(?:the\s+)?(?P<s>[^,:;]+?)(?:[,:;]\s+|\s+(?=(?:i|we|you|please)\s))(?P<rest>.+)$",
    re.I,
)
_BACK = re.compile(
    r"(?P<rest>.+?)[,;]\s+(?:(?:over |down )?(?:in|inside|within|for|from|at|of|on)\s+)?(?P<s>[^,:;]+)$", re.I
)
_BESIDE = re.compile(
    rf"(?:(?:just|right|shortly|somewhere)\s+)?(?:before|after|under|above|below|near|around|at|on|close to)\s+(?:{MARK}|lines?\s+[\d-]+)[,:]\s+(?P<rest>.+)$"
    rf"|(?P<first>.+?)\s*\((?:(?:just|right|shortly)\s+)?(?:before|after|under|above|below)\s+{MARK}\)$",
    re.I,
)


_INNER = re.compile(r"(?P<rest>.+?)\s+(?:over |down )?(?:in|inside|within)\s+(?:the\s+)?(?P<s>[^,:;]+)$", re.I)


def clauses(talk: Talk, beside: bool = True) -> list[Clause]:
    """The whole first, what is left without a named place, then the parts that punctuation tells apart. `beside`:
    where it says what stands next to the place, that is no more than a help to find it."""
    whole_text = talk.text
    out = [Clause(whole_text, None, (talk.noise, talk.plain(whole_text)))]
    for pattern in (_FRONT, _BACK, _INNER):
        match = pattern.match(whole_text)
        if match is not None and len(words(match["s"])) < 6:
            for place in scopes(talk, match["s"])[:2]:
                rest = re.sub(r"^(?:also|now|then|so|hm+|(?:i|we) think)[\s,:]+", "", match["rest"], flags=re.I)
                out.append(Clause(rest, place, (talk.noise, talk.plain(whole_text))))
    if beside and (match := _BESIDE.match(whole_text)) is not None:
        rest = re.sub(r"^(?:also|now|then|so)[\s,:]+", "", match["rest"] or match["first"], flags=re.I)
        out.append(Clause(rest, None, (talk.noise, talk.plain(whole_text))))
    parts_of_it = [
        part
        for cut in (r"(?<=\S)[.;!?]+\s+|\s[-–]\s", r"(?<=\S)[.;,:!?]+\s+|\s[-–]\s")
        for part in re.split(cut, whole_text)
    ]
    for part in dict.fromkeys(parts_of_it):
        if 3 < len(part) < len(whole_text):
            bare = re.sub(r"^(?:so|and|then|but|now|also|hm+)[\s,]+(?=\w|⟦)", "", part, flags=re.I)
            out.append(Clause(bare, None, (talk.noise, talk.plain(part))))
    return out


# -- the answer ------------------------------------------------------------------------------------------------------


_MOST_PLACES = 4
"""A place is looked for in each place behind it, and that in each behind that."""


def find(talk: Talk, phrase: str, within: tuple[int, int] | None = None) -> list[Spot]:
    """All spots that the phrase may mean; none where any of its words is not understood."""
    text = re.sub(r"\s*\(the (?:method|function|class)\)$", "", phrase.strip())
    for _ in range(6):
        found = _find(talk, text, within)
        if found:
            return found
        shorter = _TRIM.sub("", text, count=1)
        if shorter == text:
            break
        text = shorter
    return []


def one(found: Found) -> Spot | None:
    return found[0] if len(found) == 1 else None


def _find(talk: Talk, text: str, within: tuple[int, int] | None) -> list[Spot]:
    if not text:
        return []
    if (match := _LINES.match(text)) is not None:
        numbers = [int(one) for one in match.groups() if one]
        return _by_number(talk, numbers[0], numbers[-1])
    if re.fullmatch(r"(?:this|these|selected|selection|the selected|the selection|here|highlighted|marked)?\s*(?:this|these|selected|lines?|statements?|block|code|here|it|selection)?", text, re.I):  # fmt: skip
        return _here(talk)
    near = _NEAR.search(text)
    if near is not None and near.start() > 0:
        line = int(near[1]) - talk.order.first_line
        found = find(talk, text[: near.start()], within)
        exact = [spot for spot in found if spot.first == line]
        exact = exact or [spot for spot in found if spot.first <= line < spot.last][-1:]
        about = re.search(r"around|near|close|about|somewhere", near[0], re.I)
        return exact or (sorted(found, key=lambda spot: abs(spot.first - line))[:1] if about else [])
    at_end = re.fullmatch(
        r"(?P<t>.+?) at the (?:very )?(?P<e>end|bottom|top|start|beginning)(?: of (?P<s>.+))?", text, re.I
    )
    if at_end is not None:
        nth = "last" if at_end["e"].lower() in ("end", "bottom") else "first"
        bare = re.sub(r"^(?:the|that)\s+", "", at_end["t"], flags=re.I)
        found = _find(talk, f"{nth} {bare} in {at_end['s']}" if at_end["s"] else f"{nth} {bare}", within)
        if found:
            return found
    places = list(_IN.finditer(text))
    for match in reversed(places) if len(places) <= _MOST_PLACES else ():
        for place in scopes(talk, text[match.end() :]):
            head = _bare(text[: match.start()])
            numbered = _LINES.match(head) is not None
            found = _find(talk, head, None) if numbered else _head(talk, head, place) if head else []
            if found:
                return found
    return _head(talk, text, within)


def _bare(text: str) -> str:
    for _ in range(4):
        text = _TRIM.sub("", text.strip(), count=1)
    return text


def _by_number(talk: Talk, first: int, last: int) -> list[Spot]:
    """What a number stands on: the statement that begins there, else the line alone."""
    a, b = first - talk.order.first_line, last - talk.order.first_line + 1
    if not 0 <= a < b <= len(talk.src.lines):
        return []
    if b - a > 1:
        return [Spot(a, b)]
    begun = [node for node in talk.src.statements if talk.src.first_line(node) == a]
    if begun:
        opens = hasattr(begun[0], "body") and talk.src.last_line(begun[0]) > a + 1
        return [Spot(a, talk.src.last_line(begun[0]), begun[0], header=opens)]
    return [Spot(a, b)]


def statement_at(src: Source, line: int) -> ast.stmt | None:
    """The innermost statement that holds a line, where it is no line of a head or between statements."""
    held = [node for node in src.statements if src.first_line(node) <= line < src.last_line(node)]
    last = held[-1] if held else None
    if last is not None and hasattr(last, "body") and src.first_line(last) != line:
        return None
    return last


def _here(talk: Talk) -> list[Spot]:
    here = talk.order.here
    if here is None:
        return []
    begun = [node for node in talk.src.statements if talk.src.first_line(node) == here[0]]
    node = next((one for one in begun if talk.src.last_line(one) == here[1] or here[1] == here[0] + 1), None)
    last = talk.src.last_line(node) if node is not None else here[1]
    return [Spot(here[0], last, node)]


def scopes(talk: Talk, phrase: str) -> list[tuple[int, int]]:
    """Lines that a phrase keeps to: a function, a class, a loop; everything where it says *here*."""
    text = _TRIM.sub("", phrase.strip()).strip()
    if not text:
        return []
    if _WHOLE.match(text):
        return [talk.order.scope("")] if talk.order.here is None else [around(talk)]
    found = definitions(talk, text)
    if found:
        return [(talk.src.first_line(node), talk.src.last_line(node)) for node in found]
    if re.match(r"(?:the\s+)?(?:[\w-]+\s+){0,2}(?:loop|if|while|for|with|try|else|except|finally|block|branch)\b", text, re.I):  # fmt: skip
        return [(spot.first, spot.last) for spot in (branch(talk, text) or find(talk, text))]
    return []


def around(talk: Talk) -> tuple[int, int]:
    """The function in which the person is, else all."""
    here = talk.order.here or talk.order.selection
    for node in reversed(talk.src.functions):
        if here is not None and talk.src.first_line(node) <= here[0] < talk.src.last_line(node):
            return talk.src.first_line(node), talk.src.last_line(node)
    return 0, len(talk.src.lines)


def definitions(talk: Talk, phrase: str) -> list[Definition]:
    """Functions and classes that a phrase names, and nothing beside."""
    text = re.sub(r"^[\w./]+\.py(?::|\s+)", "", talk.plain(phrase).strip())
    text = re.sub(r"^(?:the|a|this|that)\s+", "", text, flags=re.I)
    owner: list[ast.ClassDef] = []
    split = re.fullmatch(r"(.+?)\s+(?:in|of|from|inside)\s+(?:the\s+)?(?:class\s+)?(\w+)(?:\s+class)?", text)
    if split is not None:
        owner = [node for node in talk.src.classes if node.name == split[2]]
        text = split[1] if owner else text
    bare = text.strip(" .,:;!?")
    for _ in range(4):
        found = _named(talk, bare, "test" in text)
        if found or (shorter := _ROLE.sub("", bare, count=1).strip()) == bare:
            break
        bare = shorter
    if owner:
        found = [node for node in found if owner[0] in talk.src.ancestors(node)]
    return found


def _named(talk: Talk, bare: str, test: bool) -> list[Definition]:
    inside, _, last = bare.rpartition(".")
    every: list[Definition] = [*talk.src.functions, *talk.src.classes]
    found = [node for node in every if node.name == last and (not inside or _is_inside(talk.src, node, inside))]
    if not found and last.lower() in ("constructor", "initializer", "initialiser", "init"):
        found = [node for node in every if node.name == "__init__"]
    if not found and last.lower() == "main":
        found = [node for node in every if node.name in ("_main", "run_main")]
    if not found:
        said = words(bare)
        in_words = [node for node in every if said and parts(node.name) == said]
        as_test = [node for node in every if said and parts(node.name) == ["test", *said]] if test else []
        found = in_words or as_test
    return found


def _is_inside(src: Source, node: ast.AST, name: str) -> bool:
    return any(getattr(around, "name", "") == name.rpartition(".")[2] for around in src.ancestors(node))


# -- statements by what they are -------------------------------------------------------------------------------------


def _head(talk: Talk, text: str, within: tuple[int, int] | None) -> list[Spot]:
    if not text:
        return []
    src = talk.src
    low, high = within or (0, len(src.lines))
    every = [node for node in src.statements if low <= src.first_line(node) < high]
    code = talk.code(text)
    if code is not None and not talk.is_text(text):
        found = same(src, every, code)
        if found:
            return [replace(_spot(src, node), header=hasattr(node, "body")) for node in found]
    marked = re.fullmatch(
        rf"({MARK})\s+(?:line|statement|block|loop|check|call|branch|condition|stmt|assignment)", text
    )
    if marked is not None and not talk.is_text(marked[1]):
        found = same(src, every, talk.code(marked[1]) or "")
        if found:
            return [_spot(src, node) for node in found]
    ordinal = _ORDINAL.match(text)
    rest = text[ordinal.end() :] if ordinal else text
    if ordinal and re.fullmatch(r"(?:line|statement|instruction|command|stmt|thing)s?(?: of code)?", rest, re.I):
        return _at_end(talk, every, ordinal[1].lower(), within)
    found = list(by_kind(talk, rest, every))
    if not ordinal:
        return [_spot(src, node) for node in found]
    if ordinal[1].lower() in ("only", "single"):
        return [_spot(src, node) for node in found] if len(found) == 1 else []
    place = _NTH[ordinal[1].lower()]
    return [_spot(src, found[place])] if found and place < len(found) else []


def _spot(src: Source, node: ast.stmt) -> Spot:
    return Spot(src.first_line(node), src.last_line(node), node)


def _at_end(talk: Talk, every: Sequence[ast.stmt], nth: str, within: tuple[int, int] | None) -> list[Spot]:
    """The first, the last statement of the function that is meant."""
    src = talk.src
    functions = [node for node in every if isinstance(node, Function)]
    if within is None and len(functions) != 1:
        functions = [] if functions else functions
    outer = functions[:1]
    if outer and within is not None and src.first_line(outer[0]) != within[0]:
        outer = []
    body: list[ast.stmt]
    if outer:
        body = body_behind_docstring(outer[0])
    elif within is not None and every:
        inner = getattr(every[0], "body", None)
        body = inner if isinstance(inner, list) and src.first_line(every[0]) == within[0] else list(every)
    else:
        return []
    place = 0 if nth == "only" else _NTH.get(nth, 0)
    if not body or place >= len(body) or (nth in ("only", "single") and len(body) > 1):
        return []
    return [_spot(src, body[place])]


# -- branches --------------------------------------------------------------------------------------------------------

_BRANCH = re.compile(
    r"(?:the\s+)?(?P<what>else|elif|except|finally)(?:\s+(?:branch|block|clause|part|case|body|handler))?(?P<rest>.*)$",
    re.I,
)


def branch(talk: Talk, phrase: str, within: tuple[int, int] | None = None) -> list[Spot]:
    """The lines inside an `else`, an `except`: the block without its head."""
    match = _BRANCH.match(phrase.strip())
    if match is None:
        return []
    low, high = within or (0, len(talk.src.lines))
    rest = re.sub(r"^\s*(?:of|for|to|in|after)\s+", "", match["rest"])
    places = [(low, high)] if not rest.strip() else [*scopes(talk, rest)]
    out: list[Spot] = []
    for node in talk.src.nodes:
        what = match["what"].lower()
        block: list[ast.stmt] = []
        if what == "except" and isinstance(node, ast.ExceptHandler):
            block = node.body
        elif what == "finally" and isinstance(node, ast.Try):
            block = node.finalbody
        elif what == "else" and isinstance(node, ast.If | ast.For | ast.While | ast.Try):
            block = node.orelse
            if isinstance(node, ast.If) and len(block) == 1 and isinstance(block[0], ast.If):
                held = talk.src.lines[talk.src.first_line(block[0])].lstrip()
                block = [] if held.startswith("elif") else block
        if block and any(a <= talk.src.first_line(block[0]) < b for a, b in places):
            out.append(Spot(talk.src.first_line(block[0]), talk.src.last_line(block[-1]), block[0]))
    return out
