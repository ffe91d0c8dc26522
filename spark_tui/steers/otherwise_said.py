"""A message that wants the same done in another way, read softly: what it wants, turns down, keeps, and spells out.

Comes in: a message. Goes out: `Said`. Must not know: code, ways.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from spark_tui.steers.clauses import is_talk

_CUT = re.compile(
    r"\s*(?:[;:](?=\s)|[.!?](?=\s|$)|,(?=\s)|\s[-–—]+\s|→)\s*|\s+(?:so|since|because|cause|cos|otherwise)\s+"
)
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|\w?\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\]")
_AGAINST = re.compile(
    r"\b(?:instead of|rather than|without|no need for|no|not(?! [\w.]+\0)|never|don'?t|do not|doesn'?t|won'?t|can'?t|drop|lose|ditch|skip(?! (?:it|them|those|these|such|that|over|to|silently|quietly|and)\b)(?= )|scrap|forget|nvm|never ?mind|get rid of|kill)\b"
    r"(?: (?:use|using|do|doing|need|want|have|the|an?|that|this|those|any|more|special|whole|extra))*"
    r" (?P<what>(?:\w+ing (?:an? |the )?(?:None|True|False|[\w.]+\b(?! (?:when|if|there|and|but))|\"\0*\")|[\w./-]+\(\)?|[\w./-]+)(?:[ -](?:case|check|table|chain|statement|block|class|method|function|loop|list|dict|message|param\w*))?)",
    re.I,
)
_BAD = re.compile(
    r"\b(?:(?:an?|the|those|these|nested|more) )*(?P<what>[\w./-]+(?:\(\))?(?: (?:loop|chain|expression|statement|block|comprehension)s?)?) (?:is|are|was|looks?|reads?|feels?|seems?|gets?|vanish(?:es)?|hides?|swallows?)(?: (?:too|so|really|very|a bit|kind of|quite|just|rather|pretty|way|much|hard to|not|badly|with))*"
    r" ?(?:unreadable|ugly|awful|clever|overkill|confusing|hard|hard to read|read|misleading|bad|heavy|slow|terrible|horrible|noisy|dense|cryptic|fancy|magic|wrong|fragile|brittle|long|verbose|complicated|-O)\b",
    re.I,
)
"""What is found bad is turned down."""
_KEPT = re.compile(r"\b(?:keep|leave)\b(?P<what>(?:(?! (?:but|and|just|only) )[^,;.])*)", re.I)
_REMARK = re.compile(
    r"^(?:nobody|no one|everybody|everyone|people|users|callers|the callers?|we|they|i) (?!(?:want|need|should|must|prefer|use)\b)\w+|^(?:an? |the )?[\w.]+(?:\([^()]*\))? (?:is|isn'?t|was|are|aren'?t|does|doesn'?t|do|don'?t|will|won'?t|would|can|can'?t|has|looks?|reads?|vanish|hides?|swallows?|costs?|needs)\b(?!.*\bshould\b)",
    re.I,
)
_BESIDES = re.compile(r"^(?:and|also|plus|then|and also|oh and)\b|\b(?:too|as well)\b", re.I)
_EXACT = re.compile(
    r"`(?P<c>[^`]+)`|(?P<q>\"[^\"]+\"|(?<!\w)'[^']+'(?!\w))|\b(?P<e>[A-Z]\w+(?:Error|Exception|Exit|Warning))\b|(?<![\w.])(?P<n>-?\d+(?:\.\d+)?)(?![\w.])|\b(?P<s>[a-z]\w*_\w+)\b"
)


def _masked(text: str) -> str:
    """With nothing to read in what is quoted."""
    return _QUOTED.sub(lambda match: match[0][0] + "\0" * (len(match[0]) - 2) + match[0][-1], text)


def _less(text: str, form: re.Pattern[str]) -> str:
    for match in reversed(list(form.finditer(_masked(text)))):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return text


@dataclass(frozen=True)
class Said:
    """A message, in what it wants and what it does not."""

    message: str

    @cached_property
    def pieces(self) -> list[str]:
        held = [match.span() for match in _QUOTED.finditer(self.message)]
        out, done = [], 0
        for match in _CUT.finditer(self.message):
            if not any(low < match.end() and match.start() < high for low, high in held):
                out.append(self.message[done : match.start()])
                done = match.end()
        return [one.strip() for one in (*out, self.message[done:]) if one.strip()]

    @cached_property
    def against(self) -> str:
        """What is turned down."""
        found = [*_AGAINST.finditer(_masked(self.message)), *_BAD.finditer(_masked(self.message))]
        return " ".join(match["what"] for match in found)

    @cached_property
    def kept(self) -> str:
        return " ".join(match["what"] for match in _KEPT.finditer(_masked(self.message)))

    @cached_property
    def orders(self) -> str:
        """The clauses that want something, without what they turn down and what they keep."""
        return self._wanting([one for one in self.pieces if not is_talk(one) and not _REMARK.match(one)])

    @cached_property
    def everything(self) -> str:
        return self._wanting(self.pieces)

    def _wanting(self, pieces: list[str]) -> str:
        return " ; ".join(filter(None, (_less(_less(_less(one, _BAD), _AGAINST), _KEPT).strip() for one in pieces)))

    @cached_property
    def besides(self) -> bool:
        return _BESIDES.search(re.sub(r"^(?:or|ok|oh|ah|hm+)\b[\s,]*", "", self.message)) is not None

    @cached_property
    def exact(self) -> list[str]:
        """What is spelled out: it has to be in what comes."""
        return [next(filter(None, match.groups())) for match in _EXACT.finditer(self.orders)]
