"""Orders to put a statement or a definition elsewhere, to swap two, to write one twice.

Comes in: an order. Goes out: edits that move whole lines. Must not know: models, what the code computes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Definition, Function, Source, indent_of
from spark_tui.refactor.statements.delete import take_out, whole
from spark_tui.refactor.statements.places import Place, places
from spark_tui.refactor.statements.talk import Talk, talk_of
from spark_tui.refactor.statements.where import Clause, Spot, clauses, definitions, find

_SHOULD = r"(?:should|must|has to|have to|needs to|need to|ought to|shall|is to|are to)"
_SIDE = r"(?:(?:right|just|directly|straight|immediately|further)\s+)?(?:before|after|above|below|under|underneath|behind|to (?:the )?(?:very )?(?:top|start|beginning|end|bottom|front|first|last)|at (?:the )?(?:very )?(?:top|start|beginning|end|bottom)|in front of|between|to between|to (?:before|after|above|below|under)|out of|outside|into|to line|to ln)\b.*"
_MOVES = tuple(
    re.compile(f"(?:{form})$", re.I)
    for form in (
        rf"(?:move|pull|push|shift|drag|relocate|hoist|lift|bring|take|sink) (?P<t>.+?)(?: up| down| back| over)*,? (?P<p>{_SIDE})",
        rf"(?:put|place|have|do|get) (?P<t>(?:the|that|line|ln|l\d|this|function|method|class|def)\b.+?) (?P<p>{_SIDE})",
        rf"(?P<t>.+?) (?:{_SHOULD} (?:come|be|go|stand|happen|run|be (?:moved|put|done|called|defined))|belongs|goes|to (?:come|be|go|stand)) (?P<p>{_SIDE})",
        rf"(?:shouldn't|shouldnt|should|can|could) (?P<t>.+?) (?:be|come|go|stand) (?P<p>{_SIDE})",
        r"(?P<t>(?:lines?|ln|l)\s*\d+) (?P<p>(?:before|after|above|below) .+)",
        rf"(?P<t>.+?) comes too (?:early|late|soon)[,;:.]* (?:so )?(?:(?:move|put|pull|push|shift) it|it (?:{_SHOULD} (?:be|come|go|stand)|belongs|goes)) (?P<p>{_SIDE})",
    )
)  # fmt: skip
_ORDER = r"(?:in the wrong order|the wrong way (?:round|around)|in wrong order|swapped|mixed up|out of order|in the wrong sequence|reversed|back to front)"
_SWAPS = tuple(
    re.compile(f"(?:{form})$", re.I)
    for form in (
        r"(?:swap|switch|flip|exchange|reorder|interchange|transpose)(?: around| round)? (?:the (?:order|positions?|places?) of )?(?P<a>.+?) (?:and|with|&) (?P<b>.+?)(?: around| round)?",
        rf"(?P<a>.+?) (?:and|&) (?P<b>.+?) (?:are |is |got |were )?{_ORDER}",
        r"(?:the )?order of (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:is (?:wrong|reversed|not right)|(?:should|must|has to|needs to) be (?:reversed|the other way (?:round|around)|swapped))",
        r"(?:reverse|change|invert|fix) the order of (?P<a>.+?) (?:and|&) (?P<b>.+)",
        r"(?:can|could|should|must) (?P<a>.+?) (?:and|&) (?P<b>.+?) (?:be swapped|swap(?: places)?|be exchanged|be flipped|change places)",
        r"(?P<a>.+?) (?:and|&) (?P<b>.+?) (?:should|must|have to|need to|ought to) (?:be (?:swapped|exchanged|flipped|the other way (?:round|around))|swap(?: places)?|change places)",
        r"(?:it |we |this )?(?:must |should |has to |needs to )?(?:first do|do first) (?P<b>.+?),? (?:and )?then (?P<a>.+)",
    )
)
_STEPS = re.compile(
    r"(?:move|push|pull|shift) (?P<t>.+?) (?:(?P<n>one|a|two|three|\d+) (?:lines?|statements?|rows?|steps?) )?(?P<way>up|down|higher|lower)(?: by)?(?: (?P<m>one|a|two|three|\d+)(?: (?:lines?|statements?|rows?|steps?))?)?$",
    re.I,
)
_NUMBER = {"one": 1, "a": 1, "two": 2, "three": 3}


# -- moving ----------------------------------------------------------------------------------------------------------


def _move(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        for form in _MOVES:
            match = form.fullmatch(clause.text)
            if match is None:
                continue
            found = list(_moved(order, talk, clause, match["t"], match["p"]))
            if found:
                yield from found
                return


def _moved(order: Order, talk: Talk, clause: Clause, what: str, where: str) -> Iterator[Edit]:
    nodes = definitions(talk, re.sub(r"^(?:the|that|this)\s+", "", what.strip(), flags=re.I))
    if nodes:
        for node in nodes:
            text = _definition_moved(talk, node, where)
            if text is not None:
                yield order.edit_text(text, *clause.used)
        return
    spots = [spot for spot in find(talk, what, clause.within) if not spot.header or spot.node is None]
    for spot in spots:
        out = re.match(r"(?:to )?(?:out of|outside(?: of)?) (.+)$", where, re.I)
        if out is not None:
            place = _outside(talk, spot, out[1])
        else:
            side = re.sub(r"^to (?=before|after|above|below|under|between)", "", where, flags=re.I)
            side = re.sub(r"^to (?=line|ln)", "at ", side, flags=re.I)
            side = re.sub(
                r"^to (?:the )?(?:very )?(?:front|first|top|start|beginning)$", "to the top", side, flags=re.I
            )
            within = clause.within or _function_lines(talk.src, spot)
            place = places(talk, side, within) or places(talk, side, clause.within)
        for one in place:
            text = moved(talk.src, spot, one)
            if text is not None:
                yield order.edit_text(text, *clause.used)


def _function_lines(src: Source, spot: Spot) -> tuple[int, int] | None:
    function = src.function_of(spot.node) if spot.node is not None else None
    return (src.first_line(function), src.last_line(function)) if function is not None else None


def moved(src: Source, spot: Spot, place: Place) -> str | None:
    """Lines at another place, as deep as it is there."""
    if spot.first <= place.line <= spot.last:
        return None
    old = indent_of(src.lines[spot.first])
    lines = [place.indent + line.removeprefix(old) if line.strip() else line for line in src.lines[spot.first : spot.last]]  # fmt: skip
    at = src.starts[place.line]
    changes = [(at, at, "".join(f"{line}\n" for line in lines))]
    block = src.block(spot.node) if spot.node is not None else []
    left = f"{old}pass\n" if len(block) == 1 else ""
    changes.append((*src.line_span(spot.first, spot.last), left))
    return src.changed(changes)


def _outside(talk: Talk, spot: Spot, phrase: str) -> list[Place]:
    """In front of a loop, or behind it where it is the end of what the loop does."""
    src, node = talk.src, spot.node
    if node is None:
        return []
    around = next((one for one in src.ancestors(node) if isinstance(one, _outer(phrase))), None)
    if not isinstance(around, ast.stmt):
        return []
    if isinstance(node, ast.Return | ast.Raise) or (src.block(node)[-1] is node and len(src.block(node)) > 1):
        return [Place(src.last_line(around), src.indent(around))]
    return [Place(src.first_line(around), src.indent(around))]


def _outer(phrase: str) -> tuple[type[ast.AST], ...]:
    kinds: tuple[tuple[str, tuple[type[ast.AST], ...]], ...] = (
        (r"\bloop|\bfor\b", (ast.For, ast.AsyncFor, ast.While)),
        (r"\bwhile\b", (ast.While,)),
        (r"\bwith\b", (ast.With, ast.AsyncWith)),
        (r"\btry\b", (ast.Try,)),
        (r"\bif\b|\belse\b", (ast.If,)),
    )
    return next((found for pattern, found in kinds if re.search(pattern, phrase, re.I)), ())


def _definition_moved(talk: Talk, node: Definition, where: str) -> str | None:
    src = talk.src
    block = src.block(node)
    end = re.match(r"(?:to|at) (?:the )?(?:very )?(?P<w>top|start|beginning|end|bottom)(?: of (?:the |this )?(?P<o>.+))?$", where, re.I)  # fmt: skip
    side = re.match(r"(?:to )?(?:(?:right|just|directly|straight|immediately) )?(?P<s>before|above|after|below|under|underneath|behind|in front of) (?:the )?(?P<o>.+)$", where, re.I)  # fmt: skip
    definers = [one for one in block if isinstance(one, Function | ast.ClassDef)]
    if end is not None:
        first = end["w"].lower() in ("top", "start", "beginning")
        other: ast.stmt = definers[0] if first else block[-1]
        before = first
    elif side is not None:
        others = [one for one in definitions(talk, side["o"]) if one is not node]
        if len(others) != 1 or src.block(others[0]) is not block:
            return None
        other, before = others[0], side["s"].lower() in ("before", "above", "in front of")
    else:
        return None
    if other is node:
        return None
    a, b = whole(src, node)
    c, d = whole(src, other)
    gap = [""] * (_gap(src, a, b, d) or (1 if src.indent(node) else 2))
    own = list(src.lines[a:b])
    at = src.starts[c if before else d]
    text = [*own, *gap] if before else [*gap, *own]
    try:
        return src.changed([*take_out(src, [(a, b)]), (at, at, "".join(f"{line}\n" for line in text))])
    except ValueError:
        return None


def _gap(src: Source, *lines: int) -> int:
    """As many blank lines as stand between definitions."""
    for line in lines:
        many = 0
        while line - many - 1 >= 0 and not src.lines[line - many - 1].strip():
            many += 1
        if many:
            return many
    return 0


# -- swapping --------------------------------------------------------------------------------------------------------


def _swap(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        for form in _SWAPS:
            match = form.fullmatch(clause.text)
            if match is None:
                continue
            one, two = _pair(talk, match["a"], match["b"], clause.within)
            text = swapped(talk.src, one, two) if one is not None and two is not None else None
            if text is not None:
                yield order.edit_text(text, *clause.used)
                return


def _pair(talk: Talk, a: str, b: str, within: tuple[int, int] | None) -> tuple[Spot | None, Spot | None]:
    if (plural := re.match(r"(?:the )?(lines?|ln|l)\s*#?(\d+)$", a.strip(), re.I)) is not None:
        a = f"line {plural[2]}"
        number = re.match(r"(?:lines?|ln|l)?\s*#?(\d+)(.*)$", b.strip(), re.I)
        b = f"line {number[1]}{number[2]}" if number is not None else b
    found = [find(talk, side, within) or _defined(talk, side) for side in (a, b)]
    if len(found[0]) == len(found[1]) == 1:
        return found[0][0], found[1][0]
    if found[0] and found[1]:
        near = [
            (one, two)
            for one in found[0]
            for two in found[1]
            if one.node is not None and two.node is not None and two.node in talk.src.block(one.node)
        ]
        if len(near) == 1:
            return near[0]
    return None, None


def _defined(talk: Talk, phrase: str) -> list[Spot]:
    return [Spot(*whole(talk.src, node), node) for node in definitions(talk, phrase)]


def swapped(src: Source, one: Spot, two: Spot) -> str | None:
    if one.first > two.first:
        one, two = two, one
    if one.last > two.first or any(hasattr(spot.node, "body") and spot.header for spot in (one, two)):
        return None
    parts: list[Sequence[str]] = [src.lines[spot.first : spot.last] for spot in (one, two)]
    depths = [indent_of(lines[0]) for lines in parts]
    texts = [
        "".join(f"{depths[1 - at] + line.removeprefix(depths[at]) if line.strip() else line}\n" for line in lines)
        for at, lines in enumerate(parts)
    ]
    return src.changed(
        [(*src.line_span(one.first, one.last), texts[1]), (*src.line_span(two.first, two.last), texts[0])]
    )


def _step(order: Order) -> Iterator[Edit]:
    """*move line 5 one up*: past the statement that stands there."""
    talk = talk_of(order)
    for clause in clauses(talk):
        match = _STEPS.fullmatch(clause.text)
        if match is None:
            continue
        said = (match["n"] or match["m"] or "one").lower()
        many = _NUMBER.get(said) or int(said)
        up = match["way"].lower() in ("up", "higher")
        for spot in find(talk, match["t"], clause.within) or _defined(talk, match["t"]):
            if spot.node is None:
                continue
            block = talk.src.block(spot.node)
            at = block.index(spot.node) + (-many if up else many)
            if not 0 <= at < len(block):
                continue
            other = block[at]
            if hasattr(other, "body") and re.search(r"\blines?\b", clause.text[len(match["t"]) :]):
                continue
            if many == 1:
                text = swapped(talk.src, spot, Spot(*whole(talk.src, other), other))
            else:
                line = talk.src.first_line(other) if up else talk.src.last_line(other)
                text = moved(talk.src, spot, Place(line, talk.src.indent(spot.node)))
            if text is not None:
                yield order.edit_text(text, *clause.used)
        return


# -- writing twice ---------------------------------------------------------------------------------------------------

_TWICE = re.compile(
    r"(?:duplicate|copy|clone|repeat|make a copy of|make a duplicate of|double) (?P<t>.+?)(?:,? (?:as|to|into|under the name|under the new name|with the name|and (?:call|name) (?:it|the copy|the new one)|named|called) (?P<n>\S+?))?$",
    re.I,
)


def _duplicate(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    src = talk.src
    for clause in clauses(talk):
        match = _TWICE.fullmatch(clause.text)
        if match is None:
            continue
        name = talk.plain(match["n"]).strip(" `'\"(),.") if match["n"] else ""
        nodes = definitions(talk, match["t"])
        if nodes and not re.fullmatch(r"[^\W\d]\w*", name):
            return
        for node in nodes:
            if name in order.identifiers:
                return
            a, b = whole(src, node)
            text = "".join(f"{line}\n" for line in src.lines[a:b])
            text = re.sub(rf"(?<![\w.]){re.escape(node.name)}(?=\s*[(:\[])|(?<=self\.){re.escape(node.name)}(?=\()", name, text)  # fmt: skip
            gap = "\n" * (_gap(src, a, b) or (1 if src.indent(node) else 2))
            yield order.edit([(src.starts[b], src.starts[b], gap + text)], *clause.used, name)
        if not nodes and not name:
            for spot in find(talk, match["t"], clause.within):
                text = "".join(f"{line}\n" for line in src.lines[spot.first : spot.last])
                yield order.edit([(src.starts[spot.last], src.starts[spot.last], text)], *clause.used)
        return


RULES = (
    Rule(re.compile(r"\b(?:move|pull|push|shift|drag|relocate|hoist|lift|bring|take|sink|put|place|have|do|get|come|comes|be|go|stand|belongs|goes|too (?:early|late|soon)|lines?)\b", re.I), _move),
    Rule(re.compile(r"\b(?:swap\w*|switch|flip\w*|exchange\w*|reorder|interchange|transpose|order|way (?:a?round)|mixed|reversed?|first|places)\b", re.I), _swap),
    Rule(re.compile(r"\b(?:up|down|higher|lower)\b", re.I), _step),
    Rule(re.compile(r"\b(?:duplicate|copy|clone|repeat|double)\b", re.I), _duplicate),
)  # fmt: skip
