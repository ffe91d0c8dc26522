"""The item or line that an edit added: moved among the others, or written again for another thing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_for, calls_with, changes_of_edit, tokens_of
from spark_tui.intent.followups.written.syntax import with_items
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.syntax.walking import walk

_LIKELY = 0.9


def moved_items(reading: Reading, situation: Situation) -> Iterator[Candidate]:
    """The only new item of a list or tuple beside the items that words name, or between two of them."""
    anchors = reading.slots.get("anchor", ())
    if not anchors:
        return
    found = changes_of_edit(situation)
    words = {word for anchor in anchors for word in split_name(anchor.text)}
    for change in found:
        source = situation.behind.index.source(change.path)
        start = source.starts[change.at] if change.at < len(source.starts) else len(source.text)
        new = {start + item.start for item in change.written()}
        for node in walk(source.tree) if source.tree is not None and new else ():
            items = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []
            spans = [source.span(item) for item in items]
            added = [at for at, (low, _) in enumerate(spans) if low in new]
            texts = [source.text[low:high] for low, high in spans]
            if len(added) != 1 or len(spans) < 2:
                continue
            moved = texts.pop(added[0])
            names = [set(split_name(text.rpartition(".")[2])) for text in texts]
            named = [at for at, one in enumerate(names) if one and one <= words]
            if not named or named[-1] - named[0] > 1:
                continue
            at = named[-1] if len(named) == 2 else named[0] + reading.intent.endswith("after")
            texts.insert(at, moved)
            low, high = source.span(node)
            whole = source.text[:low] + with_items(source, node, spans, texts) + source.text[high:]
            if calls := calls_with({change.path: whole}, situation):
                yield Candidate(calls, reading, weight=_LIKELY, from_before=True)


def further_lines(reading: Reading, situation: Situation) -> Iterator[Candidate]:
    """The only line that was added, once more for the text that is given in the place of its first one."""
    given, found = reading.slots.get("value", ()), changes_of_edit(situation)
    lines = [
        change
        for change in found
        if not change.old and len([line for line in change.new if line.strip()]) == 1
    ]
    if situation.before is None or len(lines) != 1 or not given or not all(one.quoted for one in given):
        return
    line = next(line for line in lines[0].new if line.strip())
    texts = (one.text.strip("'\"") for one in tokens_of(line) if one.text[-1:] in "'\"")
    was = next((text for text in texts if text), "")
    word = re.compile(rf"\b{re.escape(was)}\b")
    item = line.strip()[0] in "'\"" and line.rstrip().endswith(",") and len(word.findall(line)) > 1
    if item and was.isidentifier() and all(one.text.isidentifier() for one in given):
        more = (word.sub(one.text, line) for one in given)
        calls = calls_for(found, {lines[0]: (*lines[0].new, *more)}, situation.before)
        yield Candidate(calls, reading, weight=_LIKELY, from_before=True)
