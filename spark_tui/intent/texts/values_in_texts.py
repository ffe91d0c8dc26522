"""Values that a text is to show: named by words (*which host it was*) or by code."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.visible import Visible
from spark_tui.intent.values.converters.of_slots import SlotWords
from spark_tui.intent.words import phrases
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

_JOINERS = re.compile(r"\s*(?:,|\band\b|\bund\b|\bet\b|\by\b|和)\s*")
_PLACEHOLDER = re.compile(r"(?<!%)(?:%%)*%[sdr]")


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
