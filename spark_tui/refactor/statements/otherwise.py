"""Orders about the other branch: an `else` to add, one that is not needed behind a return.

Comes in: an order. Goes out: edits. Must not know: models; conditions (the family `checks` does).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source, indent_of
from spark_tui.refactor.statements.delete import DELETE
from spark_tui.refactor.statements.kinds import squeezed
from spark_tui.refactor.statements.new import New, new_statements
from spark_tui.refactor.statements.talk import Talk, talk_of
from spark_tui.refactor.statements.useless import place_of
from spark_tui.refactor.statements.where import clauses, find, scopes

_LEAVES = ast.Return | ast.Raise | ast.Continue | ast.Break

# -- one that is not needed ------------------------------------------------------------------------------------------

_NEEDLESS = re.compile(
    rf"\belse\b.*?\b(?:not needed|not necessary|isn't (?:needed|necessary)|unneeded|unnecessary|redundant|superfluous|useless|makes no sense|can (?:go|be (?:removed|dropped|deleted))|(?:be|is) (?:removed|dropped|pointless)|should go|must go|has to go|after (?:the )?(?:return|raise|continue|break))|(?:{DELETE}|flatten|unindent|dedent|unnest|without|un-?nest|collapse)\b.*?\belse\b|no[- ]else(?:[- ](?:after[- ])?(?:return|raise|continue|break))?|no else|less nesting|after (?:the )?(?:return|raise)[^⟦]*\belse\b|R170[5]|R1720|RET50\d",
    re.I,
)
_BESIDE = re.compile(
    r"\b(?:what'?s in|what is in|inside|in the if|the if|if leaves the function|leaves the function|the if block|after (?:a |the )?(?:return|raise|continue|break)|pylint says|(?:the )?reviewer says(?: that)?|no[- ]else[- ]\w+|less nesting|body of|contents? of|code (?:in|of)|it can go|remove it|drop it|so the else can go|block|branch|clause|level|one level|makes no sense|not needed|(?:is|be) (?:removed|dropped|not necessary|unnecessary)|isn't necessary|an else|line \d+|ln \d+)\b",
    re.I,
)


def _remove_else(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    text, src = talk.text, talk.src
    match = _NEEDLESS.search(text)
    if match is None or re.search(r"\b(?:add|insert|put|ternary|conditional|otherwise|elif|one[- ]liner|early return|invert|swap|comment)\b", text, re.I):  # fmt: skip
        return
    places, said = place_of(talk, text)
    numbers = [first for first, _ in order.numbered]
    found = []
    for node in src.nodes:
        if isinstance(node, ast.If) and _needless(src, node) and any(a <= src.first_line(node) < b for a, b in places):
            head = _else_line(src, node)
            if all(src.first_line(node) <= line < src.last_line(node) for line in numbers) and head is not None:
                found.append((node, head))
    if numbers and len(found) > 1:
        on_it = [(node, head) for node, head in found if src.first_line(node) in numbers or head in numbers]
        found = on_it or found
    pieces = [one[0] for pattern in (_NEEDLESS, _BESIDE) for one in pattern.finditer(text)]
    for node, head in found:
        yield order.edit_text(_dedented(src, node, head), talk.noise, said, *pieces)
    if len(found) > 1:
        inner = [(node, head) for node, head in found if not any(one is not node and one in src.ancestors(node) for one, _ in found)]  # fmt: skip
        if len(inner) == len(found):
            lines = src.text
            for node, head in reversed(found):
                part = Source(lines.split("\n")[:-1], src.headers)
                lines = _dedented(part, node, head)
            yield order.edit_text(lines, talk.noise, said, *pieces)


def _needless(src: Source, node: ast.If) -> bool:
    """Every branch in front of the `else` leaves."""
    if not node.orelse or (isinstance(node.orelse[0], ast.If) and _is_elif(src, node.orelse[0])):
        return False
    at: ast.AST | None = node
    while isinstance(at, ast.If):
        if not isinstance(at.body[-1], _LEAVES):
            return False
        up = src.parents.get(at)
        at = up if isinstance(up, ast.If) and up.orelse == [at] and _is_elif(src, at) else None
    return True


def _is_elif(src: Source, node: ast.If) -> bool:
    return src.text[src.span(node)[0] :].startswith("elif")


def _else_line(src: Source, node: ast.If) -> int | None:
    for line in range(src.first_line(node.orelse[0]) - 1, src.last_line(node.body[-1]) - 1, -1):
        if re.match(r"\s*else\s*:\s*(?:#.*)?$", src.lines[line]):
            return line
    return None


def _dedented(src: Source, node: ast.If, head: int) -> str:
    last = src.last_line(node)
    outer, inner = indent_of(src.lines[head]), src.indent(node.orelse[0])
    kept = {
        line
        for one in node.orelse
        for text in ast.walk(one)
        if isinstance(text, ast.Constant | ast.JoinedStr) and text.end_lineno != text.lineno
        for line in range(text.lineno - len(src.headers), (text.end_lineno or 0) - len(src.headers))
    }
    new = [
        outer + src.lines[at][len(inner) :] if at not in kept and src.lines[at].startswith(inner) else src.lines[at]
        for at in range(head + 1, last)
    ]
    return src.with_lines(head, last, new)


# -- one to add ------------------------------------------------------------------------------------------------------

_THAT = r"(?:[:,]+| with| that (?:says|does|reads|contains|would)| (?:that|which)(?= (?:sets|returns|prints|raises|calls|appends|runs)\b)| which (?:says|does)| saying| to| and| where (?:it|we))+ "
_X = r"(?P<x>.+?)"
_ADDED = tuple(
    re.compile(f"(?:{form})$", re.I)
    for form in (
        rf"(?:add|write|insert|put|append|give) (?:an? |the )?else(?: branch| block| clause| case| part)?(?: (?:to|for|after|behind|of|on) {_X})?{_THAT}(?P<c>.+)",
        rf"add (?P<c>.+?) as (?:an|the) else(?: branch| block| clause)?(?: (?:to|for|of|after) {_X})?",
        rf"give {_X} an else(?: branch| block| clause)?{_THAT}(?P<c>.+)",
        rf"(?:put|write|add|do|have) (?P<c>.+?) in(?:to)? (?:an|the) else(?: branch| block| clause)?(?: (?:to|for|of|after) {_X})?",
        rf"(?:after|behind|for|to|at|in) (?:the )?{_X}[,:] else:? (?P<c>.+)",
        rf"(?:in|for) the else (?:branch |case |block )?(?:of|to|for) {_X}[,:] (?P<c>.+)",
        rf"if {_X}:?,? ?(?:\.\.\.|…)?[,:]? ?else:? (?P<c>.+)",
        rf"(?:otherwise|else)[:,]? (?P<c>.+?)[,;] (?:i\.?e\.? |that is |meaning )?(?:when|if) not {_X}",
        r"(?:otherwise|else|if not)[:,]? (?P<c>.+)",
        rf"(?:if |when )?not {_X} ?(?:->|=>|:|,|then) ?(?P<c>.+)",
        rf"(?P<c>.+?) unless {_X}",
        r"in the other case[:,]? (?P<c>.+)",
        rf"(?:what )?(?:when|if) {_X} (?:is false|is not true|doesn't hold|does not hold|isn't true|fails|is not the case)[,?:]+ (?:then )?(?P<c>.+)",
        rf"{_X} (?:should have|needs|has no|must have|wants|lacks) (?:an? )*else(?: branch| block| clause)?(?: with|[:,])+ (?P<c>.+)",
        r"handle the other case (?:with|by)[: ]+(?P<c>.+)",
        r"(?:the )?(?:false|other|negative|else) (?:case|branch) (?:should|must|has to|needs to|shall|ought to)[: ]+(?P<c>.+)",
        r"there (?:shall|should|must|needs to|has to) be an else(?: branch| block| clause)?" + _THAT + r"(?P<c>.+)",
    )
)  # fmt: skip


def _add_else(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        for form in _ADDED:
            match = form.fullmatch(clause.text.strip(" -"))
            if match is None:
                continue
            about = match.groupdict().get("x") or ""
            code, within = _inner(talk, match["c"], clause.within)
            news = _said(talk, code)
            found = _ifs(talk, about, within) if news else []
            for node in found:
                for new in news:
                    yield order.edit_text(_with_else(talk.src, node, new), *clause.used)
            if found:
                return


def _inner(talk: Talk, text: str, within: tuple[int, int] | None) -> tuple[str, tuple[int, int] | None]:
    """*return None in load*: the code, and the function that it is for."""
    match = re.fullmatch(r"(?P<c>.+?)[\s,–-]+(?:in|inside|of|within) (?P<s>.+)", text)
    if match is not None and not new_statements(talk, text):
        places = scopes(talk, match["s"])
        if len(places) == 1:
            return match["c"], places[0]
    return text, within


def _said(talk: Talk, text: str) -> list[New]:
    if re.fullmatch(r"(?:just )?(?:do nothing|nothing|pass)", text.strip(" .,;"), re.I):
        return [New(("pass",))]
    return new_statements(talk, text)


def _ifs(talk: Talk, about: str, within: tuple[int, int] | None) -> list[ast.If]:
    """Those that have no `else` yet and of which it is spoken."""
    src = talk.src
    low, high = within or (0, len(src.lines))
    every = [node for node in src.nodes if isinstance(node, ast.If) and low <= src.first_line(node) < high]
    if about.strip():
        named = re.sub(
            r"^(?:the )?(?:if )?(?=⟦)|\s+(?:branch|check|if|condition|block|statement|case)$", "", about.strip()
        )
        code = talk.code(named)
        heads = [node for node in every if squeezed(src.segment(node.test)) == squeezed(code or _as_typed(talk, named))]
        inner = re.match(r"not (⟦\d+⟧)$", named)
        if inner is not None:
            wanted = f"not{squeezed(talk.code(inner[1]) or '')}"
            heads = [node for node in every if squeezed(src.segment(node.test)) == wanted]
        if not heads:
            spots = [spot.node for spot in find(talk, about, within)]
            heads = [node for node in every if node in spots]
        every = heads
    out = []
    for node in every:
        while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and _is_elif(src, node.orelse[0]):
            node = node.orelse[0]
        if not node.orelse and node not in out:
            out.append(node)
    return out


def _as_typed(talk: Talk, piece: str) -> str:
    """*not sys.platform.startswith("linux")*: code without quotes around it."""
    return re.sub(r"^the\s+", "", talk.as_said(piece).strip())


def _with_else(src: Source, node: ast.If, new: New) -> str:
    depth = src.indent(node)
    at = src.last_line(node)
    inner = src.indent(node.body[0]) if src.first_line(node.body[0]) > src.first_line(node) else depth + src.step
    lines = [f"{depth}else:", *(inner + line.replace("\t", src.step) for line in new.lines)]
    return src.with_lines(at, at, lines)


RULES = (
    Rule(re.compile(r"\belse\b|less nesting|R170|R1720|RET50", re.I), _remove_else),
    Rule(
        re.compile(r"\b(?:else|otherwise|unless|not|other case|false case|is false|n't hold|fails)\b|n't hold", re.I),
        _add_else,
    ),
)
