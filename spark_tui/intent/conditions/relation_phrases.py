"""The phrases of conditions: what a text says about what it looks at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from spark_tui.intent.words.phrases import has_cjk, table

_ORDERS = ("above", "below", "at_least", "at_most")


@dataclass(frozen=True)
class RelationPhrase:
    """Words that relate two things, such as `is at least {n}`."""

    kind: str
    regex: str
    length: int
    parts: tuple[str, ...]
    """What stands in every text with the phrase: most phrases are told to be out by it alone."""

    def search(self, text: str) -> re.Match[str] | None:
        return self._pattern.search(text) if all(part in text for part in self.parts) else None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.regex)


@lru_cache(maxsize=1)
def relation_phrases() -> tuple[RelationPhrase, ...]:
    """All phrases of all kinds, the longest first."""
    out = []
    for kind, entry in table()["conditions"].items():
        for text in entry["phrases"]:
            bare = text.replace("{n}", "").strip()
            pattern = re.escape(text.lower()).replace(r"\{n\}", r"(?P<n>\S+)").replace(r"\ ", r"\s+")
            pattern = pattern.replace("'", "['’]?")
            left = r"(?<![\w])" if re.match(r"\w", text) and not has_cjk(text) else ""
            right = r"(?![\w])" if re.search(r"\w\Z", text) and not has_cjk(text) else ""
            if text.startswith("{n}"):
                left = ""
                right += r"(?!\s+than\b)"  # `less than 1 or more than 9`
            parts = tuple(re.split(r"\{n\}|[\s']+", text.lower()))
            length = len(bare) + 3 * ("{n}" in text)
            out.append(RelationPhrase(kind, left + pattern + right, length, parts))
    return tuple(sorted(out, key=lambda item: -item.length))


def ends_in_order(text: str) -> bool:
    """Whether a text ends with words such as *less than*, to which a number belongs."""
    low = text.lower().rstrip()
    found = (one.search(low) for one in relation_phrases() if one.kind in _ORDERS)
    return any(one is not None and one.end() == len(low) for one in found)
