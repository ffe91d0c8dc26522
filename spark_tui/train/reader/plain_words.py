"""Words of English and other languages that are hardly ever the name of something in code.

They are counted in the instructions about real code that the reader is trained on.
"""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable

from spark_tui.intent.reading.near_roles import PLAIN_WORDS, WORD
from spark_tui.train.reader.asked import UNTRAINED_PACKAGES, Asked, asked

_SEEN, _PACKAGES = 20, 8
"""How often at least a word was said, and about how many packages: `pyfiglet` is a word of one."""
_NAMES = 1 / 16
"""In which part of all cases at most it was a name or a value."""


def plain_words(instructions: Iterable[Asked]) -> list[str]:
    """The words that were said often, and seldom as a name."""
    said, named, where = Counter[str](), Counter[str](), defaultdict[str, set[str]](set)
    for one in instructions:
        writing = one.example.writing
        spans = [(mention.start, mention.end) for mention in writing.mentions]
        for found in WORD.finditer(writing.text):
            start, end = found.span()
            is_named = (start, end) in spans
            if not is_named and any(low <= start and end <= high for low, high in spans):
                continue  # a piece of a text, or of code
            said[found[0]] += found[0].islower()
            where[found[0]].add(one.package)
            named[found[0]] += is_named
    often = (word for word in said if said[word] >= _SEEN and len(where[word]) >= _PACKAGES)
    return sorted(word for word in often if named[word] <= _NAMES * said[word])


def write_plain_words() -> None:
    trained = (item for item in asked() if item.package not in UNTRAINED_PACKAGES)
    PLAIN_WORDS.write_text(textwrap.fill(" ".join(plain_words(trained)), 110) + "\n", "utf-8")
