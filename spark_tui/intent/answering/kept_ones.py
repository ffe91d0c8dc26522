"""What stays of all that goes, by its number: *keep the first print, remove the others*."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.words import phrases


def with_kind_of_all(text: str) -> str:
    """The text with the kind of thing behind *all*: *remove all print but the first*."""
    if (kept := _kept().match(text)) is not None:
        all_but = f"{kept['verb']} all {kept['kind']} but {kept['number']}{kept['place']}"
        return all_but + text[kept.end() :]
    return _all_but().sub(r"\g<all> \g<kind> \g<but> \g<number>", text)


def _any_of(*kinds: str) -> str:
    return "|".join(re.escape(one) for kind in kinds for one in phrases.words(kind))


def _numbered_kind() -> str:
    """A number with the kind of thing behind it, but for words of a place and such as *one*."""
    table = phrases.table()
    ordinals = "|".join(re.escape(one) for known in table["ordinals"].values() for one in known)
    counts = "|".join(re.escape(one) for known in table["numbers"].values() for one in known)
    number = rf"(?:(?:{_any_of('articles')})\s+)?(?:{ordinals})(?:\s+(?:{counts}|\d)(?!\w))?"
    kind = rf"(?!(?:{_any_of('places_in', 'ones')})s?(?!\w))[^\W\d]\w*"
    return rf"(?P<number>{number})\s+(?P<kind>{kind})"


@lru_cache(maxsize=1)
def _all_but() -> re.Pattern[str]:
    front = rf"(?<!\w)(?P<all>(?:{_any_of('deleting')})\s+(?:{_any_of('every')}))"
    return re.compile(rf"{front}\s+(?P<but>but|except|{_any_of('excepting')})\s+{_numbered_kind()}", re.I)


@lru_cache(maxsize=1)
def _kept() -> re.Pattern[str]:
    place = rf"(?P<place>(?:\s+(?:{_any_of('places_in')})\s+[\w.`]+)?)"
    joined = rf"\s*(?:[,;]\s*)?(?:(?:{_any_of('but', 'and')})\s+)?"
    others = rf"(?P<verb>{_any_of('deleting')})\s+(?:{_any_of('the_others')})(?!\w)"
    return re.compile(rf"\W*(?:{_any_of('leaving_alone')})\s+{_numbered_kind()}{place}{joined}{others}", re.I)
