"""Further names for an option of a command line to which an edit gave one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import calls_with
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.words.readings import Reading

_NAME = re.compile(r"--?\w[\w-]*")
_SHORT = re.compile(r"-\w")


def further_options(reading: Reading, situation: Situation) -> Iterator[Candidate]:
    """A further name behind those of an option; one of a single letter in front of them."""
    value_texts = [item.text.strip("`'\" ") for item in reading.slots.get("value", ())]
    if reading.intent != "amend.further" or len(value_texts) != 1 or not _NAME.fullmatch(value_texts[0]):
        return
    for source, node in nodes_on_lines(situation):
        texts = (
            [arg for arg in node.args if isinstance(arg, ast.Constant)] if isinstance(node, ast.Call) else []
        )
        names = [item for item in texts if isinstance(item.value, str) and _NAME.fullmatch(item.value)]
        if not names or any(name.value == value_texts[0] for name in names):
            continue
        quote, text = source.segment(names[0])[-1], source.text
        new = f"{quote}{value_texts[0]}{quote}"
        start, end = source.span(names[0])[0], source.span(names[-1])[1]
        short = _SHORT.fullmatch(value_texts[0]) is not None
        text = f"{text[:start]}{new}, {text[start:]}" if short else f"{text[:end]}, {new}{text[end:]}"
        if calls := calls_with({source.path: text}, situation):
            yield Candidate(calls, reading, weight=0.9, from_before=True)
