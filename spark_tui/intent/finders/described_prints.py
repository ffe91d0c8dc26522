"""Prints and log calls that words describe by what they say: *the GET print*, *DEBUG prints*."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.blocks import is_log, is_print
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.syntax.walking import find_nodes

_OF_SEVERAL = frozenset(("any", "every", "les", "los", "las", "unos"))
"""Articles of more than one thing."""


def prints_described(context: Context, slot: str) -> list[Anchor]:
    """The prints or log calls that are statements and have all words of a slot in them. Where none says that
    it is for debugging, all prints may."""
    told = context.text(slot)
    words = [word for word in content_words(told) if not phrases.is_said("printing", word)]
    found: list[Anchor] = []
    prints: list[Anchor] = []
    doubt = assumed(f"every print was assumed to be for {told}")
    for area, source, root in context.trees() if words and not told.endswith(")") else ():
        for stmt in find_nodes(root, ast.Expr):
            node = stmt.value
            if isinstance(node, ast.Call) and is_print(node):
                prints.append(Anchor(area, node, 0.9, (*area.doubts, doubt)))
            if isinstance(node, ast.Call) and (is_print(node) or is_log(node)):
                texts = re.findall(r"\w+", " ".join(map(source.segment, node.args)))
                shown = [word for text in texts for word in split_name(text)]
                if all(any(is_form_of(word, own) for own in shown) for word in words):
                    found.append(Anchor(area, node, 0.9, area.doubts))
    for_debugging = bool(words) and all(phrases.level(word) == "debug" for word in words)
    return found or (prints if for_debugging else [])


def said_once(context: Context, called: str) -> bool:
    """Whether words are about one call: *the print*, and not *the prints*, *the print calls*."""
    articles = "|".join(re.escape(word) for word in phrases.words("articles") if word not in _OF_SEVERAL)
    name, kind = re.escape(called), r"(?:\s+(?:call|statement|line))?"
    said = rf"(?<!\w)(?:{articles})\s+`?{name}(?:\(\))?`?{kind}(?!\w|\s+(?:calls|statements|lines)\b)"
    return re.search(said, context.situation.instruction, re.IGNORECASE) is not None
