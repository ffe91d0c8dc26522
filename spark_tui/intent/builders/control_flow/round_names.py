"""What the rounds of a loop are called: by the names in the code, or by words for anything."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.conditions.condition_words import condition_words, plain_text
from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.facts.held_resources import is_file
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import any_stands_in
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_SHORT = 2
_SAME_ITEMS = ("sorted", "list", "tuple", "reversed")
"""Functions that give the items of what they take, in some order."""


def of_pair(loop: ast.For | ast.AsyncFor, text: str) -> list[str]:
    """Which variable of a loop over keys with their values is meant, where words say one of the two."""
    pair = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
    said = [any_stands_in(condition_words()["rounds"][kind], plain_text(text)) for kind in ("keys", "values")]
    pairs = loop.iter
    while isinstance(pairs, ast.Call) and called_name(pairs) in _SAME_ITEMS and pairs.args:
        pairs = pairs.args[0]
    if called_name(pairs) != "items" or len(pair) != len(said) or said.count(True) != 1:
        return []
    return [one.id for one in pair[said.index(True) :][:1] if isinstance(one, ast.Name)]


def names_rounds(source: Source, loop: ast.For | ast.AsyncFor, item: str, said: str) -> bool:
    """Whether words name what a loop goes through as the code does, or by a word for anything."""
    words = set(re.findall(r"[^\W\d_]+", plain_text(said)))
    plain = {*condition_words()["rounds"]["any"], *_names_of(loop, item)}
    cjk = any(phrases.has_cjk(word) for word in words)
    return cjk or bool(words & plain) or bool(shortened(said, item)) or is_file(source, loop, loop.iter)


def words_for_rounds(loop: ast.For | ast.AsyncFor, item: str) -> set[str]:
    """The words for what a loop goes through."""
    kinds = ("any", "plain", "keys") if isinstance(loop.target, ast.Tuple) else ("any", "plain")
    known = {word for kind in kinds for word in condition_words()["rounds"][kind]}
    # What is set in a round is meant itself.
    known -= {name.id for name in find_nodes(loop, ast.Name) if isinstance(name.ctx, ast.Store)}
    return known | _names_of(loop, item)


def _names_of(loop: ast.For | ast.AsyncFor, item: str) -> set[str]:
    """The names that the code has for what a loop goes through."""
    iterated = [node.id for node in find_nodes(loop.iter, ast.Name)]
    iterated += [node.attr for node in find_nodes(loop.iter, ast.Attribute)]
    return {item.lower(), f"{item.lower()}s", *(key(one) for one in iterated)}


def shortened(text: str, item: str) -> str:
    """The several things that a variable of one or two letters is short for: `w` of *words*."""
    words = re.findall(r"[^\W\d_]{4,}", text)
    short = len(item) <= _SHORT and item.islower()
    return next((one for one in words if short and one != without_s(one) and one.startswith(item)), "")
