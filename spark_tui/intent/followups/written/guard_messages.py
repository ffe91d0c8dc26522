"""Guards whose message tells their condition: where a message changes the condition, both change."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.intent.conditions.condition_messages import write_condition_message
from spark_tui.intent.context.written_lines import LineChange
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.tree_comparison import parse_statement


def with_messages_redone(was: Source, text: str, changes: Sequence[LineChange]) -> str:
    """The new text of a file, in which each guard of an edit that has another test and its old words tells
    the new test. One that only has a further part keeps its words."""
    olds = _guards(was)
    lines = {line for change in changes for line in range(change.at, change.at + len(change.new))}
    written = [at for at, guard in enumerate(olds) if guard.lineno - 1 in lines]
    told = {at: write_condition_message(was.segment(olds[at].test)) for at in written}
    told = {at: words for at, words in told.items() if words and words in was.segment(olds[at].body[0])}
    now = Source(text) if told else was
    news = _guards(now)
    if len(news) != len(olds):
        return text
    for at, words in sorted(told.items(), reverse=True):
        old, new = was.segment(olds[at].test), now.segment(news[at].test)
        raised = now.segment(news[at].body[0])
        said = write_condition_message(new) if old not in new else ""
        made = raised.replace(words, said)
        if said and raised == was.segment(olds[at].body[0]) and parse_statement(made) is not None:
            low, high = now.span(news[at].body[0])
            text = text[:low] + made + text[high:]
    return text


def _guards(source: Source) -> list[ast.If]:
    """What raises an error where a condition holds, in the order of the text."""
    found = [node for node in find_nodes(source.tree, ast.If) if len(node.body) == 1]
    guards = (node for node in found if isinstance(node.body[0], ast.Raise))
    return sorted(guards, key=lambda node: (node.lineno, node.col_offset))
