"""New parameters, and defaults of those that are there.

Comes in: orders. Goes out: edits of heads, of the calls that are shown, and of what a parameter is handed on to. Must
not know: how plain they are.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.signatures.heads import (
    Head,
    added,
    call_list,
    calls_of,
    place_for,
    place_in_call,
)
from spark_tui.refactor.signatures.hints import types_in
from spark_tui.refactor.signatures.imports import imports_for
from spark_tui.refactor.signatures.lifted import lifted
from spark_tui.refactor.signatures.parameters import heads
from spark_tui.refactor.signatures.talk import TARGET, Aim, accounted, functions, mended, plain_words
from spark_tui.refactor.signatures.words import (
    BEFORE_DEFAULT,
    CODE_TYPE,
    DEFAULTS,
    NOISE,
    type_of_value,
    value_said,
)
from spark_tui.refactor.source import Change, Source

_NEW_WORDS = NOISE | frozenset(
    words(
        """add adds added adding new another extra additional optional required mandatory take takes accept accepts receive receives give gives get gets have has introduce append insert tack put end last first second
        configurable option options flag switch setting named called want wants needs need support allow let lets default defaults defaulting type typed boolean left out unless given omitted passed by with only
        keyword kwonly position beginning start front before after supposed behind too signature parameter other more mode toggle value nothing said when take_in in pass through expose able missing"""
    )
)
_NOT_NAMES = FILLERS | NOISE | _NEW_WORDS
_NEVER = _NOT_NAMES - frozenset(
    words(
        "value values name names mode toggle key type line lines file code module class flag option limit head header list update start end order point"
    )
)
_ROLE = r"(?:param\w*|arg(?:ument|s|uments)?|kwarg\w*|option|flag|switch|keyword(?: arg\w*)?|setting)"
_PARAM = re.compile(rf"\b{_ROLE}\b|\bsignature\b|\bconfigurable\b", re.I)
_TAKES = re.compile(r"\b(?:tak(?:e|es|ing)|accept\w*|receiv\w*)\b", re.I)
_ADDS = re.compile(
    r"\b(?:add\w*|new|another|extra|additional|tak(?:e|es|ing)|accept\w*|receiv\w*|giv\w*|gets?|ha(?:ve|s)|introduc\w*|append|insert|tack|put|configurable|wants?|needs?|support|allow|should|expose|let)\b|=|\bunless given\b|\bdefault",
    re.I,
)
_STOP = re.compile(
    r"\b(?:remov\w*|drop\w*|delete\w*|strip|rename|swap|without|decorator|docstring|return(?:s|ed)?|raise|log|logging|print|import|method (?!Ƒ)|attribute|field|class attribute|mutable|B006|shared|self\.|call to|calls? of|comment|annotat\w*|hint\w*|convert|dataclass|instead of|replace|change|elif|else|if (?!left|not|it|nothing|omitted|none|you|unset|missing|absent))\b",
    re.I,
)
_DECLARED = re.compile(
    rf"[`'\"]?(?<![\w.Ƒ])(?P<name>[A-Za-z_]\w*)\s*(?::\s*(?P<type>{CODE_TYPE})\s*)?(?:=\s*(?P<value>\"[^\"]*\"|'[^']*'|-?\d[\w.]*|\(\)|\[\]|\{{\}}|[A-Za-z_][\w.]*(?:\(\))?))[`'\"]?"
    rf"|`(?P<name2>[A-Za-z_]\w*)\s*:\s*(?P<type2>{CODE_TYPE})`"
)
_NAMED = (
    re.compile(rf"\b{_ROLE}\s*:?\s+(?:called |named )?[`'\"]?(?P<name>[A-Za-z_]\w*)[`'\"]?", re.I),
    re.compile(rf"[`'\"]?(?<!\w)(?P<name>[A-Za-z_]\w*)[`'\"]?\s+{_ROLE}\b", re.I),
    re.compile(rf"[`'\"]?(?<!\w)(?P<name>[A-Za-z_]\w*)[`'\"]?,?\s+as (?:an?|the) (?:\w+ )?{_ROLE}\b", re.I),
    re.compile(r"[`'\"]?(?<!\w)(?P<name>[A-Za-z_]\w*)[`'\"]? should be configurable", re.I),
    re.compile(
        r"\b(?:tak(?:e|es|ing)|accepts?|accepting|receives?|gets?|have|has|add|tack|put|introduce|append|insert|needs?|wants?|Ƒ :?|allow|support)\s+(?:(?:in|an?|the|another|one|more|new|optional|extra|required|additional|own|its)\s+)*[`'\"]?(?P<name>[A-Za-z_]\w*)[`'\"]?(?=\s*(?:$|[,;.(:]|(?:too|as|with|that|which|of type|default\w*|and|so|to|in|for|on|at|by|argument|parameter|Ƒ)\b))",
        re.I,
    ),
)
_HANDED = re.compile(
    r"(?:,|;|\.)?\s*(?:and\s+|then\s+)?(?:pass|hand|forward|give|use)\s+(?:it|that|this)\s+(?:on\s+|along\s+|through\s+|down\s+)?(?:to|into|in)\s+(?:the\s+)?(?:call (?:to|of)\s+)?[`'\"]?(?P<call>[A-Za-z_][\w.]*)(?:\(\))?[`'\"]?(?:\s+call)?",
    re.I,
)
_CALLERS = re.compile(
    r"(?:,|;|\.)?\s*(?:and\s+|then\s+)?(?:pass(?:ing|es)?|give|hand)\s+(?P<value>`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d[\w.]*|[A-Za-z_][\w.]*)\s+(?:in|from|at|for|by)\s+(?:(?:the|all|every|each|existing|its)\s+)*(?:callers?|calls?|call sites?|places?|\w+)\b",
    re.I,
)
_KEYWORD_ONLY = re.compile(r"\b(?:keyword|kw|kwarg)[- ]?only\b", re.I)
_FIRST = re.compile(
    r"\b(?:as (?:the |its )?(?:very )?first|first (?:param|arg|position)|at the (?:front|beginning|start)|in front|in the first)",
    re.I,
)
_BESIDE = re.compile(r"\b(?P<side>before|in front of|after|behind)\s+(?:the\s+)?Ƥ(?P<at>\d+) ", re.I)


@dataclass(frozen=True, slots=True)
class New:
    name: str
    type: str | None
    default: str | None
    used: tuple[str, ...]


def add_parameter(order: Order) -> Iterator[Edit]:
    if next(lifted(order), None) is not None:
        return  # it is there already, as a value
    said = plain_words(order)
    handed, callers = _HANDED.search(said), _CALLERS.search(said)
    for aim, of in heads(order, text=_CALLERS.sub(" ", _HANDED.sub(" ", said)) if handed or callers else None):
        names = [item.name for item in of.items]
        text = mended(aim.text, _NEW_WORDS, order.identifiers)
        if _STOP.search(text) or not _ADDS.search(text) or re.match(r"(?:what|which|why|how|where)\b", text, re.I):
            continue
        marked, old = aim.marked(names)
        if TARGET not in text and len(functions(order)) > 1 and order.here is None and not order.numbered:
            continue
        if old and not (_BESIDE.search(marked) or _DECLARED.search(text)):
            continue
        new = _declared(order, text, names)
        if new is None or new.name in names or new.name == of.function.name:
            continue
        used = [*new.used, *(m[0] for m in (handed, callers) if m)]
        yield from _edits(aim, of, new, text, handed, callers, used)


def _declared(order: Order, text: str, taken: list[str]) -> New | None:
    """The one parameter that is described."""
    known = order.identifiers
    match = next(
        (
            m
            for m in _DECLARED.finditer(text)
            if (m["name"] or m["name2"]) not in taken
            and (m["name"] or m["name2"]).lower() not in ("default", "defaults")
        ),
        None,
    )
    if len({m["name"] or m["name2"] for m in _DECLARED.finditer(text)} - {"default", "defaults"}) > 1:
        return None
    sure = _PARAM.search(text) is not None or _TAKES.search(text) is not None
    if match is not None:
        default = value_said(match["value"], known) if match["value"] else None
        if match["value"] and default is None:
            return None
        hint = match["type"] or match["type2"]
        if not (sure or re.search(r"\b(?:add|give|have|new|another|extra|need|want|can)\b", text, re.I)):
            return None
        return New(match["name"] or match["name2"], hint, default, (match[0],))
    default, rest, used = default_said(text, known)
    sure = sure or default is not None
    found = _name(rest, taken)
    if not sure or found is None:
        return None
    name, piece = found
    left = rest.replace(piece, f" {name if piece == name else ''} ", 1)
    types = [one for one in types_in(left, known) if one.source not in (name,)]
    typed = re.search(
        r"\b(bool(?:ean)?|int(?:eger)?|str(?:ing)?|float|list|dict|flag)\s+(?:param\w*|arg\w*|option|flag|switch|keyword)\b",
        left,
        re.I,
    )
    hint = types[0].source if len(types) == 1 else None
    if hint is None and typed is not None and typed[1].lower() not in ("flag",):
        from spark_tui.refactor.signatures.words import type_said

        hint = type_said(typed[1])
        used += [typed[1]]
    if len(types) > 1:
        return None
    if types:
        used.append(left[types[0].start : types[0].end])
    return New(name, hint, default, (name, *used))


def default_said(text: str, known: frozenset[str]) -> tuple[str | None, str, list[str]]:
    """The default that is said, the text without it, and what said it."""
    for pattern in (BEFORE_DEFAULT, DEFAULTS):
        for match in pattern.finditer(text):
            said = next((one for one in match.groupdict().values() if one), "")
            value = value_said(said, known)
            if value is not None:
                return value, f"{text[: match.start()]} {text[match.end() :]}", [match[0]]
    return None, text, []


def _name(text: str, taken: list[str]) -> tuple[str, str] | None:
    quoted = [
        m
        for m in re.finditer(r"`([A-Za-z_]\w*)`|'([A-Za-z_]\w*)'|\"([A-Za-z_]\w*)\"", text)
        if (m[1] or m[2] or m[3]) not in taken
    ]
    if len(quoted) == 1:
        return quoted[0][1] or quoted[0][2] or quoted[0][3], quoted[0][0]
    if quoted:
        return None
    snake = [m[0] for m in re.finditer(r"(?<![\w.`'\"])[a-z]+(?:_[a-z0-9]+)+(?![\w.(])", text) if m[0] not in taken]
    if len(set(snake)) == 1:
        return snake[0], snake[0]
    for at, pattern in enumerate(_NAMED):
        for match in pattern.finditer(text):
            name = match["name"]
            plain = (
                name.lower() in (_NEVER if at < 2 else _NOT_NAMES)
                or keyword.iskeyword(name)
                or name in taken
                or name[0] in "ƑƤ"
            )
            if not plain and (len(name) > 1 or (at < 3 and name not in "aiI")):
                return name, name
    return None


def _edits(
    aim: Aim,
    of: Head,
    new: New,
    text: str,
    handed: re.Match[str] | None,
    callers: re.Match[str] | None,
    used: list[str],
) -> Iterator[Edit]:
    src = aim.src
    changes: list[Change] = []
    type_ = new.type
    own = [item.arg for item in of.items if item.arg is not None][1 if of.bound else 0 :]
    if type_ is None and own and all(arg.annotation is not None for arg in own) and new.default is not None:
        type_ = type_of_value(new.default)
    written = new.name
    if type_ is not None:
        written += f": {type_}" + (f" = {new.default}" if new.default is not None else "")
    elif new.default is not None:
        written += f"={new.default}"
    marked, _ = aim.marked([item.name for item in of.items])
    beside = _BESIDE.search(marked)
    at = place_for(of, default=new.default is not None, first=_FIRST.search(text) is not None)
    if beside is not None:
        at = int(beside["at"]) + (beside["side"].lower() in ("after", "behind"))
        used.append(of.items[int(beside["at"])].name)
    if _KEYWORD_ONLY.search(text):
        kinds = [item.kind for item in of.items]
        at = kinds.index("kwargs") if "kwargs" in kinds else len(kinds)
        if "keyword" not in kinds and "args" not in kinds:
            written = f"*, {written}"
    changes.append(added(src.text, of.listed, at, written))
    calls = calls_of(src, of.function)
    if callers is not None:
        value = value_said(callers["value"], aim.order.identifiers)
        if value is None:
            return
        for call in calls:
            pieces = call_list(src, call)
            if pieces is not None and place_in_call(src, of, call, new.name) is None:
                changes.append(
                    added(
                        src.text,
                        pieces,
                        len(pieces.spans),
                        f"{new.name}={value}" if call.keywords or new.default is not None else value,
                    )
                )
    elif new.default is None and calls:
        return
    if handed is not None:
        inner = [call for call in _calls_in(of.function) if _is_called(src, call, handed["call"])]
        pieces = call_list(src, inner[0]) if len(inner) == 1 else None
        if pieces is None:
            return
        changes.append(added(src.text, pieces, len(pieces.spans), f"{new.name}={new.name}"))
    changes = imports_for(src, [type_] if type_ else []) + changes
    said = (*used, *accounted(text, _NEW_WORDS))
    once = _same_value(of, new.default) if handed is None and new.type is None else None
    if once is None or not isinstance(src.parents.get(once), ast.AugAssign):
        yield aim.edit(changes, *said)
    if once is not None:
        yield aim.edit([*changes, (*src.span(once), new.name)], *said)


def _calls_in(function: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(function) if isinstance(node, ast.Call)]


def _is_called(src: Source, call: ast.Call, said: str) -> bool:
    source = src.segment(call.func)
    return source == said or source.endswith(f".{said}")


def _same_value(of: Head, default: str | None) -> ast.Constant | None:
    """The one place in the body where the number that is the default is written."""
    if default is None or not re.fullmatch(r"-?[\d.]+", default):
        return None
    found = [
        node
        for one in of.function.body
        for node in ast.walk(one)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and repr(node.value) == default
    ]
    return found[0] if len(found) == 1 else None


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"param|\barg|kwarg|option|flag|switch|takes?\b|taking|accept|receiv|=|default|configurable|unless|left out|a[dg]rmu",
            re.I,
        ),
        add_parameter,
    ),
)
