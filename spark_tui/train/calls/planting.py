"""Puts code into a window that gives a kind of edit something to do."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from functools import cache
from random import Random
from string import Template
from typing import Any

from spark_tui.train.generated.snippet_generator import NOUNS, VERBS
from spark_tui.train.source_windows import Function, SourceWindow, arguments, parse
from spark_tui.train.templates.tables import table


@cache
def groups() -> Mapping[str, tuple[Mapping[str, Any], ...]]:
    """The groups of texts, by the kinds that they are for."""
    out: dict[str, tuple[Mapping[str, Any], ...]] = {}
    for group in table("calls/planted")["group"]:
        for kind in group["kinds"]:
            out[kind] = (*out.get(kind, ()), group)
    return out


def has_text_for(kind: str) -> bool:
    return kind in groups()


def planted(kind: str, window: SourceWindow, rng: Random) -> SourceWindow | None:
    """The window with a text for the kind put in; None if there is no text or no place for it."""
    if kind not in groups():
        return None
    group = rng.choice(groups()[kind])
    found = rng.choice(window.functions) if window.functions else None
    text = Template(rng.choice(group["texts"])).safe_substitute(_words(window, found, rng))
    if group["where"] == "function":
        made = _in_function(window, found, text, rng) if found is not None else None
    elif group["where"] == "module":
        made = _at_the_top(window, text)
    else:
        made = window.text.rstrip("\n") + "\n\n\n" + text + "\n"
    tree = parse(made) if made is not None else None
    return SourceWindow(window.path, made, tree) if made is not None and tree is not None else None


def _words(window: SourceWindow, function: Function | None, rng: Random) -> dict[str, str]:
    nouns = rng.sample([text for text in NOUNS if text not in window.names], 10)
    own = [argument.arg for argument in arguments(function)] if function is not None else []
    verbs = [f"{rng.choice(VERBS)}_{noun}" for noun in nouns]
    names = dict(zip("abcdstuv", nouns, strict=False))
    numbers = rng.sample((2, 3, 4, 5, 8, 10, 12, 15, 20, 25, 30, 50, 60, 100), 2)
    return {
        **names,
        "p": rng.choice(own) if own else nouns[8],
        "f": verbs[0],
        "C": nouns[9].capitalize(),
        "K": f"{nouns[8]}_{nouns[9]}".upper() if rng.random() < 0.5 else nouns[8].upper(),
        "L": nouns[9].upper(),
        "n": str(min(numbers)),
        "m": str(max(numbers)),
    }


def _at_the_top(window: SourceWindow, text: str) -> str:
    """The text after the imports, or before them if it has some itself."""
    imports = [node for node in window.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    lines = window.lines
    if text.startswith(("import ", "from ")):
        first = window.first_line(window.tree.body[0]) - 1
        return "\n".join([*lines[:first], text, *([] if imports else ["", ""]), *lines[first:]]) + "\n"
    last = window.last_line(imports[-1]) if imports else 0
    head, tail = lines[:last], lines[last:]
    while tail and not tail[0].strip():
        tail = tail[1:]
    return "\n".join([*head, *([""] if head else []), text, "", "", *tail]) + "\n"


def _in_function(window: SourceWindow, function: Function, text: str, rng: Random) -> str | None:
    body = [stmt for stmt in window.body_after_docstring(function) if window.own_lines(stmt)]
    if not body:
        return None
    before = rng.choice(body)
    first = window.first_line(before) - 1
    indented = textwrap.indent(text, window.indent(before))
    return "\n".join([*window.lines[:first], indented, *window.lines[first:]]) + "\n"
