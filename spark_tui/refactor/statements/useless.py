"""Orders to take out what does nothing for a program: prints of somebody who was looking for something, dead code.

Comes in: an order. Goes out: edits that delete lines. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source
from spark_tui.refactor.statements.delete import DELETE, take_out
from spark_tui.refactor.statements.kinds import is_print
from spark_tui.refactor.statements.talk import Talk, talk_of
from spark_tui.refactor.statements.where import around, definitions

_PRINTS = re.compile(
    r"(?<!\w)(?:(?P<debug>debug(?:ging)?|temporary|stray|leftover)\s+)?(?:prints\b|print(?:ed)?\b(?:\s+(?:statements?|calls?|lines?|stmts?|output|messages?))?|debug(?:ging)?\s+(?:output|statements?|lines?|code|stuff))",
    re.I,
)
_SILENT = re.compile(
    r"nothing (?:should|shall|must|is to|may|\w+) (?:ever )?(?:be |get )?printed|(?:should|must|shall|has to|needs to) (?:be|stay|run) (?:silent|quiet)|no (?:more )?(?:debug )?(?:prints|printing|output)|(?:should|must) not print(?: anything)?|shouldn't print(?: anything)?|print nothing|stop printing|quiet",
    re.I,
)
_NOT_PRINTS = re.compile(
    r"\b(?:logging|logger|log|instead|into|replace|(?:that|which|line) prints?|the print (?:in|inside|of|at|on|with|from)|add|insert|put|comment(?:ed)? out|f-strings?|move|stderr|before|after|only|except|when|if|unless|while|until|but not|last|first|second)\b|\bto\b(?! (?:go|be|get|delete|remove|nuke))",
    re.I,
)
_INTENT = re.compile(
    rf"(?:{DELETE}|delete|remove|clean|take|kill|nuke|strip|drop|lose)(?:\s+(?:it|them|that|this|those|all(?: of (?:it|them))?|everything))?(?:\s+(?:up|out|off|away))?\b|(?:can|should|must|have to|has to|need to|may)\b.*? (?:go\b|disappear|be (?:removed|deleted))|(?:do not|don't) (?:want|need)",
    re.I,
)
_AROUND = re.compile(
    r"\b(?:in production|(?:the )?linter complains about|(?:the )?(?:output|console|log|terminal|stdout) is (?:full of|flooded with|cluttered with|spammed by)|(?:someone|somebody|i|we) (?:left|forgot|\w+) (?=debug|print|a print|some)|is it ok(?:ay)? to|then do it|somewhere(?: near)?|near|around|(?:can|could|should|must) |calls?|statements?|go)\b|\bin there\b|\bstill\b|\bfull of\b|\b(?:one more thing|hm+|about|line \d+)\b|\bthe lines? with\b",
    re.I,
)


def _prints(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    text = talk.text
    noun, silent = _PRINTS.search(text), _SILENT.search(text)
    places, said = place_of(talk, text)
    elsewhere = re.sub(rf"\b{re.escape(said.split()[-1])}\b", "", text) if said.split() else text
    if "⟦" in re.sub(r"(?:in|inside|from|of|for)\s+(?:the\s+)?(?:\w+\s+)?⟦\d+⟧|^⟦\d+⟧", "", text) or _NOT_PRINTS.search(
        elsewhere
    ):
        return
    if silent is None and (noun is None or _INTENT.search(text) is None):
        return
    if (
        silent is None
        and noun is not None
        and not re.search(
            r"prints\b|(?:print\w*|debug\w*)\s+(?:statements|calls|lines|output|stuff|code|stmts|messages)|\b(?:all|any|every)\b.*\bprint|print (?:in production|down in|in [\w.]+\W+delete all) |debug (?:output|code|stuff)|want print\b|^\w+ print statements?",
            text,
            re.I,
        )
    ):
        return
    pieces = [match[0] for pattern in (_PRINTS, _SILENT, _INTENT, _AROUND) for match in pattern.finditer(text)]
    debug = re.search(r"\bdebug", text, re.I) is not None
    for low, high in places:
        found = [node for node in order.src.statements if is_print(node) and low <= order.src.first_line(node) < high]
        sure = [node for node in found if _says_debug(order.src, node)]
        looks = [node for node in found if node in sure or _looks_like_debug(order.src, node)]
        ways = [found] if not debug else [one for one in (sure, looks) if one] or [found]
        for nodes in dict.fromkeys(tuple(one) for one in ways):
            if nodes:
                spans = [(order.src.first_line(node), order.src.last_line(node)) for node in nodes]
                unsure = debug and not looks and len(found) > 1
                yield order.edit(take_out(order.src, spans), talk.noise, said, *(pieces if not unsure else pieces[:1]))


def _says_debug(src: Source, node: ast.stmt) -> bool:
    marks = r"debug|DEBUG|got here|xxx|XXX|>>>|\*\*\*|###|!!!|=\}|\brepr\(|\btype\(|\bvars\(|\bdir\("
    return re.search(marks, src.segment(node)) is not None


def place_of(talk: Talk, text: str) -> tuple[list[tuple[int, int]], str]:
    """The lines that are spoken of, and the words that say so."""
    for match in re.finditer(
        r"\b(?:(?:over |down )?(?:in|inside|within|from|of|for|on|at|under|below|function|method|fn|func)|^)\s+",
        f" {text}",
    ):
        rest = text[max(0, match.end() - 1) :]
        for end in [one.start() for one in re.finditer(r"[,;:.?!]|\s|$", rest)][::-1]:
            piece = rest[:end]
            if len(piece.split()) < 6 and (named := definitions(talk, piece)):
                return [(talk.src.first_line(node), talk.src.last_line(node)) for node in named], talk.plain(
                    f"{match[0]} {piece}"
                )
    head = re.match(r"(?:in |for |look at )?(?:the )?(?P<s>[^,:]{1,40}?)(?:[,:]| should| must| has)", text)
    if head is not None and (named := definitions(talk, head["s"])):
        return [(talk.src.first_line(node), talk.src.last_line(node)) for node in named], talk.plain(head[0])
    if re.search(r"\b(?:this|the) (?:function|method|func|fn|routine)\b|\bhere\b", text, re.I):
        return [around(talk)] if talk.order.here else [(0, len(talk.src.lines))], "here function routine method fn func"
    return [around(talk)] if talk.order.selection else [(0, len(talk.src.lines))], ""


def _looks_like_debug(src: Source, node: ast.stmt) -> bool:
    """`print("x", x)`, `print(f"{x}")`, `print("here")`, `print(x)`, not what a program says to people."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.keywords:
        return False
    names = [arg for arg in call.args if isinstance(arg, ast.Name | ast.Attribute)]
    words = [str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)]
    if len(words) == 1 and names and len(names) + 1 == len(call.args):
        label = words[0].strip(" :=").lower()
        return any(label in src.segment(name).lower() or src.segment(name).lower() in label for name in names)
    if len(call.args) == 1 and isinstance(call.args[0], ast.JoinedStr):
        return all(isinstance(part, ast.FormattedValue) for part in call.args[0].values)
    return len(call.args) == 1 and (
        isinstance(call.args[0], ast.Name) or bool(words and words[0].strip().isidentifier())
    )


# -- dead code -------------------------------------------------------------------------------------------------------

_DEAD = re.compile(
    r"\b(?:dead code|dead|unreachable(?: (?:code|part|lines?|statements?|stuff))?|W0101|never (?:reached|executed|run|runs)|(?:is )?not (?:reachable|reached|executed)|nothing (?:is|gets|will be) (?:executed|run|reached)|(?:left ?over|remaining) (?:lines?|code|statements?)|leftovers?)\b",
    re.I,
)
_PAST = re.compile(
    r"\b(?:the )?(?:(?:code|lines?|statements?|stuff|everything|rest|anything|all|part|what(?:ever)?) (?:is |that is |that comes |comes |stands )?|what )?(?:after|behind|below|following|past|beneath|follows) (?:the )?(?:final |last |first |unconditional )?(?P<k>return|raise|break|continue)s?(?: statement)?\b",
    re.I,
)
_AND = re.compile(
    rf"(?:{DELETE})\b|\b(?:purge|please|clean(?: up)?|delete|remove|drop|kill|strip|the rest|useless|everything|behind|after|it|part|rest|no|says?|vulture|pylint|linter|reports?|executed|nothing|so|it's|leftovers?|the function ends with the (?:return|raise)|over|func|func(?:tion)?|stuff|lines?|code|statements?|can go|should go|must go)\b",
    re.I,
)


def unreachable(src: Source) -> list[list[ast.stmt]]:
    """In each block, what stands behind a statement that leaves it."""
    out = []
    for node in src.nodes:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                at = next((i for i, one in enumerate(block) if isinstance(one, ast.Return | ast.Raise | ast.Break | ast.Continue)), None)  # fmt: skip
                if at is not None and at + 1 < len(block):
                    out.append(block[at:])
    return out


def _dead(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    text, src = talk.text, talk.src
    dead, past = _DEAD.search(text), _PAST.search(text)
    ends = re.search(r"ends? with the (?P<k>return|raise)", text, re.I)
    if (
        dead is None
        and (past is None or not re.search(rf"(?:{DELETE})\b|\bgo\b|useless|clean", text, re.I))
        and ends is None
    ):
        return
    if re.search(r"\b(?:add|insert|put|move|before|print the|comment)\b", text, re.I):
        return
    places, said = place_of(talk, text)
    kind = (past or ends or {"k": ""})["k"]
    numbered = order.numbered
    found = [
        group
        for group in unreachable(src)
        if any(low <= src.first_line(group[0]) < high for low, high in places)
        and (not kind or dead is not None or isinstance(group[0], {"return": ast.Return, "raise": ast.Raise, "break": ast.Break, "continue": ast.Continue}[kind.lower()]))
        and all(src.first_line(group[0]) <= first < src.last_line(group[-1]) for first, _ in numbered)
    ]  # fmt: skip
    pieces = [match[0] for pattern in (_DEAD, _PAST, _AND) for match in pattern.finditer(text)]
    numbers = re.findall(r"\b(?:lines?|ln|l)\s*#?\d+|\d+\s*-\s*\d+", text, re.I)
    if found:
        for groups in [found] if not numbered or len(found) == 1 else [[one] for one in found]:
            yield order.edit(take_out(src, [_behind(src, one) for one in groups]), talk.noise, said, *pieces, *numbers)


def _behind(src: Source, group: Sequence[ast.stmt]) -> tuple[int, int]:
    return src.last_line(group[0]), src.last_line(group[-1])


RULES = (
    Rule(re.compile(r"\bprint|\bdebug|\bsilent\b|\bquiet\b", re.I), _prints),
    Rule(re.compile(r"\bdead\b|unreachable|W0101|never (?:reached|executed|run)|executed|left ?over|\b(?:after|behind|below|following|follows|past)\b.*\b(?:return|raise|break|continue)|ends? with", re.I), _dead),
)  # fmt: skip
