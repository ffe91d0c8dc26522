"""Texts that nobody quotes: *imperial units instead of metric*, *http -> https*, *return orange instead of yellow*.

Comes in: an `Order`. Goes out: edits of one text each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Source
from spark_tui.refactor.values.asked import Asked, asked
from spark_tui.refactor.values.slots import alike, parts, slot_of, slots
from spark_tui.refactor.values.written import in_quotes_of

_WORD = r"[\w][\w./:+-]*"
_INSTEAD = r"(?:instead of|rather than|in place of|, not|not)"
_FORMS = (
    re.compile(rf"(?P<new>{_WORD})\s+{_INSTEAD}\s+(?P<old>{_WORD})$", re.I),
    re.compile(rf"(?P<new>{_WORD}) \w+\s+{_INSTEAD}\s+(?P<old>{_WORD})$", re.I),
    re.compile(rf"(?P<old>{_WORD})\s*(?:->|=>|→)\s*(?P<new>{_WORD})$", re.I),
    re.compile(
        rf"\b(?:change|replace|switch|swap|turn)\s+(?:the\s+)?(?P<old>{_WORD})\s+(?:to|with|by|for|into)\s+(?P<new>{_WORD})$",
        re.I,
    ),
)
_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "use using print return say show instead rather not of than in place change replace switch swap turn to with by for "
        "into the value text string word want we it should be is call write log send wording put make set have",
    )
)


def _bare(order: Order) -> Iterator[Edit]:
    """One word of a text, or the whole of it, where the file has it once."""
    about = asked(order)
    text = about.text.strip(" .!")
    if len(text) > 90 or re.search(r"[\"'`]|\b(?:everywhere|all|every|rename|if|when|add|import)\b", text, re.I):
        return
    for match in (found for form in _FORMS if (found := form.search(text)) is not None):
        old, new = match["old"], match["new"]
        if (
            old == new
            or old in _names(order.src)
            or {new.lower(), old.lower()} & (FILLERS | _NOTHING)
            or not re.search(r"[^\W\d]", old)
        ):
            continue
        places = list(_places(about, old, new))
        if len(places) != 1:
            continue
        start, end, written, around = places[0]
        if any(alike(new, part) for part in around):
            continue  # it says what the text is for
        left = [word for word in words(text.replace(old, " ").replace(new, " ")) if word not in FILLERS | _NOTHING]
        fits = [word for word in left if any(alike(word, part) for part in around)]
        if len(left) - len(fits) <= 1:
            yield about.edit([(start, end, written)], old, new, *fits, *_NOTHING)
            return


def _places(about: Asked, old: str, new: str) -> Iterator[tuple[int, int, str, list[str]]]:
    src = about.order.src
    nodes = [node for node in src.nodes if about.inside(getattr(node, "lineno", -1))]
    every = [slot.node for slot in slots(src, str, nodes)]
    texts = [node for node in every if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    whole = [node for node in texts if node.value == old]
    for node in whole:
        yield (*src.span(node), in_quotes_of(src.segment(node), new), _around(src, node))
    if whole:
        return
    for node in texts:
        segment = src.segment(node)
        inside = list(re.finditer(rf"(?<![\w]){re.escape(old)}(?![\w])", segment))
        start = src.span(node)[0]
        for match in inside:
            yield start + match.start(), start + match.end(), new, _around(src, node)


def _around(src: Source, node: ast.expr) -> list[str]:
    slot = slot_of(src, node)
    return [part for name in (*slot.names, *slot.near) for part in parts(name)]


def _names(src: Source) -> set[str]:
    """Names of the code: what is called so is no text."""
    out: set[str] = set()
    for node in src.nodes:
        for field in ("id", "attr", "arg", "name"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                out.add(value)
    return out


RULES = (Rule(re.compile(r"->|=>|→|\b(?:instead of|rather than|in place of|not|to|with|by|for|into)\b", re.I), _bare),)
