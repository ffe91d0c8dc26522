"""What a message says is to stay as it was: the old name, the default, the order. An edit that changed
nothing of the kind stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange, changes_of_edit, texts_for
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.parts.facts_of_code import ABSENT, FACTS, names_defined
from spark_tui.intent.followups.parts.of_edits import Part, leave_parts_out
from spark_tui.intent.words import phrases


def keeps_aspect(text: str) -> bool:
    """Whether a message says nothing but that something stays as it was."""
    return _said(text) is not None


def unchanged_aspect(text: str, situation: Situation) -> str:
    """What the last edit does not do, where a message says nothing but that something stays as it was, and
    the edit changed nothing of the kind; else empty."""
    changes = changes_of_edit(situation)
    said = _said(text) if changes else None
    if said is None or any(_touches(one, said, changes, situation) for one in said.aspects):
        return ""
    return " and ".join(dict.fromkeys(str(followup_table()["aspects"]["says"][one]) for one in said.aspects))


def parts_of_aspect(text: str, parts: Sequence[Part], situation: Situation) -> list[Part]:
    """The parts of an edit that changed what a message says is to stay as it was, if it says nothing else."""
    changes, before = changes_of_edit(situation), situation.before
    said = _said(text) if changes and before is not None else None
    if said is None or before is None:
        return []
    now = {change.path: situation.behind.index.text(change.path) for change in changes}
    lost = _all_lost(said, now, situation)
    out = []
    for part in parts if lost else ():
        texts = {**now, **texts_for(changes, leave_parts_out([part], changes), before)}
        left = _all_lost(said, texts, situation)
        if lost is not None and left is not None and left < lost:
            out.append(part)
    return out


@dataclass(frozen=True)
class _Kept:
    """What of an edit is to stay as it was, and whether only what was there before is meant."""

    aspects: tuple[str, ...]
    was: bool


def _said(text: str) -> _Kept | None:
    """The aspects of an edit that are to stay, where nothing else is said."""
    table, low = followup_table()["aspects"], text.lower()
    keeps = phrases.any_stands_in(phrases.words("keeping"), low)
    before = phrases.any_stands_in(phrases.words("as_before"), low)
    old = phrases.any_stands_in(table["old"], low)
    if not keeps and not before:
        return None
    said: list[str] = []
    for word, aspects in _words().items():
        if phrases.stands_in(word, low):
            said += aspects
            low = _without([word], low)
    idle = [word for kind in ("as_before", "keeping", "articles", "and") for word in phrases.words(kind)]
    rest = _without([*idle, *table["old"], *table["beside"]], low)
    return _Kept(tuple(said), old and not before) if said and not re.search(r"\w", rest) else None


def _without(words: Iterable[str], text: str) -> str:
    for word in sorted(words, key=len, reverse=True):
        if phrases.has_cjk(word):
            text = text.replace(word, " ")
        else:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?:(?<=')|(?!\w))", " ", text)
    return text


@lru_cache(maxsize=1)
def _words() -> Mapping[str, Sequence[str]]:
    """The words for aspects, the longest first; one may be for several."""
    out: dict[str, list[str]] = {}
    for aspect, words in followup_table()["aspects"]["words"].items():
        for word in words:
            out.setdefault(word, []).append(aspect)
    return dict(sorted(out.items(), key=lambda item: -len(item[0])))


def _touches(aspect: str, said: _Kept, changes: Sequence[LineChange], situation: Situation) -> bool:
    """Whether an edit took away what code had of an aspect, or gave it what it had not, unless only what it
    had is meant. What cannot be compared counts as touched."""
    if aspect == "order":
        return _reorders(changes)
    now = {change.path: situation.behind.index.text(change.path) for change in changes}
    lost = _all_lost(_Kept((aspect,), said.was), now, situation)
    return lost is None or lost.total() > 0


def _all_lost(
    said: _Kept, texts: Mapping[str, str | None], situation: Situation
) -> Counter[tuple[str, str, str]] | None:
    """What files have no more of aspects; None where that cannot be told."""
    if situation.before is None:
        return None
    out: Counter[tuple[str, str, str]] = Counter()
    after = situation.before.with_changes(texts)
    for path in texts:
        old, new = situation.before.index.source(path), after.index.source(path)
        if old.tree is None or new.tree is None:
            return None
        was, now = {*names_defined(old)}, {*names_defined(new)}
        renamed = was - now if now - was else set()
        for aspect in said.aspects:
            facts = FACTS.get(aspect, FACTS["name"])
            for fact, times in (Counter(facts(old)) - Counter(facts(new))).items():
                follows = aspect != "name" and not renamed.isdisjoint(re.findall(r"\w+", fact))
                if not follows and (fact != ABSENT or not said.was):
                    out[path, aspect, fact] = times
    return out


def _reorders(changes: Sequence[LineChange]) -> bool:
    """Whether something is taken away in one place and comes in another, or is sorted."""
    pairs = [pair for change in changes for pair in change.exchanged()]
    gone, come = ({token.text for pair in pairs for token in pair[at]} for at in (0, 1))
    texts = gone | come
    moved = {text for text in gone & come if re.match(r"\w|[\"']", text)}
    return bool(moved) or not texts.isdisjoint(followup_table()["aspects"]["sorting"])
