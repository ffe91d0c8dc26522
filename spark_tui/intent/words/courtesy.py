"""Words around an instruction that ask or thank: what is left says the same."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.tables import table_beside

_table = table_beside(__file__, "courtesy.toml")
_LONGEST = 80
"""Characters of what is said behind an instruction."""


def without_courtesy(text: str) -> str:
    """The instruction alone; as it is where hardly anything else is said."""
    ahead, behind = _frames()
    begins = ahead.match(text)
    plain = text[begins.end() :] if begins is not None else text
    if begins is not None and begins["asking"]:
        plain = plain.rstrip().removesuffix("?")
    ends = behind.search(plain, max(len(plain) - _LONGEST, 0))
    plain = plain[: ends.start()] if ends is not None else plain
    return plain if len(plain.split()) > 1 else text


@lru_cache(maxsize=1)
def _frames() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What may stand ahead of an instruction, and behind it."""
    ahead, behind = _either("ahead"), _either("behind")
    begin = (
        rf"\s*(?:{_either('greetings')}\s*[,!:.]\s*|{ahead}(?:\s*[,:]\s*|\s+)|{_either('ahead_joined')}"
        rf"|(?P<asking>{_either('asking')})\s+)+"
    )
    meant = "".join(rf"(?<!(?<!\w){re.escape(word)}\s)" for word in _table()["meant"])
    end = rf"(?:[\s,.!;:?–-]*(?:(?<=[\s,.!;:?–-]){meant}{behind}|{_either('behind_joined')}))+[\s.!]*\Z"
    return re.compile(begin, re.IGNORECASE), re.compile(end, re.IGNORECASE)


def _either(name: str) -> str:
    return f"(?:{'|'.join(_table()[name])})"
