"""What a sort that is there does with equals, and which end comes first: *ties by name*, *upside down*.

Comes in: an order. Goes out: edits of one call of `sorted` or `sort`. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import added, call_list, removed
from spark_tui.refactor.signatures.talk import TARGET, aims, functions
from spark_tui.refactor.source import Change, Source

_OF = rf"(?:\s+(?:in|of|for|by)\s+(?:the\s+)?(?:{TARGET}\s*|\w+))?"
_FIELD = r"(?:the\s+|their\s+)?[`'\"]?(?P<field>[^\W\d]\w*)[`'\"]?"
_TIES = tuple(
    re.compile(rf"^(?:(?:in\s+)?{TARGET}\s*:\s*)?(?:{form})\W*$", re.I)
    for form in (
        rf"(?:sort |break |order |decide |resolve )?ties{_OF}\s*(?:should be |are |are broken |be )?(?:sorted |broken |ordered |decided |resolved )?(?:by|with|on|:)\s+{_FIELD}{_OF}",
        rf"(?:on|with|for|if|when|in case of)?\s*(?:an? |the |they have the |there is a )?(?:tie|same|equal|ties|draw)(?:\s+(?!sort|order|by|then|the)\w+)?(?:\s+in\s+{TARGET})?\s*[:,-]?\s*(?:then\s+)?(?:should |are |be |must )*(?:sorted |ordered |sort |order |go |use |decide )?(?:them )?(?:by|on)\s+{_FIELD}{_OF}",
        rf"(?:sort |order )?(?:{TARGET}\s+|them |it )?(?:by|on)\s+(?:the\s+)?[`'\"]?(?P<first>[^\W\d]\w*)[`'\"]?,?\s*(?:and\s+)?(?:then|after that|second(?:ly)?)\s+(?:by\s+|on\s+)?{_FIELD}{_OF}",
        rf"(?:then|and then|second(?:ly)?|after that)\s+(?:also\s+)?(?:sort\s+|order\s+)?by\s+{_FIELD}{_OF}",
        rf"{_FIELD}\s+(?:as|should be|is)\s+(?:the\s+|a\s+)?(?:second(?:ary)? (?:sort )?key|tie-?breaker){_OF}",
    )
)
_ROUND = re.compile(
    rf"^(?:(?:the\s+)?(?:{TARGET}|\w+(?: \w+)?)\s*(?:is|are|comes?(?: out)?|looks?|gets? sorted|sorts?)\s+(?:upside[ -]down|the wrong way (?:a?round|up)|back to front|in (?:the )?(?:wrong|reverse|opposite) order|backwards|reversed)(?:[,;.]?\s*(?:please )?(?:turn|flip|swap|fix|reverse) (?:it|that|them|this)(?: a?round)?)?"
    rf"|(?:the\s+)?(?:{TARGET}|\w+)\s+(?:has|puts|shows|lists|gives|starts with)\s+(?:the\s+)?\w+(?: \w+)?\s+(?:on top|first|at the (?:top|start|beginning)|up top)[,;.]?\s*(?:please )?(?:turn|flip|swap|reverse) (?:it|that|them|this|the order)(?: a?round)?"
    rf"|(?:turn|flip|swap|reverse) (?:the )?(?:sort(?:ing)?(?: order)?|order)(?: (?:of|in) (?:the )?(?:{TARGET}|\w+))?\s*(?:a?round)?"
    rf"|(?:the )?(?:{TARGET})\s*(?:the other way (?:a?round|up)|in reverse(?: order)?|backwards|upside down|in the opposite order))\W*$",
    re.I,
)
_WORDS = frozenset(
    words(
        """ties tie sort sorted sorting break broken order ordered decide decided resolve resolved should be are by with on the then same equal in case of for after that second secondly secondary key tiebreaker breaker draw upside down wrong way round around up back front reverse reversed opposite backwards
        turn flip swap fix it them this has puts shows lists gives starts first top at start beginning also and please other comes out looks"""
    )
)


def _sorts(src: Source, low: int, high: int) -> list[ast.Call]:
    found = []
    for node in src.nodes:
        if (
            isinstance(node, ast.Call)
            and low <= node.lineno - 1 - len(src.headers) < high
            and "\n" not in src.segment(node)
        ):
            name, method = getattr(node.func, "id", ""), getattr(node.func, "attr", "")
            if (name == "sorted" and len(node.args) == 1) or (method == "sort" and not node.args):
                found.append(node)
    return found


def _meant(order: Order) -> Iterator[tuple[str, ast.Call, list[str]]]:
    src = order.src
    for aim in aims(order, functions(order)):
        here = TARGET in aim.text
        found = _sorts(src, src.first_line(aim.node), src.last_line(aim.node)) if here else []
        if len(found) == 1:
            yield aim.text, found[0], list(aim.used)
            return
        if here and not re.search(rf"\b(?:on|at the)\s+{TARGET}", aim.text):
            return
    found = _sorts(src, 0, len(src.lines))
    if len(found) == 1:
        yield order.said, found[0], []


def ties(order: Order) -> Iterator[Edit]:
    src = order.src
    if src.tree is None:
        return
    for text, call, used in _meant(order):
        for form in _TIES:
            found = form.match(re.sub(r"\s+", " ", text).strip())
            if found is None or TARGET in found["field"]:
                continue
            changes = _further(src, call, found["field"], found.groupdict().get("first"))
            if changes:
                said = {
                    word
                    for node in ast.walk(call)
                    for word in words(getattr(node, "attr", "") or str(getattr(node, "value", "") or ""))
                }
                spoken = [
                    word
                    for word in words(order.said)
                    if word in said or word in _WORDS or any(word in (one, f"{one}s") for one in said)
                ]
                yield order.edit(changes, *used, found["field"], found.groupdict().get("first") or "", *spoken)
            return


def _further(src: Source, call: ast.Call, field: str, first: str | None) -> list[Change] | None:
    given = {one.arg: one.value for one in call.keywords}
    key = given.get("key")
    back = "reverse" in given
    if not isinstance(key, ast.Lambda) or len(key.args.args) != 1 or (back and src.segment(given["reverse"]) != "True"):
        return None
    item = key.args.args[0].arg
    body = key.body
    one = body.elts[-1] if isinstance(body, ast.Tuple) else body
    if isinstance(one, ast.UnaryOp):
        one = one.operand
    if isinstance(one, ast.Attribute):
        more = f"{item}.{field}"
        there = re.search(rf"\.{re.escape(field)}\b(?!\()|^\s+{re.escape(field)}\s*:", src.text, re.M)
    elif isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Constant) and isinstance(one.slice.value, str):
        quote = src.segment(one.slice)[0]
        more = f"{item}[{quote}{field}{quote}]"
        there = re.search(rf"[\"']{re.escape(field)}[\"']", src.text)
    else:
        return None
    if there is None or more in src.segment(body):
        return None
    if first is not None and not re.search(rf"(?:\.|[\"']){re.escape(first)}\b", src.segment(body)):
        return None
    start, end = src.span(body)
    held = src.text[start:end]
    pieces = call_list(src, call)
    if pieces is None:
        return None
    if isinstance(body, ast.Tuple):
        return [(end - 1, end - 1, f", {more}")] if not back and held.startswith("(") else None
    if back:
        at = len(call.args) + [one.arg for one in call.keywords].index("reverse")
        return [(start, end, f"(-{held}, {more})"), removed(src.text, pieces, at)]
    return [(start, end, f"({held}, {more})")]


def round_(order: Order) -> Iterator[Edit]:
    """The other end comes first."""
    src = order.src
    if src.tree is None:
        return
    for text, call, used in _meant(order):
        found = _ROUND.match(re.sub(r"\s+", " ", text).strip())
        pieces = call_list(src, call)
        if found is None or pieces is None:
            return
        names = [one.arg for one in call.keywords]
        if "reverse" in names:
            if src.segment(call.keywords[names.index("reverse")].value) != "True":
                return
            change = removed(src.text, pieces, len(call.args) + names.index("reverse"))
        else:
            change = added(src.text, pieces, len(pieces.spans), "reverse=True")
        yield order.edit([change], *used, found[0].replace(TARGET, " "))
        return


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"\bties?\b|\bthen\b|\bsame\b|\bequal\b|\bsecond|\bdraw\b|tie-?breaker|after that", re.I), ties),
    Rule(re.compile(r"upside|around|round|wrong|front|reverse|opposite|backwards|flip|swap|turn", re.I), round_),
)
