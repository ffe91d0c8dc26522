"""One more entry or argument like the one that was written, with another word in the place of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_with, changes_of_edit
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.followups.written.texts import whole_piece
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_MEANT = 0.8


def one_more_like(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to write further ones behind the last that was written, for the repository before the edit."""
    spans = reading.slots.get("value", ())
    if reading.intent != "amend.further" or not spans:
        return []
    words = [whole_piece(span, situation.instruction).text.strip("`'\"") for span in spans]
    found = changes_of_edit(situation)
    out = []
    for path in dict.fromkeys(change.path for change in found):
        source = situation.behind.index.source(path)
        here = [change for change in found if change.path == path]
        places = {source.starts[change.at] + token.start for change in here for token in change.written()}
        for text in _texts(source, places, words):
            calls = calls_with({path: text}, situation)
            out += [Candidate(calls, reading, weight=_MEANT, from_before=True)] if calls else []
    return out


def _texts(source: Source, places: set[int], words: list[str]) -> Iterator[str]:
    for node in walk(source.tree):
        rows: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            rows = [(key, value) for key, value in pairs if key is not None]
        elif isinstance(node, ast.Call) and len(node.args) > 1 and all(map(is_text, node.args)):
            rows = [(arg, arg) for arg in node.args]
        own = [row for row in rows if is_text(row[0]) and source.span(row[0])[0] in places]
        if not own or len(own) == len(rows):
            continue
        key, value = own[-1]
        low, high = source.span(key)[0], source.span(value)[1]
        word = re.compile(rf"(?<!\w){re.escape(getattr(key, 'value', ''))}(?!\w)")
        if key is not value and not word.search(source.segment(value)):
            continue
        line = source.text[source.text.rfind("\n", 0, low) + 1 : low]
        between = ", " if line.strip() else f",\n{line}"
        more = (between + item.join(word.split(source.text[low:high])) for item in words)
        yield source.text[:high] + "".join(more) + source.text[high:]
