"""Messages that name what an edit before the last one changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from keyword import iskeyword

from spark_tui.session.reader.reader_edit import ReaderEdit

_NAME = re.compile(r"[^\W\d]\w*")


def name_of_earlier(message: str, last: ReaderEdit) -> str:
    """A name in the message that came or went with an edit that the last one is shown together with; empty
    if there is none, or if the message names what the last one changed too."""
    said = set(_NAME.findall(message))
    hunks = (item.hunk for item in last.kept)
    earlier = said & _changed(("\n".join(hunk.old_lines), "\n".join(hunk.new_lines)) for hunk in hunks)
    texts = ((last.before.get(path) or "", text or "") for path, text in last.after.items())
    return min(earlier) if earlier and said.isdisjoint(_changed(texts)) else ""


def _changed(texts: Iterable[tuple[str, str]]) -> set[str]:
    """The names of which there are more or fewer afterwards."""
    out: set[str] = set()
    for old, new in texts:
        before, after = (Counter(_NAME.findall(text)) for text in (old, new))
        out |= {name for name in before | after if before[name] != after[name] and not iskeyword(name)}
    return out
