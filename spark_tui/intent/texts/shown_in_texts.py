"""Values that a text is to show, and how they are put into a message, in the form in which it is built:
f-string, `%`, `.format` or log arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.visible import Visible
from spark_tui.intent.context.written_lines import STRING
from spark_tui.intent.finders.blocks import is_log, is_print
from spark_tui.intent.values.converters.of_slots import SlotWords
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

LITERAL = re.compile(r"(?P<prefix>[a-zA-Z]*)(?P<mark>\"\"\"|'''|\"|')(?P<body>[\s\S]*)(?P=mark)")
_TAIL = re.compile(r"(?:\s|[.!?…。！]|\\n)*\Z")
_ENCLOSED = re.compile(r"(?P<inner>\w+\([^()]+|<\w+ [^<>]+)(?P<lead>)(?P<end>[)>])")
"""A text that is one name with values in brackets after it."""
_JOINERS = re.compile(r"\s*(?:,|\band\b|\bund\b|\bet\b|\by\b|和)\s*")
_PLACEHOLDER = re.compile(r"(?<!%)(?:%%)*%[sdr]")


@dataclass(frozen=True)
class ShownValue:
    """An expression that a text is to show, after a word where it has one."""

    code: str
    word: str = ""


def with_values(
    source: Source, node: ast.expr, values: Sequence[ShownValue], in_front: bool = False
) -> tuple[ast.expr, str] | None:
    """What is replaced by which code for a text to show values: the text, or the call that it is given to.
    None where it cannot be done."""
    outer = source.parents.get(node)
    codes = [value.code for value in values]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        count = len(node.args)
        numbered = re.search(r"\{\d", source.segment(node.func.value)) is not None
        holes = [f"{{{count + at if numbered else ''}}}" for at in range(len(values))]
        text = _grown(source.segment(node.func.value), holes, values, in_front)
        if text is None or (in_front and not numbered):
            return None
        return node, f"{text}.format({', '.join([*_arguments(source, node, codes)])})"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        holes = ["%s"] * len(values)
        text = _grown(source.segment(node.left), holes, values, in_front)
        row = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        given = [source.segment(element) for element in row]
        if text is None or isinstance(node.right, ast.Dict):
            return None
        return node, f"{text} % ({', '.join([*codes, *given] if in_front else [*given, *codes])})"
    if isinstance(node, ast.BinOp) and not in_front:
        quote = '"' if '"' in source.segment(node) else "'"
        end = node.right.value if isinstance(node.right, ast.Constant) else "_"
        lead = ", " if end == "_" else "" if str(end).endswith(" ") else " " if str(end)[-1:] == ":" else ": "
        fields = [_field(value.code, quote) for value in values]
        return (
            (node, f"{source.segment(node)} + f{quote}{lead}{', '.join(fields)}{quote}")
            if all(fields)
            else None
        )
    if not isinstance(node, ast.Constant | ast.JoinedStr):
        return None
    call = outer if isinstance(outer, ast.Call) and outer.args[:1] == [node] else None
    if call is not None and is_log(call) and isinstance(node, ast.Constant) and _logs_lazily(source, call):
        text = _grown(source.segment(node), ["%s"] * len(values), values, in_front, len(call.args) < 2)
        if text is None:
            return None
        given = _arguments(source, call, codes, in_front)
        return call, f"{source.segment(call.func)}({', '.join([text, *given[1:]])})"
    if call is not None and is_print(call) and len(call.args) > 1 and not in_front:
        return call, f"{source.segment(call.func)}({', '.join(_arguments(source, call, codes))})"
    return _as_f_string(source, node, values, in_front)


def _arguments(source: Source, call: ast.Call, codes: Sequence[str], first: bool = False) -> list[str]:
    """The arguments of a call with more after those by position, or `first` after the text."""
    old = [source.segment(arg) for arg in call.args]
    given = [*old[:1], *codes, *old[1:]] if first else [*old, *codes]
    named = (
        f"{keyword.arg}={source.segment(keyword.value)}"
        if keyword.arg
        else f"**{source.segment(keyword.value)}"
        for keyword in call.keywords
    )
    return [*given, *named]


def _as_f_string(
    source: Source, node: ast.expr, values: Sequence[ShownValue], in_front: bool
) -> tuple[ast.expr, str] | None:
    """The text as an f-string; of several pieces the last one, or the first."""
    shown = source.segment(node)
    pieces = list(re.finditer(STRING, shown))
    if not pieces:
        return None
    piece = pieces[0] if in_front else pieces[-1]
    literal = LITERAL.fullmatch(piece[0])
    if literal is None or "b" in literal["prefix"].lower():
        return None
    holes = [_field(value.code, literal["mark"][0]) for value in values]
    if not all(holes):
        return None
    known = "f" in literal["prefix"].lower()
    body = literal["body"] if known else literal["body"].replace("{", "{{").replace("}", "}}")
    text = f"{literal['prefix']}{'' if known else 'f'}{literal['mark']}{body}{literal['mark']}"
    grown = _grown(text, holes, values, in_front)
    return (node, shown[: piece.start()] + grown + shown[piece.end() :]) if grown is not None else None


def _field(code: str, quote: str) -> str:
    """A value in an f-string; empty where its quotes do not fit in there."""
    other = "'" if quote == '"' else '"'
    if quote in code:
        if other in code:
            return ""
        code = code.replace(quote, other)
    return f"{{{code}}}" if "\\" not in code and "{" not in code else ""


def _grown(
    literal: str, holes: Sequence[str], values: Sequence[ShownValue], in_front: bool, escape: bool = False
) -> str | None:
    """A literal with placeholders at its end, in front of a full stop or line end; or at its beginning."""
    found = LITERAL.fullmatch(literal)
    if found is None:
        return None
    body = found["body"].replace("%", "%%") if escape else found["body"]
    fields = [f"{one.word}: {hole}" if one.word else hole for one, hole in zip(values, holes, strict=True)]
    head = f"{found['prefix']}{found['mark']}"
    if in_front:
        return f"{head}{', '.join(fields)}: {body}{found['mark']}"
    tail = _TAIL.search(body)
    assert tail is not None
    text, end = body[: tail.start()], tail[0]
    if (inside := _ENCLOSED.fullmatch(text)) is not None and not values[0].word:
        # What is shown between brackets grows between them: `Roll(2d6, +1)`.
        row = [f"{one.code.rpartition('.')[2]}={hole}" for one, hole in zip(values, holes, strict=True)]
        row = row if re.search(r"\w=(?:\{|%)", inside["inner"]) else list(holes)
        lead = inside["lead"] or ("" if inside["inner"].endswith(("(", " ")) else ", ")
        shown = f"{inside['inner']}{lead}{', '.join(row)}{inside['end']}"
        return f"{head}{shown}{end.lstrip(' ')}{found['mark']}"
    return f"{head}{text}{_lead(text, values[0].word)}{', '.join(fields)}{end.lstrip(' ')}{found['mark']}"


def _lead(text: str, word: str) -> str:
    """What stands between a text and the value after it."""
    if not text:
        return ""
    if text.endswith(("=", "(", "[", "'", '"')):
        return "" if text.endswith(("=", "(", "[")) else " "
    if text.endswith(("}", "%s", "%d", "%r")):
        return ", "
    last = re.findall(r"\w+", text)[-1:]
    if text.endswith((":", "-", "–", ",", ";")) or (
        last and last[0].lower() in phrases.table()["said_values"]["leads"]
    ):
        return " "
    return ", " if word else ": "


def _logs_lazily(source: Source, call: ast.Call) -> bool:
    """Whether a log call takes its values as arguments: it does, or not all others of the file put them into
    the text."""
    logs = [node for node in walk(source.tree) if is_log(node)] if source.tree is not None else []
    formatted = [
        log
        for log in logs
        if isinstance(log, ast.Call) and log.args and isinstance(log.args[0], ast.JoinedStr)
    ]
    lazy = [log for log in logs if isinstance(log, ast.Call) and len(log.args) > 1]
    return len(call.args) > 1 or not formatted or len(lazy) >= len(formatted)


def shown_already(node: ast.expr, code: str) -> bool:
    """Whether a text shows a value: in a field, or as an operand or argument."""
    return any(
        ast.unparse(inner) == code
        for inner in walk(node)
        if isinstance(inner, ast.expr) and inner is not node
    )


def values_named(slot: SlotWords) -> list[str]:
    """The expressions that words in the place of a text name; empty where a text is meant."""
    context, anchor = slot.context, slot.anchor
    if context.quote(slot.span) in ("'", '"'):
        return []
    visible = context.visible(anchor.path, anchor.node)
    shown = context.quote(slot.span) == "`"
    found = [
        _value(part.strip(), visible, shown)
        for part in _JOINERS.split(slot.span.text.strip("` "))
        if part.strip()
    ]
    return [item for item in found if item] if all(found) else []


def filled_in(context: Context, anchor: Anchor, text: str) -> str:
    """The text of a log call with the values that the words beside it name for its placeholders."""
    shown = parsed(text)
    if not isinstance(shown, ast.Constant) or not isinstance(shown.value, str):
        return text
    wanted = len(_PLACEHOLDER.findall(shown.value))
    visible = context.visible(anchor.path, anchor.node)
    own = set(visible.inner.values())
    words = re.findall(r"[^\W\d]\w*", context.beside_slots())
    named = dict.fromkeys(one for word in words if (one := visible.name(word)) in own)
    return ", ".join((text, *map(str, named))) if wanted and len(named) == wanted else text


def _value(text: str, visible: Visible, shown: bool) -> str:
    tree = parsed(text)
    if tree is not None:
        names = names_in(tree)
        is_code = isinstance(tree, ast.Call | ast.Attribute | ast.Subscript) or (
            isinstance(tree, ast.Name) and ("_" in text or shown)
        )
        texts = (node.value for node in find_nodes(tree, ast.Constant) if isinstance(node.value, str))
        if any(" " in item for item in texts) or any(isinstance(node, ast.JoinedStr) for node in walk(tree)):
            return ""  # a text by itself
        return text if is_code and names and all(visible.knows(name) for name in names) else ""
    own = set(visible.inner.values())
    asked = _question().match(text)
    words = (text[asked.end() :] if asked is not None else phrases.without_articles(text)).split()
    if asked is None and len(words) == len(text.split()):
        return ""  # neither a question nor an article: words of a text
    if asked is None:
        relative = (at for at, one in enumerate(words) if at and phrases.is_said("relatives", one))
        words = words[: next(relative, len(words))]
    for last in range(len(words), 0, -1 if asked is not None else -len(words)):
        part = words[:last]
        code = visible.name(" ".join(part)) or _without_nouns(part, visible)
        if code in own:
            return str(code)
        near = visible.expression(" ".join(part)) if asked is not None else None
        if near in own:
            return str(near)
    return ""


def _without_nouns(words: list[str], visible: Visible) -> str | None:
    """What words name besides such as *number* and *itself*: `attempt` for *attempt number*."""
    rest = [word for word in words if not phrases.is_said("value_nouns", word)]
    return visible.name(" ".join(rest)) if rest and len(rest) < len(words) else None


def _question() -> re.Pattern[str]:
    pattern = "|".join(map(re.escape, sorted(phrases.words("questions"), key=len, reverse=True)))
    return re.compile(rf"(?:{pattern})\s*", re.IGNORECASE)
