"""The value that is to be replaced, where only the new one is said."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.context.anchors import Anchor, Search, nodes, parsed
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.situation import Area
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Definition
from spark_tui.pysource.words import identifier_words

_ONLY, _BY_WORDS = 0.6, 0.5


def unsaid_values(at: Search) -> Iterator[Anchor]:
    """The one number, or flag, of the kind of the new one: the only one of a function, or that in the
    statement with most words of the instruction."""
    text = at.context.text("new").strip("`")
    new = parsed(phrases.value(text) or text)
    if not isinstance(new, ast.Constant) or not isinstance(new.value, int | float):
        return
    alike = [node for node in nodes(at.root, ast.Constant) if _is_alike(node, new.value)]
    alike = [node for node in alike if not isinstance(at.source.parents.get(node), ast.Subscript | ast.Slice)]
    doubt = "the old value was not given"
    if len(alike) == 1 and at.context.has("function"):
        yield Anchor(Area(""), alike[0], weight=_ONLY, doubts=(doubt,))
        return
    other_words = [
        word for word in content_words(at.context.beside_slots().replace("'", " ")) if word.isalpha()
    ]
    scored = [(_shared(at, node, other_words), node) for node in alike]
    top = max((score for score, _ in scored), default=0)
    best = [one for score, one in scored if top and score == top]
    if len(best) == 1:
        yield Anchor(Area(""), best[0], weight=_BY_WORDS, doubts=(doubt,))


def _is_alike(node: ast.AST, new: int | float | bool) -> bool:
    """Whether a literal is of the kind of a new value, and no longer or shorter: 200 and 201."""
    old = node.value if isinstance(node, ast.Constant) else None
    if isinstance(new, bool) or isinstance(old, bool):
        return type(old) is type(new) and old != new
    if not isinstance(old, int | float) or old == new:
        return False
    return type(old) is not type(new) or len(str(old)) == len(str(new)) or len(str(new)) < 3 > len(str(old))


def _shared(at: Search, node: ast.AST, words: list[str]) -> int:
    """How many words of the instruction stand in the statement of a literal."""
    statement = at.source.statement(node) or node
    if isinstance(statement, Definition):
        return 0  # a default, which the words of the function say nothing of
    own = identifier_words(at.source.segment(statement)[:400])
    return sum(any(is_form_of(item, word) for word in own) for item in words)
