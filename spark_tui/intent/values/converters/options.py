"""Options of a command line that are described: `--who` with default "me", `--dry-run` (store_true)."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.anchors import Anchor, nodes, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.values.converters.of_slots import literal, quote_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Span

_OPTION = re.compile(r"\W*(--[A-Za-z][\w-]*)")
_TYPE = re.compile(
    r"\btype\s*=?\s*(int|float)\b|\b(?:as|als|an?|en|como)\s+(int|float|integer)\b", re.IGNORECASE
)
_DEFAULT = re.compile(
    r"(?:\b(?:default(?:s|ing)?|standardwert|standard|par défaut|por defecto)|默认值?)"
    r"(?:\s*(?:=|:|is|of|to|为|是))?\s*"
    r"(\"[^\"]*\"|'[^']*'|[\w.+-]+)",
    re.IGNORECASE,
)
_MORE = r"\s*(?:default|type|standard|par défaut|por defecto|默认|store_true)"
_DESCRIBED = re.compile(
    rf"(?:[^,;.，；。]|\.(?=\S)|[,，](?={_MORE})){{0,60}}?"
    rf"(?=\s(?:and|und|et|y)\s|[,，](?!{_MORE})|[;；。]|\.(?:\s|\Z)|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""What is said of an option behind its name."""


def option_call(context: Context, anchor: Anchor, span: Span) -> str:
    """The call that adds an option, like those that stand there; empty where none is described."""
    behind = _DESCRIBED.match(context.situation.instruction, max(span.end, 0))
    text = span.text + (behind[0] if behind is not None and span.start >= 0 else "")
    name, parser = _OPTION.match(text), _parser(context, anchor)
    if name is None or not parser:
        return ""
    source = context.source(anchor.path)
    quote = quote_of(source)
    default, kind = _DEFAULT.search(text, name.end()), _TYPE.search(text, name.end())
    parts = [f"{quote}{name[1]}{quote}"]
    if default is None and kind is None and phrases.mentions("option_switches", text):
        parts.append(f"action={quote}store_true{quote}")
    shown = default[1] if default is not None else ""
    value = parsed(shown)
    number = type(value.value).__name__ if isinstance(value, ast.Constant) else ""
    wanted = (kind[1] or kind[2]).lower().replace("integer", "int") if kind is not None else number
    parts += [f"type={wanted}"] if wanted in ("int", "float") else []
    if shown:
        known = isinstance(value, ast.Name) and context.visible(anchor.path, anchor.node).knows(shown)
        as_is = known or number in ("int", "float")
        parts.append(f"default={shown if as_is else literal(shown.strip(chr(34) + chr(39)), source)}")
    return f"{parser}.add_argument({', '.join(parts)})"


def _parser(context: Context, anchor: Anchor) -> str:
    """What the options of a function are added to."""
    last = last_option(context, anchor)
    func = last.func if last is not None else None
    return context.source(anchor.path).segment(func.value) if isinstance(func, ast.Attribute) else ""


def last_option(context: Context, anchor: Anchor) -> ast.Call | None:
    """The last call that adds an option in the function of a place, or in the file."""
    node = anchor.node or anchor.area.node
    root = (context.enclosing(anchor.path, node) if node is not None else None) or context.source(
        anchor.path
    ).tree
    calls = [
        inner for inner in (nodes(root, ast.Call) if root is not None else []) if isinstance(inner, ast.Call)
    ]
    adding = [
        call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument"
    ]
    return adding[-1] if adding else None
